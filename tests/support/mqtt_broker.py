"""A small MQTT 3.1.1 broker for tests: QoS 0, filters with + and #, and a password. amqtt pins an old websockets.

Sections are of the OASIS standard of 2014-10-29. The benchmark uses amqtt (bench/live.py).
"""

import asyncio
import threading
from contextlib import suppress
from types import TracebackType

CONNECT, PUBLISH, SUBSCRIBE, PINGREQ, DISCONNECT = 1, 3, 8, 12, 14


def matches(filter_: str, topic: str) -> bool:
    """Whether a filter takes a topic (4.7)."""
    wanted, given = filter_.split("/"), topic.split("/")
    for at, level in enumerate(wanted):
        if level == "#":
            return True
        if at >= len(given) or level not in ("+", given[at]):
            return False
    return len(wanted) == len(given)


class Broker:
    """A broker on a free port of 127.0.0.1, in a thread; `stop` and `start` play one that goes away and comes back."""

    def __init__(self, password: str = "") -> None:
        self.port = 0
        self.password = password
        self.clients: dict[asyncio.StreamWriter, list[str]] = {}

    def __enter__(self) -> "Broker":
        self.start()
        return self

    def __exit__(self, kind: type | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(10)

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def publish(self, topic: str, payload: bytes) -> None:
        """Send a message to who subscribed (3.3)."""
        asyncio.run_coroutine_threadsafe(self._publish(topic, payload), self._loop).result(10)

    def subscribed(self) -> bool:
        return any(self.clients.values())

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._server.close()
        for writer in [*self.clients]:
            writer.close()
        self.clients.clear()
        await asyncio.sleep(0.05)

    async def _publish(self, topic: str, payload: bytes) -> None:
        name = topic.encode()
        body = len(name).to_bytes(2) + name + payload
        for writer, filters in [*self.clients.items()]:
            if any(matches(filter_, topic) for filter_ in filters):
                writer.write(bytes([PUBLISH << 4]) + _length(len(body)) + body)
                await writer.drain()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind, body = await _packet(reader)
                if kind == CONNECT:
                    refused = bool(self.password) and not body.endswith(self.password.encode())
                    writer.write(bytes([0x20, 2, 0, 5 if refused else 0]))  # CONNACK (3.2)
                    self.clients[writer] = []
                elif kind == SUBSCRIBE:
                    size = int.from_bytes(body[2:4])
                    self.clients[writer].append(body[4 : 4 + size].decode())
                    writer.write(bytes([0x90, 3]) + body[:2] + b"\0")  # SUBACK (3.9)
                elif kind == PINGREQ:
                    writer.write(b"\xd0\0")
                elif kind == DISCONNECT:
                    break
        self.clients.pop(writer, None)
        writer.close()


async def _packet(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read a packet: its kind, and what follows its length (2.2)."""
    kind = (await reader.readexactly(1))[0] >> 4
    size, shift = 0, 0
    while True:
        byte = (await reader.readexactly(1))[0]
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return kind, await reader.readexactly(size)


def _length(size: int) -> bytes:
    digits = bytearray()
    while True:
        size, digit = divmod(size, 128)
        digits.append(digit | (0x80 if size else 0))
        if not size:
            return bytes(digits)
