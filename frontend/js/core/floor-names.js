/** Names of the building's floors for the whole page: `t.floor(floorId)`. */

/** @import { DeskBus, Translate } from "../types.js" */

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
    t.floors = new Map((message.content.floors ?? []).map(({ floorId, floorName }) => [floorId, floorName]));
  });
}
