"""HTTP with one agent elsewhere: what it sends is counted, it leads nowhere else, and it knows only our token.

Its card, by which it tells what it is, is read within bounds and believed only as far as the list allows.
"""

import json
from collections.abc import AsyncIterator

import httpx
from a2a.client.card_resolver import parse_agent_card
from a2a.types import AgentCard, AgentInterface
from google.protobuf.json_format import ParseError

from smoldesk.agents.a2a_client.entries import AgentFailed, Peer, origin_of
from smoldesk.http_client.outgoing import outgoing_client

# Of one body: a file of 50 MB, spelled as JSON, and what is said beside it.
MOST_BYTES = 96 * 1024 * 1024
CONNECT_SECONDS = 10.0
# How much later a silent socket is given up than a silent agent: the latter's fault says more.
LATER_SECONDS = 5.0


class Meter:
    """What one body may have at most, and whether one had more."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self.is_over = False


class _BoundedStream(httpx.AsyncByteStream):
    """One body. Raises httpx.ReadError once it has too many bytes."""

    def __init__(self, stream: httpx.AsyncByteStream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter
        self._remaining_bytes = meter.most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._remaining_bytes -= len(chunk)
            if self._remaining_bytes < 0:
                self._meter.is_over = True
                raise httpx.ReadError("more bytes came than are taken")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class BoundedTransport(httpx.AsyncBaseTransport):
    """Refuses other origins than those allowed, compressed bodies (a small one may unfold without end), and too many bytes."""

    def __init__(self, inner: httpx.AsyncBaseTransport, allowed: set[str], meter: Meter) -> None:
        self._inner = inner
        self._allowed = allowed
        self._meter = meter

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if origin_of(str(request.url)) not in self._allowed:
            raise httpx.UnsupportedProtocol(f"{request.url.host} is none of the agent's own addresses")
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx.ReadError("its answer is compressed, which was not asked for")
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
    """A client for one turn with a peer; to be closed. Raises BadInput when its token is missing."""
    token = peer.token()
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return outgoing_client(
        BoundedTransport(httpx.AsyncHTTPTransport(retries=0), peer.allowed(), meter),
        httpx.Timeout(silence + LATER_SECONDS, connect=min(silence, CONNECT_SECONDS)),
        headers,
    )


async def body_of(client: httpx.AsyncClient, address: str, most: int, what: str) -> httpx.Response:
    """A GET whose body, of at most `most` bytes, is read; raises AgentFailed for a larger one and for any status but 200."""
    async with client.stream("GET", address) as response:
        if response.status_code != 200:
            raise AgentFailed(f"{what} could not be had: {address} answered {_status(response)}.")
        pieces: list[bytes] = []
        remaining_bytes = most
        async for piece in response.aiter_raw():
            remaining_bytes -= len(piece)
            if remaining_bytes < 0:
                raise AgentFailed(f"{what} is larger than the {most:,} bytes that are taken.")
            pieces.append(piece)
    return httpx.Response(200, headers=response.headers, content=b"".join(pieces))


def _status(response: httpx.Response) -> str:
    if response.is_redirect:
        return f"{response.status_code}, a redirect, which is not followed"
    return str(response.status_code)


# Bytes.
LARGEST_CARD = 1_000_000
BINDINGS = ("JSONRPC", "HTTP+JSON")
VERSIONS = ("1", "0.3")


async def fetch_card(client: httpx.AsyncClient, peer: Peer) -> AgentCard:
    """The peer's card with those of its interfaces that can be used and may be. Raises AgentFailed, httpx.HTTPError."""
    response = await body_of(client, peer.card, LARGEST_CARD, "Its agent card")
    try:
        data = json.loads(response.content)
        card = parse_agent_card(data)
    except (ValueError, ParseError, RecursionError, TypeError, AttributeError) as fault:
        raise AgentFailed(
            f"Its agent card at {peer.card} is none.", "Expected a card of A2A as JSON."
        ) from fault
    return usable(card, peer)


def usable(card: AgentCard, peer: Peer) -> AgentCard:
    """The card without the interfaces that are not for us; raises AgentFailed, saying why, when none is left."""
    problems = [(interface, _problem(interface, peer)) for interface in card.supported_interfaces]
    interfaces = [interface for interface, problem in problems if problem is None]
    if not interfaces:
        reasons = (
            "; ".join(dict.fromkeys(problem for _, problem in problems[:10] if problem)) or "it has none"
        )
        raise AgentFailed(
            f"Its agent card names no interface that can be used: {reasons}.",
            f"Expected {' or '.join(BINDINGS)} of version 1.0 or 0.3 at {', '.join(sorted(peer.allowed()))}.",
        )
    usable_card = AgentCard()
    usable_card.CopyFrom(card)
    del usable_card.supported_interfaces[:]
    usable_card.supported_interfaces.extend(interfaces)
    return usable_card


def _problem(interface: AgentInterface, peer: Peer) -> str | None:
    """Why an interface is not used."""
    if interface.protocol_binding not in BINDINGS:
        return f"{interface.protocol_binding[:40] or 'no binding'} is not spoken here"
    version = interface.protocol_version
    if version and not any(
        version == supported or version.startswith(f"{supported}.") for supported in VERSIONS
    ):
        return f"version {version[:40]} is not known here"
    try:
        origin = origin_of(interface.url)
    except ValueError:
        return f"{interface.url[:200]!r} is no web address"
    if origin not in peer.allowed():
        return f"{origin[:200]} is another place than its card, and not listed"
    return None
