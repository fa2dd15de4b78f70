/** Table that stands in a part of the page instead of its own window. */

import { resultSource, TableGrid } from "./grid.js";

/** @import { TableContent, TableSelection, Translate } from "../types.js" */

/**
 * Put the grid of a table into an element. It takes no focus.
 *
 * @param {HTMLElement} place
 * @param {TableContent} content
 * @param {string} url address of the table
 * @param {Translate} t
 * @param {(about: TableSelection) => void} ask makes the selection the subject of the next question
 * @returns {TableGrid}
 */
export function standGrid(place, content, url, t, ask) {
  const grid = new TableGrid(content, resultSource(url, t), t, true);
  grid.dom.addEventListener("close", () => {
    if (grid.selection) ask(grid.selection);
    grid.selection = null;
  });
  place.replaceChildren(grid.dom);
  grid.begin();
  if (content.rows.length < content.rowCount) return grid;
  grid.rows.pages.set(0, content.rows); // the message has all of them: nothing to fetch
  grid.draw();
  return grid;
}
