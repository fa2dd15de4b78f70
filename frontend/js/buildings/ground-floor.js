// @ts-check
/** Question how the ground floor is counted: the first floor above ground is 1F or G. */

import { el } from "../core/dom.js";
import { countedName } from "../core/floor-names.js";

/** @import { Translate } from "../types.js" */

let count = 0;

/**
 * Create the question.
 *
 * @param {Translate} t
 * @param {number | undefined} chosen
 * @param {(groundFloor: number) => void} choose
 */
export function groundFloorQuestion(t, chosen, choose) {
  const name = `ground-${count++}`;
  return el(
    "fieldset",
    { class: "building-ground" },
    el("legend", {}, t("building.ground")),
    el(
      "div",
      { class: "building-segments" },
      [1, 0].map((number) =>
        el(
          "label",
          {},
          el("input", {
            type: "radio",
            name,
            value: number,
            checked: number === chosen,
            on: { change: () => choose(number) },
          }),
          el("span", {}, [0, 1, 2].map((ordinal) => countedName(ordinal, number)[t.language]).join(" · ")),
        ),
      ),
    ),
  );
}
