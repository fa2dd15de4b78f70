/** Facts of a model in one line. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { factsOf } from "../../frontend/js/models/facts.js";

/** @type {any} */
const named = (/** @type {string} */ key) => key;
const model = {
  id: "m",
  model: "m",
  server: "",
  address: "",
  context: null,
  inputPrice: null,
  outputPrice: null,
};

test("a model that answers by a schema is said to, one that does not or may not is not", () => {
  const texts = [true, false, null].map((structured) =>
    factsOf(/** @type {any} */ ({ ...model, images: true, structured }), named),
  );
  assert.deepEqual(texts, ["models.images · models.structured", "models.images", "models.images"]);
});
