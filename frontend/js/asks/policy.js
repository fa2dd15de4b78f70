/** Line in the chat for a tool that was allowed to run without asking, or no longer is. The newest can be undone. */

import { named } from "./words.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @import { PaneNeeds, Policies, Policy } from "../types.js" */

/**
 * @param {Policy} message
 * @param {PaneNeeds} needs
 */
export function policyLine({ content: { tool, policy } }, { bus, t }) {
  const allowed = policy === "allow";
  const takeBack = el(
    "button",
    {
      class: "quiet-button",
      type: "button",
      on: { click: () => bus.emit("send", { type: "policy", tool, policy: "ask" }) },
    },
    t("shared.take_back"),
  );
  return el(
    "div",
    { class: "notice policy-line", "data-tool": tool },
    icon(allowed ? "shield-check" : "shield"),
    el("span", {}, named(t, allowed ? "policy.allowed" : "policy.asks", tool)),
    allowed ? takeBack : null,
  );
}

/** Show the undo button only on policies that still hold. @param {HTMLElement} root @param {Policies} policies */
export function refreshPolicyLines(root, policies) {
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".policy-line"))) {
    const isCurrent = policies[line.dataset.tool ?? ""]?.seq === Number(line.dataset.seq);
    const button = line.querySelector("button");
    if (button) button.hidden = !isCurrent;
  }
}
