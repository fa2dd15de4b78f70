/**
 * Parser of the server's HTML: sanitised Markdown and highlighted code. The HTML is parsed into an inert document, and
 * only the elements and attributes listed below are created again. If the server's sanitiser fails, the page still gets
 * text and no scripts. No other file parses markup.
 */

import { showPicture } from "./session.js";

const TAGS = new Set(
  (
    "a abbr b blockquote br caption code col colgroup dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p " +
    "pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var"
  ).split(" "),
);
/** Elements that are dropped with their content. */
const DROPPED_ELEMENTS = new Set(
  "script style template iframe object embed svg math noscript title textarea select".split(" "),
);
const ATTRIBUTES = new Set(
  "class colspan rowspan scope start title alt width height align lang dir".split(" "),
);

/** @type {{ createHTML(html: string): any }} */
// The only policy that the content security policy allows (wires/security/headers.py). It returns the string as it
// is, because `fragment` only parses it into an inert document and copies what the lists below allow.
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("smoldesk", {
  createHTML: (/** @type {string} */ html) => html,
}) ?? { createHTML: (html) => html };

/** Return the nodes of the server's HTML. @param {string} html @returns {DocumentFragment} */
export function fragment(html) {
  // without <body> the parser drops the spaces in front, such as the indentation of a first line of code
  const parsed = new DOMParser().parseFromString(policy.createHTML(`<body>${html}`), "text/html");
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
  if (DROPPED_ELEMENTS.has(tag)) return;
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
 * Make setting `innerHTML` on this element only empty it. Trusted Types would refuse any markup that a library sets.
 *
 * @param {HTMLElement} host
 */
export function refuseMarkup(host) {
  Object.defineProperty(host, "innerHTML", { configurable: true, set: () => host.replaceChildren() });
}
