"""What a conversation is, and every step it can take: a table of states, at a time that is given in."""

import itertools
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from smoldesk.conversations import rules
from smoldesk.conversations.rules import (
    STATES,
    Conversation,
    State,
    Timeouts,
)

NOW = 1_000.0
TIMES = Timeouts(pending_seconds=30, active_seconds=100)


def conversation_in(state: State = "pending", **fields: object) -> Conversation:
    new = rules.new_conversation("conv_1", 7, "p_1", "a_one", "a_two", "word chain", NOW, TIMES)
    lasts = TIMES.of(state)
    due_at = None if lasts is None else NOW + lasts
    return new.model_copy(update={"state": state, "due_at": due_at, **fields})


def test_a_new_conversation_is_pending_and_knows_who_wants_what() -> None:
    new = conversation_in()
    assert (new.state, new.initiator_id, new.participant_id) == ("pending", "a_one", "a_two")
    assert (new.purpose, new.ended_at, new.reason, new.messages) == ("word chain", None, None, 0)
    assert (new.created_at, new.due_at) == (NOW, NOW + 30)


def test_the_states_are_these() -> None:
    assert STATES == ("pending", "active", "terminating", "ended", "expired")
    assert [state for state in STATES if conversation_in(state).is_live] == [
        "pending",
        "active",
        "terminating",
    ]
    assert [state for state in STATES if conversation_in(state).is_open] == ["pending", "active"]


def test_a_conversation_survives_a_trip_through_json() -> None:
    before = conversation_in("active", purpose="会話のテスト")
    assert Conversation.model_validate_json(before.model_dump_json()) == before


@pytest.mark.parametrize(
    "wrong", [{"state": "paused"}, {"state": None}, {"created_at": "soon"}, {"reason": "bored"}, {"x": 1}]
)
def test_what_is_no_conversation_is_never_taken_for_one(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Conversation.model_validate(conversation_in().model_dump() | wrong)


STEPS: dict[str, Callable[[Conversation], Conversation | None]] = {
    "heard": lambda c: rules.activate(c, NOW, TIMES),
    "spoken by the initiator": lambda c: rules.record_message(c, "a_one", NOW, TIMES),
    "spoken by the participant": lambda c: rules.record_message(c, "a_two", NOW, TIMES),
    "ended by the initiator": lambda c: rules.request_end(c, "a_one", NOW, TIMES),
    "ended by the participant": lambda c: rules.request_end(c, "a_two", NOW, TIMES),
    "known": lambda c: rules.confirm_end(c, NOW, TIMES),
    "run out": lambda c: rules.expire(c, NOW + 1_000, TIMES),
    "cut by a person": lambda c: rules.force_end(c, "person_ended", None, NOW, TIMES),
    "cut by a removal": lambda c: rules.force_end(c, "agent_removed", "a_two", NOW, TIMES),
}
NEXT = {
    # from:          pending        active         terminating (by the initiator)
    "heard": ("active", None, None),
    "spoken by the initiator": ("pending", "active", None),
    "spoken by the participant": ("active", "active", None),
    "ended by the initiator": ("terminating", "terminating", None),
    "ended by the participant": ("terminating", "terminating", None),
    "known": (None, None, "ended"),
    "run out": ("expired", "ended", "ended"),
    "cut by a person": ("ended", "ended", "ended"),
    "cut by a removal": ("ended", "ended", "ended"),
}


@pytest.mark.parametrize(("step", "state"), list(itertools.product(STEPS, STATES)))
def test_every_step_from_every_state(step: str, state: State) -> None:
    fields = {"ended_by": "a_one", "reason": "initiator_ended"} if state == "terminating" else {}
    after = STEPS[step](conversation_in(state, **fields))
    expected = dict(zip(STATES, (*NEXT[step], None, None), strict=True))[state]
    assert (after.state if after else None) == expected
    if after is not None:
        assert (after.due_at is None) == (not after.is_live)
        assert (after.ended_at is None) == after.is_live


@pytest.mark.parametrize(
    ("state", "step", "reason", "by", "expected"),
    [
        ("active", "ended by the initiator", "initiator_ended", "a_one", ("a_two",)),
        ("active", "ended by the participant", "participant_ended", "a_two", ("a_one",)),
        ("pending", "ended by the initiator", "initiator_ended", "a_one", ("a_two",)),
        ("active", "run out", "timeout", None, ("a_one", "a_two")),
        ("pending", "run out", "expired", None, ("a_one", "a_two")),
        ("active", "cut by a person", "person_ended", None, ("a_one", "a_two")),
        ("active", "cut by a removal", "agent_removed", "a_two", ("a_one",)),
    ],
)
def test_why_it_ended_and_who_is_told(
    state: State, step: str, reason: str, by: str | None, expected: tuple[str, ...]
) -> None:
    before = conversation_in(state)
    after = STEPS[step](before)
    assert after is not None
    assert (after.reason, after.ended_by, rules.members_to_notify(before, after)) == (reason, by, expected)


@pytest.mark.parametrize("step", ["known", "run out", "cut by a person", "cut by a removal"])
def test_what_a_side_ended_keeps_its_reason_and_nobody_is_told_twice(step: str) -> None:
    before = conversation_in("terminating", ended_by="a_one", reason="initiator_ended")
    after = STEPS[step](before)
    assert after is not None
    assert (after.reason, after.ended_by, rules.members_to_notify(before, after)) == (
        "initiator_ended",
        "a_one",
        (),
    )


def test_activity_extends_an_active_conversation() -> None:
    after = rules.record_message(conversation_in("active"), "a_one", NOW + 60, TIMES)
    assert after is not None and (after.due_at, after.messages) == (NOW + 160, 1)


def test_the_initiator_cannot_keep_a_pending_one_waiting() -> None:
    after = rules.record_message(conversation_in(), "a_one", NOW + 29, TIMES)
    assert after is not None and (after.due_at, after.messages) == (NOW + 30, 1)


@pytest.mark.parametrize(("state", "lasts"), [("pending", 30), ("active", 100), ("terminating", 30)])
def test_a_state_runs_out_at_its_second_and_not_before(state: State, lasts: float) -> None:
    assert rules.expire(conversation_in(state), NOW + lasts - 0.001, TIMES) is None
    assert rules.expire(conversation_in(state), NOW + lasts, TIMES) is not None


def test_a_clock_that_goes_back_makes_nothing_last_longer_than_it_may() -> None:
    before = conversation_in("active")
    assert rules.shorten_deadline(before, NOW, TIMES) is None
    after = rules.shorten_deadline(before, NOW - 3_600, TIMES)
    assert after is not None and after.due_at == NOW - 3_600 + 100
    assert rules.shorten_deadline(conversation_in("ended"), NOW - 3_600, TIMES) is None


def test_a_pair_is_the_same_whoever_begins() -> None:
    assert rules.pair_of("a_one", "a_two") == rules.pair_of("a_two", "a_one") != rules.pair_of("a_one", "a_x")


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_time_out_is_longer_than_nothing(seconds: float) -> None:
    with pytest.raises(ValidationError):
        Timeouts(active_seconds=seconds)
