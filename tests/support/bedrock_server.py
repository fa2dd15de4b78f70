"""The scripted server speaking as Amazon Bedrock's Converse API does: boto3 talks to it over a real socket.

Frames are Amazon's event stream: lengths, a checksum of them, headers, a JSON payload, a checksum of all.
"""

import binascii
import json
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from fastapi.responses import JSONResponse, Response

from tests.support.openai_server import Calls, Fails, OpenAIServer, Says, Seen


class BedrockServer(OpenAIServer):
    """Scripts as for OpenAIServer; the address to call is `endpoint`."""

    media_type = "application/vnd.amazon.eventstream"

    @property
    def endpoint(self) -> str:
        return self.base_url.removesuffix("/v1")

    def streams(self, seen: Seen) -> bool:
        return True

    def failure(self, reply: Fails, message: str) -> Response:
        headers = dict(reply.headers) | {"x-amzn-errortype": reply.code or "InternalServerException"}
        return JSONResponse({"message": message}, reply.status, headers=headers)

    def piece(self, text: str) -> bytes:
        return frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": text}})

    def thought(self, text: str, named: Sequence[str]) -> bytes:
        delta = {"reasoningContent": {"text": text}}
        return frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": delta})

    def ending(self, reply: Says) -> Iterator[bytes]:
        for index, (name, arguments) in enumerate(reply.calls if isinstance(reply, Calls) else ()):
            start = {"toolUse": {"toolUseId": f"call_{index}", "name": name}}
            yield frame("contentBlockStart", {"contentBlockIndex": index, "start": start})
            text = json.dumps(arguments)
            for part in (text[: len(text) // 2], text[len(text) // 2 :]):
                delta = {"toolUse": {"input": part}}
                yield frame("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})
        yield frame("messageStop", {"stopReason": "end_turn"})
        usage = {"inputTokens": 11, "outputTokens": len(reply.pieces), "totalTokens": 11 + len(reply.pieces)}
        yield frame("metadata", {"usage": usage, "metrics": {"latencyMs": 1}})


def frame(kind: str, payload: dict[str, Any], message: str = "event") -> bytes:
    """One message of an event stream."""
    name = ":event-type" if message == "event" else ":exception-type"
    headers = b"".join(
        struct.pack("!B", len(key)) + key.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
        for key, value in ((name, kind), (":content-type", "application/json"), (":message-type", message))
    )
    body = json.dumps(payload).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(body), len(headers))
    checked = prelude + struct.pack("!I", binascii.crc32(prelude)) + headers + body
    return checked + struct.pack("!I", binascii.crc32(checked))
