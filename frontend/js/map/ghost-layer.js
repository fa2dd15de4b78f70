// @ts-check
/**
 * Handles of ghosts over the plan, of the oldest waiting call that draws. A handle is dragged, or moved with arrow keys;
 * Enter or a click turns an arrow. Each move changes the arguments in the card.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { centre, fromPlan, roomBox, toScreen } from "./geometry.js";
import { floorToScreen } from "./layout.js";
import { GhostBar } from "./ghost-bar.js";
import { ghostsOf, turned } from "./ghosts.js";
import { nextRoom } from "./ghost-keys.js";

/** @import { AskBlock, DeskBus, DeskState, Floor, Translate, XY } from "../types.js" */
/** @import { Ghost, Target } from "./ghosts.js" */
/** @import { MapPicture } from "./picture.js" */
/** @import { MapStage } from "./renderer.js" */
/** @typedef {{ runId: string, block: AskBlock }} Waiting */

/** CSS pixels that a pointer may move during a click, and that a key moves what needs no room. */
const SLACK = 4;
const STEP = 12;
const FINE_STEP = 2;
const ICONS = { arrow: "arrow", text: "", bitmap: "place", room: "", stop: "place" };
const TURNS = { right: 0, down: 90, left: 180, up: 270 };

export class GhostLayer {
  /** @param {Translate} t @param {DeskBus} bus @param {MapStage} stage @param {(floorId: string) => void} showFloor */
  constructor(t, bus, stage, showFloor) {
    this.t = t;
    this.bus = bus;
    this.stage = stage;
    this.showFloor = showFloor;
    /** @type {Waiting | null} */
    this.waiting = null;
    /** @type {Ghost[]} */
    this.ghosts = [];
    /** Handles by the ids of their ghosts. @type {Map<string, HTMLElement>} */
    this.handles = new Map();
    /** Drag under way, of a call's ghost. @type {{ askId: string, ghost: Ghost, start: XY, moved: boolean } | null} */
    this.drag = null;
    this.dom = el("div", { class: "map-ghosts" });
    this.bar = new GhostBar(t, {
      answer: (granted) => this.answer(granted),
      floor: () => this.toFloor(),
    });
  }

  /** @param {DeskState} state @param {MapPicture} picture */
  show(state, picture) {
    const { building, floorId, onEarth } = picture;
    this.waiting = null;
    this.ghosts = [];
    for (const waiting of building && !onEarth ? openDrawings(state) : []) {
      const { ask, draft } = waiting.block;
      const ghosts = building ? ghostsOf(ask, draft ?? ask.arguments, building, floorId) : [];
      if (ghosts.length === 0) continue;
      this.waiting = waiting;
      this.ghosts = ghosts;
      break;
    }
    this.picture = picture;
    this.draw();
  }

  draw() {
    const { t, waiting, ghosts, picture } = this;
    if (this.drag && this.drag.askId !== waiting?.block.ask.askId) this.cancel();
    const here = waiting ? ghosts.filter(({ floor }) => floor.floorId === picture?.floorId) : [];
    for (const [id, handle] of this.handles)
      if (!here.some((ghost) => ghost.id === id)) {
        handle.remove();
        this.handles.delete(id);
      }
    for (const ghost of here) {
      const handle = this.handles.get(ghost.id) ?? this.handle(ghost.id);
      if (!this.handles.has(ghost.id)) this.dom.append(handle);
      this.handles.set(ghost.id, handle);
      fill(handle, ghost, t);
    }
    this.place();
    this.bar.show(waiting?.block ?? null, here.length === 0 ? (ghosts[0]?.floor.floorId ?? null) : null);
  }

  /** Place the handles after a change of the view. */
  place() {
    const { view } = this.stage.camera;
    for (const ghost of this.ghosts) {
      const handle = this.handles.get(ghost.id);
      if (!handle || this.drag?.ghost.id === ghost.id) continue;
      move(
        handle,
        ghost.room && ghost.inRoom ? centre(this.boxOf(ghost)) : floorToScreen(ghost.floor, view)(ghost.at),
      );
      if (ghost.kind !== "room") continue;
      const { width, height } = this.boxOf(ghost);
      handle.style.setProperty("inline-size", `${Math.max(32, width)}px`);
      handle.style.setProperty("block-size", `${Math.max(32, height)}px`);
    }
  }

  /** @param {Ghost} ghost */
  boxOf({ floor, room }) {
    return toScreen(
      this.stage.camera.view,
      roomBox(floor, /** @type {import("../types.js").Rectangle} */ (room)),
    );
  }

  /** @param {string} id of its ghost */
  handle(id) {
    const ghost = () => this.ghosts.find((candidate) => candidate.id === id);
    const handle = el("button", {
      type: "button",
      class: "map-ghost",
      on: {
        pointerdown: (event) => this.begin(event, ghost(), handle),
        pointermove: (event) => this.moveDrag(event, handle),
        pointerup: (event) => this.end(event),
        pointercancel: () => this.cancel(),
        keydown: (event) => this.key(event, ghost()),
        // a click by keyboard; those of pointers are ends of drags
        click: (event) => event.detail === 0 && this.turn(ghost()),
      },
    });
    return handle;
  }

  /** @param {PointerEvent} event @param {Ghost | undefined} ghost @param {HTMLElement} handle */
  begin(event, ghost, handle) {
    const { askId } = this.waiting?.block.ask ?? {};
    if (event.button !== 0 || !ghost || !askId || this.drag) return;
    event.stopPropagation();
    handle.setPointerCapture(event.pointerId);
    this.drag = { askId, ghost, start: this.at(event), moved: false };
  }

