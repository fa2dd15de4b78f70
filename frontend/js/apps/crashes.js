/**
 * Views that were open when the page ended without `pagehide`. One of them may have hung or crashed the page, so none
 * opens by itself again until a person opens it. A page that ends normally clears the list.
 */

const KEY = "smoldesk.views";
const before = new Set(stored());
/** @type {Set<string>} */
const open = new Set();
keep();
window.addEventListener("pagehide", () => keep([]));
window.addEventListener("pageshow", () => keep());

/** @param {string} callId */
export const mayHaveCrashed = (callId) => before.has(callId);

/** @param {string} callId */
export function opened(callId) {
  before.delete(callId);
  open.add(callId);
  keep();
}

/** @param {string} callId */
export function closed(callId) {
  open.delete(callId);
  keep();
}

/** @param {Iterable<string>} [now] */
function keep(now = open) {
  const all = [...before, ...now];
  if (all.length === 0) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(all));
}

/** @returns {string[]} */
function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}
