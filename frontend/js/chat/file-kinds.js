/** Which files are refused before they are sent: one that is larger than the desk takes, and one that nothing here could read. */

import { size } from "../core/format.js";

/** @import { Translate } from "../types.js" */

const TABLES = [
  "csv",
  "tsv",
  "xlsx",
  "xlsm",
  "json",
  "jsonl",
  "ndjson",
  "parquet",
  "sqlite",
  "sqlite3",
  "db",
];
/** Binary files that code reads, by their endings; whatever is text is known without one. */
const OTHERS = [
  "xls",
  "png",
  "jpg",
  "jpeg",
  "gif",
  "webp",
  "bmp",
  "tif",
  "tiff",
  "avif",
  "heic",
  "ico",
  "pdf",
  "docx",
  "doc",
  "pptx",
  "ppt",
  "odt",
  "ods",
  "odp",
  "zip",
  "gz",
  "tgz",
  "bz2",
  "xz",
  "7z",
  "zst",
  "tar",
  "npy",
  "npz",
  "pkl",
  "h5",
  "hdf5",
  "nc",
  "feather",
  "arrow",
  "orc",
  "avro",
  "dta",
  "sav",
  "rds",
  "mat",
  "mp3",
  "wav",
  "ogg",
  "flac",
  "m4a",
  "mp4",
  "mov",
  "webm",
  "shp",
  "shx",
  "dbf",
  "gpkg",
  "fits",
  "dwg",
  "ifc",
  "glb",
  "woff",
  "woff2",
  "ttf",
  "otf",
];
const LOOKED_AT = 4096;

/**
 * @param {globalThis.File} file
 * @param {number} most bytes that the desk takes; 0 when it is not known
 * @param {Translate} t
 * @returns {Promise<string>} what is wrong with it, empty for nothing
 */
export async function fileFault(file, most, t) {
  if (most > 0 && file.size > most) return t("files.too_large", { size: size(file.size), most: size(most) });
  const ending = file.name.includes(".") ? file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase() : "";
  if (TABLES.includes(ending) || OTHERS.includes(ending) || file.size === 0) return "";
  return (await isBinary(file))
    ? t("files.unknown_kind", { tables: TABLES.map((suffix) => `.${suffix}`).join(" ") })
    : "";
}

/** Text has no zero bytes, UTF-16 with its mark left aside. @param {globalThis.File} file */
async function isBinary(file) {
  const start = new Uint8Array(await file.slice(0, LOOKED_AT).arrayBuffer());
  const marked = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !marked && start.includes(0);
}
