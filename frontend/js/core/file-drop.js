/** Files dropped anywhere on a part of the page. */

/**
 * @param {HTMLElement} dom takes the files, unless a part inside it takes them first
 * @param {() => string} label what is said while files are held over it
 * @param {(files: globalThis.File[], folders: string[]) => void} add `folders`: names of what cannot be read as a file
 * @param {HTMLElement} [target] where it is said
 * @returns {() => void} undo
 */
export function takeDrops(dom, label, add, target = dom) {
  const quiet = () => {
    delete target.dataset.drop;
  };
  /** @param {DragEvent} event */
  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    if (event.defaultPrevented) return quiet();
    event.preventDefault();
    target.dataset.drop = label();
  };
  /** @param {DragEvent} event */
  const leave = (event) => {
    if (!dom.contains(/** @type {Node | null} */ (event.relatedTarget))) quiet();
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    quiet();
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

/** A folder comes as a file that cannot be read. @param {DataTransfer} data */
function contents(data) {
  const folders = [...data.items].flatMap((item) => {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    return entry?.isDirectory ? [entry.name] : [];
  });
  return { files: [...data.files].filter(({ name }) => !folders.includes(name)), folders };
}
