/**
 * What a chat of `ai` needs to talk to a desk, with whatever it is drawn: its settings, the turns it begins with, and
 * what a person answers. `react.jsx` and `plain.js` beside it draw it.
 */
import { DefaultChatTransport, isToolUIPart } from "ai";

const DESK = document.querySelector("meta[name=desk]").content;
const UNREACHED = `The desk at ${DESK} cannot be reached. Is it running, and does its SMOLDESK_ALLOWED_ORIGINS have ${location.origin}?`;

/** The chat of this page: its id is the address's, so a page that is loaded again shows it again. */
export function chatId() {
  if (!location.hash) history.replaceState(null, "", `#${crypto.randomUUID()}`);
  return location.hash.slice(1);
}

const reach = (address, options) =>
  fetch(address, options).catch((fault) => {
    throw fault.name === "AbortError" ? fault : new Error(UNREACHED);
  });

/**
 * What a chat is made with. The desk keeps the history, so the last message is enough for it. `?agent=demo-tools` after
 * /stream chooses the agent that pays with play money.
 */
export function settings(id) {
  const transport = new DefaultChatTransport({
    api: `${DESK}/stream`,
    fetch: reach,
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
      body: { id, messages: messages.slice(-1), trigger, messageId },
    }),
  });
  return { id, transport, sendAutomaticallyWhen: isAnswered };
}

/** Shows a chat's earlier turns, and goes on with the one that is under way. */
export async function open(chat) {
  const load = async () => {
    const response = await reach(`${DESK}/stream/${chat.id}/messages`);
    if (!response.ok) throw new Error(await response.text());
    chat.messages = await response.json();
  };
  await load();
  await chat.resumeStream();
  if (chat.messages.at(-1)?.role === "user") await load(); // it ended in between
}

/** Stops what runs: leaving a response alone would not. */
export async function stop(chat) {
  await reach(`${DESK}/stream/${chat.id}/stream`, { method: "DELETE" });
}

/** What is wrong, in words: a refusal of the desk is JSON. */
export function words(error) {
  try {
    return JSON.parse(error.message).error.message;
  } catch {
    return error.message;
  }
}

// --- what the person answers -------------------------------------------------------------------------------------------

/** Tools that run in this page, once the person agrees. */
const OWN = {
  async get_location() {
    const { coords } = await new Promise((found, failed) =>
      navigator.geolocation.getCurrentPosition(found, failed),
    );
    return { latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy };
  },
};
const toolName = (part) => part.type.slice("tool-".length);

/** Calls whose output this page has made, and has not sent. */
const unsent = new Set();

/** When the chat goes on by itself: each call of the last message is answered, and no output of this page is due. */
function isAnswered({ messages }) {
  const calls = messages.at(-1).parts.filter(isToolUIPart);
  const responded = calls.filter((part) => part.state === "approval-responded");
  const due = responded.some((part) => part.approval.approved && toolName(part) in OWN);
  if (due || calls.some((part) => part.state === "approval-requested")) return false;
  const made = calls.filter((part) => unsent.delete(part.toolCallId));
  return responded.length + made.length > 0;
}

/** Whether a part of a message has buttons: what nobody waits for any more has none. */
export function isAsked(chat, message, part) {
  return part.state === "approval-requested" && message === chat.messages.at(-1) && chat.status === "ready";
}

/** The approval helper: a person's yes or no to a call; their yes to one of this page's own tools runs it. */
export async function answer(chat, part, approved) {
  const tool = toolName(part);
  const { toolCallId } = part;
  if (!approved || !(tool in OWN)) return chat.addToolApprovalResponse({ id: part.approval.id, approved });
  const outcome = await OWN[tool]().then(
    (output) => ({ output }),
    (fault) => ({ state: "output-error", errorText: fault.message }),
  );
  await chat.addToolApprovalResponse({ id: part.approval.id, approved });
  unsent.add(toolCallId);
  return chat.addToolOutput({ tool, toolCallId, ...outcome });
}
