/**
 * View of an MCP server in its turn: a placeholder until it is in view, then the card of apps/, which loads with the
 * first view.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart } from "../core/late.js";

/** @import { McpApp } from "../types.js" */
/** @import { Needs } from "./shown.js" */

export class AppBlock {
  /** @param {McpApp} message @param {Needs} needs */
  constructor(message, needs) {
    this.message = message;
    this.needs = needs;
    this.dom = el(
      "div",
      { class: "app-block" },
      el("p", { class: "app-waits" }, icon("layout"), message.content.title),
    );
    if (message.seq !== undefined) this.dom.dataset.seq = String(message.seq);
    /** @type {import("../apps/app-card.js").AppCard | null} */
    this.card = null;
    this.started = false;
    this.observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void this.begin();
      },
      { rootMargin: "200px" },
    );
    this.observer.observe(this.dom);
  }

  async begin() {
    if (this.started) return;
    this.started = true;
    this.observer.disconnect();
    const module = await loadLatePart(() => import("../apps/app-card.js"), this.needs.t, "apps");
    if (module === null || !this.dom.isConnected) return;
    this.card = new module.AppCard(this.message, this.needs);
    this.dom.replaceChildren(this.card.dom);
  }

  /** Update the state of its call. @param {McpApp} message */
  update(message) {
    if (message === this.message) return;
    this.message = message;
    this.card?.update(message);
  }

  /** End the call when its run is over. */
  end() {
    const { content } = this.message;
    if (content.state === "called")
      this.update({ ...this.message, content: { ...content, state: "cancelled" } });
  }
}
