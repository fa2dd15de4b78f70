/** Texts of a turn in the language of the page: its status and the notes of its run. Pure. */

import { hasClientTool } from "../asks/client-work-card.js";
import { noticeOf } from "../core/fault-words.js";
import { isClosed } from "../core/runs.js";
import { isArranged } from "./arrangement.js";
import { formatRange } from "./rooms.js";

/** @import { Live, RunNote, Translate, Turn } from "../types.js" */

/**
 * Describe a note of a run. A note without a code, as in old logs, is returned as it is.
 *
 * @param {RunNote} note
 * @param {Translate} t
 */
export function describeNote({ content, code, facts = {} }, t) {
  const { reason = "", rooms = [], name = "", begin = 0, end = 0, rows, columns = [], ranges = [] } = facts;
  switch (code) {
    case "variables_lost":
      return noticeOf({ type: "text", tone: "notice", content, code, facts: { reason } }, t).content;
    case "about_rooms":
      return t("chat.about_rooms", {
        rooms: t.list(rooms.map((room) => `${room.name} (${t.floor(room.floorId)})`)),
      });
    case "about_table":
      return t(rows ? "chat.about_some_rows" : "chat.about_table_rows", {
        table: name,
        n: t.number(rows ?? 0),
        begin: t.number(begin),
        end: t.number(end),
        columns: t.list(columns),
      });
    case "about_chart":
      return t("chat.about_chart_rows", {
        chart: name,
        ranges: t.list(ranges.map((range) => formatRange(range, t))),
      });
    default:
      return content;
  }
}

/**
 * @param {Turn} turn
 * @param {Live | null} live
 * @param {Translate} t
 */
export function describeStatus(turn, live, t) {
  if (isClosed(turn)) return summary(turn, t);
  if (turn.state === "queued")
    return turn.ahead > 1
      ? t("chat.queued", { n: turn.ahead })
      : t(turn.ahead ? "chat.queued_next" : "chat.starting");
  if (turn.state === "waiting" && awaitsClient(turn)) return t("chat.waiting_client");
  if (turn.state === "stopping" || turn.state === "waiting") return t(`chat.${turn.state}`);
  if (turn.step === null) return t("chat.starting");
  if (turn.program) return t("program.working");
  const share = promptShare(live);
  if (live?.prompt && share !== null) {
    const { processed, total } = live.prompt;
    return t("chat.reading_prompt", { share, processed: t.number(processed), total: t.number(total) });
  }
  const block = turn.blocks.findLast(
    (candidate) => candidate.kind === "step" && candidate.step === turn.step,
  );
  const called =
    block?.kind === "step" && block.code === null && block.calls.find((call) => call.state === "called");
  if (called && called.tool !== "python_interpreter" && !live?.code)
    return t("chat.using", { n: turn.step, tool: called.tool });
  const acts =
    block?.kind === "step" && (block.calls.length > 0 || block.printed !== null || block.code !== null);
  const doing = acts ? "running" : live?.code ? "writing" : "thinking";
  return t(`chat.${doing}`, { n: turn.step });
}

/** Return the percentage of the prompt that the model's server has read; null if unknown. @param {Live | null} live */
export const promptShare = (live) =>
  live?.prompt ? Math.floor((live.prompt.processed / live.prompt.total) * 100) : null;

/** Check whether the run waits for a browser and not for a person. @param {Turn} turn */
function awaitsClient(turn) {
  const open = turn.blocks.filter((block) => block.kind === "ask" && block.closed === null);
  return open.length > 0 && open.every((block) => block.kind === "ask" && hasClientTool(block.ask));
}

/**
 * @param {Turn} turn
 * @param {Translate} t
 */
function summary(turn, t) {
  const steps = turn.blocks.filter((block) => block.kind === "step");
  const time = steps.reduce((sum, block) => sum + (block.duration ?? 0), 0);
  if (steps.length === 0 || time === 0 || (steps.length === 1 && (isArranged(turn) || turn.isCode)))
    return ""; // the line of the single step has the same text
  if (turn.program)
    return t(turn.state === "finished" ? "program.done" : "program.ended", { time: t.duration(time) });
  return t(steps.length === 1 ? "chat.done_one" : "chat.done", { n: steps.length, time: t.duration(time) });
}
