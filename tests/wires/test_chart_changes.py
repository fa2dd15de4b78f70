"""A person changes a chart: its spec, its picture and the code of its cell, for every client, after a reload and in exports."""

from typing import Any

import httpx
import pytest

from smoldesk.charts import picture_of
from smoldesk.charts.pictures import Picture
from smoldesk.store import chats
from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Scripts, code
from tests.support.ws_client import Message, WsClient, of_type

SPEC: Any = {"mark": "bar", "encoding": {"x": {"field": "city"}, "y": {"field": "n"}}}
TWO = """
import pandas as pd
df = pd.DataFrame({"city": ["Oslo", "Rome", "Kyoto", "Lima"], "n": [5, 30, 3, 44]})
spec = SPEC
display(chart(df, spec | {"title": "First"}))
display(chart(df, spec | {"title": "Second"}))
for title in ("Third", "Fourth"):
    display(chart(df, spec | {"title": title}))
final_answer("drawn")
""".replace("SPEC", repr(SPEC))


def changes_of(client: WsClient) -> Message:
    """The next message about a changed chart."""
    return client.until("chart_changed")


def test_a_change_is_in_the_spec_the_picture_and_the_code_for_all_clients(
    desk: LiveDesk, client: WsClient, scripts: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts.set(code(TWO))
    client.send(type="message", message="draw")
    messages = client.until_closed()
    first, second, *of_one_call = of_type(messages, "chart")
    [shown_code] = of_type(messages, "code")
    path = f"{desk.url}/api/chats/{client.chat_id}/charts"

    def change(chart: Message, **changes: str) -> httpx.Response:
        return httpx.patch(f"{path}/{chart['content']['specId']}", json={"changes": changes}, timeout=60)

    controls = httpx.get(f"{path}/{first['content']['specId']}", timeout=60).json()["controls"]
    assert [control["name"] for control in controls] == ["type", "x", "y", "color", "sort", "top"]
    assert change(first, type="line", scale="log").json()["controls"][0]["value"] == "line"
    message = changes_of(client)
    content = message["content"]
    assert (content["specId"], content["codeSeq"]) == (first["content"]["specId"], shown_code["seq"])
    assert content["chart"]["changes"] == {"type": "line", "scale": "log"}
    spec = httpx.get(desk.url + message["url"]).json()
    assert (spec["mark"]["type"], spec["encoding"]["y"]["scale"]) == ("line", {"type": "log"})
    before, after = (httpx.get(desk.url + each["imageUrl"]).content for each in (first, message))
    assert after.startswith(b"\x89PNG") and after != before

    assert change(second, sort="descending").status_code == 200
    changed_code = changes_of(client)["content"]["code"]
    assert "| {\"title\": \"First\"}, type='line', scale='log'))" in changed_code["content"]
    assert '| {"title": "Second"}, sort=\'descending\'))' in changed_code["content"]
    assert "log" in changed_code["html"]
    # The type takes the scale back that bars do not have, and both charts keep their own changes.
    assert change(first, type="bar").status_code == 200
    content = changes_of(client)["content"]
    assert content["chart"]["changes"] == {"type": "bar"}
    assert '| {"title": "First"}, type=\'bar\'))' in content["code"]["content"]

    # A chart of a loop changes without the code, which has one place for all of them.
    assert change(of_one_call[0], type="line").status_code == 200
    changed = changes_of(client)["content"]
    assert (changed["chart"]["changes"], changed.get("code")) == ({"type": "line"}, None)

    refused = change(first, type="https://elsewhere")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_chart_change")
    assert httpx.patch(f"{path}/f_00", json={"changes": {"type": "line"}}).status_code == 404
    with WsClient(desk.ws_url) as other:
        elsewhere = f"{desk.url}/api/chats/{other.hello()}/charts/{first['content']['specId']}"
        assert httpx.patch(elsewhere, json={"changes": {"type": "line"}}).status_code == 404

    # A copy of the code draws the same charts.
    scripts.set(code(content["code"]["content"]))
    client.send(type="message", message="again")
    copies = of_type(client.until_closed(), "chart")
    expected = [{"type": "bar"}, {"sort": "descending"}, None, None]
    assert [copy["content"].get("changes") for copy in copies] == expected
    changed = httpx.get(f"{path.removesuffix('charts')}files/x?v={content['chart']['specId']}").json()
    assert httpx.get(desk.url + copies[0]["url"]).json() == changed

    # A client that comes later gets the changes; exports have the changed code, charts and pictures.
    with WsClient(desk.ws_url, f"?chat={client.chat_id}&after=0") as late:
        assert [late.until("chart_changed")["content"]["specId"] for _ in range(4)] == [
            each["content"]["specId"] for each in (first, second, first, of_one_call[0])
        ]
    export = f"{desk.url}/api/chats/{client.chat_id}/export"
    log = httpx.get(export, params={"format": "jsonl"}, timeout=60)
    assert log.text.startswith('{"smoldesk_log":3,'), "an older desk says that the log is newer"
    notebook = httpx.get(export, params={"format": "notebook"}, timeout=60).json()
    cell = next(cell for cell in notebook["cells"] if "First" in "".join(cell["source"]))
    assert "type='bar'))" in "".join(cell["source"]) and "sort='descending'))" in "".join(cell["source"])
    specs = [output["data"]["application/vnd.vegalite.v5+json"] for output in cell["outputs"][:2]]
    assert specs[1]["encoding"]["x"]["sort"] == {"field": "n", "op": "sum", "order": "descending"}
    # In a Jupyter without the desk, the stand-in of `chart` applies the changes.
    stand_ins = next(cell for cell in notebook["cells"] if "class _Chart" in "".join(cell["source"]))
    names: Any = {}
    exec("".join(stand_ins["source"]), names)
    chart = names["_Chart"]([{"city": "Oslo", "n": 1}], SPEC, sort="descending")
    assert chart.spec["encoding"]["x"]["sort"]["order"] == "descending"

    svg = httpx.get(f"{path}/{content['chart']['specId']}/svg", params={"theme": "dark"}, timeout=60).text
    assert "#14171c" in svg and "#7aa2ff" in svg, "a download has the theme of the page"

    # A change that comes too late leaves nothing behind.
    store = desk.desk.store

    def drawn_late(spec: str) -> Picture:
        picture = picture_of(spec)
        store.submit(lambda tx: chats.hide_chat(tx, client.chat_id)).result(10)
        return picture

    monkeypatch.setattr("smoldesk.chats.chart_edits.picture_of", drawn_late)
    folder = store.files.path("any").parent
    names = {path.name for path in folder.iterdir()}
    assert change(first, type="line").status_code == 404
    assert {path.name for path in folder.iterdir()} == names
