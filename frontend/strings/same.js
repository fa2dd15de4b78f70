/**
 * Keys that the page composes (`layout.${name}`), each with the key of the same text: every text stands once per
 * language. A key that a script names is no entry: the script names the other one.
 *
 * @type {Record<string, string>}
 */
export const same = {
  "bgm.pause": "shared.pause",
  "bgm.play": "shared.play",
  "card.answer_note_keep": "card.answer_total_keep",
  "card.answer_ragged_leave": "card.answer_hidden_leave",
  "card.of_range": "grid.range",
  "card.separator_space": "replay.space",
  "chart.top_none": "talk.filter_all",
  "chat.agent_failed": "chat.step_failed",
  "chat.agent_running": "shared.working",
  "chat.agent_stopped": "chat.call_stopped",
  "chat.call_failed": "chat.step_failed",
  "debug.code": "shared.code",
  "debug.kind_code": "shared.code",
  "debug.kind_model": "shared.model",
  "debug.kind_output": "chat.output",
  "debug.kind_step": "chat.steps",
  "debug.outputs": "chat.output",
  "exams.failed": "report.state_failed",
  "exams.group_all": "grid.all_values",
  "fault.run_lost_hint": "fault.server_restarted_hint",
  "help.group_composer": "chat.composer",
  "help.group_map": "map.label",
  "layout.debug": "debug.label",
  "layout.lean": "shared.automatic",
  "mcp.state_failed": "chat.step_failed",
  "mentions.column": "shared.columns",
  "report.kind_map": "layout.map",
  "report.kind_table": "card.table",
  "report.kind_text": "card.answer_mixed_text",
  "talk.kind_ai": "exams.agent",
  "tests.failed": "report.state_failed",
  "tests.input_tools": "models.feature_tools",
  "tests.part_table": "card.table",
  "version.pane_chat": "report.kind_answer",
};
