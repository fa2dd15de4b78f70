// @ts-check
/** Bar of a playback: play and pause, a slider of frames, the time of the shown frame, the speed. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { SPEEDS } from "./playback.js";

/** @import { Translate } from "../types.js" */
/** @import { Playback } from "./frames.js" */
/** @import { Live } from "./live.js" */
/** @import { Player } from "./playback.js" */

export class PlaybackBar {
  /** @param {Translate} t @param {Player} player */
  constructor(t, player) {
    this.t = t;
    this.player = player;
    this.button = el("button", { type: "button", class: "map-play", on: { click: () => player.toggle() } });
    this.slider = el("input", {
      type: "range",
      min: "0",
      step: "1",
      on: { input: () => player.seek(Number(this.slider.value)) },
    });
    this.time = el("output", { class: "map-time" });
    this.count = el("span", { class: "map-count" });
    this.speed = el(
      "select",
      { on: { change: () => player.setSpeed(Number(this.speed.value)) } },
      SPEEDS.map((speed) => el("option", { value: speed }, `${speed}×`)),
    );
    this.speed.value = String(player.speed);
    this.dom = el(
      "div",
      { class: "map-playback", role: "group", hidden: true, on: { keydown: (event) => this.key(event) } },
      this.button,
      this.time,
      this.slider,
      this.count,
      this.speed,
    );
    /** Inputs of the labels. */
    this.labelled = "";
    /** Frames that the time label was sized for, so that the slider does not move. @type {Playback["frames"] | null} */
    this.frames = null;
  }

  /** @param {Playback | null} playback */
  show(playback) {
    this.dom.hidden = playback === null;
    if (!playback) return;
    const { t, player } = this;
    const { frames, at } = playback;
    const labelled = `${t.language} ${player.playing}`;
    if (labelled !== this.labelled) this.label(labelled);
    if (frames !== this.frames) {
      this.frames = frames;
      this.slider.max = String(frames.length - 1);
      this.time.style.setProperty(
        "min-width",
        `${Math.min(24, Math.max(...frames.map(({ time }) => width(time))))}ch`,
      );
    }
    const time = frames[at]?.time ?? "";
    this.slider.value = String(at);
    this.slider.setAttribute(
      "aria-valuetext",
      `${time}, ${t("shared.position", { n: at + 1, count: frames.length })}`,
    );
    this.slider.style.setProperty(
      "--share",
      `${frames.length > 1 ? (100 * at) / (frames.length - 1) : 100}%`,
    );
    this.time.textContent = time;
    this.time.title = time;
    this.count.textContent = t("shared.position", { n: at + 1, count: frames.length });
  }

  /** Show the history of a live layer; its right end is the present. @param {Live} live */
  showLive({ frames, at, time: last }) {
    const { t } = this;
    const isPresent = at === null;
    const place = isPresent ? frames.length - 1 : frames.findIndex((frame) => frame.at === at);
    const time = t.time(new Date(1000 * ((isPresent ? last : at) ?? 0)));
    this.show({
      floorId: "",
      legend: null,
      origin: {},
      at: place,
      frames: frames.map((frame) => ({ time: t.time(new Date(1000 * frame.at)), highlights: [] })),
    });
    this.time.textContent = isPresent ? t("live.now", { time }) : time;
    if (isPresent) this.slider.setAttribute("aria-valuetext", t("live.now", { time }));
  }

  /** @param {string} labelled */
  label(labelled) {
    const { t, player } = this;
    this.labelled = labelled;
    const label = t(player.playing ? "shared.pause" : "shared.play");
    this.button.replaceChildren(icon(player.playing ? "pause" : "play"));
    this.button.setAttribute("aria-label", label);
    this.button.title = label;
    this.dom.setAttribute("aria-label", t("play.label"));
    this.slider.setAttribute("aria-label", t("shared.time"));
    this.speed.setAttribute("aria-label", t("play.speed"));
    this.speed.title = t("play.speed");
  }

  /** Play or pause with Space anywhere in the bar; arrows belong to the slider. @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== " " || event.target === this.button || event.target === this.speed) return;
    event.preventDefault();
    this.player.toggle();
  }
}

/** Return the width of a text. @param {string} text @returns {number} in digits: a kanji is as wide as two */
function width(text) {
  return [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? 2 : 1), 0);
}
