"""Hosted providers as servers of this machine: their paths, their lists of models, and their own forms of a stream."""

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.responses import JSONResponse, Response

from smoldesk.models.hosted import HOSTED
from tests.support.model_servers import listed
from tests.support.openai_server import Fails, OpenAIServer, Reply, Says, Seen

KEY = "key-of-a-person-4711d0c7"
REFUSED = "Incorrect API key provided: {key}"
TEXT = "<code>final_answer('hello')</code>"


class ProviderServer(OpenAIServer):
    """Words a field that it does not know as api.mistral.ai does (openai-agents-python #442, avante.nvim #2347)."""

    def failure(self, reply: Fails, message: str) -> Response:
        if reply.status != 422:
            return super().failure(reply, message)
        loc = ["body", "stream_options", "include_usage"]
        detail = [{"type": "extra_forbidden", "loc": loc, "msg": message, "input": True}]
        error = {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error"}
        return JSONResponse(error | {"param": None, "code": None}, 422)


@contextmanager
def provider_server(name: str, patch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """Serve an OpenAI-compatible provider at its own path, and have the desk know this address as the provider's."""
    provider = HOSTED[name]
    path = urlsplit(provider.base_url.format(place="x")).path
    prefix = "models/" if name == "gemini" else ""

    def models(_: Any, headers: Mapping[str, str]) -> Any:
        if headers.get("authorization") != f"Bearer {KEY}":
            return JSONResponse({"error": {"message": "Incorrect API key provided"}}, 401)
        return listed(name, f"{prefix}big-2", f"{prefix}big-1", f"{prefix}text-embedding-3")

    def answer(received: Seen) -> Reply:
        if received.key != KEY:
            return Fails(401, REFUSED)
        if name == "mistral" and "stream_options" in received.body:
            return Fails(422, "Extra inputs are not permitted")
        return Says(TEXT)

    with ProviderServer(answer, {f"{path}/models": models}) as server:
        address = server.base_url.removesuffix("/v1") + path
        patch.setitem(HOSTED, name, replace(provider, base_url=address))
        yield server


def anthropic(body: Mapping[str, Any] | None, headers: Mapping[str, str]) -> Response:
    """Answer POST /v1/messages as Anthropic does, to one key."""
    if headers.get("x-api-key") != KEY:
        error = {"type": "authentication_error", "message": "invalid x-api-key"}
        return JSONResponse({"type": "error", "error": error}, 401)
    usage = {"input_tokens": 11, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "x", "usage": usage}
    events = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": TEXT}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
        {"type": "message_stop"},
    ]
    text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Response(text, media_type="text/event-stream")


def bedrock(_: Mapping[str, Any] | None, headers: Mapping[str, str]) -> Response:
    """Answer POST /model/ID/converse-stream as Amazon Bedrock does, to one bearer token."""
    if headers.get("authorization") != f"Bearer {KEY}":
        return JSONResponse({"message": "The security token included in the request is invalid."}, 403)
    events = {
        "messageStart": {"role": "assistant"},
        "contentBlockDelta": {"delta": {"text": TEXT}, "contentBlockIndex": 0},
        "contentBlockStop": {"contentBlockIndex": 0},
        "messageStop": {"stopReason": "end_turn"},
        "metadata": {"usage": {"inputTokens": 11, "outputTokens": 1, "totalTokens": 12}},
    }
    frames = b"".join(_frame(kind, json.dumps(event).encode()) for kind, event in events.items())
    return Response(frames, media_type="application/vnd.amazon.eventstream")


def _frame(kind: str, payload: bytes) -> bytes:
    """One message of AWS's event stream: lengths and their checksum, headers, payload, checksum of all of it."""
    fields = {":message-type": "event", ":event-type": kind, ":content-type": "application/json"}
    headers = b"".join(
        struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
        for name, value in fields.items()
    )
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack("!I", zlib.crc32(prelude)) + headers + payload
    return message + struct.pack("!I", zlib.crc32(message))
