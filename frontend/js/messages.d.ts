// Made by scripts/message_types.py from the models of backend/smoldesk (make format): not to be edited.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** What the wire puts on a message that was made from an event; refusals, `chat` and `map_definition` have none. */
export interface Placed { seq?: number; runId?: string; timestamp?: string }

/** Evidence of the run's answer, which stands before its end. Without figures in the answer there is none. */
export interface Evidence extends Placed { type: "evidence"; content: EvidenceContent }
/**
 * Figures of an answer in their order, and their counts.
 *
 * `total` counts all but those of the question; `supported` those that this run produced or that derive from it;
 * `possible` those whose value the run has, but not clearly for what they say. With `isCut` the answer has more figures
 * than were examined.
 */
export interface EvidenceContent {
  figures: FigureEvidence[];
  total: number;
  supported: number;
  earlier: number;
  possible: number;
  unmatched: number;
  isCut?: boolean;
}
/**
 * Place of a value that a figure rests on.
 *
 * `cell`: `row` (from 0) and `column` of the shown table `tableId`, or without a column its number of rows. `printed`: `line`
 * (from 1) of what `step` printed. `tool`: `line` of the result of the call `callId`, or `path` in its value. `data`: `path`
 * in the data that `step` showed. `chart`: `row` and `column` of the rows of the chart `specId`. `room`: the value of `room`
 * on the plan. `code`: `line` of the code of `step`, which computed the answer's text. `answer`: an answer of the run
 * `runId`; `question`: the message. `within` is the call of a managed agent whose step it is.
 */
export interface EvidencePlace {
  kind: "cell" | "printed" | "tool" | "data" | "chart" | "room" | "code" | "answer" | "question";
  step?: number;
  within?: string;
  tableId?: string;
  specId?: string;
  row?: number;
  column?: string;
  callId?: string;
  path?: (string | number)[];
  line?: number;
  room?: string;
  runId?: string;
}
/**
 * A figure of the answer: characters `start` to `end` (code points) of its text `part`, and the places of its values.
 *
 * `part` counts the texts of the answer as shown, from 0. In the title of a chart `container` is its `specId`, on the plan
 * `map`; `part` is 0 then, and `label` is the complete text, such as `Room1: 21.5 °C`. Without a place it is `unmatched`.
 * `operation` is that of a `derived` figure.
 */
export interface FigureEvidence {
  text: string;
  part: number;
  container?: string;
  label?: string;
  start: number;
  end: number;
  status: "matched" | "derived" | "earlier" | "asked" | "possible" | "unmatched";
  operation?: "sum" | "difference" | "ratio" | "change" | "share" | "mean" | "minimum" | "maximum" | "rank" | "count";
  places: EvidencePlace[];
}
/** A point in a floor's virtual coordinates; both are finite: JSON, and so a chat's log, has no other numbers. */
export interface XY { x: number; y: number }
/** A picture that can be drawn on the map; its size in pixels. */
export interface Bitmap { bitmapId: string; bitmapName: string; bitmapFile: string }
/** Coordinate system of a floor: the origin and the direction of its axes. */
export interface CoordinateSystem { topLeft: Corner; bottomRight: Corner }
/** One corner of a floor image: pixels (px, py) and virtual coordinates (x, y). */
export interface Corner { px: number; py: number; x: number; y: number }
/** A way between two rooms of one floor, or, with one room, out of the building; its clear `width` in metres. */
export interface Door { rooms: string[]; at: XY; doorId?: string; accessible: boolean; width?: number }
/** One floor; `ordinal` is its height among the floors (0 is the ground floor), `metres_per_unit` its scale. */
export interface Floor {
  floorId: string;
  floorName: string;
  floorImage: string;
  coordinateSystem: CoordinateSystem;
  rectangles: Rectangle[];
  ordinal?: number;
  metresPerUnit?: number;
  doors?: Door[];
  names?: { [name: string]: string };
  aliases?: string[];
}
/**
 * Place of a plan on the earth: WGS 84 degrees of the plan's origin (0, 0), and `bearing`, the clockwise angle in
 * degrees from north to the direction in which the plan's y decreases (up on the page).
 */
export interface Georeference { longitude: number; latitude: number; bearing: number }
/** Connection between floors. `wait_seconds` passes before it moves, `floor_seconds` per floor. */
export interface Link {
  linkId: string;
  kind: "stairs" | "lift" | "escalator" | "ramp";
  name: string;
  stops: Stop[];
  waitSeconds: number;
  floorSeconds: number;
}
/** The building: sent right after a client connects, and again when the chat takes another one. */
export interface MapDefinition extends Placed { type: "map_definition"; content: MapDefinitionContent }
/**
 * A building; one that was imported has an id, under which its images are served.
 *
 * `ground_floor` is the number people give to the ground floor, 0 or 1, if they were asked.
 */
export interface MapDefinitionContent {
  floors: Floor[];
  bitmaps: Bitmap[];
  links?: Link[];
  buildingId?: string;
  buildingName?: string;
  georeference?: Georeference;
  groundFloor?: number;
}
/**
 * A named room of a floor, in virtual coordinates; with a `polygon`, the corners are those of its bounding box.
 *
 * `holes` are closed rings inside of it. `names` has its name by language, `aliases` what else people call it, `kinds`
 * more words of the file for what it is.
 */
