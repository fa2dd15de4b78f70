"""Data, named rooms, points, rooms over time and unknown types, as the chat shows them."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Json, ScriptedServer, asked, run, text
from tests.support.waiting import keep_words

pytestmark = pytest.mark.browser


def data(content: Any, **more: Any) -> Json:
    return {"type": "json", "runId": "r1", "content": content, **more}


def test_data_is_a_tree_that_opens_folds_and_copies(page: Page, server: ScriptedServer) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    content = {"rooms": {"Kitchen": [{"deep": {"deeper": True}}]}, "count": 5, "note": "<img src=x>"}
    server.send(asked("r1", "q"), data(content, name="plan.json"))
    block = page.locator(".json-block")
    expect(block.locator(".json-fold")).to_have_text("plan.json")
    expect(block.locator(".json-size")).to_have_text("3 items")
    expect(block).to_contain_text('note: "<img src=x>"')
    expect(block.locator("summary", has_text="Kitchen")).to_be_visible()

    keep_words(page)
    block.get_by_role("button", name="Copy").click()
    expect(block.locator(".quiet-button")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText().then(JSON.parse)") == content

    block.locator(".json-fold").click()
    expect(block.locator(".json-body")).to_be_hidden()


def test_data_of_any_size_is_a_few_nodes(page: Page, server: ScriptedServer) -> None:
    for make in (
        "Array.from({ length: 100_000 }, (_, n) => ({ n, name: `row ${n}` }))",
        "Object.fromEntries(Array.from({ length: 90 }, (_, a) => [a, Array.from({ length: 90 }, (_, b) => ({ b }))]))",
        "JSON.parse('['.repeat(3000) + ']'.repeat(3000))",
        "'x'.repeat(2_000_000)",
    ):
        script = f"""async () => {{
            const {{ jsonTree }} = await import("/static/js/core/json-tree.js");
            const t = Object.assign((key) => key, {{ number: String }});
            const tree = jsonTree({make}, t);
            return [tree.querySelectorAll("*").length, tree.textContent.length];
        }}"""
        nodes, letters = page.evaluate(script)

        assert nodes < 2500, make
        assert letters < 30_000, make


def test_named_rooms_and_points_are_lines_that_lead_to_the_map(page: Page, server: ScriptedServer) -> None:
    rooms = {"type": "highlight_room", "runId": "r1", "content": {"rooms": ["Kitchen", "Toilet"]}}
    places = [{"lat": 35.6, "lon": 139.6}, {"lat": 34.7, "lon": 135.5}]
    points = {"type": "map", "runId": "r1", "content": {"points": places, "description": "Cities"}}
    server.send(asked("r1", "q"), rooms, points)
    expect(page.locator(".pointer")).to_have_text(
        ["Highlighted Kitchen, Toilet", "Floor map: Cities · 2 points"]
    )

    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".pointer", has_text="Kitchen").click()
    expect(page.locator("#pane-map")).to_be_visible()


def test_a_named_room_dots_the_tab_of_the_map(page: Page, server: ScriptedServer) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    server.send(
        asked("r1", "q"), {"type": "highlight_room", "runId": "r1", "content": {"rooms": ["Kitchen"]}}
    )

    expect(page.get_by_role("tab", name="Floor map, updated")).to_be_visible()


def test_a_type_that_is_unknown_disturbs_nothing(page: Page, server: ScriptedServer) -> None:
    server.send(
        asked("r1", "q"),
        {"type": "hologram", "runId": "r1", "content": None},
        text("r1", "after them"),
        run("r1", "finished"),
    )

    expect(page.locator(".answer")).to_have_text("after them")
    expect(page.locator(".result > *")).to_have_count(1)
    expect(page.locator(".blocks > *")).to_have_count(0)
    expect(page.locator(".pointer")).to_have_count(0)


def test_an_answer_that_only_spells_its_data_is_not_shown_beside_it(
    page: Page, server: ScriptedServer
) -> None:
    server.send(asked("r1", "q"), data({"count": 5}), text("r1", "{'count': 5}"), run("r1", "finished"))
    server.send(asked("r2", "q"), data({"count": 5}) | {"runId": "r2"}, text("r2", "There are {5}."))

    expect(page.locator(".answer")).to_have_text("There are {5}.")
    expect(page.locator(".json-block")).to_have_count(2)
