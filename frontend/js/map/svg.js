// @ts-check
/**
 * Canvas context that writes SVG: the layers paint on it as on the screen, and it outputs lines, shapes and texts. It
 * implements the part of a context that the layers use. Text is escaped; each image is embedded once.
 */

/** @typedef {[number, number, number, number, number, number]} Matrix */
/** @typedef {Record<string, any>} ContextState */

/** State that `save` stores. */
const INITIAL_STATE = {
  fillStyle: "#000000",
  strokeStyle: "#000000",
  globalAlpha: 1,
  lineWidth: 1,
  lineJoin: "miter",
  lineCap: "butt",
  lineDashOffset: 0,
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  globalCompositeOperation: "source-over",
  imageSmoothingEnabled: true,
  imageSmoothingQuality: "low",
  shadowColor: "",
  shadowBlur: 0,
  shadowOffsetY: 0,
  shadowOffsetX: 0,
};
const ANCHORS = /** @type {Record<string, string>} */ ({ center: "middle", right: "end", end: "end" });

/**
 * Escape a text.
 *
 * @param {string} text
 * @returns {string} safe inside markup and attributes; characters that XML forbids are left out
 */
export function escaped(text) {
  const entities = /** @type {Record<string, string>} */ ({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  });
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "",
    )
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? "");
}

/** Round a number. @param {number} value @returns {string} with at most three decimals */
function short(value) {
  return String(Math.round(value * 1000) / 1000 || 0);
}

/** Number of ids so far: one drawing may be inside another, so they are unique across drawings. */
let ids = 0;

/** Continue ids after a number, so that drawings of several processes can be in one document. @param {number} number */
export function countIdsFrom(number) {
  ids = number;
}

export class SvgContext {
  /**
   * @param {{width: number, height: number}} size CSS pixels
   * @param {number} dpr device pixels per CSS pixel, as the layers see it
   * @param {{measure: CanvasRenderingContext2D, hrefOf: (image: any) => string}} needs `hrefOf`: an image as a data URL
   */
  constructor(size, dpr, { measure, hrefOf }) {
    this.size = size;
    this.base = 1 / dpr;
    this.ruler = measure;
    this.hrefOf = hrefOf;
    /** @type {string[]} */
    this.out = [];
    /** @type {string[]} */
    this.defs = [];
    /** @type {Map<any, {id: string, width: number, height: number}>} */
    this.images = new Map();
    /** @type {Matrix} */
    this.matrix = [1, 0, 0, 1, 0, 0];
    this.dash = /** @type {number[]} */ ([]);
    this.path = "";
    this.clipped = "";
    /** @type {{state: ContextState, matrix: Matrix, dash: number[], clipped: string}[]} */
    this.saved = [];
    Object.assign(this, INITIAL_STATE);
  }

  /** @returns {ContextState} */
  get state() {
    return /** @type {any} */ (this);
  }

