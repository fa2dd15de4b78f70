// @ts-check
/** One-line summaries of messages, in the terms of the wire. Pure. */

/**
 * @typedef {{type: string, content?: unknown, seq?: number, runId?: string, timestamp?: string, [field: string]:
 *   unknown}} AnyMessage
 */
/** @typedef {Record<string, any>} Fields */

const LONGEST = 240;

/** @type {Record<string, (content: Fields, message: Fields) => string>} */
const LINES = {
  run: ({ state, step, text }) =>
    [state, step !== undefined && `step ${step}`, text].filter(Boolean).join(" · "),
  debug: ({ output_count, agent_response: { agent } = {} }) =>
    [typeof agent === "string" && agent, `${output_count} ${output_count === 1 ? "output" : "outputs"}`]
      .filter(Boolean)
      .join(" · "),
  prompt_progress: ({ processed, total }) => `prompt ${processed} / ${total}`,
  model_call: ({ model, error }) => [model, error].filter(Boolean).join(" · "),
  tool: ({ tool, state, arguments: input, result }) =>
    state === "called" ? `${tool}(${call(input)})` : [`${tool} ${state}`, result].filter(Boolean).join(" · "),
  tool_progress: ({ agent, state, share, text }) =>
    [agent, state, share === undefined ? "" : `${Math.round(share * 100)}%`, text]
      .filter(Boolean)
      .join(" · "),
  image: (_, { path, format, width, height }) =>
    [path ?? format, width && `${width} × ${height}`].filter(Boolean).join(" · "),
  table: ({ name, rowCount, columns }) => `${name} · ${rowCount} × ${columns?.length}`,
  chart: ({ name, description, rows }) =>
    [name, rows !== undefined && `${rows} rows`, description].filter(Boolean).join(" · "),
  chart_changed: ({ chart: { name, changes = {} } }) =>
    [name, ...Object.entries(changes).map(([control, value]) => `${control} ${value || "none"}`)].join(" · "),
  mcp_app: ({ title, server, state }) => [title, server, state].join(" · "),
  reading: ({ chips, corrected }) =>
    [corrected && "corrected", chips.map((/** @type {Fields} */ chip) => chip.text).join(", ")]
      .filter(Boolean)
      .join(" · "),
  evidence: ({ figures, supported, total }) =>
    [
      `${supported} of ${total} figures from this run`,
      ...figures.map(
        (/** @type {Fields} */ { text, status, operation }) =>
          `${text} ${[status, operation].filter(Boolean).join(" ")}`,
      ),
    ].join(" · "),
  file: ({ name, size }) => `${name} · ${size} B`,
  map: ({ points, description, floorId, rectangles, overlays }) =>
    points
      ? [`${points.length} points`, description].filter(Boolean).join(" · ")
      : [
          floorId,
          rectangles?.map((/** @type {Fields} */ room) => room.name).join(", "),
          overlays?.length && `${overlays.length} overlays`,
        ]
          .filter(Boolean)
          .join(" · "),
  map_frames: ({ floorId, frames }) => `${floorId} · ${frames.length} frames`,
  json: (content, { name }) => [name, JSON.stringify(content).slice(0, LONGEST)].filter(Boolean).join(" · "),
  arrow: ({ room, direction }) => `${room} · ${direction}`,
  highlight_room: ({ rooms }) => rooms.join(", "),
  map_definition: ({ floors, bitmaps }) => `${floors.length} floors · ${bitmaps.length} bitmaps`,
  chat: ({ agent, agentName, model, title }) =>
    [title, agentName ?? agent, model].filter(Boolean).join(" · "),
  ask: ({ kind, tool, prompt }) => [kind, tool, prompt].filter(Boolean).join(" · "),
  ask_closed: ({ granted, reason, scope, by }) =>
    [granted ? "granted" : "denied", scope !== "call" && scope, by !== "person" && by, reason]
      .filter(Boolean)
      .join(" · "),
  policy: ({ tool, policy }) => `${tool} · ${policy}`,
  clear_arrows: () => "",
  clear_map: () => "",
};

/**
 * Summarise a message.
 *
 * @param {AnyMessage} message
 * @returns {string} without line breaks; the JSON if the message is unknown or malformed
 */
export function summarise(message) {
  const { content } = message;
  return singleLine(
    lineOf(message) ?? (typeof content === "string" ? content : (JSON.stringify(content) ?? "")),
  );
}

/** @param {AnyMessage} message @returns {string | null} */
function lineOf(message) {
  const line = LINES[message.type];
  if (!line) return null;
  try {
    return line(/** @type {Fields} */ (message.content ?? {}), message);
  } catch (fault) {
    if (fault instanceof TypeError) return null; // a field is missing; the JSON is shown instead
    throw fault;
  }
}

/** @param {string} text */
function singleLine(text) {
  return text
    .slice(0, LONGEST * 2)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST);
}

/** @param {Fields | undefined} input */
function call(input) {
  return Object.entries(input ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ");
}
