/**
 * Types that several modules of the page share: the frames it sends, its state, its bus. Messages of the server are in
 * messages.d.ts, generated from the pydantic models.
 */

import type { ChatsFact } from "./chats/state.js";
import type { TalkFact } from "./conversations/state.js";
import type { Bus } from "./core/bus.js";
import type { TurnView } from "./chat/turn.js";
import type { Logged } from "./debug/log.js";
import type { Gallery } from "./images/gallery.js";
import type { MapPicture } from "./map/picture.js";
import type { PANES } from "./panes.js";
import type {
  ArrowContent, Chart, ChartSelection, AskClosedContent, AskContent, AtCoordinate, AtRectangle, Branch, BranchContent, ChatContent, Closure, Code, Error, File, FileContent,
  ChatSummary, ConversationInfo, Evidence, EvidenceContent, JsonValue, Link, MapContent, MapDefinitionContent, Message, Note, NoticesContent, OpenAsksContent, Policy, ProjectDetail, ProjectInfo, RoomRef, RunContent, StepOutput, Table, TableSelection, TagInfo, Text, ToolProgressContent, TranscriptInfo,
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

/** Frames of the page. */
export type ClientFrame =
  | { type: "message"; message: string; clientMessageId: string; reading?: CorrectedReading; about?: RowSelection; attachments?: string[] }
  | { type: "answer"; askId: string; granted: boolean; value?: JsonValue; reason?: string; scope?: "call" | "step" | "chat" }
  | { type: "policy"; tool: string; policy: "allow" | "ask" }
  | { type: "run_code"; code: string; clientMessageId: string }
  | { type: "branch"; runId: string; message: string; clientMessageId: string; after: true; reading?: CorrectedReading; about?: RowSelection; attachments?: string[] }
  | { type: "answer_again"; runId: string; message: string; clientMessageId: string }
  | { type: "show_version"; runId: string }
  | { type: "cancel"; runId: string }
  | { type: "selection"; rooms: RoomRef[] }
  | { type: "clear_arrows" }
  | { type: "closures"; close?: Closure[]; reopen?: Closure[] }
  | { type: "show_layer"; layer: string | null }
  | { type: "keep_reading"; runId: string; index: number | null };

// --- state of the page -------------------------------------------------------------------------------------------

/** Facts of the page itself, reduced like messages. Their types start with "@", unlike those of messages. */
export type Fact =
  | ChatFact
  | { type: "@floor"; floorId: string }
  | { type: "@earth" }
  | { type: "@layer"; agent: string; visible: boolean }
  | { type: "@frame"; at: number }
  | { type: "@drawing"; seq: number }
  | { type: "@map_cleared" }
  /** The chat's building has other names. */
  | { type: "@building"; building: MapDefinitionContent }
  /** Files of a building were attached in the chat. */
  | { type: "@building_files"; files: globalThis.File[] }
  | { type: "@log_cleared" }
  | { type: "@talk"; fact: TalkFact }
  | { type: "@chats"; fact: ChatsFact }
  | { type: "@titled"; chatId: string; title: string }
  | { type: "@layout"; layout: LayoutName }
  /** A person opens data in the place of the plan, or removes it. */
  | { type: "@data"; data: PlacedData | null }
  /** A person chooses a tab of that place. */
  | { type: "@front"; front: PaneRoom["front"] }
  /** This page uploads a file. */
  | { type: "@uploading"; name: string }
  | { type: "@lost"; chatId: string; was: LostChat["was"] }
  | { type: "@found" };

export type ChatFact =
  | { type: "@kept"; runId: string; index: number | null; sent: boolean }
  | { type: "@version"; runId: string }
  | { type: "@continue"; runId: string | null }
  | { type: "@connection"; connection: Connection }
  | { type: "@submitted"; id: string; content: string; reading?: CorrectedReading; about?: RowSelection; attachments?: string[]; instead?: AnswerOf; sent: boolean }
  | { type: "@pointed_rows"; about: RowSelection | null }
  | { type: "@sent"; id: string }
  | { type: "@withdrawn"; id: string }
  | { type: "@dismissed"; at: number }
  | { type: "@answered"; runId: string; askId: string }
  | { type: "@unsent"; runId: string; askId: string }
  /**
   * A person changed the arguments of a waiting call, in its card or on the plan; null: the original ones. `invalid`: its
   * card shows others, which are invalid.
   */
  | { type: "@draft"; runId: string; askId: string; draft: AskBlock["draft"]; invalid?: boolean }
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

/** Text that the model is writing; null once the messages of the step have arrived. */
export interface Live {
  runId: string;
  step: number;
  text: Pieces | null;
  code: Pieces | null;
  reasoning: Pieces | null;
  /** Tokens of the prompt that the server has read, until the first text. */
  prompt: { processed: number; total: number } | null;
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

/** Work of a managed agent for a call: a turn whose question is the task. */
export interface AgentWork {
  agent: string;
  turn: Turn;
  live: Live | null;
}

/**
 * Progress of another agent, or a query, that works for a call. `text` is null before its first text, `share` while the
 * progress is unknown.
 */
export interface CallProgress {
  agent: string;
  state: ToolProgressContent["state"];
  text: Pieces | null;
  share: number | null;
}

/** Step of a turn: the model's thought, the code, its calls, the printed output. */
export interface StepBlock {
  kind: "step";
  step: number;
  started?: string;
  /** Seconds of work, without waiting for a person. */
  duration?: number;
  /** Seconds of waiting for answers. */
  waited?: number;
  thought: string;
  code: Code | null;
  partial: boolean;
  calls: Call[];
  printed: Pieces | null;
}

/** `program`: output of a terminal program, with its own layout. `agent`: the managed agent that shows it. */
export interface ShownBlock {
  kind: "shown";
  program?: true;
  agent?: string;
  message: Exclude<StepOutput, Evidence> | Policy;
}

/** Agent that a chat can use, as in GET /api/agents. */
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

/** Reason why this page's answer did not count: an error of the server, or `offline`, a code of the page. */
export interface AskFault {
  code: string;
  content: string;
  hint: string;
}

/** Ask of a run; `answered` while this page's answer is pending. */
export interface AskBlock {
  kind: "ask";
  ask: AskContent;
  /** Managed agent that made the call. */
  agent?: string;
  seq?: number;
  closed: AskClosedContent | null;
  answered: boolean;
  fault: AskFault | null;
  /** Arguments that a person changed, but has not allowed yet; null: those of the call. */
  draft: { [name: string]: JsonValue } | null;
  /** Whether its card shows invalid arguments, so that neither those nor the draft can be allowed. */
  invalid: boolean;
}

/** Streamed output of a terminal program, until messages repeat it. */
export interface OutputBlock {
  kind: "output";
  text: Pieces;
}

export type Block = StepBlock | ShownBlock | AskBlock | OutputBlock;

/** Message of the person and the agent's work on it. */
export interface Turn {
  kind: "turn";
  runId: string;
  seq: number;
  question: string;
  /** Whether the question is code of the person. */
  isCode: boolean;
  /** First version of the turn: its own run, or that of the turn that it answers again. */
  firstRun: string;
  /** Id of the agents' conversation that the turn belongs to; null for a person's question. */
  conversation: string | null;
  /** Chats that branch off before this turn. */
  branches: BranchContent[];
  /** Names of the files sent with the question. */
  attachments: string[];
  timestamp: string;
  ahead: number;
  state: RunState;
  step: number | null;
  /** Start of the wait for an answer. */
  waiting: string | null;
  notes: RunNote[];
  blocks: Block[];
  closing: string;
  /** Whether a terminal program answers. */
  program: boolean;
  /** Batch that repeats the last output block, as far as it has arrived. */
  coming: { remaining: number; results: ShownBlock["message"][] } | null;
  /** Alternative that the person keeps as the answer. */
  kept: Kept | null;
  /** Figures of the answer with their places; null without any, and in logs from before. */
  evidence: EvidenceContent | null;
}

/** Version of a turn that is compared with another; `view` creates a view of its results. */
export type ComparedVersion = { label: string; turn: Turn; view: () => TurnView };

/** What a watch looks at: the answer, a figure, a table, a chart or a cell. */
export type WatchTarget = { kind: "answer" | "figure" | "table" | "chart" | "cell"; index?: number; row?: string; column?: string };

/** Part of an answer that can be watched; `label` is the kind of its text. */
export type WatchedPart = { target: WatchTarget; label: string; text: string };

/** Answer that a person wants to watch. */
export type WatchedAnswer = { chatId: string; runId: string; title: string; targets: WatchedPart[]; /** Cron line of the times that the question asks for. */ cron: string | null };

/** Number of an alternative, null for none of them; `unsent` if the server did not get it. */
export interface Kept {
  index: number | null;
  unsent?: boolean;
}

/** Note of a run: the text for the model, and a code with facts if the desk has one. */
export type RunNote = { content: string } & Partial<Note>;

/** Entry outside of runs: an uploaded file, a notice, a refused frame. */
export interface Aside {
  kind: "aside";
  at: number;
  message: Text | File | Error | Policy | Branch;
}

export type Entry = Turn | Aside;

/** `query` of a reading message, corrected by a person. */
export type CorrectedReading = { [name: string]: JsonValue };

/** Completion of a typed text, as in GET /api/chats/{id}/completions. */
export interface Completion {
  text: string;
  part: "figure" | "group" | "condition" | "chart";
}

/** Entry of the list above the composer, and the effect of choosing it; by default it replaces the text. */
export interface Suggestion {
  text: string;
  detail?: string;
  run?: () => void;
  /** Title above the first entry of a group, and a note below its last. */
  group?: string;
  more?: string;
}

/** Edit of a turn that the server has not accepted yet; `fault`: the reason of a refusal. */
export interface Attempt extends Pick<Pending, "reading" | "about" | "attachments"> {
  id: string;
  kind: "again" | "continue" | "code";
  runId: string;
  text: string;
  fault: { code: string; content: string } | null;
}

/** Message of the person that the server has not echoed. */
export interface Pending {
  id: string;
  content: string;
  reading?: CorrectedReading;
  about?: RowSelection;
  /** Names of the files that it brings. */
  attachments?: string[];
  /** Choice that it replaces once the server has accepted it. */
  instead?: AnswerOf;
  state: "waiting" | "sent" | "unconfirmed";
}

export interface AnswerOf {
  runId: string;
  frame: Extract<ClientFrame, { type: "answer" }>;
}

/** Chart as it is shown: its content, and the addresses of its spec and its picture. */
export type ChangedChart = Pick<Chart, "content" | "url" | "imageUrl">;

/** What persons changed charts to, by the ids of the specs that were first shown. */
export type ChangedCharts = { [specId: string]: ChangedChart };

export interface DeskState {
  connection: Connection;
  chat: ChatContent | null;
  lastSeq: number;
  entries: Entry[];
  asides: number;
  /** Run of the version that is shown, by the first run of its turn; only turns with several. */
  shownVersions: { [firstRun: string]: string };
  /** Version that the person chose to continue from. */
  continueFrom: string | null;
  live: Live | null;
  pending: Pending[];
  attempt: Attempt | null;
  files: FileContent[];
  policies: Policies;
  /** Whether the steps of finished answers are open. */
  stepsOpen: boolean;
  selection: RoomRef[];
  /** Rows of a chart or a table for the next question. */
  about: RowSelection | null;
  map: MapPicture;
  gallery: Gallery;
  charts: ChangedCharts;
  /** All messages of this chat, newest first. */
  log: Logged | null;
  openAsks: OpenAsksContent;
  notices: NoticesContent;
  talk: TalkState;
  chats: ChatsState;
  /** Chat that the server does not have, or no longer has. */
  lost: LostChat | null;
  room: PaneRoom;
  /** Files of a building that were attached in the chat last, for the map. */
  buildingFiles: globalThis.File[];
}

/** `lean`: the pane that an answer filled gets the room; `own`: sizes set by hand; the others are fixed. */
export type LayoutName = "lean" | "analyst" | "map" | "debug" | "all" | "own";

/** Data that stands in the place of the plan: a table of an answer, or the card of an uploaded file. */
export type PlacedData = { kind: "table"; message: Table } | { kind: "file"; content: FileContent };

/**
 * Distribution of a wide screen. `filled`: what an answer of this chat filled last, in the run `runId`; `front`: what
 * stands in the place of the plan; `opened`: how often a person has chosen that; `uploads`: names of files that this page
 * uploads.
 */
export interface PaneRoom {
  layout: LayoutName;
  filled: "images" | "map" | "data" | null;
  runId: string | undefined;
  data: PlacedData | null;
  front: "map" | "data";
  opened: number;
  uploads: string[];
}

/**
 * `was`: open on this page, named by an address, open at this browser's last visit, or deleted by this page; `turn`: the
 * chat exists, a turn of it does not.
 */
export interface LostChat {
  chatId: string;
  was: "open" | "address" | "remembered" | "deleted" | "turn";
}

/** List of chats, as far as it is loaded. */
export interface ChatsState {
  /** Whether the drawer is open. */
  open: boolean;
  /** Search text; "" for all chats. */
  query: string;
  /** Whether the list is that of the archive. */
  archived: boolean;
  /** Tag that the listed chats have; "" for all chats. */
  tag: string;
  /** Tags of all chats. */
  tags: TagInfo[];
  list: ChatSummary[] | null;
  /** Start of the next page; null at the end. */
  next: string | null;
  /** Chats that were just deleted here, and the end of their undo: milliseconds since 1970. */
  deleted: { [chatId: string]: number };
  seen: Seen;
  fault: string;
}

/**
 * Times up to which this browser has shown answers: per chat, and `since` for all others. Seconds, by the server's clock.
 */
export interface Seen {
  since: number;
  chats: { [chatId: string]: number };
}

/** Latest policy of each tool, and the seq of its message. */
export type Policies = { [tool: string]: { policy: "allow" | "ask"; seq: number } };

// --- conversations between agents ----------------------------------------------------------------------------------

/** State of the conversations view; null is unknown. */
export interface TalkState {
  projects: ProjectInfo[] | null;
  project: ProjectDetail | null;
  /** Whether only active ones are listed. */
  live: boolean;
  list: ConversationInfo[] | null;
  more: boolean;
  selected: string | null;
  transcript: TranscriptInfo | null;
  fault: string;
}

// --- buildings -----------------------------------------------------------------------------------------------------

/** Line of an import report: findings of one code, with the places of the first. */
export interface Finding {
  severity: "error" | "warning" | "note";
  code?: string;
  count?: number;
  values?: Record<string, string>;
  where: string;
  message: string;
  details?: { where: string; message: string; values?: Record<string, string> }[];
}

/** Imported building of the list; `createdAt` in seconds since 1970. */
export interface BuildingSummary {
  buildingId: string;
  name: string;
  floors: number;
  rooms: number;
  createdAt: number;
}

/** One of several buildings in a file. */
export interface ImportChoice {
  id: string;
  name: string;
  floors: number;
  rooms: number;
}

/** A building of a file: stored if it has an id, else with its definition; or the reason for none. */
export type ImportOutcome =
  | {
      kind: "building";
      buildingId?: string;
      name: string;
      floors: number;
      rooms: number;
      report: Finding[];
      definition: MapDefinitionContent;
    }
  | { kind: "choices"; choices: ImportChoice[] }
  | { kind: "refused"; report: Finding[]; message: string };

// --- the bus -----------------------------------------------------------------------------------------------------

export type PaneName = (typeof PANES)[number]["name"];

/** Pane of the registry, panes.js. */
export interface PaneEntry {
  name: string;
  title: Record<Language, string>;
  icon: string;
  column: "left" | "right";
  shows: readonly Message["type"][];
  Pane: new (needs: PaneNeeds) => Pane;
}

/** Selection; panes light what belongs to it. `source` lets a pane ignore its own. */
export interface Selection {
  runId?: string;
  seq?: number;
  room?: string;
  /** All messages that belong to it, `seq` among them. */
  seqs?: readonly number[];
  source: PaneName;
}

/** Messages of the part under the pointer in a pane; null: none. */
export interface Hover {
  seqs: readonly number[];
  source: PaneName;
}

/** Leg of a route under the pointer, on the map or in the chat; null: none. `route` is its index in the message. */
export interface LegPointed {
  seq?: number;
  route: number;
  leg: number | null;
  source: PaneName;
}

/** Part of a report: the output of the message at `seq`, or the map as it was then, at a floor; or a text. */
export interface ReportPin {
  kind: "answer" | "table" | "chart" | "image" | "map" | "text";
  /** For a text only a number that no other text of the report has. */
  seq: number;
  /** Markdown of a text. */
  text?: string;
  floorId?: string;
  /** For a map: left, top, width and height of the visible part, in plan pixels; all of it by default. */
  view?: [number, number, number, number];
}

/** Object of a chat to share: what the message at `seq` shows, or the map, on `floorId` or where it is drawn on. */
export interface SharedObject {
  kind: "table" | "chart" | "image" | "map";
  seq?: number;
  floorId?: string;
  caption?: string;
}

export type Command =
  | { name: "reset" }
  | { name: "new-chat" }
  | { name: "open-chat"; chatId: string }
  | { name: "chat-deleted"; chatId: string }
  | { name: "chat-restored"; chatId: string }
  | { name: "chats" }
  | { name: "choose-agent" }
  /** Choose the chat's model; with a message, send it again with that model. */
  | { name: "models"; again?: string }
  | { name: "use-agent"; agent: string; again: string }
  | { name: "layout" }
  | { name: "help" }
  | { name: "sources" }
  | { name: "mcp" }
  /** Open the report of a chat, or pin a part to it. */
  | { name: "report"; chatId: string | null; pin?: ReportPin }
  /** Open the saved tests; save the answer of a run as one; or try a file of a chat with those that use it. */
  | { name: "tests"; save?: { chatId: string; runId: string }; file?: { chatId: string; name: string } }
  /** Show two versions of a turn side by side in all panes. */
  | { name: "compare-versions"; versions: [ComparedVersion, ComparedVersion] }
  /** Open the watches, with the unread reports; or watch an answer. */
  | { name: "watches"; unread?: NoticesContent; add?: WatchedAnswer }
  /** Share an object of a chat at an address of its own. */
  | { name: "share"; chatId: string | null; object: SharedObject }
  /** Emit the state again in the next frame, for a new listener. */
  | { name: "draw" }
  /** Focus the message field, and append `text`. */
  | { name: "write"; text?: string }
  | { name: "focus-pane"; pane: PaneName }
  /** Send a message; `attachments` are by default the files that came since the last one. */
  | { name: "submit"; message: string; reading?: CorrectedReading; attachments?: string[] }
  /** Ask again with another text; or run code in the chat's variables, from its place in a turn. */
  | { name: "attempt"; kind: Attempt["kind"]; runId: string; text: string }
  | { name: "show-turn"; runId: string }
  | { name: "show-version"; runId: string }
  | { name: "continue-from"; runId: string }
  /** Continue from the newest version again. */
  | { name: "leave-version"; firstRun: string }
  /** Upload files as data, also those of a building. */
  | { name: "attach"; files: globalThis.File[] }
  | { name: "point"; rooms: RoomRef[] }
  | { name: "point-rows"; about: RowSelection | null }
  | { name: "show-image"; seq?: number; runId?: string }
  | { name: "show-code"; runId: string; step: number; line?: number }
  | { name: "retry"; id: string }
  | { name: "withdraw"; id: string }
  | { name: "dismiss"; at: number }
  | { name: "next-ask" }
  | { name: "show-ask"; askId: string }
  /** Keep one of the alternatives of a run; null: none of them. */
  | { name: "keep-reading"; runId: string; index: number | null }
  | ({ name: "answer" } & AnswerOf);

/** `state` is emitted at most once per frame, `message` once per message (never a duplicate), after reduce. */
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

/** `t("key", {n: 3})`, and the formats of numbers, times of day and durations (seconds). */
export interface Translate {
  (key: string, values?: Record<string, string | number>): string;
  language: Language;
  /** Whether there is a text for a key. */
  has(key: string): boolean;
  number(value: number): string;
  time(moment: string | Date): string;
  duration(seconds: number): string;
  floor(floorId: string): string;
  /** Join a label and its value with a colon; join items with commas. */
  pair(label: string, value: string): string;
  list(items: readonly string[]): string;
  /** Names of the building's floors by their ids. */
  floors: ReadonlyMap<string, Record<Language, string>>;
}

/** State of an upload; `share` is from 0 to 1, or null if unknown. */
export interface UploadProgress {
  state: "sending" | "waiting" | "reading";
  share: number | null;
  /** Reason for waiting. */
  reason?: string;
}

/** Upload in progress, until the server's `file` message replaces it. */
export interface Upload extends UploadProgress {
  id: number;
  /** Its chat: other chats do not show it. */
  chatId: string | null;
  name: string;
  size: number;
  fault: string;
  cancel?: () => void;
}

/** Outcome of work for a client: a value, or the reason why there is none. `begin` is called once the answer counts. */
export type ClientOutcome =
  | { granted: true; value: JsonValue; begin?: () => void }
  | { granted: false; reason: string; begin?: undefined };

/** Tools that this page runs, by name. */
export type ClientTools = { [tool: string]: (input: { [name: string]: JsonValue }) => Promise<ClientOutcome> };

/** Inputs of every pane. */
export interface PaneNeeds {
  bus: DeskBus;
  t: Translate;
  root?: HTMLElement;
  /** Selection from before a late pane has loaded. */
  selected?: Selection;
}

/** `tools` go into the header of the pane's frame, right of its title. */
export interface Pane {
  dom: HTMLElement;
  tools?: HTMLElement;
  destroy(): void;
}
