"""One chart on every wire: data for the page, a picture for those that draw none; and rows of it that a message is about."""

import base64
import json
from typing import Any

import httpx
import pytest

from smoldesk.messages import Chart, ChartContent
from smoldesk.wires.a2a.encoder import artifact_of as a2a_artifact
from smoldesk.wires.security.headers import CONTENT_SECURITY_POLICY
from smoldesk.wires.tasks.encoder import artifact_of as task_artifact
from tests.support.desk_server import LiveDesk, events_of
from tests.support.scripted_model import Calls, Scripts, code, text_of
from tests.support.ws_client import Message, WsClient, of_type

DRAW = """
import pandas as pd
df = pd.DataFrame({"a": [1, 2, 3], "kind": ["x", "y", "y"]})
display(chart(df, {"title": "Threes", "mark": "point", "encoding": {"x": {"field": "a"}, "color": {"field": "kind"}}}))
final_answer("drawn")
"""
CONTENT = ChartContent(
    spec_id="f_1", image_id="f_2", name="chart-1", description="Threes", width=10, height=5, rows=3, shown=3
)


def drawn(client: WsClient, scripts: Scripts) -> Message:
    """The chart message of a run that draws one."""
    scripts.set(code(DRAW))
    client.send(type="message", message="draw")
    [chart] = of_type(client.until_closed(), "chart")
    return chart


