"""Who answers: the button that says it, the list one chooses from, and what is sent."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.page.conftest import Json, ScriptedServer, asked, chat_message, run
from tests.support.page_menu import from_menu
from tests.support.waiting import see

pytestmark = pytest.mark.browser


def agent(name: str, kind: str = "terminal", **more: Any) -> Json:
    return {
        "name": name,
        "description": f"What {name} does.",
        "kind": kind,
        "tools": [],
        "available": True,
        **more,
    }


LIST: Json = {
    "agents": [
        agent("analyst", "code", model="builtin"),
        agent("tools", "tools", model="builtin"),
        agent("demo", profile="demo"),
        agent(
            "claude",
            profile="claude",
            available=False,
            problem="The program `claude` <b>is not</b> on the PATH.",
        ),
        agent("demo-two", profile="demo"),
    ],
    "default": "analyst",
}


@pytest.fixture
def patches(page: Page, server: ScriptedServer) -> Iterator[list[Json]]:
    """Bodies of PATCH that the page sent. The server takes each, and says so over the socket, as it does."""
    server.answers["/api/agents"] = lambda _: LIST
    sent: list[Json] = []

    def take(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or ""))
        chosen = next(item for item in LIST["agents"] if item["name"] == sent[-1]["agent"])
        server.push(chat_of(chosen["name"], chosen["kind"], chosen.get("model", "")))
        route.fulfill(status=200, body="{}")

    page.route("**/api/chats/chat-1", take)
    yield sent


def chat_of(name: str, kind: str, model: str = "", **more: Any) -> Json:
    message = chat_message("chat-1")
    return {
        **message,
        "content": {**message["content"], "agentName": name, "agent": kind, "model": model, **more},
    }


def opened(page: Page) -> Locator:
    page.locator(".agent-button").click()
    expect(page.get_by_role("menuitemradio")).to_have_count(5)
    return page.get_by_role("menu", name="Agent for this chat")


def test_the_button_says_who_answers(page: Page, server: ScriptedServer) -> None:
    button = page.get_by_role("button", name="Agent: analyst · builtin")
    expect(button).to_have_text("analyst · builtin")
    expect(button).to_have_attribute("aria-haspopup", "menu")
    server.push(chat_of("demo", "terminal"))

    expect(page.get_by_role("button", name="Agent: demo", exact=True)).to_have_text("demo")
    from_menu(page, "日本語で表示")
    expect(page.get_by_role("button", name="エージェント：demo")).to_be_visible()


def test_a_press_is_not_lost_when_the_button_is_drawn_anew_under_it(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    page.locator(".agent-name").hover()
    page.mouse.down()
    server.push(chat_of("demo", "terminal"))
    expect(page.locator(".agent-name")).to_have_text("demo")
    page.mouse.up()

    expect(page.get_by_role("menuitemradio")).to_have_count(5)


def test_a_choice_before_the_first_message_is_sent_and_told_by_the_server(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    menu = opened(page)
    expect(menu.get_by_role("menuitemradio", name="analyst")).to_have_attribute("aria-checked", "true")
    expect(menu.get_by_role("menuitemradio", name="analyst")).to_be_focused()
    expect(menu.locator("[data-agent=analyst]")).to_contain_text("Writes code · builtin")
    expect(menu.locator("[data-agent=analyst] .agents-default")).to_have_text("default")
    menu.locator("[data-agent=demo]").click()

    expect(page.get_by_role("button", name="Agent: demo", exact=True)).to_be_visible()
    expect(page.locator("#agents")).to_be_hidden()
    assert patches == [{"agent": "demo"}]
    assert server.frames.empty()


def test_an_agent_that_cannot_be_had_says_why_and_is_not_taken(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    menu = opened(page)
    claude = menu.get_by_role("menuitemradio", name="claude")
    expect(claude).to_have_attribute("aria-disabled", "true")
    described = page.locator(f"[id='{claude.get_attribute('aria-describedby')}']")
    expect(described).to_contain_text("The program `claude` <b>is not</b> on the PATH.")
    claude.click(force=True)  # it takes the focus, and no more
    expect(claude).to_be_focused()
    page.keyboard.press("Enter")

    expect(menu).to_be_visible()
    assert patches == []


def test_the_list_is_walked_and_chosen_from_by_key(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    button = page.locator(".agent-button")
    button.focus()
    page.keyboard.press("ArrowDown")
    focused = page.locator(".agents-item:focus")
    names = []
    expect(focused).to_have_attribute("data-agent", "analyst")
    for key in ["ArrowDown", "End", "ArrowDown", "ArrowUp", "Home", "d", "d", "d", "z"]:
        page.keyboard.press(key)
        names.append(focused.get_attribute("data-agent"))
    assert names == [
        "tools",
        "demo-two",
        "analyst",
        "demo-two",
        "analyst",
        "demo",
        "demo-two",
        "demo",
        "demo",
    ]
    page.keyboard.press("Escape")
    expect(page.locator("#agents")).to_be_hidden()
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")

    page.keyboard.press("Enter")
    expect(focused).to_have_attribute("data-agent", "analyst")
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Agent: demo", exact=True)).to_be_focused()
    assert patches == [{"agent": "demo"}]


def test_a_refused_choice_leaves_the_agent_and_says_why(page: Page, server: ScriptedServer) -> None:
    server.answers["/api/agents"] = lambda _: LIST
    error = {"code": "unknown_agent", "message": "There is no agent 'demo'.", "hint": "Agents: code."}
    page.route(
        "**/api/chats/chat-1", lambda route: route.fulfill(status=404, body=json.dumps({"error": error}))
    )
    menu = opened(page)
    menu.locator("[data-agent=demo]").click()

    expect(page.locator(".agents-fault")).to_have_text("There is no agent 'demo'. Agents: code.")
    expect(menu).to_be_visible()
    expect(page.get_by_role("button", name="Agent: analyst · builtin")).to_be_visible()


def test_without_an_answer_the_list_says_so(page: Page, server: ScriptedServer) -> None:
    page.route("**/api/agents", lambda route: route.abort())
    page.locator(".agent-button").click()

    expect(page.locator(".agents-fault")).to_have_text("The server did not answer. Try again.")


def test_the_list_is_looked_at_anew_each_time(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    opened(page)
    page.keyboard.press("Escape")
    fresh = [agent("claude"), *LIST["agents"][:2]]
    server.answers["/api/agents"] = lambda _: {**LIST, "agents": fresh}
    page.locator(".agent-button").click()

    expect(page.locator(".agents-item")).to_have_count(3)
    expect(page.locator("[data-agent=claude]")).not_to_have_attribute("aria-disabled", "true")


def test_choosing_what_answers_already_sends_nothing(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    opened(page).locator("[data-agent=analyst]").click()

    expect(page.locator("#agents")).to_be_hidden()
    assert patches == []


def test_another_agent_may_be_chosen_while_one_works(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    server.send(asked("r1", "q"), run("r1", "running", step=1))
    expect(page.locator(".turn[aria-busy=true]")).to_have_count(1)
    menu = opened(page)
    expect(page.locator(".agents-more")).to_have_text("Your choice applies from the next message.")
    menu.locator("[data-agent=demo]").click()

    see(page, lambda: patches, [{"agent": "demo"}])
    expect(page.locator(".turn[aria-busy=true]")).to_have_count(1)


def test_the_badge_of_a_program_speaks_of_the_program(page: Page, server: ScriptedServer) -> None:
    server.push(chat_of("demo", "terminal"))
    expect(page.locator(".agent-name")).to_have_text("demo")
    page.locator(".badge").click()

    expect(page.locator("#isolation-why")).to_contain_text(
        "This program runs on this machine with your permissions."
    )


def test_the_chooser_is_in_sight_and_in_reach_at_any_width(
    page: Page, server: ScriptedServer, patches: list[Json]
) -> None:
    server.push(
        chat_of("a-rather-long-name-of-forty-characters-x", "terminal", "some/very-long-model-name" * 3)
    )
    button, bar = page.locator(".agent-button"), page.locator(".top-bar")
    expect(page.locator(".agent-name")).to_have_text("a-rather-long-name-of-forty-characters-x")
    for wide in (1440, 1024, 390, 320):
        page.set_viewport_size({"width": wide, "height": 844})
        expect(button).to_be_in_viewport(ratio=1)
        box = button.bounding_box()
        assert box is not None and box["width"] >= 40
        opened(page)
        expect(page.locator("#agents")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
        assert bar.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        page.keyboard.press("Escape")
        expect(page.locator("#agents")).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
