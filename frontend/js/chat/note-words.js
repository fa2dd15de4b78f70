/** What a run notes, in the language of the page; as it came where it has no code, as in logs of before. Pure. */

import { noticeOf } from "./fault-words.js";
import { rangeWords } from "./rooms.js";

/** @import { RunNote, Translate } from "../types.js" */

/** @param {RunNote} note @param {Translate} t */
export function noteWords({ content, code, facts = {} }, t) {
  const { reason = "", rooms = [], name = "", begin = 0, end = 0, columns = [], ranges = [] } = facts;
  switch (code) {
    case "variables_lost":
      return noticeOf({ type: "text", tone: "notice", content, code, facts: { reason } }, t).content;
    case "about_rooms":
      return t("chat.about_rooms", {
        rooms: rooms.map((room) => `${room.name} (${t.floor(room.floorId)})`).join(", "),
      });
    case "about_table":
      return t("chat.about_table_rows", {
        table: name,
        begin: t.number(begin),
        end: t.number(end),
        columns: columns.join(", "),
      });
    case "about_chart":
      return t("chat.about_chart_rows", {
        chart: name,
        ranges: ranges.map((range) => rangeWords(range, t)).join(", "),
      });
    default:
      return content;
  }
}
