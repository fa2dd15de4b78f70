/**
 * Values that the page stores between visits. Browsers may refuse to store (private windows, full disks); then the
 * values are lost.
 */

/**
 * @param {string} key
 * @returns {string | null}
 */
export function recall(key) {
  try {
    return localStorage.getItem(`smoldesk.${key}`);
  } catch {
    return null;
  }
}

/** Store a value. @param {string} key @param {string | null} value null removes it */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(`smoldesk.${key}`);
    else localStorage.setItem(`smoldesk.${key}`, value);
  } catch {
    // the page works without stored values
  }
}
