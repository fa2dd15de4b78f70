/** State of the list of chats, and its reducer. Pure. */

/** @import { ChatList, ChatSummary, ChatsState, DeskState, Seen } from "../types.js" */

/**
 * @typedef {{ type: "opened", open: boolean }
 *   | { type: "searched", query: string }
 *   | { type: "shelved", archived: boolean }
 *   | { type: "filtered", tag: string }
 *   | { type: "listed", query: string, page: ChatList, further: boolean }
 *   | { type: "changed", chat: Pick<ChatSummary, "id"> & Partial<ChatSummary> }
 *   | { type: "deleted", chatId: string, until: number }
 *   | { type: "restored", chatId: string }
 *   | { type: "expired", chatId: string, until: number }
 *   | { type: "seen", seen: Seen }
 *   | { type: "fault", fault: string }} ChatsFact
 */

/** @returns {ChatsState} */
export const initialChats = () => ({
  open: false,
  query: "",
  archived: false,
  tag: "",
  tags: [],
  list: null,
  next: null,
  deleted: {},
  seen: { since: 0, chats: {} },
  fault: "",
});

/**
 * @param {ChatsState} state
 * @param {ChatsFact} fact
 * @returns {ChatsState}
 */
export function reduceChats(state, fact) {
  switch (fact.type) {
    case "opened":
      return fact.open === state.open ? state : { ...state, open: fact.open, fault: "" };
    case "searched":
      return fact.query === state.query ? state : { ...state, query: fact.query, list: null, next: null };
    case "shelved":
      return { ...state, archived: fact.archived, list: null, next: null };
    case "filtered":
      return { ...state, tag: fact.tag, list: null, next: null };
    case "listed":
      return fact.query === state.query
        ? withPage({ ...state, tags: fact.page.tags ?? state.tags }, fact.page, fact.further)
        : state;
    case "changed":
      return state.list
        ? {
            ...state,
            list: inOrder(
              state.list
                .map((chat) => (chat.id === fact.chat.id ? { ...chat, ...fact.chat } : chat))
                .filter((chat) => state.query !== "" || chat.archived === state.archived)
                .filter((chat) => state.tag === "" || chat.tags.includes(state.tag)),
            ),
          }
        : state;
    case "deleted":
      return { ...state, deleted: { ...state.deleted, [fact.chatId]: fact.until } };
    case "restored":
      return { ...state, deleted: without(state.deleted, fact.chatId) };
    case "expired":
      if (state.deleted[fact.chatId] !== fact.until) return state; // the deletion was undone
      return {
        ...state,
        deleted: without(state.deleted, fact.chatId),
        list: state.list?.filter(({ id }) => id !== fact.chatId) ?? null,
      };
    case "seen":
      return { ...state, seen: fact.seen };
    case "fault":
      return fact.fault === state.fault ? state : { ...state, fault: fact.fault };
  }
}

/**
 * Merge a page into the list. A first page replaces the range that it covers, except chats that were just deleted here;
 * a further page is appended.
 *
 * @param {ChatsState} state
 * @param {ChatList} page
 * @param {boolean} further
 * @returns {ChatsState}
 */
function withPage(state, { chats, next = null }, further) {
  const previous = state.list ?? [];
  const ids = new Set(chats.map(({ id }) => id));
  const previousOnly = previous.filter(({ id }) => !ids.has(id));
  if (further) return { ...state, list: inOrder([...previousOnly, ...chats]), next, fault: "" };
  const last = next === null ? null : (chats.findLast(({ pinned }) => !pinned) ?? null);
  const behind = previousOnly.filter(
    (chat) => chat.id in state.deleted || (last !== null && !chat.pinned && before(last, chat)),
  );
  const continues = last !== null && behind.some((chat) => !(chat.id in state.deleted));
  return { ...state, list: inOrder([...chats, ...behind]), next: continues ? state.next : next, fault: "" };
}

/** Order chats: pinned ones first, in their order; then by last activity. @param {ChatSummary[]} chats */
function inOrder(chats) {
  const previousOnly = chats.filter(({ pinned }) => !pinned).sort((a, b) => (before(a, b) ? -1 : 1));
  return [...chats.filter(({ pinned }) => pinned), ...previousOnly];
}

/** @param {ChatSummary} a @param {ChatSummary} b */
const before = (a, b) => (a.updatedAt === b.updatedAt ? a.id > b.id : a.updatedAt > b.updatedAt);

/** @param {{ [id: string]: number }} record @param {string} id */
const without = (record, id) => Object.fromEntries(Object.entries(record).filter(([key]) => key !== id));

/**
 * Group the chats for the drawer: pinned, today, the seven days before, earlier; without empty groups.
 *
 * @param {ChatSummary[]} list
 * @param {number} now milliseconds since 1970
 * @returns {{ name: "pinned" | "today" | "week" | "earlier", chats: ChatSummary[] }[]}
 */
export function grouped(list, now) {
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  const today = midnight.getTime() / 1000;
  const week = midnight.setDate(midnight.getDate() - 7) / 1000;
  const names = /** @type {const} */ (["pinned", "today", "week", "earlier"]);
  const groups = names.map((name) => ({ name, chats: /** @type {ChatSummary[]} */ ([]) }));
  for (const chat of list) {
    const name = chat.pinned
      ? "pinned"
      : chat.updatedAt >= today
        ? "today"
        : chat.updatedAt >= week
          ? "week"
          : "earlier";
    groups.find((group) => group.name === name)?.chats.push(chat);
  }
  return groups.filter(({ chats }) => chats.length > 0);
}

// --- read and unread ----------------------------------------------------------------------------------------------

/** Number of chats with a stored time of reading. */
const REMEMBERED = 300;

/**
 * Check whether a chat has an answer that this browser has not shown. Answers from before the first visit count as
 * read.
 *
 * @param {Pick<ChatSummary, "id" | "state" | "answeredAt">} chat
 * @param {Seen} seen
 */
export function isUnread({ id, state, answeredAt = null }, { since, chats }) {
  return state === "idle" && answeredAt !== null && answeredAt > (chats[id] ?? since);
}

/**
 * Store the time of reading a chat.
 *
 * @param {Seen} seen
 * @param {string} chatId
 * @param {number} at seconds since 1970, by the server's clock
 * @returns {Seen}
 */
export function withReadTime({ since, chats }, chatId, at) {
  if ((chats[chatId] ?? 0) >= at) return { since, chats };
  const newest = Object.entries({ ...chats, [chatId]: at }).sort(([, a], [, b]) => b - a);
  const forgotten = newest.slice(REMEMBERED).map(([, when]) => when);
  return { since: Math.max(since, ...forgotten), chats: Object.fromEntries(newest.slice(0, REMEMBERED)) };
}

/** Count the unread chats besides the open one. @param {Pick<DeskState, "chats" | "chat">} state */
export function unreadElsewhere({ chats: { list, seen, deleted }, chat }) {
  return (list ?? []).filter(
    (candidate) => candidate.id !== chat?.chatId && !(candidate.id in deleted) && isUnread(candidate, seen),
  ).length;
}
