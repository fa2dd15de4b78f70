"""spec/reference/tasks.md is the promise of this wire: its routes, its examples and its limits are those of the code."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from smoldesk import messages as m
from smoldesk.desk import build_desk
from smoldesk.events import Ask
from smoldesk.runs import RunOptions, RunRecord
from smoldesk.runs.runs import QUEUE_LIMIT
from smoldesk.wires import bodies
from smoldesk.wires.task_projection import (
    FINAL_STATES,
    ArtifactUpdate,
    State,
    StatusUpdate,
)
from smoldesk.wires.tasks import requests, routes
from smoldesk.wires.tasks.encoder import task_json, update_data
from smoldesk.wires.tasks.input import END_SECONDS
from smoldesk.wires.tasks.subscribe import RETRY_MS
from tests.support.desk_server import ROOT, settings_for

PAGE = (ROOT / "spec" / "reference" / "tasks.md").read_text(encoding="utf-8")
AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)


def examples(kind: str) -> list[Any]:
    result = re.findall(rf"^```json {kind}\n(.*?)^```$", PAGE, re.M | re.S)
    assert result, kind
    return [json.loads(example) for example in result]


def test_every_route_is_told_and_no_other(tmp_path: Path) -> None:
    desk = build_desk(settings_for(tmp_path))
    try:
        created = routes.router(desk).routes
    finally:
        desk.close()
    existing = {
        f"{method} {route.path}".replace("{task_id}", "{id}")
        for route in created
        if isinstance(route, APIRoute)
        for method in route.methods  # pyright: ignore[reportOptionalIterable]
    }
    assert set(re.findall(r"^\| `((?:GET|POST) [^`]+)` \|", PAGE, re.M)) == existing


def test_every_example_of_a_body_is_taken() -> None:
    read = [requests.read_task(example, 1000) for example in examples("send")]
    assert [(task.agent, len(task.files), task.metadata) for task in read] == [
        ("demo", 0, {}),
        (None, 1, {"mine": 1}),
    ]
    answers = [requests.read_input(example) for example in examples("input")]
    assert [(answer.value, answer.reason, answer.ask_id) for answer in answers] == [
        ("y", "", None),
        ("n", "too much", "a_1"),
    ]


def test_the_examples_of_answers_are_what_the_code_makes() -> None:
    ask = Ask(id="a_1", kind="input", prompt="Continue? (y/n):", expires_at=AT.replace(minute=9))
    created_at = AT.timestamp() - 1.678
    record = RunRecord("r_1", "c_1", "waiting", "confirm something", created_at, RunOptions(), created_at)
    [task] = examples("task")
    assert task_json(record, StatusUpdate("input_required", AT, ask=ask), AT, []) == task
    [status] = examples("status")
    end = StatusUpdate("completed", AT.replace(second=9, microsecond=0))
    assert update_data(end, "r_1", "c_1") == ("status", status)
    [artifact] = examples("artifact")
    piece = ArtifactUpdate(0, m.Text(content="Line 2.\n"), append=True, is_final=False)
    assert update_data(piece, "r_1", "c_1") == ("artifact", artifact)


@pytest.mark.parametrize("state", State.__args__)
def test_every_state_is_told(state: str) -> None:
    assert f"`{state}`" in PAGE


def test_the_limits_are_those_of_the_code() -> None:
    assert f"retry: {RETRY_MS}\n" in PAGE
    assert f"1 to {routes.MAX_TASKS}" in PAGE
    assert f"up to {bodies.MAX_METADATA:,} characters" in PAGE
    assert f"after {END_SECONDS:g} s at the latest" in PAGE
    assert f"{QUEUE_LIMIT} tasks are open" in PAGE
    assert f"{bodies.MAX_PARTS:,} parts, {bodies.MAX_FILES} files" in PAGE
    assert (routes.BODY_LIMIT, routes.INPUT_LIMIT, requests.MAX_MARKS) == (16 << 20, 2 << 20, 500_000)
    assert FINAL_STATES == ("completed", "failed", "canceled")
