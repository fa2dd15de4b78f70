// @ts-check
/** Description of the drawings for screen readers: colours and values, routes, the frame of a playback. Pure. */

import { highlightsOf, legendOf } from "./picture.js";
import { routeFacts } from "../core/routes.js";

/** @import { Translate } from "../types.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { PlacedRoute } from "../core/routes.js" */

/** Significant digits of a value. */
const DIGITS = 4;

/** Format a value with its unit. @param {number} value @param {string} unit @param {Translate} t */
export function formatValue(value, unit, t) {
  const integerDigits = value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
  const number = t.number(Number(value.toFixed(Math.min(20, Math.max(0, DIGITS - integerDigits)))));
  if (!unit) return number;
  return /^[%°′″\u2e80-\uffef]/.test(unit) && !unit.startsWith("°C") && !unit.startsWith("°F")
    ? `${number}${unit}`
    : `${number} ${unit}`;
}

/** Return the unit of the visible values. @param {MapPicture} picture @returns {string} */
export function unitOf({ playback, legend, live }) {
  if (live.painted && live.legend) return live.legend.unit;
  return (playback ? playback.legend : legend)?.unit ?? "";
}

/**
 * Describe the drawings.
 *
 * @param {MapPicture} picture
 * @param {Translate} t
 * @returns {string[]} sentences; none if there are no values and no routes
 */
export function answerSentences(picture, t) {
  const sentences = picture.routes.map((route) => routeSentence(route, t));
  const { playback } = picture;
  const frame = playback?.frames[playback.at];
  if (playback && frame)
    sentences.push(t("play.twin", { time: frame.time, n: playback.at + 1, count: playback.frames.length }));
  const colours = coloursSentence(picture, t);
  return colours ? [...sentences, colours] : sentences;
}

/**
 * Describe the coloured rooms.
 *
 * @param {MapPicture} picture
 * @param {Translate} t
 * @returns {string} the number of rooms with values, the highest and the lowest
 */
function coloursSentence(picture, t) {
  const legend = legendOf(picture);
  const rooms = highlightsOf(picture).flatMap(({ room, floorId, value }) =>
    value === undefined ? [] : [{ room, floorId, value }],
  );
  if (rooms.length === 0) return "";
  const unit = legend?.unit ?? "";
  const high = rooms.reduce((best, room) => (room.value > best.value ? room : best));
  const low = rooms.reduce((best, room) => (room.value < best.value ? room : best));
  const title = legend?.title || t("colours.values");
  const parts = [
    t(rooms.length === 1 ? "colours.twin_one" : "colours.twin", {
      title,
      n: t.number(rooms.length),
      high: high.room,
      most: formatValue(high.value, unit, t),
      low: low.room,
      least: formatValue(low.value, unit, t),
    }),
  ];
  if (legend && legend.missing > 0)
    parts.push(`${t("colours.missing", { n: t.number(legend.missing) })}${t.language === "ja" ? "。" : "."}`);
  return parts.join(" ");
}

/** @param {PlacedRoute} route @param {Translate} t */
function routeSentence(route, t) {
  const comma = t.language === "ja" ? "、" : ", ";
  const links = route.changes.map(({ name, kind, toFloorId }) =>
    t("route.twin_change", { link: name || t(`route.${kind}`), floor: t.floor(toFloorId) }),
  );
  const facts = [...routeFacts(route, t), ...links].join(comma);
  return t("route.twin", { start: route.start, goal: route.goal, facts });
}
