// @ts-check
/** Menu of a room: routes from it and to it, what is near, closing it or its doors, its names. */

import { answer } from "../core/api.js";
import { shownName } from "../core/building-names.js";
import { openMenuAt } from "../core/menu.js";
import { request } from "../core/session.js";
import { doorParts, isSamePart, roomPart } from "./closures.js";

/** @import { Closure, Floor, Rectangle, Translate, XY } from "../types.js" */
/** @import { MenuItem } from "../core/menu.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { RoomActions, Target } from "./room-entry.js" */
/** @typedef {Target & { picture: MapPicture }} Subject */
/** @typedef {RoomActions & { owner: HTMLElement, wait: (end: End) => void }} MenuActions */
/**
 * One end of a route; `isStart`: the goal is looked for.
 *
 * @typedef {{ isStart: boolean, room: Rectangle, label: string, question: (other: Target) => string }} End
 */

/** Doors that the menu itself lists; more have a menu of their own. */
const MAX_DOORS = 2;

/**
 * Open the menu.
 *
 * @param {Translate} t
 * @param {Subject} subject
 * @param {MenuActions} actions
 * @param {XY} at in CSS pixels of the window
 */
export function openRoomMenu(t, subject, actions, at) {
  const { floor, room, picture } = subject;
  const name = shownName(room, room.name, t.language);
  /** @param {Closure} part @returns {MenuItem} */
  const toggle = (part) => {
    const isClosed = picture.closures.some((other) => isSamePart(other, part));
    return {
      text: toggleText(t, subject, part, isClosed),
      drawing: part.kind === "door" ? "door" : "closed",
      act: () => actions.send({ type: "closures", [isClosed ? "reopen" : "close"]: [part] }),
    };
  };
  const doors = doorsOf(floor, room);
  const doorItems = doors !== null && doors.length <= MAX_DOORS ? doors.map(toggle) : [];
  const openDoors = async () => {
    const parts = doors ?? (await fetchDoors(actions.chatId(), floor, room));
    const items = parts.map(toggle);
    openMenuAt(actions.owner, t("room.doors_of", { room: name }), items.length ? items : [more], at);
  };
  /** @type {MenuItem} */
  const more = { text: t("closing.title"), drawing: "closed", act: actions.closures };
  openMenuAt(
    actions.owner,
    name,
    [
      {
        text: t("room.route_from"),
        drawing: "route",
        act: () => actions.wait(endOf(t, subject, true)),
      },
      {
        text: t("room.route_to"),
        drawing: "place",
        act: () => actions.wait(endOf(t, subject, false)),
      },
      {
        text: t("room.near"),
        drawing: "clock",
        act: () => actions.ask(t("room.ask_near", { room: callName(t, subject) })),
      },
      toggle(roomPart(floor.floorId, room.name)),
      ...doorItems,
      ...(doors === null || doors.length > MAX_DOORS
        ? [{ text: t("room.doors"), drawing: "door", act: () => void openDoors() }]
        : []),
      ...(picture.building?.buildingId
        ? [
            {
              text: t("building.rename"),
              drawing: "pencil",
              act: () => actions.names(floor.floorId, room.name),
            },
          ]
        : []),
    ],
    at,
  );
}

/** @param {Translate} t @param {Subject} subject @param {Closure} part of the room @param {boolean} isClosed */
function toggleText(t, { floor, room }, { kind, rooms }, isClosed) {
  if (kind === "room") return t(isClosed ? "room.reopen" : "room.close");
  const behind = rooms.find((name) => name !== room.name);
  if (behind === undefined) return t(isClosed ? "room.reopen_exit" : "room.close_exit");
  const other = floor.rectangles.find(({ name }) => name === behind) ?? {};
  return t(isClosed ? "room.reopen_door" : "room.close_door", {
    room: shownName(other, behind, t.language),
  });
}

/**
 * Return the doors of a room.
 *
 * @param {Floor} floor
 * @param {Rectangle} room
 * @returns {Closure[] | null} null if the plan has none: then the server assumes them where rooms touch
 */
function doorsOf(floor, { name }) {
  return floor.doors?.length ? doorParts(floor).filter(({ rooms }) => rooms.includes(name)) : null;
}

/** @param {string | null} chatId @param {Floor} floor @param {Rectangle} room @returns {Promise<Closure[]>} */
async function fetchDoors(chatId, { floorId }, { name }) {
  if (chatId === null) return [];
  const query = new URLSearchParams({ floorId, room: name });
  try {
    return (await answer(await request(`/api/chats/${encodeURIComponent(chatId)}/doors?${query}`))).doors;
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    return [];
  }
}

/** @param {Translate} t @param {Subject} subject @param {boolean} isStart @returns {End} */
function endOf(t, subject, isStart) {
  const label = callName(t, subject);
  return {
    isStart,
    room: subject.room,
    label,
    question: (other) => {
      const far = callName(t, { ...other, picture: subject.picture });
      return t("map.ask_3", isStart ? { room: label, goal: far } : { room: far, goal: label });
    },
  };
}

/**
 * Return the name to ask with: with its floor if several rooms have it.
 *
 * @param {Translate} t
 * @param {Subject} subject
 */
function callName(t, { floor, room, picture }) {
  const name = shownName(room, room.name, t.language);
  const floors = picture.building?.floors ?? [];
  const count = floors.reduce(
    (sum, { rectangles }) => sum + rectangles.filter((other) => other.name === room.name).length,
    0,
  );
  return count > 1 ? t("room.on_floor", { room: name, floor: t.floor(floor.floorId) }) : name;
}
