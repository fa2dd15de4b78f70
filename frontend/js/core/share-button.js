/** Button that shares one object of a chat at an address of its own. The sheet behind it loads on the first press. */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { DeskBus, SharedObject, Translate } from "../types.js" */

/** Longest caption, as on the server. */
const MOST_LETTERS = 1000;

/**
 * Create the button.
 *
 * @param {SharedObject["kind"]} kind
 * @param {number | undefined} seq seq of the message; null if there is nothing to share
 * @param {{ bus: DeskBus, t: Translate, chatId: () => string | null }} needs
 * @param {string} name its caption there, and in the list of links
 */
export function shareButton(kind, seq, { bus, t, chatId }, name) {
  const object = { kind, seq: seq ?? 0, caption: name.slice(0, MOST_LETTERS) };
  const press = () => bus.emit("command", { name: "share", chatId: chatId(), object });
  return seq === undefined
    ? null
    : el(
        "button",
        { class: "icon-link", type: "button", title: t("share.title"), on: { click: press } },
        icon("screen", t("share.title")),
      );
}
