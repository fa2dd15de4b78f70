/**
 * Icons of the page: 16 by 16 px, one stroke of 1.5 px in the colour of the surrounding text. An icon next to text or
 * in a labelled button is decorative; one that stands alone needs a label.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const PATHS = {
  send: "M8 13V3M4 7l4-4 4 4",
  stop: "M4.5 4.5h7v7h-7z",
  copy: "M6 5.5A1.5 1.5 0 0 1 7.5 4H12a1.5 1.5 0 0 1 1.5 1.5V10A1.5 1.5 0 0 1 12 11.5H7.5A1.5 1.5 0 0 1 6 10zM10 11.5V12a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 12V7.500A1.5 1.5 0 0 1 4 6h2",
  check: "M3 8.500l3.200 3.200L13 4.800",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  "chevron-down": "M4 6l4 4 4-4",
  "chevron-right": "M6 4l4 4-4 4",
  "chevron-left": "M10 4L6 8l4 4",
  "arrow-down": "M8 3v10M4 9l4 4 4-4",
  "arrow-up": "M8 13V3M4 7l4-4 4 4",
  sun: "M8 5.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600zM8 1.500v1.300M8 13.200v1.300M1.500 8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9",
  moon: "M13 9.600A5.500 5.500 0 0 1 6.400 3a5.500 5.500 0 1 0 6.600 6.600z",
  language:
    "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2 2 2.600 4 2.600 6S10 12 8 14M8 2C6 4 5.400 6 5.400 8S6 12 8 14",
  maximise: "M9.500 2.500h4v4M6.500 13.500h-4v-4M13.500 2.500L9.500 6.500M2.500 13.500l4-4",
  restore: "M13.500 6.500h-4v-4M2.500 9.500h4v4M9.500 6.500l4-4M6.500 9.500l-4 4",
  collapse: "M3 4.500h10M5 8l3 3 3-3",
  retry: "M13 8a5 5 0 1 1-1.500-3.600M13 2.500v2.800h-2.800",
  clip: "M13 7.200l-5.200 5.200a3.200 3.200 0 0 1-4.500-4.500l5.400-5.400a2.100 2.100 0 0 1 3 3l-5.300 5.300a1.050 1.050 0 0 1-1.500-1.500l4.900-4.800",
  file: "M4 2.500h5l3 3v8H4zM9 2.500v3h3",
  download: "M8 2.500v8M4.500 7L8 10.500 11.500 7M3 13.500h10",
  upload: "M8 10.500v-8M4.500 6L8 2.500 11.500 6M3 13.500h10",
  ghost: "M8 2.500l6 3-6 3-6-3zM2 8.500l6 3 6-3M2 11.500l6 3 6-3",
  image: "M2.500 3.500h11v9h-11zM2.500 10.500l3-3 2.500 2.500 2-2 3.500 3M10.300 6.300h.01",
  building:
    "M3 13.500v-11h6v11M9 6h4v7.500M1.500 13.500h13M5.300 5.200h1.400M5.300 7.700h1.400M5.300 10.200h1.400M11 8.500h.01M11 11h.01",
  map: "M2.500 4l3.700-1.500 3.600 1.500 3.700-1.500V12l-3.700 1.500-3.600-1.500L2.500 13.500zM6.200 2.500V12M9.800 4v9.500",
  chat: "M2.500 3.500h11v7.500H8l-3 2.500V11H2.500z",
  conversations: "M2.500 2.500h8v5.500H6L4 10V8H2.500zM12.500 6h1v5.500H12v2l-2-2H6.500v-1",
  agent: "M4 5.500h8v7H4zM8 5.500V3M6.500 8.500v1M9.500 8.500v1M2.500 8v2.500M13.500 8v2.500",
  person:
    "M8 2.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM3.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4",
  tag: "M2.500 3v4.500l6 6 5-5-6-6H3zM5.300 5.300h.01",
  folder: "M2.500 4h4l1.500 1.500h5.500v7.500h-11z",
  debug: "M5.50000 4L2 8l3.500 4M10.500 4L14 8l-3.500 4M9 3.500l-2 9",
  table: "M2.500 3.500h11v9h-11zM2.500 6.500h11M6.500 6.500v6M2.500 9.500h11",
  terminal: "M2.500 3.500h11v9h-11zM5 6.500l2 1.700-2 1.700M8.500 10.200h2.500",
  tool: "M9.800 3a3.200 3.200 0 0 0-2.900 4.600L2.700 11.800l1.500 1.500 4.200-4.200A3.200 3.200 0 0 0 13 6.200L11.200 8 9 7.500 8.500 5z",
  search: "M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.300 10.300l3.200 3.200",
  clear: "M2.500 13.500h11M4 10.500L9.500 3l4 3-4.500 6.200H6z",
  "zoom-in": "M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.300 10.300l3.200 3.200M7 5v4M5 7h4",
  "zoom-out": "M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.300 10.300l3.200 3.200M5 7h4",
  fit: "M2.500 5.500v-3h3M10.500 2.500h3v3M13.500 10.500v3h-3M5.500 13.500h-3v-3",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.300v3.500M8 5.200h.01",
  warning: "M8 2.500l6 11H2zM8 6.500v3.500M8 11.800h.01",
  error: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3.700M8 10.900h.01",
  shield: "M8 2l5 1.800v3.700c0 3-2 5.300-5 6.500-3-1.200-5-3.500-5-6.500V3.800z",
  "shield-check":
    "M8 2l5 1.800v3.700c0 3-2 5.300-5 6.500-3-1.200-5-3.500-5-6.500V3.800zM5.700 7.800l1.700 1.700 3-3.300",
  "shield-off":
    "M8 2l5 1.800v3.700c0 3-2 5.300-5 6.500-3-1.200-5-3.500-5-6.500V3.800zM8 5.500v2.800M8 10.500h.01",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.800V8l2.200 1.500",
  play: "M5 3.500l7.500 4.500L5 12.500z",
  pause: "M5.500 3.500v9M10.500 3.500v9",
  layout: "M2.500 3.500h11v9h-11zM8.500 3.500v9M8.500 9.500h5",
  sliders:
    "M2.500 5h5M11 5h2.500M2.500 11h2M8 11h5.500M9.200 3.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600zM6.200 9.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600z",
  menu: "M2.500 4.500h11M2.500 8h11M2.500 11.500h11",
  bell: "M8 2.500a3.500 3.500 0 0 0-3.500 3.500v3L3 11.500h10L11.500 9V6A3.500 3.500 0 0 0 8 2.500zM6.700 13.500h2.600",
  list: "M5.500 4h8M5.500 8h8M5.500 12h8M2.500 4h.01M2.500 8h.01M2.500 12h.01",
  braces:
    "M6 2.500c-2 0-1.500 2-1.500 3.300S3.800 8 3 8c.8 0 1.500.900 1.500 2.200S4 13.500 6 13.500M10 2.500c2 0 1.500 2 1.500 3.300S12.200 8 13 8c-.8 0-1.500.900-1.500 2.200s.5 3.300-1.500 3.300",
  branch:
    "M5 5.500v5M5 5.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM5 13.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM11 7.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM11 7.500c0 2.500-4 1.500-5.500 3.300",
  link: "M6.800 9.200l2.400-2.400M7.300 4.800l1.200-1.200a2.700 2.700 0 0 1 3.900 3.900l-1.200 1.200M8.700 11.200l-1.200 1.200a2.700 2.700 0 0 1-3.900-3.900l1.200-1.200",
  more: "M3.500 7.300a.7.7 0 1 0 0 1.400.7.7 0 0 0 0-1.400zM8 7.300a.7.7 0 1 0 0 1.400.7.7 0 0 0 0-1.400zM12.500 7.300a.7.7 0 1 0 0 1.400.7.7 0 0 0 0-1.400z",
  pin: "M6 2.500h4M6.500 2.500v4L4.500 9h7l-2-2.500v-4M8 9v4.500",
  screen: "M2 3h12v8H2zM8 11v2.500M5 13.500h6",
  trash: "M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.6 9h5.800l.6-9M6.800 7v4M9.200 7v4",
  pencil:
    "M3 13l.7-2.800L10.900 3a1.200 1.200 0 0 1 1.700 0l.4.4a1.200 1.200 0 0 1 0 1.700L5.800 12.300zM9.700 4.200l2.100 2.100",
  question:
    "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.300 6.400a1.750 1.750 0 1 1 2.600 1.500c-.6.350-.9.700-.9 1.300M8 11.300h.01",
  music:
    "M6 12V4l7-1.500v8M6 12a1.800 1.800 0 1 1-3.600 0A1.800 1.800 0 0 1 6 12zM13 10.500a1.800 1.800 0 1 1-3.600 0 1.800 1.800 0 0 1 3.600 0z",
  place:
    "M8 14s4.500-4.200 4.500-7.500a4.500 4.500 0 0 0-9 0C3.500 9.800 8 14 8 14zM8 5a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z",
  arrow: "M3 8h10M9 4l4 4-4 4",
  stairs: "M2 13.500h3v-3.300h3V6.900h3V3.600h3",
  lift: "M3.500 2.500h9v11h-9zM6 7l2-2.300L10 7M6 9.300l2 2.300 2-2.300",
  escalator: "M2 13.500h3.200L11.500 6.500H14M3 10h1.500l6-7H13",
  ramp: "M2 13h12V6z",
  door: "M4.500 13.500v-11h7v11M2.500 13.500h11M9.300 8h.01",
  start: "M8 4.800a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400z",
  route:
    "M4 10a1.700 1.700 0 1 0 0 3.400A1.700 1.700 0 0 0 4 10zM12 2.600A1.700 1.700 0 1 0 12 6a1.700 1.700 0 0 0 0-3.400zM5.700 11.700h4.600a1.850 1.850 0 0 0 0-3.700H5.700a1.850 1.850 0 0 1 0-3.700h4.600",
  live: "M8 9.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4zM5 11a4.2 4.2 0 0 1 0-6M11 5a4.2 4.2 0 0 1 0 6M3 13a7 7 0 0 1 0-10M13 3a7 7 0 0 1 0 10",
  closed: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM5 8h6",
  lasso:
    "M8 2.500c3.300 0 6 1.700 6 3.800s-2.700 3.800-6 3.800-6-1.700-6-3.800 2.700-3.800 6-3.800zM4.700 9.600c-.9.700-.9 1.700 0 2.200s1 1.300.3 2",
};

/**
 * Create an icon. Throws if the name is unknown.
 *
 * @param {string} name
 * @param {string} [label] accessible name, if no text next to the icon says it
 * @returns {SVGSVGElement}
 */
