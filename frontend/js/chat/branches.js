/** Branches of a chat: their titles, and the link at the start of one to the chat that it left. */

import { linkToTurn } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Branch, BranchContent, Translate } from "../types.js" */

/** @param {BranchContent} branch @param {Translate} t */
export const branchTitle = ({ title }, t) => title || t("turn.untitled");

/** Create the link to the chat that the turns above come from. @param {Branch} message @param {Translate} t */
export function branchedFrom({ content }, t) {
  return el(
    "p",
    { class: "branch-link branch-from" },
    icon("branch"),
    el("span", {}, `${t("turn.branched_from")} `),
    el("a", { href: linkToTurn(content.chatId, content.runId) }, branchTitle(content, t)),
  );
}