export interface Rectangle {
  name: string;
  topLeft: XY;
  bottomRight: XY;
  kind?: string;
  kinds?: string[];
  polygon?: XY[];
  holes?: XY[][];
  names?: { [name: string]: string };
  aliases?: string[];
}
/** A room, with its floor: names may come again on another. */
export interface RoomRef { floorId: string; name: string }
/** Place where a link meets a floor: the room one steps out into, and the point. */
export interface Stop { floorId: string; room: string; at: XY }
/**
 * One of several readings of a request, in words and as a query, and the messages of its answer.
 *
 * The first one has no `outputs`: the messages before it are its answer. Without outputs, `error` is the reason.
 */
export interface Alternative {
  sentence: string;
  pieces: SentencePiece[];
  reading: ReadingContent;
  outputs: (Text | Code | Image | Table | Chart | File | Json)[];
  error?: string;
}
/** The answer is of one reading of several: all of them, with their answers. */
export interface Alternatives extends Placed { type: "alternatives"; content: AlternativesContent }
/**
 * Readings of a request that is not clear, the best first. `unknown` are words that none of them uses.
 *
 * `note` says so to readers of text alone. `declined` is the answer if none of them is meant.
 */
export interface AlternativesContent { alternatives: Alternative[]; unknown: string[]; note: string; declined: Text }
/** A chart as data, drawn by the page; a client of 1.2 gets its picture. The wire adds `url` and `imageUrl`. */
export interface Chart extends Placed {
  type: "chart";
  content: ChartContent;
  isAnswer?: boolean;
  url?: string;
  imageUrl?: string;
}
/** A person changed a chart with its controls; the last message counts. The wire adds `url` and `imageUrl`. */
export interface ChartChanged extends Placed {
  type: "chart_changed";
  content: ChartChangedContent;
  url?: string;
  imageUrl?: string;
}
/**
 * `specId` is that of the chart as it was first shown, `chart` what it is now.
 *
 * `code` is the code of its cell with the changes, and `codeSeq` the seq of the message that showed it.
 */
export interface ChartChangedContent { specId: string; chart: ChartContent; code?: Code; codeSeq?: number }
/**
 * A chart by the ids of its files: `specId` is a Vega-Lite spec with its rows (JSON), `imageId` its picture (PNG).
 *
 * `width` and `height` are those of the picture in CSS pixels. Of `rows` in its data `shown` are drawn; `reduced` says why
 * these are fewer: a sample, or groups that were computed ahead over all rows.
 *
 * `changes` are those of the chart's controls to the spec `baseId` (without one: to `specId`, and there are none). `codeAt`
 * are the ends of their place in the code of the cell; without it the chart has no controls.
 */
export interface ChartContent {
  specId: string;
  imageId: string;
  name: string;
  description: string;
  width: number;
  height: number;
  rows: number;
  shown: number;
  reduced?: "sampled" | "aggregated";
  baseId?: string;
  changes?: { [name: string]: string };
  codeAt?: number[];
}
/** A code block; `step` is a label such as "Step 1". */
export interface Code extends Placed { type: "code"; content: string; language: string; step?: string; html?: string }
/**
 * One column of a table; `kind` decides alignment and formatting on the page, `type` is what it is kept as.
 *
 * With `as_text` its values were of no one type, and are kept as text.
 */
export interface Column { name: string; kind: "number" | "text" | "date" | "bool"; type?: string; asText?: boolean }
/**
 * Error for people; `code` is stable, `hint` says what to do.
 *
 * A refused answer names its ask; a refused message, code or branch has the client's id. `facts` fill a translation of
 * the text, as those of a notice do.
 */
export interface Error extends Placed {
  type: "error";
  content: string;
  code: string;
  hint: string;
  facts?: { [name: string]: string | number };
  askId?: string;
  clientMessageId?: string;
}
/** A file that came into the chat, uploaded or produced; the wire adds `url`. */
export interface File extends Placed { type: "file"; content: FileContent; url?: string }
/**
 * A file; what was found in it when it came in, if it is one to look for tables in. `problems` are in words.
 *
 * `problem_facts` has an entry for each of `problems`, except in older logs.
 *
 * Without a `file_id` (empty) it was only spoken of: there is nothing to fetch.
 */
export interface FileContent {
  fileId: string;
  name: string;
  size: number;
  mediaType: string;
  tables?: TableFacts[];
  problems?: string[];
  problemFacts?: FileNote[];
  url?: string;
}
/**
 * Note or fault of a file as data, so that a page can show it in its own language.
 *
 * `code` has the text, which `values` fill; empty if there is only the English text. `place` is {"line": 5}.
 */
export interface FileNote {
  code: string;
  values: { [name: string]: number | string | string[] };
  place: { [name: string]: number | string };
}
/**
 * An image by file id; the wire adds `url`, or fills `content` with base64 for protocol 1.2.
 *
 * `is_answer`, here and below: a part of the answer, which stands between its texts.
 */
