// @ts-check
/**
 * Card of the agents that drew on the map, each with its number and a switch for its layer. It names the rooms in which
 * several agents drew.
 */

import { visible } from "../core/escaping.js";
import { el } from "../core/dom.js";
import { ownersOn } from "./agents.js";

/** @import { Translate } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { AgentLayer } from "./agents.js" */

const MOST_ROOMS = 3;

export class AgentsCard {
  /** @param {Translate} t @param {(agent: string, enabled: boolean) => void} show */
  constructor(t, show) {
    this.t = t;
    this.show = show;
    this.list = el("ul", {});
    this.both = el("p", { class: "map-agents-both", role: "status" });
    this.title = el("h3", {});
    this.dom = el("section", { class: "map-agents", hidden: true }, this.title, this.list, this.both);
    this.drawnFor = "";
  }

  /** @param {MapPicture} picture */
  update(picture) {
    const { layers, floorId } = picture;
    this.dom.hidden = layers.length < 2;
    if (layers.length < 2) return;
    const { t } = this;
    const inOrder = layers.toSorted((a, b) => a.number - b.number);
    const shared =
      floorId === null ? [] : [...ownersOn(picture, floorId)].filter(([, numbers]) => numbers.length > 1);
    const key = JSON.stringify([
      t.language,
      inOrder.map((layer) => [layer.agent, layer.number, layer.visible, this.facts(layer)]),
      shared,
    ]);
    if (key === this.drawnFor) return;
    this.drawnFor = key;
    this.title.textContent = t("layers.title");
    this.dom.setAttribute("aria-label", t("layers.title"));
    const focused = this.list.querySelector(":focus")?.getAttribute("value");
    this.list.replaceChildren(...inOrder.map((layer) => this.line(layer)));
    if (focused)
      this.list.querySelectorAll("input").forEach((input) => input.value === focused && input.focus());
    const name = (/** @type {number | undefined} */ number) =>
      this.name(layers.find((layer) => layer.number === number));
    const sentences = shared.slice(0, MOST_ROOMS).map(([room, numbers]) =>
      t("layers.both", {
        room,
        top: name(numbers.at(-1)),
        below: numbers.slice(0, -1).map(name).join(", "),
      }),
    );
    this.both.textContent = [
      ...sentences,
      ...(shared.length > MOST_ROOMS ? [t("layers.more", { n: shared.length - MOST_ROOMS })] : []),
    ].join(" ");
    this.both.hidden = shared.length === 0;
  }

  /** @param {AgentLayer | undefined} layer */
  name(layer) {
    return layer?.agent ? visible(layer.agent) : this.t("layers.unnamed");
  }

  /** @param {AgentLayer} layer */
  facts({ drawing: { highlights, named, playback, arrows } }) {
    const rooms = new Set(
      [...highlights, ...named, ...(playback?.frames[playback.at]?.highlights ?? [])].map(
        (mark) => `${mark.floorId} ${mark.room}`,
      ),
    ).size;
    return this.t("layers.facts", { rooms, arrows: arrows.length });
  }

  /** @param {AgentLayer} layer */
  line(layer) {
    const { agent, number, visible: enabled } = layer;
    const box = el("input", {
      type: "checkbox",
      value: String(number),
      checked: enabled,
      on: { change: () => this.show(agent, box.checked) },
    });
    return el(
      "li",
      {},
      el(
        "label",
        {},
        box,
        el("i", { class: "map-agents-number", "aria-hidden": "true" }, String(number)),
        el("bdi", {}, this.name(layer)),
        el("span", {}, this.facts(layer)),
      ),
    );
  }
}
