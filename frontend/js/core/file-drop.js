/** File drops on a part of the page. */

/**
 * Accept files that are dropped on `dom`.
 *
 * @param {HTMLElement} dom a nested drop zone gets the files first
 * @param {() => string} label the text shown while files are over the zone
 * @param {(files: globalThis.File[], folders: string[]) => void} add `folders`: names of entries that are not readable
 *   files
 * @param {HTMLElement} [target] element that shows the text
 * @returns {() => void} removes the listeners
 */
export function acceptDrops(dom, label, add, target = dom) {
  const clear = () => {
    delete target.dataset.drop;
  };
  /** @param {DragEvent} event */
  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    if (event.defaultPrevented) return clear();
    event.preventDefault();
    target.dataset.drop = label();
  };
  /** @param {DragEvent} event */
  const leave = (event) => {
    if (!dom.contains(/** @type {Node | null} */ (event.relatedTarget))) clear();
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    clear();
    if (event.defaultPrevented || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    const { files, folders } = contents(event.dataTransfer);
    add(files, folders);
  };
  const handlers = /** @type {[string, (event: any) => void][]} */ ([
    ["dragenter", over],
    ["dragover", over],
    ["dragleave", leave],
    ["drop", drop],
  ]);
  for (const [type, handler] of handlers) dom.addEventListener(type, handler);
  return () => handlers.forEach(([type, handler]) => dom.removeEventListener(type, handler));
}

/**
 * Split dropped entries into files and names of folders. A browser lists a folder as a file that cannot be read.
 *
 * @param {DataTransfer} data
 */
function contents(data) {
  const folders = [...data.items].flatMap((item) => {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    return entry?.isDirectory ? [entry.name] : [];
  });
  return { files: [...data.files].filter(({ name }) => !folders.includes(name)), folders };
}
