/**
 * The shapes that cross modules of the page. The messages are those of backend/smoldesk/messages as they go over the wire
 * (a test holds the two together), with what the wire itself adds: seq, runId and timestamp on messages made from
 * events, html for text and code, url for what is served as a file.
 */

import type { Bus } from "./core/bus.js";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type Direction = "up" | "down" | "left" | "right";
export type RunState = "queued" | "running" | "waiting" | "stopping" | "finished" | "failed" | "cancelled";
export type Language = "en" | "ja";
export type Theme = "light" | "dark";

/** What the wire puts on a message that was made from an event; refusals, `chat` and `map_definition` have none. */
export interface Placed {
  seq?: number;
  runId?: string;
  timestamp?: string;
}

export interface UserMessage extends Placed {
  type: "user_message";
  content: string;
  ahead?: number;
}

export interface Text extends Placed {
  type: "text";
  content: string;
  tone?: "answer" | "notice";
  agent?: string;
  html?: string;
}

export interface Code extends Placed {
  type: "code";
  content: string;
  language?: string;
  step?: string;
  html?: string;
}

export interface Image extends Placed {
  type: "image";
  content: string;
  format: "png" | "jpg" | "jpeg" | "gif" | "bmp" | "svg";
  path?: string;
  fileId?: string;
  width?: number;
  height?: number;
  url?: string;
}

export interface Column {
  name: string;
  kind: "number" | "text" | "date" | "bool";
}

export interface TableContent {
  tableId: string;
  name: string;
  columns: Column[];
  rows: JsonValue[][];
  rowCount: number;
  url?: string;
}

export interface Table extends Placed {
  type: "table";
  content: TableContent;
  url?: string;
}

/** A table that a file holds: the name it is asked about by, and its size. */
export interface TableFacts {
  name: string;
  rows: number;
  columns: number;
}

export interface FileContent {
  fileId: string;
  name: string;
  size: number;
  mediaType: string;
  tables?: TableFacts[];
  problems?: string[];
  url?: string;
}

export interface File extends Placed {
  type: "file";
  content: FileContent;
  url?: string;
}

/** Data that an agent gave as data. */
export interface Json extends Placed {
  type: "json";
  content: JsonValue;
  name?: string;
}

export interface Error extends Placed {
  type: "error";
  content: string;
  code?: string;
  hint?: string;
  askId?: string;
}

export interface XY {
  x: number;
  y: number;
}

export interface Corner {
  px: number;
  py: number;
  x: number;
  y: number;
}

export interface CoordinateSystem {
  topLeft: Corner;
  bottomRight: Corner;
}

export interface Rectangle {
  name: string;
  topLeft: XY;
  bottomRight: XY;
  kind?: string;
  polygon?: XY[];
}

/** A way between two rooms of one floor, or, with one room, out of the building. */
export interface Door {
  rooms: string[];
  at: XY;
  doorId?: string;
  accessible?: boolean;
}

export interface Floor {
  floorId: string;
  floorName: string;
  floorImage: string;
  coordinateSystem: CoordinateSystem;
  rectangles: Rectangle[];
  ordinal?: number;
  metresPerUnit?: number;
  doors?: Door[];
}

export interface Stop {
  floorId: string;
  room: string;
  at: XY;
}

export type LinkKind = "stairs" | "lift" | "escalator" | "ramp";

/** What joins floors. */
export interface Link {
  linkId: string;
  kind: LinkKind;
  name: string;
  stops: Stop[];
  waitSeconds?: number;
  floorSeconds?: number;
}

export interface Bitmap {
  bitmapId: string;
  bitmapName: string;
  bitmapFile: string;
}

export interface MapDefinitionContent {
  floors: Floor[];
  bitmaps: Bitmap[];
  links?: Link[];
  buildingId?: string;
  buildingName?: string;
}

export interface MapDefinition extends Placed {
  type: "map_definition";
  content: MapDefinitionContent;
}

export interface AtRectangle {
  type: "rectangle";
  name: string;
}

export interface AtCoordinate {
  type: "coordinate";
  x: number;
  y: number;
}

export type Position = AtRectangle | AtCoordinate;

