/**
 * The one door for markup. The server renders and sanitises Markdown and highlights code; here its HTML is parsed into
 * a document that runs nothing, and only what is on the lists below is built anew. So even a server that was fooled
 * gives the page words, not behaviour. No other file may parse markup.
 */

import { showPicture } from "./session.js";

const TAGS = new Set(
  (
    "a abbr b blockquote br caption code col colgroup dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p " +
    "pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var"
  ).split(" "),
);
/** With these the content goes, too. */
const DROPPED = new Set(
  "script style template iframe object embed svg math noscript title textarea select".split(" "),
);
const ATTRIBUTES = new Set(
  "class colspan rowspan scope start title alt width height align lang dir".split(" "),
);

/** @type {{ createHTML(html: string): any }} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("smoldesk", {
  createHTML: (/** @type {string} */ html) => html,
}) ?? { createHTML: (html) => html };

/**
 * Server-made HTML as nodes.
 *
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function fragment(html) {
  const parsed = new DOMParser().parseFromString(policy.createHTML(html), "text/html");
  const safe = document.createDocumentFragment();
  copyChildren(parsed.body, safe);
  return safe;
}

/**
 * @param {Node} from
 * @param {Node} to
 */
function copyChildren(from, to) {
  for (const child of from.childNodes) {
    if (child instanceof Text) to.appendChild(document.createTextNode(child.data));
    else if (child instanceof Element) copyElement(child, to);
  }
}

/**
 * @param {Element} source
 * @param {Node} to
 */
function copyElement(source, to) {
  const tag = source.localName;
  if (DROPPED.has(tag)) return;
  if (!TAGS.has(tag)) {
    copyChildren(source, to);
    return;
  }
  const node = document.createElement(tag);
  for (const { name, value } of source.attributes) {
    if (ATTRIBUTES.has(name)) node.setAttribute(name, value);
  }
  if (node instanceof HTMLAnchorElement) link(node, source.getAttribute("href"));
  if (node instanceof HTMLImageElement && !picture(node, source.getAttribute("src"))) return;
  copyChildren(source, node);
  to.appendChild(node);
}

/**
 * @param {HTMLAnchorElement} node
 * @param {string | null} href
 */
function link(node, href) {
  if (href === null || !/^(https?:|mailto:|#|\/(?!\/))/i.test(href)) return;
  node.setAttribute("href", href);
  if (/^https?:/i.test(href)) {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
}

/**
 * @param {HTMLImageElement} node
 * @param {string | null} src
 */
function picture(node, src) {
  if (src === null || !/^(data:image\/(png|jpeg|gif|webp);|\/(?!\/))/i.test(src)) return false;
  node.setAttribute("loading", "lazy");
  void showPicture(node, src);
  return true;
}

/**
 * Markup that a library sets on this element only empties it: the page's content policy would take it from nobody.
 *
 * @param {HTMLElement} host
 */
export function takeNoMarkup(host) {
  Object.defineProperty(host, "innerHTML", { configurable: true, set: () => host.replaceChildren() });
}
