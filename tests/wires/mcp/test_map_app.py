"""The map as an MCP App, in a host's sandboxed frame: it draws what the tool gave, runs nothing of it, and asks nobody."""

import json
from importlib import resources
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from smoldesk.buildings.building import Building
from smoldesk.export.map_svg import MapState
from smoldesk.messages import Map
from smoldesk.wires.mcp.answer_content import MAX_DRAWN, map_of

HTML = resources.files("smoldesk.wires.mcp").joinpath("map_app.html").read_text("utf-8")
ATTACK = "<img src=x onerror=\"parent.postMessage('owned', '*')\">"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"><rect width="100" height="50"/></svg>'
MAP: dict[str, Any] = {
    "floor": f"1F {ATTACK}",
    "rooms": [{"name": f"Kitchen {ATTACK}", "value": 3, "agent": "painter"}],
    "arrows": [{"room": "Room1", "direction": "up", "agent": None}],
    "overlays": [
        {"type": "route", "start": "Room1", "goal": ATTACK, "length": 12.4, "unit": "m", "agent": None},
        {
            "type": "text",
            "text": ATTACK,
            "position": {"type": "rectangle", "name": "Toilet"},
            "agent": "painter",
        },
        {"type": "legend", "stops": [], "agent": None},
    ],
}
HOST = """(html) => {
    window.heard = [];
    const frame = document.createElement("iframe");
    const post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
    frame.sandbox = "allow-scripts";
    frame.srcdoc = html;
    addEventListener("message", ({ data }) => {
        window.heard.push(data);
        if (data.method === "ui/initialize") post({ id: data.id, result: { hostContext: { theme: "dark" } } });
    });
    window.tell = (params) => post({ method: "ui/notifications/tool-result", params });
    document.body.append(frame);
}"""


@pytest.mark.browser
def test_it_shows_the_map_of_a_result_and_reaches_nowhere(browser: Browser) -> None:
    page = browser.new_page()
    texts: list[str] = []
    page.on("request", lambda request: texts.append(request.url))
    page.evaluate(HOST, HTML)
    page.wait_for_function(
        "() => window.heard.some(({ method }) => method === 'ui/notifications/initialized')"
    )
    content = [{"type": "resource", "resource": {"mimeType": "image/svg+xml", "text": SVG}}]
    page.evaluate("(result) => window.tell(result)", {"structuredContent": {"map": MAP}, "content": content})
    app = page.frame_locator("iframe")
    lines = [f"Kitchen {ATTACK}: 3 (painter)", "Room1: arrow up", f"Room1 → {ATTACK}: 12 m"]
    expect(app.get_by_role("listitem")).to_have_text([*lines, f"Toilet: “{ATTACK}” (painter)"])
    expect(app.get_by_role("heading")).to_have_text(MAP["floor"])
    assert app.locator("img").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    assert "owned" not in json.dumps(page.evaluate("() => window.heard"))
    assert [url for url in texts if not url.startswith(("data:", "about:"))] == []
    page.close()


def test_as_data_a_map_has_the_first_of_what_is_drawn() -> None:
    """A model reads it: ten thousand places would be all that it reads."""
    drawn = MapState(Building.load())
    places = [{"x": 1, "y": at} for at in range(10_000)]
    drawn.take(Map.model_validate({"content": {"points": places}}), "")
    result = map_of(drawn, "c")
    assert [point["y"] for point in result.points] == [*range(MAX_DRAWN)]
