/** Menu that a button opens: built when it first opens, moved through with arrows, Home and End, closed by a choice. */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { placeUnder } from "./popover.js";

/** @typedef {{ text: string, act: (() => void) | string, drawing?: string }} MenuItem `act`: function, or address of a link */

/**
 * Give a button a menu.
 *
 * @param {HTMLButtonElement} button
 * @param {string} name of the menu
 * @param {MenuItem[]} items
 * @param {"left" | "right"} edge edge that button and menu share
 * @returns {HTMLElement} the element of both
 */
export function withMenu(button, name, items, edge) {
  const place = el("span", { class: "menu-place" }, button);
  /** @type {HTMLElement | null} */
  let menu = null;
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    if (menu?.matches(":popover-open")) return menu.hidePopover();
    menu ??= place.appendChild(createMenu(button, name, items));
    menu.showPopover();
    placeUnder(menu, button, edge);
    /** @type {HTMLElement | null} */ (menu.firstElementChild)?.focus();
  });
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    button.click();
  });
  return place;
}

/** @param {HTMLButtonElement} button @param {string} name @param {MenuItem[]} items */
function createMenu(button, name, items) {
  const menu = el(
    "div",
    {
      class: "popover choice-menu",
      popover: "auto",
      role: "menu",
      "aria-label": name,
      on: {
        toggle: (/** @type {ToggleEvent} */ event) =>
          button.setAttribute("aria-expanded", String(event.newState === "open")),
        keydown: (/** @type {KeyboardEvent} */ event) => move(event, menu),
      },
    },
    items.map(({ text, act, drawing }) => {
      const press = () => {
        menu.hidePopover();
        if (typeof act !== "string") act();
      };
      const options = { class: "menu-choice", role: "menuitem", tabindex: "-1", on: { click: press } };
      const content = [drawing ? icon(drawing) : null, text];
      return typeof act === "string"
        ? el("a", { ...options, href: act }, content)
        : el("button", { ...options, type: "button" }, content);
    }),
  );
  return menu;
}

/** Move through the items. @param {KeyboardEvent} event @param {HTMLElement} menu */
function move(event, menu) {
  const items = /** @type {HTMLElement[]} */ ([...menu.children]);
  const here = items.findIndex((item) => item === document.activeElement);
  const to = {
    ArrowDown: (here + 1) % items.length,
    ArrowUp: (here + items.length - 1) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[to]?.focus();
}
