/**
 * Copying text. Browsers offer the clipboard API only on secure pages; elsewhere the page selects the text and runs the
 * copy command.
 */

import { el } from "./dom.js";

/**
 * Copy a text to the clipboard.
 *
 * @param {string} text
 * @returns {Promise<boolean>} whether the text is on the clipboard
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
