/** Chat pane: the log of turns, the chat's files, the composer, and the allowances. It draws the state from the bus. */

import { Approvals } from "../asks/approvals.js";
import { AskCaller, nextCard } from "../asks/caller.js";
import { InSight } from "../asks/link.js";
import { el } from "../core/dom.js";
import { Composer } from "./composer.js";
import { acceptDrops } from "../core/file-drop.js";
import { splitBuildingFiles } from "./building-files.js";
import { FileChips } from "./files.js";
import { ChatLog } from "./log.js";
import { RoomChips } from "./rooms.js";
import { lightSteps } from "./route.js";
import { StepsSetting } from "./steps-setting.js";
import { isHiddenVersion } from "../core/versions.js";

/** @import { Command, DeskState, PaneNeeds, Selection } from "../types.js" */

export class ChatPane {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {DeskState | null} */
    this.state = null;
    this.approvals = new Approvals({ bus, t });
    this.steps = new StepsSetting({ bus, t });
    this.tools = el("div", { class: "chat-tools" }, this.steps.dom, this.approvals.dom);
    this.caller = new AskCaller(t);
    this.rooms = new RoomChips({ bus, t });
    this.chips = new FileChips(
      t,
      (name) => bus.emit("fact", { type: "@uploading", name }),
      (isComplete) => this.parts.composer.release(isComplete),
    );
    this.dom = el("div", { class: "chat" });
    this.parts = this.build("");
    this.undo = [
      bus.on("state", (state) => this.update(state)),
      bus.on("language", () => this.rebuild()),
      bus.on("select", (selection) => this.light(selection)),
      bus.on("leg", (pointed) => lightSteps(this.parts.log.dom, pointed)),
      bus.on("command", (command) => this.onCommand(command)),
      acceptDrops(
        document.body,
        () => t("files.drop"),
        (files, folders) => this.take(files, folders),
        { target: this.dom },
      ),
    ];
  }

  /** Build the pane in the current language. @param {string} draft text of the composer */
  build(draft) {
    const { bus, t } = this;
    const log = new ChatLog({ bus, t });
    const askInSight = new InSight(log.dom, log.follow, "ask");
    const turnInSight = new InSight(log.dom, log.follow, "run", () => this.missTurn());
    const composer = new Composer({
      bus,
      t,
      draft,
      add: (files) => void this.addFiles([...files]),
      uploading: () => this.chips.uploading(),
    });
    composer.dom.prepend(this.rooms.dom);
    this.dom.replaceChildren(
      log.dom,
      el("div", { class: "chat-edge" }, log.follow.button, this.chips.dom, composer.dom),
      log.announcement,
      this.caller.dom,
    );
    return { log, ask: askInSight, turn: turnInSight, composer };
  }

  rebuild() {
    this.parts.ask.destroy();
    this.parts.turn.destroy();
    this.parts.log.destroy();
    this.parts.composer.destroy();
    this.parts = this.build(this.parts.composer.field.value);
    this.approvals.label();
    this.steps.label();
    this.rooms.draw();
    this.chips.label();
    if (this.state) this.update(this.state);
  }

  /** @param {DeskState} state */
  update(state) {
    this.state = state;
    this.parts.log.update(state);
    this.parts.ask.settle();
    if (this.parts.turn.target !== null) this.showVersion(this.parts.turn.target);
    this.parts.turn.settle();
    this.chips.update(state);
    this.parts.composer.update(state);
    this.approvals.update(state);
    this.steps.update(state);
    this.caller.update(state);
    this.rooms.update(state);
  }

  /** @param {Command} command */
  onCommand(command) {
    if (command.name === "submit") this.parts.log.follow.jump();
    if (command.name === "next-ask") this.focusNextAsk();
    if (command.name === "show-ask") this.parts.ask.show(command.askId);
    if (command.name === "show-turn") this.parts.turn.show(command.runId);
    if (command.name === "show-turn") this.showVersion(command.runId);
    if (command.name === "attempt" && command.kind === "code") this.parts.log.follow.jump();
    if (command.name === "show-code") this.showCode(command);
    if (command.name === "reset") this.parts.ask.forget();
    if (command.name === "reset") this.parts.turn.forget();
    if (command.name === "reset") this.parts.composer.leave();
    if (command.name === "write") this.parts.composer.appendText(command.text);
    if (command.name === "attach") this.chips.add(command.files);
    if (command.name === "focus-pane" && command.pane === "chat") this.parts.composer.field.focus();
  }

  /**
   * Show the version of a turn that something points at, on this page only.
   *
   * @param {string} runId
   * @returns {boolean} whether it was another version that was shown
   */
  showVersion(runId) {
    const isHidden = this.state !== null && isHiddenVersion(this.state, runId);
    if (isHidden) this.bus.emit("fact", { type: "@version", runId });
    return isHidden;
  }

  /** Light what is selected in another pane; its version of the turn is shown first. @param {Selection} selection */
  light(selection) {
    const { runId, source } = selection;
    if (source !== "chat" && runId !== undefined && this.showVersion(runId))
      return void requestAnimationFrame(() => this.parts.log.light(selection));
    return this.parts.log.light(selection);
  }

  /** Report that the chat does not have the linked turn. */
  missTurn() {
    const { chat, connection } = this.state ?? {};
    if (!chat || connection !== "open") return false;
    this.bus.emit("fact", { type: "@lost", chatId: chat.chatId, was: "turn" });
    return true;
  }

  /** Upload files; those of a building go to the map instead. @param {globalThis.File[]} files */
  async addFiles(files) {
    const { building, others } = await splitBuildingFiles(files);
    this.chips.add(others);
    if (building.length === 0) return;
    this.bus.emit("command", { name: "focus-pane", pane: "map" });
    this.bus.emit("fact", { type: "@building_files", files: building });
  }

  /**
   * Upload files that were dropped anywhere on the page.
   *
   * @param {globalThis.File[]} files
   * @param {string[]} folders names of dropped folders
   */
  take(files, folders) {
    this.bus.emit("command", { name: "focus-pane", pane: "chat" });
    void this.addFiles(files);
    for (const name of folders) this.chips.refuse(name, this.t("files.folder"));
  }

  /** @param {{ runId: string, step: number, line?: number }} place */
  showCode(place) {
    // drawn with the next frame
    if (this.showVersion(place.runId)) return void requestAnimationFrame(() => this.showCode(place));
    this.bus.emit("command", { name: "focus-pane", pane: "chat" });
    this.parts.log.follow.following = false;
    this.parts.log.fill(place.runId);
    showCode(this.parts.log.dom, place);
  }

  /** Move the focus to the next open ask. */
  focusNextAsk() {
    const card = nextCard(this.parts.log.dom);
    if (!card) return;
    this.bus.emit("command", { name: "focus-pane", pane: "chat" });
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }

  destroy() {
    for (const undo of this.undo) undo();
    this.rooms.destroy();
    this.parts.ask.destroy();
    this.parts.turn.destroy();
    this.parts.log.destroy();
    this.parts.composer.destroy();
    this.dom.remove();
  }
}

