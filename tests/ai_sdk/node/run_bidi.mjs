/**
 * Drives a release's AbstractChat against `WS /live`: through a socket as the public clients of BIDI use it, or, with
 * `transport: "stock"`, through the WebSocketChatTransport of ai 7. See drive.mjs.
 */
import { LiveTransport } from "./live_transport.mjs";
import { drive } from "./drive.mjs";
import { recordedSocket } from "./recorded_socket.mjs";

await drive((ai, { url, transport, envelope, ping }, record) =>
  transport === "stock"
    ? new ai.WebSocketChatTransport({ url, webSocket: recordedSocket(record) })
    : new LiveTransport({ url, record, envelope, ping }),
);
