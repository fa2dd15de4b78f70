/**
 * Connection of the page to its chat: it opens the socket for the right chat, sends each message of the person once,
 * over an open socket only, and handles chats that the server does not know. An open one stays readable; any other is
 * replaced by a new chat.
 */

import {
  askInHash,
  chatInHash,
  forgetPlace,
  rememberChat,
  rememberedChat,
  socketAddress,
  turnInHash,
} from "../core/address.js";
import { equalRooms } from "../core/room-refs.js";
import { attachmentsOf, openChoice } from "../chat/turns.js";
import { continuedVersion, olderVersion } from "../core/versions.js";
import { Wire } from "../core/socket.js";

/** @import { AnswerOf, Attempt, Command, Connection, DeskBus, Message, Pending } from "../types.js" */
/** @import { RoomRef } from "../types.js" */
/** @import { Desk } from "./store.js" */

export class Link {
  /**
   * @param {DeskBus} bus
   * @param {Desk} desk
   */
  constructor(bus, desk) {
    this.bus = bus;
    this.desk = desk;
    this.chatId = rememberedChat();
    /** Chat in the address. */
    this.addressChat = chatInHash(window.location.hash);
    /** Rooms selected while no server was connected. @type {RoomRef[] | null} */
    this.unsentRooms = null;
    /** Runs of versions shown while no server was connected. @type {string[]} */
    this.unsentVersions = [];
    /**
     * Rooms of a message sent by this page. The first run that uses them removes them from the selection.
     *
     * @type {RoomRef[] | null}
     */
    this.spent = null;
    /** Whether the server has confirmed the chat of this connection. */
    this.attached = false;
    this.wire = new Wire({
      address: () => socketAddress(this.chatId, this.desk.state.lastSeq),
      receive: (message) => this.receive(message),
      onConnection: (connection) => this.connected(connection),
    });
    this.hash = () => {
      const chatId = chatInHash(window.location.hash);
      const askId = askInHash(window.location.hash);
      this.addressChat = chatId;
      if (chatId !== null && chatId !== this.chatId) this.moveTo(chatId);
      if (askId !== null) this.showAsk(askId);
      this.showTurn();
    };
    window.addEventListener("hashchange", this.hash);
    this.undo = [
      bus.on("send", (frame) => {
        this.wire.send(frame);
      }),
      bus.on("command", (command) => this.onCommand(command)),
    ];
  }

  open() {
    const askId = askInHash(window.location.hash);
    if (askId !== null) this.showAsk(askId);
    this.showTurn();
    this.wire.open();
  }

  /**
   * Show an ask that a link points at, and remove it from the address, so that a reload does not jump there again.
   *
   * @param {string} askId
   */
  showAsk(askId) {
    forgetPlace();
    this.bus.emit("command", { name: "show-ask", askId });
  }

  /** Show the turn that a link points at, if any. */
  showTurn() {
    const runId = turnInHash(window.location.hash);
    if (runId === null) return;
    forgetPlace();
    this.bus.emit("command", { name: "show-turn", runId });
  }

  /** @param {Connection} connection */
  connected(connection) {
    this.attached = false;
    if (connection !== "open") this.desk.take({ type: "@connection", connection });
  }

  /** @param {Message} message */
  receive(message) {
    if (!this.attached && message.type === "error" && message.code === "not_found")
      return this.handleUnknownChat();
    const { attempt, pending } = this.desk.state;
    this.desk.take(message);
    if (attempt?.fault === null && this.desk.state.attempt?.fault) this.giveBack(attempt);
    if (message.type === "user_message") this.answerReplacedChoice(pending);
    if (
      message.type === "branch" &&
      message.content.way === "to" &&
      attempt?.id === message.content.clientMessageId
    )
      this.moveTo(message.content.chatId, true);
    if (message.type === "chat") this.attach(message.content.chatId);
    if (message.type === "run") this.deselectUsedRooms(message.content);
  }

  /**
   * Answer the open choice that a new question replaces. If the server refuses the message, the choice stays open.
   *
   * @param {Pending[]} before pending messages before an echo
   */
  answerReplacedChoice(before) {
    const choice = before.find((pending) => !this.desk.state.pending.includes(pending))?.instead;
    if (choice && openChoice(this.desk.state)?.frame.askId === choice.frame.askId) this.answer(choice);
  }

