"""What is kept: chats that were pinned, deleted and had back; messages that are sent again; and what a restart leaves.

A message that a client sends again, under the name it gave it, is one run: on each wire, also after a restart.
"""

from pathlib import Path

import httpx
import pytest

from smoldesk.chats import chats as service
from smoldesk.tools.run_context import RunContext
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.ws_client import WsClient, of_type


def echo(message: str, ctx: RunContext) -> str:
    return f"You said: {message}"


def asked(live: LiveDesk, message: str) -> str:
    """A chat with one answered question; its id."""
    with WsClient(live.ws_url) as client:
        chat_id = client.hello()
        client.ask(message)
    return chat_id


def listed(live: LiveDesk) -> list[str]:
    return [chat["title"] for chat in httpx.get(f"{live.url}/api/chats").json()["chats"]]


def test_pinned_chats_stand_first_the_last_pinned_before_the_others(tmp_path: Path) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        ids = {name: asked(live, name) for name in ("one", "two", "three")}
        for name in ("one", "two"):
            pinned = httpx.patch(f"{live.url}/api/chats/{ids[name]}", json={"pinned": True})
            assert pinned.json()["pinned"] is True
        assert listed(live) == ["two", "one", "three"]
        assert (
            httpx.patch(f"{live.url}/api/chats/{ids['two']}", json={"pinned": False}).json()["pinned"]
            is False
        )
        assert listed(live) == ["one", "three", "two"]
        assert httpx.patch(f"{live.url}/api/chats/{ids['two']}", json={"pinned": "much"}).status_code == 422


def test_a_deleted_chat_is_gone_for_all_and_comes_back_whole(tmp_path: Path) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        chat_id = asked(live, "keep me")
        where = f"{live.url}/api/chats/{chat_id}"
        httpx.post(f"{where}/files", files={"file": ("kept.txt", b"words")})
        assert httpx.get(f"{where}/files/kept.txt").text == "words"
        before = httpx.get(f"{where}/events").text
        task = httpx.get(f"{live.url}/tasks").json()["tasks"][0]["id"]
        assert httpx.delete(where, params={"undo": True}).status_code == 204
        assert listed(live) == []
        assert httpx.get(where).status_code == 404
        assert httpx.get(f"{where}/events").status_code == 404
        assert httpx.get(f"{where}/files").status_code == 404
        assert httpx.get(f"{where}/files/kept.txt").status_code == 404
        assert httpx.get(f"{where}/tables/t_any").status_code == 404
        assert httpx.post(f"{where}/runs", json={"message": "hello"}).status_code == 404
        assert httpx.get(f"{live.url}/tasks").json()["tasks"] == []
        assert httpx.get(f"{live.url}/tasks/{task}").status_code == 404
        assert httpx.delete(where).status_code == 404
        with WsClient(f"{live.ws_url}?chat={chat_id}") as client:
            assert client.until("error")["code"] == "not_found"
    with live_desk(tmp_path, answer=echo) as live:
        where = f"{live.url}/api/chats/{chat_id}"
        assert httpx.post(f"{where}/restore").json()["title"] == "keep me"
        assert httpx.get(f"{where}/events").text == before
        assert httpx.get(f"{where}/files/kept.txt").text == "words"
        assert listed(live) == ["keep me"]


def test_after_its_time_a_deleted_chat_is_gone_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        chat_id = asked(live, "forget me")
        folder = live.desk.store.data_dir.chats / chat_id
        folder.mkdir(exist_ok=True)
        assert httpx.delete(f"{live.url}/api/chats/{chat_id}", params={"undo": True}).status_code == 204
        assert folder.exists()
    monkeypatch.setattr(service, "UNDO_SECONDS", 0.0)
    with live_desk(tmp_path, answer=echo) as live:
        assert httpx.post(f"{live.url}/api/chats/{chat_id}/restore").status_code == 404
        assert not folder.exists()


