/** The page without a framework: `AbstractChat` of `ai` over the chat of `desk.js`, whose every change draws it anew. */
import { AbstractChat, isToolUIPart } from "ai";
import { answer, chatId, isAsked, open, settings, stop, words } from "./desk.js";

/** A chat's state, as `ai` wants it kept. */
class State {
  #held = { status: "ready", error: undefined, messages: [] };

  #set(changed) {
    Object.assign(this.#held, changed);
    queueMicrotask(draw);
  }

  get status() {
    return this.#held.status;
  }
  set status(status) {
    this.#set({ status });
  }
  get error() {
    return this.#held.error;
  }
  set error(error) {
    this.#set({ error });
  }
  get messages() {
    return this.#held.messages;
  }
  set messages(messages) {
    this.#set({ messages });
  }

  pushMessage = (message) => this.#set({ messages: [...this.messages, message] });
  popMessage = () => this.#set({ messages: this.messages.slice(0, -1) });
  replaceMessage = (index, message) =>
    this.#set({ messages: this.messages.with(index, this.snapshot(message)) });
  snapshot = (value) => structuredClone(value);
}

class Chat extends AbstractChat {}

const log = element("section", {});
const alert = element("p", { role: "alert", hidden: true });
const input = element("input", { placeholder: "Ask something" });
const stopping = element("button", { type: "button", textContent: "Stop", onclick: () => stop(chat) });
const form = element(
  "form",
  { onsubmit: submit },
  input,
  element("button", { textContent: "Send" }),
  stopping,
);
document.querySelector("#root").append(log, alert, form);

const chat = new Chat({ ...settings(chatId()), state: new State() });
open(chat).catch((fault) => {
  Object.assign(alert, { hidden: false, textContent: words(fault) });
});
draw();

function submit(event) {
  event.preventDefault();
  chat.sendMessage({ text: input.value });
  input.value = "";
}

function draw() {
  log.replaceChildren(
    ...chat.messages.map((message) =>
      element("article", { className: message.role }, ...message.parts.map((part) => drawn(message, part))),
    ),
  );
  if (chat.error) Object.assign(alert, { hidden: false, textContent: words(chat.error) });
  else if (chat.status !== "ready") alert.hidden = true;
  stopping.hidden = chat.status === "ready" || chat.status === "error";
}

function drawn(message, part) {
  if (part.type === "text") return element("p", { textContent: part.text });
  if (part.type === "reasoning") return element("p", {}, element("em", { textContent: part.text }));
  if (part.type === "file" && part.mediaType.startsWith("image/"))
    return element("img", { src: part.url, alt: "" });
  if (part.type === "data-table") {
    return element("pre", { textContent: part.data.rows.map((row) => row.join("\t")).join("\n") });
  }
  if (!isToolUIPart(part)) return "";
  const outcome = part.errorText ?? JSON.stringify(part.output) ?? part.state;
  const call = element("code", { textContent: `${part.type} ${JSON.stringify(part.input)} → ${outcome}` });
  const choices = isAsked(chat, message, part)
    ? [
        ["Allow", true],
        ["Deny", false],
      ]
    : [];
  const buttons = choices.map(([words, approved]) =>
    element("button", { textContent: words, onclick: () => answer(chat, part, approved) }),
  );
  return element("div", { className: `${part.type} ${part.state}` }, call, ...buttons);
}

function element(tag, facts, ...inside) {
  const made = Object.assign(document.createElement(tag), facts);
  made.append(...inside);
  return made;
}
