/**
 * Player of the page's background music: runs the tool change_bgm, and appears in the top bar while a track plays, with
 * its name, pause, volume and stop. The track is kept until the page is left. A second tab that starts to play stops
 * this one.
 */

import { gainOf, Sound } from "./bgm-sound.js";
import { TRACKS } from "./bgm-tracks.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { ClientOutcome, DeskBus, JsonValue, Translate } from "../types.js" */
/** @typedef {"off" | "playing" | "paused" | "blocked"} State */

const OFF = 0;
/** Seconds that notes are scheduled ahead: timers of a hidden tab run once per second. */
const AHEAD_SECONDS = 5;
const EVERY = 1000;
/** Milliseconds in which a browser that permits sound starts the audio context. */
const START_TIMEOUT = 400;
const GESTURES = ["pointerdown", "keydown"];

export class BgmPlayer {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   */
  constructor({ bus, t }) {
    this.t = t;
    /** @type {State} */
    this.state = "off";
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {Sound | null} */
    this.sound = null;
    this.timer = 0;
    this.toggle = el("button", {
      class: "icon-button bgm-toggle",
      type: "button",
      on: { click: () => this.pressed() },
    });
    this.name = el("span", { class: "bgm-name" });
    this.volume = el("input", {
      class: "bgm-volume",
      type: "range",
      min: 0,
      max: 100,
      value: 50,
      on: { input: () => this.louder() },
    });
    this.stopping = el(
      "button",
      { class: "icon-button bgm-stop", type: "button", on: { click: () => this.stop() } },
      icon("close"),
    );
    this.player = el(
      "div",
      { class: "bgm", role: "group", hidden: true, "data-state": "off" },
      icon("music"),
      this.name,
      this.toggle,
      this.volume,
      this.stopping,
    );
    this.announcement = el("div", { class: "visually-hidden", role: "status" });
    this.dom = el("div", { class: "bgm-place" }, this.player, this.announcement);
    this.channel = new BroadcastChannel("smoldesk.bgm");
    this.channel.addEventListener("message", () => this.stop());
    this.gesture = () => {
      if (this.state === "blocked") this.resume();
    };
    for (const gesture of GESTURES) document.addEventListener(gesture, this.gesture, { capture: true });
    this.undo = [bus.on("language", () => this.label())];
    this.label();
  }

  /**
   * Run the tool. The music changes in `begin`, once the answer counts, so that one tab plays.
   *
   * @param {{ [name: string]: JsonValue }} input
   * @returns {Promise<ClientOutcome>}
   */
  async change({ track }) {
    if (track === OFF)
      return {
        granted: true,
        value: { success: true, track, message: "The music is off." },
        begin: () => this.begin(OFF),
      };
    const chosen = typeof track === "number" && Object.hasOwn(TRACKS, track) ? TRACKS[track] : undefined;
    if (typeof track !== "number" || chosen === undefined) {
      return {
        granted: false,
        reason: `There is no track ${JSON.stringify(track)?.slice(0, 40)}. Expected ${OFF} (off) or ${Object.keys(TRACKS).join(", ")}`,
      };
    }
    if (!("AudioContext" in window)) return { granted: false, reason: "This browser cannot play music" };
    const title = `Track ${track} (${chosen.name})`;
    const message = (await this.isSoundAllowed())
      ? `${title} is playing.`
      : `${title} starts with the next click on the page: the browser wants one before it plays.`;
    return { granted: true, value: { success: true, track, message }, begin: () => this.begin(track) };
  }

  /** Check whether the browser permits sound now. */
  async isSoundAllowed() {
    this.context ??= this.createSound();
    const context = this.context;
    const waited = new Promise((resolve) => window.setTimeout(resolve, START_TIMEOUT));
    await Promise.race([context.resume().catch(() => undefined), waited]);
    return context.state === "running";
  }

  createSound() {
    const context = new AudioContext();
    context.addEventListener("statechange", () => this.label());
    return context;
  }

  /** @param {number} track */
  begin(track) {
    this.channel.postMessage(track);
    this.fadeOut();
    if (track === OFF || this.context === null) {
      this.setState("off");
      return;
    }
    this.sound = new Sound(this.context, track, this.level);
    this.timer = window.setInterval(() => this.scheduleAhead(), EVERY);
    this.scheduleAhead();
    this.setState(this.context.state === "running" ? "playing" : "blocked");
  }

  scheduleAhead() {
    if (this.context?.state === "running") this.sound?.schedule(this.context.currentTime + AHEAD_SECONDS);
  }

  /** Fade the music out, then free its nodes. */
  fadeOut() {
    window.clearInterval(this.timer);
    const { sound } = this;
    this.sound = null;
    if (sound === null) return;
    const seconds = sound.end();
    window.setTimeout(() => {
      sound.cut();
      if (this.sound === null) this.context?.suspend().catch(() => undefined);
    }, seconds * 1000);
  }

  stop() {
    if (this.state === "off") return;
    const focused = this.player.contains(document.activeElement);
    this.fadeOut();
    this.setState("off");
    const visible = [...document.querySelectorAll("button")].find((button) => button.offsetParent !== null);
    if (focused) visible?.focus();
  }

  pressed() {
    if (this.state === "playing") {
      this.context?.suspend().catch(() => undefined);
      this.setState("paused");
    } else {
      this.resume();
    }
  }

  /** Resume after a click, which browsers require before a page plays sound. */
  resume() {
    const { context } = this;
    if (context === null || this.sound === null) return;
    context.resume().then(
      () => {
        if (this.sound === null) return;
        this.scheduleAhead();
        this.setState("playing");
      },
      () => undefined,
    );
  }

  /** Volume from 0 to 1. */
  get level() {
    return Number(this.volume.value) / 100;
  }

  louder() {
    this.sound?.louder(this.level);
    this.label();
  }

  /** @param {State} state */
  setState(state) {
    this.state = state;
    this.label();
    const name = this.trackName();
    this.announcement.textContent = this.t(`bgm.spoken_${state}`, { name });
  }

  trackName() {
    return this.sound ? this.t(`bgm.track_${this.sound.number}`) : "";
  }

  label() {
    const { t, player, state } = this;
    player.hidden = state === "off";
    player.setAttribute("aria-label", t("bgm.label"));
    player.dataset.state = state;
    player.dataset.track = String(this.sound?.number ?? OFF);
    player.dataset.audio = this.context?.state ?? "none";
    player.dataset.gain = gainOf(this.level).toFixed(3);
    this.name.textContent = state === "blocked" ? t("bgm.click") : this.trackName();
    this.name.title = this.trackName();
    const action = state === "playing" ? "pause" : "play";
    this.toggle.replaceChildren(icon(action));
    named(this.toggle, t(`bgm.${action}`));
    named(this.stopping, t("bgm.stop"));
    named(this.volume, t("bgm.volume"));
  }

  destroy() {
    for (const undo of this.undo) undo();
    for (const gesture of GESTURES) document.removeEventListener(gesture, this.gesture, { capture: true });
    this.fadeOut();
    this.channel.close();
    this.context?.close().catch(() => undefined);
    this.dom.remove();
  }
}

/**
 * @param {HTMLElement} control
 * @param {string} label
 */
function named(control, label) {
  control.setAttribute("aria-label", label);
  control.title = label;
}
