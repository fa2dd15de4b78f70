/** Result of a test: each part that differs, expected and got, and the inputs that changed. */

import { el } from "../core/dom.js";

/** @import { Translate } from "../types.js" */
/** @import { TestResult } from "./api.js" */

/** Parts that are listed; further ones are counted. */
const MOST = 30;

/** @param {TestResult} result @param {Translate} t */
export function resultOf({ parts, changed, verdict, reason }, t) {
  const lines = new Map(parts.map((part) => [JSON.stringify(part), part])); // a figure may stand twice in an answer
  const differing = [...lines.values()];
  const inputs = changed.map(({ name, after }) =>
    t(after ? "tests.changed" : "tests.missing", { name: inputName(name, t) }),
  );
  return el(
    "div",
    { class: "tests-result" },
    verdict === "failed" ? el("p", {}, reason) : null,
    differing.length
      ? el(
          "table",
          { class: "tests-parts" },
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ["part", "expected", "got"].map((head) => el("th", { scope: "col" }, t(`tests.${head}`))),
            ),
          ),
          el(
            "tbody",
            {},
            differing
              .slice(0, MOST)
              .map(({ kind, name, expected, got }) =>
                el(
                  "tr",
                  {},
                  el("th", { scope: "row", dir: "auto" }, t.pair(t(`tests.part_${kind}`), name || "–")),
                  el("td", { dir: "auto" }, expected || "–"),
                  el("td", { class: "tests-got", dir: "auto" }, got || "–"),
                ),
              ),
          ),
        )
      : null,
    differing.length > MOST ? el("p", {}, t("shared.and_more", { n: differing.length - MOST })) : null,
    inputs.length ? el("p", { class: "tests-changed" }, t.list(inputs)) : null,
    verdict === "right" && changed.some(({ name }) => name === "prompt")
      ? el("p", { class: "sheet-hint" }, t("tests.prompt_about"))
      : null,
  );
}

/** Return the name of an input in the language of the page. @param {string} name @param {Translate} t */
function inputName(name, t) {
  const [kind = "", ...file] = name.split(" ");
  return file.length ? file.join(" ") : t.has(`tests.input_${kind}`) ? t(`tests.input_${kind}`) : name;
}
