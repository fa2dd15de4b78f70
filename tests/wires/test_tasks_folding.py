"""From events to artifacts and states, without a server: what each event becomes, and that no cut of the log changes it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk import messages as m
from smoldesk.events import (
    AnyEvent,
    Ask,
    AskClosed,
    AskOpened,
    Delta,
    Printed,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunQueued,
    RunResumed,
    RunStarted,
    RunWaiting,
    Shown,
    StepStarted,
    StoredEvent,
    ToolProgress,
)
from smoldesk.wires.serialization import time_text
from smoldesk.wires.task_projection import (
    ArtifactUpdate,
    StatusUpdate,
    TaskProjection,
    TaskSnapshot,
    Update,
)
from smoldesk.wires.tasks.encoder import artifact_of, question, status_of
from smoldesk.wires.tasks.models import Artifact, TaskPosition

AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
TABLE = m.TableContent(
    table_id="f_1", name="rooms", columns=[m.Column(name="a", kind="number")], rows=[[1]], row_count=1
)


def stored(events: list[AnyEvent]) -> list[StoredEvent]:
    return [
        StoredEvent(chat_id="c_1", seq=10 + number, run_id="r_1", at=AT, event=event)
        for number, event in enumerate(events)
    ]


def placed(events: list[StoredEvent]) -> list[tuple[TaskPosition, Update]]:
    """All updates with their places, as a stream numbers them."""
    fold, results = TaskProjection(), list[tuple[TaskPosition, Update]]()
    for event in events:
        updates = fold.take(event)
        for part, update in enumerate(updates, 1):
            results.append(
                (TaskPosition(event.seq, part) if part < len(updates) else TaskPosition(event.seq), update)
            )
    return results


def whole(updates: list[Update]) -> TaskSnapshot:
    task_snapshot = TaskSnapshot()
    for update in updates:
        task_snapshot.add(update)
    return task_snapshot


def folded(*events: AnyEvent) -> TaskSnapshot:
    return whole([update for _, update in placed(stored([*events]))])


def output(text: str) -> Delta:
    return Delta(step=1, kind="output", text=text)


def debug() -> Shown:
    return Shown(
        message=m.Debug(content=m.DebugContent(agent_response={}, parsed_outputs=[], output_count=0))
    )


def artifacts(results: TaskSnapshot) -> list[Artifact]:
    return [artifact_of(message, "c_1") for message in results.outputs()]


def words(results: TaskSnapshot) -> list[tuple[str, str]]:
    return [(artifact["type"], artifact["parts"][0]["text"]) for artifact in artifacts(results)]


def ask(**about: Any) -> Ask:
    return Ask(
        id="a_1",
        expires_at=AT,
        **{"kind": "input", "prompt": "Name: ", "input_type": "text", **about},  # pyright: ignore[reportArgumentType]
    )


# --- artifacts -----------------------------------------------------------------------------------------------------


def test_text_comes_in_pieces_and_what_repeats_it_ends_it_and_adds_nothing() -> None:
    events = stored([output("one\n"), output("two\n"), debug(), Shown(message=m.Text(content="one\ntwo"))])
    updates = [update for _, update in placed(events)]
    assert [(u.index, u.append, u.is_final, u.message.content) for u in updates] == [  # pyright: ignore
        (0, False, False, "one\n"),
        (0, True, False, "two\n"),
        (0, True, True, ""),
    ]
    assert words(whole(updates)) == [("text", "one\ntwo\n")]


def test_text_code_text_stay_in_their_order() -> None:
    result = folded(
        *(output("before"), debug(), Shown(message=m.Text(content="before"))),
        Shown(message=m.Code(content="x = 1", language="c++")),
        *(output("after"), debug(), Shown(message=m.Text(content="after"))),
    )
    assert words(result) == [("text", "before"), ("code", "x = 1"), ("text", "after")]


def test_output_that_turns_out_to_be_something_else_is_replaced() -> None:
    result = folded(output("```py\nx\n```\n"), debug(), Shown(message=m.Code(content="x", language="py")))
    assert words(result) == [("code", "x")]


def test_the_error_of_a_run_that_breaks_off_replaces_nothing() -> None:
    failed = RunFailed(code="program_exited", message="It exited with code 3.")
    result = folded(output("half a li"), Shown(message=m.Error(content="It exited with code 3.")), failed)
    assert words(result) == [("text", "half a li"), ("text", "It exited with code 3.")]
    assert artifacts(result)[1]["metadata"]["isError"] is True
    assert result.status is not None and result.status.state == "failed"


def test_an_answer_that_was_not_shown_is_a_text_of_its_own() -> None:
    assert words(folded(RunFinished(text="42"))) == [("text", "42")]
    assert words(
        folded(StepStarted(step=1), Shown(message=m.Text(content="42")), RunFinished(text="42"))
    ) == [("text", "42")]
    assert words(folded(output("a long story"), RunFinished(text="a lo"))) == [("text", "a long story")]
    assert words(folded(RunFinished(text="  "))) == []


def test_an_answer_in_blocks_is_not_said_twice() -> None:
    answer = "See:\n```python\nx = 1\n```\n"
    displayed = [Shown(message=m.Text(content="See:")), Shown(message=m.Code(content="x = 1"))]
    assert words(folded(StepStarted(step=1), *displayed, RunFinished(text=answer))) == [
        ("text", "See:"),
        ("code", "x = 1"),
    ]


def test_a_notice_is_no_part_of_the_answer_and_questions_between_its_texts_change_nothing() -> None:
    item, notice = m.Text(content="one"), m.Text(content="3 characters are left out", tone="notice")
    result = folded(Shown(message=item), Shown(message=notice), StepStarted(step=2), RunFinished(text="one"))
    assert words(result) == [("text", "one"), ("text", "3 characters are left out")]


@pytest.mark.parametrize(
    ("message", "type", "name"),
    [
        (m.Text(content="hm", tone="notice"), "text", "notice"),
        (m.Code(content="x", language="python"), "code", "code"),
        (m.Error(content="no", code="gone"), "text", "error"),
        (m.Json(content=[1, {"a": None}]), "data", "json_output"),
        (m.Table(content=TABLE), "data", "rooms"),
        (m.Image(format="png", file_id="f_2", path="a plot.png"), "file", "a plot.png"),
        (m.File(content=m.FileContent(file_id="f_3", name="o.csv", size=3, media_type="text/csv")), "file", "o.csv"),
        (m.ClearMap(content=m.Empty()), "data", "clear_map"),
    ],
)  # fmt: skip
def test_each_kind_of_message_is_an_artifact(message: m.StepOutput, type: str, name: str) -> None:
    artifact = artifact_of(message, "c_1")
    assert (artifact["type"], artifact["name"]) == (type, name)
    assert artifact["parts"]


@pytest.mark.parametrize(
    ("language", "expected"),
    [("python", "text/x-python"), ("bash", "text/x-shellscript"), ("rust", "text/plain")],
)
def test_code_has_the_media_type_of_its_language(language: str, expected: str) -> None:
    assert artifact_of(m.Code(content="", language=language), "c")["metadata"]["mimeType"] == expected


def test_an_image_and_a_file_say_where_they_are() -> None:
    image = artifact_of(m.Image(format="jpg", file_id="f_2", path="a plot.jpg"), "c_1")
    url = "/api/chats/c_1/files/a%20plot.jpg?v=f_2"
    assert image["parts"][1]["file"] == {"name": "a plot.jpg", "mimeType": "image/jpeg", "uri": url}
    assert image["metadata"]["path"] == "a plot.jpg"


def test_a_file_that_was_only_spoken_of_has_no_address() -> None:
    spoken = m.FileContent(file_id="", name="out/new.csv", size=0, media_type="text/csv")
    artifact = artifact_of(m.File(content=spoken), "c_1")
    assert artifact == {
        "type": "file",
        "name": "out/new.csv",
        "parts": [{"type": "text", "text": "File: out/new.csv"}],
        "metadata": {"path": "out/new.csv"},
    }


# --- states --------------------------------------------------------------------------------------------------------


def test_a_run_that_asks_is_input_required_and_then_works_again() -> None:
    opened, closed = AskOpened(ask=ask()), AskClosed(ask_id="a_1", granted=True, value="Bo")
    progress = ToolProgress(
        step=1, call_id="t1", tool="ask_agent", agent="b", text="no artifact", state="waiting"
    )
    events = [
        *(RunQueued(message="go"), RunStarted(message="go"), opened, RunWaiting(ask_ids=["a_1"])),
        *(closed, RunResumed(), Printed(step=1, text="no artifact"), progress, RunFinished(text="")),
    ]
    updates = [update for _, update in placed(stored([*events])) if isinstance(update, StatusUpdate)]
    assert [update.state for update in updates] == ["working", "input_required", "working", "completed"]
    assert updates[1].ask == ask()
    assert [update.is_end for update in updates] == [False, False, False, True]


def test_a_task_that_waits_for_others_is_submitted_first() -> None:
    assert [
        u.state for _, u in placed(stored([RunQueued(message="go", ahead=1)])) if isinstance(u, StatusUpdate)
    ] == ["submitted"]


def test_status_message_has_one_form_in_every_state() -> None:
    keys = {"type", "prompt", "options", "default", "ask_id", "tool", "arguments", "expires_at"}
    asks = [
        ask(),
        ask(input_type="selection", options=["a", "b"], default="a"),
        ask(input_type="password"),
        ask(kind="approval", tool="pay", arguments={"word": "30"}, input_type="confirmation"),
        ask(kind="client_tool", tool="get_location", input_type="confirmation"),
    ]
    assert all(question(ask).keys() == keys for ask in asks)
    assert [question(ask)["type"] for ask in asks] == [
        "text",
        "selection",
        "password",
        "confirmation",
        "json",
    ]
    other_items: list[StatusUpdate] = [
        StatusUpdate("working", AT),
        StatusUpdate("failed", AT, failure=RunFailed(code="c", message="m")),
        StatusUpdate("canceled", AT, reason="why"),
    ]
    assert not any("message" in status_of(update) for update in other_items)
    assert status_of(other_items[1])["error"] == {"code": "c", "message": "m"}


def test_times_are_aware_and_in_utc() -> None:
    existing = AT.astimezone(tz=None)
    assert time_text(existing) == "2026-01-02T03:04:05.678Z"
    text = status_of(StatusUpdate("working", AT - timedelta(seconds=1)))["timestamp"]
    read = datetime.fromisoformat(text)
    assert read.utcoffset() == timedelta(0)


# --- any cut -------------------------------------------------------------------------------------------------------

TEXTS = st.text("ab \n`é", min_size=1, max_size=6)
SHOWN = st.one_of(
    TEXTS.map(lambda text: m.Text(content=text)),
    TEXTS.map(lambda text: m.Code(content=text)),
    TEXTS.map(lambda text: m.Error(content=text)),
    st.just(m.Table(content=TABLE)),
    st.just(m.Json(content={"a": 1})),
).map(lambda message: Shown(message=message))
EVENTS = st.lists(
    st.one_of(
        TEXTS.map(output),
        TEXTS.map(lambda text: Delta(step=1, kind="text", text=text)),
        SHOWN,
        st.builds(debug),
        st.just(StepStarted(step=1)),
        st.just(AskOpened(ask=ask())),
        st.just(RunWaiting(ask_ids=["a_1"])),
        st.just(AskClosed(ask_id="a_1", granted=True)),
        st.just(RunResumed()),
    ),
    max_size=25,
)
CLOSINGS = st.one_of(
    TEXTS.map(lambda text: RunFinished(text=text)),
    st.just(RunFailed(code="c", message="m")),
    st.just(RunCancelled(reason="r")),
)


@given(EVENTS, CLOSINGS, st.data())
def test_every_cut_of_the_log_gives_the_same_task(
    events: list[AnyEvent], closing: AnyEvent, data: st.DataObject
) -> None:
    """A client that has the updates up to a place, and gets those after it from a new fold, has them all."""
    log = stored([*events, closing])
    updates = placed(log)
    cut = data.draw(st.sampled_from([TaskPosition(0), *(place for place, _ in updates)]))
    before = [update for place, update in updates if place <= cut]
    remaining = [update for place, update in placed(log) if place > cut]
    expected = whole([update for _, update in updates])
    assert artifacts(whole([*before, *remaining])) == artifacts(expected)
    assert whole([*before, *remaining]).status == expected.status
    assert len({place for place, _ in updates}) == len(updates), "each update has a place of its own"
    assert [place for place, _ in updates] == sorted(place for place, _ in updates)


@given(st.lists(TEXTS, max_size=10), CLOSINGS)
def test_no_character_of_the_output_is_lost(pieces: list[str], closing: AnyEvent) -> None:
    result = folded(*map(output, pieces), closing)
    if pieces:
        assert words(result)[0] == ("text", "".join(pieces))


@given(EVENTS, CLOSINGS)
def test_there_is_exactly_one_end_and_it_is_last(events: list[AnyEvent], closing: AnyEvent) -> None:
    updates = [update for _, update in placed(stored([*events, closing]))]
    ends = [isinstance(update, StatusUpdate) and update.is_end for update in updates]
    assert ends.count(True) == 1 and ends[-1]


@given(EVENTS)
def test_an_index_is_never_skipped(events: list[AnyEvent]) -> None:
    count = 0
    for _, update in placed(stored(events)):
        if isinstance(update, ArtifactUpdate):
            assert update.index <= count
            count = max(count, update.index + 1)
