"""What an agent elsewhere sends, folded: the same answer and the same words, streamed, looked at, or both in turn."""

from typing import Any

import pytest
from a2a.types import StreamResponse
from google.protobuf.json_format import ParseDict
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.agents.a2a_client.entries import AgentFailed
from smoldesk.agents.a2a_client.remote_task import RemoteTask


def update(**payload: Any) -> StreamResponse:
    return ParseDict(payload, StreamResponse())


def artifact(text: str, artifact_id: str = "a", append: bool = False, **part: Any) -> StreamResponse:
    artifact_json = {"artifactId": artifact_id, "parts": [{"text": text, **part}]}
    return update(
        artifactUpdate={"taskId": "t", "contextId": "c", "artifact": artifact_json, "append": append}
    )


def status(state: str, text: str = "") -> StreamResponse:
    return update(statusUpdate={"taskId": "t", "contextId": "c", "status": _status(state, text)})


def task(state: str, *texts: str, text: str = "", history: list[str] | None = None) -> StreamResponse:
    artifacts = [{"artifactId": str(n), "parts": [{"text": text}]} for n, text in enumerate(texts)]
    history_json = [
        {"messageId": "h", "role": "ROLE_AGENT", "parts": [{"text": text}]} for text in history or []
    ]
    task_json = {
        "id": "t",
        "contextId": "c",
        "status": _status(state, text),
        "artifacts": artifacts,
        "history": history_json,
    }
    return update(task=task_json)


def _status(state: str, text: str) -> dict[str, Any]:
    message = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": text}]}
    return {"state": f"TASK_STATE_{state}"} | ({"message": message} if text else {})


def progress(work: RemoteTask, *updates: StreamResponse) -> str:
    return "".join(work.apply(update) for update in updates)


def test_words_stand_on_lines_of_their_own_and_text_runs_on() -> None:
    work = RemoteTask()
    progress_texts = progress(
        work,
        status("WORKING", "Looking."),
        artifact("One "),
        artifact("two", append=True),
        status("WORKING", "Writing."),
        status("WORKING", "Writing."),
        artifact("Three", "b"),
        status("COMPLETED", "Three"),
    )
    assert progress_texts == "Looking.\nOne two\nWriting.\nThree\nThree\n"
    assert work.answer() == "One two\n\nThree", "what an artifact says already, the end does not say again"


def test_an_artifact_that_comes_again_takes_the_place_of_the_first() -> None:
    work = RemoteTask()
    assert progress(work, artifact("old"), artifact("new")) == "old\nnew"
    assert work.answer() == "new"


def test_code_comes_last_in_fences() -> None:
    work = RemoteTask()
    progress(
        work,
        artifact("x = 1", "a", mediaType="text/x-python"),
        artifact("It is 1.", "b", mediaType="text/markdown"),
    )
    assert work.answer() == "It is 1.\n\n```\nx = 1\n```"


def test_an_end_without_artifacts_answers_with_its_words_or_the_last_of_its_history() -> None:
    for end, answer in (
        (task("COMPLETED", text="Done."), "Done."),
        (task("COMPLETED", history=["first", "last"]), "last"),
        (task("COMPLETED"), ""),
    ):
        work = RemoteTask()
        progress(work, task("WORKING"), end)
        assert work.answer() == answer


@given(st.lists(st.text(alphabet="ab \n", min_size=1, max_size=6), min_size=1, max_size=8))
def test_looking_again_and_again_tells_no_word_twice(pieces: list[str]) -> None:
    streamed, polled = RemoteTask(), RemoteTask()
    full_text = "".join(pieces)
    by_stream = progress(streamed, *(artifact(piece, append=at > 0) for at, piece in enumerate(pieces)))
    sums = ["".join(pieces[: at + 1]) for at in range(len(pieces))]
    by_looks = progress(polled, *(task("WORKING", text) for text in [*sums, full_text]))
    assert by_stream == by_looks == full_text
    assert streamed.answer() == polled.answer() == full_text.strip()


def test_options_are_taken_from_the_data_of_a_question() -> None:
    parts = [{"text": "Which?"}, {"data": {"ask": {"options": ["a", "b"]}}}]
    message = {"messageId": "m", "role": "ROLE_AGENT", "parts": parts}
    question = {
        "taskId": "t",
        "contextId": "c",
        "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": message},
    }
    work = RemoteTask()
    progress(work, update(statusUpdate=question))
    assert (work.is_asking, work.status_text, work.options, work.question_id) == (
        True,
        "Which?",
        ["a", "b"],
        "m",
    )
    progress(work, status("WORKING"))
    assert work.options == []


def test_looks_at_a_task_count_nothing_twice_and_words_may_come_one_by_one() -> None:
    file = {"url": "http://192.0.2.1/x", "filename": "x"}
    artifacts = [{"artifactId": str(number), "parts": [{"text": "a"}, file]} for number in range(20)]
    poll = update(
        task={"id": "t", "contextId": "c", "status": _status("WORKING", ""), "artifacts": artifacts}
    )
    work = RemoteTask()
    progress(work, *[poll] * 1_000)
    assert len(work.files()) == 20
    spoken = RemoteTask()
    progress(spoken, artifact("a"), *[artifact("a", append=True)] * 20_000)
    assert len(spoken.answer()) == 20_001


def test_files_that_are_added_without_end_are_a_fault() -> None:
    file = [{"url": "http://192.0.2.1/x", "filename": "x"}] * 1_000
    more = {"taskId": "t", "contextId": "c", "artifact": {"artifactId": "a", "parts": file}, "append": True}
    work = RemoteTask()
    progress(work, artifact("", "a"), *[update(artifactUpdate=more)] * 4)
    with pytest.raises(AgentFailed, match="5,000 parts"):
        progress(work, update(artifactUpdate=more))


def test_more_artifacts_than_are_taken_are_a_fault() -> None:
    work = RemoteTask()
    with pytest.raises(AgentFailed, match="5,000 parts"):
        progress(work, *(artifact("", str(number)) for number in range(5_002)))
