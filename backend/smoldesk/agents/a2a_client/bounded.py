"""The HTTP client for one agent elsewhere: what it sends is counted, it leads nowhere else, and it knows only our token."""

from collections.abc import AsyncIterator

import httpx

from smoldesk.agents.a2a_client.entries import Peer, origin_of
from smoldesk.agents.a2a_client.errors import AgentFailed
from smoldesk.http_client import outgoing_client

MOST_BYTES = 96 * 1024 * 1024
"""Of one body: a file of 50 MB, spelled as JSON, and what is said beside it."""
CONNECT_SECONDS = 10.0
LATER_SECONDS = 5.0
"""How much later a silent socket is given up than a silent agent: the latter's fault says more."""


class Meter:
    """What one body may have at most, and whether one had more."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self.is_over = False


class _Counted(httpx.AsyncByteStream):
    """One body. Raises httpx.ReadError once it has too many bytes."""

    def __init__(self, stream: httpx.AsyncByteStream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter
        self._left = meter.most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
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
            stream=_Counted(response.stream, self._meter),
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
        left = most
        async for piece in response.aiter_raw():
            left -= len(piece)
            if left < 0:
                raise AgentFailed(f"{what} is larger than the {most:,} bytes that are taken.")
            pieces.append(piece)
    return httpx.Response(200, headers=response.headers, content=b"".join(pieces))


def _status(response: httpx.Response) -> str:
    if response.is_redirect:
        return f"{response.status_code}, a redirect, which is not followed"
    return str(response.status_code)
