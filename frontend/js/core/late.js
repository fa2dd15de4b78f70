/**
 * Parts of the page that load on first use. If a part does not load, a sheet offers to reload: a tab of an earlier
 * version requests modules that the server no longer has (it answers 410).
 */

import { el } from "./dom.js";
import { loadLateStrings } from "./i18n.js";
import { openSheet, sheetButton } from "./sheet.js";

/** @import { DeskState, Pane, PaneNeeds, Translate } from "../types.js" */

const GONE_STATUS = 410;

/** Whether the sheet is open. Several parts can fail at once; one sheet is enough. */
let isNoticeOpen = false;

/**
 * Return the module of a part and load the late texts. Returns null after an error, which the sheet has reported.
 *
 * @template Module
 * @param {() => Promise<Module>} load an `import()`
 * @param {Translate} t
 * @param {string} [sheet] name of the part's style sheet in index.html
 * @returns {Promise<Module | null>}
 */
export const loadLatePart = (load, t, sheet) =>
  loadPart(() => Promise.all([load(), loadLateStrings()]).then(([module]) => module), t, sheet);

/**
 * Return the module of a part whose texts belong to the first screen.
 *
 * @template Module
 * @param {() => Promise<Module>} load
 * @param {Translate} t
 * @param {string} [sheet]
 * @returns {Promise<Module | null>}
 */
export async function loadPart(load, t, sheet) {
  try {
    const [module] = await Promise.all([load(), sheet && styled(sheet)]);
    return module;
  } catch (fault) {
    if (!isNoticeOpen) await showNotice(t, await isOutdated());
    console.error("A part of the page did not come.", fault);
    return null;
  }
}

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Load the style sheet of a late part. Its link in index.html is disabled; browsers fetch it once it is enabled.
 *
 * @param {string} name
 */
function styled(name) {
  const link = document.querySelector(`link[data-late="${name}"]`);
  if (!(link instanceof HTMLLinkElement)) return undefined;
  const loaded =
    sheets.get(name) ??
    new Promise((resolve, reject) => {
      link.addEventListener("load", () => resolve());
      link.addEventListener(
        "error",
        () => {
          sheets.delete(name);
          link.disabled = true;
          reject(new Error(`The style ${name} did not come`));
        },
        { once: true },
      );
      link.disabled = false;
    });
  sheets.set(name, loaded);
  return loaded;
}

/** Check whether the server has another version of the page: then it answers 410 for this file. */
async function isOutdated() {
  try {
    const { status } = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" });
    return status === GONE_STATUS;
  } catch {
    return false;
  }
}

/** @param {Translate} t @param {boolean} gone */
async function showNotice(t, gone) {
  isNoticeOpen = true;
  const state = gone ? "updated" : "missing";
  const later = sheetButton(t("late.later"), () => sheet.close());
  const reload = sheetButton(t("late.reload"), () => window.location.reload(), "strong");
  const body = [el("p", {}, t(`late.${state}_what`))];
  const sheet = openSheet({
    title: t(`late.${state}`),
    body,
    buttons: [later, reload],
    closed: () => {
      isNoticeOpen = false;
    },
  });
}

/**
 * Return a pane class whose module loads when the pane is first visible; an empty box is its placeholder. With `until`
 * it also waits for that state or for the pointer, and shows the text of `textKey` meanwhile.
 *
 * @param {() => Promise<new (needs: PaneNeeds) => Pane>} load
 * @param {{ sheet?: string, until?: (state: DeskState) => boolean, textKey?: string }} [more] `sheet`: name of its
 *   style sheet in index.html
 * @returns {new (needs: PaneNeeds) => Pane}
 */
export function latePane(load, { sheet, until, textKey } = {}) {
  return class LatePane {
    /** @param {PaneNeeds} needs */
    constructor(needs) {
      this.needs = needs;
      const { bus, t } = needs;
      /** @type {Pane | null} */
      this.pane = null;
      this.destroyed = false;
      this.isVisible = false;
      this.isRequested = until === undefined;
      /** Placeholder for the pane's tools. */
      this.tools = el("div", { class: "pane-late-tools" });
      this.dom = el("div", {
        class: "pane-late",
        "aria-busy": this.isRequested ? "true" : "false",
        on: { pointerenter: () => this.request() },
      });
      const showText = () => {
        if (textKey) this.dom.textContent = t(textKey);
      };
      /** Last selection before the pane exists. @type {import("../types.js").Selection | undefined} */
      this.selected = undefined;
      this.stopListening = bus.on("select", (selection) => {
        this.selected = selection;
      });
      this.undo = [
        bus.on("language", showText),
        bus.on("state", (state) => {
          if (until?.(state)) this.request();
        }),
      ];
      showText();
      this.observer = new IntersectionObserver((entries) => {
        this.isVisible = entries.some(({ isIntersecting }) => isIntersecting);
        this.show();
      });
      this.observer.observe(this.dom);
    }

    request() {
      this.isRequested = true;
      this.show();
    }

    async show() {
      if (!this.isVisible || !this.isRequested || this.undo.length === 0) return;
      this.stop();
      const Pane = await loadPart(load, this.needs.t, sheet);
      if (this.destroyed || Pane === null) return;
      this.stopListening();
      this.pane = new Pane({ ...this.needs, selected: this.selected });
      this.dom.replaceWith(this.pane.dom);
      if (this.pane.tools) this.tools.replaceWith(this.pane.tools);
      else this.tools.hidden = true;
      // emits the current state to the new pane, in a frame of its own
      this.needs.bus.emit("command", { name: "draw" });
    }

    stop() {
      this.observer.disconnect();
      for (const undo of this.undo.splice(0)) undo();
    }

    destroy() {
      this.destroyed = true;
      this.stopListening();
      this.stop();
      this.pane?.destroy();
      this.dom.remove();
    }
  };
}