export interface Image extends Placed {
  type: "image";
  content: string;
  format: "png" | "jpg" | "jpeg" | "gif" | "bmp" | "svg";
  path?: string;
  fileId: string;
  width?: number;
  height?: number;
  isAnswer?: boolean;
  url?: string;
}
/**
 * Data that an agent gave as data: an object or an array, shown as a tree.
 *
 * With `in_text` the answer's text has the same data for people; this is for programs.
 */
export interface Json extends Placed { type: "json"; content: JsonValue; name?: string; inText?: boolean }
/** A view of an MCP server, shown in a sandboxed frame; the wire adds `url`, and `resultUrl` with a result. */
export interface McpApp extends Placed { type: "mcp_app"; content: McpAppContent; url?: string; resultUrl?: string }
/**
 * A view that an MCP server brings with a call (MCP Apps), by the ids of its files.
 *
 * `pageId` is its HTML; `factsId` what was called, with which arguments, and what the view may do (JSON); `resultId` what the
 * server gave (JSON). It is told when the call begins, and again under its `callId` when it ends; `reason` says why without a
 * result.
 */
export interface McpAppContent {
  callId: string;
  server: string;
  tool: string;
  title: string;
  pageId: string;
  factsId: string;
  resultId?: string;
  state: "called" | "returned" | "cancelled";
  reason?: string;
}
/** The reading that an answer of the built-in analyst rests on; a message may be sent with a corrected one. */
export interface Reading extends Placed { type: "reading"; content: ReadingContent }
/** One part of a reading, in words. */
export interface ReadingChip {
  part: "table" | "kind" | "figure" | "column" | "group" | "condition" | "order" | "chart" | "file" | "totals" | "add";
  text: string;
  choices: ReadingChoice[];
}
/**
 * Alternative for a part of an interpretation: the fields of the query that change, those it is `without`, the
 * complete sentence.
 */
export interface ReadingChoice {
  text: string;
  change: { [name: string]: JsonValue };
  without?: string[];
  sentence: string;
}
/** Interpretation of a request: the query as data, and in chips that can be corrected; `corrected` by the person. */
export interface ReadingContent { query: { [name: string]: JsonValue }; chips: ReadingChip[]; corrected: boolean }
/** A person keeps one of the alternatives of a run: from here on it is the run's answer. */
export interface ReadingKept extends Placed { type: "reading_kept"; content: ReadingKeptContent }
/** `index` counts the alternatives of the run from 0; None: none of them is meant. */
export interface ReadingKeptContent { runId: string; index: number }
/** Words of an alternative's sentence; `differs` if another alternative has others. */
export interface SentencePiece { text: string; differs?: boolean }
/** A table: its columns and first rows; the rest is fetched in pages. */
export interface Table extends Placed { type: "table"; content: TableContent; isAnswer?: boolean; url?: string }
/** First rows of a table, and its schema; the rest is paged from `/api/chats/{id}/tables/{tableId}`. */
export interface TableContent {
  tableId: string;
  name: string;
  columns: Column[];
  rows: JsonValue[][];
  rowCount: number;
}
/** A table that a file holds: the name it is asked about by, and its size. */
export interface TableFacts { name: string; rows: number; columns: number }
/**
 * Answer of the agent (`answer`), or a notice of the desk (`notice`). Markdown.
 *
 * A notice with an `agent` is the output of that agent's program after its run: as it was laid out, no Markdown. One
 * with a `code` can be shown in any language: `facts` fill its text; an empty fact is left out. `without_code`: nothing ran
 * for this answer, so the model wrote it from what it knew or guessed. `suggestions` are questions in it that can be asked.
 */
export interface Text extends Placed {
  type: "text";
  content: string;
  tone: "answer" | "notice";
  agent?: string;
  code?: "variables_lost" | "chat_imported" | "program_anew" | "program_cut" | "prompt_cut";
  facts?: { [name: string]: string | number };
  withoutCode?: boolean;
  suggestions?: string[];
  html?: string;
}
/**
 * Echo of a message that a person sent, queued or not; `ahead` counts the runs before it, `attachments` are names of
 * files.
 *
 * With `is_code` it is Python code that the person ran. With a `conversation` (its id) the desk sent it: it is the
 * agent's turn there. With `version_of` it is another version of that run's turn, which takes its place.
 */
