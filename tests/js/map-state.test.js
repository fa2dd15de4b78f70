/** State of the map after messages and choices of the person, as a table. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { initialState, reduce } from "../../frontend/js/page/state.js";
import { gradientOf, ticksOf } from "../../frontend/js/map/legend.js";
import { drawnOn, highlightsOf, legendOf } from "../../frontend/js/map/picture.js";
import { emptyMap, reduceMap } from "../../frontend/js/map/state.js";
import {
  arrow,
  bitmap,
  BUILDING,
  CLEAR_ARROWS,
  CLEAR_MAP,
  DEFINITION,
  frames,
  inRoom,
  legend,
  map,
  named,
  points,
  rectangle,
  route,
  textOverlay,
} from "./messages.js";

const show = (floorId, ...rooms) =>
  map(
    floorId,
    rooms.map((name) => rectangle(name, { color: "#ff0000" })),
  );
const withText = (floorId, name) => map(floorId, [rectangle(name)], [textOverlay("Exit", inRoom(name))]);
const value = (name, number, more) => rectangle(name, { value: number, ...more });
const source = { step: 1, line: 3, code: "color_rooms()" };
const warmth = () =>
  map(
    "1F",
    [value("Room1", 18), value("Kitchen", 24), value("Library", 20.5, { floorId: "2F" })],
    [legend()],
    { source },
  );
const routed = (...routes) => map("1F", [], routes);
const played = (count) =>
  frames(
    Array.from({ length: count }, (_, n) => ({
      time: `Day ${n}`,
      rectangles: [value("Room1", n), ...(n % 2 ? [] : [value("Library", 7, { floorId: "2F" })])],
    })),
  );
const pick = (type, more = {}) => ({ type: `@${type}`, ...more });
const tokyo = { lat: 35.6, lon: 139.6, name: "Tokyo" };
const firstFloor = { ...DEFINITION, content: { ...BUILDING, floors: BUILDING.floors.slice(0, 1) } };
const LAST = { floorId: "2F", highlights: ["2F Library"] };

/** Summarise the picture after these messages and facts. */
function replay(messages) {
  const picture = messages.reduce((state, message) => reduce(state, message), initialState()).map;
  const shownLegend = legendOf(picture);
  const rooms = highlightsOf(picture);
  return {
    floorId: picture.floorId,
    earth: picture.onEarth,
    points: picture.points
      ? `${picture.points.kind} ${picture.points.floorId} ${picture.points.points.map(({ name }) => name)}`
      : "",
    highlights: rooms.map((room) =>
      [room.floorId, room.room, room.value].filter((part) => part !== undefined).join(" "),
    ),
    colours: rooms.map(({ color }) => color),
    source: rooms[0]?.origin.source,
    overlays: picture.overlays.map(({ type }) => type),
    arrows: picture.arrows.map((placed) => `${placed.floorId} ${placed.room} ${placed.direction}`),
    legend: shownLegend ? `${shownLegend.title} ${shownLegend.stops.length}` : "",
    routes: picture.routes.map(
      ({ start, goal, legs, steps }) =>
        `${start} ${goal} ${legs.map(({ floorId }) => floorId)} ${steps.length}`,
    ),
    drawn: drawnOn(picture).map(({ floorId }) => floorId),
    frames: picture.playback?.frames.length ?? 0,
    at: picture.playback?.at,
    notes: picture.notes.map(({ key }) => key),
  };
}