  /** Return the document. @param {string} title @returns {string} */
  document(title) {
    const { width, height } = this.size;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width)}" height="${short(height)}" viewBox="0 0 ${short(width)} ${short(height)}" role="img">`;
    return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n<title>${escaped(title)}</title>\n<defs>${this.defs.join("\n")}</defs>\n${this.out.join("\n")}\n</svg>\n`;
  }

  save() {
    const state = Object.fromEntries(Object.keys(INITIAL_STATE).map((key) => [key, this.state[key]]));
    this.saved.push({ state, matrix: [...this.matrix], dash: this.dash, clipped: this.clipped });
  }

  restore() {
    const { state, matrix, dash, clipped } = this.saved.pop() ?? {
      state: {},
      matrix: this.matrix,
      dash: this.dash,
      clipped: this.clipped,
    };
    Object.assign(this, state, { matrix, dash, clipped });
  }

  /** @param {number} a @param {number} b @param {number} c @param {number} d @param {number} e @param {number} f */
  setTransform(a, b, c, d, e, f) {
    const { base } = this;
    this.matrix = [a * base, b * base, c * base, d * base, e * base, f * base];
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
  }

  /** @param {number} angle */
  rotate(angle) {
    const [a, b, c, d, e, f] = this.matrix;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.matrix = [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
  }

  /** @param {number} x @param {number} [y] */
  scale(x, y = x) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a * x, b * x, c * y, d * y, e, f];
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }

  clearRect() {
    // Each layer starts on an empty canvas, so there is nothing to clear.
  }

  beginPath() {
    this.path = "";
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path += `M${this.at(x, y)}`;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path += `${this.path === "" ? "M" : "L"}${this.at(x, y)}`;
  }

  closePath() {
    this.path += "Z";
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.path += `M${this.at(x, y)}L${this.at(x + width, y)}L${this.at(x + width, y + height)}L${this.at(x, y + height)}Z`;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
  roundRect(x, y, width, height, radius) {
    const r = Math.min(radius, width / 2, height / 2);
    this.arc(x + r, y + r, r, Math.PI, 1.5 * Math.PI);
    this.arc(x + width - r, y + r, r, 1.5 * Math.PI, 2 * Math.PI, true);
    this.arc(x + width - r, y + height - r, r, 0, 0.5 * Math.PI, true);
    this.arc(x + r, y + height - r, r, 0.5 * Math.PI, Math.PI, true);
    this.closePath();
  }

  /**
   * Draw an arc as lines of two degrees, which any matrix can transform and which look round.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} radius
   * @param {number} from
   * @param {number} to
   * @param {boolean} [on] continue the current path
   */
  arc(x, y, radius, from, to, on = false) {
    const count = Math.max(2, Math.ceil(Math.abs(to - from) / (Math.PI / 90)));
    for (let step = 0; step <= count; step += 1) {
      const angle = from + ((to - from) * step) / count;
      const [px, py] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      if (step === 0 && !on) this.moveTo(px, py);
      else this.lineTo(px, py);
    }
  }

  /**
   * Create a gradient along a line, as a fill style.
   *
   * @param {number} x1
   * @param {number} y1
   * @param {number} x2
   * @param {number} y2
   */
  createLinearGradient(x1, y1, x2, y2) {
    const id = `gradient${(ids += 1)}`;
    const [from, to] = [this.at(x1, y1).split(" "), this.at(x2, y2).split(" ")];
    const at = this.defs.length;
    const head = `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}">`;
    let stops = "";
    this.defs.push("");
    const addColorStop = (/** @type {number} */ offset, /** @type {string} */ colour) => {
      stops += `<stop offset="${short(offset)}" stop-color="${escaped(colour)}"/>`;
      this.defs[at] = `${head}${stops}</linearGradient>`;
    };
    return { addColorStop, toString: () => `url(#${id})` };
  }

  /** Fill the current path. @param {unknown} [path] a Path2D cannot be read: what is drawn by one is left out */
  fill(path) {
    if (path === undefined) this.shape(this.path, `fill="${escaped(String(this.state.fillStyle))}"`);
  }

  /** @param {unknown} [path] */
  stroke(path) {
    if (path === undefined) this.shape(this.path, this.line());
  }

  clip() {
    const id = `clip${(ids += 1)}`;
    this.defs.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.clipped = ` clip-path="url(#${id})"`;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.aside(
      () => this.rect(x, y, width, height),
      () => this.fill(),
    );
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.aside(
      () => this.rect(x, y, width, height),
      () => this.stroke(),
    );
  }

  /** @param {() => void} make @param {() => void} use */
  aside(make, use) {
    const path = this.path;
    this.path = "";
    make();
    use();
    this.path = path;
  }

  /** @param {any} image @param {number} x @param {number} y @param {number} width @param {number} height */
  drawImage(image, x, y, width, height) {
    let entry = this.images.get(image);
    if (!entry) {
      entry = {
        id: `image${(ids += 1)}`,
        width: image.naturalWidth ?? image.width,
        height: image.naturalHeight ?? image.height,
      };
      this.images.set(image, entry);
      this.defs.push(
        image instanceof SvgCanvas
          ? `<g id="${entry.id}" style="isolation: isolate">${image.markup()}</g>`
          : `<image id="${entry.id}" width="${entry.width}" height="${entry.height}" preserveAspectRatio="none" href="${escaped(this.hrefOf(image))}"/>`,
      );
    }
    const [a, b, c, d] = this.matrix;
    const [sx, sy] = [width / entry.width, height / entry.height];
    const matrix = [a * sx, b * sx, c * sy, d * sy].map((value) => value.toPrecision(6)).join(" ");
    this.out.push(
      `<use href="#${entry.id}" transform="matrix(${matrix} ${this.at(x, y)})"${this.faint()}${this.clipped}${this.blend()}/>`,
    );
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.addText(text, x, y, `fill="${escaped(String(this.state.fillStyle))}"`);
  }

  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.addText(text, x, y, this.line());
  }

  /** @param {string} text */
  measureText(text) {
    this.ruler.font = this.state.font;
    return this.ruler.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y @param {string} paint */
  addText(text, x, y, paint) {
    const { font, textAlign, textBaseline } = this.state;
    const anchor = ANCHORS[textAlign] ? ` text-anchor="${ANCHORS[textAlign]}"` : "";
    const line = textBaseline === "middle" ? ' dominant-baseline="central"' : "";
    this.out.push(
      `<text transform="matrix(${this.turn()})" x="${short(x)}" y="${short(y)}" style="${escaped(`font: ${font}; white-space: pre`)}"${anchor}${line} ${paint}${this.faint()}${this.clipped}>${escaped(text)}</text>`,
    );
  }

  /** @param {string} path @param {string} paint */
  shape(path, paint) {
    if (path !== "") this.out.push(`<path d="${path}" ${paint}${this.faint()}${this.clipped}/>`);
  }

  /** Return the attributes of a line. @returns {string} */
  line() {
    const { strokeStyle, lineWidth, lineJoin, lineCap, lineDashOffset } = this.state;
    const size = Math.sqrt(Math.abs(this.matrix[0] * this.matrix[3] - this.matrix[1] * this.matrix[2]));
    const dash = this.dash.length
      ? ` stroke-dasharray="${this.dash.map((length) => short(length * size)).join(" ")}" stroke-dashoffset="${short(lineDashOffset * size)}"`
      : "";
    return `fill="none" stroke="${escaped(strokeStyle)}" stroke-width="${short(lineWidth * size)}" stroke-linejoin="${lineJoin}" stroke-linecap="${lineCap}"${dash}`;
  }

  blend() {
    return this.state.globalCompositeOperation === "multiply" ? ' style="mix-blend-mode: multiply"' : "";
  }

  faint() {
    return this.state.globalAlpha < 1 ? ` opacity="${short(this.state.globalAlpha)}"` : "";
  }

  turn() {
    return this.matrix.map((value) => short(value)).join(" ");
  }

  /** @param {number} x @param {number} y @returns {string} */
  at(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    return `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`;
  }
}

/** Drawing that can be drawn as an image on another one; where there is no DOM it replaces an OffscreenCanvas. */
export class SvgCanvas {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    const needs = { measure: /** @type {any} */ (null), hrefOf: (/** @type {any} */ image) => image.href };
    this.context = new SvgContext({ width, height }, 1, needs);
  }

  getContext() {
    return this.context;
  }

  /** @returns {string} */
  markup() {
    const { defs, out } = this.context;
    return `<defs>${defs.join("")}</defs>${out.join("")}`;
  }
}
