/**
 * Chart in the chat: its picture at first, and the interactive chart once it is in view. Its tools are above, its rows as
 * a table and a note about omitted data below. If drawing fails, the picture stays, with a message.
 */

import { filePath } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { loadLatePart, loadPart } from "../core/late.js";
import { deskAddress } from "../core/message-address.js";
import { pinButton } from "../core/pin-button.js";
import { isWide } from "../core/screen.js";
import { shareButton } from "../core/share-button.js";
import { request, showPicture } from "../core/session.js";

/** @import { ChangedChart, Chart, ChangedCharts, ChartRange, DeskBus, Theme, Translate } from "../types.js" */
/** @import { ChartControls } from "./controls.js" */
/** @import { Drawing } from "./drawing.js" */
/** @import { Mode, Spec } from "./dressed.js" */
/**
 * @typedef {{ bus: DeskBus, t: Translate, chatId: () => string | null, charts?: () => ChangedCharts }} Needs `charts`:
 *   what persons changed charts to
 */

export class ChartBlock {
  /** @param {Chart} message @param {Needs} needs */
  constructor(message, needs) {
    const { t, bus } = needs;
    this.message = message;
    this.needs = needs;
    /** The chart as it is now. @type {ChangedChart} */
    this.now = needs.charts?.()[message.content.specId] ?? message;
    /** @type {ChartControls | null} */
    this.controls = null;
    /** @type {Mode} */
    this.mode = "move";
    /** @type {Spec | null} */
    this.spec = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    const { description, width, height } = this.now.content;
    this.picture = el("img", {
      class: "chart-picture",
      alt: description,
      width,
      height,
      decoding: "async",
      loading: "lazy",
    });
    this.showPicture();
    this.canvas = el("div", {
      class: "chart-canvas",
      hidden: true,
      tabindex: "0",
      role: "group",
      "aria-label": t("chart.label", { name: description }),
      title: t("chart.keys"),
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    });
    this.status = el("p", { class: "chart-words", role: "status" });
    this.near = this.tool("zoom-in", "shared.zoom_in", () => this.drawing?.nearer());
    this.far = this.tool("zoom-out", "shared.zoom_out", () => this.drawing?.farther());
    this.all = this.tool("fit", "chart.whole", () => this.drawing?.reset());
    this.brush = this.tool("lasso", "chart.select", () =>
      this.change(this.mode === "move" ? "select" : "move"),
    );
    this.brush.setAttribute("aria-pressed", "false");
    this.table = this.tool("table", "chart.rows", () => this.toggleRows());
    this.table.setAttribute("aria-expanded", "false");
    this.moves = [this.near, this.far, this.all];
    const { specId, codeAt } = message.content;
    this.adjust = this.tool("sliders", "chart.controls", () => this.toggleControls());
    this.adjust.setAttribute("aria-expanded", "false");
    const url = deskAddress(message.url);
    this.adjust.hidden = codeAt === undefined || url === undefined;
    const link = (/** @type {string} */ form) =>
      el(
        "a",
        {
          class: "text-button",
          "data-form": form.toLowerCase(),
          download: true,
          title: t("chart.download", { form }),
          "aria-label": t("chart.download", { form }),
        },
        form,
      );
    this.tools = el(
      "div",
      { class: "chart-tools", role: "group", "aria-label": t("chart.tools", { name: description }) },
      this.near,
      this.far,
      this.all,
      this.brush,
      this.table,
      this.adjust,
      url && ["PNG", "SVG"].map(link),
      pinButton("chart", message.seq, needs),
      shareButton("chart", message.seq, needs, description),
    );
    this.rows = el("div", { hidden: true });
    this.adjusting = el("div", { class: "chart-adjusting", hidden: true });
    this.dom = el(
      "figure",
      { class: "chart-block", "data-state": "picture", "data-spec": specId },
      el("figcaption", { class: "chart-head" }, el("span", { class: "chart-name" }, description), this.tools),
      el("div", { class: "chart-stage" }, this.picture, this.canvas),
      this.adjusting,
      this.reduction(),
      this.status,
      this.rows,
    );
    this.address();
    for (const button of [...this.moves, this.brush]) button.hidden = true;
    this.started = false;
    this.isDestroyed = false;
    this.observer = new IntersectionObserver((entries) => this.onIntersection(entries), {
      rootMargin: "200px",
    });
    this.observer.observe(this.dom);
    this.undo = [
      bus.on("theme", () => {
        this.address();
        if (this.drawing) void this.draw();
      }),
      bus.on("state", ({ charts }) => this.update(charts[specId] ?? message)),
    ];
  }

