/** What a terminal program wrote after its run was over: a quiet aside between the turns, as it was laid out. */

import { Printed } from "./stream.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { grown } from "./rope.js";

/** @import { Text, Translate } from "../types.js" */

/**
 * @param {Text} message
 * @param {Translate} t
 */
export function lateOutput({ content, seq }, t) {
  const printed = new Printed(t);
  printed.show(grown(null, content.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd()));
  return el("div", { class: "late", role: "note", "data-seq": seq },
    el("p", { class: "late-head" }, icon("terminal"), t("program.late")), printed.dom);
}
