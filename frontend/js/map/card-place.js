// @ts-check
/**
 * Placement of a small card where it covers the least of the plan: beside the rooms if possible, never under the
 * pointer. Pure.
 */

import { centre } from "./geometry.js";

/** @import { XY } from "../types.js" */
/** @import { Box, Size } from "./geometry.js" */

/** CSS pixels between a room and its card, to the edge of the pane, and around the pointer. */
const CARD_GAP = 10;
const EDGE = 8;
const POINTER_RADIUS = 24;
/** Cost of a covered pixel: the pointer's area most, then overlays, then rooms; distance costs a little. */
const COST = { pointer: 1000, overlay: 8, room: 1, sourceRoom: 0.6, far: 12 };

/**
 * Return the cheapest place.
 *
 * @param {Size} card
 * @param {Box} room the card's room, on the screen
 * @param {XY} at the pointer
 * @param {Size} pane
 * @param {{ rooms: Box[], overlays: Box[] }} others visible rooms (possibly including the card's own), and overlays of
 *   the pane
 * @returns {Box} always inside the pane
 */
export function leastCovering(card, room, at, pane, { rooms, overlays }) {
  const { x, y } = centre(room);
  const around = {
    left: at.x - POINTER_RADIUS,
    top: at.y - POINTER_RADIUS,
    width: 2 * POINTER_RADIUS,
    height: 2 * POINTER_RADIUS,
  };
  const lefts = [
    room.left + room.width + CARD_GAP,
    room.left - CARD_GAP - card.width,
    x - card.width / 2,
    EDGE,
    pane.width - EDGE - card.width,
  ];
  const tops = [
    room.top + room.height + CARD_GAP,
    room.top - CARD_GAP - card.height,
    y - card.height / 2,
    EDGE,
    pane.height - EDGE - card.height,
    ...edges(rooms, card.height),
  ];
  const cost = (/** @type {Box} */ box) =>
    COST.pointer * shared(box, around) +
    COST.overlay * sum(overlays, box) +
    COST.room * sum(rooms, box) -
    (COST.room - COST.sourceRoom) * shared(box, room) +
    COST.far * Math.hypot(centre(box).x - x, centre(box).y - y);
  let best = { left: EDGE, top: EDGE, width: card.width, height: card.height };
  let least = Infinity;
  for (const left of lefts) {
    for (const top of tops) {
      const box = {
        ...best,
        left: within(left, pane.width - card.width),
        top: within(top, pane.height - card.height),
      };
      const costs = cost(box);
      if (costs < least) [best, least] = [box, costs];
    }
  }
  return best;
}

/**
 * Return the places just above the highest room and just below the lowest one.
 *
 * @param {Box[]} rooms
 * @param {number} height
 */
function edges(rooms, height) {
  if (rooms.length === 0) return [];
  return [
    Math.min(...rooms.map(({ top }) => top)) - CARD_GAP - height,
    Math.max(...rooms.map((room) => room.top + room.height)) + CARD_GAP,
  ];
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.min(Math.max(EDGE, value), Math.max(EDGE, most - EDGE));

/**
 * Add up overlaps.
 *
 * @param {Box[]} boxes
 * @param {Box} box
 * @returns {number} square pixels of the box that the boxes cover
 */
const sum = (boxes, box) => boxes.reduce((all, other) => all + shared(other, box), 0);

/** @param {Box} first @param {Box} other @returns {number} square pixels */
function shared(first, other) {
  const wide =
    Math.min(first.left + first.width, other.left + other.width) - Math.max(first.left, other.left);
  const high = Math.min(first.top + first.height, other.top + other.height) - Math.max(first.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}
