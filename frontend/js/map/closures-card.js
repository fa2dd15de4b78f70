// @ts-check
/** Card of closures: a list of what is closed, with buttons to reopen, and a choice of what else to close. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { isSamePart, partKey, partName, partsOf } from "./closures.js";
import { floorOf } from "./picture.js";

/** @import { Closure, Translate } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @typedef {{ toggle: (part: Closure) => void, reopen: (parts: Closure[]) => void, close: () => void }} ClosingActions */

export class ClosuresCard {
  /** @param {Translate} t @param {ClosingActions} actions */
  constructor(t, actions) {
    this.t = t;
    this.actions = actions;
    /** @type {Closure[]} */
    this.parts = [];
    this.title = el("b", {});
    this.leave = el(
      "button",
      { type: "button", class: "map-card-close", on: { click: actions.close } },
      icon("close"),
    );
    this.hint = el("p", {});
    this.list = el("ul", { role: "status" });
    this.all = el("button", {
      type: "button",
      class: "quiet-button",
      on: { click: () => actions.reopen(this.closed) },
    });
    this.choice = el("select", {});
    this.close = el("button", { type: "button", class: "quiet-button", on: { click: () => this.press() } });
    /** @type {Closure[]} */
    this.closed = [];
    this.dom = el(
      "section",
      {
        class: "map-closures",
        on: {
          keydown: (event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            actions.close();
          },
        },
      },
      el("div", { class: "map-card-head" }, this.title, this.leave),
      this.hint,
      el("div", { class: "map-closures-choice" }, this.choice, this.close),
      this.list,
      this.all,
    );
    this.drawnFor = "";
  }

  /** @param {MapPicture} picture */
  show(picture) {
    const { t } = this;
    const { building, closures } = picture;
    const floor = floorOf(picture);
    if (!building || !floor) return;
    this.closed = closures;
    const key = JSON.stringify([t.language, building.buildingId, floor.floorId, closures]);
    if (key === this.drawnFor) return;
    this.drawnFor = key;
    this.title.textContent = t("closing.title");
    this.dom.setAttribute("aria-label", t("closing.title"));
    this.hint.textContent = t("closing.hint");
    this.leave.setAttribute("aria-label", t("shared.close"));
    this.close.textContent = t("closing.close");
    this.all.textContent = t("closing.reopen_all");
    this.all.hidden = closures.length === 0;
    this.choice.setAttribute("aria-label", t("closing.choice"));
    this.parts = partsOf(building, floor).filter(
      (part) => !closures.some((closed) => isSamePart(closed, part)),
    );
    const before = this.choice.value;
    this.choice.replaceChildren(
      ...this.parts.map((part) => el("option", { value: partKey(part) }, partName(part, building, t))),
    );
    if (this.parts.some((part) => partKey(part) === before)) this.choice.value = before;
    this.close.disabled = this.parts.length === 0;
    this.list.replaceChildren(
      ...closures.map((part) => {
        const name = partName(part, building, t, true);
        return el(
          "li",
          {},
          icon("closed"),
          el("span", {}, name),
          el(
            "button",
            {
              type: "button",
              class: "quiet-button",
              "aria-label": t("closing.reopen_one", { part: name }),
              on: { click: () => this.reopen(part) },
            },
            t("closing.reopen"),
          ),
        );
      }),
    );
  }

  /** Close the chosen part. */
  press() {
    const part = this.parts.find((candidate) => partKey(candidate) === this.choice.value);
    if (part) this.actions.toggle(part);
  }

  /** @param {Closure} part */
  reopen(part) {
    this.choice.focus(); // its button goes away
    this.actions.reopen([part]);
  }

  focus() {
    this.choice.focus();
  }
}
