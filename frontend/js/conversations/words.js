/** Texts of conversations: states, ends, times. Pure. */

import { visible } from "../core/escaping.js";

/** @import { ConversationInfo, PartyInfo, Translate } from "../types.js" */

const LOCALES = { en: "en-GB", ja: "ja-JP" };
const DAY = /** @type {const} */ ({ year: "numeric", month: "short", day: "numeric" });
const CLOCK = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hour12: false });

/**
 * Return an agent's name. Agents choose their own names, so hidden characters are made visible.
 *
 * @param {PartyInfo} party
 */
export const calledBy = ({ name, id }) => visible(name.trim() || id);

/** Return the purpose of a conversation. @param {ConversationInfo} conversation @param {Translate} t */
export const about = ({ purpose }, t) => (purpose?.trim() ? visible(purpose.trim()) : t("talk.no_purpose"));

/** Format a time of day. @param {number} seconds since 1970 @param {Translate} t */
export const clock = (seconds, t) => new Date(seconds * 1000).toLocaleTimeString(LOCALES[t.language], CLOCK);

/** Format a date. @param {number} seconds since 1970 @param {Translate} t */
export const day = (seconds, t) => new Date(seconds * 1000).toLocaleDateString(LOCALES[t.language], DAY);

/** Check whether two times are on the same day. @param {number} a @param {number} b */
export const sameDay = (a, b) => new Date(a * 1000).toDateString() === new Date(b * 1000).toDateString();

/**
 * Format the time of day for today, else the date.
 *
 * @param {number} seconds since 1970
 * @param {Translate} t
 * @param {number} now milliseconds since 1970
 */
export const moment = (seconds, t, now = Date.now()) =>
  sameDay(seconds, now / 1000) ? clock(seconds, t) : day(seconds, t);

/** @param {number} n @param {Translate} t */
export const messages = (n, t) => t(n === 1 ? "talk.message" : "talk.messages", { n: t.number(n) });

/**
 * Return the end of a conversation as a sentence; "" while it is active.
 *
 * @param {ConversationInfo} conversation
 * @param {Translate} t
 */
export function ending({ state, reason, initiator, participant }, t) {
  if (state === "expired" || reason === "expired")
    return t("talk.end_expired", { name: calledBy(participant) });
  if (reason === "initiator_ended") return t("talk.end_agent", { name: calledBy(initiator) });
  if (reason === "participant_ended") return t("talk.end_agent", { name: calledBy(participant) });
  if (reason === "timeout") return t("talk.end_timeout");
  if (reason === "agent_removed") return t("talk.end_removed");
  if (reason === "person_ended") return t("talk.end_person");
  return state === "ended" ? t("talk.end") : "";
}
