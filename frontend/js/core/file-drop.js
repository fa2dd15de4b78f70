/** File drops on a part of the page. */

/** Files of a dropped folder that are read at most. */
const MAX_FILES = 100;

/**
 * Accept files that are dropped on `dom`.
 *
 * @param {HTMLElement} dom a nested drop zone gets the files first
 * @param {() => string} label the text shown while files are over the zone
 * @param {(files: globalThis.File[], folders: string[]) => void} add `folders`: names of entries that are not readable
 *   files
 * @param {{ target?: HTMLElement, folders?: boolean }} [options] element that shows the text; whether the files in dropped
 *   folders are accepted
 * @returns {() => void} removes the listeners
 */
export function acceptDrops(dom, label, add, { target = dom, folders: opens = false } = {}) {
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
  const drop = async (event) => {
    clear();
    if (event.defaultPrevented || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    const { files, folders } = contents(event.dataTransfer);
    if (!opens || folders.length === 0)
      return add(
        files,
        folders.map(({ name }) => name),
      );
    const inside = await Promise.all(folders.map(filesOf));
    add(filesIn([...files, ...inside.flat()]), []);
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
 * Split dropped entries into files and folders. A browser lists a folder as a file that cannot be read.
 *
 * @param {DataTransfer} data
 * @returns {{ files: globalThis.File[], folders: FileSystemDirectoryEntry[] }}
 */
function contents(data) {
  const folders = [...data.items].flatMap((item) => {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    return entry?.isDirectory ? [/** @type {FileSystemDirectoryEntry} */ (entry)] : [];
  });
  return {
    files: [...data.files].filter(({ name }) => folders.every((folder) => folder.name !== name)),
    folders,
  };
}

/**
 * Return the files directly in a folder. Browsers list at most a hundred entries at once.
 *
 * @param {FileSystemDirectoryEntry} folder
 * @returns {Promise<globalThis.File[]>}
 */
async function filesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  return Promise.all(
    entries
      .filter(({ isFile }) => isFile)
      .map(
        (entry) =>
          /** @type {Promise<globalThis.File>} */ (
            new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject))
          ),
      ),
  );
}

/** Leave out what systems add to folders, such as .DS_Store. @param {Iterable<globalThis.File>} files */
export function filesIn(files) {
  return [...files].filter(({ name, size }) => size > 0 && !name.startsWith(".")).slice(0, MAX_FILES);
}
