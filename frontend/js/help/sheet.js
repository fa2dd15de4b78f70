/** Help sheet: the composer's commands, and all shortcuts of the page. */

import { COMMANDS } from "../chat/commands.js";
import { el } from "../core/dom.js";
import { openSheet, sheetButton } from "../core/sheet.js";
import { KEYS } from "./keys.js";

/** @import { Translate } from "../types.js" */

/** @param {Translate} t */
export function openHelp(t) {
  if (document.querySelector(".help-groups")) return;
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  const groups = KEYS.map(({ name, keys }) =>
    group(
      t(`help.group_${name}`),
      keys.map(({ keys: strokes, textKey }) =>
        line(
          strokes.map((stroke) => el("kbd", {}, mac ? stroke.replace("Ctrl", "⌘") : stroke)),
          t(textKey),
        ),
      ),
    ),
  );
  const commands = group(
    t("help.group_commands"),
    COMMANDS.map(({ name, textKey }) => line([el("kbd", {}, `/${name}`)], t(textKey))),
  );
  const done = sheetButton(t("shared.done"), () => sheet.close(), "strong");
  const body = el(
    "div",
    { class: "help-groups", tabindex: "0", role: "region", "aria-label": t("help.title") },
    [...groups.slice(0, 2), commands, ...groups.slice(2)],
  );
  // focus the start of the text, so that it can be scrolled by keys
  const sheet = openSheet({ title: t("help.title"), body: [body], buttons: [done], focus: body });
  const dialog = body.closest("dialog");
  dialog?.classList.add("help-sheet");
  dialog?.scrollTo(0, 0); // show the title again
}

/** @param {string} name @param {HTMLElement[]} lines */
const group = (name, lines) =>
  el("section", { class: "help-group" }, el("h3", {}, name), el("dl", {}, lines));

/** @param {HTMLElement[]} strokes @param {string} description */
const line = (strokes, description) => el("div", {}, el("dt", {}, strokes), el("dd", {}, description));
