/**
 * The shapes that cross modules of the page: what it sends, its state, its bus. What the server sends is in
 * messages.d.ts, made from the pydantic models.
 */

import type { ChatsFact } from "./chats/state.js";
import type { TalkFact } from "./conversations/state.js";
import type { Bus } from "./core/bus.js";
import type { Logged } from "./debug/log.js";
import type { Gallery } from "./images/gallery.js";
import type { MapPicture } from "./map/picture.js";
import type { PANES } from "./panes.js";
import type {
  ArrowContent, ChartSelection, AskClosedContent, AskContent, AtCoordinate, AtRectangle, Branch, BranchContent, ChatContent, Code, Error, File, FileContent,
  ChatSummary, ConversationInfo, JsonValue, Link, MapContent, Message, Note, OpenAsksContent, Policy, ProjectDetail, ProjectInfo, RoomRef, RunContent, StepOutput, TableSelection, Text, ToolProgressContent, TranscriptInfo,
} from "./messages.js";

export * from "./messages.js";

export type RowSelection = ChartSelection | TableSelection;

export type Direction = ArrowContent["direction"];
export type RunState = RunContent["state"];
export type LinkKind = Link["kind"];
export type Position = AtRectangle | AtCoordinate;
export type Overlay = MapContent["overlays"][number];
export type Language = "en" | "ja";
export type Theme = "light" | "dark";

/** Everything the page sends. */
export type ClientFrame =
  | { type: "message"; message: string; clientMessageId: string; reading?: CorrectedReading; about?: RowSelection }
  | { type: "answer"; askId: string; granted: boolean; value?: JsonValue; reason?: string; scope?: "call" | "step" | "chat" }
  | { type: "policy"; tool: string; policy: "allow" | "ask" }
  | { type: "run_code"; code: string; clientMessageId: string }
  | { type: "branch"; runId: string; message: string; clientMessageId: string }
  | { type: "cancel"; runId: string }
  | { type: "selection"; rooms: RoomRef[] }
  | { type: "clear_arrows" };

// --- state of the page -------------------------------------------------------------------------------------------

/** Facts of the page itself, which go through the same `reduce`; their types begin with "@", no message's does. */
export type Fact =
  | ChatFact
  | { type: "@floor"; floorId: string }
  | { type: "@earth" }
  | { type: "@layer"; agent: string; visible: boolean }
  | { type: "@frame"; at: number }
  | { type: "@drawing"; seq: number }
  | { type: "@map_cleared" }
  | { type: "@log_cleared" }
  | { type: "@talk"; fact: TalkFact }
  | { type: "@chats"; fact: ChatsFact }
  | { type: "@titled"; chatId: string; title: string }
  | { type: "@layout"; layout: LayoutName }
  | { type: "@lost"; chatId: string; was: LostChat["was"] }
  | { type: "@found" };

export type ChatFact =
  | { type: "@connection"; connection: Connection }
  | { type: "@submitted"; id: string; content: string; reading?: CorrectedReading; about?: RowSelection; instead?: AnswerOf; sent: boolean }
  | { type: "@pointed_rows"; about: RowSelection | null }
  | { type: "@sent"; id: string }
  | { type: "@withdrawn"; id: string }
  | { type: "@dismissed"; at: number }
  | { type: "@answered"; runId: string; askId: string }
  | { type: "@unsent"; runId: string; askId: string }
  | { type: "@pointed"; rooms: RoomRef[] }
  | { type: "@steps"; open: boolean }
  | { type: "@attempt"; attempt: Attempt | null };

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
  state: "called" | "returned" | "failed" | "stopped";
  arguments: { [name: string]: JsonValue };
  line?: number;
  result?: string;
  code?: string;
  progress?: CallProgress;
  work?: AgentWork;
}

/** What a managed agent does for a call: its task is the question of a turn of its own. */
export interface AgentWork {
  agent: string;
  turn: Turn;
  live: Live | null;
}

/**
 * What another agent, or a query, says while it works for a call; `text` is null before it says anything, `share` unless it
 * says how much is done.
 */
export interface CallProgress {
  agent: string;
  state: ToolProgressContent["state"];
  text: Pieces | null;
  share: number | null;
}

/** One step of a turn: what the model thought, the code, the calls it made, what it printed. */
export interface StepBlock {
  kind: "step";
  step: number;
  started?: string;
  /** Seconds of work: what it waited for a person is not among them. */
  duration?: number;
  /** Seconds it waited for answers. */
  waited?: number;
  thought: string;
  code: Code | null;
  partial: boolean;
  calls: Call[];
  printed: Pieces | null;
}