export interface MapRectangle {
  name: string;
  color?: string;
  strokeOpacity?: number;
  fillOpacity?: number;
  showName?: boolean;
  floorId?: string;
  value?: number;
}

export interface BitmapOverlay {
  type: "bitmap";
  bitmapId: string;
  position: Position;
  offset?: XY;
}

export interface TextOverlay {
  type: "text";
  text: string;
  fontSize?: number;
  color?: string;
  backgroundColor?: string;
  position: Position;
  offset?: XY;
}

export interface LegendStop {
  value: number;
  color: string;
}

export interface LegendOverlay {
  type: "legend";
  title?: string;
  unit?: string;
  stops: LegendStop[];
  missing?: number;
}

export interface RouteLeg {
  floorId: string;
  points: XY[];
}

export interface FloorChange {
  kind: LinkKind;
  name: string;
  fromFloorId: string;
  toFloorId: string;
  at: XY;
  to: XY;
}

export interface RouteStep {
  action: "start" | "walk" | "through" | "change" | "arrive";
  text: string;
  leg: number;
  room?: string;
  name?: string;
  kind?: LinkKind;
  toFloorId?: string;
  length?: number;
}

/** A way from room to room over any floors: one leg more than there are changes. */
export interface RouteOverlay {
  type: "route";
  start: string;
  goal: string;
  legs: RouteLeg[];
  changes?: FloorChange[];
  steps?: RouteStep[];
  length: number;
  unit?: "m" | "";
  seconds?: number;
  accessible?: boolean;
}

export type Overlay = BitmapOverlay | TextOverlay | LegendOverlay | RouteOverlay;

/** The step and the line of code that called the tool. */
export interface Source {
  step: number;
  line?: number;
  code?: string;
}

export interface MapContent {
  floorId: string;
  timestamp: string;
  rectangles?: MapRectangle[];
  overlays?: Overlay[];
  source?: Source;
}

/** A place on the earth, in degrees. */
export interface GeoPoint {
  lat: number;
  lon: number;
  name?: string;
}

/** A place in a floor's virtual coordinates. */
export interface PlanPoint {
  x: number;
  y: number;
  name?: string;
}

export interface PointsContent {
  points: GeoPoint[] | PlanPoint[];
  description?: string;
}

export interface Map extends Placed {
  type: "map";
  content: MapContent | PointsContent;
}

export interface Frame {
  time: string;
  rectangles: MapRectangle[];
}

export interface MapFramesContent {
  floorId: string;
  frames: Frame[];
  legend?: LegendOverlay;
  source?: Source;
}

export interface MapFrames extends Placed {
  type: "map_frames";
  content: MapFramesContent;
}

export interface RoomsContent {
  rooms: string[];
}

export interface HighlightRoom extends Placed {
  type: "highlight_room";
  content: RoomsContent;
}

export interface ArrowContent {
  room: string;
  direction: Direction;
}

export interface Arrow extends Placed {
  type: "arrow";
  content: ArrowContent;
}

export interface ClearArrows extends Placed {
  type: "clear_arrows";
  content: Record<string, never>;
}

export interface ClearMap extends Placed {
  type: "clear_map";
  content: Record<string, never>;
}

/** Keys stay snake_case, as in protocol 1.2. */
export interface DebugContent {
  agent_response: { [key: string]: JsonValue };
  parsed_outputs: { [key: string]: JsonValue }[];
  output_count: number;
}

export interface Debug extends Placed {
  type: "debug";
  content: DebugContent;
}

export interface Isolation {
  isolated: boolean;
  label: string;
  reasons?: string[];
}

export interface ChatContent {
  chatId: string;
  protocol: string;
  title: string;
  model: string;
  agent: string;
  agentName: string;
  isolation: Isolation;
  files: FileContent[];
  tools: string[];
  approvals: { [tool: string]: "once" | "always" };
  buildingId?: string;
  selection: RoomRef[];
}

export interface Chat extends Placed {
  type: "chat";
  content: ChatContent;
}

export interface RunContent {
  runId: string;
  state: RunState;
  text?: string;
  step?: number;
  notes?: string[];
}

export interface Run extends Placed {
  type: "run";
  content: RunContent;
}

export interface Delta extends Placed {
  type: "delta";
  content: string;
  kind: "text" | "code" | "reasoning" | "output";
  step: number;
}

