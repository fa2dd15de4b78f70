/**
 * Resumable upload of a file, after tus 1.0.0. The browser stores the address of the upload under the chat and the
 * file: the same file, chosen again after a reload, continues where it was.
 */

import { refusal } from "../core/api.js";
import { keep, recall } from "../core/storage.js";
import { keyHeader, request } from "../core/session.js";

/** @import { UploadProgress } from "../types.js" */

const PIECE = 16 * 1024 * 1024;
const MAX_PARALLEL = 2;
const TUS = { "Tus-Resumable": "1.0.0" };
/** Seconds before the next attempts: the desk may be restarting, or its disk may be full for a while. */
const PAUSES = [1, 2, 4, 8, 15];
/** Statuses of an offset that differs from the desk's: the offset is read again. */
const OFFSET_STATUSES = [408, 409, 423, 460];

/** Number of files being sent, and the queue of others. */
let sending = 0;
/** @type {(() => void)[]} */
const queue = [];

/**
 * Send a file, wait while the desk is unreachable or has no room, and follow how it is read. Throws `Refusal` if the
 * desk refuses it. Aborting `signal` also deletes the upload on the desk.
 *
 * @param {string} chatId
 * @param {globalThis.File} file
 * @param {(progress: UploadProgress) => void} onProgress
 * @param {AbortSignal} signal
 */
export async function sendInPieces(chatId, file, onProgress, signal) {
  if (sending < MAX_PARALLEL) sending += 1;
  else await turn(signal);
  const upload = new ResumableUpload(chatId, file, onProgress, signal);
  try {
    for (let isProfiled = false; !isProfiled;) {
      await upload.send();
      isProfiled = await upload.read();
    }
  } finally {
    if (signal.aborted) upload.cancel();
    const next = queue.shift();
    if (next) next();
    else sending -= 1;
  }
}

/** Wait for a free slot. Throws when `signal` is aborted before. @param {AbortSignal} signal */
function turn(signal) {
  return new Promise((resolve, reject) => {
    const begin = () => resolve(undefined);
    queue.push(begin);
    signal.addEventListener("abort", () => {
      if (queue.includes(begin)) queue.splice(queue.indexOf(begin), 1);
      reject(signal.reason);
    });
  });
}

/** Temporary failure with its reason; the upload is tried again. */
class Later extends Error {}

class ResumableUpload {
  /**
   * @param {string} chatId
   * @param {globalThis.File} file
   * @param {(progress: UploadProgress) => void} onProgress
   * @param {AbortSignal} signal
   */
  constructor(chatId, file, onProgress, signal) {
    this.uploads = `/api/chats/${encodeURIComponent(chatId)}/uploads`;
    this.key = `upload.${[chatId, file.name, file.size, file.lastModified].join("/")}`;
    this.file = file;
    this.onProgress = onProgress;
    this.signal = signal;
    this.address = recall(this.key) ?? "";
    this.offset = 0;
  }

  async send() {
    let tries = 0;
    for (let isComplete = false; !isComplete;) {
      this.signal.throwIfAborted();
      const before = this.offset;
      try {
        await this.find();
        if (this.address === "") await this.begin();
        do await this.piece();
        while (this.address !== "" && this.offset < this.file.size);
        isComplete = this.address !== "";
      } catch (fault) {
        if (this.signal.aborted || !(fault instanceof Later || fault instanceof TypeError)) throw fault;
        tries = this.offset > before ? 0 : tries + 1;
        this.onProgress({
          state: "waiting",
          share: this.offset / this.file.size,
          reason: fault instanceof Later ? fault.message : "",
        });
        await pause(PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 1, this.signal);
      }
    }
  }

  /** Read the desk's offset. If the desk does not know the upload, its address is dropped. */
  async find() {
    if (this.address === "") return;
    const response = await request(this.address, { method: "HEAD", headers: TUS, signal: this.signal });
    if (response.status >= 500) throw new Later("");
    if (response.ok && Number(response.headers.get("Upload-Length")) === this.file.size)
      this.offset = Number(response.headers.get("Upload-Offset"));
    else this.remember("");
  }

