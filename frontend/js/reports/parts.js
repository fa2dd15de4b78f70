/** Parts of a report as a list with captions that is ordered by buttons, arrow keys and dragging. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { previewOf } from "./preview.js";

/** @import { Translate } from "../types.js" */
/** @import { Part } from "./api.js" */
/**
 * `field` has the caption, or the Markdown of a text.
 *
 * @typedef {{ part: Part, dom: HTMLLIElement, field: HTMLTextAreaElement, up: HTMLButtonElement, down:
 *   HTMLButtonElement }} Line
 */

const MOST_CAPTION = 1000;
const MOST_TEXT = 20_000;

export class Parts {
  /** @param {Translate} t @param {() => void} changed */
  constructor(t, changed) {
    this.t = t;
    this.changed = changed;
    /** @type {Line[]} */
    this.lines = [];
    this.dom = el("ol", { class: "report-parts", "aria-label": t("report.parts") });
  }

  /** @param {Part[]} parts */
  show(parts) {
    this.lines = parts.map((part) => this.line(part));
    this.order();
  }

  /** Return the parts in their current order. @returns {Part[]} */
  parts() {
    return this.lines.map(({ part, field }) =>
      part.kind === "text" ? { ...part, text: field.value } : { ...part, caption: field.value },
    );
  }

  /** Append an empty text. */
  addText() {
    const texts = this.lines.filter(({ part }) => part.kind === "text").map(({ part }) => part.seq);
    const seq = Math.max(0, ...texts) + 1;
    const line = this.line({ kind: "text", seq, caption: "", preview: {} });
    this.lines.push(line);
    this.order();
    line.field.focus();
    this.changed();
  }

  /** @param {Part} part @returns {Line} */
  line(part) {
    const { t } = this;
    const kind = t(`report.kind_${part.kind}`);
    const isText = part.kind === "text";
    const field = el("textarea", {
      class: "report-caption",
      rows: isText ? 6 : 2,
      maxlength: isText ? MOST_TEXT : MOST_CAPTION,
      "aria-label": isText ? kind : t("report.caption_of", { kind }),
      placeholder: t(isText ? "report.text" : "report.caption"),
      on: { input: this.changed },
    });
    field.value = isText ? (part.text ?? "") : part.caption;
    const up = this.button("arrow-up", t("report.up", { kind }), () => this.move(line, -1));
    const down = this.button("arrow-down", t("report.down", { kind }), () => this.move(line, 1));
    const gone = this.button("trash", t("report.remove", { kind }), () => this.remove(line));
    const grip = el(
      "span",
      {
        class: "report-grip",
        "aria-hidden": "true",
        title: t("report.drag"),
        on: { pointerdown: (/** @type {PointerEvent} */ event) => this.drag(line, event) },
      },
      icon("list"),
    );
    const tools = el(
      "div",
      {
        class: "report-tools",
        on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(line, event) },
      },
      grip,
      el("span", { class: "report-kind" }, kind),
      up,
      down,
      gone,
    );
    const dom = el(
      "li",
      { class: "report-part", "data-kind": part.kind },
      tools,
      isText ? null : el("div", { class: "report-preview" }, previewOf(part.preview, t)),
      field,
    );
    /** @type {Line} */
    const line = { part, dom, field, up, down };
    return line;
  }

  /** @param {string} drawing @param {string} label @param {() => void} press */
  button(drawing, label, press) {
    return el(
      "button",
      { class: "report-tool", type: "button", title: label, on: { click: press } },
      icon(drawing, label),
    );
  }

  /** Order the list. Existing lines are moved only if needed: a field keeps its focus. */
  order() {
    this.lines.forEach(({ dom, up, down }, at) => {
      if (this.dom.children[at] !== dom) this.dom.insertBefore(dom, this.dom.children[at] ?? null);
      up.disabled = at === 0;
      down.disabled = at === this.lines.length - 1;
    });
    while (this.dom.children.length > this.lines.length) this.dom.lastElementChild?.remove();
  }

  /** @param {Line} line @param {number} by */
  move(line, by) {
    const at = this.lines.indexOf(line);
    if (!this.put(line, at + by)) return;
    this.changed();
    const pressed = by < 0 ? line.up : line.down;
    (pressed.disabled ? (by < 0 ? line.down : line.up) : pressed).focus();
    line.dom.scrollIntoView({ block: "nearest" });
  }

  /** Move a line, and return whether its place changed. @param {Line} line @param {number} to */
  put(line, to) {
    const at = this.lines.indexOf(line);
    if (to < 0 || to >= this.lines.length || to === at) return false;
    this.lines.splice(at, 1);
    this.lines.splice(to, 0, line);
    this.order();
    return true;
  }

  /** @param {Line} line */
  remove(line) {
    const at = this.lines.indexOf(line);
    this.lines.splice(at, 1);
    this.order();
    const next = this.lines[Math.min(at, this.lines.length - 1)];
    if (next) next.field.focus();
    else this.dom.closest("dialog")?.querySelector("button")?.focus();
    this.changed();
  }

  /** @param {Line} line @param {KeyboardEvent} event */
  key(line, event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.move(line, by);
  }

  /** Move the line with the pointer, also on touch screens. @param {Line} line @param {PointerEvent} event */
  drag(line, event) {
    const grip = /** @type {HTMLElement} */ (event.currentTarget);
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    line.dom.toggleAttribute("data-dragged", true);
    let moved = false;
    const follow = (/** @type {PointerEvent} */ { clientY }) => {
      const at = this.lines.indexOf(line);
      const over = this.lines.findIndex(({ dom }) => {
        const { top, bottom } = dom.getBoundingClientRect();
        return clientY >= top && clientY < bottom;
      });
      if (over >= 0 && past(this.lines[over], clientY, over > at)) moved = this.put(line, over) || moved;
    };
    const end = () => {
      grip.removeEventListener("pointermove", follow);
      line.dom.toggleAttribute("data-dragged", false);
      if (moved) this.changed();
    };
    grip.addEventListener("pointermove", follow);
    grip.addEventListener("lostpointercapture", end, { once: true });
  }
}

/**
 * Check whether the pointer is past the middle of a line in the direction of the drag. Otherwise two lines of different
 * height would swap forever.
 *
 * @param {Line | undefined} line
 * @param {number} y
 * @param {boolean} down
 */
function past(line, y, down) {
  if (line === undefined) return false;
  const { top, height } = line.dom.getBoundingClientRect();
  return down ? y > top + height / 2 : y < top + height / 2;
}