export interface UserMessage extends Placed {
  type: "user_message";
  content: string;
  ahead: number;
  attachments?: string[];
  isCode?: boolean;
  conversation?: string;
  versionOf?: string;
}
/** A person looks at another version of a turn. */
export interface VersionShown extends Placed { type: "version_shown"; content: VersionShownContent }
/** Run whose answer is shown among the versions of its turn. */
export interface VersionShownContent { runId: string }
/** One closed part: a door by the rooms it joins and its place, a room, a link by its id, or a floor. */
export interface Closure {
  kind: "door" | "room" | "link" | "floor";
  floorId?: string;
  rooms: string[];
  at?: XY;
  linkId?: string;
}
/** The closures of the chat's building from here on, in place of those before. */
export interface ClosuresMessage extends Placed { type: "closures"; content: ClosureState }
/** Present closures, and the scenarios. */
export interface ClosureState { closures: Closure[]; scenarios: Scenario[] }
/** A named set of closures, kept for comparisons; it closes nothing by itself. */
export interface Scenario { name: string; closures: Closure[] }
/** Values of one frame, which starts `at` (seconds since the epoch); `places` in `rooms`, as many as `values`. */
export interface LayerFrame { at: number; places: number[]; values: number[] }
/** The layers of the chat as they are now. Without a place in the log. */
export interface Layers extends Placed { type: "layers"; content: LayersContent }
/** All layers of a chat. */
export interface LayersContent { layers: LayerStatus[] }
/** From here on the map shows this layer, until another drawing or layer takes its place. */
export interface LayerShown extends Placed { type: "layer_shown"; content: ShownLayer }
/**
 * One layer. `time` is that of its last value (seconds since the epoch), `stale` the seconds until it counts as old.
 *
 * `unknown` are some of the names without a room, `unknown_values` counts all values with such names. `problem` says why
 * the state is unreachable or unreadable.
 */
export interface LayerStatus {
  name: string;
  title: string;
  unit: string;
  source: "posted" | "file" | "mqtt";
  state: "live" | "waiting" | "connecting" | "unreachable" | "unreadable" | "other_building";
  time?: number;
  stale: number;
  rooms: number;
  unknown: string[];
  unknownValues: number;
  problem: string;
}
/** Values of the shown layer as they arrive, at most four times a second. Without a place in the log. */
export interface LayerValues extends Placed { type: "layer_values"; content: LayerValuesContent }
/** New values of the shown layer. With `reset` they are all of its history; frames before `since` are gone. */
export interface LayerValuesContent {
  layer: string;
  reset: boolean;
  since: number;
  time: number;
  rooms: RoomRef[];
  frames: LayerFrame[];
  legend: LegendOverlay;
}
/** The layer that the map shows from here on, or none; `picture` has its values of that moment, for replays. */
export interface ShownLayer { layer?: string; picture?: MapContent }
/** End of an ask: its result and who closed it. */
export interface AskClosedContent {
  askId: string;
  granted: boolean;
  reason: string;
  scope: "call" | "step" | "chat";
  by: "person" | "policy" | "expiry" | "stop" | "restart";
  value?: JsonValue;
}
/** An ask is over. */
export interface AskClosedMessage extends Placed { type: "ask_closed"; content: AskClosedContent }
/** A question to a person: an approval of a call, or an input; times in ISO 8601, UTC. */
export interface AskContent {
  askId: string;
  kind: "approval" | "input" | "client_tool";
  tool: string;
  description: string;
  callId: string;
  arguments: { [name: string]: JsonValue };
  parameters: { [name: string]: ParameterContent };
  codeLine: string;
  line: number;
  callsFromLine: number;
  prompt: string;
  inputType: "confirmation" | "selection" | "text" | "password";
  options: string[];
  default: string;
  expiresAt: string;
}
/** A run waits for an answer from outside. */
export interface AskMessage extends Placed { type: "ask"; content: AskContent }
/** Another chat shares the turns before one. */
export interface Branch extends Placed { type: "branch"; content: BranchContent }
/**
 * A chat that goes on from before one of this chat's turns (`to`), or that this one is a branch of (`from`).
 *
 * `run_id` is that turn's run, in the chat that was left. `client_message_id` is what the client calls its message.
 */
export interface BranchContent {
  way: "to" | "from";
  chatId: string;
  title: string;
  runId: string;
  clientMessageId?: string;
}
/** The chat a socket is attached to; second message after connect. */
export interface Chat extends Placed { type: "chat"; content: ChatContent }
/**
 * Description of a chat for a client that connects: where its log ends, who answers, and its size limits in bytes.
 *
 * `findsModels`: servers of this machine may offer models that it could choose. `node` is the node that runs the chat's
 * code, empty for the desk's machine; `isolation` is then that of the node. `limits` are the same there; programs and
 * agents with an executor of their own have none.
 */
export interface ChatContent {
  chatId: string;
  protocol: "2.0";
  lastSeq: number;
  title: string;
  model: string;
  agent: string;
  agentName: string;
  isolation: Isolation;
  node: string;
  limits?: CodeLimits;
  files: FileContent[];
  tools: string[];
  approvals: { [name: string]: "once" | "always" };
  buildingId?: string;
  findsModels: boolean;
  selection: RoomRef[];
  messageLimit: number;
  uploadLimit: number;
}
/** Limits of a chat's code: bytes of memory and of the chat's folder, and seconds of one cell. */
export interface CodeLimits { memory: number; folder: number; cellSeconds: number }
/** One line of the debug pane. */
export interface Debug extends Placed { type: "debug"; content: DebugContent }
/** First message of a step's batch; keys stay snake_case as in protocol 1.2. */
export interface DebugContent {
  agent_response: { [name: string]: JsonValue };
  parsed_outputs: { [name: string]: JsonValue }[];
  output_count: number;
}
/**
 * A piece of what is being written: the model's prose, code or reasoning of the step under way, or a program's output.
 *
 * `restart`: the step's prose and code so far count no longer; this piece starts them again.
 */
