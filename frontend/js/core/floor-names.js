/** What the floors of the chat's building are called, everywhere on the page: `t.floor(floorId)`. */

/** @import { DeskBus, Translate } from "../types.js" */

/** Follow the building; call before any pane is made, so that it is known when they draw. @param {DeskBus} bus @param {Translate} t */
export function followFloors(bus, t) {
  return bus.on("message", (message) => {
    if (message.type !== "map_definition") return;
    t.floors = new Map((message.content.floors ?? []).map(({ floorId, floorName }) => [floorId, floorName]));
  });
}
