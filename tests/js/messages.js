/** Messages of the server for tests of the pure modules, with the fields of smoldesk/messages. */

import { readFileSync } from "node:fs";

export const BUILDING = JSON.parse(
  readFileSync(new URL("../page_panes/building.json", import.meta.url), "utf-8"),
);
export const DEFINITION = { type: "map_definition", content: BUILDING };

export const userMessage = (runId, content) => ({ type: "user_message", content, ahead: 0, runId });
export const run = (runId, state, more = {}) => ({
  type: "run",
  runId,
  content: { runId, state, notes: [], ...more },
});
export const text = (runId, content) => ({ type: "text", content, tone: "answer", runId });
export const code = (runId, content) => ({
  type: "code",
  content,
  language: "python",
  step: "Step 1",
  runId,
});
export const delta = (runId, kind, content) => ({ type: "delta", kind, content, step: 1, runId });
export const debug = (runId) => ({
  type: "debug",
  runId,
  content: { agent_response: {}, parsed_outputs: [], output_count: 0 },
});
export const tool = (runId, state, more) => ({
  type: "tool",
  runId,
  content: { callId: "c1", tool: "draw_arrow", state, step: 1, ...more },
});

export const rectangle = (name, more = {}) => ({
  name,
  color: "#0066ff",
  strokeOpacity: 1,
  fillOpacity: 0.3,
  showName: true,
  ...more,
});
export const inRoom = (name) => ({ type: "rectangle", name });
export const textOverlay = (content, position, more = {}) => ({
  type: "text",
  text: content,
  fontSize: 14,
  color: "#000000",
  position,
  ...more,
});
export const bitmap = (bitmapId, position) => ({ type: "bitmap", bitmapId, position });
export const legend = (values = [18, 21, 24], more = {}) => ({
  type: "legend",
  title: "Temperature",
  unit: "°C",
  stops: values.map((value) => ({ value, color: "#21918c" })),
  missing: 2,
  ...more,
});

export const map = (floorId, rectangles = [], overlays = [], more = {}) => ({
  type: "map",
  content: { floorId, timestamp: "", rectangles, overlays, ...more },
});
export const points = (...items) => ({ type: "map", content: { points: items, description: "Cities" } });
export const named = (rooms, runId = "r0") => ({ type: "highlight_room", content: { rooms }, runId });
export const arrow = (room, direction = "up") => ({ type: "arrow", content: { room, direction } });
export const frames = (items, more = {}) => ({
  type: "map_frames",
  content: { floorId: "1F", frames: items, legend: legend(), ...more },
});
export const CLEAR_ARROWS = { type: "clear_arrows", content: {} };
export const CLEAR_MAP = { type: "clear_map", content: {} };

/** Route from Room1 on 1F by the lift to the Library on 2F. */
export const route = (more = {}) => ({
  type: "route",
  start: "Room1",
  goal: "Library",
  length: 32.9,
  unit: "m",
  seconds: 75,
  accessible: true,
  legs: [
    {
      floorId: "1F",
      points: [
        { x: 75, y: 45 },
        { x: 155, y: 180 },
      ],
    },
    {
      floorId: "2F",
      points: [
        { x: 155, y: 50 },
        { x: 100, y: 150 },
      ],
    },
  ],
  changes: [
    {
      kind: "lift",
      name: "Lift A",
      fromFloorId: "1F",
      toFloorId: "2F",
      at: { x: 155, y: 180 },
      to: { x: 155, y: 50 },
    },
  ],
  steps: [
    { action: "start", text: "Start in Room1", leg: 0, room: "Room1" },
    { action: "arrive", text: "Arrive", leg: 1, room: "Library" },
  ],
  ...more,
});

/** A room of a floor, by its corners in virtual coordinates. */
export const room = (name, left, top, right, bottom, more = {}) => ({
  name,
  topLeft: { x: left, y: top },
  bottomRight: { x: right, y: bottom },
  ...more,
});

/** A room with an outline. */
export function polygon(name, ...corners) {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return room(name, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), {
    polygon: corners.map(([x, y]) => ({ x, y })),
  });
}

/** A floor without an image: two plan pixels to a unit and a margin of 20. */
export const floor = (floorId, rectangles = [], { wide = 500, high = 200, ...more } = {}) => ({
  floorId,
  floorName: floorId,
  floorImage: "",
  rectangles,
  doors: [],
  coordinateSystem: {
    topLeft: { px: 20, py: 20, x: 0, y: 0 },
    bottomRight: { px: 20 + 2 * wide, py: 20 + 2 * high, x: wide, y: high },
  },
  ...more,
});