export interface Delta extends Placed {
  type: "delta";
  content: string;
  kind: "text" | "code" | "reasoning" | "output";
  step: number;
  restart?: boolean;
}
/** Isolation of model-written code from this machine; `label` is the badge's text. */
export interface Isolation { isolated: boolean; label: string; reasons: string[] }
/** A call of the model is over. */
export interface ModelCall extends Placed { type: "model_call"; content: ModelCallContent }
/**
 * Figures of a model call: seconds, `firstToken` until its first piece; tokens; `cost` in US dollars.
 *
 * Of `inputTokens`, `cachedTokens` came from the provider's cache. `leftOut` messages were shortened to fit the
 * model's window. `structured`: the answer was requested by a schema. `messages` counts those of its prompt, which
 * `/api/chats/{id}/runs/{runId}/steps/{step}` has.
 */
export interface ModelCallContent {
  step: number;
  model: string;
  messages: number;
  duration: number;
  firstToken?: number;
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
  cost?: number;
  error?: string;
  leftOut?: number;
  structured?: boolean;
}
/** Note of a run as data, so that a page can show it in its own language. */
export interface Note { code: "variables_lost" | "about_rooms" | "about_table" | "about_chart"; facts: NoteFacts }
/**
 * Facts of a note: `reason`; `rooms`; rows of a table or a chart of this `name`, the first being 1.
 *
 * `rows` is the number of selected rows, if they are not simply those from `begin` to `end` of the table.
 */
export interface NoteFacts {
  reason?: string;
  rooms?: RoomRef[];
  name?: string;
  begin?: number;
  end?: number;
  rows?: number;
  columns?: string[];
  ranges?: ChartRange[];
}
/** Unread reports of the watches of all chats, complete each time. */
export interface Notices extends Placed { type: "notices"; content: NoticesContent }
/** The newest unread reports of watches, and the number of all. */
export interface NoticesContent { notices: WatchNotice[]; count: number }
/** One line of the list of open asks: enough to find it; the card is in its chat. */
export interface OpenAsk {
  askId: string;
  chatId: string;
  chatTitle: string;
  kind: "approval" | "input";
  tool: string;
  prompt: string;
  expiresAt: string;
}
/** Open asks of all chats of the desk, complete each time. */
export interface OpenAsks extends Placed { type: "open_asks"; content: OpenAsksContent }
/** Number of open asks in each chat. */
export interface OpenAsksContent { asks: OpenAsk[]; count: number }
/** One parameter of a tool, for a form that edits a call's arguments. */
export interface ParameterContent { type: string; description: string; required: boolean }
/** Policy of this chat for a tool that needs approval; the last one counts. */
export interface Policy extends Placed { type: "policy"; content: PolicyContent }
/** Policy of a chat for one tool. */
export interface PolicyContent { tool: string; policy: "allow" | "ask" }
/** Output of the cell under way, as it is printed. */
export interface Printed extends Placed { type: "printed"; content: string; step: number }
/** The model's server reads the prompt; the next delta of the step ends this. */
export interface PromptProgress extends Placed { type: "prompt_progress"; content: PromptProgressContent }
/** Tokens of a prompt that the model's server has read, and all of them. */
export interface PromptProgressContent { step: number; processed: number; total: number }
/** State of a run. The one with finished, failed or cancelled is the last message of its run. */
export interface Run extends Placed { type: "run"; content: RunContent }
/**
 * State of a run. Sent at its start: `agent`, who answers, and `traceId`, its OpenTelemetry trace if one is
 * exported.
 *
 * `noted` has a note for each of `notes`, except in older logs.
 */
