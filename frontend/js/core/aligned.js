/** Whether text is laid out in columns, judged line by line as it comes: then it must not be wrapped. Pure. */

/** A frame, or a gap between words that is no space after a sentence. */
const COLUMNS = /[\u2500-\u257f]|[^\s.!?:] {2,}\S|\S\t+\S/;
/** Lines that make it so. */
const ENOUGH = 2;
/** Characters of one line that are looked at. */
const LOOKED_AT = 400;

export class Alignment {
  constructor() {
    this.lines = 0;
    /** The line that is not over yet. */
    this.rest = "";
    this.found = false;
  }

  /**
   * @param {string} text what comes next
   * @returns {boolean} whether all of it so far is laid out in columns; once it is, it stays so
   */
  add(text) {
    if (this.found) return true;
    const lines = text.split("\n");
    lines[0] = this.rest + lines[0];
    this.rest = (lines.pop() ?? "").slice(0, LOOKED_AT);
    this.lines += lines.filter((line) => COLUMNS.test(line.slice(0, LOOKED_AT))).length;
    this.found = this.lines >= ENOUGH || (this.lines === ENOUGH - 1 && COLUMNS.test(this.rest));
    return this.found;
  }
}
