/**
 * What an `@` names: tables, columns, rooms, files and agents of the chat, as the server lists them. What is chosen stands in
 * the message by its own name, without the `@`, so that every agent reads it; an agent is chosen for the chat instead.
 */

import { chooseAgent, mentionsOf } from "../core/api.js";

/** @import { MentionInfo, Suggestion, Translate } from "../types.js" */

/**
 * @param {object} needs
 * @param {string} needs.chatId
 * @param {string} needs.typed what stands behind the `@`
 * @param {Translate} needs.t
 * @param {AbortSignal} needs.signal
 * @param {(text: string) => void} needs.insert puts a name in the place of what was typed
 * @param {(problem: string) => void} needs.showError
 * @returns {Promise<Suggestion[]>}
 */
export async function listMentions({ chatId, typed, t, signal, insert, showError }) {
  const { mentions, more } = await mentionsOf(chatId, typed, t.language, signal);
  return mentions.map((mention, at) => {
    const { kind, name, detail } = mention;
    const hiddenCount = mentions[at + 1]?.kind === kind ? 0 : (more[kind] ?? 0);
    return {
      text: name,
      detail,
      group: t(`mentions.${kind}`),
      more: hiddenCount ? t("mentions.more", { n: t.number(hiddenCount) }) : "",
      run: () => take(mention, { chatId, t, insert, showError }),
    };
  });
}

/**
 * @param {MentionInfo} mention
 * @param {{ chatId: string, t: Translate, insert: (text: string) => void, showError: (problem: string) => void }} needs
 */
async function take({ kind, name, insert: text }, { chatId, t, insert, showError }) {
  if (kind !== "agent") return insert(t.language === "ja" ? text : `${text} `);
  insert("");
  try {
    await chooseAgent(chatId, name);
  } catch (fault) {
    showError(
      fault instanceof TypeError || !(fault instanceof Error) ? t("agents.no_answer") : fault.message,
    );
  }
}
