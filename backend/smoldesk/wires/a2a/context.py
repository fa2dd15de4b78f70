"""What the handler is told of a request beside its message: the address its client reaches the desk at."""

from typing import Any

from a2a.server.context import ServerCallContext
from a2a.server.routes.common import DefaultServerCallContextBuilder
from starlette.requests import Request

BASE = "base"


class WithBase(DefaultServerCallContextBuilder):
    """Notes http://host:port, by which addresses in answers begin; the doors have checked the host."""

    def build(self, request: Request) -> ServerCallContext:
        context = super().build(request)
        context.state[BASE] = base_of(request)
        return context


def base_of(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def base_in(context: ServerCallContext) -> str:
    """The address that was noted; empty where none is known."""
    found: Any = context.state.get(BASE, "")
    return str(found)
