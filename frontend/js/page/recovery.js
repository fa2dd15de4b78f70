/**
 * Recovery when modules of the page do not load: the server has another version or is gone. The tab reloads once; if
 * that fails, it shows a text from index.html.
 */

const TRIED = "smoldesk.tried";

/** Handle a module that did not load. */
export function missed() {
  if (markReloaded()) document.querySelector("#not-loaded")?.removeAttribute("hidden");
  else window.location.reload();
}

/** Mark the page as loaded, so that the next failure may reload once again. */
export function markLoaded() {
  try {
    sessionStorage.removeItem(TRIED);
  } catch {
    // sessionStorage is unavailable, so TRIED was never stored
  }
}

/** Check whether this tab has already reloaded once, and remember that it has. */
function markReloaded() {
  try {
    const hasReloaded = sessionStorage.getItem(TRIED) !== null;
    sessionStorage.setItem(TRIED, "1");
    return hasReloaded;
  } catch {
    return true; // without sessionStorage the tab would reload forever
  }
}
