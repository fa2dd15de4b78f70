// @ts-check
/** Files that describe a building rather than data: they go to the map. Recognised by their beginning, a zip by its names. */

const ENDINGS = ["ifc", "osm", "pbf", "gml", "imdf"];
/** Bytes at the start of a text, and at the end of a zip, where its list of files is. */
const SAMPLE = 262_144;
const IMDF_FILES = /(?:^|[^\w])(?:venue|level|unit)\.geojson/;
const INDOOR = /"(?:level|level_id|indoor|levels)"\s*:/;

/**
 * Split files into those of a building and others.
 *
 * @param {globalThis.File[]} files
 * @returns {Promise<{ building: globalThis.File[], others: globalThis.File[] }>}
 */
export async function splitBuildingFiles(files) {
  const found = await Promise.all(files.map(isBuildingFile));
  const isPlan = (/** @type {globalThis.File} */ file) => found[files.indexOf(file)] === true;
  return { building: files.filter(isPlan), others: files.filter((file) => !isPlan(file)) };
}

/** @param {globalThis.File} file @returns {Promise<boolean>} */
async function isBuildingFile(file) {
  const ending = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  if (ENDINGS.includes(ending)) return true;
  if (ending === "zip") return IMDF_FILES.test(await file.slice(-SAMPLE).text());
  if (ending === "xml") return /<(?:\w+:)?(?:IndoorFeatures|osm)\b/.test(await file.slice(0, SAMPLE).text());
  if (ending !== "json" && ending !== "geojson") return false;
  const text = await file.slice(0, SAMPLE).text();
  if (/"floors"\s*:/.test(text) && /"rectangles"\s*:/.test(text)) return true;
  return /"FeatureCollection"/.test(text) && /Polygon"/.test(text) && INDOOR.test(text);
}
