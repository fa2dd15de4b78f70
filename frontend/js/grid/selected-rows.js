/** Rows selected by hand, as ranges of places in a view: a selection of a million rows takes no more than one of two. Pure. */

/** Maximum ranges of a selection, as on the server. */
export const MAX_RANGES = 1000;

export class SelectedRows {
  constructor() {
    /** Disjoint ranges in ascending order, each from a begin to before an end. @type {[number, number][]} */
    this.ranges = [];
    /** Row from which a range extends: the last one that was toggled. */
    this.anchor = 0;
  }

  get count() {
    return this.ranges.reduce((sum, [begin, end]) => sum + end - begin, 0);
  }

  /** @param {number} row */
  has(row) {
    return this.ranges.some(([begin, end]) => row >= begin && row < end);
  }

  clear() {
    this.ranges = [];
    this.anchor = 0;
  }

  /** Select or deselect one row. @param {number} row */
  toggle(row) {
    this.set(row, row + 1, !this.has(row));
    this.anchor = row;
  }

  /** Select the rows from the anchor to this one. @param {number} row */
  extendTo(row) {
    this.set(Math.min(row, this.anchor), Math.max(row, this.anchor) + 1, true);
  }

  /**
   * Select or deselect all rows from `begin` to before `end`.
   *
   * @param {number} begin
   * @param {number} end
   * @param {boolean} isSelected
   */
  set(begin, end, isSelected) {
    /** @type {[number, number][]} */
    const outside = this.ranges.flatMap(
      ([from, to]) =>
        /** @type {[number, number][]} */ ([
          [from, Math.min(to, begin)],
          [Math.max(from, end), to],
        ]),
    );
    if (isSelected) outside.push([begin, end]);
    this.ranges = [];
    for (const [from, to] of outside.filter(([a, b]) => a < b).sort((a, b) => a[0] - b[0])) {
      const last = this.ranges.at(-1);
      if (last && last[1] === from) last[1] = to;
      else this.ranges.push([from, to]);
    }
  }
}
