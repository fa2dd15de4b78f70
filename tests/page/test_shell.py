"""Around the chat: splitters, panes, themes, languages, narrow screens."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import ScriptedServer, asked, chat_message, run
from tests.support.page_menu import from_menu
from tests.support.waiting import see, until

pytestmark = pytest.mark.browser


def width(page: Page, pane: str) -> float:
    box = page.locator(f"#pane-{pane}").bounding_box()
    return box["width"] if box else 0


def share(page: Page, name: str) -> int:
    return int(page.get_by_role("separator", name=name).get_attribute("aria-valuenow") or 0)


@pytest.mark.parametrize(
    ("name", "less", "more", "first"),
    [
        ("Width of the left column", "ArrowLeft", "ArrowRight", 55),
        ("Height of the floor map", "ArrowUp", "ArrowDown", 65),
        ("Height of the chat", "ArrowUp", "ArrowDown", 74),
    ],
)
def test_splitters_move_by_keys_stop_at_their_limits_and_are_remembered(
    page: Page, name: str, less: str, more: str, first: int
) -> None:
    page.get_by_role("button", name="Expand Images").click()
    splitter = page.get_by_role("separator", name=name)
    see(page, lambda: share(page, name), first)
    received = []
    for key in [less, more, f"Shift+{more}", "End", more, "Home", less, more]:
        splitter.press(key)
        received.append(share(page, name))
    assert received == [first - 2, first, first + 10, 85, 85, 15, 15, 17]

    page.reload()
    see(page, lambda: share(page, name), 17)
    page.get_by_role("separator", name=name).dblclick()
    see(page, lambda: share(page, name), first)


def test_a_splitter_follows_the_pointer_and_the_panes_with_it(page: Page, server: ScriptedServer) -> None:
    splitter = page.get_by_role("separator", name="Width of the left column")
    box = splitter.bounding_box()
    assert box is not None
    before = page.locator("#pane-map").bounding_box()

    page.mouse.move(box["x"] + 4, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] - 200, box["y"] + 100, steps=4)
    page.mouse.up()

    assert before is not None
    until(page, lambda: before["width"] - width(page, "map"), lambda less: 180 < less < 230)


def test_a_pane_is_maximised_by_its_title_and_given_back_by_key(page: Page, server: ScriptedServer) -> None:
    page.locator("#pane-images .pane-title").dblclick()
    expect(page.locator("#pane-images")).to_have_attribute("data-maximised", "")
    expect(page.locator("#pane-chat")).not_to_be_visible()

    page.keyboard.press("m")
    expect(page.locator("#pane-chat")).to_be_visible()
    page.keyboard.press("m")
    page.keyboard.press("Escape")
    expect(page.locator("#pane-chat")).to_be_visible()


def test_a_pane_chosen_on_a_narrow_screen_is_used_though_another_was_maximised(
    page: Page, server: ScriptedServer
) -> None:
    page.locator("#pane-images .pane-title").dblclick()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("tab", name="Images")).to_have_attribute("aria-selected", "true")

    page.get_by_role("tab", name="Chat").click()
    page.locator(".field").press("q")

    expect(page.locator(".field")).to_have_value("q")


def test_the_letter_m_in_the_composer_is_a_letter(page: Page, server: ScriptedServer) -> None:
    page.locator(".field").press("m")

    expect(page.locator(".field")).to_have_value("m")
    expect(page.locator("[data-maximised]")).to_have_count(0)


def test_a_collapsed_pane_leaves_its_room_to_its_neighbour_and_stays_so(
    page: Page, server: ScriptedServer
) -> None:
    page.locator("#pane-debug").hover()
    page.get_by_role("button", name="Collapse Debug").click()
    page.reload()

    expect(page.get_by_role("button", name="Expand Debug")).to_be_visible()
    chat = page.locator("#pane-chat")
    until(page, lambda: chat.bounding_box(), lambda box: box is not None and box["height"] > 780)


def test_the_theme_follows_the_system_until_one_is_chosen(page: Page, server: ScriptedServer) -> None:
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    from_menu(page, "Switch to light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")

    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_switching_the_language_changes_every_word_and_keeps_what_was_written(
    page: Page, server: ScriptedServer
) -> None:
    server.send(asked("r1", "How many?"), run("r1", "failed", text="no"))
    page.fill(".field", "half a sentence")

    from_menu(page, "日本語で表示")

    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("#pane-chat-title")).to_have_text("チャット")
    expect(page.get_by_role("button", name="再試行", exact=True)).to_be_visible()
    expect(page.locator(".field")).to_have_value("half a sentence")
    expect(page.get_by_role("separator", name="左列の幅")).to_have_count(1)
    expect(page.locator(".language-line")).to_have_text("Show in English")


def test_a_narrow_screen_shows_one_pane_and_marks_the_tab_where_something_came(
    page: Page, server: ScriptedServer
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#pane-chat")).to_be_visible()
    expect(page.locator("#pane-map")).not_to_be_visible()

    server.send(
        asked("r1", "q"),
        {"type": "arrow", "runId": "r1", "content": {"room": "Kitchen", "direction": "left"}},
    )
    tab = page.get_by_role("tab", name="Floor map, updated")
    expect(tab).to_be_visible()
    tab.click()

    expect(page.locator("#pane-map")).to_be_visible()
    expect(page.locator("#pane-chat")).not_to_be_visible()
    expect(page.get_by_role("tab", name="Floor map", exact=True)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Chat", exact=True)).to_be_focused()


def test_no_width_makes_the_page_scroll_sideways(page: Page, server: ScriptedServer) -> None:
    server.send(
        asked("r1", "x" * 400), {"type": "code", "runId": "r1", "content": "y" * 400, "step": "Step 1"}
    )
    expect(page.locator(".code-block")).to_be_visible()
    overflow = """() => [...document.querySelectorAll("body, .top-bar, .log")]
      .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className)"""
    for wide in (320, 390, 768, 899, 900, 1024, 1440):
        page.set_viewport_size({"width": wide, "height": 700})
        see(page, lambda: page.evaluate("innerWidth"), wide)
        see(page, lambda: page.evaluate(overflow), [])


def test_the_badge_explains_how_far_code_is_isolated(page: Page, server: ScriptedServer) -> None:
    page.get_by_role("button", name="Not isolated").click()

    expect(page.locator("#isolation-why")).to_be_visible()
    expect(page.locator("#isolation-why")).to_contain_text("No jail on this system.")
    page.keyboard.press("Escape")
    expect(page.locator("#isolation-why")).not_to_be_visible()


def test_the_badge_names_each_jail_in_the_language_of_the_page(page: Page, server: ScriptedServer) -> None:
    message = chat_message("c1")
    isolation_name = page.locator(".menu-title")
    from_menu(page, "日本語で表示")
    for label, text in (
        ("isolated", "隔離環境で実行"),
        ("isolated, no Landlock", "隔離環境で実行（Landlockなし）"),
        ("docker", "docker"),
    ):
        isolation = {"isolated": True, "label": label, "reasons": []}
        server.send({**message, "content": {**message["content"], "isolation": isolation}})
        expect(isolation_name).to_have_text(text)
        expect(page.locator(".badge")).to_be_hidden()


def test_nothing_loops_for_those_who_want_no_motion(page: Page, server: ScriptedServer) -> None:
    page.emulate_media(reduced_motion="no-preference")
    server.send(asked("r1", "q"), run("r1", "running", step=1))
    expect(page.locator(".turn[aria-busy=true]")).to_have_count(1)
    moving = "() => document.getAnimations().filter((one) => one.playState === 'running').length"
    see(page, lambda: page.evaluate(moving), 1)  # short transitions are over by then

    page.emulate_media(reduced_motion="reduce")

    see(page, lambda: page.evaluate(moving), 0)


def test_the_title_of_the_chat_is_its_panes_on_a_wide_screen_and_in_the_bar_on_a_narrow_one(
    page: Page, server: ScriptedServer
) -> None:
    question = "How many people live in each of the houses that stand along this street?"
    server.send(asked("r1", question), run("r1", "finished", text="Two"))
    title, tools = page.locator("#pane-chat .pane-head .chat-title"), page.locator("#pane-chat .pane-tools")
    expect(title).to_contain_text("How many people live")
    page.set_viewport_size({"width": 1024, "height": 768})
    text, extra = title.bounding_box(), tools.bounding_box()
    assert text is not None and extra is not None
    assert text["x"] + text["width"] <= extra["x"] + 1
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("region", name="Chat")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".top-bar .chat-title")).to_contain_text("How many people live")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("#pane-chat .pane-head .chat-title")).to_be_visible()
