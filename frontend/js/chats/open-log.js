/** Import of a log file as a chat, to be replayed or continued. Errors are shown. */

import { el } from "../core/dom.js";
import { loadLatePart } from "../core/late.js";
import { openSheet, sheetButton } from "../core/sheet.js";
import { request } from "../core/session.js";

/** @import { DeskBus, Translate } from "../types.js" */
/** @typedef {{ chatId: string, title: string, events: number, files: number, missing: number }} Imported */

/**
 * @param {DeskBus} bus
 * @param {Translate} t
 */
export function chooseLog(bus, t) {
  const field = el("input", {
    type: "file",
    accept: ".jsonl,application/jsonl",
    on: {
      change: () => {
        const file = field.files?.[0];
        if (file) void openLog(bus, t, file);
      },
    },
  });
  field.click();
}

/**
 * Import a log.
 *
 * @param {DeskBus} bus
 * @param {Translate} t
 * @param {File} file
 * @param {boolean} [partial] accept a truncated log
 */
export async function openLog(bus, t, file, partial = false) {
  const reading = openSheet({ title: t("open_log.reading"), body: [el("p", {}, file.name)], buttons: [] });
  let answer;
  try {
    const sent = await request(`/api/imports${partial ? "?partial=true" : ""}`, {
      method: "POST",
      headers: { "Content-Type": "application/jsonl" },
      body: file,
    });
    answer = await sent.json();
  } catch {
    answer = { error: { code: "offline", message: t("shared.no_answer"), hint: "" } };
  }
  reading.close();
  if (answer.error === undefined) ready(bus, t, answer);
  else refused(bus, t, file, answer.error);
}

/** @param {DeskBus} bus @param {Translate} t @param {Imported} log */
function ready(bus, t, { chatId, title, events, files, missing }) {
  const go = sheetButton(t("open_log.go"), () => {
    sheet.close();
    bus.emit("command", { name: "open-chat", chatId });
  });
  const play = sheetButton(
    t("shared.play"),
    async () => {
      (await loadLatePart(() => import("./export.js"), t))?.replayChat(chatId);
    },
    "strong",
  );
  const body = [el("p", {}, t("open_log.ready_what", { title: title || t("app.new_chat"), events, files }))];
  if (missing > 0) body.push(el("p", {}, t("open_log.missing", { n: missing })));
  const sheet = openSheet({ title: t("open_log.ready"), body, buttons: [go, play], focus: play });
}

/**
 * @param {DeskBus} bus
 * @param {Translate} t
 * @param {File} file
 * @param {{ code: string, message: string, hint: string }} fault
 */
function refused(bus, t, file, { code, message, hint }) {
  const cut = code === "log_cut";
  const all = sheetButton(
    t("open_log.partial"),
    () => {
      sheet.close();
      void openLog(bus, t, file, true);
    },
    "strong",
  );
  const body = [el("p", {}, cut ? t("open_log.cut_what") : `${message} ${hint}`)];
  const sheet = openSheet({
    title: t(cut ? "open_log.cut" : "open_log.refused"),
    body,
    buttons: [sheetButton(t("late.later"), () => sheet.close()), ...(cut ? [all] : [])],
  });
}
