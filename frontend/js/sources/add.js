/** Form for a new data source. The server tests it before it stores it; the page does not keep the password. */

import { translateRefusal } from "../core/fault-words.js";
import { el } from "../core/dom.js";
import { attempt, field, labelled, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { addSource } from "./api.js";

/** @import { Translate } from "../types.js" */
/** @import { Source } from "./api.js" */

/** @param {Translate} t @param {(source: Source) => void} added */
export function askForSource(t, added) {
  const name = field("text", 40, "shop");
  const url = field("text", 2000, "postgresql://reader@db.example.org/shop");
  const password = field("password", 2000);
  const readOnly = el("input", { type: "checkbox" });
  const status = el("p", { class: "source-said", role: "status" });
  const go = submitButton(t("sources.add_it"));
  const sheet = openSheet({
    title: t("sources.add"),
    body: [
      labelled(t("shared.name"), name),
      labelled(t("sources.url"), url),
      labelled(t("shared.password"), password),
      el("p", { class: "sheet-hint" }, t("shared.stored_encrypted")),
      el(
        "label",
        { class: "sheet-choice" },
        readOnly,
        el(
          "span",
          {},
          t("sources.read_only"),
          el("span", { class: "sheet-hint" }, t("sources.read_only_hint")),
        ),
      ),
      status,
    ],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), go],
    focus: name,
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        const empty = [name, url].find(({ value }) => value.trim() === "");
        for (const input of [name, url]) input.setAttribute("aria-invalid", String(input === empty));
        empty?.focus();
        if (empty) return sheet.showError(t("sources.needed"));
        status.textContent = t("sources.testing");
        try {
          const request = {
            name: name.value.trim(),
            url: url.value.trim(),
            password: password.value || null,
            readOnlyAccount: readOnly.checked,
          };
          const source = await translateRefusal(t, () => addSource(request));
          sheet.close();
          added(source);
        } finally {
          status.textContent = "";
        }
      }),
  });
}
