"""HTTP client for one remote agent: limited in bytes, in the addresses it reaches, and in who gets the token.

The agent card is read within the same limits, and only its allowed interfaces are used.
"""

import json
from collections.abc import AsyncIterator

import httpx
from a2a.client.card_resolver import parse_agent_card
from a2a.types import AgentCard, AgentInterface
from google.protobuf.json_format import ParseError

from smoldesk.agents.a2a_client.entries import AgentFailed, Peer, origin_of
from smoldesk.http_client.outgoing import outgoing_client

# Bytes of one body: a file of 50 MB as base64 in JSON, plus the text around it.
MAX_BYTES = 96 * 1024 * 1024
# To connect; an agent may think for minutes, but its server accepts a connection at once.
CONNECT_SECONDS = 10.0
# Extra time of the socket beyond the agent's: the agent's own timeout comes first, with the clearer error.
LATER_SECONDS = 5.0


class Meter:
    """Byte limit of one response body, and whether a body exceeded it."""

    def __init__(self, most: int = MAX_BYTES) -> None:
        self.most = most
        self.is_over = False


class _BoundedStream(httpx.AsyncByteStream):
    """Body of one response. Raises httpx.ReadError when it exceeds the limit."""

    def __init__(self, stream: httpx.AsyncByteStream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter
        self._remaining_bytes = meter.most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._remaining_bytes -= len(chunk)
            if self._remaining_bytes < 0:
                # The library wraps the ReadError in its own; the meter tells the caller that the limit was the cause.
                self._meter.is_over = True
                raise httpx.ReadError("the response body exceeds its size limit")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class BoundedTransport(httpx.AsyncBaseTransport):
    """Transport that refuses other origins than those allowed, compressed bodies, and too many bytes."""

    def __init__(self, inner: httpx.AsyncBaseTransport, allowed: set[str], meter: Meter) -> None:
        self._inner = inner
        self._allowed = allowed
        self._meter = meter

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if origin_of(str(request.url)) not in self._allowed:
            raise httpx.UnsupportedProtocol(f"{request.url.host} is not an allowed address of the agent")
        response = await self._inner.handle_async_request(request)
        # A small compressed body may unfold to any size after it was counted.
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx.ReadError("the response is compressed; expected the identity encoding")
        assert isinstance(response.stream, httpx.AsyncByteStream)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_BoundedStream(response.stream, self._meter),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


def client_of(peer: Peer, silence: float, meter: Meter) -> httpx.AsyncClient:
    """Return a client for one turn with a peer; the caller closes it. Raises BadInput when its token is missing."""
    token = peer.token()
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return outgoing_client(
        # No retries: a message that was sent twice would start two tasks.
        BoundedTransport(httpx.AsyncHTTPTransport(retries=0), peer.allowed(), meter),
        httpx.Timeout(silence + LATER_SECONDS, connect=min(silence, CONNECT_SECONDS)),
        headers,
    )


async def body_of(client: httpx.AsyncClient, address: str, most: int, what: str) -> httpx.Response:
    """GET an address, with a body of at most `most` bytes. Raises AgentFailed for a larger one, and for any status but 200."""
    async with client.stream("GET", address) as response:
        if response.status_code != 200:
            raise AgentFailed(f"{what} could not be fetched: {address} answered {_status(response)}.")
        pieces: list[bytes] = []
        remaining_bytes = most
        async for piece in response.aiter_raw():
            remaining_bytes -= len(piece)
            if remaining_bytes < 0:
                raise AgentFailed(f"{what} is larger than {most:,} bytes.")
            pieces.append(piece)
    return httpx.Response(200, headers=response.headers, content=b"".join(pieces))


def _status(response: httpx.Response) -> str:
    if response.is_redirect:
        return f"{response.status_code}, a redirect, which is not followed"
    return str(response.status_code)


# Bytes.
LARGEST_CARD = 1_000_000
# Bindings (A2A: `protocolBinding`) and versions of the protocol that the library speaks here; gRPC is left out.
BINDINGS = ("JSONRPC", "HTTP+JSON")
VERSIONS = ("1", "0.3")


async def fetch_card(client: httpx.AsyncClient, peer: Peer) -> AgentCard:
    """Fetch the peer's card and keep its usable interfaces. Raises AgentFailed, httpx.HTTPError."""
    response = await body_of(client, peer.card, LARGEST_CARD, "The agent card")
    try:
        data = json.loads(response.content)
        card = parse_agent_card(data)
    except (ValueError, ParseError, RecursionError, TypeError, AttributeError) as fault:
        raise AgentFailed(
            f"The agent card at {peer.card} is invalid.", "Expected an A2A agent card as JSON."
        ) from fault
    return usable(card, peer)


def usable(card: AgentCard, peer: Peer) -> AgentCard:
    """Return the card with its usable interfaces alone. Raises AgentFailed with the reasons when no interface remains."""
    problems = [(interface, _problem(interface, peer)) for interface in card.supported_interfaces]
    interfaces = [interface for interface, problem in problems if problem is None]
    if not interfaces:
        reasons = (
            "; ".join(dict.fromkeys(problem for _, problem in problems[:10] if problem))
            or "the card lists none"
        )
        raise AgentFailed(
            f"The agent card names no usable interface: {reasons}.",
            f"Expected {' or '.join(BINDINGS)} of version 1.0 or 0.3 at {', '.join(sorted(peer.allowed()))}.",
        )
    usable_card = AgentCard()
    usable_card.CopyFrom(card)
    del usable_card.supported_interfaces[:]
    usable_card.supported_interfaces.extend(interfaces)
    return usable_card


def _problem(interface: AgentInterface, peer: Peer) -> str | None:
    """Return the reason why an interface is not used, None for a usable one."""
    if interface.protocol_binding not in BINDINGS:
        return f"{interface.protocol_binding[:40] or 'no binding'} is not supported"
    # Cards of version 0.3 may leave the version out: an empty one is accepted.
    version = interface.protocol_version
    if version and not any(
        version == supported or version.startswith(f"{supported}.") for supported in VERSIONS
    ):
        return f"version {version[:40]} is not supported"
    try:
        origin = origin_of(interface.url)
    except ValueError:
        return f"{interface.url[:200]!r} is not a web address"
    if origin not in peer.allowed():
        return f"{origin[:200]} is neither the card's origin nor a listed one"
    return None
