/** Placement of popovers. */

/**
 * Place an open popover at a place, inside the window.
 *
 * @param {HTMLElement} popover
 * @param {{ x: number, y: number }} at in CSS pixels of the window
 */
export function placeAt(popover, { x, y }) {
  const { offsetWidth, offsetHeight } = popover;
  popover.style.setProperty("top", `${Math.max(8, Math.min(y, window.innerHeight - offsetHeight - 8))}px`);
  popover.style.setProperty(
    "right",
    `${Math.max(8, Math.min(window.innerWidth - x - offsetWidth, window.innerWidth - offsetWidth - 8))}px`,
  );
}

/**
 * Place an open popover under its button, or above it if there is no room, inside the window.
 *
 * @param {HTMLElement} popover
 * @param {HTMLElement} button
 * @param {"left" | "right"} [edge] edge that button and popover share
 */
export function placeUnder(popover, button, edge = "right") {
  const box = button.getBoundingClientRect();
  const preferred = window.innerWidth - (edge === "right" ? box.right : box.left + popover.offsetWidth);
  const right = Math.max(8, Math.min(preferred, window.innerWidth - popover.offsetWidth - 8));
  const above =
    box.bottom + 6 + popover.offsetHeight > window.innerHeight - 8 && box.top - 6 - popover.offsetHeight >= 8;
  popover.style.setProperty("top", `${above ? box.top - 6 - popover.offsetHeight : box.bottom + 6}px`);
  popover.style.setProperty("right", `${right}px`);
}