/** @type {Record<string, [object[], object]>} */
const TABLE = {
  "the first floor is shown at first": [[], { floorId: "1F", notes: [] }],
  "a map command goes to its floor": [[show("2F", "Library")], LAST],
  "a map command replaces the one before it": [
    [withText("2F", "Library"), show("1F", "Kitchen")],
    { floorId: "1F", highlights: ["1F Kitchen"], overlays: [] },
  ],
  "a map command leaves arrows alone": [[arrow("Kitchen"), show("1F")], { arrows: ["1F Kitchen up"] }],
  "an arrow goes to the floor that has its room": [
    [arrow("Library")],
    { floorId: "2F", arrows: ["2F Library up"] },
  ],
  "an arrow prefers the shown floor": [
    [show("2F"), arrow("Room1")],
    { arrows: ["2F Room1 up"], floorId: "2F" },
  ],
  "the same arrow is drawn once": [
    [arrow("Kitchen"), arrow("kitchen"), arrow("Kitchen", "left")],
    { arrows: ["1F Kitchen up", "1F Kitchen left"] },
  ],
  "clear_arrows of a run clears arrows only": [
    [show("1F", "Room1"), arrow("Kitchen"), { ...CLEAR_ARROWS, runId: "r1" }],
    { arrows: [], highlights: ["1F Room1"] },
  ],
  "the person clears all that answers drew": [
    [show("1F", "Room1"), arrow("Kitchen"), named(["Toilet"]), pick("map_cleared")],
    { arrows: [], highlights: [], floorId: "1F" },
  ],
  "and does so for other pages and after a reload": [
    [show("1F", "Room1"), arrow("Kitchen"), named(["Toilet"]), CLEAR_ARROWS],
    { arrows: [], highlights: [], floorId: "1F" },
  ],
  "clear_map clears everything": [
    [withText("1F", "Room1"), show("1F", "Nowhere", "Room1"), arrow("Kitchen"), CLEAR_MAP],
    { arrows: [], highlights: [], overlays: [], notes: [], floorId: "1F" },
  ],
  "highlight_room is blue and finds its floor": [[named(["Library"])], { ...LAST, colours: ["#0066ff"] }],
  "highlight_room stands beside what the map shows, which keeps its colours": [
    [show("1F", "Room1"), named(["Kitchen", "Room1"]), arrow("Toilet")],
    { highlights: ["1F Room1", "1F Kitchen"], colours: ["#ff0000", "#0066ff"], arrows: ["1F Toilet up"] },
  ],
  "a room the same run names is added": [
    [named(["Kitchen"], "r1"), named(["Toilet", "Kitchen"], "r1")],
    { highlights: ["1F Toilet", "1F Kitchen"] },
  ],
  "rooms another run names take the place of the earlier ones": [
    [named(["Kitchen"], "r1"), named(["Toilet"], "r2")],
    { highlights: ["1F Toilet"] },
  ],
  "a later map replaces the rooms that were named": [
    [named(["Kitchen"]), show("1F", "Room1")],
    { highlights: ["1F Room1"] },
  ],
  "clear_map clears the rooms that were named": [[named(["Kitchen"]), CLEAR_MAP], { highlights: [] }],
  "a room named on another floor leaves the map of its run in sight": [
    [{ ...show("1F", "Room1"), runId: "r1" }, named(["Library"], "r1")],
    { floorId: "1F", highlights: ["1F Room1", "2F Library"] },
  ],
  "points by x and y lie on the shown floor and replace the map before": [
    [show("2F", "Library"), points({ x: 1, y: 2, name: "A" }, { x: 3, y: 4 })],
    { floorId: "2F", highlights: [], points: "plan 2F A,", earth: false },
  ],
  "points by lat and lon are shown in place of the plan": [
    [points(tokyo), arrow("Nowhere")],
    { floorId: "1F", points: "earth null Tokyo", earth: true },
  ],
  "an arrow brings the plan back": [[points(tokyo), arrow("Kitchen")], { floorId: "1F", earth: false }],
  "clear_map brings the plan back": [[points(tokyo), CLEAR_MAP], { earth: false, points: "" }],
  "a map of rooms brings the plan back": [
    [points(tokyo), show("2F", "Library")],
    { earth: false, points: "", floorId: "2F" },
  ],
  "the person goes to a floor and back to the points": [
    [points(tokyo), pick("floor", { floorId: "2F" }), pick("earth")],
    { earth: true, floorId: "2F" },
  ],
  "a floor that is not there changes nothing": [
    [show("2F", "Library"), pick("floor", { floorId: "9F" })],
    LAST,
  ],
  "a drawing that is pointed at brings its floor": [
    [{ ...arrow("Library"), seq: 1 }, pick("floor", { floorId: "1F" }), pick("drawing", { seq: 1 })],
    { floorId: "2F" },
  ],
  "points that are pointed at bring the earth": [
    [{ ...points(tokyo), seq: 1 }, pick("floor", { floorId: "2F" }), pick("drawing", { seq: 1 })],
    { earth: true },
  ],
  "what drew nothing here brings no floor": [[show("2F", "Library"), pick("drawing", { seq: 9 })], LAST],
  "without points there is no earth": [[pick("earth")], { earth: false }],
  "an unknown floor is noted and changes nothing": [
    [show("2F", "Library"), show("9F", "Room1")],
    { ...LAST, notes: ["map.no_floor"] },
  ],
  "an unknown room is noted and the others are drawn": [
    [show("1F", "Nowhere", "Room1")],
    { highlights: ["1F Room1"], notes: ["map.no_room"] },
  ],
  "an arrow in an unknown room is noted": [[arrow("Nowhere")], { arrows: [], notes: ["map.no_room"] }],
  "an unknown bitmap is noted": [
    [map("1F", [], [bitmap("dog", { type: "coordinate", x: 1, y: 2 })])],
    { overlays: [], notes: ["map.no_bitmap"] },
  ],
  "a text beside an unknown room is noted and the others are drawn": [
    [map("1F", [], [textOverlay("a", inRoom("Nowhere")), textOverlay("b", inRoom("Room1"))])],
    { overlays: ["text"], notes: ["map.no_room"] },
  ],
  "a map of which nothing can be drawn leaves the last good map": [
    [show("2F", "Library"), show("1F", "Atrium", "Lobby")],
    { ...LAST, notes: ["map.no_room", "map.no_room"] },
  ],
  "the building again keeps what is drawn": [
    [show("2F", "Library"), arrow("Room1"), DEFINITION],
    { ...LAST, arrows: ["2F Room1 up"] },
  ],

  "rooms have their value and their own floor": [
    [warmth()],
    { highlights: ["1F Room1 18", "1F Kitchen 24", "2F Library 20.5"], legend: "Temperature 3", notes: [] },
  ],
  "a legend is told on every floor that has a coloured room": [
    [warmth(), pick("floor", { floorId: "2F" })],
    { floorId: "2F", legend: "Temperature 3" },
  ],
  "a legend is not told on a floor without one": [
    [warmth(), pick("floor", { floorId: "B1" })],
    { floorId: "B1", legend: "" },
  ],
  "a legend goes with its map": [[warmth(), show("1F", "Room1")], { legend: "" }],
  "clear_map takes the legend, the route and the playback": [
    [warmth(), routed(route()), played(3), CLEAR_MAP],
    { legend: "", routes: [], frames: 0, highlights: [] },
  ],
  "a room on a floor that is not there is noted": [
    [map("1F", [value("Room1", 1), value("Kitchen", 2, { floorId: "9F" })])],
    { highlights: ["1F Room1 1"], notes: ["map.no_floor"] },
  ],
  "drawings know the code that made them": [[warmth()], { source }],
  "a route lies on its floors": [
    [routed(route())],
    { routes: ["Room1 Library 1F,2F 2"], floorId: "1F", notes: [], drawn: ["1F", "2F"] },
  ],
  "a later map takes the route": [[routed(route()), show("1F", "Room1")], { routes: [] }],
  "a route over an unknown floor leaves the last good map": [
    [
      show("2F", "Library"),
      routed(route({ legs: [{ floorId: "9F", points: [{ x: 1, y: 1 }] }], changes: [] })),
    ],
    { ...LAST, notes: ["map.no_floor"] },
  ],
  "of two routes the one that can be is drawn": [
    [routed(route({ legs: [{ floorId: "9F", points: [{ x: 1, y: 1 }] }] }), route())],
    { routes: ["Room1 Library 1F,2F 2"], notes: ["map.no_floor"] },
  ],
  "a playback shows its first frame": [
    [show("2F", "Library"), played(3)],
    { floorId: "1F", frames: 3, at: 0, highlights: ["1F Room1 0", "2F Library 7"], legend: "Temperature 3" },
  ],
  "another frame has its own rooms": [
    [played(3), pick("frame", { at: 1 })],
    { at: 1, highlights: ["1F Room1 1"], floorId: "1F" },
  ],
  "past the last frame is the last frame": [[played(3), pick("frame", { at: 99 })], { at: 2 }],
  "before the first frame is the first frame": [[played(3), pick("frame", { at: -1 })], { at: 0 }],
  "a map takes the playback": [[played(3), show("1F", "Kitchen")], { frames: 0, highlights: ["1F Kitchen"] }],
  "a playback of two thousand frames is read whole": [
    [played(2000), pick("frame", { at: 1999 })],
    { frames: 2000, at: 1999 },
  ],
  "a playback on an unknown floor leaves the last good map": [
    [show("2F", "Library"), frames([{ time: "", rectangles: [] }], { floorId: "9F" })],
    { ...LAST, notes: ["map.no_floor"] },
  ],
  "a room missing in every frame is noted once": [
    [
      frames(
        Array.from({ length: 50 }, (_, n) => ({
          time: `${n}`,
          rectangles: [value("Atrium", 0), value("Room1", n)],
        })),
      ),
    ],
    { frames: 50, notes: ["map.no_room"], highlights: ["1F Room1 0"] },
  ],
  "the building again keeps route": [[routed(route()), DEFINITION], { routes: ["Room1 Library 1F,2F 2"] }],
  "another building takes the route whose floor is gone": [[routed(route()), firstFloor], { routes: [] }],
  "another building takes the rooms of a frame whose floor is gone": [
    [played(3), firstFloor],
    { frames: 3, highlights: ["1F Room1 0"] },
  ],
};

