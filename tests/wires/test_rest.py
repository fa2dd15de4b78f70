"""Plain HTTP: chats, files in and out, events as lines, and what bad input gets."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.inside_desk import InsideDesk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    def model() -> ScriptedModel:
        return ScriptedModel([code("import os\nfinal_answer(', '.join(sorted(os.listdir())))")])

    with live_desk(tmp_path_factory.mktemp("desk"), model, upload_limit_mb=0.1) as live:
        yield live


def upload(http: httpx.Client, chat: str, name: str, content: bytes = b"a,b\n1,2\n") -> httpx.Response:
    return http.post(f"/api/chats/{chat}/files", files={"file": (name, content)})


def everything_on_disk(desk: LiveDesk | InsideDesk) -> set[str]:
    root = desk.desk.data_dir.root
    return {str(path.relative_to(root)) for path in root.rglob("*") if "smoldesk.db" not in path.name}


def test_a_chat_lives_from_post_to_delete(http: httpx.Client) -> None:
    response = http.post("/api/chats", json={"title": "Sales"})
    assert response.status_code == 201
    chat = response.json()
    assert http.get(f"/api/chats/{chat['id']}").json() == chat
    renamed = http.patch(f"/api/chats/{chat['id']}", json={"title": "Sales 2026"}).json()
    assert renamed["title"] == "Sales 2026"
    assert chat["id"] in [c["id"] for c in http.get("/api/chats").json()["chats"]]
    assert http.delete(f"/api/chats/{chat['id']}").status_code == 204
    gone = http.get(f"/api/chats/{chat['id']}")
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "not_found")


def test_a_run_started_over_http_is_in_the_log(http: httpx.Client, desk: LiveDesk, chat: str) -> None:
    upload(http, chat, "mine.csv")
    run = http.post(f"/api/chats/{chat}/runs", json={"message": "list"})
    assert run.status_code == 202
    with WsClient(desk.ws_url, f"?chat={chat}&after=0").greeted() as client:
        messages = client.until_closed()
    assert messages[-1]["content"] == messages[-1]["content"] | {
        "runId": run.json()["runId"],
        "text": "mine.csv",
    }
    lines = [json.loads(line) for line in http.get(f"/api/chats/{chat}/events").text.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[0]["event"]["type"] == "file_added"
    assert lines[-1]["event"]["type"] == "run_finished"
    remaining = http.get(f"/api/chats/{chat}/events", params={"after": lines[-2]["seq"]}).text.splitlines()
    assert len(remaining) == 1


def test_an_upload_comes_back_as_it_went_in(http: httpx.Client, chat: str) -> None:
    content = bytes(range(256)) * 10
    answer = upload(http, chat, "売上 2024.csv", content)
    assert answer.status_code == 201
    file = answer.json()
    assert (file["name"], file["size"]) == ("売上 2024.csv", 2560)
    back = http.get(file["url"])
    assert back.content == content
    assert back.headers["content-disposition"].startswith("attachment")
    assert back.headers["x-content-type-options"] == "nosniff"
    assert [f["name"] for f in http.get(f"/api/chats/{chat}/files").json()["files"]] == ["売上 2024.csv"]


def test_a_second_file_of_a_name_does_not_replace_the_first(http: httpx.Client, chat: str) -> None:
    first, second = upload(http, chat, "a.csv", b"1").json(), upload(http, chat, "a.csv", b"2").json()
    assert (first["name"], second["name"]) == ("a.csv", "a (2).csv")
    assert (http.get(first["url"]).content, http.get(second["url"]).content) == (b"1", b"2")


@pytest.mark.parametrize(
    "name", ["../../evil.csv", "a/b.csv", "/etc/cron.d/x", "x\\y.csv", "n" * 300, ".hidden", ".."]
)
def test_a_bad_name_is_refused_and_nothing_is_written(
    inside_http: httpx.Client, inside: InsideDesk, inside_chat: str, name: str
) -> None:
    before = everything_on_disk(inside)
    answer = upload(inside_http, inside_chat, name)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["hint"]
    assert everything_on_disk(inside) <= before | {f"chats/{inside_chat}"}


@pytest.mark.parametrize("character", [b"\x00", b"\x01", b"\x7f"])
def test_a_control_character_in_a_name_is_refused(
    inside_http: httpx.Client, inside: InsideDesk, inside_chat: str, character: bytes
) -> None:
    before = everything_on_disk(inside)
    head = b'--B\r\nContent-Disposition: form-data; name="file"; filename="a' + character + b'b.csv"'
    body = head + b"\r\n\r\n1\r\n--B--\r\n"
    answer = inside_http.post(
        f"/api/chats/{inside_chat}/files",
        content=body,
        headers={"content-type": "multipart/form-data; boundary=B"},
    )
    assert answer.status_code == 400
    assert everything_on_disk(inside) <= before | {f"chats/{inside_chat}"}


def test_an_empty_and_a_too_large_file_are_refused(http: httpx.Client, desk: LiveDesk, chat: str) -> None:
    before = everything_on_disk(desk)
    empty = upload(http, chat, "empty.csv", b"")
    assert (empty.status_code, empty.json()["error"]["code"]) == (400, "empty_file")
    large = upload(http, chat, "large.csv", b"x" * 100_001)
    assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")
    huge = upload(http, chat, "huge.csv", b"x" * 2_000_000)
    assert (huge.status_code, huge.json()["error"]["code"]) == (413, "too_large")
    assert everything_on_disk(desk) <= before | {f"chats/{chat}"}


def test_what_is_no_form_is_refused(inside_http: httpx.Client, inside_chat: str) -> None:
    for answer in (
        inside_http.post(f"/api/chats/{inside_chat}/files", json={"file": "x"}),
        inside_http.post(
            f"/api/chats/{inside_chat}/files", content=b"--", headers={"content-type": "multipart/form-data"}
        ),
        inside_http.post(f"/api/chats/{inside_chat}/files", files={"other": ("a.csv", b"1")}),
        inside_http.post(f"/api/chats/{inside_chat}/files", data={"file": "text"}),
        inside_http.post(
            f"/api/chats/{inside_chat}/files", data={"more": "text"}, files={"file": ("a.csv", b"1")}
        ),
    ):
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["code"] in ("not_a_form", "missing_field")


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/chats/{chat}/runs", {}, 422),
        ("POST", "/api/chats/{chat}/runs", {"message": ""}, 422),
        ("POST", "/api/chats/{chat}/runs", {"message": "  "}, 400),
        ("POST", "/api/chats/{chat}/runs", {"message": 7}, 422),
        ("POST", "/api/chats/c_nobody/runs", {"message": "x"}, 404),
        ("POST", "/api/asks/a_nothing", {"granted": True}, 404),
        ("POST", "/api/asks/a_nothing", {"granted": "maybe"}, 422),
        ("PATCH", "/api/chats/c_nobody", {"title": "x"}, 404),
        ("PATCH", "/api/chats/{chat}", {"title": "x" * 201}, 422),
        ("DELETE", "/api/chats/c_nobody", None, 404),
        ("GET", "/api/chats/c_nobody/events", None, 404),
        ("GET", "/api/chats/{chat}/events?after=-1", None, 422),
        ("GET", "/api/chats/{chat}/files/nothing.csv", None, 404),
        ("GET", "/api/chats/{chat}/tables/f_nothing", None, 404),
        ("GET", "/api/nowhere", None, 404),
        ("PUT", "/api/chats", None, 405),
    ],
)
def test_bad_requests_say_what_was_expected(
    inside_http: httpx.Client, inside_chat: str, method: str, path: str, body: object, status: int
) -> None:
    answer = inside_http.request(method, path.format(chat=inside_chat), json=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["code"]
    assert answer.json()["error"]["message"]


def test_a_busy_chat_is_not_deleted(http: httpx.Client, desk: LiveDesk, chat: str) -> None:
    from smoldesk.store import run_queue

    run = desk.desk.store.submit(lambda tx: run_queue.enqueue_run(tx, chat, "x", 5)).result()
    answer = http.delete(f"/api/chats/{chat}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "chat_busy")
    desk.desk.store.submit(lambda tx: run_queue.request_cancel(tx, run.id, "test")).result()
    assert http.delete(f"/api/chats/{chat}").status_code == 204


def test_only_what_is_meant_is_served_of_the_backend(inside_http: httpx.Client) -> None:
    assert inside_http.get("/backend/data/floors/floor_1f.webp").status_code == 200
    for path in (
        "/backend/main.py",
        "/backend/data/building.json",
        "/backend/data/floors/../../main.py",
        "/backend/data/floors/%2e%2e/%2e%2e/main.py",
        "/static/../backend/main.py",
        "/static/%2e%2e/backend/settings.py",
        "/static//etc/passwd",
    ):
        assert inside_http.get(path).status_code == 404, path


def test_health_metrics_and_docs_answer(http: httpx.Client) -> None:
    health = http.get("/healthz").json()
    assert health["status"] == "ok"
    assert health["isolation"]["label"] and health["isolation"]["reasons"]
    metrics = http.get("/metrics").text
    assert 'smoldesk_runs_ended_total{event="run_finished"}' in metrics
    assert "smoldesk_cells_waiting 0.0" in metrics
    docs = http.get("/docs").text
    assert "/api/chats/{chat_id}/runs" in docs
    assert "<script" not in docs


def test_a_shown_table_downloads_as_csv(tmp_path_factory: pytest.TempPathFactory) -> None:
    frame = "pd.DataFrame({'room': ['Kitchen, left', None], '温度': [21.5, 3], 'open': [True, False]})"
    reply = code(f"import pandas as pd\nrooms = {frame}\nrooms")
    replies = ScriptedModel([reply, code("final_answer('ok')")])
    with live_desk(tmp_path_factory.mktemp("tables"), lambda: replies) as live:
        with WsClient(live.ws_url) as client:
            chat = client.hello()
            table = next(message for message in client.ask("show") if message["type"] == "table")
        got = httpx.get(f"{live.url}{table['url']}/csv", timeout=30)
        elsewhere = httpx.get(f"{live.url}/api/chats/{chat}/tables/f_nothing/csv", timeout=30)
    assert got.text.splitlines() == ["room,温度,open", '"Kitchen, left",21.5,True', ",3.0,False"]
    assert got.headers["content-type"] == "text/csv; charset=utf-8"
    assert got.headers["content-disposition"].startswith("attachment")
    assert "rooms.csv" in got.headers["content-disposition"]
    assert elsewhere.status_code == 404


def test_the_built_in_analyst_knows_an_uploaded_table(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, httpx.Client(base_url=live.url, timeout=30) as http:
        chat = http.post("/api/chats").json()["id"]
        upload(http, chat, "sales.csv", b"region,units\nnorth,3\nsouth,5\nnorth,4\n")
        with WsClient(live.ws_url, f"?chat={chat}&after=0").greeted() as client:
            answer = client.ask("total units by region")[-1]["content"]["text"]
    assert "north: 7" in answer
    assert "south: 5" in answer
