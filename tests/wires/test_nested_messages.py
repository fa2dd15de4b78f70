"""What wires make of a managed agent's work: its outputs for everyone, its words and steps for nobody but the page."""

from datetime import UTC, datetime

import pytest

from smoldesk import messages as m
from smoldesk.events import Delta, Nested, NestedEvent, RunFinished, Shown, StepFinished, StoredEvent
from smoldesk.wires.ai_sdk.encoder import ChunkEncoder
from smoldesk.wires.four_pane.encoder import encode_event
from smoldesk.wires.four_pane.protocol_1_2 import to_1_2
from smoldesk.wires.task_projection import ArtifactUpdate, TaskProjection

IMAGE = Shown(message=m.Image(format="png", file_id="f_1"))
WORDS = [
    Shown(message=m.Text(content="inner")),
    Shown(message=m.Code(content="1", step="Step 1")),
    Shown(message=m.Error(content="no luck")),
    Delta(step=1, kind="text", text="inner"),
    Delta(step=1, kind="output", text="inner"),
    StepFinished(step=1, memory={"code_action": "1", "observations": "inner"}, duration=0.1),
]


def stored(event: object) -> StoredEvent:
    body = {"chat_id": "c", "seq": 1, "run_id": "r", "at": datetime.now(UTC), "event": event}
    return StoredEvent.model_validate(body)


def nested(event: NestedEvent) -> Nested:
    return Nested(within="r.1", agent="searcher", event=event)


@pytest.mark.parametrize("event", WORDS)
def test_its_words_are_no_artifact_no_chunk_and_nothing_to_a_client_of_1_2(event: NestedEvent) -> None:
    work = nested(event)
    projection, encoder = TaskProjection(), ChunkEncoder("sse")
    assert projection.take(stored(work)) == []
    assert encoder.take(stored(work)) == []
    message = encode_event(work, "r")
    assert message is None or to_1_2(m.as_json(message) | {"seq": 1, "runId": "r"}) is None
    [artifact, _] = projection.take(stored(RunFinished(text="The answer")))
    assert isinstance(artifact, ArtifactUpdate) and artifact.message == m.Text(content="The answer")
    messages = [chunk.get("delta") for chunk in encoder.take(stored(RunFinished(text="The answer")))]
    assert "The answer" in messages


def test_what_it_shows_is_shown_to_all() -> None:
    work = nested(IMAGE)
    [artifact] = TaskProjection().take(stored(work))
    assert isinstance(artifact, ArtifactUpdate) and artifact.message == IMAGE.message
    assert [chunk["type"] for chunk in ChunkEncoder("sse").take(stored(work))] == ["file", "data-image"]
    message = encode_event(work, "r")
    assert message is not None
    plain = to_1_2(m.as_json(message) | {"seq": 1, "runId": "r"})
    assert plain == m.as_json(IMAGE.message) | {"seq": 1, "runId": "r"}
