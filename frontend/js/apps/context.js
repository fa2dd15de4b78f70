/** Context of a view in the page (MCP Apps, hostContext): theme, language, size. */

/** @import { Facts } from "./app-card.js" */

/** Names of colours and sizes in the protocol, and in the page. */
const VARIABLES = {
  "--color-background-primary": "--surface",
  "--color-background-secondary": "--raised",
  "--color-background-tertiary": "--ground",
  "--color-background-info": "--accent-soft",
  "--color-background-danger": "--bad-soft",
  "--color-background-inverse": "--text",
  "--color-text-primary": "--text",
  "--color-text-secondary": "--text-quiet",
  "--color-text-tertiary": "--text-quiet",
  "--color-text-inverse": "--surface",
  "--color-text-info": "--accent",
  "--color-text-danger": "--bad",
  "--color-text-success": "--good",
  "--color-text-warning": "--warn",
  "--color-border-primary": "--line-strong",
  "--color-border-secondary": "--line",
  "--color-border-tertiary": "--line",
  "--color-ring-primary": "--accent",
  "--font-sans": "--font",
  "--font-mono": "--mono",
  "--font-text-xs-size": "--size-12",
  "--font-text-sm-size": "--size-13",
  "--font-text-md-size": "--size-14",
  "--font-text-lg-size": "--size-15",
  "--font-heading-sm-size": "--size-15",
  "--font-heading-md-size": "--size-18",
  "--font-heading-lg-size": "--size-22",
  "--border-radius-sm": "--radius-control",
  "--border-radius-md": "--radius-control",
  "--border-radius-lg": "--radius-card",
};

/** Return the theme, which can change. */
export function readTheme() {
  const styles = getComputedStyle(document.documentElement);
  const variables = Object.fromEntries(
    Object.entries(VARIABLES).map(([appVariable, pageVariable]) => [
      appVariable,
      styles.getPropertyValue(pageVariable).trim(),
    ]),
  );
  return {
    theme: document.documentElement.dataset.theme === "dark" ? "dark" : "light",
    styles: { variables },
  };
}

/** Return the language of the page. */
export const readLanguage = () => ({ locale: document.documentElement.lang || "en" });

/**
 * Return the size of a view.
 *
 * @param {{ width: number, height: number, full: boolean }} place in CSS pixels; `height` is the maximum, except in
 *   full screen
 */
export const place = ({ width, height, full }) => ({
  displayMode: full ? "fullscreen" : "inline",
  containerDimensions: full ? { width, height } : { width, maxHeight: height },
});

/** Return the constant part of the context. @param {Facts} facts */
export const fixed = ({ tool }) => ({
  toolInfo: { tool },
  availableDisplayModes: ["inline", "fullscreen"],
  platform: "web",
  userAgent: "smoldesk",
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  deviceCapabilities: {
    touch: window.matchMedia("(any-pointer: coarse)").matches,
    hover: window.matchMedia("(any-hover: hover)").matches,
  },
});
