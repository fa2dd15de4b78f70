/** Closed parts of the building: what can be closed, and finding it by name on a large floor. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { matchesOf, offersOf, typedPart } from "../../frontend/js/map/closures-choice.js";
import { partKey } from "../../frontend/js/map/closures.js";
import { BUILDING, floor, rectangle } from "./messages.js";

const t = Object.assign((key, values) => [key, ...Object.values(values ?? {})].join(" "), {
  language: "en",
  floor: (id) => id,
});
const names = (offers) => offers.map(({ name }) => name);

test("a part is found by its name on a floor of 20,000 rooms, and what is closed is not offered", () => {
  const rooms = Array.from({ length: 20_000 }, (_, at) => rectangle(`Room ${at}`, { id: `r${at}` }));
  const large = floor("1", rooms);
  const offers = offersOf({ ...BUILDING, floors: [large], links: [] }, large, t);
  assert.equal(offers.length, 20_001);
  assert.deepEqual(names(matchesOf(offers, "room 7", new Set(), 3)), ["Room 7", "Room 70", "Room 71"]);
  assert.deepEqual(names(matchesOf(offers, "19999", new Set(), 50)), ["Room 19999"]);
  const part = typedPart(offers, " ＲＯＯＭ　7 ", new Set());
  assert.deepEqual(part, { kind: "room", floorId: "1", rooms: ["Room 7"] });
  const closed = new Set([partKey(part)]);
  assert.deepEqual(names(matchesOf(offers, "Room 7", closed, 1)), ["Room 70"]);
  assert.equal(typedPart(offers, "Room 7", closed), null); // several names contain it, none is it
  assert.equal(typedPart(offers, "", closed), null);
});

test("two doors between the same rooms have different names", () => {
  const doors = [10, 20].map((x) => ({ rooms: ["A", "B"], at: { x, y: 5 } }));
  const plan = { ...floor("1", [rectangle("A"), rectangle("B")]), doors };
  const offers = names(offersOf({ ...BUILDING, floors: [plan], links: [] }, plan, t));
  const between = offers.filter((name) => name.includes("A") && name.includes("B"));
  assert.equal(between.length, 2);
  assert.equal(between[1], `${between[0]} (2)`);
});
