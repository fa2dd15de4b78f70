// @ts-check
/**
 * Prompts and responses of a step's model calls, and its memory: fetched on demand, once per state of the step. Long
 * messages show their start, and all of it on demand.
 */

import { answer } from "../core/api.js";
import { copyText } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { jsonTree } from "../core/json-tree.js";
import { request } from "../core/session.js";

/** @import { JsonValue, PromptMessageInfo, StepTrace, Translate } from "../types.js" */
/** @import { Row } from "./rows.js" */

/** @typedef {"prompt" | "response" | "memory"} Part */

/** Number of messages at the end of a prompt, its new part, that are open at first. */
const OPEN = 3;

export class PromptStore {
  /** @param {() => string | null} chatId */
  constructor(chatId) {
    this.chatId = chatId;
    /** @type {{key: string, trace: Promise<StepTrace | null>} | null} */
    this.last = null;
  }

  /**
   * Return the trace of a row's step, or null if there is none. Throws `Refusal` or a TypeError.
   *
   * @param {Row} row
   * @returns {Promise<StepTrace | null>}
   */
  step(row) {
    const key = `${this.chatId()} ${row.runId} ${withinOf(row)} ${row.step} ${stateOf(row)}`;
    if (this.last?.key !== key) {
      const trace = this.load(row);
      trace.catch(() => {
        if (this.last?.trace === trace) this.last = null;
      });
      this.last = { key, trace };
    }
    return this.last.trace;
  }

  /** @param {Row} row @returns {Promise<StepTrace | null>} */
  async load(row) {
    const within = withinOf(row);
    const of = within === undefined ? "" : `?within=${encodeURIComponent(within)}`;
    const response = await request(
      `/api/chats/${encodeURIComponent(this.chatId() ?? "")}/runs/${encodeURIComponent(row.runId ?? "")}/steps/${row.step}${of}`,
    );
    return response.status === 404 ? null : answer(response);
  }

  /** @param {string} id @returns {Promise<PromptMessageInfo>} */
  async message(id) {
    return answer(
      await request(
        `/api/chats/${encodeURIComponent(this.chatId() ?? "")}/prompts/${encodeURIComponent(id)}`,
      ),
    );
  }
}

/** Return the call that a managed agent's step works for. @param {Row} row */
const withinOf = (row) => (row.kind === "step" ? row : row.parent)?.within;

/** Return the state of a step that decides whether to fetch again: its calls and its end. @param {Row} row */
export function stateOf(row) {
  const step = row.kind === "step" ? row : row.parent;
  return `${step?.figures.calls} ${step?.messages.some(({ type }) => type === "debug")}`;
}

/**
 * Create the view of one part.
 *
 * @param {Part} part
 * @param {Row} row a step, or one of its calls
 * @param {PromptStore} store
 * @param {Translate} t
 * @param {() => boolean} isCurrent whether it is still shown
 * @returns {HTMLElement}
 */
export function promptView(part, row, store, t, isCurrent) {
  const dom = el(
    "div",
    { class: "debug-prompt", "aria-busy": "true" },
    el("p", { class: "debug-none" }, t("shared.loading")),
  );
  const fill = async () => {
    /** @type {Node[]} */
    let nodes;
    try {
      nodes = partOf(part, await store.step(row), row, store, t);
    } catch (fault) {
      nodes = [
        el(
          "p",
          { class: "debug-none", role: "alert" },
          t("debug.not_loaded", { why: fault instanceof Error ? fault.message : "" }),
        ),
        el("button", { type: "button", class: "json-more", on: { click: fill } }, t("shared.retry")),
      ];
    }
    if (isCurrent()) dom.replaceChildren(...nodes);
    dom.removeAttribute("aria-busy");
  };
  void fill();
  return dom;
}

/**
 * @param {Part} part
 * @param {StepTrace | null} trace
 * @param {Row} row
 * @param {PromptStore} store
 * @param {Translate} t
 * @returns {Node[]}
 */
function partOf(part, trace, row, store, t) {
  const none = el("p", { class: "debug-none" }, t(`debug.no_${part}`));
  if (part === "memory") return trace?.memory ? [jsonTree(trace.memory, t)] : [none];
  const seqs = new Set(row.messages.map(({ seq }) => seq));
  const calls = (trace?.calls ?? []).filter(({ seq }) => row.kind === "step" || seqs.has(seq));
  const nodes = calls.flatMap((call, at) => {
    const messages = part === "prompt" ? call.prompt : call.response ? [call.response] : [];
    const views = messages.map((message, place) =>
      messageView(message, place >= messages.length - OPEN, store, t),
    );
    return calls.length > 1 && views.length
      ? [el("h4", { class: "debug-call" }, t("debug.call_n", { n: at + 1 })), ...views]
      : views;
  });
  return nodes.length ? nodes : [none];
}

/** @param {PromptMessageInfo} message @param {boolean} open @param {PromptStore} store @param {Translate} t */
function messageView(message, open, store, t) {
  const { role, text, size, cut, missing, toolCalls } = message;
  if (missing) return el("p", { class: "debug-none" }, t("debug.missing"));
  let full = text;
  const body = el("pre", { class: "debug-message-text" }, text);
  const load = async () => {
    if (full.length < size) ({ text: full } = await store.message(message.id));
    body.textContent = full;
    more?.remove();
  };
  const more = cut
    ? el(
        "button",
        {
          type: "button",
          class: "json-more",
          on: {
            click: () => {
              load().catch(reportError);
            },
          },
        },
        t("debug.whole", { n: t.number(size) }),
      )
    : null;
  const copy = el(
    "button",
    {
      type: "button",
      class: "json-more debug-message-copy",
      on: {
        click: async () => {
          if (full.length < size) await load().catch(reportError);
          if (await copyText(full)) copy.textContent = t("shared.copied");
        },
      },
    },
    t("shared.copy"),
  );
  return el(
    "details",
    { class: "debug-message", "data-role": role, open },
    el(
      "summary",
      {},
      el("b", {}, role),
      " ",
      el("span", { class: "debug-message-size" }, t("debug.characters", { n: t.number(size) })),
      " ",
      el("span", { class: "debug-message-brief" }, text.slice(0, 120).replace(/\s+/g, " ")),
    ),
    body,
    more,
    copy,
    toolCalls?.length ? jsonTree(/** @type {JsonValue} */ (/** @type {unknown} */ (toolCalls)), t) : null,
  );
}
