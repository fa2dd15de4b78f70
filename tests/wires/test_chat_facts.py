"""A fact about a chat is passed over by the wires that show runs alone, because somebody decided so for each of them."""

import typing
from datetime import UTC, datetime
from typing import Any

import pytest

from smoldesk import events as e
from smoldesk.buildings.building import Building
from smoldesk.wires.ai_sdk.encoder import ChunkEncoder
from smoldesk.wires.openai_api.encoder import AnswerEncoder
from smoldesk.wires.task_projection import TaskProjection
from smoldesk.wires.tasks.input import was_accepted

PASSED_OVER = {
    *("FileAdded", "FileChanged", "FileRemoved", "VariablesLost", "ArrowsCleared", "BuildingChosen"),
    *("RoomsSelected", "AgentChosen", "ModelChosen", "LateOutput", "BranchMade", "BranchBegun"),
    *("ChatImported", "PolicySet", "StateShared", "ReadingKept", "VersionShown", "ChartChanged"),
    *("ClosuresChanged", "LayerShown"),
}
"""A new fact comes in here once the answers of tasks, of A2A, of OpenAI's API and of the UI stream have no need of it."""
KINDS: tuple[type[e.ChatEvent], ...] = typing.get_args(e.ChatEvent)


def test_each_fact_about_a_chat_was_decided_on() -> None:
    assert {kind.__name__ for kind in KINDS} == PASSED_OVER
    assert {kind.__name__ for kind in e.ChatFact.__subclasses__()} == PASSED_OVER


@pytest.mark.parametrize("kind", KINDS)
def test_a_fact_about_a_chat_is_no_part_of_an_answer(kind: Any) -> None:
    fact = kind.model_construct()
    stored = e.StoredEvent.model_construct(
        chat_id="c_1", seq=1, run_id=None, at=datetime(2026, 1, 2, tzinfo=UTC), event=fact
    )
    assert ChunkEncoder("sse", model="builtin", chat_id="c_1").take(stored) == []
    assert AnswerEncoder("c_1", "http://desk", Building.load()).take(stored) == []
    assert TaskProjection().take(stored) == []
    assert not was_accepted(fact)
