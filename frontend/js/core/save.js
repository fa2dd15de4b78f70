/** Downloads of files that the page creates. */

/** @param {Blob} blob @param {string} name */
export function saveAs(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000); // the download has started by then
}
