"""Shared views: one object of a chat alone, for who has its key, until it expires or is revoked."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from smoldesk import messages as m
from smoldesk.events import (
    ArrowsCleared,
    BuildingChosen,
    ClosuresChanged,
    Nested,
    RunFinished,
    Shown,
    StoredEvent,
)
from smoldesk.export.pins import Pin
from smoldesk.export.shared_views import SharedView, SharedViews, ViewContent
from smoldesk.store import shared_views as rows
from smoldesk.wires import shared_view as wire
from tests.export.conftest import Sample
from tests.export.test_reports import ATTACK, Json, shown
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code

TOKEN = "a token of a desk that has one"


async def finished(live: LiveDesk, chat_id: str) -> None:
    """Run the model's one answer to its end."""
    await live.desk.runs.start(chat_id, "show it")
    async for batch in live.desk.runs.follow(chat_id):
        if any(isinstance(item, StoredEvent) and isinstance(item.event, RunFinished) for item in batch):
            return


def views_url(sample: Sample) -> str:
    return f"{sample.live.url}/api/chats/{sample.chat_id}/shared-views"


def created(sample: Sample, **body: object) -> Json:
    answer = httpx.post(views_url(sample), json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def content(url: str, path: str, after: str = "") -> httpx.Response:
    """What the page of a view asks for; the key is behind `#` in its address."""
    key = path.partition("#")[2]
    return httpx.get(f"{url}/view/content", params={"after": after}, headers={"x-smoldesk-view": key})


def test_a_view_shows_its_object_alone_and_escaped(sample: Sample) -> None:
    seqs = shown(sample)
    for kind, name, expected in (
        ("table", "table", "<table>"),
        ("chart", "chart", "data:image/png"),
        ("image", "image", "data:image/png"),
        ("map", "last", "data:image/svg+xml"),
    ):
        view = created(sample, kind=kind, seq=seqs[name], caption=ATTACK)
        answer = content(sample.live.url, view["path"])
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        html = answer.json()["html"]
        assert expected in html
        assert html.count("<section") == html.count("<figure") == 1
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        again = content(sample.live.url, view["path"]).json()
        assert again["version"] == answer.json()["version"]
    listed = httpx.get(views_url(sample)).json()["views"]
    assert [view["kind"] for view in listed] == ["map", "image", "chart", "table"]
    assert "path" not in listed[0], "a key is told once"


def test_the_map_of_a_view_follows_the_chat(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    view = created(sample, kind="map")
    before = content(sample.live.url, view["path"]).json()
    monkeypatch.setattr(wire, "WAIT_SECONDS", 0.2)
    assert content(sample.live.url, view["path"], before["version"]).status_code == 204
    monkeypatch.setattr(wire, "WAIT_SECONDS", 20.0)
    ended = created(sample, kind="map")
    with ThreadPoolExecutor() as pool:
        waiting, late = (
            pool.submit(content, sample.live.url, each["path"], before["version"]) for each in (view, ended)
        )
        time.sleep(0.3)  # so that they wait
        assert httpx.delete(f"{views_url(sample)}/{ended['id']}").status_code == 204
        desk = sample.live.desk
        desk.store.submit(lambda tx: tx.append(sample.chat_id, [ArrowsCleared()])).result()
        after = waiting.result(timeout=30).json()
        refused = late.result(timeout=30)
    assert after["version"] != before["version"]
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no_view")


class CountedViews(SharedViews):
    """Views that count how often a chat was read for one."""

    readings = 0

    def content(self, view: SharedView) -> ViewContent:
        CountedViews.readings += 1
        return super().content(view)


def test_viewers_of_one_view_share_its_readings(tmp_path: Path) -> None:
    viewers = 20
    with live_desk(tmp_path, lambda: ScriptedModel([])) as live:
        desk = live.desk
        desk.shared_views = CountedViews(desk.store, desk.buildings, desk.exports)
        chat_id = run_async(desk.chats.create("crowd")).id
        path = httpx.post(f"{live.url}/api/chats/{chat_id}/shared-views", json={"kind": "map"}).json()["path"]
        before = content(live.url, path).json()["version"]
        with ThreadPoolExecutor(viewers) as pool:
            waiting = [pool.submit(content, live.url, path, before) for _ in range(viewers)]
            time.sleep(0.5)  # so that they wait
            arrow = m.Arrow.model_validate({"content": {"room": "Kitchen", "direction": "left"}})
            desk.store.submit(lambda tx: tx.append(chat_id, [Shown(message=arrow)])).result()
            versions = {answer.result(timeout=30).json()["version"] for answer in waiting}
        assert len(versions - {before}) == len(versions) == 1
        assert CountedViews.readings <= 3, "one of the view as it was, at most two of what was drawn"


def test_events_that_change_no_view_draw_none_again() -> None:
    table = m.Table(content=m.TableContent(table_id="f_1", name="t", columns=[], rows=[], row_count=0))
    room = m.HighlightRoom.model_validate({"content": {"rooms": ["Kitchen"]}})
    events = {
        "table": Shown(message=table),
        "room": Shown(message=room),
        "inner": Nested(agent="a", within="c", event=Shown(message=room)),
        "building": BuildingChosen(building_id=None),
        "clear": ArrowsCleared(),
        "closed": ClosuresChanged(state=m.ClosureState()),
        "end": RunFinished(text="x"),
    }
    changing = {
        kind: [
            name
            for name, event in events.items()
            if SharedView("v", "c", Pin(kind=kind, seq=1), 0, 0).is_changed_by(event)
        ]
        for kind in ("table", "image", "chart", "map")
    }
    assert changing == {
        "table": [],
        "image": [],
        "chart": [],
        "map": ["room", "inner", "building", "clear", "closed"],
    }


def test_a_wrong_expired_or_revoked_key_opens_nothing(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, other = created(sample, kind="map"), created(sample, kind="map", seconds=60)
    revoked = f"{views_url(sample)}/{view['id']}"
    assert httpx.delete(revoked).status_code == 204
    assert httpx.delete(revoked).json()["error"]["code"] == "not_found"
    now = time.time()
    assert content(sample.live.url, other["path"]).status_code == 200
    monkeypatch.setattr("smoldesk.export.shared_views.time.time", lambda: now + 61)
    wrong = {
        view["path"]: "no_view",
        other["path"]: "view_expired",
        "/view#": "no_view",
        "/view#" + "A" * 43: "no_view",
        f"/view#{other['id']}": "no_view",
        f"/view#{rows.hash_of(other['path'].partition('#')[2])}": "no_view",
        "/view#' OR 1=1 --": "no_view",
    }
    for path, error in wrong.items():
        answer = content(sample.live.url, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, error), path
    assert other["id"] not in {view["id"] for view in httpx.get(views_url(sample)).json()["views"]}


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "answer"},
        {"kind": "chart", "seq": 1},
        {"kind": "table", "seq": 2**53},
        {"kind": "map", "seconds": 59},
        {"kind": "map", "seconds": 10**9},
        {"kind": "map", "caption": "x" * 1001},
        {"kind": "map", "view": [0, 0, 1, 1]},
        {},
    ],
)
def test_a_view_of_nothing_is_refused(sample: Sample, body: Json) -> None:
    answer = httpx.post(views_url(sample), json=body)
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]["message"]