  /** Draw the chart as a person changed it. @param {ChangedChart} now */
  update(now) {
    if (now === this.now || now.content.specId === this.now.content.specId) return;
    this.now = now;
    this.spec = null;
    this.address();
    this.showPicture();
    this.rows.replaceChildren();
    this.rows.hidden = true;
    this.table.setAttribute("aria-expanded", "false");
    if (this.drawing) void this.draw();
  }

  showPicture() {
    const address = deskAddress(this.now.imageUrl);
    if (address !== undefined) void showPicture(this.picture, address);
  }

  /** Set the addresses of the downloads, in the theme of the page. */
  address() {
    const theme = document.documentElement.dataset.theme === "dark" ? "?theme=dark" : "";
    for (const link of this.tools.querySelectorAll("a"))
      link.href = this.path(this.now.content.specId, `${link.dataset.form}${theme}`);
  }

  /** Return the path of a chart in the API. @param {string} specId @param {string} [form] */
  path(specId, form) {
    const chart = (deskAddress(this.message.url) ?? "").replace(/\/files\/.*/, `/charts/${specId}`);
    return form === undefined ? chart : `${chart}/${form}`;
  }

  /** Open or close the controls: below the chart, or in a sheet on a narrow screen. */
  async toggleControls() {
    const { t } = this.needs;
    const { description, specId } = this.message.content;
    const module = await loadLatePart(() => import("./controls.js"), t);
    if (module === null) return;
    if (this.controls === null) {
      this.controls = new module.ChartControls({ t, path: this.path(specId), name: description });
      void this.controls.load();
    }
    const isOpen = this.adjust.getAttribute("aria-expanded") === "false";
    this.adjust.setAttribute("aria-expanded", String(isOpen));
    if (isOpen && !isWide())
      return this.controls.openInSheet(() => this.adjust.setAttribute("aria-expanded", "false"));
    this.adjusting.append(this.controls.dom);
    this.adjusting.hidden = !isOpen;
  }

  /**
   * Draw the chart when it comes into view, and free it when it left the page.
   *
   * @param {IntersectionObserverEntry[]} entries
   */
  onIntersection(entries) {
    if (this.started && !this.dom.isConnected) this.destroy();
    else if (entries.some(({ isIntersecting }) => isIntersecting)) void this.begin();
  }

  destroy() {
    this.isDestroyed = true;
    for (const undo of this.undo) undo();
    this.observer.disconnect();
    this.drawing?.destroy();
    this.drawing = null;
  }

  /** Return the note about omitted data, if any. */
  reduction() {
    const { t } = this.needs;
    const { reduced, rows, shown } = this.message.content;
    return reduced
      ? el("p", { class: "chart-note" }, t(`chart.${reduced}`, { shown: t.number(shown), n: t.number(rows) }))
      : null;
  }

  /** Draw the interactive chart. */
  async begin() {
    if (this.started) return;
    this.started = true;
    const module = await loadPart(() => import("./drawing.js"), this.needs.t);
    if (module === null) return;
    if (module.hasHung(this.now.content.specId)) return this.offer();
    await this.start();
  }

  async start() {
    const { Drawing } = await import("./drawing.js");
    if (this.isDestroyed) return;
    this.drawing = new Drawing(this.canvas);
    await this.draw();
  }

