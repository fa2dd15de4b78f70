/**
 * Sheet that shares one object of a chat at an address of its own: for how long, the new link, and the links that are
 * open, each with a button that revokes it.
 */

import { answer, Refusal, send } from "../core/api.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { request } from "../core/session.js";
import { attempt, labelled, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { failure } from "./api.js";

/** @import { SharedObject, Translate } from "../types.js" */
/** @typedef {{ id: string, kind: SharedObject["kind"], caption: string, expiresAt: number }} SharedView */

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Lifetimes that can be chosen, in seconds, by their texts. @type {[string, number][]} */
const LIFETIMES = [
  ["share.hour", HOUR],
  ["share.workday", 8 * HOUR],
  ["share.day", DAY],
  ["share.week", 7 * DAY],
  ["share.month", 30 * DAY],
];

/**
 * Open the sheet.
 *
 * @param {Translate} t
 * @param {string} chatId
 * @param {SharedObject} object
 */
export function openSharedViews(t, chatId, object) {
  const path = `/api/chats/${encodeURIComponent(chatId)}/shared-views`;
  const lifetime = el(
    "select",
    { class: "report-format" },
    LIFETIMES.map(([key, seconds]) => el("option", { value: seconds, selected: seconds === DAY }, t(key))),
  );
  const kind = t(`report.kind_${object.kind}`);
  const created = el("div", { class: "share-created", role: "status" });
  const open = el("ul", { class: "share-open", "aria-label": t("share.open_links") });
  const create = submitButton(t("share.create"));
  const sheet = openSheet({
    title: t("share.title"),
    body: [
      el("p", { class: "sheet-hint" }, t("share.what", { kind })),
      labelled(t("share.lifetime"), lifetime),
      created,
      open,
    ],
    buttons: [sheetButton(t("shared.done"), () => sheet.close()), create],
    submit: () => run(create, share),
  });
  void run(create, list);

  /** @param {HTMLButtonElement} button @param {() => Promise<void>} act */
  function run(button, act) {
    const acted = () =>
      act().catch((fault) => {
        throw new Refusal(failure(t, fault));
      });
    return attempt(button, sheet.showError, t("report.no_answer"), acted);
  }

  async function share() {
    const body = { ...object, seconds: Number(lifetime.value) };
    const { path: address, id } = await send("POST", path, body);
    created.dataset.view = id;
    const url = new URL(address, window.location.href).href;
    const field = el("input", {
      class: "sheet-field",
      readonly: true,
      value: url,
      "aria-label": t("shared.link"),
      on: { focus: () => field.select() },
    });
    const put = async () => {
      if (await copyText(url)) copy.textContent = t("shared.copied");
    };
    const copy = sheetButton(t("shared.copy"), put);
    created.replaceChildren(
      field,
      copy,
      el("a", { class: "text-button", href: url, target: "_blank", rel: "noopener" }, t("shared.open")),
    );
    field.focus();
    await Promise.all([put(), list()]);
  }

  async function list() {
    /** @type {{ views: SharedView[] }} */
    const { views } = await answer(await request(path));
    open.replaceChildren(...views.map(line));
  }

  /** @param {SharedView} view */
  function line(view) {
    const name = view.caption || t(`report.kind_${view.kind}`);
    const until = t("share.until", { time: new Date(view.expiresAt * 1000).toLocaleString(t.language) });
    const revoke = el(
      "button",
      {
        class: "text-button small",
        type: "button",
        "aria-label": t("share.revoke_this", { name, until }),
        on: {
          click: () =>
            void run(revoke, async () => {
              await send("DELETE", `${path}/${encodeURIComponent(view.id)}`).catch((fault) => {
                if (fault.status !== 404) throw fault; // revoked in another tab
              });
              if (created.dataset.view === view.id) created.replaceChildren();
              const at = [...open.children].findIndex((item) => item.contains(revoke));
              await list();
              const next = open.children[at] ?? open.lastElementChild;
              (next?.querySelector("button") ?? lifetime).focus();
            }),
        },
      },
      t("share.revoke"),
    );
    return el(
      "li",
      {},
      icon("link"),
      el("span", {}, name),
      el("span", { class: "sheet-hint" }, until),
      revoke,
    );
  }
}