  /**
   * Deselect the rooms of a question once its run has started, unless the person has selected others meanwhile. An
   * earlier run in the queue does not deselect them.
   *
   * @param {import("../types.js").RunContent} run
   */
  deselectUsedRooms({ runId, state, step }) {
    if (this.spent === null || state !== "running" || step !== undefined) return;
    const { entries, pending, selection } = this.desk.state;
    const last = entries.findLast((entry) => entry.kind === "turn");
    if (pending.length > 0 || last?.kind !== "turn" || last.runId !== runId) return;
    if (equalRooms(selection, this.spent)) this.point([]);
    this.spent = null;
  }

  /** @param {string} chatId */
  attach(chatId) {
    this.attached = true;
    this.chatId = chatId;
    rememberChat(chatId);
    if (this.desk.state.lost?.chatId === chatId) this.desk.take({ type: "@found" });
    this.desk.take({ type: "@connection", connection: "open" });
    if (this.unsentRooms) this.point(this.unsentRooms);
    for (const runId of this.unsentVersions.splice(0)) this.showVersion(runId);
    const { attempt } = this.desk.state;
    // under its own id, so that the server accepts it only once
    if (attempt && attempt.fault === null) this.wire.send(frameOf(attempt));
    for (const pending of this.desk.state.pending) {
      if (pending.state === "waiting" && this.wire.send(messageFrame(pending)))
        this.desk.take({ type: "@sent", id: pending.id });
    }
  }

  /**
   * Handle a chat that the server does not know. If it was open, it stays until the person leaves it, with its draft.
   */
  handleUnknownChat() {
    const { chatId, desk } = this;
    if (chatId === null) return;
    if (desk.state.chat?.chatId === chatId) {
      desk.take({ type: "@lost", chatId, was: "open" });
      desk.take({ type: "@connection", connection: "open" });
      return;
    }
    const fromAddress = this.addressChat === chatId;
    this.moveTo(null);
    desk.take({ type: "@lost", chatId, was: fromAddress ? "address" : "remembered" });
  }

  /**
   * Open a chat.
   *
   * @param {string | null} chatId null for a new one
   * @param {boolean} [further] whether Back returns to the previous chat
   */
  moveTo(chatId, further = false) {
    const { attempt } = this.desk.state;
    if (attempt?.fault === null) this.giveBack(attempt); // it becomes a part of the chat's draft
    this.chatId = chatId;
    this.unsentRooms = null;
    this.unsentVersions = [];
    this.spent = null;
    rememberChat(chatId, further && this.desk.state.entries.length > 0);
    this.desk.reset();
    this.wire.open();
    this.bus.emit("command", { name: "write" });
  }

  /** Open a chat whose deletion was undone. @param {string} chatId */
  restored(chatId) {
    if (this.desk.state.lost?.chatId !== chatId) return;
    if (this.chatId === chatId) this.wire.open();
    else this.moveTo(chatId);
  }

  /**
   * Replace the open chat by a new one if this page deleted it; undoing the deletion opens it again.
   *
   * @param {string} chatId
   */
  deleted(chatId) {
    if (chatId !== this.chatId) return;
    this.moveTo(null);
    this.desk.take({ type: "@lost", chatId, was: "deleted" });
  }

  /** @param {Command} command */
  onCommand(command) {
    switch (command.name) {
      case "submit":
        this.submit(command.message, command);
        break;
      case "retry": {
        const pending = this.desk.state.pending.find(({ id }) => id === command.id);
        this.desk.take({ type: "@withdrawn", id: command.id });
        // under its own id, so that the server accepts it only once
        if (pending) this.submit(pending.content, pending);
        break;
      }
      case "withdraw":
        this.desk.take({ type: "@withdrawn", id: command.id });
        break;
      case "dismiss":
        this.desk.take({ type: "@dismissed", at: command.at });
        break;
      case "point":
        this.point(command.rooms);
        break;
      case "point-rows":
        this.desk.take({ type: "@pointed_rows", about: command.about });
        break;
      case "answer":
        this.answer(command);
        break;
      case "keep-reading": {
        const { runId, index } = command;
        const sent = this.attached && this.wire.send({ type: "keep_reading", runId, index });
        this.desk.take({ type: "@kept", runId, index, sent });
        break;
      }
      case "show-version":
        this.showVersion(command.runId);
        break;
      case "continue-from":
        this.desk.take({ type: "@continue", runId: command.runId });
        this.bus.emit("command", { name: "write" });
        break;
      case "leave-version":
        this.showVersion(continuedVersion(this.desk.state, command.firstRun));
        break;
      case "attempt":
        this.attempt(command);
        break;
      case "new-chat":
        this.moveTo(null, true);
        break;
      case "open-chat":
        if (command.chatId !== this.chatId) this.moveTo(command.chatId, true);
        else this.bus.emit("command", { name: "write" });
        break;
      case "chat-deleted":
        this.deleted(command.chatId);
        break;
      case "chat-restored":
        this.restored(command.chatId);
        break;
    }
  }