def test_a_chat_has_a_limit_of_views_and_a_deleted_chat_shows_nothing(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = f"{sample.live.url}/api/chats/{run_async(sample.live.desk.chats.create('short')).id}"
    monkeypatch.setattr(rows, "MAX_VIEWS", 1)
    view = httpx.post(f"{chat}/shared-views", json={"kind": "map"}).json()
    full = httpx.post(f"{chat}/shared-views", json={"kind": "map"})
    assert (full.status_code, full.json()["error"]["code"]) == (409, "too_many_views")
    assert httpx.get(f"{sample.live.url}/api/chats/c_none/shared-views").status_code == 404
    assert httpx.delete(chat).status_code == 204
    assert content(sample.live.url, view["path"]).status_code == 404


def test_a_key_opens_its_view_on_a_desk_with_a_token_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = ScriptedModel(
        [code("import pandas as pd\ndisplay(pd.DataFrame({'secret': [1]}))\nfinal_answer('Here.')")]
    )
    with live_desk(tmp_path, lambda: model, token=TOKEN) as live:
        chat = run_async(live.desk.chats.create("quiet"))
        run_async(finished(live, chat.id))
        bearer = {"authorization": f"Bearer {TOKEN}"}
        url = f"{live.url}/api/chats/{chat.id}/shared-views"
        assert httpx.post(url, json={"kind": "map"}).status_code == 401
        view = httpx.post(url, json={"kind": "map"}, headers=bearer).json()
        page = httpx.get(f"{live.url}/view")
        assert page.status_code == 200
        policy = page.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "script-src 'self'" in policy
        for name in ("view.js", "view.css", "style.css"):
            assert httpx.get(f"{live.url}/view/{name}").status_code == 200
        assert "secret" not in content(live.url, view["path"]).text
        assert content(live.url, view["path"]).status_code == 200
        key = {"x-smoldesk-view": view["path"].partition("#")[2]}
        for path in ("/", f"/api/chats/{chat.id}", f"/api/chats/{chat.id}/shared-views", "/api/chats"):
            assert httpx.get(live.url + path, headers=key).status_code == 401, path
        assert httpx.post(f"{live.url}/view/content", headers=key).status_code == 401
        assert httpx.get(f"{live.url}/view/../api/chats", headers=key).status_code in (401, 404)
    assert key["x-smoldesk-view"] not in caplog.text
