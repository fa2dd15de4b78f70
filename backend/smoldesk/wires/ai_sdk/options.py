"""Who answers, as the address of a request or a socket says."""

from typing import Literal

from starlette.requests import HTTPConnection

from smoldesk.agents import AgentList
from smoldesk.errors import BadInput, NotFound
from smoldesk.runs import RunOptions


def options_of(
    connection: HTTPConnection, listed: AgentList, order: Literal["together", "one_by_one"]
) -> RunOptions:
    """`?agent=NAME` of the desk's list, `tools` by default. Raises BadInput."""
    agent = connection.query_params.get("agent", "tools")
    try:
        return RunOptions(agent=listed.get(agent).name, order=order)
    except NotFound as fault:
        raise BadInput(fault.message, fault.hint, code=fault.code) from fault
