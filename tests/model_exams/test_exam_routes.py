"""Exams over HTTP: estimated, started, followed, stopped, continued after a restart; one at a time, by those who may."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.desk_server import LiveDesk, Servers, live_desk
from tests.support.openai_server import OpenAIServer, Reply, Says, Seen, Stalls

MODEL = "openai:fixed"
ACCEPTED = {"model": MODEL, "acceptUnknownPrice": True}


class Fixed:
    """Answers 342 to all; while `stalls` a reply begins and does not end."""

    stalls = False

    def __call__(self, received: Seen) -> Reply:
        return Stalls("<code>") if self.stalls else Says("<code>final_answer(342)</code>")


@pytest.fixture
def model() -> Fixed:
    return Fixed()


@pytest.fixture
def server(model: Fixed) -> Iterator[OpenAIServer]:
    with OpenAIServer(model) as server:
        yield server


def settings(server: OpenAIServer) -> dict[str, Any]:
    return {"model": MODEL, "openai_base_url": server.base_url, "openai_api_key": "sk-x", "model_retries": 0}


@pytest.fixture
def desk(tmp_path: Path, server: OpenAIServer) -> Iterator[LiveDesk]:
    with live_desk(tmp_path, **settings(server)) as live:
        yield live


def until(client: httpx.Client, exam_id: str, state: str) -> dict[str, Any]:
    deadline = time.monotonic() + 120
    while (exam := client.get(f"/api/exams/{exam_id}").json())["state"] != state:
        assert time.monotonic() < deadline, exam
        time.sleep(0.1)
    return exam


def start(client: httpx.Client, **body: Any) -> dict[str, Any]:
    response = client.post("/api/exams", json=ACCEPTED | body)
    assert response.status_code == 201, response.text
    return response.json()


def error(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


@pytest.mark.slow  # 30 questions
def test_an_exam_of_the_analyst_is_estimated_run_and_listed(desk: LiveDesk) -> None:
    with desk.client(timeout=60) as client:
        assert client.get("/api/exams").json() == {"exams": [], "mayRun": True}
        expected = client.get("/api/exams/estimate", params={"model": "builtin"}).json()
        assert expected == {
            "questions": 30, "calls": 31, "inputTokens": 0, "outputTokens": 0, "cost": 0.0,
            "budgetUsd": 1.0, "maxCalls": 100,
        }  # fmt: skip
        exam = until(client, start(client, model="builtin")["id"], "finished")
        assert exam["total"]["questions"] == 30 and exam["total"]["right"] >= 5
        assert exam["totals"]["ja"]["questions"] == 10 and exam["total"]["cost"] == 0
        assert {"id", "verdict", "compared", "answer"} <= exam["results"][0].keys()
        [listed] = client.get("/api/exams").json()["exams"]
        assert (listed["model"], listed["state"], listed["total"]) == ("builtin", "finished", exam["total"])
        assert client.get("/api/chats").json()["chats"] == [], "the chats of the exam are gone"


def test_an_unknown_price_is_asked_about_and_a_budget_ends_the_exam(
    desk: LiveDesk, server: OpenAIServer
) -> None:
    with desk.client(timeout=60) as client:
        estimate = client.get("/api/exams/estimate", params={"model": MODEL}).json()
        assert (estimate["cost"], estimate["calls"]) == (None, 93)
        assert error(client.post("/api/exams", json={"model": MODEL})) == (400, "price_unknown")
        assert server.requests == []
        exam = until(client, start(client, maxCalls=2)["id"], "interrupted")
        assert (exam["code"], exam["total"]["questions"], exam["total"]["calls"]) == ("exam_budget", 2, 2)
        assert len(server.requests) == 2
        more = until(client, start(client, maxCalls=1, resume=True)["id"], "interrupted")
        assert [result["id"] for result in more["results"]][:2] == [
            result["id"] for result in exam["results"]
        ]
        assert more["total"]["questions"] == 3
        none = until(client, start(client, budgetUsd=0)["id"], "interrupted")
        assert none["total"]["questions"] == 0 and len(server.requests) == 3


def test_one_exam_at_a_time_which_stops_when_asked(
    desk: LiveDesk, server: OpenAIServer, model: Fixed
) -> None:
    model.stalls = True
    with desk.client(timeout=60) as client:
        exam_id = start(client)["id"]
        assert server.stalled.wait(60)
        assert client.get(f"/api/exams/{exam_id}").json()["state"] == "running"
        assert error(client.post("/api/exams", json={"model": "builtin"})) == (409, "exam_running")
        stopped = client.post(f"/api/exams/{exam_id}/stop").json()
        assert (stopped["state"], stopped["code"]) == ("interrupted", "stopped")
        assert error(client.post(f"/api/exams/{exam_id}/stop")) == (409, "exam_not_running")
        model.stalls = False
        assert (
            until(client, start(client, resume=True, maxCalls=1)["id"], "interrupted")["total"]["questions"]
            == 1
        )


def test_a_server_that_ends_stops_its_exam_without_a_result_for_the_open_question(
    tmp_path: Path, server: OpenAIServer, model: Fixed
) -> None:
    model.stalls = True
    with live_desk(tmp_path, **settings(server)) as desk, desk.client(timeout=60) as client:
        exam_id = start(client)["id"]
        assert server.stalled.wait(60)
    with live_desk(tmp_path, **settings(server)) as desk, desk.client(timeout=60) as client:
        exam = client.get(f"/api/exams/{exam_id}").json()
        assert (exam["state"], exam["total"]["questions"]) == ("interrupted", 0)


def test_a_wrong_request_is_explained(desk: LiveDesk) -> None:
    with desk.client() as client:
        assert error(client.post("/api/exams", json={"model": "nothing"})) == (404, "unknown_model")
        assert error(client.post("/api/exams", json=ACCEPTED | {"agent": "nobody"}))[0] == 404
        assert error(client.post("/api/exams", json=ACCEPTED | {"resume": True})) == (400, "bad_results")
        assert client.post("/api/exams", json=ACCEPTED | {"maxCalls": -1}).status_code == 422
        for exam_id in ("0" * 20, "x" * 5000, "%2e%2e"):
            assert client.get(f"/api/exams/{exam_id}").status_code == 404
        assert client.get("/api/exams").json()["exams"] == []


def test_a_desk_whose_models_are_the_operators_refuses_exams(tmp_path: Path, server: OpenAIServer) -> None:
    with live_desk(tmp_path, models="settings", **settings(server)) as desk, desk.client() as client:
        assert client.get("/api/exams").json()["mayRun"] is False
        assert error(client.post("/api/exams", json=ACCEPTED)) == (403, "refused")
        assert error(client.post(f"/api/exams/{'0' * 20}/stop")) == (403, "refused")


def test_a_killed_server_leaves_an_exam_that_can_be_continued(
    tmp_path: Path, server: OpenAIServer, model: Fixed
) -> None:
    env = {f"SMOLDESK_{name.upper()}": str(value) for name, value in settings(server).items()}
    env |= {"SMOLDESK_SANDBOX_PRELOAD": "[]", "SMOLDESK_FIND_MODELS": "false"}
    with Servers(tmp_path, **env) as servers:
        desk = servers.start()
        client = httpx.Client(base_url=desk.url, timeout=60)
        exam_id = start(client)["id"]
        deadline = time.monotonic() + 60
        while client.get(f"/api/exams/{exam_id}").json()["total"]["questions"] < 2:
            assert time.monotonic() < deadline
        model.stalls = True
        assert server.stalled.wait(60)
        desk.kill()
    model.stalls = False
    with live_desk(tmp_path / "data", **settings(server)) as live, live.client(timeout=60) as client:
        exam = client.get(f"/api/exams/{exam_id}").json()
        done = exam["total"]["questions"]
        assert exam["state"] == "interrupted" and done >= 2, json.dumps(exam)
        exam = until(client, start(client, resume=True)["id"], "finished")
        assert exam["total"]["questions"] == 30 and exam["total"]["right"] == 1
