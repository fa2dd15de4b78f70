// @ts-check
/**
 * Colours of the map. A plan with an image is dark ink on light paper in both themes; in the dark theme the paper is only
 * dimmer. A plan that is drawn from its rooms follows the theme, as the ground around it does.
 */

import { mix } from "./contrast.js";

/**
 * @typedef {{ground: string, paper: string, wall: string, ink: string, room: string, accent: string, family: string,
 *   kinds: Record<string, string>}} Palette
 */

/** Outlines of ordinary rooms: red as in protocol 1.2, quiet for a chat of 2.0. */
const RED = "#ff0000";
const CALM = { light: "#c4bcab", dark: "#aca594" };
const PAPER = {
  light: { paper: "#fdfcf9", wall: "#23262d", ink: "#1b1e25", room: RED },
  dark: { paper: "#eceae3", wall: "#1d2026", ink: "#15181e", room: RED },
};
/** Sheet of a plan without an image in the dark theme. */
const DARK_SHEET = { paper: "#20252e", wall: "#8d97a6", ink: "#e9ecf2", room: "#ff6b63" };
/** Outlines of a calm plan without an image: they are all that shows its walls. */
const DRAWN_CALM = { light: "#857d6c", dark: "#7a8596" };

/** Ground of rooms by kind, where a floor has no image: a share of ink on the paper. @type {Record<string, number>} */
const KINDS = {
  corridor: 0.045,
  hall: 0.045,
  lobby: 0.045,
  stairs: 0.12,
  lift: 0.12,
  elevator: 0.12,
  escalator: 0.12,
  ramp: 0.09,
};

/**
 * Read the palette.
 *
 * @param {boolean} [calm] whether ordinary rooms have quiet outlines
 * @param {boolean} [isDrawn] whether the plan has no image
 * @returns {Palette} from the page's current tokens
 */
export function readPalette(calm = false, isDrawn = false) {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const token = (/** @type {string} */ name, /** @type {string} */ otherwise) =>
    style.getPropertyValue(name).trim() || otherwise;
  const tokens = {
    ground: token("--raised", "#f4f6f8"),
    accent: token("--accent", "#3567d6"),
    family: token("--font", "sans-serif"),
  };
  return paletteOf(root.dataset.theme === "dark" ? "dark" : "light", calm, tokens, isDrawn);
}

/**
 * Return the palette of a theme.
 *
 * @param {"light" | "dark"} theme
 * @param {boolean} calm
 * @param {{ground: string, accent: string, family: string}} tokens of the page
 * @param {boolean} [isDrawn] whether the plan has no image
 * @returns {Palette}
 */
export function paletteOf(theme, calm, tokens, isDrawn = false) {
  const isDark = isDrawn && theme === "dark";
  const sheet = isDark ? DARK_SHEET : PAPER[theme];
  return {
    ...sheet,
    ...(calm && { room: (isDrawn ? DRAWN_CALM : CALM)[theme] }),
    kinds: Object.fromEntries(
      Object.entries(KINDS).map(([kind, share]) => [kind, mix(sheet.paper, sheet.ink, share)]),
    ),
    ...tokens,
  };
}

/** @param {number} size @param {boolean} bold @param {string} family @returns {string} */
export function fontOf(size, bold, family) {
  return `${bold ? 600 : 400} ${size}px ${family}`;
}
