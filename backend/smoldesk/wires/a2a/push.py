"""Push notifications of tasks: follows the log, so it never delays a run.

Each event is tried until the client takes or refuses it. Its position is stored with the address at each change of the
task's state, so another server goes on from there; an event that comes twice has the same key and content.
"""

import asyncio
import json
import logging
import math
import time
import uuid
from collections.abc import Sequence
from contextlib import aclosing
from itertools import chain, repeat

import httpx
from a2a.types import a2a_pb2 as pb
from a2a.utils.proto_utils import to_stream_response
from google.protobuf.json_format import MessageToDict

from smoldesk.chats import PushConfig, PushConfigs
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.http_client.outgoing import PublicTransport, outgoing_client
from smoldesk.logs import log_event
from smoldesk.wires.a2a.encoder import TaskForm
from smoldesk.wires.a2a.models import ProtocolEvent
from smoldesk.wires.a2a.task_view import TaskView
from smoldesk.wires.task_projection import StatusUpdate

log = logging.getLogger(__name__)

# Seconds before each retry of one event; the last one repeats.
PAUSES = (0.5, 2.0, 5.0, 15.0, 60.0, 300.0)
# Seconds after which an event that nobody took is given up.
GIVE_UP_SECONDS = 86_400.0
# Tries after which the log says that an event is not taken.
LOGGED_TRIES = 4
# Time limit of one attempt.
SECONDS = 10.0
AT_ONCE = 32
# Refused events in a row after which only the task's end is tried.
MAX_FAILED = 3
LONGEST_SECRET = 4_000
WORTH_ANOTHER_TRY = frozenset((408, 425, 429))


class PushNotifier:
    """The notifications of one desk. Used on the event loop."""

    def __init__(
        self, configs: PushConfigs, task_view: TaskView, allow_private: bool, pauses: Sequence[float] = PAUSES
    ) -> None:
        self._configs = configs
        self._task_view = task_view
        self._pauses = pauses
        self._allow_private = allow_private
        self._delivery_slots = asyncio.Semaphore(AT_ONCE)
        self._deliveries: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._cancelled: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def check(self, config: PushConfig) -> None:
        """Raise BadInput for an invalid configuration."""
        for name, secret in (
            ("token", config.token),
            ("scheme", config.scheme),
            ("credentials", config.credentials),
        ):
            if len(secret) > LONGEST_SECRET or not secret.isascii() or not (secret + "x").isprintable():
                hint = f"Expected at most {LONGEST_SECRET} printable ASCII characters."
                raise BadInput(f"`{name}` cannot be sent in a header.", hint)
        await PublicTransport(self._allow_private).check(config.url)

    async def begin(self, config: PushConfig) -> None:
        """Keep a checked configuration, replacing one with its id, and send the events of its run after `told_seq`."""
        self._stop(config.run_id, config.id)
        try:
            await self._configs.save(config)
        except (
            BaseException
        ):  # the earlier one goes on, or this one: a commit may be done though its answer is lost
            self._deliver_stored(config.run_id, config.id, None)
            raise
        self._start(config)

    async def of_task(self, task_id: str) -> list[PushConfig]:
        """Return the configurations of a task. Raises NotFound for an unknown task."""
        await self._task_view.record(task_id)
        return await self._configs.of_run(task_id)

    async def end(self, task_id: str, config_id: str) -> None:
        """Delete a configuration, if there is one. Raises NotFound for an unknown task."""
        await self._task_view.record(task_id)
        self._stop(task_id, config_id)
        await self._configs.remove(task_id, config_id)

    async def resume(self) -> None:
        """Continue the notifications of servers that are gone, and those of an earlier call whose answer was lost."""
        for config in await self._configs.take_over():
            if (config.run_id, config.id) not in self._deliveries:
                self._start(config)

    async def close(self) -> None:
        """Stop; another server, or the next start of this one, sends the remaining events."""
        self._is_closed = True
        for key in list(self._deliveries):
            self._stop(*key)
        await asyncio.gather(*self._cancelled, return_exceptions=True)

    def _start(self, config: PushConfig) -> None:
        if not config.is_over:
            self._deliver_stored(config.run_id, config.id, config)

    def _deliver_stored(self, task_id: str, config_id: str, config: PushConfig | None) -> None:
        """Send the events of a stored configuration aside; without `config`, it is read first."""
        if self._is_closed:
            return
        key = (task_id, config_id)
        self._stop(*key)  # two clients may set it at the same time
        task = self._deliveries[key] = asyncio.create_task(self._push(task_id, config_id, config))

        def done(ended: asyncio.Task[None]) -> None:
            if self._deliveries.get(key) is ended:
                del self._deliveries[key]

        task.add_done_callback(done)

    def _stop(self, task_id: str, config_id: str) -> None:
        task = self._deliveries.pop((task_id, config_id), None)
        if task is not None:
            task.cancel()
            self._cancelled.add(task)  # until its connection is closed
            task.add_done_callback(self._cancelled.discard)

    async def _push(self, task_id: str, config_id: str, config: PushConfig | None) -> None:
        """Send the events of one run to one address; after a fault of the desk, again from the stored position."""
        for pause in chain(self._pauses, repeat(self._pauses[-1])):
            try:
                config = config or await self._configs.sent_here(task_id, config_id)
                if config is not None and not config.is_over:
                    await self._push_from(config)
                return
            except NotFound:  # its chat or its row was deleted
                return
            except DeskError as fault:
                log.warning("push notifications of a task wait (%s)", fault.code)
            except Exception:
                log.exception("push notifications of a task wait")
            config = None
            await asyncio.sleep(pause)

    async def _push_from(self, config: PushConfig) -> None:
        """Send the events after `told_seq` until the run ends. Raises DeskError.

        Each configuration has its own HTTP client: a request that is cancelled between connecting and writing stays in the
        pool (httpcore), so the pool ends with the configuration.
        """
        client = outgoing_client(PublicTransport(self._allow_private), httpx.Timeout(SECONDS))
        try:
            viewed_task = await self._task_view.view_at(config.run_id, config.told_seq)
            form = TaskForm(viewed_task.record, config.base)
            failed, since, number = 0, config.told_seq, 0
            async with aclosing(self._task_view.merged(viewed_task, math.inf)) as updates:
                async for update in updates:
                    is_end = isinstance(update, StatusUpdate) and update.is_end
                    key = idempotency_key(config, since, number)
                    number += 1
                    if failed < MAX_FAILED or is_end:
                        taken = await self._deliver(client, config, form.event(update), key)
                        failed = 0 if taken else failed + 1
                    if isinstance(update, StatusUpdate):  # a status flushes all buffered text before it
                        since, number = viewed_task.seq, 0
                        if not await self._configs.record_delivery(config, since, is_end):
                            return
        finally:
            await client.aclose()

    async def _deliver(
        self, client: httpx.AsyncClient, config: PushConfig, event: ProtocolEvent, key: str
    ) -> bool:
        """Send one event until it is taken; return False if it is refused, or not taken in a day.

        Before each try the database is asked: the client may have deleted or replaced its address at another server.
        """
        notification = MessageToDict(to_stream_response(event))
        body = json.dumps(notification, ensure_ascii=False).encode("utf-8", "replace")
        why, give_up_at = "", time.monotonic() + GIVE_UP_SECONDS
        for tries, pause in enumerate(chain((0.0,), self._pauses, repeat(self._pauses[-1]))):
            if tries == LOGGED_TRIES:
                log_event(log, "push_delayed", logging.WARNING, run=config.run_id, why=why)
            await asyncio.sleep(pause)
            if time.monotonic() > give_up_at:
                break
            if await self._configs.sent_here(config.run_id, config.id) is None:
                raise NotFound("This configuration was deleted, or another server sends its events.")
            try:
                async with self._delivery_slots, asyncio.timeout(SECONDS):
                    status = await _post(client, config, body, key)
            except (TimeoutError, OSError, httpx.HTTPError) as fault:
                why = type(fault).__name__
                continue
            if 200 <= status < 300:
                return True
            why = str(status)
            if status < 500 and status not in WORTH_ANOTHER_TRY:
                break  # also a redirect: it is not followed
        log_event(log, "push_failed", logging.WARNING, run=config.run_id, why=why)
        return False