  /** @param {Omit<Attempt, "id" | "fault">} command */
  attempt({ kind, runId, text, reading, about, attachments }) {
    const attempt = { id: newId(), kind, runId, text, reading, about, attachments, fault: null };
    const sent = this.attached && this.wire.send(frameOf(attempt));
    this.desk.take({
      type: "@attempt",
      attempt: sent ? attempt : { ...attempt, fault: { code: "offline", content: "" } },
    });
    if (!sent) this.giveBack(attempt);
  }

  /** @param {string} runId */
  showVersion(runId) {
    const sent = this.attached && this.wire.send({ type: "show_version", runId });
    if (!sent) this.unsentVersions.push(runId);
    this.desk.take({ type: "@version", runId });
  }

  /** Put a refused question back into the composer; fields of turns keep theirs. @param {Attempt} attempt */
  giveBack({ kind, text }) {
    if (kind === "continue") this.bus.emit("command", { name: "write", text });
  }

  /** @param {AnswerOf} answer */
  answer({ runId, frame }) {
    const sent = this.attached && this.wire.send(frame);
    this.desk.take({ type: sent ? "@answered" : "@unsent", runId, askId: frame.askId });
  }

  /** Select the rooms of the next question. @param {RoomRef[]} rooms */
  point(rooms) {
    const sent = this.attached && this.wire.send({ type: "selection", rooms });
    this.unsentRooms = sent ? null : rooms;
    this.desk.take({ type: "@pointed", rooms });
  }

  /**
   * Send a question. An open choice is set aside.
   *
   * @param {string} content
   * @param {Partial<Pending>} [fields] corrected interpretation, attached files; all fields of a message that is sent
   *   again
   */
  submit(content, fields = {}) {
    const { state } = this.desk;
    const older = fields.id === undefined ? olderVersion(state) : null;
    const { id = newId(), reading, about = state.about ?? undefined } = fields;
    const attachments = fields.attachments ?? attachmentsOf(state, content);
    const subject = { reading, about, attachments };
    if (older) return this.attempt({ kind: "continue", runId: older.runId, text: content, ...subject });
    const message = { id, content, ...subject };
    const sent = this.attached && this.wire.send(messageFrame(message));
    this.desk.take({ type: "@submitted", ...message, instead: openChoice(state) ?? undefined, sent });
    const { selection } = this.desk.state;
    this.spent = selection.length > 0 ? selection : null;
  }

  destroy() {
    for (const undo of this.undo) undo();
    window.removeEventListener("hashchange", this.hash);
    this.wire.destroy();
  }
}

/** Return a new id for a message of this page. */
const newId = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** @param {Omit<Pending, "state">} message @returns {import("../types.js").ClientFrame} */
const messageFrame = ({ id, content, ...fields }) => ({
  type: "message",
  message: content,
  clientMessageId: id,
  ...subjectOf(fields),
});

/** @param {Pick<Pending, "reading" | "about" | "attachments">} fields */
const subjectOf = ({ reading, about, attachments }) => ({
  reading,
  about,
  ...(attachments?.length ? { attachments } : {}),
});

/** @param {Attempt} attempt @returns {import("../types.js").ClientFrame} */
function frameOf({ id, kind, runId, text, ...fields }) {
  if (kind === "code") return { type: "run_code", code: text, clientMessageId: id };
  if (kind === "again") return { type: "answer_again", runId, message: text, clientMessageId: id };
  return { type: "branch", runId, message: text, clientMessageId: id, after: true, ...subjectOf(fields) };
}