export interface Printed extends Placed {
  type: "printed";
  content: string;
  step: number;
}

export interface ToolContent {
  callId: string;
  tool: string;
  state: "called" | "returned" | "failed";
  arguments?: { [name: string]: JsonValue };
  line?: number;
  result?: string;
  step: number;
}

export interface Tool extends Placed {
  type: "tool";
  content: ToolContent;
}

export interface ToolProgressContent {
  callId: string;
  tool: string;
  agent: string;
  text: string;
  state: "queued" | "running" | "waiting" | "finished" | "failed" | "cancelled";
  step: number;
}

export interface ToolProgress extends Placed {
  type: "tool_progress";
  content: ToolProgressContent;
}

export interface ParameterContent {
  type: string;
  description: string;
  required: boolean;
}

export interface AskContent {
  askId: string;
  kind: "approval" | "input" | "client_tool";
  tool?: string;
  callId?: string;
  arguments: { [name: string]: JsonValue };
  parameters: { [name: string]: ParameterContent };
  codeLine?: string;
  line?: number;
  callsFromLine?: number;
  prompt: string;
  inputType: "confirmation" | "selection" | "text" | "password";
  options: string[];
  default?: string;
  expiresAt: string;
}

export interface AskMessage extends Placed {
  type: "ask";
  content: AskContent;
}

export interface AskClosedContent {
  askId: string;
  granted: boolean;
  reason: string;
  scope: "call" | "step" | "chat";
  by: "person" | "policy" | "expiry" | "stop" | "restart";
  value?: JsonValue;
}

export interface AskClosedMessage extends Placed {
  type: "ask_closed";
  content: AskClosedContent;
}

/** One line of the list of open asks. */
export interface OpenAsk {
  askId: string;
  chatId: string;
  chatTitle: string;
  kind: "approval" | "input";
  tool?: string;
  prompt: string;
  expiresAt: string;
}

export interface OpenAsksContent {
  asks: OpenAsk[];
  count: number;
}

/** What waits for a person in all chats of the desk, whole each time. */
export interface OpenAsks {
  type: "open_asks";
  content: OpenAsksContent;
}

export interface PolicyContent {
  tool: string;
  policy: "allow" | "ask";
}

export interface Policy extends Placed {
  type: "policy";
  content: PolicyContent;
}

/** Everything the server sends. A type that is not here is left alone. */
export type Message =
  | UserMessage
  | Text
  | Code
  | Image
  | Table
  | File
  | Json
  | Error
  | MapDefinition
  | Map
  | MapFrames
  | HighlightRoom
  | Arrow
  | ClearArrows
  | ClearMap
  | Debug
  | Chat
  | Run
  | Delta
  | Printed
  | Tool
  | ToolProgress
  | AskMessage
  | AskClosedMessage
  | OpenAsks
  | Policy;

/** Everything the page sends. */
export type ClientFrame =
  | { type: "message"; message: string }
  | { type: "answer"; askId: string; granted: boolean; value?: JsonValue; reason?: string; scope?: "call" | "step" | "chat" }
  | { type: "policy"; tool: string; policy: "allow" | "ask" }
  | { type: "cancel"; runId: string }
  | { type: "selection"; rooms: RoomRef[] }
  | { type: "clear_arrows" };

/** A room one points at, with its floor: names may come again on another. */
export interface RoomRef {
  floorId: string;
  name: string;
}

// --- state of the page -------------------------------------------------------------------------------------------

/** Facts of the page itself, which go through the same `reduce`; their types begin with "@", no message's does. */
export type Fact =
  | { type: "@connection"; connection: Connection }
  | { type: "@submitted"; id: string; content: string; sent: boolean }
  | { type: "@sent"; id: string }
  | { type: "@withdrawn"; id: string }
  | { type: "@dismissed"; at: number }
  | { type: "@answered"; runId: string; askId: string }
  | { type: "@unsent"; runId: string; askId: string }
  | { type: "@pointed"; rooms: RoomRef[] };

export type Connection = "connecting" | "open" | "closed";

/** Text that grows at its end, newest piece first: appending is O(1), and a reader walks back to what it has. */
export interface Pieces {
  before: Pieces | null;
  text: string;
  length: number;
}

