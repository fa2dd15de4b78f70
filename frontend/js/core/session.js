/**
 * Browser session at a server that requires a token. A cookie reaches every port of its host, so the server also
 * requires a key from the storage of this origin. Pictures are fetched with the key; downloads and streams, which
 * browsers load by address alone, use links that expire. Without a token there is no key.
 */

import { keep, recall } from "./storage.js";

const SESSION = "/api/session";

/** Key of a browser that cannot store it: it lasts until the page is left. @type {string | null} */
let unstored = null;

/** Return the key, read from storage each time: another tab may have signed in or out. */
const sessionKey = () => recall("key") ?? unstored;

export const hasSession = () => sessionKey() !== null;

/** Take the key out of the address after sign-in. */
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

/** Return the protocols of the page's sockets. A browser's socket cannot send headers, so the key is among them. */
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
 * Call `fetch` with the session's key. If the session has ended, go to the sign-in form.
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

/** Go to the sign-in form if a lost socket means that the session has ended. */
export function checkSession() {
  if (hasSession()) request(SESSION).catch(() => null);
}

/** Sign out. @param {boolean} everywhere in all browsers */
export async function signOut(everywhere) {
  const response = await request(everywhere ? `${SESSION}?everywhere=true` : SESSION, { method: "DELETE" });
  if (!response.ok) return false;
  keep("key_before", null);
  askForToken();
  return true;
}

/**
 * Restore the previous key and reload: the current one may have come from any link. Without a previous key, open the
 * sign-in form, which the server returns for an empty token.
 */
function askForToken() {
  const before = recall("key_before");
  keep("key_before", null);
  keep("key", before);
  unstored = null;
  if (before === null) window.location.replace("/?token=");
  else window.location.reload();
}

/** Return an address that works for some minutes without the key. @param {string} address @returns {Promise<string>} */
export async function linked(address) {
  if (!hasSession()) return address;
  const { pathname, search } = new URL(address, window.location.href);
  const query = new URLSearchParams({ path: pathname + search });
  const response = await request(`${SESSION}/links?${query}`, { method: "POST" }).catch(() => null);
  return response?.ok ? (await response.json()).url : address; // the browser then shows the refusal
}

/**
 * Download a file of the server. A link is used because a blob would have to fit in memory.
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

/**
 * Turn clicks on links of this server into downloads with the session. When the session ends in another tab, reload
 * this one.
 */
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
 * Show a picture of the server. It is fetched with the key, so an old address still works.
 *
 * @param {HTMLImageElement} image
 * @param {string} address an address of this server, or a data URL
 */
export async function showPicture(image, address) {
  if (!hasSession() || !address.startsWith("/api/")) {
    image.src = address;
    return;
  }
  image.dataset.address = address;
  const response = await request(address).catch(() => null);
  const content = response?.ok ? await response.blob().catch(() => null) : null;
  if (image.dataset.address !== address) return; // the element shows another picture by now
  if (content === null) {
    image.dispatchEvent(new Event("error"));
    return;
  }
  const url = URL.createObjectURL(content);
  for (const end of ["load", "error"])
    image.addEventListener(end, () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
}
