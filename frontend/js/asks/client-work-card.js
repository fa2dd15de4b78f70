/** Line of a turn about work that a browser does for the run, and its outcome. */

import { NO_LOCATION } from "./client-location.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { AskBlock, AskContent, PaneNeeds, Translate } from "../types.js" */

const ICONS = /** @type {Record<string, string>} */ ({ get_location: "place", change_bgm: "music" });

export class ClientWorkLine {
  /**
   * @param {AskBlock} block
   * @param {PaneNeeds} needs
   */
  constructor(block, { t }) {
    this.t = t;
    this.text = el("span", { class: "client-work-words" });
    this.dom = el(
      "p",
      { class: "client-work", role: "status", tabindex: "-1", "data-ask": block.ask.askId },
      icon(ICONS[block.ask.tool ?? ""] ?? "tool"),
      this.text,
    );
    if (block.seq !== undefined) this.dom.dataset.seq = String(block.seq);
    this.update(block);
  }

  /** @param {AskBlock} block */
  update(block) {
    this.dom.dataset.state = block.closed ? (block.closed.granted ? "granted" : "denied") : "open";
    const text = describeClientWork(block, this.t);
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}

/** Check whether this page has the tool of an ask. @param {AskContent} ask */
export const hasClientTool = (ask) => ask.kind === "client_tool" && (ask.tool ?? "") in ICONS;

/**
 * @param {Pick<AskBlock, "ask" | "closed">} block
 * @param {Translate} t
 */
export function describeClientWork({ ask, closed }, t) {
  const isPageTool = hasClientTool(ask);
  const values = { tool: ask.tool ?? "", track: trackName(ask, t) };
  if (closed === null) return t(isPageTool ? `client.${ask.tool}` : "client.unknown", values);
  if (closed.granted)
    return t(
      ask.tool === "change_bgm" && ask.arguments.track === 0
        ? "client.bgm_off"
        : `client.${isPageTool ? ask.tool : "other"}_done`,
      values,
    );
  const problem = Object.entries(NO_LOCATION).find(([, text]) => text === closed.reason)?.[0];
  const reason = problem
    ? t(`client.location_${problem}`)
    : closed.by === "expiry"
      ? t("client.expired")
      : closed.reason;
  const failed = t(`client.${isPageTool ? ask.tool : "other"}_failed`, values);
  return reason ? t.pair(failed, reason) : failed;
}

/** @param {AskContent} ask @param {Translate} t */
function trackName(ask, t) {
  const { track } = ask.arguments;
  const key = `bgm.track_${track}`;
  const name = t(key);
  return name === key ? String(track ?? "") : name;
}
