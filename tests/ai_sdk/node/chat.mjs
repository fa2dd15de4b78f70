/** A chat of a release's own AbstractChat, whose state remembers every status it had, and when it sends its answers. */

class RememberingState {
  #status = "ready";
  /** @type {string[]} every status, in order */
  statuses = ["ready"];
  /** @type {Error | undefined} */
  error = undefined;
  /** @type {any[]} */
  messages = [];

  get status() {
    return this.#status;
  }

  set status(status) {
    this.#status = status;
    this.statuses.push(status);
  }

  pushMessage = (message) => {
    this.messages = [...this.messages, message];
  };

  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };

  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, this.snapshot(message));
  };

  snapshot = (thing) => structuredClone(thing);
}

/**
 * @param {any} ai a release
 * @param {object} init what AbstractChat takes, without its state
 * @returns {any} the chat, with `statuses` and `errors`
 */
export function makeChat(ai, init) {
  const state = new RememberingState();
  /** @type {string[]} */
  const errors = [];
  class Chat extends ai.AbstractChat {
    statuses = state.statuses;
    errors = errors;
  }
  return new Chat({ ...init, state, onError: (error) => errors.push(`${error.name}: ${error.message}`) });
}

/** @param {any} part */
export const isToolPart = (part) => part.type.startsWith("tool-") || part.type === "dynamic-tool";

/** @param {any} part */
export const toolName = (part) => part.toolName ?? part.type.slice("tool-".length);

const SETTLED = new Set(["output-available", "output-error", "output-denied", "approval-responded"]);

/**
 * When a chat sends its answers by itself.
 *
 * `own` is what a client needs where the stock helpers cannot work: over BIDI a step begins between a call and its
 * approval request, so the stock approval helper never sees the call; and over SSE, where there are no steps, the stock
 * tool-call helper asks again for ever after any tool that the server ran.
 *
 * @param {"approval-helper" | "tool-calls-helper" | "own"} name
 * @param {any} ai the release whose helpers are meant
 * @param {Answered} answered what this client answered and did not send yet
 * @returns {(options: { messages: any[] }) => boolean}
 */
export function predicate(name, ai, answered) {
  switch (name) {
    case "approval-helper":
      return ai.lastAssistantMessageIsCompleteWithApprovalResponses;
    case "tool-calls-helper":
      return ai.lastAssistantMessageIsCompleteWithToolCalls;
    case "own":
      return ({ messages }) => answered.some() && allSettled(messages.at(-1), answered);
    default:
      throw new Error(
        `predicate ${JSON.stringify(name)}: expected approval-helper, tool-calls-helper or own`,
      );
  }
}

/** The calls that were answered since the last request, and those whose output is still to come. */
export class Answered {
  #unsent = new Set();
  #outputDue = new Set();

  /** @param {string} toolCallId @param {boolean} outputFollows this client will run the tool */
  add(toolCallId, outputFollows) {
    this.#unsent.add(toolCallId);
    if (outputFollows) this.#outputDue.add(toolCallId);
    else this.#outputDue.delete(toolCallId);
  }

  /** A request took them all along. */
  sent() {
    this.#unsent.clear();
  }

  some() {
    return this.#unsent.size > 0;
  }

  /** @param {string} toolCallId */
  waitsForOutput(toolCallId) {
    return this.#outputDue.has(toolCallId);
  }
}

function allSettled(message, answered) {
  return (
    message?.role === "assistant" &&
    message.parts
      .filter(isToolPart)
      .every((part) => SETTLED.has(part.state) && !answered.waitsForOutput(part.toolCallId))
  );
}
