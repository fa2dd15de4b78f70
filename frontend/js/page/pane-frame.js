/** Frame of a pane: its title, the pane's tools, and the buttons that collapse and maximise it. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Pane, PaneEntry, PaneName, Translate } from "../types.js" */
/** @typedef {{ maximise(name: PaneName): void, collapse(name: PaneName): void }} FrameActions */

export class PaneFrame {
  /**
   * @param {PaneEntry} entry
   * @param {Pane} pane
   * @param {Translate} t
   * @param {FrameActions} actions
   */
  constructor(entry, pane, t, actions) {
    const name = /** @type {PaneName} */ (entry.name);
    this.name = name;
    this.titles = entry.title;
    this.t = t;
    this.title = el("h2", {
      class: "pane-title",
      id: `pane-${name}-title`,
      on: { dblclick: () => actions.maximise(name) },
    });
    this.collapse = el("button", {
      class: "icon-button collapse-button",
      type: "button",
      on: { click: () => actions.collapse(name) },
    });
    this.maximise = el("button", {
      class: "icon-button maximise-button",
      type: "button",
      on: { click: () => actions.maximise(name) },
    });
    this.body = el("div", { class: "pane-body" }, pane.dom);
    this.dom = el(
      "section",
      {
        class: "pane",
        id: `pane-${name}`,
        tabindex: "-1",
        "data-pane": name,
        "aria-labelledby": `pane-${name}-title`,
      },
      el(
        "header",
        { class: "pane-head" },
        this.title,
        el("div", { class: "pane-tools" }, pane.tools),
        this.collapse,
        this.maximise,
      ),
      this.body,
    );
    this.label();
  }

  get maximised() {
    return this.dom.dataset.maximised !== undefined;
  }
  get collapsed() {
    return this.dom.dataset.collapsed !== undefined;
  }

  /** @param {{ maximised?: boolean, collapsed?: boolean }} shape */
  shape({ maximised = this.maximised, collapsed = this.collapsed }) {
    this.dom.toggleAttribute("data-maximised", maximised);
    this.dom.toggleAttribute("data-collapsed", collapsed && !maximised);
    this.label();
  }

  label() {
    const pane = this.titles[this.t.language];
    this.title.textContent = pane;
    name(
      this.maximise,
      this.maximised ? "restore" : "maximise",
      this.t(this.maximised ? "pane.restore" : "pane.maximise", { pane }),
    );
    name(
      this.collapse,
      this.collapsed ? "chevron-right" : "chevron-down",
      this.t(this.collapsed ? "pane.expand" : "pane.collapse", { pane }),
    );
    this.collapse.setAttribute("aria-expanded", String(!this.collapsed));
    this.maximise.setAttribute("aria-pressed", String(this.maximised));
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} drawing
 * @param {string} label
 */
function name(button, drawing, label) {
  button.replaceChildren(icon(drawing));
  button.setAttribute("aria-label", label);
  button.title = label;
}
