// @ts-check
/** The floors of a building from the lowest to the highest. Pure. */

/** @import { Floor, MapDefinitionContent } from "../types.js" */

/** @param {MapDefinitionContent | null} building @returns {Floor[]} by their ordinal; those without one keep their order, after the others */
export function floorsInOrder(building) {
  const floors = building?.floors ?? [];
  return [...floors].sort((a, b) => (a.ordinal ?? Infinity) - (b.ordinal ?? Infinity) || 0);
}

/**
 * @param {MapDefinitionContent | null} building
 * @param {string | null} floorId
 * @param {number} step 1: one higher, -1: one lower
 * @returns {Floor | null}
 */
export function adjacentFloor(building, floorId, step) {
  const floors = floorsInOrder(building);
  const now = floors.findIndex((floor) => floor.floorId === floorId);
  return now < 0 ? null : (floors[now + step] ?? null);
}
