// @ts-check
/**
 * Buttons over the badges of a route. The canvas paints the badges; the buttons make them clickable, focusable and
 * readable for screen readers.
 */

import { el } from "../core/dom.js";

/** @import { Translate } from "../types.js" */
/** @import { Badge } from "./route-layout.js" */

export class MapBadges {
  /** @param {Translate} t @param {(badge: Badge) => void} jump */
  constructor(t, jump) {
    this.t = t;
    this.jump = jump;
    this.dom = el("div", { class: "map-badges" });
    /** @type {Badge[]} */
    this.badges = [];
    this.drawnFor = "";
    /** Counterpart of the pressed badge, which gets the focus once its floor is shown. @type {Badge | null} */
    this.pressed = null;
  }

  /** Place the buttons. @param {Badge[]} badges badges of the shown floor */
  show(badges) {
    const key = JSON.stringify([this.t.language, badges.map(({ box: _, ...facts }) => facts)]);
    this.badges = badges;
    if (key !== this.drawnFor) {
      this.drawnFor = key;
      this.dom.replaceChildren(...badges.map((badge, index) => this.button(badge, index)));
    }
    badges.forEach(({ box }, index) => {
      const { style } = /** @type {HTMLElement} */ (this.dom.children[index]);
      style.setProperty("transform", `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`);
      style.setProperty("width", `${box.width.toFixed(1)}px`);
      style.setProperty("height", `${box.height}px`);
    });
    this.refocus();
  }

  /** @param {Badge} badge @param {number} index */
  button({ kind, name, floorId, label, leaving }, index) {
    const text = this.t(leaving ? "route.badge_to" : "route.badge_back", {
      link: name || this.t(`route.${kind}`),
      floor: label,
    });
    const press = () => {
      const badge = this.badges[index];
      if (!badge) return;
      this.pressed = badge;
      this.jump(badge);
    };
    return el("button", {
      type: "button",
      "aria-label": text,
      title: text,
      "data-to": floorId,
      on: { click: press },
    });
  }

  refocus() {
    const { pressed } = this;
    const index = this.badges.findIndex(
      (candidate) =>
        candidate.route === pressed?.route &&
        candidate.change === pressed.change &&
        candidate.leaving !== pressed.leaving,
    );
    if (index < 0) return;
    this.pressed = null;
    /** @type {HTMLElement} */ (this.dom.children[index]).focus();
  }
}
