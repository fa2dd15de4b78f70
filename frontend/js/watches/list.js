/** Sheet of all watches: the last value of each, what it reported, and buttons to pause and delete it. */

import { linkToTurn } from "../core/address.js";
import { el } from "../core/dom.js";
import { translateRefusal } from "../core/fault-words.js";
import { icon } from "../core/icons.js";
import { openSheet, requestButtons, sheetButton } from "../core/sheet.js";
import { deleteWatch, listWatches, pauseWatch, seeNotices, watchHistory } from "./api.js";
import { choiceOf } from "./times.js";

export { addWatchOf } from "./add.js"; // one late part instead of two that share modules

/** @import { NoticesContent, Translate, WatchNotice } from "../types.js" */
/** @import { Watch } from "./api.js" */

/** @param {Translate} t @param {NoticesContent} unread */
export function openWatches(t, unread) {
  const list = el("ul", { class: "watches-list", "aria-label": t("watches.title") });
  const status = el("p", { class: "sheet-hint", role: "status" });
  const request = requestButtons(t, () => sheet);
  const close = sheetButton(t("shared.close"), () => sheet.close());
  const sheet = openSheet({
    title: t("watches.title"),
    body: [el("p", { class: "sheet-hint" }, t("watches.about")), status, list],
    buttons: [close],
    focus: close,
  });
  list.closest("dialog")?.classList.add("watches-sheet");
  const moment = new Intl.DateTimeFormat(t.language, { dateStyle: "medium", timeStyle: "short" });
  const isNew = new Set(unread.notices.map(({ watchId }) => watchId));
  if (unread.count) void seeNotices().catch(() => {});
  void draw();

  async function draw() {
    try {
      const { watches } = await translateRefusal(t, listWatches);
      status.textContent = watches.length ? "" : t("watches.none");
      watches.sort((first, second) => Number(isNew.has(second.id)) - Number(isNew.has(first.id)));
      list.replaceChildren(...watches.map(row));
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      sheet.showError(fault instanceof TypeError ? t("shared.no_answer") : fault.message);
    }
  }

  /** @param {string} label @param {() => Promise<unknown>} act */
  function action(label, act) {
    const button = request(label, async () => {
      await act();
      await draw();
    });
    button.classList.replace("text-button", "quiet-button");
    return button;
  }

  /** @param {Watch} watch */
  function row(watch) {
    const isPaused = watch.state === "paused";
    const reports = el("div", { class: "watches-reports" });
    const details = el(
      "details",
      { on: { toggle: () => details.open && void history(watch, reports) } },
      el("summary", {}, t("watches.history")),
      reports,
    );
    return el(
      "li",
      { class: "watches-item", "data-new": isNew.has(watch.id) || null },
      el(
        "div",
        { class: "watches-head" },
        icon(watch.code ? "warning" : isPaused ? "pause" : "clock"),
        el("strong", { dir: "auto" }, watch.title),
        isNew.has(watch.id) ? el("span", { class: "watches-new" }, t("watches.new")) : null,
      ),
      el(
        "p",
        { class: "watches-value", dir: "auto" },
        watch.code ? problemOf(watch, t) : (watch.value ?? "–"),
      ),
      el("p", { class: "sheet-hint" }, planOf(watch, t)),
      details,
      el(
        "div",
        { class: "watches-tools" },
        watch.runId
          ? el(
              "a",
              {
                class: "quiet-button",
                href: linkToTurn(watch.chatId, watch.runId),
                on: { click: () => sheet.close() },
              },
              t("tests.open_answer"),
            )
          : null,
        action(t(isPaused ? "watches.resume" : "shared.pause"), () => pauseWatch(watch.id, !isPaused)),
        action(t("shared.delete"), () => deleteWatch(watch.id)),
      ),
    );
  }

  /** @param {Watch} watch @param {HTMLElement} place */
  async function history(watch, place) {
    try {
      const { reports, deliveries } = await watchHistory(watch.id);
      const failed = deliveries.filter(({ problem }) => problem);
      place.replaceChildren(
        reports.length
          ? el("ul", {}, reports.map(report))
          : el("p", { class: "sheet-hint" }, t("watches.no_reports")),
        ...failed.map(({ address, problem }) =>
          el("p", { class: "watches-failed" }, t.pair(address, problem)),
        ),
      );
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      place.textContent = fault instanceof TypeError ? t("shared.no_answer") : fault.message;
    }
  }

  /** @param {WatchNotice} notice */
  function report(notice) {
    const change = notice.previous ? t("watches.was", { value: notice.previous }) : "";
    return el(
      "li",
      {},
      el("time", { datetime: new Date(notice.at * 1000).toISOString() }, moment.format(notice.at * 1000)),
      " ",
      el("span", { dir: "auto" }, notice.state === "failed" ? problemOf(notice, t) : notice.text),
      change ? el("span", { class: "sheet-hint", dir: "auto" }, ` ${change}`) : null,
    );
  }
}

/** Return why a value cannot be computed. @param {{ code: string, problem: string }} what @param {Translate} t */
function problemOf({ code, problem }, t) {
  return t.has(`fault.${code}`) ? t(`fault.${code}`) : t.pair(t("watches.problem"), problem);
}

/** Return when a watch is checked and reports. @param {Watch} watch @param {Translate} t */
function planOf({ condition, cron, onChange, zone, state, mail, webhook }, t) {
  const value = condition.value === null ? "" : ` ${t.number(condition.value)}`;
  const choice = cron ? choiceOf(cron) : null;
  const time = choice ? `${t(`watches.time_${choice.choice}`)} ${choice.time}` : cron;
  return [
    state === "paused" ? t("watches.paused") : "",
    `${t(`watches.when_${condition.kind}`)}${value}`,
    onChange ? t("watches.on_change") : "",
    cron ? `${time} (${zone})` : "",
    ...mail,
    webhook ? t("watches.webhook") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
