/** Files dropped anywhere on a part of the page. */

/**
 * @param {HTMLElement} dom
 * @param {() => string} words what is said while files are held over it
 * @param {(files: Iterable<globalThis.File>) => void} add
 * @returns {() => void} undo
 */
export function takeDrops(dom, words, add) {
  /** @param {DragEvent} event */
  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dom.dataset.drop = words();
  };
  /** @param {DragEvent} event */
  const leave = (event) => {
    if (!dom.contains(/** @type {Node | null} */ (event.relatedTarget))) delete dom.dataset.drop;
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    delete dom.dataset.drop;
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  };
  const handlers = /** @type {[string, (event: any) => void][]} */ ([["dragenter", over], ["dragover", over], ["dragleave", leave], ["drop", drop]]);
  for (const [type, handler] of handlers) dom.addEventListener(type, handler);
  return () => handlers.forEach(([type, handler]) => dom.removeEventListener(type, handler));
}