// Opening of a line of code in the chat: the block opens, and the line is scrolled to and marked.

/**
 * Show the code of a step.
 *
 * @param {HTMLElement} log
 * @param {{ runId: string, step: number, line?: number }} place
 * @returns {boolean} whether the chat has such a step
 */
function showCode(log, { runId, step, line }) {
  for (const mark of log.querySelectorAll(".code-mark")) mark.remove();
  const turn = [...log.querySelectorAll("[data-run]")].find(
    (element) => element instanceof HTMLElement && element.dataset.run === runId,
  );
  const block = turn?.querySelector(`[data-step="${Number(step)}"] .code-block`);
  const body = block?.querySelector(".code-text");
  if (!(block instanceof HTMLElement) || !(body instanceof HTMLElement)) return false;
  const folded = block.closest("details:not([open])");
  /** @type {HTMLElement | null | undefined} */ (folded?.querySelector("summary"))?.click();
  const lines = (body.textContent ?? "").trimEnd().split("\n").length;
  if (line === undefined || line < 1 || line > lines) {
    block.scrollIntoView({ block: "nearest" });
  } else {
    const mark = el("span", { class: "code-mark", "data-line": line, "aria-hidden": "true" });
    mark.style.setProperty("--line", String(line - 1));
    body.prepend(mark);
    mark.scrollIntoView({ block: "center" });
  }
  body.focus({ preventScroll: true });
  return true;
}