  /** Offer a button instead of drawing, if this chart hung the page before. */
  offer() {
    const { t } = this.needs;
    const again = el(
      "button",
      {
        class: "quiet-button",
        type: "button",
        on: {
          click: () => {
            this.showStatus("");
            void this.start();
          },
        },
      },
      t("chart.draw"),
    );
    this.showStatus(t("chart.hung"), again);
  }

  /** @returns {Promise<Spec>} */
  async data() {
    const { now, needs } = this;
    const { specId, name } = now.content;
    const address = deskAddress(now.url) ?? `${filePath(needs.chatId() ?? "", `${name}.json`)}?v=${specId}`;
    this.spec ??= await (await checked(await request(address))).json();
    return /** @type {Spec} */ (this.spec);
  }

  async draw() {
    const { t, bus } = this.needs;
    const { description, specId } = this.now.content;
    const theme = /** @type {Theme} */ (document.documentElement.dataset.theme ?? "light");
    this.canvas.hidden = false;
    try {
      const spec = await this.data();
      const brushed = (/** @type {ChartRange[]} */ ranges) =>
        bus.emit("command", {
          name: "point-rows",
          about: ranges.length > 0 ? { kind: "chart", specId, name: description, ranges } : null,
        });
      await this.drawing?.draw(spec, { specId, description, theme, mode: this.mode, t, brushed });
      this.dom.dataset.state = "drawn";
      this.picture.hidden = true;
      for (const button of this.moves) button.hidden = !this.drawing?.zooms;
      this.brush.hidden = !(this.mode === "select" || this.drawing?.zooms || this.drawing?.brushes(spec));
    } catch (fault) {
      this.failed(fault);
    }
  }

  /** @param {unknown} fault */
  failed(fault) {
    console.info("A chart stays a picture.", fault);
    this.drawing?.destroy();
    this.drawing = null;
    this.canvas.hidden = true;
    this.picture.hidden = false;
    this.dom.dataset.state = "still";
    for (const button of [...this.moves, this.brush]) button.hidden = true;
    const { t } = this.needs;
    const again = el(
      "button",
      {
        class: "quiet-button",
        type: "button",
        on: {
          click: () => {
            this.showStatus("");
            void this.start();
          },
        },
      },
      t("shared.retry"),
    );
    this.showStatus(t("chart.still"), again);
  }

  /** @param {string} text @param {HTMLElement} [button] */
  showStatus(text, button) {
    this.status.replaceChildren(text, ...(button ? [" ", button] : []));
  }

  /** @param {Mode} mode */
  change(mode) {
    this.mode = mode;
    this.brush.setAttribute("aria-pressed", String(mode === "select"));
    this.dom.dataset.mode = mode;
    this.showStatus(mode === "select" ? this.needs.t("chart.select_how") : "");
    void this.draw();
  }

  async toggleRows() {
    const open = this.rows.hidden;
    this.table.setAttribute("aria-expanded", String(open));
    if (open && this.rows.childElementCount === 0) {
      try {
        const [spec, module] = await Promise.all([
          this.data(),
          loadPart(() => import("./rows.js"), this.needs.t),
        ]);
        if (module)
          this.rows.replaceChildren(
            module.rowsTable(
              spec,
              this.needs.t("chart.rows_of", { name: this.message.content.description }),
              this.needs.t,
            ),
          );
      } catch {
        this.showStatus(this.needs.t("chart.no_rows"));
      }
    }
    this.rows.hidden = !open;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.drawing?.press(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {string} drawing
   * @param {string} textKey
   * @param {() => unknown} press
   */
  tool(drawing, textKey, press) {
    const name = this.needs.t(textKey);
    return el(
      "button",
      { class: "icon-button", type: "button", title: name, "aria-label": name, on: { click: press } },
      icon(drawing),
    );
  }
}

/** @param {Response} response */
async function checked(response) {
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response;
}
