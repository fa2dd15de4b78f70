// @ts-check
/** Card of the live layers: a switch for each, its last time, and what keeps it from being current. */

import { el } from "../core/dom.js";
import { visible } from "../core/escaping.js";
import { icon } from "../core/icons.js";
import { isGone, isStale } from "./live.js";

/** @import { LayerStatus, Translate } from "../types.js" */
/** @import { Live } from "./live.js" */

export class LiveCard {
  /** @param {Translate} t @param {{ show: (layer: string | null) => void, close: () => void }} actions */
  constructor(t, actions) {
    this.t = t;
    this.actions = actions;
    this.title = el("b", {});
    this.leave = el(
      "button",
      { type: "button", class: "map-card-close", on: { click: actions.close } },
      icon("close"),
    );
    this.list = el("ul", { role: "list" });
    /** Rows by the names of their layers. @type {Map<string, ReturnType<LiveCard["row"]>>} */
    this.rows = new Map();
    this.dom = el(
      "section",
      {
        class: "map-closures map-live",
        on: {
          keydown: (event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            actions.close();
          },
        },
      },
      el("div", { class: "map-card-head" }, this.title, this.leave),
      this.list,
    );
  }

  /** Update the rows; a focused switch stays. @param {Live} live */
  show(live) {
    const { t, rows } = this;
    const gone = isGone(live) ? live.shown : null;
    const names = live.layers.map(({ name }) => name);
    if (gone !== null) names.push(gone);
    if (names.join("\n") !== [...rows.keys()].join("\n")) {
      this.rows = new Map(names.map((name) => [name, rows.get(name) ?? this.row(name)]));
      this.list.replaceChildren(...[...this.rows.values()].map(({ dom }) => dom));
    }
    this.title.textContent = t("live.tool");
    this.dom.setAttribute("aria-label", t("live.tool"));
    this.leave.setAttribute("aria-label", t("shared.close"));
    for (const layer of live.layers) {
      const row = this.rows.get(layer.name);
      if (!row) continue;
      const facts = factsOf(layer, t);
      row.box.checked = live.painted && live.shown === layer.name;
      row.box.disabled = layer.state === "other_building" && !row.box.checked;
      row.name.textContent = visible(layer.title || layer.name);
      if (row.facts.textContent !== facts.text) row.facts.textContent = facts.text;
      row.dom.toggleAttribute("data-old", facts.isOld);
    }
    const row = gone === null ? undefined : this.rows.get(gone);
    if (gone === null || !row) return;
    row.box.checked = true;
    row.name.textContent = visible(gone);
    row.facts.textContent = t("live.gone");
    row.dom.toggleAttribute("data-old", true);
  }

  /** @param {string} name */
  row(name) {
    const box = el("input", {
      type: "checkbox",
      role: "switch",
      on: { change: () => this.actions.show(box.checked ? name : null) },
    });
    const title = el("bdi", {});
    const facts = el("small", {});
    return { dom: el("li", {}, el("label", {}, box, title), facts), box, name: title, facts };
  }

  focus() {
    this.list.querySelector("input")?.focus();
  }
}

/**
 * Describe the state of a layer.
 *
 * @param {LayerStatus} layer
 * @param {Translate} t
 */
function factsOf(layer, t) {
  const { state, time, unknownValues, unknown, problem } = layer;
  const isOld = state !== "live" || isStale(layer, Date.now());
  const last = time === undefined ? "" : t("live.last", { time: t.time(new Date(time * 1000)) });
  const stateText =
    state === "live" ? problem || (isOld ? t("live.old") : "") : t(`live.${state}`, { problem });
  const strangers =
    unknownValues > 0
      ? t("live.unknown", { n: t.number(unknownValues), names: t.list(unknown.map(visible)) })
      : "";
  return { text: [last, stateText, strangers].filter(Boolean).join(" · "), isOld };
}
