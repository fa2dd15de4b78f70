/**
 * Button that pins a part of a chat to its report. The report module loads on the first press. A press of the mouse leaves
 * the focus where it is, so that a question can be written next.
 */

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** @import { DeskBus, ReportPin, Translate } from "../types.js" */

/**
 * Create the button.
 *
 * @param {ReportPin["kind"]} kind
 * @param {number | undefined} seq seq of the message; null if there is nothing to pin
 * @param {{ bus: DeskBus, t: Translate, chatId: () => string | null }} needs
 */
export function pinButton(kind, seq, { bus, t, chatId }) {
  const press = () => bus.emit("command", { name: "report", chatId: chatId(), pin: { kind, seq: seq ?? 0 } });
  return seq === undefined
    ? null
    : el(
        "button",
        {
          class: "icon-link pin-button",
          type: "button",
          title: t("report.pin"),
          on: { click: press, mousedown: (/** @type {Event} */ event) => event.preventDefault() },
        },
        icon("pin", t("report.pin")),
      );
}
