/** View of a message that the server has not confirmed, with its state. */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { DeskBus, Pending, Translate } from "../types.js" */

/**
 * @param {Pending} pending
 * @param {DeskBus} bus
 * @param {Translate} t
 */
export function pendingView({ id, content, state }, bus, t) {
  /** @param {string} key @param {"retry" | "withdraw"} name @param {string} drawing */
  const button = (key, name, drawing) =>
    el(
      "button",
      { class: "quiet-button", type: "button", on: { click: () => bus.emit("command", { name, id }) } },
      icon(drawing),
      t(key),
    );
  return el(
    "li",
    { class: "turn", "data-state": "pending", "data-pending": state },
    el("p", { class: "question" }, content),
    el(
      "div",
      { class: "pending-foot" },
      el("span", {}, t(`chat.pending_${state}`)),
      state === "unconfirmed" ? button("chat.pending_retry", "retry", "retry") : null,
      state === "sent" ? null : button("chat.pending_withdraw", "withdraw", "close"),
    ),
  );
}
