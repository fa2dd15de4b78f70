// @ts-check
/** Floors of a building from the lowest to the highest. Pure. */

/** @import { Floor, MapDefinitionContent } from "../types.js" */

/**
 * Order the floors.
 *
 * @param {MapDefinitionContent | null} building
 * @returns {Floor[]} by ordinal; floors without one keep their order, after the others
 */
export function floorsInOrder(building) {
  const floors = building?.floors ?? [];
  return [...floors].sort((a, b) => (a.ordinal ?? Infinity) - (b.ordinal ?? Infinity) || 0);
}

/**
 * Return the next floor up or down.
 *
 * @param {MapDefinitionContent | null} building
 * @param {string | null} floorId
 * @param {number} step 1: up, -1: down
 * @returns {Floor | null}
 */
export function adjacentFloor(building, floorId, step) {
  const floors = floorsInOrder(building);
  const now = floors.findIndex((floor) => floor.floorId === floorId);
  return now < 0 ? null : (floors[now + step] ?? null);
}
