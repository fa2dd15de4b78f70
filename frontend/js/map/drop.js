// @ts-check
/**
 * Import of a building that is dropped onto the map: the server checks it, this chat shows it, and a card lists the
 * problems.
 */

import { acceptDrops } from "../core/file-drop.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { refusal, Refusal, send } from "../core/api.js";
import { request } from "../core/session.js";

/** @import { Translate } from "../types.js" */
/** @typedef {{severity: "error" | "warning" | "note", where: string, message: string}} Problem */
/**
 * Result of an import. `buildingId` is null if the files are not a valid building; then `fault` is the server's
 * message.
 *
 * @typedef {{buildingId: string | null, name: string, report: Problem[], fault: string}} Imported
 */

const IMAGE = /\.(png|jpe?g|webp)$/i;
const GRAVITY = ["error", "warning", "note"];
/** Problems that are listed; the others are counted. */
const MAX_LISTED = 50;
const ICONS = /** @type {Record<Problem["severity"], string>} */ ({
  error: "error",
  warning: "warning",
  note: "info",
});

export class BuildingDrop {
  /** @param {HTMLElement} pane drop zone @param {Translate} t */
  constructor(pane, t) {
    this.t = t;
    /** Chat that gets the building. @type {string | null} */
    this.chatId = null;
    this.busy = false;
    this.title = el("p", { class: "map-report-title" });
    this.list = el("ul", { class: "map-report-list", tabindex: "0" });
    this.close = el("button", {
      type: "button",
      class: "map-report-close",
      on: { click: () => (this.dom.hidden = true) },
    });
    const head = el("div", { class: "map-report-head" }, this.title, this.close);
    this.dom = el("div", { class: "map-report", role: "status", hidden: true }, head, this.list);
    this.dom.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.dom.hidden = true;
    });
    this.undo = acceptDrops(
      pane,
      () => t("map.drop"),
      (files) => this.take(files),
    );
  }

  destroy() {
    this.undo();
  }

  /** @param {globalThis.File[]} files */
  async take(files) {
    if (this.busy || files.length === 0) return;
    this.busy = true;
    this.show("busy", this.t("map.import_busy", { name: files[0]?.name ?? "" }), []);
    try {
      this.showResult(await importBuilding(files));
    } catch {
      this.show("error", this.t("map.import_unreachable"), []);
    } finally {
      this.busy = false;
    }
  }

  /** @param {Imported} imported */
  async showResult({ buildingId, name, report, fault }) {
    if (buildingId === null)
      return this.show(
        "error",
        `${this.t("map.import_refused")} ${report.length ? "" : fault}`.trim(),
        report,
      );
    try {
      if (this.chatId !== null)
        await send("PATCH", `/api/chats/${encodeURIComponent(this.chatId)}`, { buildingId });
    } catch (fault) {
      return this.show(
        "error",
        fault instanceof Refusal ? fault.message : this.t("map.import_unreachable"),
        report,
      );
    }
    return this.show("done", this.t("map.import_done", { name }), report);
  }

  /** @param {"busy" | "error" | "done"} state @param {string} title @param {Problem[]} report */
  show(state, title, report) {
    this.dom.hidden = false;
    this.dom.dataset.state = state;
    this.dom.toggleAttribute("aria-busy", state === "busy");
    this.title.replaceChildren(
      icon(state === "error" ? "error" : state === "busy" ? "upload" : "check"),
      el("span", {}, title),
    );
    this.close.replaceChildren(icon("close"));
    this.close.setAttribute("aria-label", this.t("map.import_close"));
    const rows = report
      .slice(0, MAX_LISTED)
      .map(({ severity, where, message }) =>
        el(
          "li",
          { "data-severity": severity },
          icon(ICONS[severity], this.t(`map.severity_${severity}`)),
          el("span", {}, where && el("code", {}, where), where && " ", message),
        ),
      );
    if (report.length > MAX_LISTED)
      rows.push(el("li", {}, this.t("shared.and_more", { n: this.t.number(report.length - MAX_LISTED) })));
    this.list.replaceChildren(...rows);
    this.list.hidden = rows.length === 0;
  }
}

/**
 * Send the files to the server. Throws a TypeError if the server is unreachable.
 *
 * @param {globalThis.File[]} files one with the floors, and the images that it names
 * @returns {Promise<Imported>}
 */
async function importBuilding(files) {
  const form = new FormData();
  for (const file of files) form.append(IMAGE.test(file.name) && files.length > 1 ? "image" : "file", file);
  const response = await request("/api/buildings", { method: "POST", body: form });
  const {
    buildingId = null,
    name = "",
    report = [],
    error,
  } = (await response.json().catch(() => null)) ?? {};
  const sorted = report.toSorted(
    (/** @type {Problem} */ a, /** @type {Problem} */ b) =>
      GRAVITY.indexOf(a.severity) - GRAVITY.indexOf(b.severity),
  );
  return {
    buildingId,
    name,
    report: sorted,
    fault: refusal(error, response.statusText || String(response.status)).message,
  };
}
