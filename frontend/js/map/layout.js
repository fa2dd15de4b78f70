// @ts-check
/**
 * Layout of icons and texts on a floor, for one zoom. Icons take the middle of their room, texts avoid icons, names
 * (map/names.js) avoid both. Pure.
 *
 * Boxes are in CSS pixels from the plan's own corner, so panning keeps them.
 */

import { boxAround, centre, toPlan, toScreen } from "./geometry.js";

/** @import { Direction, Floor, XY } from "../types.js" */
/** @import { Box, View } from "./geometry.js" */
/** @import { PlacedOverlay, PlacedText } from "./drawings.js" */
/** @import { Origin } from "../core/routes.js" */
/** @import { FloorScene } from "./scene.js" */
/** @import { PlacedArrow } from "./state.js" */

/** Measure of a text's width in CSS pixels. @typedef {(text: string, size: number, bold: boolean) => number} Measure */
/**
 * @typedef {{bitmapId: string, direction: Direction | null, room: string | null, box: Box, origin: Origin}} IconShape
 */
/**
 * @typedef {{text: string, at: XY, size: number, color: string, backgroundColor: string | null, room: string | null,
 *   box: Box, origin: Origin}} TextShape
 */
/** Getter of a room's box by name. @typedef {(name: string) => Box | null} BoxOf */

const ICON = { share: 0.4, least: 30, most: 80, gap: 6, loose: 32 };
const LINE = 1.3;

/**
 * Lay out icons and texts.
 *
 * @param {FloorScene} scene
 * @param {number} scale CSS pixels per plan pixel
 * @param {number} fit the scale at which icons have their nominal size; they grow with the plan
 * @param {Measure} measure
 * @returns {{icons: IconShape[], texts: TextShape[]}}
 */
export function layoutItems({ floor, plan, overlays, arrows }, scale, fit, measure) {
  const view = { scale, left: 0, top: 0 };
  /** @type {BoxOf} */
  const boxOf = (name) => {
    const room = plan.indexes.get(name);
    return room === undefined ? null : toScreen(view, plan.box(room));
  };
  const zoom = scale / fit;
  const icons = [
    ...iconsInRooms(boxOf, overlays, arrows, zoom),
    ...looseIcons(floor, view, boxOf, overlays, zoom),
  ];
  return { icons, texts: textsOf(floor, view, boxOf, overlays, icons, measure) };
}

/**
 * Return a converter of coordinates.
 *
 * @param {Floor} floor
 * @param {View} view
 * @returns {(at: XY) => XY} from the floor's own coordinates to the screen
 */
export function floorToScreen(floor, view) {
  return (at) => {
    const { x, y } = toPlan(floor, at);
    return { x: view.left + x * view.scale, y: view.top + y * view.scale };
  };
}

/**
 * Lay out one row per room, centred: icons first, then arrows.
 *
 * @param {BoxOf} boxOf
 * @param {PlacedOverlay[]} overlays
 * @param {PlacedArrow[]} arrows
 * @param {number} zoom
 * @returns {IconShape[]}
 */
function iconsInRooms(boxOf, overlays, arrows, zoom) {
  /** @type {Map<string, Omit<IconShape, "box">[]>} */
  const rows = new Map();
  const add = (
    /** @type {string} */ room,
    /** @type {string} */ bitmapId,
    /** @type {Direction | null} */ direction,
    /** @type {Origin} */ origin,
  ) => {
    rows.set(room, [...(rows.get(room) ?? []), { room, bitmapId, direction, origin }]);
  };
  for (const overlay of overlays) {
    if (overlay.type === "bitmap" && overlay.position.type === "rectangle" && !overlay.offset) {
      add(overlay.position.name, overlay.bitmapId, directionOf(overlay.bitmapId), overlay.origin);
    }
  }
  for (const arrow of arrows) add(arrow.room, `arrow_${arrow.direction}`, arrow.direction, arrow.origin);
  return [...rows].flatMap(([room, row]) => {
    const box = boxOf(room);
    if (!box) return [];
    const side = iconSide(box, row.length, zoom);
    const gap = ICON.gap * zoom;
    const { x, y } = centre(box);
    const first = x - ((row.length - 1) * (side + gap)) / 2;
    return row.map((icon, index) => ({
      ...icon,
      box: boxAround({ x: first + index * (side + gap), y }, side, side),
    }));
  });
}

/**
 * Return the side of an icon: 40 % of the room, from 30 to 80 px, at most the size of the room.
 *
 * @param {Box} box
 * @param {number} count icons in the row
 * @param {number} zoom
 */
function iconSide(box, count, zoom) {
  const least = Math.min(box.width, box.height);
  const nominal = Math.min(ICON.most * zoom, Math.max(ICON.least * zoom, ICON.share * least));
  const share = (box.width * 0.94 - (count - 1) * ICON.gap * zoom) / count;
  return Math.max(4, Math.min(nominal, least * 0.9, share));
}

/**
 * Lay out icons at a coordinate, or offset from the middle of their room.
 *
 * @param {Floor} floor
 * @param {View} view
 * @param {BoxOf} boxOf
 * @param {PlacedOverlay[]} overlays
 * @param {number} zoom
 * @returns {IconShape[]}
 */
