/**
 * Files that are refused before the upload: larger than the desk's limit, or of a format that nothing here can read.
 */

import { size } from "../core/format.js";

/** @import { Translate } from "../types.js" */

const TABLES = [
  "csv",
  "tsv",
  "tab",
  "xlsx",
  "xlsm",
  "ods",
  "json",
  "jsonl",
  "ndjson",
  "geojson",
  "parquet",
  "arrow",
  "feather",
  "sqlite",
  "sqlite3",
  "db",
  "gz",
  "zip",
];
/** Endings of binary files that code can read. Text files need no known ending. */
const BINARY_ENDINGS = [
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
  "odp",
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
const SAMPLE_BYTES = 4096;

/**
 * Return the problem with a file.
 *
 * @param {globalThis.File} file
 * @param {number} most size limit in bytes; 0 if unknown
 * @param {Translate} t
 * @returns {Promise<string>} "" if there is none
 */
export async function fileFault(file, most, t) {
  if (most > 0 && file.size > most) return t("files.too_large", { size: size(file.size), most: size(most) });
  const ending = file.name.includes(".") ? file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase() : "";
  if (TABLES.includes(ending) || BINARY_ENDINGS.includes(ending) || file.size === 0) return "";
  return (await isBinary(file))
    ? t("files.unknown_kind", { tables: TABLES.map((suffix) => `.${suffix}`).join(" ") })
    : "";
}

/**
 * Check whether a file is binary: text has no zero bytes, except UTF-16 with its byte order mark.
 *
 * @param {globalThis.File} file
 */
async function isBinary(file) {
  const start = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const marked = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !marked && start.includes(0);
}
