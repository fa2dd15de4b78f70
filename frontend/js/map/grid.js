// @ts-check
/** Spatial index of many boxes: a grid with about one box per cell. Pure. */

/** Number of cells above which a box is kept in a separate list, which every search checks. */
const WIDE = 64;

export class Grid {
  /**
   * Index the boxes. The arrays have one length and one unit; boxes with non-finite edges are never found.
   *
   * @param {ArrayLike<number>} left
   * @param {ArrayLike<number>} top
   * @param {ArrayLike<number>} right
   * @param {ArrayLike<number>} bottom
   */
  constructor(left, top, right, bottom) {
    this.left = left;
    this.top = top;
    this.right = right;
    this.bottom = bottom;
    const count = left.length;
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = 0; at < count; at += 1) {
      if (!this.finite(at)) continue;
      west = Math.min(west, this.left[at] ?? 0);
      north = Math.min(north, this.top[at] ?? 0);
      east = Math.max(east, this.right[at] ?? 0);
      south = Math.max(south, this.bottom[at] ?? 0);
    }
    this.west = Number.isFinite(west) ? west : 0;
    this.north = Number.isFinite(north) ? north : 0;
    const [wide, high] = [Math.max(1e-9, east - west) || 1, Math.max(1e-9, south - north) || 1];
    const across = Math.max(1, Math.min(512, Math.round(Math.sqrt((count * wide) / high)) || 1));
    const down = Math.max(1, Math.min(512, Math.round(count / across) || 1));
    this.columns = across;
    this.rows = down;
    this.cellWide = wide / across;
    this.cellHigh = high / down;
    /** @type {number[]} */
    this.wide = [];
    /** Boxes of cell c are items[starts[c]] to items[starts[c + 1] - 1]. */
    this.starts = new Int32Array(across * down + 1);
    this.items = this.fill(count);
    /** Number of the search that last found each box, so that no box is found twice. */
    this.lastSearch = new Int32Array(count);
    this.searches = 0;
  }

  /** @param {number} at */
  finite(at) {
    return (
      Number.isFinite(this.left[at]) &&
      Number.isFinite(this.top[at]) &&
      Number.isFinite(this.right[at]) &&
      Number.isFinite(this.bottom[at])
    );
  }

  /** @param {number} count @returns {Int32Array} */
  fill(count) {
    const { starts } = this;
    for (let at = 0; at < count; at += 1) {
      if (!this.finite(at)) continue;
      if (this.cells(at, () => {}) > WIDE) this.wide.push(at);
      else this.cells(at, (cell) => (starts[cell + 1] = (starts[cell + 1] ?? 0) + 1));
    }
    for (let cell = 1; cell < starts.length; cell += 1)
      starts[cell] = (starts[cell] ?? 0) + (starts[cell - 1] ?? 0);
    const items = new Int32Array(starts[starts.length - 1] ?? 0);
    const next = starts.slice();
    const aside = new Set(this.wide);
    for (let at = 0; at < count; at += 1) {
      if (!this.finite(at) || aside.has(at)) continue;
      this.cells(at, (cell) => {
        items[next[cell] ?? 0] = at;
        next[cell] = (next[cell] ?? 0) + 1;
      });
    }
    return items;
  }

  /**
   * Visit the cells of a box.
   *
   * @param {number} at
   * @param {(cell: number) => void} visit not called for more cells than `WIDE`
   * @returns {number} number of cells
   */
  cells(at, visit) {
    const [first, last] = [this.column(this.left[at] ?? 0), this.column(this.right[at] ?? 0)];
    const [head, foot] = [this.row(this.top[at] ?? 0), this.row(this.bottom[at] ?? 0)];
    const count = (last - first + 1) * (foot - head + 1);
    if (count > WIDE) return count;
    for (let row = head; row <= foot; row += 1)
      for (let column = first; column <= last; column += 1) visit(row * this.columns + column);
    return count;
  }

  /** @param {number} x */
  column(x) {
    return Math.max(0, Math.min(this.columns - 1, Math.floor((x - this.west) / this.cellWide)));
  }

  /** @param {number} y */
  row(y) {
    return Math.max(0, Math.min(this.rows - 1, Math.floor((y - this.north) / this.cellHigh)));
  }

  /**
   * Find every box that touches the given one, in no order, each once.
   *
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {number[]} into is emptied and filled with the result; reuse it between searches
   * @returns {number[]} `into`
   */
  search(left, top, right, bottom, into) {
    into.length = 0;
    this.searches += 1;
    const visit = (/** @type {number} */ at) => {
      if (this.lastSearch[at] === this.searches) return;
      this.lastSearch[at] = this.searches;
      if (
        (this.left[at] ?? 0) > right ||
        (this.right[at] ?? 0) < left ||
        (this.top[at] ?? 0) > bottom ||
        (this.bottom[at] ?? 0) < top
      )
        return;
      into.push(at);
    };
    for (const at of this.wide) visit(at);
    const [first, last] = [this.column(left), this.column(right)];
    const [head, foot] = [this.row(top), this.row(bottom)];
    for (let row = head; row <= foot; row += 1) {
      const begin = this.starts[row * this.columns + first] ?? 0;
      const end = this.starts[row * this.columns + last + 1] ?? 0;
      for (let item = begin; item < end; item += 1) visit(this.items[item] ?? 0);
    }
    return into;
  }
}