function looseIcons(floor, view, boxOf, overlays, zoom) {
  return overlays.flatMap((overlay) => {
    if (overlay.type !== "bitmap" || (overlay.position.type === "rectangle" && !overlay.offset)) return [];
    const place = placeOf(floor, view, boxOf, overlay);
    if (!place) return [];
    const side = place.box ? iconSide(place.box, 1, zoom) : ICON.loose * zoom;
    const { bitmapId, origin } = overlay;
    const box = boxAround(place.at, side, side);
    return [{ bitmapId, direction: directionOf(bitmapId), room: place.room, box, origin }];
  });
}

/**
 * Lay out the texts of each room under its icons, or in its middle if it has none.
 *
 * @param {Floor} floor
 * @param {View} view
 * @param {BoxOf} boxOf
 * @param {PlacedOverlay[]} overlays
 * @param {IconShape[]} icons
 * @param {Measure} measure
 * @returns {TextShape[]}
 */
function textsOf(floor, view, boxOf, overlays, icons, measure) {
  const texts = overlays.filter((overlay) => overlay.type === "text");
  const stacked = texts.filter((text) => text.position.type === "rectangle" && !text.offset);
  /** @type {TextShape[]} */
  const shapes = [];
  const rooms = new Set(
    stacked.flatMap(({ position }) => (position.type === "rectangle" ? [position.name] : [])),
  );
  for (const room of rooms) {
    const box = boxOf(room);
    if (!box) continue;
    const roomTexts = stacked.filter(
      (text) => text.position.type === "rectangle" && text.position.name === room,
    );
    const lines = roomTexts.map((text) => ({ text, size: fitSize(text, box, measure) }));
    const tall = lines.reduce((sum, { size }) => sum + size * LINE + 4, 0);
    const above = icons.filter((icon) => icon.room === room).map((icon) => icon.box.top + icon.box.height);
    const { x, y } = centre(box);
    let top = above.length ? Math.max(...above) + 3 : y - tall / 2;
    for (const { text, size } of lines) {
      const high = size * LINE + 4;
      shapes.push(textShape(text, room, { x, y: top + high / 2 }, size, measure));
      top += high;
    }
  }
  for (const text of texts) {
    const place = stacked.includes(text) ? null : placeOf(floor, view, boxOf, text);
    if (place) shapes.push(textShape(text, place.room, place.at, text.fontSize, measure));
  }
  const ends = [floor.coordinateSystem.topLeft, floor.coordinateSystem.bottomRight].map(
    (corner) => view.left + toPlan(floor, corner).x * view.scale,
  );
  return shapes.map((shape) => (shape.backgroundColor ? keptBetween(shape, ends) : shape));
}

/**
 * Return a text moved to the side so that it does not reach over the plan's edge, if the plan is wide enough.
 *
 * @param {TextShape} shape
 * @param {number[]} ends of the plan, left and right
 * @returns {TextShape}
 */
function keptBetween(shape, [left = 0, right = 0]) {
  const { box } = shape;
  const shift = Math.max(left - box.left, 0) - Math.max(box.left + box.width - right, 0);
  if (shift === 0 || box.width > right - left) return shape;
  return {
    ...shape,
    at: { ...shape.at, x: shape.at.x + shift },
    box: { ...box, left: box.left + shift },
  };
}

/**
 * Return a font size.
 *
 * @param {PlacedText} text
 * @param {Box} box
 * @param {Measure} measure
 * @returns {number} a size at which it fits, at least 11
 */
function fitSize(text, box, measure) {
  const wide = measure(text.text, text.fontSize, true);
  return Math.min(text.fontSize, Math.max(11, (text.fontSize * (box.width - 10)) / Math.max(1, wide)));
}

/**
 * @param {PlacedText} overlay
 * @param {string | null} room
 * @param {XY} at
 * @param {number} size
 * @param {Measure} measure
 * @returns {TextShape}
 */
function textShape({ text, color, backgroundColor, origin }, room, at, size, measure) {
  const pad = backgroundColor ? 6 : 2;
  const box = boxAround(at, measure(text, size, true) + 2 * pad, size * LINE);
  return { text, at, size, color, backgroundColor: backgroundColor ?? null, room, box, origin };
}

/**
 * Return the place of an overlay.
 *
 * @param {Floor} floor
 * @param {View} view
 * @param {BoxOf} boxOf
 * @param {PlacedOverlay} overlay its offset is in virtual coordinates
 * @returns {{at: XY, room: string | null, box: Box | null} | null}
 */
function placeOf(floor, view, boxOf, { position, offset }) {
  const zero = toPlan(floor, { x: 0, y: 0 });
  const end = toPlan(floor, offset ?? { x: 0, y: 0 });
  const shift = { x: (end.x - zero.x) * view.scale, y: (end.y - zero.y) * view.scale };
  const box = position.type === "rectangle" ? boxOf(position.name) : null;
  if (position.type === "rectangle" && !box) return null;
  const plan = position.type === "coordinate" ? toPlan(floor, position) : { x: 0, y: 0 };
  const base = box ? centre(box) : { x: view.left + plan.x * view.scale, y: view.top + plan.y * view.scale };
  const room = position.type === "rectangle" ? position.name : null;
  return { at: { x: base.x + shift.x, y: base.y + shift.y }, room, box };
}

/** @param {string} bitmapId @returns {Direction | null} */
function directionOf(bitmapId) {
  const match = /^arrow_(up|down|left|right)$/.exec(bitmapId);
  return match ? /** @type {Direction} */ (match[1]) : null;
}
