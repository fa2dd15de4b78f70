"""Messages of MCP servers without secrets stay the messages they are, whatever a secret looks like."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp.shared.auth import OAuthToken
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse
from pydantic import SecretStr

from smoldesk.logs import Actor, hide_from_now_on, lines
from smoldesk.tools.mcp_servers.authorization import _Storage  # pyright: ignore[reportPrivateUsage]
from smoldesk.tools.mcp_servers.hidden import hidden
from tests.support.aio import run_async

DIGITS, QUOTED = "240726111222", 'schlüssel "der" Tür'


@asynccontextmanager
async def streams(message: SessionMessage) -> AsyncGenerator[Any]:
    sending, receiving = anyio.create_memory_object_stream[SessionMessage](1)
    async with sending, receiving:
        await sending.send(message)
        yield receiving, sending


def heard(result: dict[str, Any]) -> Any:
    async def hear() -> Any:
        session_message = SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=int(DIGITS), result=result))
        async with hidden(streams(session_message)) as (incoming, _):
            return (await incoming.receive()).message

    return run_async(hear())


def test_a_secret_of_digits_or_of_odd_letters_breaks_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    for expected in ("_later", "_lasting"):
        monkeypatch.setattr(lines, expected, frozenset[str]())
    for secret in (DIGITS, QUOTED):
        hide_from_now_on(SecretStr(secret))
    answer = heard({"count": int(DIGITS), "said": [f"is {DIGITS}", f"is {QUOTED}"], DIGITS: True})
    assert answer.id == int(DIGITS)
    assert answer.result == {"count": int(DIGITS), "said": ["is ***", "is ***"], "***": True}


class Kept:
    """Implements KeptTokens for one server."""

    def __init__(self) -> None:
        self.text = ""

    def tokens(self, server: str) -> str:
        return self.text

    def keep_tokens(self, server: str, tokens: str, authorized_by: Actor | None = None) -> None:
        self.text = tokens


def test_tokens_that_were_replaced_long_ago_are_looked_for_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_later", frozenset[str]())
    monkeypatch.setattr(lines, "_lasting", frozenset[str]())
    monkeypatch.setattr(lines, "_series", {})
    storage = _Storage(Kept(), "rotating", None)
    tokens = [f"access-of-hour-{hour:03}" for hour in range(200)]

    async def live() -> None:
        for token in tokens:
            o_auth_token = OAuthToken(
                access_token=token, token_type="Bearer", refresh_token=f"refresh-{token}"
            )
            await storage.set_tokens(o_auth_token)
            assert await storage.get_tokens() == o_auth_token

    run_async(live())
    hide = lines.hider(())
    hidden_yet = [token for token in tokens if hide(token) == hide(f"refresh-{token}") == lines.HIDDEN]
    assert hidden_yet == tokens[-lines.LAST_OF_SERIES :]
