/** Menu of a button, or at a place: moved through with arrows, Home and End, closed by a choice. */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { placeAt, placeUnder } from "./popover.js";

/**
 * @typedef {{ text: string, act: (() => void) | string, drawing?: string, download?: boolean, title?: string }} MenuItem
 *   `act`: function, or address of a link
 */

/**
 * Give a button a menu.
 *
 * @param {HTMLButtonElement} button
 * @param {string} name of the menu
 * @param {MenuItem[] | (() => MenuItem[])} items a function gives those of each opening
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
    if (menu === null || typeof items === "function") {
      menu?.remove();
      const now = typeof items === "function" ? items() : items;
      menu = createMenu(name, now, (open) => button.setAttribute("aria-expanded", String(open)));
      place.append(menu);
    }
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

/**
 * Open a menu at a place. It is removed when it closes.
 *
 * @param {HTMLElement} owner element that gets the focus back
 * @param {string} name
 * @param {MenuItem[]} items
 * @param {{ x: number, y: number }} at in CSS pixels of the window
 */
export function openMenuAt(owner, name, items, at) {
  const ending = new AbortController();
  const menu = createMenu(name, items, (open) => {
    if (open) return;
    ending.abort();
    if (menu.contains(document.activeElement)) owner.focus({ preventScroll: true });
    menu.remove();
  });
  // An automatic popover would close when the button or finger that opened it is released.
  menu.popover = "manual";
  menu.prepend(el("p", { class: "menu-title", "aria-hidden": "true" }, name));
  document.body.append(menu);
  const leave = (/** @type {Event} */ event) => {
    if (!(event.target instanceof Node && menu.contains(event.target))) menu.hidePopover();
  };
  const listening = { capture: true, signal: ending.signal };
  for (const type of ["pointerdown", "wheel", "resize"]) window.addEventListener(type, leave, listening);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    menu.hidePopover();
  });
  menu.showPopover();
  placeAt(menu, at);
  itemsOf(menu)[0]?.focus({ preventScroll: true });
}

/** @param {string} name @param {MenuItem[]} items @param {(open: boolean) => void} toggled */
function createMenu(name, items, toggled) {
  const menu = el(
    "div",
    {
      class: "popover choice-menu",
      popover: "auto",
      role: "menu",
      "aria-label": name,
      on: {
        toggle: (/** @type {ToggleEvent} */ event) => toggled(event.newState === "open"),
        keydown: (/** @type {KeyboardEvent} */ event) => move(event, menu),
      },
    },
    items.map(({ text, act, drawing, download = false, title }) => {
      const press = () => {
        menu.hidePopover();
        if (typeof act !== "string") act();
      };
      const options = {
        class: "menu-choice",
        role: "menuitem",
        tabindex: "-1",
        title: title ?? false,
        on: { click: press },
      };
      const content = [drawing ? icon(drawing) : null, text];
      return typeof act === "string"
        ? el("a", { ...options, href: act, download }, content)
        : el("button", { ...options, type: "button" }, content);
    }),
  );
  return menu;
}

/** Move through the items. @param {KeyboardEvent} event @param {HTMLElement} menu */
function move(event, menu) {
  if (event.key === "Escape") event.stopPropagation(); // it closes the menu alone, not the panel around it
  const items = itemsOf(menu);
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

/** @param {HTMLElement} menu */
function itemsOf(menu) {
  return /** @type {HTMLElement[]} */ ([...menu.querySelectorAll("[role=menuitem]")]);
}
