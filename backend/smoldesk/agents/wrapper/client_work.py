"""Work that only the client can do: an ask that its page, or another client, answers with the result."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import JsonValue

from smoldesk.agents.wrapper.run_context import Context
from smoldesk.events import Ask
from smoldesk.tools.policy import ClientTool, ClientToolFailed
from smoldesk.tools.showable import require_showable


def by_client(ctx: Context, tool: ClientTool, call_id: str, arguments: dict[str, JsonValue]) -> Any:
    """Have a client do one call; its result.

    Raises ClientToolFailed with the client's reason, or when none answered in time; BadInput when what it sent cannot be a
    result, or the arguments are none that can be sent; Stopped.
    """
    require_showable(arguments)
    ask = Ask(
        id=f"a_{secrets.token_hex(12)}",
        kind="client_tool",
        tool=tool.name,
        call_id=call_id,
        arguments=arguments,
        expires_at=datetime.now(UTC) + timedelta(seconds=tool.client_seconds),
    )
    answer = ctx.ask(ask)
    if answer.granted:
        return tool.received(answer.value)
    if answer.by == "expiry":
        raise ClientToolFailed(f"No client did {tool.name} within {tool.client_seconds:g} s.")
    raise ClientToolFailed(answer.reason or f"The client did not do {tool.name}.")
