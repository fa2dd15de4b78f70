/**
 * The browser's session at a desk that asks for a token. Its cookie goes to every port of the host, so the desk also wants
 * its key, which stands in the storage of this origin. What a browser loads by address alone is fetched with the key
 * (pictures) or gets a link that expires (downloads, streams). Without a token there is no key, and nothing of this happens.
 */

import { keep, recall } from "./storage.js";

const SESSION = "/api/session";

/** The key of a browser that keeps nothing: good until the page is left. @type {string | null} */
let unstored = null;

/** Asked for each time: another tab may have signed in or out. */
const sessionKey = () => recall("key") ?? unstored;

export const hasSession = () => sessionKey() !== null;

/** Take the key out of the address that the token led to. */
export function acceptKey() {
  const address = new URL(window.location.href);
  const key = address.searchParams.get("key");
  if (key !== null) {
    if (key !== recall("key")) keep("key_before", recall("key"));
    keep("key", key);
    unstored = key;
    address.searchParams.delete("key");
    history.replaceState(null, "", address);
  }
}

/** What a socket of the page offers: it can send no headers. */
export function socketProtocols() {
  const key = sessionKey();
  return key === null ? [] : ["smoldesk", `smoldesk.key.${key}`];
}

/** @returns {{ [name: string]: string }} */
export function keyHeader() {
  const key = sessionKey();
  return key === null ? {} : { "X-Smoldesk-Key": key };
}

/**
 * `fetch` at this desk, with the session's key; a session that has ended leads to where one signs in.
 *
 * @param {string} address
 * @param {Omit<RequestInit, "headers"> & { headers?: { [name: string]: string } }} [options]
 */
export async function request(address, options = {}) {
  const response = await fetch(address, { ...options, headers: { ...options.headers, ...keyHeader() } });
  if (response.status === 401 && response.headers.get("WWW-Authenticate")?.includes("smoldesk"))
    askForToken();
  return response;
}

/** A socket was lost: if that is because the session has ended, the token is asked for. */
export function checkSession() {
  if (hasSession()) request(SESSION).catch(() => null);
}

/** @param {boolean} everywhere in all browsers */
export async function signOut(everywhere) {
  const response = await request(everywhere ? `${SESSION}?everywhere=true` : SESSION, { method: "DELETE" });
  if (!response.ok) return false;
  keep("key_before", null);
  askForToken();
  return true;
}

/** An empty token is answered with the form for one. A key that any link could have brought gives way to the one before. */
function askForToken() {
  const before = recall("key_before");
  keep("key_before", null);
  keep("key", before);
  unstored = null;
  if (before === null) window.location.replace("/?token=");
  else window.location.reload();
}

/**
 * The address with what opens it for some minutes without the key.
 *
 * @param {string} address
 * @returns {Promise<string>}
 */
export async function linked(address) {
  if (!hasSession()) return address;
  const { pathname, search } = new URL(address, window.location.href);
  const query = new URLSearchParams({ path: pathname + search });
  const response = await request(`${SESSION}/links?${query}`, { method: "POST" }).catch(() => null);
  return response?.ok ? (await response.json()).url : address; // the browser says then that it is refused
}

/**
 * Save what the desk serves at an address. A link rather than a blob: a file may be larger than memory.
 *
 * @param {string} address
 * @param {string} [name]
 */
export async function download(address, name = "") {
  const link = document.createElement("a");
  link.href = await linked(address);
  link.download = name;
  link.click();
}

/** Links to the desk's own addresses become downloads that bring the session; a tab ends with its session. */
export function followSession() {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === "smoldesk.key" && newValue === null) askForToken();
  });
  for (const kind of ["click", "auxclick"])
    document.addEventListener(kind, (event) => {
      const link = event.target instanceof Element ? event.target.closest("a[href^='/api/']") : null;
      if (link === null || !hasSession() || event.defaultPrevented) return;
      event.preventDefault();
      void download(link.getAttribute("href") ?? "", link.getAttribute("download") ?? "");
    });
}

/**
 * Show a picture of the desk. It is fetched with the key, so it also comes when its address is old.
 *
 * @param {HTMLImageElement} image
 * @param {string} address of this desk, or a data: URL
 */
export async function showPicture(image, address) {
  if (!hasSession() || !address.startsWith("/api/")) {
    image.src = address;
    return;
  }
  image.dataset.address = address;
  const response = await request(address).catch(() => null);
  const content = response?.ok ? await response.blob().catch(() => null) : null;
  if (image.dataset.address !== address) return; // it shows another one by now
  if (content === null) {
    image.dispatchEvent(new Event("error"));
    return;
  }
  const url = URL.createObjectURL(content);
  for (const end of ["load", "error"])
    image.addEventListener(end, () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
}
