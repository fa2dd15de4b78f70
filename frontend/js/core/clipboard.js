/** Copying text. Browsers offer the clipboard only on secure pages; elsewhere a selection of our own is copied. */

import { el } from "./dom.js";

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it is on the clipboard now
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = el("textarea", { class: "visually-hidden", readonly: true, "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
