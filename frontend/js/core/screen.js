/** Width from which the page shows several panes at once, as in layout.css. */

const wide = () => window.matchMedia("(min-width: 900px)");

export const isWide = () => wide().matches;

/** Call a function when the window becomes wide or narrow. @param {() => void} changed @returns {() => void} ends that */
export function followWidth(changed) {
  const query = wide();
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
