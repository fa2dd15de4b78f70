/** Messages of a chat for a replay, fetched as lines, as many as a page can hold. */

import { request } from "../core/session.js";

/** @import { Message } from "../types.js" */

const MAX_MESSAGES = 200_000;
const MOST_CHARACTERS = 256_000_000;

/**
 * Read the messages. Throws if loading fails.
 *
 * @param {string} chatId
 * @param {(more: Message[]) => void} take gets messages as they arrive
 * @returns {Promise<boolean>} false if there are more than the page can hold
 */
export async function readMessages(chatId, take) {
  const answer = await request(`/api/chats/${encodeURIComponent(chatId)}/messages`);
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let [buffer, count, characters] = ["", 0, 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    const lines = (buffer + value).split("\n");
    buffer = lines.pop() ?? "";
    take(lines.map((line) => JSON.parse(line)));
    count += lines.length;
    characters += value.length;
    if (count < MAX_MESSAGES && characters < MOST_CHARACTERS) continue;
    await reader.cancel();
    return false;
  }
}