for (const [name, [messages, expected]] of Object.entries(TABLE)) {
  test(name, () => {
    const picture = replay([DEFINITION, ...messages]);
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, picture[key]])), expected);
  });
}

test("messages before the building are drawn once it is there", () => {
  const messages = [show("2F", "Library"), arrow("Library")];
  assert.deepEqual(replay([...messages, DEFINITION]), replay([DEFINITION, ...messages]));
});

test("another building starts empty though its floors are called the same", () => {
  const drawn = [DEFINITION, withText("1F", "Room1"), named(["Kitchen"]), arrow("Room1")];
  const other = { ...DEFINITION, content: { ...BUILDING, buildingId: "b_other" } };
  assert.deepEqual(replay([...drawn, other]), replay([other]));
  assert.deepEqual(replay([...drawn, DEFINITION]), replay(drawn));
});

test("a message of another pane leaves the very same picture", () => {
  assert.equal(reduceMap(emptyMap, { type: "text", content: "hello", tone: "answer" }), emptyMap);
});

for (const values of [
  [1, 2],
  [5, 5],
  [0, 1, 2, 3, 4, 5, 6, 7, 8],
  [0, 0.01, 100],
  [-2, 0, 2],
  [3, 1, 2],
]) {
  test(`the numbers of a legend never touch: ${values}`, () => {
    const {
      map: { legend: expectedLegend },
    } = [DEFINITION, map("1F", [value("Room1", 1)], [legend(values)])].reduce(
      (state, message) => reduce(state, message),
      initialState(),
    );
    const ticks = ticksOf(expectedLegend);
    const places = ticks.map(({ at }) => at);
    assert.ok(places.every((at) => at >= 0 && at <= 1));
    assert.ok(places.every((at, index) => index === 0 || at - places[index - 1] >= 0.2 - 1e-9));
    assert.deepEqual([ticks[0].value, ticks.at(-1).value], [Math.min(...values), Math.max(...values)]);
    assert.ok(!gradientOf(expectedLegend).includes("NaN"));
  });
}
