/** Sources of images. Pure. */

/** @import { Image } from "../types.js" */

const MEDIA = { png: "png", jpg: "jpeg", jpeg: "jpeg", gif: "gif", bmp: "bmp", svg: "svg+xml" };

/**
 * Return a path of this server, else a data URL of the base64 that protocol 1.2 sends. Other addresses are never
 * returned.
 *
 * @param {Image} message
 */
export function sourceOf({ url, content, format }) {
  if (url && /^\/(?![/\\])/.test(url)) return url;
  return content === "" ? null : `data:image/${MEDIA[format]};base64,${content}`;
}
