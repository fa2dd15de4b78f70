/** A chat of a release's own AbstractChat, whose state remembers every status it had. */

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
