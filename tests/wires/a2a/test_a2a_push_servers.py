"""Push notifications of servers that end: delivered at least once, each try under the same key."""

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from a2a.types import a2a_pb2 as pb

from smoldesk.messages import Text
from smoldesk.wires.a2a.task_view import UpdateCoalescer
from smoldesk.wires.task_projection import ArtifactUpdate, StatusUpdate, Update
from tests.support.a2a_client import a2a_client, events, said
from tests.support.aio import run_async
from tests.support.desk_server import DeskProcess, Servers
from tests.support.postgres import TestPostgres
from tests.support.scripted_desk import SERVING
from tests.support.webhook import Webhook, with_push


@pytest.fixture
def hook() -> Iterator[Webhook]:
    webhook = Webhook(503)
    yield webhook
    webhook.close()


def begin(server: DeskProcess, hook: Webhook, message: str) -> str:
    """Start a task whose client is notified; its id."""

    async def go() -> pb.Task:
        async with a2a_client(server.url, streaming=False) as client:
            return (await events(client, with_push(said(message, now=True), hook.url)))[0].task

    return run_async(go()).id


def test_what_a_killed_server_did_not_deliver_is_delivered_by_another_under_the_same_key(
    tmp_path: Path, postgres: TestPostgres, hook: Webhook
) -> None:
    with (
        postgres.desk_database() as url,
        Servers(
            tmp_path, SERVING, SMOLDESK_DATABASE_URL=url, SMOLDESK_PUSH_PRIVATE_ADDRESSES="true"
        ) as servers,
    ):
        first, _ = servers.start("a"), servers.start("b")
        begin(first, hook, "please count")
        hook.until(lambda: len(hook.posted) >= 2)
        first.kill()
        tried = len(hook.posted)
        hook.statuses[:] = [200]
        hook.until(hook.is_told_the_end, 120)
    assert hook.told()[-1] == "TASK_STATE_FAILED", "the killed server's run"
    assert len(set(hook.keys()[:tried])) == 1, "one event is tried after the other"
    assert hook.keys()[tried] == hook.keys()[0]
    assert_one_body_per_key(hook)


def test_an_end_that_is_not_taken_for_long_comes_after_a_restart(tmp_path: Path, hook: Webhook) -> None:
    with Servers(tmp_path, SERVING, SMOLDESK_PUSH_PRIVATE_ADDRESSES="true") as servers:
        first = servers.start()
        begin(first, hook, "please answer")
        hook.until(lambda: len(hook.posted) >= 2)
        assert first.terminate() == 0
        hook.statuses[:] = [200]
        servers.start()
        hook.until(hook.is_told_the_end, 120)
    assert hook.told()[-1] == "TASK_STATE_COMPLETED"
    assert_one_body_per_key(hook)


def assert_one_body_per_key(hook: Webhook) -> None:
    bodies: dict[str, set[str]] = {}
    for key, (_, body) in zip(hook.keys(), hook.posted, strict=True):
        bodies.setdefault(key, set()).add(json.dumps(body, sort_keys=True))
    assert {len(found) for found in bodies.values()} == {1}


def test_without_time_the_same_pieces_are_joined_the_same_way() -> None:
    pieces: list[Update] = [
        ArtifactUpdate(0, Text(content=f"{number} " * 200), append=number > 0, is_final=number == 9)
        for number in range(10)
    ]

    def joined(seconds: float) -> list[Update]:
        coalescer, updates, now = UpdateCoalescer(math.inf), list[Update](), 0.0
        for piece in pieces:
            now += seconds
            assert coalescer.flush_at is None
            updates += coalescer.take(piece, now)
        return updates

    assert joined(0.001) == joined(10.0)
    assert 1 < len(joined(0.0)) < len(pieces)


def test_after_a_status_the_pieces_are_joined_as_by_a_server_that_goes_on_from_there() -> None:
    def piece(text: str, append: bool = True) -> ArtifactUpdate:
        return ArtifactUpdate(0, Text(content=text), append=append, is_final=False)

    at = datetime.now(UTC)
    before = [piece("a", append=False), piece("b"), StatusUpdate("input_required", at)]
    after = [StatusUpdate("working", at), *map(piece, "cde"), StatusUpdate("completed", at)]

    def joined(coalescer: UpdateCoalescer, updates: list[Update]) -> list[Update]:
        return [sent for update in updates for sent in coalescer.take(update, 0.0)]

    uninterrupted = UpdateCoalescer(math.inf)
    assert joined(uninterrupted, [*before]) == before, (
        "the first piece is sent at once, and the status flushes"
    )
    assert joined(uninterrupted, [*after]) == joined(UpdateCoalescer(math.inf), [*after])
