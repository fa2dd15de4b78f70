/** What the page remembers between visits. Browsers may refuse to (private windows, full disks): then it forgets. */

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

/**
 * @param {string} key
 * @param {string | null} value null forgets
 */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(`smoldesk.${key}`);
    else localStorage.setItem(`smoldesk.${key}`, value);
  } catch {
    // Nothing is lost but comfort.
  }
}