  async begin() {
    this.offset = 0;
    const bytes = new TextEncoder().encode(this.file.name);
    const name = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const headers = {
      ...TUS,
      "Upload-Length": String(this.file.size),
      "Upload-Metadata": `filename ${name}`,
    };
    const response = await request(this.uploads, { method: "POST", headers, signal: this.signal });
    if (response.ok) this.remember(response.headers.get("Location") ?? "");
    else refuse(response.status, await response.text());
  }

  /** Send the next piece. */
  async piece() {
    const { offset, file } = this;
    const request = new XMLHttpRequest(); // fetch does not report upload progress
    const sent = new Promise((resolve, reject) => {
      request.addEventListener("load", resolve);
      request.addEventListener("error", () => reject(new TypeError("no answer")));
      request.addEventListener("abort", () => reject(new TypeError("no answer")));
    });
    const report = (/** @type {number} */ bytes) =>
      this.onProgress({ state: "sending", share: Math.min(1, (offset + bytes) / file.size) });
    request.upload.addEventListener("progress", ({ loaded }) => report(loaded));
    request.open("PATCH", this.address);
    for (const [header, value] of Object.entries({
      ...keyHeader(),
      ...TUS,
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": String(offset),
    }))
      request.setRequestHeader(header, value);
    const abort = () => request.abort();
    this.signal.addEventListener("abort", abort);
    report(0);
    request.send(file.slice(offset, offset + PIECE));
    try {
      await sent;
    } finally {
      this.signal.removeEventListener("abort", abort);
    }
    if (request.status === 204) this.offset = Number(request.getResponseHeader("Upload-Offset"));
    else if (request.status === 404) this.remember("");
    else if (OFFSET_STATUSES.includes(request.status)) throw new Later("");
    else refuse(request.status, request.responseText);
  }

  /**
   * Follow how the complete file is read. Returns false if the stream broke off; then the desk is asked again.
   *
   * @returns {Promise<boolean>}
   */
  async read() {
    this.onProgress({ state: "reading", share: null });
    const response = await request(this.address, { signal: this.signal }).catch(() => null);
    const reader = response?.ok ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : null;
    // for example, the file was removed: the upload starts again
    if (response && response.status >= 400 && response.status < 500) this.remember("");
    let text = "";
    for (
      let part = await reader?.read().catch(() => null);
      part && !part.done;
      part = await reader?.read().catch(() => null)
    ) {
      const lines = (text + part.value).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines.map((json) => JSON.parse(json))) {
        if (line.state === "ready" || line.state === "failed") this.remember("");
        if (line.state === "failed") throw refusal(line.error, "");
        if (line.state === "ready") return true;
        this.onProgress({ state: "reading", share: line.share ?? null });
      }
    }
    await pause(1, this.signal);
    return false;
  }

  /** @param {string} address */
  remember(address) {
    this.address = address;
    keep(this.key, address || null);
  }

  cancel() {
    if (this.address !== "") void request(this.address, { method: "DELETE", headers: TUS }).catch(() => null);
    this.remember("");
  }
}

/**
 * Throw the error of an unsuccessful response. Server errors, including a full disk, are temporary.
 *
 * @param {number} status
 * @param {string} body
 */
function refuse(status, body) {
  /** @type {{ message?: string, hint?: string } | undefined} */
  let error;
  try {
    error = JSON.parse(body).error;
  } catch {
    error = undefined; // not JSON: a proxy's error page
  }
  const fault = refusal(error, String(status), status);
  throw status >= 500 ? new Later(status === 507 ? fault.message : "") : fault;
}

/** Wait some seconds, or until the network is back. @param {number} seconds @param {AbortSignal} signal */
async function pause(seconds, signal) {
  const over = new AbortController();
  await new Promise((resolve) => {
    window.setTimeout(resolve, seconds * 1000);
    window.addEventListener("online", resolve, { signal: over.signal });
    signal.addEventListener("abort", resolve, { signal: over.signal });
  });
  over.abort();
}