export function icon(name, label) {
  let svg = drawn.get(name);
  if (svg === undefined) drawn.set(name, (svg = draw(name)));
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  if (label === undefined) {
    copy.setAttribute("aria-hidden", "true");
  } else {
    copy.setAttribute("role", "img");
    const title = document.createElementNS(SVG, "title");
    title.textContent = label;
    copy.prepend(title);
  }
  return copy;
}

/**
 * Icons drawn so far. A turn has a dozen icons, and cloning one costs a fifth of drawing it.
 *
 * @type {Map<string, SVGSVGElement>}
 */
const drawn = new Map();

/** @param {string} name */
function draw(name) {
  const path = iconPath(name);
  const svg = document.createElementNS(SVG, "svg");
  const settings = {
    class: "icon",
    viewBox: "0 0 16 16",
    width: "16",
    height: "16",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "1.5",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  for (const [key, value] of Object.entries(settings)) svg.setAttribute(key, value);
  svg.appendChild(document.createElementNS(SVG, "path")).setAttribute("d", path);
  return svg;
}

/** Return the path of an icon, for a canvas. Throws if the name is unknown. @param {string} name @returns {string} */
export function iconPath(name) {
  const path = PATHS[name];
  if (path === undefined) throw new RangeError(`no icon is called ${name}`);
  return path;
}
