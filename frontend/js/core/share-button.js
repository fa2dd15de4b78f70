/** Button that shares one object of a chat at an address of its own. The sheet behind it loads on the first press. */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { DeskBus, SharedObject, Translate } from "../types.js" */

/**
 * Create the button.
 *
 * @param {SharedObject["kind"]} kind
 * @param {number | undefined} seq seq of the message; null if there is nothing to share
 * @param {{ bus: DeskBus, t: Translate, chatId: () => string | null }} needs
 */
export function shareButton(kind, seq, { bus, t, chatId }) {
  const press = () =>
    bus.emit("command", { name: "share", chatId: chatId(), object: { kind, seq: seq ?? 0 } });
  return seq === undefined
    ? null
    : el(
        "button",
        { class: "icon-link share-button", type: "button", title: t("share.title"), on: { click: press } },
        icon("screen", t("share.title")),
      );
}
