/**
 * Mentions after an `@`: tables, columns, rooms, files and agents of the chat, as the server lists them. A chosen
 * mention is inserted as its plain name, without the `@`, so that every agent can read it; an agent becomes the chat's
 * agent instead.
 */

import { chooseAgent, mentionsOf } from "../core/api.js";

/** @import { MentionInfo, Suggestion, Translate } from "../types.js" */

/**
 * Load the mentions.
 *
 * @param {object} needs
 * @param {string} needs.chatId
 * @param {string} needs.typed text after the `@`
 * @param {Translate} needs.t
 * @param {AbortSignal} needs.signal
 * @param {(text: string) => void} needs.insert replaces the typed text by a name
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
      fault instanceof TypeError || !(fault instanceof Error) ? t("shared.no_answer") : fault.message,
    );
  }
}
