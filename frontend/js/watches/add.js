/** Sheet that makes a watch: what is watched, when it is checked, when it reports, and who is told. */

import { el } from "../core/dom.js";
import { translateRefusal } from "../core/fault-words.js";
import { attempt, field, labelled, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { addWatch, listWatches, watchable } from "./api.js";
import { choiceOf, CONDITIONS, cronOf, TIMES } from "./times.js";

/** @import { JsonValue, Translate, WatchedAnswer } from "../types.js" */

/** Make a watch of an answer. @param {Translate} t @param {WatchedAnswer} answer @param {() => void} showAll */
export async function addWatchOf(t, answer, showAll) {
  const { chatId, runId } = answer;
  try {
    const [{ isWatchable, code, message }, rules] = await translateRefusal(t, () =>
      Promise.all([watchable(chatId, runId), listWatches()]),
    );
    if (isWatchable) openForm(t, answer, rules, showAll);
    else showReason(t, t.has(`fault.${code}`) ? t(`fault.${code}`) : message);
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    showReason(t, fault instanceof TypeError ? t("shared.no_answer") : fault.message);
  }
}

/** @param {Translate} t @param {string} reason */
function showReason(t, reason) {
  const close = sheetButton(t("shared.close"), () => sheet.close());
  const sheet = openSheet({
    title: t("watches.not_watchable"),
    body: [el("p", {}, reason)],
    buttons: [close],
    focus: close,
  });
}

/**
 * @param {Translate} t
 * @param {WatchedAnswer} answer
 * @param {{ hasMail: boolean, hasWebhooks: boolean }} rules
 * @param {() => void} showAll
 */
function openForm(t, { chatId, runId, title, targets, cron: asked }, rules, showAll) {
  const name = field("text", 120);
  name.value = title.slice(0, 120);
  const what = select(targets.map(({ label, text }, at) => [String(at), t(`watches.${label}`, { text })]));
  const condition = select(CONDITIONS.map((kind) => [kind, t(`watches.when_${kind}`)]));
  condition.value = "changed";
  const limit = field("number", 20);
  limit.step = "any";
  const limitLabel = labelled(t("watches.limit"), limit);
  const onChange = el("input", { type: "checkbox", checked: true });
  const times = select(TIMES.map((kind) => [kind, t(`watches.time_${kind}`)]));
  const time = field("time", 5);
  time.value = "09:00";
  const cron = field("text", 100, "0 9 * * MON");
  const timeLabel = labelled(t("shared.time"), time);
  const cronLabel = labelled(t("watches.cron"), cron);
  const mail = field("email", 200);
  const webhook = field("url", 2000, "https://");
  if (asked !== null) {
    const plan = choiceOf(asked);
    times.value = plan?.choice ?? "cron";
    time.value = plan?.time ?? time.value;
    cron.value = asked;
    condition.value = "always";
    onChange.checked = false;
  }
  const show = () => {
    limitLabel.hidden = !["above", "below"].includes(condition.value);
    timeLabel.hidden = ["none", "cron"].includes(times.value);
    cronLabel.hidden = times.value !== "cron";
  };
  for (const choice of [condition, times]) choice.addEventListener("change", show);
  show();
  const body = () => {
    const at = cronOf(times.value, time.value, cron.value);
    /** @type {{ [key: string]: JsonValue }} */
    const watch = {
      runId,
      title: name.value.trim(),
      target: { ...targets[Number(what.value)]?.target },
      condition: { kind: condition.value, value: limitLabel.hidden ? null : Number(limit.value || NaN) },
      onChange: onChange.checked,
      cron: at,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
      language: t.language === "ja" ? "ja" : "en",
    };
    if (mail.value.trim()) watch.mail = [mail.value.trim()];
    if (webhook.value.trim()) watch.webhook = webhook.value.trim();
    return watch;
  };
  const done = submitButton(t("watches.add"));
  const sheet = openSheet({
    title: t("watches.add_title"),
    body: [
      el("p", { class: "sheet-hint" }, t("watches.add_about")),
      labelled(t("shared.name"), name),
      labelled(t("watches.what"), what),
      labelled(t("watches.when"), condition),
      limitLabel,
      el("label", { class: "sheet-choice" }, onChange, el("span", {}, t("watches.on_change"))),
      labelled(t("watches.at_times"), times),
      timeLabel,
      cronLabel,
      rules.hasMail ? labelled(t("watches.mail"), mail) : null,
      rules.hasWebhooks ? labelled(t("watches.webhook"), webhook) : null,
    ],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), el("span", { class: "stretch" }), done],
    focus: what,
    submit: () =>
      attempt(done, sheet.showError, t("shared.no_answer"), async () => {
        const { secret } = await translateRefusal(t, () => addWatch(chatId, body()));
        sheet.close();
        if (secret) showSecret(t, secret, showAll);
        else showAll();
      }),
  });
}

/** Show the secret of a webhook, which cannot be asked for again. @param {Translate} t @param {string} secret @param {() => void} next */
function showSecret(t, secret, next) {
  const close = sheetButton(t("shared.close"), () => sheet.close(), "strong");
  const sheet = openSheet({
    title: t("watches.secret"),
    body: [el("p", { class: "sheet-hint" }, t("watches.secret_about")), el("code", {}, secret)],
    buttons: [close],
    closed: next,
    focus: close,
  });
}

/** @param {string[][]} options value and text of each */
function select(options) {
  return el(
    "select",
    { class: "sheet-field" },
    options.map(([value, text]) => el("option", { value }, text)),
  );
}
