"""Managed agents over the UI message stream: their calls and outputs are parts, their words are not the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.scripted_model import code
from tests.support.team_desk import Team, team_desk
from tests.support.ui_client import SseClient, of_type, said, types
from tests.wires.ai_sdk.strict import faults


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    with team_desk(tmp_path) as team:
        yield team


def test_an_approval_within_one_is_asked_and_answered_and_only_the_run_answers(team: Team) -> None:
    team.scripts(
        [code("found = searcher(task='Pay.')\nfinal_answer('The end: ' + found)")],
        [
            code("display_me = pay('30')\nopen('receipt.txt', 'w').write(display_me)", "Inner thought."),
            code("final_answer('inner answer')"),
        ],
    )
    with SseClient(team.live.url, query="?agent=boss") as client:
        first = client.ask("pay")
        assert "tool-approval-request" in types(first) and types(first)[-1] == "finish"
        calls = {chunk["toolCallId"]: chunk["toolName"] for chunk in of_type(first, "tool-input-start")}
        [requested] = of_type(first, "tool-approval-request")
        assert calls[requested["toolCallId"]] == "pay"
        second = client.answer(True)
    ends = [
        (calls.get(item["toolCallId"]), item["output"]) for item in of_type(second, "tool-output-available")
    ]
    assert ends[:2] == [("pay", "paid 30"), ("searcher", "inner answer")]
    assert [chunk["data"]["name"] for chunk in of_type(second, "data-file")] == ["receipt.txt"]
    assert team.ran == ["30"]
    text = said(first) + said(second)
    assert "The end: inner answer" in text and "Inner thought." not in text
    assert second[-1]["messageMetadata"]["usage"]["promptTokens"] == 30
    assert faults(first) == faults(second) == []
