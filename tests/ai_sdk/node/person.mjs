/** The person at the client: says what a scenario has them say, and answers what they are asked. */
import { isToolPart, toolName } from "./chat.mjs";

const LOOK_MS = 5;
const STILL = 3;

/**
 * @typedef {object} Answer
 * @property {string} tool
 * @property {boolean} approved
 * @property {string} [reason]
 * @property {unknown} [output] what this client's own run of the tool gave
 * @property {string} [errorText] how this client's own run of the tool failed
 * @property {number} [outputAfterRequests] the output comes only when so many requests were sent; at once without it
 * @property {boolean} [push] the output is sent though the chat is not ready: over BIDI its stream is open and silent
 *
 * @typedef {object} Turn
 * @property {string} [text] what they say; without any of these they only answer; or
 * @property {any} [message] a whole message of theirs, or
 * @property {boolean} [regenerate] the last answer anew, or
 * @property {boolean} [resume] what is under way
 * @property {Answer[]} [answers] by tool, in order
 * @property {boolean} [keepOpen] over BIDI: the local stream is not closed for an approval
 */

/**
 * @param {any} chat
 * @param {import("./chat.mjs").Answered} answered
 * @param {import("./record.mjs").Record} record
 * @param {Turn} turn
 */
export async function playTurn(chat, answered, record, turn) {
  const answers = [...(turn.answers ?? [])];
  await say(chat, turn);
  do await untilStill(chat, record);
  while (await answerOne(chat, answered, record, answers));
}

async function say(chat, turn) {
  if (turn.regenerate) return chat.regenerate();
  if (turn.resume) return chat.resumeStream();
  if (turn.message ?? turn.text) return chat.sendMessage(turn.message ?? { text: turn.text });
}

/** Automatic requests are begun without being awaited: still means several looks in a row. */
async function untilStill(chat, record) {
  for (let still = 0; still < STILL;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const atRest = !record.streaming && (chat.status === "ready" || chat.status === "error");
    still = atRest ? still + 1 : 0;
  }
}

/** Answers the first open approval that an answer is meant for. @returns {Promise<boolean>} whether there was one */
async function answerOne(chat, answered, record, answers) {
  const open = chat.messages
    .flatMap((message) => message.parts)
    .filter((part) => isToolPart(part) && part.state === "approval-requested");
  for (const part of open) {
    const index = answers.findIndex((answer) => answer.tool === toolName(part));
    if (index === -1) continue;
    const [answer] = answers.splice(index, 1);
    await give(chat, answered, record, part, answer);
    return true;
  }
  return false;
}

async function give(chat, answered, record, part, answer) {
  const runsHere = "output" in answer || "errorText" in answer;
  const later = runsHere && answer.outputAfterRequests !== undefined;
  const bring = async () => {
    answered.add(part.toolCallId, false);
    await chat.addToolOutput({ tool: answer.tool, toolCallId: part.toolCallId, ...resultOf(answer) });
    if (answer.push) await chat.sendMessage();
  };
  answered.add(part.toolCallId, runsHere && !later);
  if (later) {
    record.onRequest((count) => {
      if (count === answer.outputAfterRequests) queueMicrotask(bring);
    });
  }
  const response = { id: part.approval.id, approved: answer.approved };
  await chat.addToolApprovalResponse("reason" in answer ? { ...response, reason: answer.reason } : response);
  if (runsHere && !later) await bring();
}

/** What this client's own run of the tool gave. @param {Answer} answer */
function resultOf(answer) {
  return "errorText" in answer
    ? { state: "output-error", errorText: answer.errorText }
    : { output: answer.output };
}
