/**
 * Parts of the page that are loaded when they are first shown. A part that does not come is told to the person, who may
 * reload: an open tab of an earlier version asks for modules that the desk no longer has (it answers 410).
 */

import { el } from "./dom.js";
import { loadLateStrings } from "./i18n.js";
import { openSheet, sheetButton } from "./sheet.js";

/** @import { DeskState, Pane, PaneNeeds, Translate } from "../types.js" */

const GONE = 410;

/** Whether it is being said: several parts may be missed at once. */
let isNoticeOpen = false;

/**
 * The module of a part with its words, null when it did not come (which has been said then).
 *
 * @template Module
 * @param {() => Promise<Module>} load an `import()`
 * @param {Translate} t
 * @param {string} [sheet] the style it needs, by its name in index.html
 * @returns {Promise<Module | null>}
 */
export const loadLatePart = (load, t, sheet) =>
  loadPart(() => Promise.all([load(), loadLateStrings()]).then(([module]) => module), t, sheet);

/**
 * The same of a part whose words the first screen has.
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

/** The style of a late part: its link stands disabled in index.html, and a browser asks for it once it is not. @param {string} name */
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

/** Whether the desk has another version of the page by now: it says so of this very file. */
async function isOutdated() {
  try {
    const { status } = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" });
    return status === GONE;
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
 * A pane whose module is loaded when it is first seen; until then an empty box stands in its place. With `until` it also waits
 * for something to show, or for the pointer, and shows the text of `textKey` meanwhile.
 *
 * @param {() => Promise<new (needs: PaneNeeds) => Pane>} load
 * @param {{ sheet?: string, until?: (state: DeskState) => boolean, textKey?: string }} [more] `sheet`: the style it needs, as for `loadLatePart`
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
      /** Stands for the tools of the pane that comes. */
      this.tools = el("div", { class: "pane-late-tools" });
      this.dom = el("div", {
        class: "pane-late",
        "aria-busy": this.isRequested ? "true" : "false",
        on: { pointerenter: () => this.request() },
      });
      const showText = () => {
        if (textKey) this.dom.textContent = t(textKey);
      };
      /** What was pointed at last, before there was a pane to hear of it. @type {import("../types.js").Selection | undefined} */
      this.selected = undefined;
      this.unheard = bus.on("select", (selection) => {
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
      this.unheard();
      this.pane = new Pane({ ...this.needs, selected: this.selected });
      this.dom.replaceWith(this.pane.dom);
      if (this.pane.tools) this.tools.replaceWith(this.pane.tools);
      this.needs.bus.emit("command", { name: "draw" }); // it hears what the others know already, in a frame like them
    }

    stop() {
      this.observer.disconnect();
      for (const undo of this.undo.splice(0)) undo();
    }

    destroy() {
      this.destroyed = true;
      this.unheard();
      this.stop();
      this.pane?.destroy();
      this.dom.remove();
    }
  };
}