export interface RunContent {
  runId: string;
  state: "queued" | "running" | "waiting" | "stopping" | "finished" | "failed" | "cancelled";
  text?: string;
  step?: number;
  notes: string[];
  noted?: Note[];
  traceId?: string;
  agent?: string;
}
/** One tool call: announced, then returned or failed under the same callId. */
export interface Tool extends Placed { type: "tool"; content: ToolContent }
/** A tool that was called, and how it ended. */
export interface ToolContent {
  callId: string;
  tool: string;
  state: "called" | "returned" | "failed";
  arguments?: { [name: string]: JsonValue };
  line?: number;
  result?: string;
  code?: string;
  step: number;
}
/** Progress of another agent, or of a query, during a call; the pieces of one call, in order, are the complete text. */
export interface ToolProgress extends Placed { type: "tool_progress"; content: ToolProgressContent }
/** State of a long-running tool. */
export interface ToolProgressContent {
  callId: string;
  tool: string;
  agent: string;
  text: string;
  state: "queued" | "running" | "waiting" | "finished" | "failed" | "cancelled";
  share?: number;
  step: number;
}
/** Report of a watch that nobody has read: the value now and before, or why it cannot be computed. `at` in seconds. */
export interface WatchNotice {
  watchId: string;
  turn: number;
  chatId: string;
  title: string;
  state: "fired" | "failed";
  text: string;
  previous?: string;
  code: string;
  problem: string;
  isPaused: boolean;
  at: number;
}
/** Draw a direction arrow in the middle of a room. */
export interface Arrow extends Placed { type: "arrow"; content: ArrowContent }
/** An arrow from one place to another. */
export interface ArrowContent { room: string; direction: "up" | "down" | "left" | "right" }
/** A place by its coordinates on a floor. */
export interface AtCoordinate { type: "coordinate"; x: number; y: number }
/** A place by the name of a room. */
export interface AtRectangle { type: "rectangle"; name: string }
/** A picture on the map. */
export interface BitmapOverlay { type: "bitmap"; bitmapId: string; position: AtRectangle | AtCoordinate; offset?: XY }
/** All arrows are taken off the map. */
export interface ClearArrows extends Placed { type: "clear_arrows"; content: Record<string, never> }
/** Remove highlights, overlays and arrows. */
export interface ClearMap extends Placed { type: "clear_map"; content: Record<string, never> }
/** Between two legs: what one takes, from where to where. */
export interface FloorChange {
  kind: "stairs" | "lift" | "escalator" | "ramp";
  name: string;
  fromFloorId: string;
  toFloorId: string;
  at: XY;
  to: XY;
}
/** One moment of a playback; `time` is what the page writes beside it. */
export interface Frame { time: string; rectangles: MapRectangle[] }
/** A place on the earth, in degrees. */
export interface GeoPoint { lat: number; lon: number; name?: string }
/** Rooms that an answer names: highlighted beside what the map shows. */
export interface HighlightRoom extends Placed { type: "highlight_room"; content: RoomsContent }
/** Legend of the rooms' colours; `missing` rooms have no value and stay uncoloured. */
export interface LegendOverlay { type: "legend"; title: string; unit: string; stops: LegendStop[]; missing: number }
/** A colour and the value it stands for; colours between two stops are mixed. */
export interface LegendStop { value: number; color: string }
/** Show this floor with these highlights and overlays, or these points; replaces the map command before it. */
export interface Map extends Placed { type: "map"; content: MapContent | PointsContent }
/** Content of one drawing on a floor. */
export interface MapContent {
  floorId: string;
  timestamp: string;
  rectangles: MapRectangle[];
  overlays: (BitmapOverlay | TextOverlay | LegendOverlay | RouteOverlay)[];
  source?: Source;
}
/** Rooms painted over time; replaces the map command before it. */
export interface MapFrames extends Placed { type: "map_frames"; content: MapFramesContent }
/** Drawings in time, to be played; times in ISO 8601. */
export interface MapFramesContent { floorId: string; frames: Frame[]; legend?: LegendOverlay; source?: Source }
/** Highlight of one room; `value` is the figure it is coloured by, `floor_id` its floor if not the one shown. */
export interface MapRectangle {
  name: string;
  color: string;
  strokeOpacity: number;
  fillOpacity: number;
  showName: boolean;
  floorId?: string;
  value?: number;
}
/** A place on the floor that is shown, in its virtual coordinates. */
export interface PlanPoint { x: number; y: number; name?: string }
/** The older form of a map: points of one kind, and what they are. */
export interface PointsContent { points: GeoPoint[] | PlanPoint[]; description: string }
/** Rooms of an answer, to be highlighted. */
export interface RoomsContent { rooms: string[] }
/** The part of a route that lies on one floor: a line through at least one place. */
export interface RouteLeg { floorId: string; points: XY[] }
/**
 * A way from room to room over any floors: one leg more than there are changes. `length` is in metres where every
 * floor has a scale, else in virtual units (`unit` is "m" or "").
 */
export interface RouteOverlay {
  type: "route";
  start: string;
  goal: string;
  legs: RouteLeg[];
  changes: FloorChange[];
  steps: RouteStep[];
  length: number;
  unit: "m" | "";
  seconds?: number;
  accessible: boolean;
}
/** One instruction; `leg` is the index of the leg that lights up with it, `text` says it in English. */
export interface RouteStep {
  action: "start" | "walk" | "through" | "change" | "arrive";
  text: string;
  leg: number;
  room?: string;
  name?: string;
  kind?: "stairs" | "lift" | "escalator" | "ramp";
  toFloorId?: string;
  length?: number;
  assumed?: boolean;
}
/** Origin of a drawing: the step and the line of code that called the tool. */
export interface Source { step: number; line?: number; code?: string }
/** Words on the map. */
export interface TextOverlay {
  type: "text";
  text: string;
  fontSize: number;
  color: string;
  backgroundColor?: string;
  position: AtRectangle | AtCoordinate;
  offset?: XY;
}
/** A part of a chart's rows by one field: names, or from and to, of moments as ISO texts without a zone (as drawn). */
export interface ChartRange { field: string; from?: number | string; to?: number | string; values?: string[] }
/** Rows of a chart that a question is about, as a person brushed them. */
export interface ChartSelection { kind: "chart"; specId: string; name: string; ranges: ChartRange[] }
/**
 * Rows whose cell of a column is so. `in` takes a list, in which null is an empty cell; `empty` and `filled` no value.
 *
 * A day means all of it: `le` 2024-01-31 is up to its end.
 */