def test_person_and_model_hear_once_that_the_variables_are_gone(tmp_path: Path) -> None:
    with (
        live_desk(tmp_path, lambda: ScriptedModel([code("x = 41\nfinal_answer('noted')")])) as desk,
        WsClient(desk.ws_url) as client,
    ):
        chat_id = client.hello()
        first = client.ask("remember 41")
        second = client.ask("and again")
    assert not [m for m in of_type(first + second, "text") if m["tone"] == "notice"]
    model = ScriptedModel([code("final_answer('x' in globals())")])
    with (
        live_desk(tmp_path, lambda: model) as desk,
        WsClient(desk.ws_url, f"?chat={chat_id}&after={second[-1]['seq']}").greeted() as client,
    ):
        messages = client.ask("is it there?")
        later = client.ask("still?")
    [notice] = [m for m in of_type(messages, "text") if m["tone"] == "notice"]
    assert "variables of earlier code are gone" in notice["content"]
    lost = {"code": "variables_lost", "facts": {"reason": "gone"}}
    assert (notice["code"], notice["facts"]) == tuple(lost.values())
    [noted] = [m["content"]["noted"] for m in of_type(messages, "run") if "noted" in m["content"]]
    assert noted == [lost]
    assert "variables of earlier code are gone" in text_of(model.seen[0])
    assert not [m for m in of_type(later, "text") if m["tone"] == "notice"]


def questions(live: LiveDesk, chat_id: str) -> list[str]:
    return [event["message"] for event in events_of(live.url, chat_id) if event["type"] == "run_queued"]


