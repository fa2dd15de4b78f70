/** Where a popover stands. */

/**
 * Put an open popover under the button that opened it, inside the window.
 *
 * @param {HTMLElement} popover
 * @param {HTMLElement} button
 */
export function placeUnder(popover, button) {
  const box = button.getBoundingClientRect();
  const right = Math.max(8, Math.min(window.innerWidth - box.right, window.innerWidth - popover.offsetWidth - 8));
  popover.style.setProperty("top", `${box.bottom + 6}px`);
  popover.style.setProperty("right", `${right}px`);
}
