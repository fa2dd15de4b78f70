/** Where the bytes of an image come from. Pure. */

/** @import { Image } from "../types.js" */

const MEDIA = { png: "png", jpg: "jpeg", jpeg: "jpeg", gif: "gif", bmp: "bmp", svg: "svg+xml" };

/**
 * A path of this server, else the base64 that protocol 1.2 sends. Never an address elsewhere.
 * @param {Image} message
 */
export function sourceOf({ url, content, format }) {
  if (url && /^\/(?![/\\])/.test(url)) return url;
  return content === "" ? null : `data:image/${MEDIA[format]};base64,${content}`;
}
