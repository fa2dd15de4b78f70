/** Facts of a model in one line. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { factsOf, optionsOf } from "../../frontend/js/models/facts.js";

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

test("only options that are set are listed, a long body is cut", () => {
  const t = /** @type {any} */ (
    Object.assign((/** @type {string} */ key) => key.replace("models.set_", ""), { number: String })
  );
  const options = { temperature: 0, maxTokens: null, reasoningEffort: null, extraBody: {} };
  const line = (/** @type {any} */ more) =>
    optionsOf(/** @type {any} */ ({ ...model, options: { ...options, ...more } }), t);
  assert.equal(line({}), "temperature");
  assert.equal(line({ temperature: null }), "");
  assert.equal(line({ maxTokens: 9, reasoningEffort: "low" }), "temperature · max_tokens · effort");
  assert.equal(line({ temperature: null, extraBody: { top_k: 4, a: [1] } }), "top_k 4, a [1]");
  assert.equal(line({ temperature: null, extraBody: { text: "x".repeat(9_000) } }).length, 120);
});
