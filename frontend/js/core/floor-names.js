/** Names of the building's floors for the whole page: `t.floor(floorId)`. */

import { inLanguage } from "./building-names.js";

/** @import { DeskBus, Floor, Language, MapDefinitionContent, Translate } from "../types.js" */

const JAPANESE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** Names that are only a number, so that they do not tell how the ground floor is counted. */
const PLAIN_NUMBER = /^(?:floor|level|storey|l|lvl)?[\s_.-]*-?\d+(?:\.0)?$/i;

/**
 * Return the name of a floor in both languages. Names by language win. Otherwise a building has one name and one id for
 * each: the Japanese page shows the name, the English one whichever is not Japanese, the id first, else the number: B1,
 * 1F, 2F. Where the number of the ground floor is known, plain numbers are counted from it.
 *
 * @param {Pick<Floor, "floorId" | "floorName" | "ordinal" | "names">} floor
 * @param {number | undefined} [groundFloor] number of the ground floor, 0 or 1
 * @returns {Record<Language, string>}
 */
export function floorNames({ floorId, floorName, ordinal, names = {} }, groundFloor) {
  const counted =
    groundFloor !== undefined && ordinal !== undefined && isPlainNumber({ floorId, floorName })
      ? countedName(ordinal, groundFloor)
      : null;
  const en = [floorId, floorName].find((name) => name && !JAPANESE.test(name));
  const number = ordinal === undefined ? floorId : ordinal < 0 ? `B${-ordinal}` : `${ordinal + 1}F`;
  const english = inLanguage(names, "en");
  return {
    en: english ?? counted?.en ?? en ?? number,
    ja: inLanguage(names, "ja") ?? counted?.ja ?? english ?? (floorName || floorId),
  };
}

/** @param {Pick<Floor, "floorId" | "floorName">} floor */
export const isPlainNumber = ({ floorId, floorName }) => PLAIN_NUMBER.test(floorName || floorId);

/**
 * Return the name of a floor that is counted from the ground.
 *
 * @param {number} ordinal
 * @param {number} groundFloor
 * @returns {Record<Language, string>}
 */
export function countedName(ordinal, groundFloor) {
  if (ordinal < 0) return { en: `B${-ordinal}`, ja: `地下${-ordinal}階` };
  const number = ordinal + groundFloor;
  return number === 0 ? { en: "G", ja: "地上階" } : { en: `${number}F`, ja: `${number}階` };
}

/**
 * Return whether the person has to say how the ground floor is counted: it has one, and its name does not tell.
 *
 * @param {MapDefinitionContent} building
 */
export function asksGroundFloor({ floors, groundFloor }) {
  const ground = floors.find(({ ordinal }) => ordinal === 0);
  return groundFloor === undefined && ground !== undefined && floors.length > 1 && isPlainNumber(ground);
}

/**
 * Update the floor names with each building. Call it before the panes are created, so that their first drawing has the
 * names.
 *
 * @param {DeskBus} bus
 * @param {Translate} t
 */
export function followFloors(bus, t) {
  const undo = [
    bus.on("message", (message) => {
      if (message.type === "map_definition") nameFloors(message.content, t);
    }),
    bus.on("fact", (fact) => {
      if (fact.type === "@building") nameFloors(fact.building, t);
    }),
  ];
  return () => undo.forEach((stop) => stop());
}

/** @param {MapDefinitionContent} building @param {Translate} t */
function nameFloors({ floors, groundFloor }, t) {
  t.floors = new Map((floors ?? []).map((floor) => [floor.floorId, floorNames(floor, groundFloor)]));
}
