"""Logging in: one answer for whatever is wrong, slowed after five wrong tries, and the right passkey is let in at last."""

import asyncio

import pytest

from smoldesk.conversations import AgentFault
from smoldesk.conversations.rate_limit import (
    LONGEST_DELAY,
    MAX_WAITING,
    QUIET_SECONDS,
    RateLimit,
    delay_after,
)
from smoldesk.conversations.sessions import MAX_SESSIONS
from smoldesk.store.store import Store
from tests.support.aio import run_async
from tests.support.conversing import Room, refused


class Ticks:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.fixture
def guarded(store: Store, ticks: Ticks) -> Room:
    return Room(store, attempts=RateLimit(ticks, ticks.sleep))


def test_a_login_gives_a_session_of_that_member_and_project(room: Room) -> None:
    project = room.create_project("one").id
    member, passkey = room.add_member(project, "scout", "ai")
    login = room.authenticate(member.id, passkey, project)
    session = room.session(login.token)
    assert (session.member_id, session.project_id, session.purpose) == (member.id, project, "chat")
    assert session.expires_at == login.expires_at > room.clock.now


def test_whatever_is_wrong_the_answer_is_the_same(room: Room) -> None:
    project, other = room.create_project("one").id, room.create_project("other").id
    member, passkey = room.add_member(project, "scout", "ai")
    removed, its_key = room.add_member(project, "gone", "ai")
    room.remove_member(project, removed.id)
    for wrong in (
        (member.id, "pk_wrong", project),
        (member.id, passkey, other),
        (member.id, passkey, "p_nothing"),
        ("a_nobody", passkey, project),
        (removed.id, its_key, project),
        ("", "", ""),
    ):
        with refused("authentication_failed"):
            room.authenticate(*wrong)


def test_a_passkey_is_good_in_each_project_of_its_member(room: Room) -> None:
    here, other_project = room.create_project("here").id, room.create_project("there").id
    member, passkey = room.add_member(here, "scout", "ai")
    room.join_member(other_project, member.id)
    sessions = [
        room.session(room.authenticate(member.id, passkey, project).token)
        for project in (here, other_project)
    ]
    assert [session.project_id for session in sessions] == [here, other_project]


@pytest.mark.parametrize("token", ["", "st_", "x" * 100_000, "\udce3", "' OR 1=1 --"])
def test_a_token_that_is_none_is_refused(room: Room, token: str) -> None:
    room.agents("one")
    with refused("invalid_session"):
        room.session(token)


def test_a_removed_member_and_a_removed_project_have_no_sessions(room: Room) -> None:
    project = room.create_project("one").id
    tokens: list[str] = []
    for name in ("one", "two"):
        member, passkey = room.add_member(project, name, "ai")
        tokens.append(room.authenticate(member.id, passkey, project).token)
    room.remove_member(project, room.session(tokens[0]).member_id)
    with refused("invalid_session"):
        room.session(tokens[0])
    assert room.session(tokens[1])
    room.remove_project(project)
    with refused("invalid_session"):
        room.session(tokens[1])


def test_sessions_of_one_member_are_bounded_and_the_newest_stay(room: Room) -> None:
    project = room.create_project("one").id
    member, passkey = room.add_member(project, "scout", "ai")
    tokens: list[str] = []
    for _ in range(MAX_SESSIONS + 2):
        tokens.append(room.authenticate(member.id, passkey, project).token)
        room.clock.now += 1
    for token in tokens[:2]:
        with refused("invalid_session"):
            room.session(token)
    assert all(room.session(token) for token in tokens[2:])


@pytest.mark.parametrize("is_existing", [True, False])
def test_the_sixth_try_waits_whether_the_id_exists_or_not(
    guarded: Room, ticks: Ticks, is_existing: bool
) -> None:
    project = guarded.create_project("one").id
    member, _ = guarded.add_member(project, "scout", "ai")
    member_id = member.id if is_existing else "a_nobody"
    for _ in range(5):
        with refused("authentication_failed"):
            guarded.authenticate(member_id, "pk_wrong", project)
    assert ticks.slept == []
    for _ in range(7):
        with refused("authentication_failed"):
            guarded.authenticate(member_id, "pk_wrong", project)
    assert ticks.slept == [1, 2, 4, 8, 16, LONGEST_DELAY, LONGEST_DELAY]


def test_the_right_passkey_is_slowed_but_never_locked_out(guarded: Room, ticks: Ticks) -> None:
    project = guarded.create_project("one").id
    member, passkey = guarded.add_member(project, "scout", "ai")
    for _ in range(50):
        with refused("authentication_failed"):
            guarded.authenticate(member.id, "pk_wrong", project)
    ticks.slept.clear()
    assert guarded.authenticate(member.id, passkey, project).token
    assert ticks.slept == [LONGEST_DELAY]
    ticks.slept.clear()
    assert guarded.authenticate(member.id, passkey, project).token  # and it is trusted again
    assert ticks.slept == []


def test_guessing_at_one_id_slows_nobody_else(guarded: Room, ticks: Ticks) -> None:
    project = guarded.create_project("one").id
    guessed, _ = guarded.add_member(project, "guessed", "ai")
    other, passkey = guarded.add_member(project, "other", "ai")
    for _ in range(8):
        with refused("authentication_failed"):
            guarded.authenticate(guessed.id, "pk_wrong", project)
    ticks.slept.clear()
    assert guarded.authenticate(other.id, passkey, project).token
    assert ticks.slept == []


def test_a_hundred_guesses_at_once_are_looked_at_one_by_one_and_most_are_sent_away(ticks: Ticks) -> None:
    attempts = RateLimit(ticks, ticks.sleep)
    at_once: list[int] = []
    checks = 0

    async def guess() -> str:
        nonlocal checks
        try:
            async with attempts.turn("a_1"):
                checks += 1
                at_once.append(checks)
                await asyncio.sleep(0)
                attempts.was_wrong("a_1")
                checks -= 1
                return "looked at"
        except AgentFault as fault:
            return fault.code

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(guess() for _ in range(100)))

    outcomes = run_async(all_of_them())
    assert outcomes.count("looked at") == 5 + MAX_WAITING
    assert outcomes.count("too_many_attempts") == 100 - 5 - MAX_WAITING
    assert max(at_once[:5]) <= 5 and max(at_once[5:]) == 1


def test_after_a_quiet_while_tries_are_free_again(ticks: Ticks) -> None:
    attempts = RateLimit(ticks, ticks.sleep)
    for _ in range(9):
        attempts.was_wrong("a_1")
    ticks.now += QUIET_SECONDS + 1

    async def turn() -> None:
        async with attempts.turn("a_1"):
            pass

    run_async(turn())
    assert ticks.slept == []


def test_the_delay_grows_to_a_bound() -> None:
    assert [delay_after(wrong) for wrong in (0, 4, 5, 6, 9, 10, 10_000)] == [0, 0, 1, 2, 16, 30, 30]
