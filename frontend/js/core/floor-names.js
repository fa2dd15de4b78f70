/** Names of the building's floors for the whole page: `t.floor(floorId)`. */

/** @import { DeskBus, Floor, Language, Translate } from "../types.js" */

const JAPANESE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/**
 * Return the name of a floor in both languages. A building has one name and one id for each. The Japanese page shows the
 * name; the English one shows whichever is not Japanese, the id first, else the number: B1, 1F, 2F.
 *
 * @param {Pick<Floor, "floorId" | "floorName" | "ordinal">} floor
 * @returns {Record<Language, string>}
 */
export function floorNames({ floorId, floorName, ordinal }) {
  const en = [floorId, floorName].find((name) => name && !JAPANESE.test(name));
  const number = ordinal === undefined ? floorId : ordinal < 0 ? `B${-ordinal}` : `${ordinal + 1}F`;
  return { en: en ?? number, ja: floorName || floorId };
}

/**
 * Update the floor names with each building. Call it before the panes are created, so that their first drawing has the
 * names.
 *
 * @param {DeskBus} bus
 * @param {Translate} t
 */
export function followFloors(bus, t) {
  return bus.on("message", (message) => {
    if (message.type !== "map_definition") return;
    t.floors = new Map((message.content.floors ?? []).map((floor) => [floor.floorId, floorNames(floor)]));
  });
}
