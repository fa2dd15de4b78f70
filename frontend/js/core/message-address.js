/** Addresses in messages. A log may come from elsewhere, so only those of this server are used. Pure. */

/** @import { Image } from "../types.js" */

const MEDIA = { png: "png", jpg: "jpeg", jpeg: "jpeg", gif: "gif", bmp: "bmp", svg: "svg+xml" };
/** Address of a file or table of a chat. */
const OF_A_CHAT = /^\/api\/chats\/[^/?]+\/(?:tables\/[^/?]+|files\/[^/?]+(?:\?v=[^/&]+)?)$/;
const BASE = "http://desk.invalid";

/**
 * Return the address of a file or table of a chat at this server; undefined for any other address.
 *
 * @param {string | undefined} url
 */
export const deskAddress = (url) => (isPath(url) && OF_A_CHAT.test(url) ? url : undefined);

/**
 * Return a path of this server, else a data URL of the base64 that protocol 1.2 sends. Other addresses are never
 * returned.
 *
 * @param {Image} message
 */
export function sourceOf({ url, content, format }) {
  if (isPath(url)) return url;
  return content === "" ? null : `data:image/${MEDIA[format]};base64,${content}`;
}

/**
 * Check whether a browser takes an address for a path of this server, exactly as it is written: a tab in `/\t/host` is
 * dropped, and dots lead elsewhere.
 *
 * @param {string | undefined} url
 * @returns {url is string}
 */
function isPath(url) {
  if (typeof url !== "string" || !url.startsWith("/")) return false;
  const { origin, pathname, search } = new URL(url, BASE);
  return origin === BASE && pathname + search === url;
}
