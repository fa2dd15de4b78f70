/** Sheet that exports a chat as a file or replays it from its log. It loads on first use. */

import { linkToReplay } from "../core/address.js";
import { el } from "../core/dom.js";
import { openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { download } from "../core/session.js";

/** @import { Translate } from "../types.js" */

const FORMATS = ["html", "notebook", "markdown", "jsonl"];

/**
 * @param {Translate} t
 * @param {string} chatId
 */
export function openExport(t, chatId) {
  const verify = el("input", { type: "checkbox", name: "verify" });
  const more = el(
    "label",
    { class: "sheet-choice", hidden: true },
    verify,
    el("span", {}, t("export.verify")),
  );
  const choices = FORMATS.map((format, at) =>
    el(
      "label",
      { class: "sheet-choice" },
      el("input", {
        type: "radio",
        name: "format",
        value: format,
        checked: at === 0,
        on: {
          change: () => {
            more.hidden = format !== "notebook";
          },
        },
      }),
      el("span", {}, t(`export.${format}`), el("small", { class: "sheet-hint" }, t(`export.${format}_what`))),
    ),
  );
  const form = el(
    "div",
    { class: "sheet-choices", role: "radiogroup", "aria-label": t("export.title") },
    choices,
    more,
  );
  const replay = sheetButton(t("export.replay"), () => replayChat(chatId));
  const sheet = openSheet({
    title: t("export.title"),
    body: [form],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), replay, submitButton(t("shared.save"))],
    submit: () => {
      const format = form.querySelector("input:checked")?.getAttribute("value") ?? "html";
      const query = new URLSearchParams({
        format,
        ...(format === "notebook" && verify.checked ? { verify: "true" } : {}),
      });
      void download(`/api/chats/${encodeURIComponent(chatId)}/export?${query}`);
      sheet.close();
    },
  });
}

/** Replay a chat from its log. The page reloads for it. @param {string} chatId */
export function replayChat(chatId) {
  window.location.hash = linkToReplay(chatId);
  window.location.reload();
}