/** What the model is writing at this moment; gone once the step's batch is there. */
export interface Live {
  runId: string;
  step: number;
  text: Pieces | null;
  code: Pieces | null;
  reasoning: Pieces | null;
}

export interface Call {
  callId: string;
  tool: string;
  state: "called" | "returned" | "failed";
  arguments: { [name: string]: JsonValue };
  line?: number;
  result?: string;
  progress?: CallProgress;
}

/** What another agent says while it works for a call; `text` is null before it says anything. */
export interface CallProgress {
  agent: string;
  state: ToolProgressContent["state"];
  text: Pieces | null;
}

/** One step of a turn: what the model thought, the code, the calls it made, what it printed. */
export interface StepBlock {
  kind: "step";
  step: number;
  started?: string;
  duration?: number;
  thought: string;
  code: Code | null;
  partial: boolean;
  calls: Call[];
  printed: Pieces | null;
}

/** `program`: a terminal program wrote it, so its text is laid out already. */
export interface ShownBlock {
  kind: "shown";
  program?: true;
  message: Text | Code | Image | Table | File | Json | Error | Map | MapFrames | HighlightRoom | Arrow | ClearArrows | ClearMap | Policy;
}

/** An agent that a chat may choose, as GET /api/agents tells it. */
export interface AgentFacts {
  name: string;
  description: string;
  kind: "code" | "tools" | "terminal";
  model?: string;
  profile?: string;
  tools: string[];
  available: boolean;
  problem?: string;
}

/** Why this page's answer did not count: an error of the server, or `offline`, which is the page's own word. */
export interface AskFault {
  code: string;
  content: string;
  hint: string;
}

/** Something the run waits for; `answered` while this page's answer is on its way. */
export interface AskBlock {
  kind: "ask";
  ask: AskContent;
  seq?: number;
  closed: AskClosedContent | null;
  answered: boolean;
  fault: AskFault | null;
}

/** What a terminal program writes, until messages repeat it. */
export interface OutputBlock {
  kind: "output";
  text: Pieces;
}

export type Block = StepBlock | ShownBlock | AskBlock | OutputBlock;

/** One message of the person and everything the agent did about it. */
export interface Turn {
  kind: "turn";
  runId: string;
  seq: number;
  question: string;
  timestamp: string;
  ahead: number;
  state: RunState;
  step: number | null;
  notes: string[];
  blocks: Block[];
  closing: string;
  /** Whether a terminal program answers. */
  program: boolean;
  /** The batch that repeats the last output block, as far as it has come. */
  coming: { left: number; shown: ShownBlock["message"][] } | null;
}

/** Something said outside a run: an uploaded file, a notice, a refused frame. */
export interface Aside {
  kind: "aside";
  at: number;
  message: Text | File | Error | Policy;
}

export type Entry = Turn | Aside;

/** A message of the person that the server has not echoed. */
export interface Pending {
  id: string;
  content: string;
  state: "waiting" | "sent" | "unconfirmed";
}

export interface DeskState {
  connection: Connection;
  chat: ChatContent | null;
  lastSeq: number;
  entries: Entry[];
  asides: number;
  live: Live | null;
  pending: Pending[];
  files: FileContent[];
  images: Image[];
  policies: Policies;
  selection: RoomRef[];
}

/** The last word of the chat about each tool that asks, and the seq of the message that said it. */
export type Policies = { [tool: string]: { policy: "allow" | "ask"; seq: number } };

// --- conversations between agents ----------------------------------------------------------------------------------

export type ConversationState = "pending" | "active" | "terminating" | "ended" | "expired";
export type EndReason = "initiator_ended" | "participant_ended" | "timeout" | "expired" | "agent_removed" | "person_ended";

/** Times in seconds since 1970. */
export interface ProjectFacts {
  id: string;
  name: string;
  createdAt: number;
  agents: number;
  live: number;
  conversations: number;
}

export interface MemberFacts {
  id: string;
  name: string;
  kind: "ai" | "human";
  joinedAt: number;
  removedAt?: number | null;
}

export interface ProjectDetail extends ProjectFacts {
  members: MemberFacts[];
}

