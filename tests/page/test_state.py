"""`reduce`: what the page knows after a sequence of messages."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.page.conftest import Json, asked, delta, run, text

pytestmark = pytest.mark.browser

REDUCE = """async (messages) => {
  const { initialState, reduce } = await import("/static/js/core/state.js");
  const frozen = (value) => {
    if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
    Object.values(Object.freeze(value)).forEach(frozen);
    return value;
  };
  return messages.reduce((state, message) => frozen(reduce(state, frozen(message))), frozen(initialState()));
}"""


def reduced(page: Page, *messages: Json, numbered: bool = True) -> Any:
    """The state after the messages; every state on the way is frozen, so a reducer that changes one fails."""
    listed = [
        {"seq": at, "timestamp": f"2024-05-01T10:00:{at:02d}Z", **message} if numbered else message
        for at, message in enumerate(messages, 1)
    ]
    return page.evaluate(REDUCE, listed)


def debug(run_id: str, **response: Any) -> Json:
    content = {"agent_response": response, "parsed_outputs": [], "output_count": 0}
    return {"type": "debug", "runId": run_id, "content": content}


def code(run_id: str, content: str, step: str = "Step 1") -> Json:
    return {"type": "code", "runId": run_id, "content": content, "language": "python", "step": step}


def tool(run_id: str, state: str, **more: Any) -> Json:
    content = {"callId": "c1", "tool": "draw_arrow", "state": state, "step": 1, **more}
    return {"type": "tool", "runId": run_id, "content": content}


def test_a_run_becomes_a_turn_with_its_steps_and_its_answer(blank: Page) -> None:
    state = reduced(
        blank,
        asked("r1", "How many?"),
        run("r1", "running", step=1),
        delta("r1", "text", "I will "),
        delta("r1", "text", "count."),
        delta("r1", "code", "len(df)"),
        debug("r1"),
        code("r1", "len(df)"),
        text("r1", "891"),
        run("r1", "finished", text="891"),
    )

    (turn,) = state["entries"]
    step, answer = turn["blocks"]
    assert (turn["question"], turn["state"], turn["closing"]) == ("How many?", "finished", "891")
    assert (step["thought"], step["code"]["content"], step["partial"]) == ("I will count.", "len(df)", False)
    assert step["duration"] == 4
    assert answer["message"]["content"] == "891"
    assert state["live"] is None


def test_deltas_stand_apart_until_the_batch_of_their_step_comes(blank: Page) -> None:
    state = reduced(blank, asked("r1", "q"), run("r1", "running", step=1), delta("r1", "code", "x = 1"))

    assert state["live"]["code"]["text"] == "x = 1"
    assert state["entries"][0]["blocks"][0]["code"] is None


def test_an_answer_takes_the_place_of_the_words_it_was_streamed_as(blank: Page) -> None:
    state = reduced(
        blank,
        asked("r1", "q"),
        run("r1", "running", step=1),
        delta("r1", "text", "891"),
        debug("r1"),
        text("r1", "891"),
    )

    step, answer = state["entries"][0]["blocks"]
    assert (step["thought"], answer["message"]["content"]) == ("", "891")


def test_what_was_being_written_is_kept_as_a_draft_when_the_run_is_stopped(blank: Page) -> None:
    state = reduced(
        blank,
        asked("r1", "q"),
        run("r1", "running", step=1),
        delta("r1", "code", "while True:"),
        run("r1", "stopping"),
        run("r1", "cancelled", text="stopped"),
    )

    (step,) = state["entries"][0]["blocks"]
    assert (state["entries"][0]["state"], step["partial"], step["code"]["content"]) == (
        "cancelled",
        True,
        "while True:",
    )


def test_a_closed_run_stays_closed(blank: Page) -> None:
    state = reduced(blank, asked("r1", "q"), run("r1", "failed", text="no"), run("r1", "running", step=2))

    assert state["entries"][0]["state"] == "failed"


def test_a_message_seen_before_changes_nothing(blank: Page) -> None:
    first = {**asked("r1", "q"), "seq": 1}
    again = {**text("r1", "twice?"), "seq": 1}

    once = reduced(blank, first, numbered=False)

    assert reduced(blank, first, again, first, numbered=False) == once


def test_an_unknown_type_leaves_the_state_alone_but_for_its_place(blank: Page) -> None:
    before = reduced(blank, asked("r1", "q"))
    after = reduced(blank, asked("r1", "q"), {"type": "hologram", "content": {"depth": 3}})

    assert after == {**before, "lastSeq": 2}


def test_a_tool_call_keeps_its_arguments_when_it_returns(blank: Page) -> None:
    state = reduced(
        blank,
        asked("r1", "q"),
        tool("r1", "called", arguments={"room_name": "Kitchen"}, line=3),
        tool("r1", "returned", result="ARROW_COMMAND"),
    )

    (call,) = state["entries"][0]["blocks"][0]["calls"]
    assert (call["state"], call["arguments"], call["line"]) == ("returned", {"room_name": "Kitchen"}, 3)


def test_an_echo_confirms_one_message_of_the_same_words_and_only_one(blank: Page) -> None:
    submitted = [{"type": "@submitted", "id": name, "content": "again", "sent": True} for name in ("a", "b")]

    state = reduced(blank, *submitted, {**asked("r1", "again"), "seq": 1}, numbered=False)

    assert [(one["id"], one["state"]) for one in state["pending"]] == [("b", "sent")]


def test_a_lost_connection_makes_sent_messages_doubtful_and_leaves_waiting_ones(blank: Page) -> None:
    state = reduced(
        blank,
        {"type": "@submitted", "id": "a", "content": "sent", "sent": True},
        {"type": "@submitted", "id": "b", "content": "kept", "sent": False},
        {"type": "@connection", "connection": "closed"},
        numbered=False,
    )

    assert [one["state"] for one in state["pending"]] == ["unconfirmed", "waiting"]


def test_a_refusal_outside_a_run_is_said_between_the_turns(blank: Page) -> None:
    refusal = {"type": "error", "content": "Too long.", "code": "bad_input", "hint": "Send less."}

    state = reduced(blank, refusal, {"type": "@dismissed", "at": 0}, refusal, numbered=False)

    assert [(one["kind"], one["at"]) for one in state["entries"]] == [("aside", 1)]


def test_a_long_stream_costs_what_it_is_long(blank: Page) -> None:
    """Appending copies nothing: pieces grow by links, so the one before is the very same value."""
    same = blank.evaluate("""async () => {
      const { initialState, reduce } = await import("/static/js/core/state.js");
      let state = reduce(initialState(), { type: "user_message", content: "q", seq: 1, runId: "r1" });
      for (let seq = 2; seq < 5002; seq += 1) {
        const before = state;
        state = reduce(state, { type: "delta", kind: "code", content: "x", step: 1, runId: "r1", seq });
        if (seq === 2) continue;
        if (state.entries !== before.entries || state.live.code.before !== before.live.code) return seq;
      }
      return state.live.code.length;
    }""")

    assert same == 5000
