/**
 * What happens when the page's own modules do not come: they are of a version that the desk no longer has, or the desk is
 * gone. The tab is loaded once more; if that does not help, it says so, in words that stand in index.html.
 */

const TRIED = "smoldesk.tried";

/** A module of the page did not come. */
export function missed() {
  if (triedBefore()) document.querySelector("#not-loaded")?.removeAttribute("hidden");
  else window.location.reload();
}

/** The page is there: the next time that it does not come, it is loaded once more again. */
export function markLoaded() {
  try {
    sessionStorage.removeItem(TRIED);
  } catch {
    // Then nothing was remembered either.
  }
}

/** Whether this tab was loaded once more already; from now on it was. */
function triedBefore() {
  try {
    const tried = sessionStorage.getItem(TRIED) !== null;
    sessionStorage.setItem(TRIED, "1");
    return tried;
  } catch {
    return true; // a browser that forgets would load it for ever
  }
}