export interface Filter {
  column: number | string;
  op: "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "in" | "contains" | "starts" | "empty" | "filled";
  value?: JsonValue;
}
/** Rows of a table that fit all `filters` and hold all words of `search` somewhere, in an order. */
export interface RowView { sort: SortBy[]; filters: Filter[]; search: string }
/** An order by one column; empty cells come last either way. */
export interface SortBy { column: number | string; descending: boolean }
/**
 * Rows of a shown table that a question is about: those of a view from `begin` to before `end`, some columns by
 * index. Rows selected one by one are `ranges` between `begin` and `end`.
 *
 * `name` and the `names` of the columns come from the table, not from the client.
 */
export interface TableSelection {
  kind: "table";
  tableId: string;
  name: string;
  view: RowView;
  begin: number;
  end: number;
  ranges?: number[][];
  columns: number[];
  names?: string[];
}
/**
 * `message` is what the managed `agent` would have told as an agent of its own; `within` is the callId it works for.
 *
 * The wire completes it as any message.
 */
export interface NestedContent {
  within: string;
  agent: string;
  message: Code | Image | Table | Chart | File | McpApp | Json | Reading | Alternatives | Evidence | Map | MapFrames | HighlightRoom | Arrow | ClearArrows | ClearMap | Text | Error | Debug | Run | Delta | PromptProgress | ModelCall | Printed | Tool | ToolProgress;
}
/** A managed agent works for a call of the run, and has steps, texts, calls and outputs of its own. */
export interface Nested extends Placed { type: "nested"; content: NestedContent }
/** Chat; times are in seconds since the epoch. */
export interface ChatInfo {
  id: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  lastSeq: number;
  pinned: boolean;
  archived: boolean;
  tags: string[];
  buildingId?: string | null;
  agent?: string | null;
  model?: string | null;
}
/** Chat of the list, with the state of its runs, the end of the last one, and the text found by a search. */
export interface ChatSummary {
  id: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  lastSeq: number;
  pinned: boolean;
  archived: boolean;
  tags: string[];
  buildingId?: string | null;
  agent?: string | null;
  model?: string | null;
  state: "idle" | "running" | "waiting";
  answeredAt?: number | null;
  found?: string | null;
}
/** Tag of chats, with the number of its chats in the list and in the archive. */
export interface TagInfo { name: string; chats: number; archived: number }
/**
 * Chats, pinned ones first, then by last activity; `next` is the `before` of the next page, null at the end. A first
 * page has the tags of all chats.
 */
export interface ChatList { chats: ChatSummary[]; next?: string | null; tags?: TagInfo[] | null }
/** Chat imported from a log: counts of events and files, of missing files, and of runs that the import closed. */
export interface ImportedChat {
  chatId: string;
  title: string;
  events: number;
  files: number;
  missing: number;
  closed: number;
  isCut: boolean;
}
/** Project; `agents` counts present members, `live` those of its `conversations` that are not over. */
export interface ProjectInfo {
  id: string;
  name: string;
  createdAt: number;
  agents: number;
  live: number;
  conversations: number;
}
/** Projects, oldest first. */
export interface ProjectList { projects: ProjectInfo[] }
/**
 * Member of a project; removed ones have `removedAt` and keep their names in messages.
 *
 * `agent` names an agent of the desk, `chatId` the chat in which it works for the project.
 */
