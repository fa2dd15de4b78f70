"""Chats that are pinned, deleted, and had back; over HTTP, as the page would."""

from pathlib import Path

import httpx
import pytest

from smoldesk.chats import chats as service
from smoldesk.tools.run_context import RunContext
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.ws_client import WsClient


def echo(message: str, ctx: RunContext) -> str:
    return f"You said: {message}"


def asked(live: LiveDesk, message: str) -> str:
    """A chat with one answered question; its id."""
    with WsClient(live.ws_url) as client:
        chat_id = client.hello()
        client.say(message)
        client.until_closed()
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


def test_chats_are_listed_in_pages_and_searched_by_what_was_said(tmp_path: Path) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        ids = {name: asked(live, name) for name in ("one fish", "two fish", "red bird")}
        where = f"{live.url}/api/chats"
        first = httpx.get(where, params={"limit": 2}).json()
        assert [chat["title"] for chat in first["chats"]] == ["red bird", "two fish"]
        rest = httpx.get(where, params={"limit": 2, "before": first["next"]}).json()
        assert ([chat["title"] for chat in rest["chats"]], rest["next"]) == (["one fish"], None)
        found = httpx.get(where, params={"q": "SAID fish"}).json()["chats"]
        assert [(chat["id"], chat["found"]) for chat in found] == [
            (ids["two fish"], "You said: two fish"),
            (ids["one fish"], "You said: one fish"),
        ]
        assert [(chat["state"], chat["answeredAt"] > 0) for chat in found] == [("idle", True)] * 2
        for bad in ({"limit": 0}, {"limit": 201}, {"before": "soon"}, {"before": "1_"}, {"q": "x" * 201}):
            assert httpx.get(where, params=bad).status_code == 422, bad


@pytest.mark.parametrize("title", ["", "   ", "x" * 201])
def test_a_rename_to_nothing_or_too_much_is_refused_and_changes_nothing(tmp_path: Path, title: str) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        where = f"{live.url}/api/chats/{asked(live, 'as it was')}"
        assert httpx.patch(where, json={"title": title, "pinned": True}).status_code == 422
        assert (httpx.get(where).json()["title"], httpx.get(where).json()["pinned"]) == ("as it was", False)
