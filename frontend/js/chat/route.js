/**
 * Route in the chat: start and goal, length, and steps. Pointing at a step lights its leg on the map; pointing at a leg
 * there lights its steps here.
 */

import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { pinButton } from "../core/pin-button.js";
import { routeFacts, stepLength, describeStep } from "../core/routes.js";
import { shareButton } from "../core/share-button.js";

/** @import { RouteStep } from "../types.js" */
/** @import { Needs } from "./shown.js" */
/** @import { PlacedRoute } from "../core/routes.js" */

/** @type {Record<RouteStep["action"], string>} */
const DRAWINGS = { start: "start", walk: "arrow", through: "door", change: "stairs", arrive: "place" };

/**
 * @param {PlacedRoute} route
 * @param {{ runId?: string, seq?: number }} message
 * @param {Needs} needs
 * @returns {HTMLElement}
 */
export function routeList(route, { runId, seq }, needs) {
  const { bus, t } = needs;
  /**
   * Pressed step. Its leg stays lit until it is pressed again or another one is pointed at.
   *
   * @type {HTMLElement | null}
   */
  let pressed = null;
  /** @param {number | null} leg */
  const point = (leg) => bus.emit("leg", { seq, route: route.index, leg, source: "chat" });
  const lead = () => {
    bus.emit("command", { name: "focus-pane", pane: "map" });
    bus.emit("select", { runId, seq, source: "chat" });
  };
  const steps = route.steps.map((step) => {
    const drawing = step.action === "change" && step.kind ? step.kind : DRAWINGS[step.action];
    const description = describeStep(step, route.unit, t);
    const enter = () => {
      if (pressed !== button) pressed = null;
      point(step.leg);
    };
    const leave = () => {
      if (pressed !== button) point(null);
    };
    const press = () => {
      pressed = pressed === button ? null : button;
      bus.emit("command", { name: "focus-pane", pane: "map" });
      point(pressed ? step.leg : null);
    };
    const button = el(
      "button",
      {
        type: "button",
        class: "route-step",
        "data-leg": step.leg,
        "data-action": step.action,
        on: { mouseenter: enter, mouseleave: leave, focus: enter, blur: leave, click: press },
      },
      icon(drawing),
      el("span", {}, description),
      el("span", { class: "route-length" }, stepLength(step, route.unit, t)),
    );
    return el("li", {}, button);
  });
  return el(
    "section",
    {
      class: "route",
      "data-route": `${seq ?? ""} ${route.index}`,
      "aria-label": t("route.label", { start: route.start, goal: route.goal }),
    },
    el(
      "div",
      { class: "route-top" },
      el(
        "button",
        { type: "button", class: "route-head", on: { click: lead } },
        icon("route"),
        el("b", {}, t("route.ends", { start: route.start, goal: route.goal })),
        el("span", {}, routeFacts(route, t).join(" · ")),
      ),
      planButtons(seq, needs),
    ),
    steps.length ? el("ol", { class: "route-steps" }, steps) : null,
  );
}

/** Create the buttons that pin the plan of a message, and share the plan. @param {number | undefined} seq @param {Needs} needs */
export function planButtons(seq, needs) {
  const buttons = [pinButton("map", seq, needs), shareButton("map", seq, needs, "")];
  return el("span", { class: "plan-buttons" }, buttons);
}

/**
 * Light the steps of a leg, and no others.
 *
 * @param {HTMLElement} log
 * @param {import("../types.js").LegPointed} pointed
 */
export function lightSteps(log, { seq, route, leg, source }) {
  for (const step of log.querySelectorAll(".route-step[data-lit]")) step.removeAttribute("data-lit");
  if (leg === null) return;
  const list = log.querySelector(`[data-route="${Number(seq)} ${Number(route)}"]`);
  const steps = [...(list?.querySelectorAll(`.route-step[data-leg="${Number(leg)}"]`) ?? [])];
  for (const step of steps) step.setAttribute("data-lit", "");
  if (source !== "chat") steps[0]?.scrollIntoView({ block: "nearest" });
}
