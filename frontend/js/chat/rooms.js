/** Subject of the next question, as chips above the field: rooms selected on the map, rows of a chart or a table, an older version. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { without } from "../core/room-refs.js";
import { olderVersion } from "../core/versions.js";

/** @import { DeskState, Message, PaneNeeds, RoomRef, RowSelection, TableSelection, Translate, Turn } from "../types.js" */

/** Maximum number of chips; above it, the number of rooms is shown. */
const MAX_CHIPS = 12;

export class RoomChips {
  /** @param {PaneNeeds} needs */
  constructor({ bus, t }) {
    this.bus = bus;
    this.t = t;
    /** @type {RoomRef[]} */
    this.rooms = [];
    /** Selected rows of a chart or a table. @type {RowSelection | null} */
    this.about = null;
    /** Names that rooms of several floors share. @type {Set<string>} */
    this.shared = new Set();
    /** Older version of a turn that the question continues from. @type {Turn | null} */
    this.older = null;
    this.dom = el("ul", { class: "room-chips", hidden: true });
    this.undo = bus.on("message", (message) => this.receive(message));
    this.draw();
  }

  /** @param {Message} message */
  receive(message) {
    if (message.type !== "map_definition") return;
    const names = (message.content.floors ?? []).flatMap((floor) => [
      ...new Set((floor?.rectangles ?? []).map((room) => room?.name)),
    ]);
    this.shared = new Set(names.filter((name, at) => names.indexOf(name) !== at));
    this.draw();
  }

  /** @param {DeskState} state */
  update(state) {
    const { selection, about } = state;
    const older = olderVersion(state);
    if (selection === this.rooms && about === this.about && older === this.older) return;
    this.rooms = selection;
    this.about = about;
    this.older = older;
    this.draw();
  }

  draw() {
    const { t, rooms, about, older } = this;
    this.dom.hidden = rooms.length === 0 && about === null && older === null;
    this.dom.setAttribute(
      "aria-label",
      t(rooms.length > 0 ? "point.label" : about ? `${about.kind}.chip_label` : "version.chip_label"),
    );
    const more = rooms.length - MAX_CHIPS;
    this.dom.replaceChildren(
      ...(older ? [this.versionChip(older)] : []),
      ...(about ? [this.rowsChip(about)] : []),
      ...rooms.slice(0, MAX_CHIPS).map((room) => this.chip(room)),
      ...(more > 0 ? [el("li", { class: "room-more" }, t("point.more", { n: t.number(more) }))] : []),
      ...(rooms.length > 1
        ? [
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", class: "room-clear", on: { click: () => this.point([]) } },
                t("shared.clear"),
              ),
            ),
          ]
        : []),
    );
  }

  /** @param {RoomRef} room */
  chip(room) {
    const name = `@${room.name}`;
    const floor = this.shared.has(room.name) ? el("span", {}, this.t.floor(room.floorId)) : null;
    const label = this.t("point.remove", {
      room: floor ? `${room.name} ${this.t.floor(room.floorId)}` : room.name,
    });
    const remove = () => {
      this.point(without(this.rooms, room));
      /** @type {HTMLElement | null} */ (this.dom.closest("form")?.querySelector("textarea"))?.focus();
    };
    return el(
      "li",
      { class: "room-chip" },
      el("b", {}, name),
      floor,
      el(
        "button",
        { type: "button", "aria-label": label, title: label, on: { click: remove } },
        icon("close"),
      ),
    );
  }

  /** @param {Turn} older */
  versionChip({ question, firstRun }) {
    const { t, bus } = this;
    const label = t("version.chip_remove");
    const remove = () => bus.emit("command", { name: "leave-version", firstRun });
    return el(
      "li",
      { class: "room-chip version-chip" },
      icon("branch"),
      el("b", {}, question),
      el("span", {}, t("version.new_chat")),
      el(
        "button",
        { type: "button", "aria-label": label, title: label, on: { click: remove } },
        icon("close"),
      ),
    );
  }

  /** @param {RowSelection} about */
  rowsChip(about) {
    const { t } = this;
    const { name } = about;
    const label = t("chart.chip_remove", { name });
    const remove = () => {
      this.bus.emit("command", { name: "point-rows", about: null });
      /** @type {HTMLElement | null} */ (this.dom.closest("form")?.querySelector("textarea"))?.focus();
    };
    return el(
      "li",
      { class: "room-chip chart-chip" },
      icon(about.kind === "table" ? "table" : "lasso"),
      el("b", {}, name),
      el(
        "span",
        {},
        about.kind === "table"
          ? formatSize(about, t)
          : about.ranges.map((range) => formatRange(range, t)).join(" · "),
      ),
      el(
        "button",
        { type: "button", "aria-label": label, title: label, on: { click: remove } },
        icon("close"),
      ),
    );
  }

  /** @param {RoomRef[]} rooms */
  point(rooms) {
    this.bus.emit("command", { name: "point", rooms });
  }

  destroy() {
    this.undo();
    this.dom.remove();
  }
}

/** Format the numbers of rows and columns. @param {TableSelection} about @param {Translate} t */
function formatSize({ begin, end, ranges, columns }, t) {
  const rows = (ranges ?? [[begin, end]]).reduce((sum, [from, to]) => sum + to - from, 0);
  const many = (/** @type {string} */ word, /** @type {number} */ n) =>
    t(n === 1 ? `table.${word}` : `table.${word}s`, { n: t.number(n) });
  return `${many("row", rows)} × ${many("column", columns.length)}`;
}

/** @param {import("../types.js").ChartRange} range @param {Translate} t */
export function formatRange({ field, from = "", to = "", values }, t) {
  if (values)
    return t("chart.values", {
      field,
      values: values.slice(0, 5).join(", ") + (values.length > 5 ? " …" : ""),
    });
  const [first, last] = [from, to].map((end) =>
    typeof end === "number"
      ? t.number(Number(end.toPrecision(4)))
      : end.replace(/T00:00:00$/, "").replace("T", " "),
  );
  return t("chart.range", { field, from: first ?? "", to: last ?? "" });
}
