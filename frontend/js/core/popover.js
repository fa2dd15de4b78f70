/** Where a popover stands. */

/**
 * Put an open popover under the button that opened it, or above where there is no room, inside the window.
 *
 * @param {HTMLElement} popover
 * @param {HTMLElement} button
 * @param {"left" | "right"} [edge] the edges that stand under each other
 */
export function placeUnder(popover, button, edge = "right") {
  const box = button.getBoundingClientRect();
  const wished = window.innerWidth - (edge === "right" ? box.right : box.left + popover.offsetWidth);
  const right = Math.max(8, Math.min(wished, window.innerWidth - popover.offsetWidth - 8));
  const above =
    box.bottom + 6 + popover.offsetHeight > window.innerHeight - 8 && box.top - 6 - popover.offsetHeight >= 8;
  popover.style.setProperty("top", `${above ? box.top - 6 - popover.offsetHeight : box.bottom + 6}px`);
  popover.style.setProperty("right", `${right}px`);
}