export interface AgentInfo {
  id: string;
  name: string;
  kind: "ai" | "human";
  joinedAt: number;
  removedAt?: number | null;
  agent?: string | null;
  chatId?: string | null;
}
/** Project with its agents. */
export interface ProjectDetail {
  id: string;
  name: string;
  createdAt: number;
  agents: number;
  live: number;
  conversations: number;
  members: AgentInfo[];
}
/** New member. `passkey` is never shown again; agents of the desk have none. */
export interface NewAgent { id: string; passkey?: string | null }
/** One side of a conversation; `removed` if it has left the project. */
export interface PartyInfo { id: string; name: string; removed: boolean }
/** Conversation; `endedBy` is an agent's id, null after a time-out or an end by a person. */
export interface ConversationInfo {
  id: string;
  projectId: string;
  initiator: PartyInfo;
  participant: PartyInfo;
  purpose?: string | null;
  state: "pending" | "active" | "terminating" | "ended" | "expired";
  createdAt: number;
  endedAt?: number | null;
  endedBy?: string | null;
  reason?: "initiator_ended" | "participant_ended" | "timeout" | "expired" | "agent_removed" | "person_ended" | null;
  messageCount: number;
}
/** Page of conversations; with `more`, `before` the last id returns older ones. */
export interface ConversationPage { conversations: ConversationInfo[]; more: boolean }
/** Message; `seq` increases within a conversation, with gaps. */
export interface MessageInfo {
  seq: number;
  messageId: string;
  fromAgentId: string;
  content: string;
  createdAt: number;
}
/** Conversation with a page of its messages; `earlier` and `later` tell whether there are more on either side. */
export interface TranscriptInfo {
  conversation: ConversationInfo;
  messages: MessageInfo[];
  earlier: boolean;
  later: boolean;
}
/** Name to mention: `name` as listed, `insert` as written in the message, `detail` its table, floor or the like. */
export interface MentionInfo {
  kind: "table" | "column" | "room" | "file" | "agent";
  name: string;
  insert: string;
  detail: string;
}
/** Names by kind, the best matches first; `more` counts the omitted ones of each kind. */
export interface Mentions { mentions: MentionInfo[]; more: { [name: string]: number } }
/** Suggested question; `about` is its table or room, `text` the message. */
export interface StarterInfo { kind: "table" | "plot" | "map" | "way"; about: string; text: string }
/** Suggested questions, at most four, which the built-in analyst can answer. */
export interface Starters { starters: StarterInfo[] }
/** Column: its type, and `counts` between `edges` (one more than counts) or of its most frequent `values`. */
export interface CardColumn {
  name: string;
  kind: "number" | "text" | "date" | "bool";
  blank: number;
  edges: string[];
  values: string[];
  counts: number[];
  distinct?: number | null;
}
/** Table of a file: `width` is the number of columns, `rows` the first rows as text, `row_count` the number of all. */
export interface CardTable {
  name: string;
  rowCount: number;
  width: number;
  columns: CardColumn[];
  rows: string[][];
  sampled: boolean;
  questions: string[];
}
/** Line of the file that is not a row of its table, with the reason. */
export interface CardLine {
  line: string;
  why: "before" | "units" | "names" | "page" | "total" | "note" | "group" | "ragged" | "told";
  text: string;
}
/** Choice for a question: the read options `told` (as `readAs` of PATCH), and its label. */
export interface CardChoice { told: { [name: string]: JsonValue }; shows: string }
/** Uncertain part of reading the file: `value` is its line, column or number. */
export interface CardQuestion {
  about: "header" | "total" | "day" | "mixed" | "decimal" | "hidden" | "ragged" | "note";
  value: string;
  choices: CardChoice[];
}
/**
 * Options with which a file was read; `told` if a person set any. `header` is the line of column names, 0 for none.
 *
 * `left_out` has the first of `left_out_count` omitted lines around and in the tables, `types` the column types that a
 * person set.
 */
export interface CardReading {
  format: "text" | "workbook" | "archive";
  encoding?: string | null;
  separator?: string | null;
  header: number;
  sheet?: string | null;
  sheets: string[];
  leftOut: CardLine[];
  leftOutCount: number;
  questions: CardQuestion[];
  types: { [name: string]: string };
  told: boolean;
}
/**
 * File with its first tables, problems and notes on how it was read; `tables` is empty for files of other types.
 *
 * `problem_facts` and `note_facts` are the same as data, one by one.
 */
export interface FileCard {
  fileId: string;
  name: string;
  size: number;
  isTableFile: boolean;
  tableCount: number;
  tables: CardTable[];
  problems: string[];
  problemFacts: FileNote[];
  notes: string[];
  noteFacts: FileNote[];
  readAs?: CardReading | null;
}
/** Tool call requested by a model. */
export interface ToolCallInfo { id: string; name: string; arguments: JsonValue }
/** Message of a prompt: its text of `size` characters, truncated if `cut`; `missing` if it was not stored. */
export interface PromptMessageInfo {
  id: string;
  role: string;
  text: string;
  size: number;
  cut: boolean;
  missing: boolean;
  toolCalls?: ToolCallInfo[] | null;
}
/** Model call with its prompt and response; `seq` is that of its `model_call` event. */
export interface ModelCallTrace { seq: number; prompt: PromptMessageInfo[]; response?: PromptMessageInfo | null }
/** Model calls and memory of a step. */
export interface StepTrace { calls: ModelCallTrace[]; memory?: { [name: string]: JsonValue } | null }
/** Everything the server sends. */
export type Message =
  | UserMessage
  | Text
  | Code
  | Image
  | Table
  | Chart
  | File
  | McpApp
  | Json
  | Reading
  | Alternatives
  | Evidence
  | ReadingKept
  | VersionShown
  | ChartChanged
  | Error
  | MapDefinition
  | Map
  | MapFrames
  | HighlightRoom
  | Arrow
  | ClearArrows
  | ClearMap
  | ClosuresMessage
  | LayerShown
  | Layers
  | LayerValues
  | Debug
  | Chat
  | Run
  | Delta
  | PromptProgress
  | ModelCall
  | Printed
  | Tool
  | ToolProgress
  | Nested
  | AskMessage
  | AskClosedMessage
  | OpenAsks
  | Notices
  | Policy
  | Branch;
/** What a step of a run may show. */
export type StepOutput =
  | Code
  | Image
  | Table
  | Chart
  | File
  | McpApp
  | Json
  | Reading
  | Alternatives
  | Evidence
  | Map
  | MapFrames
  | HighlightRoom
  | Arrow
  | ClearArrows
  | ClearMap
  | Text
  | Error;