  /** @param {PointerEvent} event @param {HTMLElement} handle */
  moveDrag(event, handle) {
    const { drag } = this;
    if (!drag) return;
    const at = this.at(event);
    drag.moved ||= Math.hypot(at.x - drag.start.x, at.y - drag.start.y) > SLACK;
    if (!drag.moved) return;
    move(handle, at);
    handle.toggleAttribute("data-dragged", true);
    this.stage.point(drag.ghost.inRoom ? (this.stage.roomAt(at)?.room.name ?? null) : null);
  }

  /** @param {PointerEvent} event */
  end(event) {
    const { drag } = this;
    if (!drag) return;
    this.cancel();
    // its arguments may have changed in the card meanwhile
    const ghost = this.ghosts.find(({ id }) => id === drag.ghost.id);
    if (!ghost) return;
    if (drag.moved) this.put(ghost, this.targetAt(ghost.floor, this.at(event)));
    else this.turn(ghost);
  }

  /** End a drag without an effect. */
  cancel() {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    this.handles.get(drag.ghost.id)?.removeAttribute("data-dragged");
    this.stage.point(null);
    this.place();
  }

  /** @param {Floor} floor the shown one @param {XY} at in the pane @returns {Target} */
  targetAt(floor, at) {
    const { scale, left, top } = this.stage.camera.view;
    return {
      floor,
      room: this.stage.roomAt(at)?.room ?? null,
      at: fromPlan(floor, { x: (at.x - left) / scale, y: (at.y - top) / scale }),
    };
  }

  /** Put a ghost somewhere else, if it can stand there. @param {Ghost} ghost @param {Target} target */
  put(ghost, target) {
    const values = ghost.moved(target);
    this.bar.words.textContent = this.t(
      values
        ? ghost.inRoom
          ? "ghost.moved"
          : "ghost.moved_point"
        : ghost.inRoom
          ? "ghost.no_room"
          : "ghost.off_plan",
      { room: target.room?.name ?? "" },
    );
    if (values) this.keep(values);
  }

  /** @param {Ghost | undefined} ghost */
  turn(ghost) {
    const { block } = this.waiting ?? {};
    if (ghost?.kind === "arrow" && block) this.keep(turned(block.draft ?? block.ask.arguments));
  }

  /** @param {AskBlock["draft"]} draft */
  keep(draft) {
    const { waiting } = this;
    if (!waiting) return;
    this.bus.emit("fact", { type: "@draft", runId: waiting.runId, askId: waiting.block.ask.askId, draft });
  }

  /** @param {KeyboardEvent} event @param {Ghost | undefined} ghost */
  key(event, ghost) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ];
    if (event.key === "Escape") this.drag ? this.cancel() : this.keep(null);
    else if (!direction || !ghost) return;
    else {
      const [x = 0, y = 0] = direction;
      this.put(ghost, ghost.inRoom ? nextRoom(ghost, { x, y }) : this.step(ghost, { x, y }, event.shiftKey));
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Ghost} ghost @param {XY} by @param {boolean} isFine @returns {Target} */
  step(ghost, by, isFine) {
    const { x, y } = floorToScreen(ghost.floor, this.stage.camera.view)(ghost.at);
    const far = isFine ? FINE_STEP : STEP;
    return this.targetAt(ghost.floor, { x: x + by.x * far, y: y + by.y * far });
  }

  toFloor() {
    const floor = this.ghosts[0]?.floor;
    if (floor) this.showFloor(floor.floorId);
  }

  /** @param {boolean} granted */
  answer(granted) {
    const { waiting } = this;
    if (!waiting) return;
    const { ask, draft } = waiting.block;
    const value = granted && draft ? { value: draft } : {};
    this.bus.emit("command", {
      name: "answer",
      runId: waiting.runId,
      frame: { type: "answer", askId: ask.askId, granted, ...value },
    });
    this.stage.dom.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event @returns {XY} in the pane */
  at({ clientX, clientY }) {
    const { left, top } = this.stage.dom.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}

/** Yield the waiting approvals, oldest first. @param {DeskState} state @returns {Generator<Waiting>} */
function* openDrawings({ entries }) {
  for (const entry of entries) {
    if (entry.kind !== "turn" || entry.state !== "waiting") continue;
    for (const block of entry.blocks) {
      if (block.kind === "ask" && block.ask.kind === "approval" && !block.closed && !block.answered)
        yield { runId: entry.runId, block };
    }
  }
}

/** @param {HTMLElement} handle @param {Ghost} ghost @param {Translate} t */
function fill(handle, { kind, label, direction = "", room }, t) {
  const key = JSON.stringify([kind, label, direction, room?.name, t.language]);
  if (handle.dataset.drawn === key) return;
  handle.dataset.drawn = key;
  handle.dataset.kind = kind;
  const name = t(`ghost.${kind}`, {
    label,
    direction: direction in TURNS ? t(`ghost.${direction}`) : direction,
  });
  handle.setAttribute("aria-label", t(kind === "arrow" ? "ghost.name_turns" : "ghost.name", { name }));
  handle.title = name;
  const drawing = ICONS[kind] ? icon(ICONS[kind]) : null;
  const turn = TURNS[/** @type {keyof typeof TURNS} */ (direction)];
  if (kind === "arrow" && drawing) drawing.style.setProperty("rotate", `${turn ?? 0}deg`);
  handle.replaceChildren(
    ...[drawing, kind === "arrow" ? null : el("span", {}, label)].filter((node) => node !== null),
  );
}

/** @param {HTMLElement} handle @param {XY} at */
function move(handle, { x, y }) {
  handle.style.setProperty(
    "transform",
    `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`,
  );
}