def test_the_page_gets_its_spec_with_its_rows_and_its_picture(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    chart = drawn(client, scripts)
    assert (chart["content"]["description"], chart["content"]["rows"], chart["content"]["shown"]) == (
        "Threes",
        3,
        3,
    )
    spec = httpx.get(desk.url + chart["url"]).json()
    assert spec["datasets"]["rows"][1] == {"a": 2, "kind": "y"}
    picture = httpx.get(desk.url + chart["imageUrl"])
    assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")


def test_it_is_kept_as_svg_under_its_title_from_its_own_chat_alone(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    chart = drawn(client, scripts)
    spec_id, image_id = chart["content"]["specId"], chart["content"]["imageId"]
    address = f"{desk.url}{chart['url'].partition('/files/')[0]}/charts"
    response = httpx.get(f"{address}/{spec_id}/svg", timeout=60)
    assert response.headers["content-type"] == "image/svg+xml"
    assert response.headers["content-disposition"] == 'attachment; filename="Threes.svg"'
    assert "sandbox" in response.headers["content-security-policy"]
    assert response.text.startswith("<svg ") and ">Threes</text>" in response.text
    assert httpx.get(f"{address}/{spec_id}/png", timeout=60).content.startswith(b"\x89PNG")
    assert httpx.get(f"{address}/{spec_id}/pdf").status_code == 422
    with WsClient(desk.ws_url) as other:
        elsewhere = f"{desk.url}/api/chats/{other.hello()}/charts"
        for wrong in (f"{address}/{image_id}/svg", f"{address}/f_00/svg", f"{elsewhere}/{spec_id}/svg"):
            assert httpx.get(wrong).status_code == 404


def test_a_client_of_1_2_gets_the_picture(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.set(code(DRAW))
    with WsClient(desk.ws_url, "").greeted() as old:
        old.send(message="draw")
        image = old.until("image")
    assert base64.b64decode(image["content"])[:4] == b"\x89PNG"
    assert (image["format"], image["path"][-4:]) == ("png", ".png")
    assert not {"url", "imageUrl", "image"} & image.keys()


def test_tasks_and_a2a_name_the_picture_and_the_spec() -> None:
    task: Any = task_artifact(Chart(content=CONTENT), "c_1")
    assert task["parts"][1]["file"]["mimeType"] == "image/png"
    assert task["metadata"]["specUrl"] == "/api/chats/c_1/files/chart-1.json?v=f_1"
    artifact = a2a_artifact(Chart(content=CONTENT), "a-1", "c_1", "http://desk")
    assert artifact.parts[0].url == "http://desk/api/chats/c_1/files/chart-1.png?v=f_2"
    assert artifact.parts[0].media_type == "image/png"


def test_the_ai_sdk_gets_the_picture_as_a_file_and_the_chart_as_data(
    desk: LiveDesk, scripts: Scripts
) -> None:
    draw = Calls(("python_interpreter", {"code": DRAW.replace('final_answer("drawn")', "")}))
    scripts.set(draw, Calls(("final_answer", {"answer": "drawn"})))
    body = {
        "id": "charts-1",
        "messages": [{"id": "m1", "role": "user", "parts": [{"type": "text", "text": "draw"}]}],
    }
    answer = httpx.post(f"{desk.url}/stream", json=body, timeout=60)
    assert answer.status_code == 200, answer.text[:500]
    chunks = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")]
    [file] = [chunk for chunk in chunks if chunk["type"] == "file"]
    assert file["mediaType"] == "image/png"
    [data] = [chunk for chunk in chunks if chunk["type"] == "data-chart"]
    assert data["data"]["description"] == "Threes"
    assert data["data"]["url"].endswith(data["data"]["specId"])


def test_rows_that_a_message_is_about_are_told_and_are_a_variable(client: WsClient, scripts: Scripts) -> None:
    content = drawn(client, scripts)["content"]
    scripts.set(code("final_answer(f'{list(chart_selection.a)}')"))
    about = {"specId": content["specId"], "name": "Threes", "ranges": [{"field": "a", "from": 1.5, "to": 9}]}
    client.send(type="message", message="these?", about=about)
    assert of_type(client.until_closed(), "text")[-1]["content"] == "[2, 3]"
    assert "rows of the chart 'Threes' (a from 1.5 to 9)" in text_of(scripts.model.seen[-1])


@pytest.mark.parametrize(
    "about",
    [
        17,
        {},
        {"specId": "../../lock", "name": "x", "ranges": [{"field": "a", "from": 1, "to": 2}]},
        {"specId": "f_00", "name": "x", "ranges": [{"field": "a"}]},
        {"specId": "f_00", "name": "x", "ranges": []},
        {"specId": "f_00", "name": "x", "ranges": [{"field": "a", "from": 1, "to": 2}]},
    ],
)
def test_a_selection_that_is_none_or_of_another_chat_is_refused_and_the_socket_stays_open(
    client: WsClient, scripts: Scripts, about: object
) -> None:
    client.send(type="message", message="these?", about=about)
    assert client.until("error")["code"] in ("bad_selection", "not_found")
    scripts.set(code("final_answer('here')"))
    client.send(type="message", message="still there?")
    assert of_type(client.until_closed(), "text")[-1]["content"] == "here"


def test_the_program_that_draws_is_served_by_the_desk_and_the_content_policy_is_as_it_was(
    desk: LiveDesk,
) -> None:
    first = httpx.get(f"{desk.url}/static/charts.js", timeout=120)
    assert first.status_code == 200
    assert first.headers["content-type"].startswith("text/javascript")
    assert "export{" in first.text[-200:] and "vegaEmbed" in first.text[-200:]
    again = httpx.get(f"{desk.url}/static/charts.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    policy = httpx.get(desk.url).headers["content-security-policy"]
    assert policy == CONTENT_SECURITY_POLICY
    assert "script-src 'self';" in policy and "unsafe" not in policy


def test_a_chart_that_its_child_cannot_draw_is_said_and_the_rest_is_shown(
    client: WsClient, scripts: Scripts
) -> None:
    body = DRAW.replace('"mark": "point"', '"mark": "point", "width": {"step": 3_999}').replace(
        "[1, 2, 3]", "[1, 2, 3]"
    )
    wide = body.replace('"field": "a"', '"field": "a", "type": "nominal"')
    scripts.set(code(wide + "\n"))
    client.send(type="message", message="draw")
    messages = client.until_closed()
    assert of_type(messages, "chart") == []
    assert of_type(messages, "text")[-1]["content"] == "drawn"
    assert "[not shown: The chart" in "".join(event["content"] for event in of_type(messages, "printed"))


def test_the_log_keeps_what_a_message_was_about(desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
    content = drawn(client, scripts)["content"]
    scripts.set(code("final_answer('x')"))
    about = {"specId": content["specId"], "name": "Threes", "ranges": [{"field": "kind", "values": ["y"]}]}
    client.send(type="message", message="these?", about=about)
    client.until_closed()
    started = [event for event in events_of(desk.url, client.chat_id) if event["type"] == "run_started"]
    assert started[-1]["about"]["ranges"][0]["values"] == ["y"]
