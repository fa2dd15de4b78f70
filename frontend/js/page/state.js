/**
 * State of the whole page as a plain value. `reduce` has no side effects: it returns the next state, or the same object
 * if nothing changes (a seq that was already handled). Each pane's part has a reducer in its own room.
 */

import { reduceChat, reduceFact } from "../chat/state.js";
import { initialChats, reduceChats } from "../chats/state.js";
import { initialTalk, reduceTalk } from "../conversations/state.js";
import { logged } from "../debug/log.js";
import { unwrapOutput } from "../core/nested.js";
import { chooseLayout, initialRoom, noteUpload, openData, reduceRoom, showFront } from "./pane-room.js";
import { addImage, emptyGallery } from "../images/gallery.js";
import {
  emptyMap,
  reduceMap,
  showDrawing,
  showEarth,
  showFloor,
  showFrame,
  showLayer,
  withoutDrawings,
} from "../map/state.js";

/** @import { DeskState, Fact, Message, Placed } from "../types.js" */

/** @returns {DeskState} */
export function initialState() {
  return {
    connection: "connecting",
    chat: null,
    lastSeq: 0,
    entries: [],
    asides: 0,
    shownVersions: {},
    continueFrom: null,
    live: null,
    pending: [],
    attempt: null,
    files: [],
    policies: {},
    stepsOpen: false,
    selection: [],
    about: null,
    map: emptyMap,
    gallery: emptyGallery,
    charts: {},
    log: null,
    openAsks: { asks: [], count: 0 },
    notices: { notices: [], count: 0 },
    talk: initialTalk(),
    chats: initialChats(),
    lost: null,
    room: initialRoom,
    buildingFiles: [],
  };
}

/**
 * Return the state for another chat: everything that does not belong to the old one.
 *
 * @param {DeskState} state
 * @returns {DeskState}
 */
export function resetChat({
  connection,
  stepsOpen,
  map: { building },
  openAsks,
  notices,
  talk,
  chats,
  room,
}) {
  const map = { ...emptyMap, building, floorId: building?.floors[0]?.floorId ?? null };
  return {
    ...initialState(),
    connection,
    stepsOpen,
    map,
    openAsks,
    notices,
    talk,
    chats,
    room: chooseLayout(initialRoom, room.layout),
  };
}

/**
 * Return the state after a message.
 *
 * @param {DeskState} state
 * @param {Message | Fact} message
 * @param {number} [now] milliseconds since 1970, for a message without a time
 * @returns {DeskState}
 */
export function reduce(state, message, now = 0) {
  if (isFact(message)) return reducePageFact(state, message);
  if (message.type === "layers" || message.type === "layer_values")
    return withMap(state, reduceMap(state.map, message)); // they come often, and have no place in the log
  if (message.type === "notices") return { ...state, notices: message.content };
  if (message.type === "open_asks") return { ...state, openAsks: message.content };
  const { seq = null } = /** @type {Placed} */ (message);
  if (seq !== null && seq <= state.lastSeq) return state;
  const output = unwrapOutput(message);
  const managed = message.type === "nested" ? message.content.agent : undefined;
  const map = reduceMap(state.map, output, managed);
  const gallery = addImage(state.gallery, output, managed);
  return {
    ...reduceChat(state, message),
    lastSeq: seq ?? state.lastSeq,
    map,
    gallery,
    room: reduceRoom(state.room, output, state, { map, gallery }),
    log: logged(state.log, message, now),
  };
}

/**
 * Return the state after an invalid message: it is in the log and is not requested again.
 *
 * @param {DeskState} state
 * @param {Message} message
 * @param {number} now
 * @returns {DeskState}
 */
export function withInvalid(state, message, now) {
  const { seq = state.lastSeq } = /** @type {Placed} */ (message);
  return { ...state, lastSeq: Math.max(seq, state.lastSeq), log: logged(state.log, message, now) };
}

/** @param {Message | Fact} message @returns {message is Fact} */
export const isFact = (message) => message.type.startsWith("@");

/** @param {DeskState} state @param {Fact} fact @returns {DeskState} */
function reducePageFact(state, fact) {
  switch (fact.type) {
    case "@floor":
      return withMap(state, showFloor(state.map, fact.floorId));
    case "@earth":
      return withMap(state, showEarth(state.map));
    case "@layer":
      return withMap(state, showLayer(state.map, fact.agent, fact.visible));
    case "@frame":
      return withMap(state, showFrame(state.map, fact.at));
    case "@drawing":
      return withMap(state, showDrawing(state.map, fact.seq));
    case "@building":
      return state.map.building?.buildingId === fact.building.buildingId
        ? withMap(state, reduceMap(state.map, { type: "map_definition", content: fact.building }))
        : state;
    case "@building_files":
      return { ...state, buildingFiles: fact.files };
    case "@map_cleared":
      return withMap(state, withoutDrawings(state.map));
    case "@log_cleared":
      return { ...state, log: null };
    case "@talk": {
      const talk = reduceTalk(state.talk, fact.fact);
      return talk === state.talk ? state : { ...state, talk };
    }
    case "@chats": {
      const chats = reduceChats(state.chats, fact.fact);
      return chats === state.chats ? state : { ...state, chats };
    }
    case "@titled":
      return state.chat?.chatId === fact.chatId
        ? { ...state, chat: { ...state.chat, title: fact.title } }
        : state;
    case "@layout": {
      const room = chooseLayout(state.room, fact.layout);
      return room === state.room ? state : { ...state, room };
    }
    case "@data":
      return { ...state, room: openData(state.room, fact.data) };
    case "@uploading":
      return { ...state, room: noteUpload(state.room, fact.name) };
    case "@front":
      return { ...state, room: showFront(state.room, fact.front) };
    case "@lost":
      return state.lost?.chatId === fact.chatId && state.lost.was === fact.was
        ? state
        : { ...state, lost: { chatId: fact.chatId, was: fact.was } };
    case "@found":
      return state.lost === null ? state : { ...state, lost: null };
    default:
      return reduceFact(state, fact);
  }
}

/** @param {DeskState} state @param {DeskState["map"]} map @returns {DeskState} */
const withMap = (state, map) => (map === state.map ? state : { ...state, map });
