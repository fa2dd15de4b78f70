// @ts-check
/**
 * The colours of the map. A plan is dark ink on light paper in both themes; at night the paper is only less bright. The
 * ground around it follows the page.
 */

/** @typedef {{ground: string, paper: string, wall: string, ink: string, room: string, accent: string, family: string}} Palette */

const RED = "#ff0000";
const PAPER = {
  light: { paper: "#fdfcf9", wall: "#23262d", ink: "#1b1e25", room: RED },
  dark: { paper: "#eceae3", wall: "#1d2026", ink: "#15181e", room: RED },
};

/** @returns {Palette} as the page's tokens are now */
export function readPalette() {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const token = (/** @type {string} */ name, /** @type {string} */ otherwise) =>
    style.getPropertyValue(name).trim() || otherwise;
  return {
    ...PAPER[root.dataset.theme === "dark" ? "dark" : "light"],
    ground: token("--raised", "#f4f6f8"),
    accent: token("--accent", "#3567d6"),
    family: token("--font", "sans-serif"),
  };
}

/** @param {number} size @param {boolean} bold @param {string} family @returns {string} */
export function fontOf(size, bold, family) {
  return `${bold ? 600 : 400} ${size}px ${family}`;
}
