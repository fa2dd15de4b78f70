/** Sheet that ends the session of this browser, or of all browsers. */

import { el } from "../core/dom.js";
import { signOut } from "../core/session.js";
import { openSheet, sheetButton } from "../core/sheet.js";

/** @import { Translate } from "../types.js" */

/** @param {Translate} t */
export function openSignOut(t) {
  /** @param {boolean} everywhere */
  const end = async (everywhere) => {
    const done = await signOut(everywhere).catch(() => false);
    if (!done) sheet.showError(t("session.failed"));
  };
  const sheet = openSheet({
    title: t("session.sign_out"),
    body: [el("p", {}, t("session.about"))],
    buttons: [
      sheetButton(t("shared.cancel"), () => sheet.close()),
      sheetButton(t("session.everywhere"), () => void end(true)),
      sheetButton(t("session.sign_out"), () => void end(false), "strong"),
    ],
  });
}