def idempotency_key(config: PushConfig, since: int, number: int) -> str:
    """Return the key of the event `number` after the seq `since`: the same at each try, from each server."""
    name = json.dumps([config.run_id, config.id, since, number])  # the id is the client's own: any text
    return str(uuid.uuid5(uuid.NAMESPACE_OID, name))


async def _post(client: httpx.AsyncClient, config: PushConfig, body: bytes, key: str) -> int:
    """Post a notification and return the status of the answer, whose body is not read."""
    headers = {"content-type": "application/json", "a2a-version": "1.0"}
    headers["idempotency-key"] = (
        f'"{key}"'  # a string of RFC 8941, as draft-ietf-httpapi-idempotency-key-header says
    )
    if config.token:
        headers["x-a2a-notification-token"] = config.token
    if config.scheme and config.credentials:
        headers["authorization"] = f"{config.scheme} {config.credentials}"
    async with client.stream("POST", config.url, headers=headers, content=body) as response:
        return response.status_code


def config_of(params: pb.TaskPushNotificationConfig, chat_id: str, base: str, after: int) -> PushConfig:
    """Return a client's configuration for storage; events after the seq `after` are sent. Pure."""
    auth = params.authentication
    return PushConfig(
        run_id=params.task_id,
        id=params.id or params.task_id,
        chat_id=chat_id,
        url=params.url,
        token=params.token,
        scheme=auth.scheme,
        credentials=auth.credentials,
        base=base,
        told_seq=after,
    )


def params_of(config: PushConfig) -> pb.TaskPushNotificationConfig:
    """Return a stored configuration as its client gave it. Pure."""
    params = pb.TaskPushNotificationConfig(
        task_id=config.run_id, id=config.id, url=config.url, token=config.token
    )
    if config.scheme or config.credentials:
        params.authentication.scheme = config.scheme
        params.authentication.credentials = config.credentials
    return params
