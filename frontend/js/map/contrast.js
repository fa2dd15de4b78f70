// @ts-check
/** Contrast of ink and ground. Colours are #rrggbb. */

/** @param {string} hex #rrggbb @returns {number[]} red, green, blue, 0 to 255 */
function channels(hex) {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/**
 * Mix two colours.
 *
 * @param {string} under
 * @param {string} over
 * @param {number} share of `over`
 * @returns {string} #rrggbb
 */
export function mix(under, over, share) {
  const [below, above] = [channels(under), channels(over)];
  const mixed = below.map((value, at) => Math.round(value * (1 - share) + (above[at] ?? 0) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Return the relative luminance of a colour. @param {string} hex @returns {number} from 0 black to 1 white */
export function luminance(hex) {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Return the colour behind texts in a room.
 *
 * @param {{color: string, fillOpacity: number} | null} mark of a highlighted room
 * @param {string} paper
 * @returns {string}
 */
export function groundOf(mark, paper) {
  return mark ? mix(paper, mark.color, mark.fillOpacity) : paper;
}

/** Return the ink, or white on a dark ground. @param {string} ground @param {string} ink @returns {string} */
export function inkOn(ground, ink) {
  return luminance(ground) > 0.2 ? ink : "#ffffff";
}
