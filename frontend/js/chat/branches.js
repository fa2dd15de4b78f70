/** Links between a chat and its branches: in the turn where a branch leaves, and where a branch starts. */

import { linkToChat, linkToTurn } from "../core/address.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { Branch, BranchContent, Translate } from "../types.js" */

/** @param {BranchContent} branch @param {Translate} t */
const titleOf = ({ title }, t) => title || t("turn.untitled");

/** Create links to the chats that branch off before a turn. @param {BranchContent[]} branches @param {Translate} t */
export function branchLinks(branches, t) {
  return branches.map((branch) =>
    el(
      "p",
      { class: "branch-link" },
      icon("branch"),
      el("span", {}, `${t("turn.branch")} `),
      el("a", { href: linkToChat(branch.chatId) }, titleOf(branch, t)),
    ),
  );
}

/** Create the link to the chat that the turns above come from. @param {Branch} message @param {Translate} t */
export function branchedFrom({ content }, t) {
  return el(
    "p",
    { class: "branch-link branch-from" },
    icon("branch"),
    el("span", {}, `${t("turn.branched_from")} `),
    el("a", { href: linkToTurn(content.chatId, content.runId) }, titleOf(content, t)),
  );
}
