/** Leads to a line of code in the chat: the block is opened, the line comes into sight and is marked until another one is. */

import { el } from "../core/dom.js";

/**
 * @param {HTMLElement} log
 * @param {{ runId: string, step: number, line?: number }} place
 * @returns {boolean} whether the chat has such a step
 */
export function showCode(log, { runId, step, line }) {
  for (const mark of log.querySelectorAll(".code-mark")) mark.remove();
  const turn = [...log.querySelectorAll("[data-run]")].find((one) => one instanceof HTMLElement && one.dataset.run === runId);
  const block = turn?.querySelector(`[data-step="${Number(step)}"] .code-block`);
  const body = block?.querySelector(".code-text");
  if (!(block instanceof HTMLElement) || !(body instanceof HTMLElement)) return false;
  if (body.hidden) /** @type {HTMLElement} */ (block.querySelector(".code-fold")).click();
  const lines = (body.textContent ?? "").trimEnd().split("\n").length;
  if (line === undefined || line < 1 || line > lines) {
    block.scrollIntoView({ block: "nearest" });
  } else {
    const mark = el("span", { class: "code-mark", "data-line": line, "aria-hidden": "true" });
    mark.style.setProperty("--line", String(line - 1));
    body.prepend(mark);
    mark.scrollIntoView({ block: "center" });
  }
  body.focus({ preventScroll: true });
  return true;
}