def test_over_http(tmp_path: Path) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        chat_id = httpx.post(f"{live.url}/api/chats").json()["id"]
        where = f"{live.url}/api/chats/{chat_id}/runs"
        body = {"message": "hello", "clientMessageId": "m-1"}
        first = httpx.post(where, json=body).json()
    with live_desk(tmp_path, answer=echo) as live:
        where = f"{live.url}/api/chats/{chat_id}/runs"
        assert httpx.post(where, json=body).json() == first
        refused = httpx.post(where, json=body | {"message": "something else"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "id_taken")
        assert (
            refused.json()["error"]["message"] == "This id belongs to an earlier message with another text."
        )
        assert refused.json()["error"]["hint"] == "Send each message under a new id."
        assert httpx.post(where, json=body | {"clientMessageId": "m-2"}).json() != first
        assert httpx.post(where, json=body | {"clientMessageId": ""}).status_code == 422
        assert questions(live, chat_id) == ["hello", "hello"]


def test_over_the_four_pane_socket(tmp_path: Path) -> None:
    frame = {"type": "message", "message": "hello", "clientMessageId": "m-1"}
    with live_desk(tmp_path, answer=echo) as live:
        with WsClient(live.ws_url) as client:
            chat_id = client.hello()
            client.send(**frame)
            client.until_closed()
            client.send(**frame)
            client.send(**(frame | {"message": "something else"}))
            assert client.until("error")["code"] == "id_taken"
            client.send(**(frame | {"clientMessageId": 7}))
            assert client.until("error")["code"] == "wrong_type"
        assert questions(live, chat_id) == ["hello"]


@pytest.mark.parametrize("context", [True, False], ids=["in a context", "without one"])
def test_over_tasks(tmp_path: Path, context: bool) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        body: dict[str, object] = {"message": "hello", "clientMessageId": "m-1"}
        if context:
            body["contextId"] = httpx.post(f"{live.url}/api/chats").json()["id"]
        one, two = (httpx.post(f"{live.url}/tasks/send", json=body).json() for _ in range(2))
        assert one["task_id"] == two["task_id"]
        other = httpx.post(f"{live.url}/tasks/send", json=body | {"clientMessageId": "m-2"}).json()
        assert other["task_id"] != one["task_id"]


def test_chats_are_listed_in_pages_and_searched_by_what_was_said(tmp_path: Path) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        ids = {name: asked(live, name) for name in ("one fish", "two fish", "red bird")}
        where = f"{live.url}/api/chats"
        first = httpx.get(where, params={"limit": 2}).json()
        assert [chat["title"] for chat in first["chats"]] == ["red bird", "two fish"]
        body = httpx.get(where, params={"limit": 2, "before": first["next"]}).json()
        assert ([chat["title"] for chat in body["chats"]], body["next"]) == (["one fish"], None)
        chats = httpx.get(where, params={"q": "SAID fish"}).json()["chats"]
        assert [(chat["id"], chat["found"]) for chat in chats] == [
            (ids["two fish"], "You said: two fish"),
            (ids["one fish"], "You said: one fish"),
        ]
        assert [(chat["state"], chat["answeredAt"] > 0) for chat in chats] == [("idle", True)] * 2
        for bad in ({"limit": 0}, {"limit": 201}, {"before": "soon"}, {"before": "1_"}, {"q": "x" * 201}):
            assert httpx.get(where, params=bad).status_code == 422, bad


def test_tags_are_set_listed_filtered_renamed_and_removed_over_http(tmp_path: Path) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        ids = {name: asked(live, name) for name in ("one", "two")}
        chats, tags = f"{live.url}/api/chats", f"{live.url}/api/tags"
        for name, added in (("one", ["  Q3   sales ", "..", "מכירות/2026"]), ("two", ["q3 SALES"])):
            changed = httpx.patch(f"{chats}/{ids[name]}", json={"tags": added}).json()
        assert changed["tags"] == ["Q3 sales"]
        body = httpx.get(chats, params={"tag": "q3 sales"}).json()
        assert [chat["title"] for chat in body["chats"]] == ["two", "one"]
        assert [(tag["name"], tag["chats"]) for tag in body["tags"]] == [
            ("..", 1),
            ("Q3 sales", 2),
            ("מכירות/2026", 1),
        ]
        renamed = httpx.patch(tags, params={"tag": ".."}, json={"name": "<img src=x onerror=alert(1)>"})
        assert renamed.json() == {"name": "<img src=x onerror=alert(1)>", "chats": 1, "archived": 0}
        assert httpx.delete(tags, params={"tag": "מכירות/2026"}).status_code == 204
        assert httpx.delete(tags, params={"tag": "מכירות/2026"}).json()["error"]["code"] == "unknown_tag"
        assert httpx.get(f"{chats}/{ids['one']}").json()["tags"] == [
            "<img src=x onerror=alert(1)>",
            "Q3 sales",
        ]
        assert httpx.get(chats, params={"q": "ONERROR"}).json()["chats"][0]["id"] == ids["one"]

        where = f"{chats}/{ids['two']}"
        for refused, reason in (
            ([" \u3000 "], "the tag is blank"),
            (["x" * 10_000], "at most 40 characters"),
            (["abc\u202edef"], "the control character U+202E"),
            (["a\0b"], "the control character U+0000"),
            ([str(number) for number in range(11)], "at most 10 items"),
            ("sales", "valid list"),
        ):
            answer = httpx.patch(where, json={"tags": refused, "title": "changed"})
            assert answer.status_code == 422 and reason in answer.json()["error"]["message"], answer.text
        surrogate = httpx.patch(
            where, content=b'{"tags": ["\\ud800"]}', headers={"content-type": "application/json"}
        )
        assert surrogate.status_code == 422
        assert httpx.patch(f"{chats}/c_of_somebody_else", json={"tags": ["mine"]}).status_code == 404
        assert httpx.patch(tags, params={"tag": "q3 sales"}, json={"name": "a\tb\x1b"}).status_code == 422
        assert (httpx.get(where).json()["tags"], httpx.get(where).json()["title"]) == (["Q3 sales"], "two")
        log = httpx.get(f"{where}/export", params={"format": "jsonl"}).text
        assert "Q3 sales" not in log and "q3" not in httpx.get(f"{where}/events").text.casefold()
    with live_desk(tmp_path, answer=echo) as live:  # after a restart
        assert httpx.get(f"{live.url}/api/chats/{ids['two']}").json()["tags"] == ["Q3 sales"]
        assert httpx.patch(f"{live.url}/api/chats/{ids['two']}", json={"tags": []}).json()["tags"] == []


@pytest.mark.parametrize("title", ["", "   ", "x" * 201])
def test_a_rename_to_nothing_or_too_much_is_refused_and_changes_nothing(tmp_path: Path, title: str) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        where = f"{live.url}/api/chats/{asked(live, 'as it was')}"
        assert httpx.patch(where, json={"title": title, "pinned": True}).status_code == 422
        assert (httpx.get(where).json()["title"], httpx.get(where).json()["pinned"]) == ("as it was", False)
