/** Which cards of uploads a person left open or folded, kept over a reload: of the hundred files that were last seen. */

import { keep, recall } from "../core/storage.js";

const MOST = 100;
const KEY = "cards";

/** @param {string} fileId @returns {boolean | null} null when nothing is known */
export function wasOpen(fileId) {
  const found = kept().find((one) => one.slice(1) === fileId);
  return found === undefined ? null : found.startsWith("+");
}

/** @param {string} fileId @param {boolean} open */
export function keepOpen(fileId, open) {
  const others = kept().filter((one) => one.slice(1) !== fileId);
  keep(KEY, [`${open ? "+" : "-"}${fileId}`, ...others].slice(0, MOST).join(" "));
}

const kept = () => (recall(KEY) ?? "").split(" ").filter(Boolean);