/** `program`: a terminal program wrote it, so its text is laid out already. `agent`: the managed agent that shows it. */
export interface ShownBlock {
  kind: "shown";
  program?: true;
  agent?: string;
  message: StepOutput | Policy;
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
  /** The managed agent whose call it is. */
  agent?: string;
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
  /** Whether the question is code that the person ran. */
  isCode: boolean;
  /** The id of the conversation in which it was the agent's turn; null for what a person asked. */
  conversation: string | null;
  /** Chats that go on from before this turn. */
  branches: BranchContent[];
  /** Names of the files that came with the question. */
  attachments: string[];
  timestamp: string;
  ahead: number;
  state: RunState;
  step: number | null;
  /** Since when it waits for an answer. */
  waiting: string | null;
  notes: RunNote[];
  blocks: Block[];
  closing: string;
  /** Whether a terminal program answers. */
  program: boolean;
  /** The batch that repeats the last output block, as far as it has come. */
  coming: { remaining: number; results: ShownBlock["message"][] } | null;
}

/** What a run notes: as the model is told, and of what the desk has a code for, its facts. */
export type RunNote = { content: string } & Partial<Note>;

/** Something said outside a run: an uploaded file, a notice, a refused frame. */
export interface Aside {
  kind: "aside";
  at: number;
  message: Text | File | Error | Policy | Branch;
}

export type Entry = Turn | Aside;

/** A message of the person that the server has not echoed. */
/** The `query` of a reading message, as a person corrected it. */
export type CorrectedReading = { [name: string]: JsonValue };

/** A text that what was typed can become, as GET /api/chats/{id}/completions tells it. */
export interface Completion {
  text: string;
  part: "figure" | "group" | "condition" | "chart";
}

/** A line of the list over the composer: what choosing it does, by default that it stands in the field. */
export interface Suggestion {
  text: string;
  detail?: string;
  run?: () => void;
  /** The title above the first of those that have it, and what is said below the last. */
  group?: string;
  more?: string;
}

/** What a person asked for in a turn and the server has not taken yet; `fault`: why it was refused. */
export interface Attempt {
  id: string;
  kind: "branch" | "code";
  runId: string;
  text: string;
  fault: { code: string; content: string } | null;
}

export interface Pending {
  id: string;
  content: string;
  reading?: CorrectedReading;
  about?: RowSelection;
  /** What it sets aside once the server has taken it. */
  instead?: AnswerOf;
  state: "waiting" | "sent" | "unconfirmed";
}

export interface AnswerOf {
  runId: string;
  frame: Extract<ClientFrame, { type: "answer" }>;
}

export interface DeskState {
  connection: Connection;
  chat: ChatContent | null;
  lastSeq: number;
  entries: Entry[];
  asides: number;
  live: Live | null;
  pending: Pending[];
  attempt: Attempt | null;
  files: FileContent[];
  policies: Policies;
  /** Whether the steps of a finished answer stand open. */
  stepsOpen: boolean;
  selection: RoomRef[];
  /** Rows of a chart or a table that the next question is about. */
  about: RowSelection | null;
  map: MapPicture;
  gallery: Gallery;
  /** Every message of this chat that came, newest first. */
  log: Logged | null;
  openAsks: OpenAsksContent;
  talk: TalkState;
  chats: ChatsState;
  /** A chat that the server does not have, or no longer. */
  lost: LostChat | null;
  room: PaneRoom;
}

/** `lean`: the pane that an answer filled gets the room; `own`: sizes made by hand; the others stand as they are. */
export type LayoutName = "lean" | "analyst" | "map" | "debug" | "all" | "own";

/** Who gets the room on a wide screen. `filled`: the pane that an answer of this chat filled last. */
export interface PaneRoom {
  layout: LayoutName;
  filled: "images" | "map" | null;
}

/** `was`: open on this page, asked for by an address, open when this browser was last here, or deleted by this page; `turn`: the chat is there, a turn of it is not. */
export interface LostChat {
  chatId: string;
  was: "open" | "address" | "remembered" | "deleted" | "turn";
}

/** The list of chats, as far as it was read. */
export interface ChatsState {
  /** Whether it is looked at. */
  open: boolean;
  /** What is looked for; empty for all. */
  query: string;
  list: ChatSummary[] | null;
  /** Where the next page begins; null at the end. */
  next: string | null;
  /** Chats that were just deleted here, and until when they are offered for undo: milliseconds since 1970. */
  deleted: { [chatId: string]: number };
  seen: Seen;
  fault: string;
}

/** Which answers this browser has shown: of each chat up to a time, of all others up to `since`. Seconds, by the server's clock. */
export interface Seen {
  since: number;
  chats: { [chatId: string]: number };
}

/** The last word of the chat about each tool that asks, and the seq of the message that said it. */
export type Policies = { [tool: string]: { policy: "allow" | "ask"; seq: number } };

// --- conversations between agents ----------------------------------------------------------------------------------

/** What the conversations view shows; null is what is not known yet. */
export interface TalkState {
  projects: ProjectInfo[] | null;
  project: ProjectDetail | null;
  /** Whether only those that go on are listed. */
  live: boolean;
  list: ConversationInfo[] | null;
  more: boolean;
  selected: string | null;
  transcript: TranscriptInfo | null;
  fault: string;
}

// --- the bus -----------------------------------------------------------------------------------------------------

export type PaneName = (typeof PANES)[number]["name"];

