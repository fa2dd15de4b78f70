"""Feeds of the live layers that agents.toml declares: messages of MQTT brokers, on one thread with an event loop of its own.

A broker that goes away is tried again, later each time, and the page says so. aiomqtt is imported when a layer needs it: it
is the extra `mqtt`. What a broker sends is bounded: messages that wait, the size of one, and values between two batches.
"""

import asyncio
import contextlib
import logging
import os
import random
import ssl
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import ip_address
from typing import Any, Protocol

from smoldesk.buildings.layers.entries import LayerEntry, broker_of, room_in_topic
from smoldesk.buildings.layers.rows import RoomValue, readings_of_message
from smoldesk.errors import BadInput, Conflict, DeskError
from smoldesk.http_client.address_checks import is_link_local
from smoldesk.messages.layers import LayerState

log = logging.getLogger(__name__)

# Seconds before the first and before any later attempt; each wait is twice the one before.
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0
CONNECT_SECONDS = 10.0
# Seconds between two batches of values.
BATCH = 0.1
MAX_WAITING = 5_000
MAX_BATCH = 20_000
LARGEST_MESSAGE = 1_000_000
_LONGEST_PROBLEM = 200


class LayerTarget(Protocol):
    """Layers that values are added to."""

    def add(self, chat_id: str | None, name: str, readings: Sequence[RoomValue]) -> object: ...

    def note_feed(self, name: str, state: LayerState, problem: str = "") -> None: ...


class MqttFeeds:
    """Subscriptions of all layers with a broker."""

    def __init__(
        self,
        layers: LayerTarget,
        entries: Iterable[LayerEntry],
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._layers = layers
        self._entries = [entry for entry in entries if entry.mqtt]
        self._environment = environment
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Start the thread, if a layer needs it."""
        if self._entries and self._thread is None:
            self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="mqtt", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End all subscriptions."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        with contextlib.suppress(RuntimeError):  # it has ended
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
        thread.join(5)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*(self._follow(entry) for entry in self._entries))

    async def _follow(self, entry: LayerEntry) -> None:
        """Subscribe for ever: after a failure again, later each time until messages come."""
        try:
            import aiomqtt
        except ImportError:
            problem = "The package aiomqtt is not installed (extra mqtt)."
            self._layers.note_feed(entry.name, "unreachable", problem)
            return
        wait = FIRST_WAIT
        self._layers.note_feed(entry.name, "connecting")
        while True:
            started = time.monotonic()
            try:
                await self._subscribe(entry, aiomqtt)
            except (aiomqtt.MqttError, OSError, DeskError, ValueError, TimeoutError) as fault:
                self._layers.note_feed(entry.name, "unreachable", _problem(fault))
            except Exception as fault:  # an unforeseen one must not end the feeds of all layers
                log.warning("the feed of a live layer failed", exc_info=fault)
                self._layers.note_feed(entry.name, "unreachable", type(fault).__name__)
            if time.monotonic() - started > LONGEST_WAIT:  # it had worked
                wait = FIRST_WAIT
            # The random part keeps many layers from coming back to a restarted broker at once.
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))
            wait = min(LONGEST_WAIT, 2 * wait)

    async def _subscribe(self, entry: LayerEntry, aiomqtt: Any) -> None:
        host, port, is_tls = broker_of(entry.mqtt)
        await _check_address(host, port)
        client = aiomqtt.Client(
            host,
            port,
            username=entry.user or None,
            password=self._password(entry),
            tls_context=ssl.create_default_context() if is_tls else None,
            timeout=CONNECT_SECONDS,
            max_queued_incoming_messages=MAX_WAITING,
        )
        async with client:
            await client.subscribe(entry.topic)
            self._layers.note_feed(entry.name, "waiting")
            batch = _Batch(entry, self._layers)
            sender = asyncio.create_task(batch.send())
            try:
                async for message in client.messages:
                    batch.add(str(message.topic), message.payload)
            finally:
                sender.cancel()

    def _password(self, entry: LayerEntry) -> str | None:
        if not entry.password_env:
            return None
        password = self._environment.get(entry.password_env)
        if password is None:
            raise BadInput(f"{entry.password_env} is not set.")
        return password


class _Batch:
    """Values of one layer between two batches."""

    def __init__(self, entry: LayerEntry, layers: LayerTarget) -> None:
        self._entry = entry
        self._layers = layers
        self._readings: list[RoomValue] = []
        self._problem = ""
        # Why the last values were not added: state and problem.
        self._fault: tuple[LayerState, str] | None = None

    def add(self, topic: str, payload: Any) -> None:
        """Read a message; one that has no values is named in the layer's problem."""
        try:
            if not isinstance(payload, bytes | bytearray) or len(payload) > LARGEST_MESSAGE:
                raise BadInput(f"The message is larger than {LARGEST_MESSAGE:,} bytes.")
            room = room_in_topic(self._entry.topic, topic)
            self._readings += readings_of_message(bytes(payload), room, time.time())
        except BadInput as fault:
            self._problem = f"{topic[:80]}: {fault.message}"
        if len(self._readings) >= MAX_BATCH:
            self._flush()

    async def send(self) -> None:
        """Add what was read, ten times a second, until cancelled."""
        while True:
            await asyncio.sleep(BATCH)
            self._flush()

    def _flush(self) -> None:
        readings, self._readings = self._readings, []
        try:
            if readings:
                self._layers.add(None, self._entry.name, readings)
                self._fault = None
        except Conflict as fault:  # more than can be stored: those are lost, as the page says
            self._fault = "waiting", fault.message
        except DeskError as fault:  # its building is gone
            self._fault = "unreadable", _problem(fault)
        except Exception as fault:  # the database is away; its words may hold what was written
            log.warning("values of a feed could not be added (%s)", type(fault).__name__)
            self._fault = "unreachable", f"The values could not be stored ({type(fault).__name__})."
        self._layers.note_feed(self._entry.name, *(self._fault or ("waiting", self._problem)))


async def _check_address(host: str, port: int) -> None:
    """Raise BadInput for a host of a link-local address: cloud machines have their credentials there."""
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port)
    if any(is_link_local(ip_address(str(address[4][0]).partition("%")[0])) for address in addresses):
        raise BadInput("The broker has a link-local address, which the desk does not connect to.")


def _problem(fault: Exception) -> str:
    text = fault.message if isinstance(fault, DeskError) else str(fault)
    return (text or type(fault).__name__)[:_LONGEST_PROBLEM]
