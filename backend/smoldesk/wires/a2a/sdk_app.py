"""The addresses of this wire, put together with the SDK's routes; imported when the first request comes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from typing import Literal
from urllib.parse import urlsplit

from a2a.server.context import ServerCallContext
from a2a.server.request_handlers.request_handler import RequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.routes.common import DefaultServerCallContextBuilder
from a2a.types import a2a_pb2 as pb
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, Router

from smoldesk.agents import AgentEntry, DeskAgents
from smoldesk.wires.a2a.cards import (
    CARD,
    CARD_0_3,
    REST,
    RPC,
    Address,
    ToolFacts,
    card,
    extended,
)
from smoldesk.wires.a2a.compatibility_0_3 import Shim
from smoldesk.wires.a2a.models import BASE, base_of

CACHE = "private, max-age=60"
# Creates the handler of an agent's address; its second argument makes the extended card.
MakeHandler = Callable[[str | None, Callable[[str], pb.AgentCard] | None], RequestHandler]


@dataclass(frozen=True)
class Cards:
    """Makes the cards of this desk's agents. Looks at tools, which takes a while: not on the event loop."""

    agents: DeskAgents
    has_token: bool
    grpc_port: Callable[[], int | None] = lambda: None

    def public(
        self, entry: AgentEntry, prefix: str, base: str, version: Literal["1.0", "0.3"] = "1.0"
    ) -> pb.AgentCard:
        """Return the public card."""
        return card(entry, self.agents.info(entry.name), self._address(base, prefix), self.has_token, version)

    def extended(self, entry: AgentEntry, prefix: str, base: str) -> pb.AgentCard:
        """Return the card for callers with the token, with its tools."""
        info = self.agents.info(entry.name)
        described = self.agents.tool_descriptions()
        tools = [
            ToolFacts(name, described.get(name, ""), info.approvals.get(name, "")) for name in info.tools
        ]
        return extended(card(entry, info, self._address(base, prefix), self.has_token), tools)

    def _address(self, base: str, prefix: str) -> Address:
        host, port = urlsplit(base).hostname or "", self.grpc_port()
        host = f"[{host}]" if ":" in host else host
        return Address(base, prefix, f"{host}:{port}" if port else "")


def serving(agents: DeskAgents, cards: Cards, make_handler: MakeHandler) -> Router:
    """Return all addresses: the default agent at the root, each agent of the list under /agents/NAME."""
    routes: list[BaseRoute] = []
    agent_list = agents.agent_list
    places: Mapping[str, tuple[AgentEntry, str | None]] = {
        "": (agent_list.get(agent_list.default), None),
        **{f"/agents/{name}": (entry, name) for name, entry in agent_list.entries.items()},
    }
    for prefix, (entry, agent) in places.items():
        routes += _routes(cards, entry, agent, prefix, make_handler)
    return Router(routes, redirect_slashes=False)


def _routes(
    cards: Cards, entry: AgentEntry, agent: str | None, prefix: str, make_handler: MakeHandler
) -> list[BaseRoute]:
    def for_callers(base: str) -> pb.AgentCard:
        return cards.extended(entry, prefix, base)

    handler = make_handler(agent, for_callers if cards.has_token else None)
    builder = WithBase()
    routes: list[BaseRoute] = [
        Route(prefix + CARD, _card(cards, entry, prefix, "1.0"), methods=["GET"]),
        Route(prefix + CARD_0_3, _card(cards, entry, prefix, "0.3"), methods=["GET"]),
    ]
    for path in (RPC, RPC + "/"):
        rpc_routes = create_jsonrpc_routes(handler, prefix + path, builder, enable_v0_3_compat=True)
        routes += [Route(route.path, Shim(route, is_rpc=True), methods=["POST"]) for route in rpc_routes]
    rest_routes = create_rest_routes(handler, builder, enable_v0_3_compat=True, path_prefix=prefix + REST)
    # the mount is for tenants, who are none here, and would take any address
    plain_routes = [route for route in rest_routes if not isinstance(route, Mount)]
    inner = Router(plain_routes, redirect_slashes=False)
    routes.append(Route(prefix + REST + "/{rest:path}", Shim(inner, is_rpc=False)))
    return routes


def _card(
    cards: Cards, entry: AgentEntry, prefix: str, version: Literal["1.0", "0.3"]
) -> Callable[[Request], Awaitable[Response]]:
    # a card changes with the desk's list of agents, which is read when it starts
    modified = formatdate(usegmt=True)

    async def serve(request: Request) -> Response:
        public_card = await asyncio.to_thread(cards.public, entry, prefix, base_of(request), version)
        (route,) = create_agent_card_routes(public_card, cache_control=CACHE)
        answer: Response = await route.endpoint(request)
        answer.headers["last-modified"] = modified
        return answer

    return serve


class WithBase(DefaultServerCallContextBuilder):
    """Notes http://host:port, by which addresses in answers begin; the doors have checked the host."""

    def build(self, request: Request) -> ServerCallContext:
        context = super().build(request)
        context.state[BASE] = base_of(request)
        return context
