/**
 * Drives a release's AbstractChat: against `POST /stream` through its stock DefaultChatTransport; against `WS /live`
 * through a socket as the public clients of BIDI use it, or, with `transport: "stock"`, through the
 * WebSocketChatTransport of ai 7. See drive.mjs.
 */
import { LiveTransport } from "./live_transport.mjs";
import { drive } from "./drive.mjs";
import { recordedFetch, recordedSocket } from "./recorded.mjs";

await drive((ai, { url, transport, envelope, ping, headers, body }, record) => {
  if (!url.startsWith("ws")) {
    return new ai.DefaultChatTransport({ api: url, headers, body, fetch: recordedFetch(record) });
  }
  return transport === "stock"
    ? new ai.WebSocketChatTransport({ url, webSocket: recordedSocket(record) })
    : new LiveTransport({ url, record, envelope, ping });
});
