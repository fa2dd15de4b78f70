"""Attacks on two servers of one PostgreSQL at once: wrong passkeys and tokens count wherever they are tried."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from smoldesk.chats import SharedTries
from smoldesk.conversations import AgentFault, rate_limit
from smoldesk.conversations.rate_limit import FREE_TRIES
from smoldesk.wires.security import guesses
from smoldesk.wires.security.guesses import FREE_FAILURES
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.postgres import TestPostgres

TOKEN = "the desk's token 4711"
Two = tuple[LiveDesk, LiveDesk]


@pytest.fixture
def two(tmp_path: Path, postgres: TestPostgres) -> Iterator[Two]:
    with (
        postgres.database() as url,
        live_desk(tmp_path / "a", database_url=url, token=TOKEN) as a,
        live_desk(tmp_path / "b", database_url=url, token=TOKEN) as b,
    ):
        yield a, b


def tried(desk: LiveDesk, token: str) -> int:
    return httpx.get(
        f"{desk.url}/api/chats", headers={"Authorization": f"Bearer {token}"}, timeout=60
    ).status_code


def test_wrong_tokens_at_one_server_make_the_other_wait(two: Two) -> None:
    a, b = two
    assert tried(b, TOKEN) == 200, "the count of this address was read at b, too"
    assert [tried(a, f"wrong {n}") for n in range(FREE_FAILURES)] == [401] * FREE_FAILURES
    assert tried(a, TOKEN) == 429
    at_b = [tried(b, f"other {n}") for n in range(3)]
    # b may use what it read within READ_SECONDS, so that at most one further token is looked at
    assert at_b in ([401, 429, 429], [429, 429, 429])
    assert tried(b, TOKEN) == 429


def test_an_address_that_guesses_at_each_server_in_turn_gets_no_more_guesses(two: Two) -> None:
    statuses = [tried(two[n % 2], f"wrong {n}") for n in range(2 * FREE_FAILURES)]
    assert statuses[: FREE_FAILURES - 1] == [401] * (FREE_FAILURES - 1)
    assert statuses.count(401) <= FREE_FAILURES + 1 and statuses[-1] == 429


def test_a_database_that_does_not_answer_delays_no_token_for_long(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(SharedTries, "read", hang)
    monkeypatch.setattr(guesses, "LEARN_SECONDS", 0.01)
    assert tried(two[0], TOKEN) == 200


def test_wrong_passkeys_are_checked_one_by_one_over_all_servers(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: list[str] = []
    talks = [desk.desk.conversations for desk in two]
    monkeypatch.setattr(rate_limit, "FIRST_DELAY", 3_600)
    monkeypatch.setattr(rate_limit, "LONGEST_DELAY", 3_600)

    def matches(passkey: str, _: str | None) -> bool:
        checks.append(passkey)
        return False

    monkeypatch.setattr("smoldesk.conversations.service.matches", matches)

    async def attack() -> None:
        tries = [
            asyncio.create_task(talks[n % 2].authenticate("a_member", f"pk_{n}", "p_one")) for n in range(40)
        ]
        _, pending = await asyncio.wait(tries, timeout=1)
        while len(checks) < FREE_TRIES:
            _, pending = await asyncio.wait(tries, timeout=0.1)
        for task in pending:
            task.cancel()
        faults = [task.exception() for task in tries if task.done() and not task.cancelled()]
        codes = [fault.code for fault in faults if isinstance(fault, AgentFault)]
        assert codes.count("authentication_failed") == FREE_TRIES
        assert set(codes) == {"authentication_failed", "too_many_attempts"}

    run_async(attack())
    assert len(checks) == FREE_TRIES
