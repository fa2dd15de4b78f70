"""Who answers, as the address of a request or a socket says."""

from typing import Literal

from starlette.requests import HTTPConnection

from backend.errors import BadInput
from backend.store.run_options import RunOptions


def options_of(connection: HTTPConnection, order: Literal["together", "one_by_one"]) -> RunOptions:
    """`?agent=code` or `?agent=tools` (the default). Raises BadInput."""
    agent = connection.query_params.get("agent", "tools")
    if agent not in ("code", "tools"):
        raise BadInput(f"There is no agent {agent[:40]!r}.", "Expected code or tools.", code="unknown_agent")
    return RunOptions(agent=agent, order=order)
