"""Output of MCP servers without the desk's credentials: a result, an error or a name may repeat its token.

Removed from every message as it arrives, so that no later code has to: results, texts, lists, questions.
"""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import SecretStr

from smoldesk.logs import hide_from_now_on, hider
from smoldesk.tools.mcp_servers.entries import ServerEntry


def hide_credentials(entry: ServerEntry) -> None:
    """Hide the credentials of an entry in logs, stored prompts and messages."""
    for secret in entry.credentials():
        hide_from_now_on(SecretStr(secret))


class _Hidden:
    """The SDK's stream of incoming messages, without secrets; its other attributes are unchanged."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def receive(self) -> Any:
        return _without_secrets(await self._stream.receive())

    # Python looks special methods up on the class, so __getattr__ does not forward these.
    def __aiter__(self) -> "_Hidden":
        return self

    async def __anext__(self) -> Any:
        return _without_secrets(await self._stream.__anext__())

    async def __aenter__(self) -> "_Hidden":
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *how: Any) -> Any:
        return await self._stream.__aexit__(*how)


def _without_secrets(message: Any) -> Any:
    if not isinstance(message, SessionMessage):
        return message
    # exclude_unset, or the message would come back with fields that the server did not send.
    text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
    hide = hider(())
    # Most messages have no secret; this check spares them a second parsing.
    if hide(text) != text:
        document = json.loads(text)
        # Not `id` and `method`: with another id, the response would match no request.
        for part in ("params", "result", "error"):
            if part in document:
                document[part] = _redact(document[part], hide)
        message.message = jsonrpc_message_adapter.validate_python(document, by_name=False)
    return message


def _redact(value: Any, hide: Callable[[str], str]) -> Any:
    """Return data without secrets. Only texts and names change: a secret of digits may also occur in numbers, and the
    message must stay valid.
    """
    match value:
        case str():
            return hide(value)
        case list():
            return [_redact(item, hide) for item in cast("list[Any]", value)]
        case dict():
            mapping = cast("dict[str, Any]", value)
            return {hide(name): _redact(item, hide) for name, item in mapping.items()}
        case _:
            return value


@asynccontextmanager
async def hidden(streams: Any) -> AsyncGenerator[Any]:
    """Yield the streams of a transport, with secrets removed from incoming messages."""
    async with streams as (incoming, outgoing, *_):
        yield _Hidden(incoming), outgoing
