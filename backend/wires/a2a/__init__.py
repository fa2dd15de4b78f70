"""The wire of agents that give this desk work (spec/a2a.md): A2A 1.0 over JSON-RPC and HTTP+JSON, a task being a run.

- `incoming`: a client's message; `parts`, `outgoing`: what a run shows and says, in the types of the protocol;
  `merging`: small pieces of text made one; `cards`: who the agents are. All pure.
- `looking`: a task as it is, and what follows; `listing`: pages of them; `sending`: what a message does.
- `handler`: the operations; `faults`: their errors; `context`: what is known of a request beside its message.
- `shim`: bounds and media types around the SDK's routes; `serving`: all addresses; `lazy`: nothing is imported before
  the first request, for the SDK takes a second to import.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute, Route

from backend.agents import DeskAgents
from backend.runs import Runs
from backend.wires.a2a.lazy import Lazy

if TYPE_CHECKING:
    from starlette.types import ASGIApp

PATHS = (
    "/.well-known/agent-card.json",
    "/v0.3/.well-known/agent-card.json",
    "/a2a",
    "/a2a/{rest:path}",
    "/agents/{name}/{rest:path}",
)


def routes(
    runs: Runs, agents: DeskAgents, message_limit: int, file_limit: int, has_token: bool
) -> list[BaseRoute]:
    """The addresses of this wire. The limits are of a message's text and of a file in it, in bytes."""

    def build() -> "ASGIApp":
        from backend.wires.a2a.handler import DeskHandler, Services
        from backend.wires.a2a.looking import Looking
        from backend.wires.a2a.sending import Sending
        from backend.wires.a2a.serving import Cards, serving

        looking = Looking(runs)
        services = Services(runs, looking, Sending(runs, agents, looking, message_limit, file_limit))
        return serving(
            agents, Cards(agents, has_token), lambda agent, extended: DeskHandler(services, agent, extended)
        )

    return at(build)


def at(build: "Callable[[], ASGIApp]") -> list[BaseRoute]:
    """All addresses, served by what is built when the first of them is asked for."""
    lazy = Lazy(build)
    return [Route(path, lazy, include_in_schema=False) for path in PATHS]
