/** Drives a release's AbstractChat and its stock DefaultChatTransport against `POST /stream`. See drive.mjs. */
import { drive } from "./drive.mjs";
import { recordedFetch } from "./recorded_fetch.mjs";

await drive(
  (ai, { url, headers, body }, record) =>
    new ai.DefaultChatTransport({ api: url, headers, body, fetch: recordedFetch(record) }),
);