/** A pane of the registry, panes.js. */
export interface PaneEntry {
  name: string;
  title: Record<Language, string>;
  icon: string;
  column: "left" | "right";
  shows: readonly Message["type"][];
  Pane: new (needs: PaneNeeds) => Pane;
}

/** Who was pointed at; panes light up what belongs to it. `source` lets a pane ignore its own. */
export interface Selection {
  runId?: string;
  seq?: number;
  room?: string;
  /** All messages that belong to it, `seq` among them. */
  seqs?: readonly number[];
  source: PaneName;
}

/** What is under the pointer in a pane, by the messages that it shows; null: nothing any more. */
export interface Hover {
  seqs: readonly number[];
  source: PaneName;
}

/** A leg of a route was pointed at, on the map or by its step in the chat; null: no longer. `route` counts those of its message. */
export interface LegPointed {
  seq?: number;
  route: number;
  leg: number | null;
  source: PaneName;
}

/** A part of a report: what the message at `seq` shows, or the map as it stood then, at a floor. */
export interface ReportPin {
  kind: "answer" | "table" | "chart" | "image" | "map";
  seq: number;
  floorId?: string;
  /** Of a map: left, top, width and height of what is seen, in plan pixels; without it, all of it. */
  view?: [number, number, number, number];
}

export type Command =
  | { name: "reset" }
  | { name: "new-chat" }
  | { name: "open-chat"; chatId: string }
  | { name: "chat-deleted"; chatId: string }
  | { name: "chat-restored"; chatId: string }
  | { name: "chats" }
  | { name: "choose-agent" }
  /** Choose the chat's model; with a message, it is sent again with the one that is chosen. */
  | { name: "models"; again?: string }
  | { name: "layout" }
  | { name: "help" }
  | { name: "sources" }
  | { name: "mcp" }
  /** Open the report of a chat, or pin a part to it. */
  | { name: "report"; chatId: string | null; pin?: ReportPin }
  /** The state is told again in the next frame: somebody new listens. */
  | { name: "draw" }
  /** The focus to the message, and `text` behind what stands there. */
  | { name: "write"; text?: string }
  | { name: "focus-pane"; pane: PaneName }
  | { name: "submit"; message: string; reading?: CorrectedReading }
  /** Ask the words in place of a turn's; run code in the chat's variables, from where it stands in a turn. */
  | { name: "attempt"; kind: Attempt["kind"]; runId: string; text: string }
  | { name: "show-turn"; runId: string }
  | { name: "point"; rooms: RoomRef[] }
  | { name: "point-rows"; about: RowSelection | null }
  | { name: "show-image"; seq?: number; runId?: string }
  | { name: "show-code"; runId: string; step: number; line?: number }
  | { name: "retry"; id: string }
  | { name: "withdraw"; id: string }
  | { name: "dismiss"; at: number }
  | { name: "next-ask" }
  | { name: "show-ask"; askId: string }
  | ({ name: "answer" } & AnswerOf);

/** `state` is told at most once per frame, `message` once per message (never a duplicate), after reduce. */
export interface DeskEvents {
  leg: LegPointed;
  message: Message;
  fact: Fact;
  state: DeskState;
  send: ClientFrame;
  command: Command;
  select: Selection;
  hover: Hover | null;
  theme: Theme;
  language: Language;
}

export type DeskBus = Bus<DeskEvents>;

/** `t("key", {n: 3})`, and how the language writes numbers, times of day and durations (seconds). */
export interface Translate {
  (key: string, values?: Record<string, string | number>): string;
  language: Language;
  /** Whether there is a sentence for a key. */
  has(key: string): boolean;
  number(value: number): string;
  time(moment: string | Date): string;
  duration(seconds: number): string;
  floor(floorId: string): string;
  /** Names of the building's floors by their ids, for languages that have them. */
  floors: ReadonlyMap<string, string>;
}

/** How far an upload is: on its way, waiting for the desk, being read; `share` is from 0 to 1, or null when nobody knows. */
export interface UploadProgress {
  state: "sending" | "waiting" | "reading";
  share: number | null;
  /** What the desk said that it waits for. */
  reason?: string;
}

/** What an upload is doing, until the server's `file` message takes its place. */
export interface Upload extends UploadProgress {
  id: number;
  /** The chat it goes to: other chats do not speak of it. */
  chatId: string | null;
  name: string;
  size: number;
  fault: string;
  cancel?: () => void;
}

/** How work for a client ended: a value, or why there is none. `begin` is called once the answer counts. */
export type ClientOutcome =
  | { granted: true; value: JsonValue; begin?: () => void }
  | { granted: false; reason: string; begin?: undefined };

/** The tools that this page does for a run, by name. */
export type ClientTools = { [tool: string]: (input: { [name: string]: JsonValue }) => Promise<ClientOutcome> };

/** What every pane is given and offers. */
export interface PaneNeeds {
  bus: DeskBus;
  t: Translate;
  root?: HTMLElement;
  /** What was pointed at before a late pane had come. */
  selected?: Selection;
}

/** `tools` goes into the header of the pane's frame, right of its title. */
export interface Pane {
  dom: HTMLElement;
  tools?: HTMLElement;
  destroy(): void;
}
