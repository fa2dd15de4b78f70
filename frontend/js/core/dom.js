/**
 * DOM helpers. `el` creates text nodes and attributes only: no markup, no inline handlers and no style attributes,
 * which the content security policy would refuse. HTML from the server goes through html.js.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {{ [type: string]: (event: any) => void }} Handlers */
/**
 * @typedef {{ on?: Handlers } & { [name: string]: string | number | boolean | null | undefined | Handlers }} Attributes
 */

/**
 * Create an element. A string or number sets an attribute, `true` sets an empty one; false, null and undefined set
 * nothing. `on` holds event handlers.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") listen(node, /** @type {Handlers} */ (value));
    else if (name === "style" || name.startsWith("on"))
      throw new TypeError(`el: ${name} is not set as an attribute`);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  append(node, children);
  return node;
}

/**
 * Append children, flattened; null, undefined, false and "" are skipped.
 *
 * @param {Node} node
 * @param {(Child | Child[])[]} children
 */
export function append(node, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * @param {EventTarget} node
 * @param {Handlers} handlers
 */
function listen(node, handlers) {
  for (const [type, handler] of Object.entries(handlers)) node.addEventListener(type, handler);
}

/**
 * Move a node to the end of another parent, with `moveBefore` where it exists, so that its frames do not reload.
 *
 * @param {Node} node
 * @param {Element} to
 */
export function move(node, to) {
  if ("moveBefore" in to && node.isConnected && to.isConnected)
    /** @type {any} */ (to).moveBefore(node, null);
  else to.append(node);
}

/**
 * Return the selected range of the page, or null. Reading `isCollapsed` or `type` of a selection forces a layout;
 * reading its range does not.
 */
export function selectedRange() {
  const selection = document.getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  return range === null || range.collapsed ? null : range;
}
