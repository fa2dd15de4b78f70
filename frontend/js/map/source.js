// @ts-check
/** Which step and line of code drew something. Pure. */

import { isNumber, isText, record } from "./reading.js";

/** @import { Source } from "../types.js" */

/** @param {unknown} value @returns {Source | null} */
export function readSource(value) {
  const { step, line, code } = record(value);
  if (!isNumber(step) || !Number.isInteger(step) || step < 1) return null;
  return { step, ...(isNumber(line) && Number.isInteger(line) && line >= 1 && { line }), ...(isText(code) && { code }) };
}
