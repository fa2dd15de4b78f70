"""Answers saved as tests over HTTP: played again without a model, against changed files, tools and agents."""

import json
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.commands import run_command
from tests.support.desk_server import ROOT, LiveDesk, live_desk
from tests.support.warm import clean_environment

SALES = "shop,total\nOsaka,10\nTokyo,20.5\nKyoto,7\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), model="builtin") as live:
        yield live


def answered(client: httpx.Client, chat: str, question: str) -> str:
    run = client.post(f"/api/chats/{chat}/runs", json={"message": question}).json()["runId"]
    deadline = time.monotonic() + 120
    while True:
        events = client.get(f"/api/chats/{chat}/events").text
        ends = [line for line in events.splitlines() if run in line and '"run_finished"' in line]
        if ends:
            return run
        assert time.monotonic() < deadline, events[-1_000:]
        time.sleep(0.1)


def asked(client: httpx.Client, *questions: str) -> tuple[str, list[str]]:
    chat = client.post("/api/chats", json={}).json()["id"]
    client.post(f"/api/chats/{chat}/files", files={"file": ("sales.csv", SALES.encode())})
    return chat, [answered(client, chat, question) for question in questions]


def saved(client: httpx.Client, chat: str, run: str, **body: Any) -> dict[str, Any]:
    response = client.post(f"/api/chats/{chat}/runs/{run}/test", json=body)
    assert response.status_code == 201, response.text
    return response.json()


def finished(client: httpx.Client, **body: Any) -> dict[str, Any]:
    response = client.post("/api/test-job", json=body)
    assert response.status_code == 201, response.text
    deadline = time.monotonic() + 120
    while (job := client.get("/api/tests").json()["job"])["state"] == "running":
        assert time.monotonic() < deadline, job
        time.sleep(0.1)
    return job


def differing(result: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(part["name"], part["expected"], part["got"]) for part in result["parts"]]


def test_an_answer_is_saved_played_again_and_follows_its_file(desk: LiveDesk, tmp_path: Path) -> None:
    with desk.client(timeout=60) as client:
        chat, [run] = asked(client, "total by shop in sales")
        test = saved(client, chat, run, name="Sales by shop")
        assert (test["name"], test["files"], test["figures"], test["tables"]) == (
            "Sales by shop",
            ["sales.csv"],
            5,
            1,
        )
        job = finished(client)
        assert (job["state"], job["results"][0]["verdict"], job["results"][0]["changed"]) == (
            "finished",
            "right",
            [],
        )
        assert job["results"][0]["calls"] == 1 and job["results"][0]["cost"] == 0
        assert [listed["id"] for listed in client.get("/api/chats").json()["chats"]] == [chat], (
            "no chat is left"
        )

        other = client.post("/api/chats", json={}).json()["id"]
        new = SALES.replace("20.5", "21.5").encode()
        client.post(f"/api/chats/{other}/files", files={"file": ("sales.csv", new)})
        assert len(client.get("/api/tests", params={"file": "sales.csv"}).json()["tests"]) == 1
        assert client.get("/api/tests", params={"file": "other.csv"}).json()["tests"] == []
        [result] = finished(client, chatId=other, file="sales.csv")["results"]
        assert result["verdict"] == "wrong" and ("Tokyo · total total", "20.50", "21.50") in differing(result)
        assert [item["name"] for item in result["changed"]] == ["file sales.csv"]
        [listed] = client.get("/api/tests").json()["tests"]
        assert listed["result"]["verdict"] == "right", "a file on trial is no result of the test"

        changed = client.patch(
            f"/api/tests/{test['id']}", json={"name": "Sales", "tolerancePercent": 10}
        ).json()
        assert (changed["name"], changed["tolerancePercent"]) == ("Sales", 10)
        assert finished(client, chatId=other, file="sales.csv")["results"][0]["verdict"] == "right"

        played = client.post(f"/api/tests/{test['id']}/version").json()
        assert played["chatId"] == chat and played["runId"] != run

        suite = client.get("/api/test-suite").content
        with zipfile.ZipFile(BytesIO(suite)) as archive:
            lines = archive.read("suite.jsonl").decode().splitlines()
        assert json.loads(lines[0])["expect"]["figures"][0] == {
            "text": "20.50", "value": 20.5, "row": "Tokyo", "column": "total total",
        }  # fmt: skip
        (tmp_path / "suite.zip").write_bytes(suite)
        (tmp_path / "sales.csv").write_bytes(new.replace(b"21.5", b"99"))
        env = clean_environment() | {"PYTHONPATH": str(ROOT), "SMOLDESK_SANDBOX_PRELOAD": "[]"}
        command = ("test", "suite.zip", "--junit", "j.xml", "--json", "out.json", "--file", "sales.csv")
        outcome = run_command(*command, cwd=tmp_path, env=env)
        assert outcome.code == 4, outcome.err
        assert "expected 20.50; got 99\n" in outcome.out and "0 of 1 answers hold" in outcome.out
        assert 'failures="1"' in (tmp_path / "j.xml").read_text()
        report = json.loads((tmp_path / "out.json").read_text())
        assert report["complete"] is True and report["totals"]["all"]["wrong"] == 1

        assert client.delete(f"/api/tests/{test['id']}").status_code == 204
        assert client.get("/api/tests").json()["tests"] == []


def test_what_cannot_be_a_test_says_why(desk: LiveDesk) -> None:
    with desk.client(timeout=60) as client:
        chat, [run] = asked(client, "how many rooms are there?")
        missing = client.post(f"/api/chats/{chat}/runs/{run[:-1]}x/test")
        assert missing.status_code == 404
        code = client.post("/api/test-job", json={"tests": ["none"]}).json()["error"]["code"]
        assert code == "unknown_test"
        assert client.patch("/api/tests/none", json={"name": "x"}).json()["error"]["code"] == "unknown_test"
        assert client.post("/api/test-job/stop").json()["error"]["code"] == "tests_not_running"


def test_of_jobs_that_start_at_once_one_runs(desk: LiveDesk) -> None:
    with desk.client(timeout=60) as client, ThreadPoolExecutor(4) as clients:
        chat, [run] = asked(client, "how many rooms are there?")
        saved(client, chat, run)
        responses = clients.map(lambda _: client.post("/api/test-job", json={}), range(4))
        assert sorted(response.status_code for response in responses) == [201, 409, 409, 409]
        client.post("/api/test-job/stop")
