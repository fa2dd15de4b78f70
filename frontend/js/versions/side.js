/** One version of a turn in the panes of the page, without a way to change anything: its plan and its images. */

import { Bus } from "../core/bus.js";
import { el } from "../core/dom.js";
import { since } from "../debug/log.js";
import { ImageViewer } from "../images/viewer.js";
import { initialState, reduce } from "../page/state.js";

/** @import { ComparedVersion, DeskEvents, DeskState, Message, Translate } from "../types.js" */

export class Side {
  /**
   * @param {Translate} t
   * @param {DeskState} page state of the page
   * @param {ComparedVersion} version
   * @param {typeof import("../map/viewer.js").MapViewer} MapViewer class of a part that loads late
   */
  constructor(t, page, { label, turn, view }, MapViewer) {
    this.label = label;
    this.messages = messagesOf(page, turn.runId);
    this.state = stateOf(page, this.messages);
    /** Requests of the panes end here; only the shown floor follows. @type {Bus<DeskEvents>} */
    this.bus = new Bus();
    this.bus.on("fact", (fact) => this.show(reduce(this.state, fact)));
    const needs = { bus: this.bus, t };
    this.map = new MapViewer(needs);
    this.images = new ImageViewer(needs);
    this.view = view();
    this.view.update(turn, null, true);
    this.answer = el("div", { class: "turn versions-answer", inert: true }, this.view.result);
    this.show(this.state);
  }

  /** @param {DeskState} state */
  show(state) {
    this.state = state;
    this.bus.emit("state", state);
  }

  destroy() {
    for (const part of [this.map, this.images, this.view]) part.destroy();
  }
}

/** Return the messages of a run, oldest first. @param {DeskState} page @param {string} runId @returns {Message[]} */
const messagesOf = ({ log }, runId) =>
  since(log, null).fresh.flatMap(({ message }) =>
    "runId" in message && message.runId === runId ? [message] : [],
  );

/** Return the state of a page that has this run alone. @param {DeskState} page @param {Message[]} messages */
function stateOf({ chat, map: { building, closures } }, messages) {
  /** @type {Message[]} */
  const definition = building ? [{ type: "map_definition", content: building }] : [];
  const state = [...definition, ...messages].reduce((before, message) => reduce(before, message), {
    ...initialState(),
    chat,
  });
  return { ...state, map: { ...state.map, closures } };
}