export interface NewMember {
  id: string;
  passkey: string;
}

/** One of the two who talk; `removed`: no longer a member of the project. */
export interface Party {
  id: string;
  name: string;
  removed: boolean;
}

export interface ConversationFacts {
  id: string;
  projectId: string;
  initiator: Party;
  participant: Party;
  purpose?: string | null;
  state: ConversationState;
  createdAt: number;
  endedAt?: number | null;
  endedBy?: string | null;
  reason?: EndReason | null;
  messageCount: number;
}

export interface ConversationMessage {
  seq: number;
  messageId: string;
  fromAgentId: string;
  content: string;
  createdAt: number;
}

export interface ConversationPage {
  conversations: ConversationFacts[];
  more: boolean;
}

/** `earlier`, `later`: there are messages before, after these. */
export interface Transcript {
  conversation: ConversationFacts;
  messages: ConversationMessage[];
  earlier: boolean;
  later: boolean;
}

/** What the conversations view shows; null is what is not known yet. */
export interface TalkState {
  projects: ProjectFacts[] | null;
  project: ProjectDetail | null;
  /** Whether only those that go on are listed. */
  live: boolean;
  list: ConversationFacts[] | null;
  more: boolean;
  selected: string | null;
  transcript: Transcript | null;
  fault: string;
}

// --- the bus -----------------------------------------------------------------------------------------------------

export type PaneName = "map" | "images" | "chat" | "debug";

/** Who was pointed at; panes light up what belongs to it. `source` lets a pane ignore its own. */
export interface Selection {
  runId?: string;
  seq?: number;
  room?: string;
  source: PaneName;
}

/** A leg of a route was pointed at, on the map or by its step in the chat; null: no longer. `route` counts those of its message. */
export interface LegPointed {
  seq?: number;
  route: number;
  leg: number | null;
  source: PaneName;
}

export type Command =
  | { name: "reset" }
  | { name: "new-chat" }
  | { name: "focus-pane"; pane: PaneName }
  | { name: "submit"; message: string }
  | { name: "point"; rooms: RoomRef[] }
  | { name: "show-code"; runId: string; step: number; line?: number }
  | { name: "retry"; id: string }
  | { name: "withdraw"; id: string }
  | { name: "dismiss"; at: number }
  | { name: "next-ask" }
  | { name: "show-ask"; askId: string }
  | { name: "answer"; runId: string; frame: Extract<ClientFrame, { type: "answer" }> };

/** `state` is told at most once per frame, `message` once per message (never a duplicate), after reduce. */
export interface DeskEvents {
  leg: LegPointed;
  message: Message;
  "open-asks": OpenAsksContent;
  state: DeskState;
  send: ClientFrame;
  command: Command;
  select: Selection;
  theme: Theme;
  language: Language;
}

export type DeskBus = Bus<DeskEvents>;

/** `t("key", {n: 3})`, and how the language writes numbers, times of day and durations (seconds). */
export interface Translate {
  (key: string, values?: Record<string, string | number>): string;
  language: Language;
  number(value: number): string;
  time(moment: string | Date): string;
  duration(seconds: number): string;
}

/** How far an upload is: on its way, then being read; `share` is from 0 to 1, or null when nobody knows. */
export interface UploadProgress {
  state: "sending" | "reading";
  share: number | null;
}

/** What an upload is doing, until the server's `file` message takes its place. */
export interface Upload extends UploadProgress {
  id: number;
  name: string;
  size: number;
  fault: string;
}

/** How work for a client ended: a value, or why there is none. `begin` is called once the answer counts. */
export type ClientOutcome =
  | { granted: true; value: JsonValue; begin?: () => void }
  | { granted: false; reason: string; begin?: undefined };

/** The tools that this page does for a run, by name. */
export type ClientTools = { [tool: string]: (given: { [name: string]: JsonValue }) => Promise<ClientOutcome> };

/** What every pane is given and offers. */
export interface PaneNeeds {
  bus: DeskBus;
  t: Translate;
  root?: HTMLElement;
}

/** `tools` goes into the header of the pane's frame, right of its title. */
export interface Pane {
  dom: HTMLElement;
  tools?: HTMLElement;
  destroy(): void;
}
