"""The A2A operations over gRPC, on a port of its own: an extra (`pip install -e '.[grpc]'`), off unless a port is set.

Access is controlled as over HTTP, as far as it applies: the token is metadata, and the address is the desk's own.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import grpc
import grpc.aio
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers.grpc_handler import DefaultGrpcServerCallContextBuilder, GrpcHandler
from a2a.server.request_handlers.request_handler import RequestHandler
from a2a.types import a2a_pb2_grpc
from pydantic import SecretStr

from smoldesk.chats import Audit, SharedTries
from smoldesk.logs import Actor, current_actor
from smoldesk.wires.a2a.compatibility_0_3 import BODY_LIMIT
from smoldesk.wires.a2a.models import BASE
from smoldesk.wires.security.guesses import LoginThrottle
from smoldesk.wires.security.tokens import TokenGate

if TYPE_CHECKING:
    ServicerContext = grpc.aio.ServicerContext[Any, Any]

# Accepted versions; a missing one counts as the current one.
MAJORS = ("", "0", "1")
GRACE_SECONDS = 0.5


class _WithBase(DefaultGrpcServerCallContextBuilder):
    """Notes where files are fetched: over HTTP; and who calls, in the context of the call."""

    def __init__(self, base: str, has_token: bool) -> None:
        self._base = base
        self._has_token = has_token

    def build(self, context: "ServicerContext") -> ServerCallContext:
        call_context = super().build(context)
        call_context.state[BASE] = self._base
        current_actor.set(Actor("token" if self._has_token else "anyone", _host(context.peer()), "a2a"))
        return call_context


class TokenCheck:
    """Check of a call's token, with the delays after wrong ones that the HTTP wires have."""

    def __init__(self, token: SecretStr | None, shared: SharedTries | None, audit: Audit) -> None:
        self._gate = TokenGate(token)
        self._guesses = LoginThrottle(shared=shared)
        self._audit = audit

    async def __call__(self, context: "ServicerContext") -> None:
        """End the call unless it has the token, or none is needed."""
        if not self._gate.is_set:
            return
        address = _host(context.peer())
        await self._guesses.learn(address)
        # From here to the count of a wrong token nothing waits, as in SecurityMiddleware.
        if seconds := self._guesses.wait(address):
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"Wait {seconds} s after wrong tokens.")
        headers = {str(key).lower(): value for key, value in context.invocation_metadata() or ()}
        scheme, _, credential = _text(headers.get("authorization")).partition(" ")
        if scheme.lower() == "bearer" and self._gate.matches(credential.strip()):
            return
        if credential:
            self._guesses.note_failure(address)
            await self._guesses.report(address, 1)
            await self._audit.add_wrong("token.wrong", address, 1)
        await context.abort(grpc.StatusCode.UNAUTHENTICATED, "Expected the desk's token as a bearer.")


class AccessInterceptor(grpc.aio.ServerInterceptor):
    """Turns away calls without the token, and those of a version that is not spoken here."""

    def __init__(self, check: TokenCheck) -> None:
        self._check = check

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        headers = {str(key).lower(): value for key, value in handler_call_details.invocation_metadata or ()}
        version = _text(headers.get("a2a-version"))
        if version.partition(".")[0] not in MAJORS:
            refused = f"Version {version[:20]!r} is not spoken here."
            return _checked(_refusing(grpc.StatusCode.UNIMPLEMENTED, refused), self._check)
        return _checked(await continuation(handler_call_details), self._check)


async def serve(
    handler: RequestHandler, address: str, base: str, token: SecretStr | None, check: TokenCheck
) -> tuple[grpc.aio.Server, int]:
    """Return a started server and its port. `base` starts the addresses of files. Raises RuntimeError if it cannot bind."""
    limits = [("grpc.max_receive_message_length", BODY_LIMIT), ("grpc.so_reuseport", 0)]
    server = grpc.aio.server(interceptors=[AccessInterceptor(check)], options=limits)
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(
        GrpcHandler(handler, _WithBase(base, token is not None)), server
    )
    port = server.add_insecure_port(address)
    await server.start()
    return server, port


def _refusing(status: grpc.StatusCode, message: str) -> Any:
    async def refuse(request: object, context: "ServicerContext") -> None:
        await context.abort(status, message)

    return grpc.unary_unary_rpc_method_handler(refuse)  # pyright: ignore[reportUnknownVariableType]


def _checked(handler: Any, check: TokenCheck) -> Any:
    """Return a handler that checks each call first; None for an unknown method, which gRPC refuses."""
    if handler is None:
        return None

    async def answer(request: object, context: "ServicerContext") -> Any:
        await check(context)
        return await handler.unary_unary(request, context)

    async def stream(request: object, context: "ServicerContext") -> AsyncIterator[Any]:
        await check(context)
        async for message in handler.unary_stream(request, context):
            yield message

    codecs = {
        "request_deserializer": handler.request_deserializer,
        "response_serializer": handler.response_serializer,
    }
    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(stream, **codecs)  # pyright: ignore[reportUnknownVariableType]
    return grpc.unary_unary_rpc_method_handler(answer, **codecs)  # pyright: ignore[reportUnknownVariableType]


def _host(peer: str) -> str:
    """Return the address in gRPC's name of a client, such as `ipv4:127.0.0.1:4711` or `ipv6:%5B::1%5D:4711`."""
    return unquote(peer).partition(":")[2].rpartition(":")[0].strip("[]")


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
