/**
 * Replay of a chat's log in all panes. Nothing is sent and no socket is open. The bar replaces the message field: play
 * and pause, steps, the log as a slider, the speed.
 */

import { chatInHash, replayInHash } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { readMessages } from "./messages.js";
import { ReplayPlayer, SPEEDS } from "./player.js";

/** @import { DeskBus, Translate } from "../types.js" */
/** @import { Desk } from "../page/store.js" */

export class Replay {
  /**
   * @param {object} needs
   * @param {DeskBus} needs.bus
   * @param {Translate} needs.t
   * @param {Desk} needs.desk
   */
  constructor({ bus, t, desk }) {
    this.t = t;
    this.started = false;
    this.player = new ReplayPlayer(bus, desk, () => this.show());
    const { player } = this;
    this.toTurnBefore = button("arrow-up", () => player.turn(-1));
    this.back = button("chevron-left", () => player.step(-1));
    this.play = button("play", () => player.toggle(), "replay-play");
    this.forward = button("chevron-right", () => player.step(1));
    this.toTurnAfter = button("arrow-down", () => player.turn(1));
    this.slider = el("input", { type: "range", min: "0", step: "1", on: { input: () => this.drag() } });
    this.frame = 0;
    this.count = el("output", { class: "replay-count" });
    this.speed = el(
      "select",
      { on: { change: () => player.setSpeed(Number(this.speed.value)) } },
      SPEEDS.map((speed) => el("option", { value: speed }, `${speed}×`)),
    );
    this.label = el("strong", { class: "replay-label" });
    this.fault = el("span", { class: "replay-fault", role: "alert", hidden: true });
    this.leave = el("button", {
      class: "text-button",
      type: "button",
      hidden: replayInHash(window.location.hash) === "only",
      on: { click: () => leave() },
    });
    this.dom = el(
      "section",
      { class: "replay", role: "group" },
      this.label,
      el(
        "span",
        { class: "replay-steps" },
        this.toTurnBefore,
        this.back,
        this.play,
        this.forward,
        this.toTurnAfter,
      ),
      this.slider,
      this.count,
      this.speed,
      this.fault,
      this.leave,
    );
    document.documentElement.dataset.replay = replayInHash(window.location.hash) ?? "";
    document.querySelector(".top-bar")?.after(this.dom);
    document.addEventListener("keydown", (event) => this.key(event), true);
    window.addEventListener("hashchange", () => {
      if (replayInHash(window.location.hash) === null) window.location.reload();
    });
    bus.on("command", ({ name }) => {
      if (name === "new-chat" || name === "open-chat") leave();
    });
    bus.on("language", () => this.updateTexts());
    this.updateTexts();
    desk.take({ type: "@connection", connection: "open" });
    void this.read();
  }

  async read() {
    const chatId = chatInHash(window.location.hash) ?? "";
    try {
      const isComplete = await readMessages(chatId, (more) => {
        this.player.add(more);
        const [first] = this.player.turns;
        if (this.started || first === undefined) return;
        this.started = true;
        this.player.seek(first + 1);
      });
      if (!this.started) this.player.seek(this.player.messages.length);
      if (!isComplete) this.showFault("replay.more");
    } catch (fault) {
      console.error("The log did not come.", fault);
      this.showFault("replay.missing");
    }
  }

  /** Follow the slider, once per frame. */
  drag() {
    const { player } = this;
    if (player.playing) player.pause();
    const target = Number(this.slider.value);
    window.cancelAnimationFrame(this.frame);
    this.frame = window.requestAnimationFrame(() => player.seek(target));
  }

  /** @param {string} key */
  showFault(key) {
    this.fault.dataset.says = key;
    this.fault.textContent = this.t(key, { n: this.t.number(this.player.messages.length) });
    this.fault.hidden = false;
  }

  updateTexts() {
    const { t } = this;
    this.dom.setAttribute("aria-label", t("replay.label"));
    this.label.textContent = t("replay.label");
    this.leave.textContent = t("replay.leave");
    this.slider.setAttribute("aria-label", t("replay.place"));
    this.speed.setAttribute("aria-label", t("play.speed"));
    name(this.toTurnBefore, `${t("replay.turn_before")} (Shift+←)`);
    name(this.back, `${t("replay.back")} (←)`);
    name(this.forward, `${t("replay.forward")} (→)`);
    name(this.toTurnAfter, `${t("replay.turn_after")} (Shift+→)`);
    if (this.fault.dataset.says) this.showFault(this.fault.dataset.says);
    this.show();
  }

  show() {
    const { player, t } = this;
    const {
      at,
      messages: { length },
    } = player;
    this.slider.max = String(length);
    this.slider.value = String(at);
    this.slider.style.setProperty("--share", `${length > 0 ? (100 * at) / length : 0}%`);
    this.slider.setAttribute("aria-valuetext", t("shared.position", { n: at, count: length }));
    this.count.textContent = `${t.number(at)} / ${t.number(length)}`;
    const label = `${t(player.playing ? "shared.pause" : "shared.play")} (${t("replay.space")})`;
    if (this.play.title === label) return;
    this.play.replaceChildren(icon(player.playing ? "pause" : "play"));
    name(this.play, label);
  }

  /** Handle shortcuts, outside of fields and lists that use arrows. @param {KeyboardEvent} event */
  key(event) {
    const { target, key, shiftKey } = event;
    const here =
      target === document.body ||
      (target instanceof Node && this.dom.contains(target) && target !== this.speed);
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === " ") this.player.toggle();
    else if (key === "ArrowRight") shiftKey ? this.player.turn(1) : this.player.step(1);
    else if (key === "ArrowLeft") shiftKey ? this.player.turn(-1) : this.player.step(-1);
    else if (key === "Home") this.player.step(-Infinity);
    else if (key === "End") this.player.step(Infinity);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Leave the replay and open the chat. */
function leave() {
  const parameters = new URLSearchParams(window.location.hash.slice(1));
  parameters.delete("replay");
  window.location.hash = parameters.toString();
}

/** @param {string} picture @param {() => void} press @param {string} [classes] */
const button = (picture, press, classes = "") =>
  el("button", { class: `icon-button ${classes}`, type: "button", on: { click: press } }, icon(picture));

/** @param {HTMLElement} part @param {string} label */
function name(part, label) {
  part.title = label;
  part.setAttribute("aria-label", label);
}
