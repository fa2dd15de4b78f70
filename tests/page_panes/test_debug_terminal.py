"""A terminal program in the debug pane: its screen, the bytes behind it, and copies of both."""

from typing import Any

import pytest
from pane_host import Desk, OpenPane
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

Message = dict[str, Any]
SCREEN = ["┌ demo ┐" + " " * 112, "demo> hello <b>you</b>", "", "x" * 120, *[" " * 120] * 36]
RAW = "\x1b[31mdemo>\x1b[0m hello\r\n\x07\x1b]0;title\x07caf\u00e9 \u202etxt\tend\x7f\x9b1m"


def debug(seq: int = 1, **response: Any) -> Message:
    content: Message = {"agent_response": response, "parsed_outputs": [], "output_count": 1}
    return {
        "type": "debug",
        "content": content,
        "seq": seq,
        "runId": "r1",
        "timestamp": "2025-11-21T09:30:00Z",
    }


@pytest.fixture
def desk(open_pane: OpenPane) -> Desk:
    return open_pane("debug", size=(900, 560))


def chosen(desk: Desk, at: int = 0) -> Locator:
    desk.page.locator(".debug-row", has_text="debug").nth(at).click()
    return desk.page.locator(".debug-detail")


def test_a_batch_of_a_program_opens_as_its_screen(desk: Desk) -> None:
    desk.tell(debug(raw_output=RAW, screen=SCREEN, agent="demo"))
    expect(desk.page.locator(".debug-words").last).to_have_text("demo · 1 output")
    detail = chosen(desk)
    screen = detail.locator(".terminal-screen")

    expect(detail.get_by_role("tab", name="Terminal")).to_have_attribute("aria-selected", "true")
    expect(screen).to_have_text("\n".join(line.rstrip() for line in SCREEN[:4]), use_inner_text=True)
    columns = """(page) => {
      const ruler = page.appendChild(document.createElement("b"));
      ruler.textContent = "0".repeat(120);
      ruler.style.fontWeight = 400;
      const wide = ruler.getBoundingClientRect().width;
      ruler.remove();
      return Math.abs(page.getBoundingClientRect().width - wide) <= 1;
    }"""
    assert screen.locator(".terminal-page").evaluate(columns)
    assert screen.evaluate("(box) => box.scrollWidth > box.clientWidth")
    assert detail.locator(".debug-body").evaluate("(box) => box.scrollWidth <= box.clientWidth")


def test_every_control_character_can_be_seen(desk: Desk) -> None:
    desk.tell(debug(raw_output=RAW, screen=SCREEN))
    raw = chosen(desk).locator(".terminal-raw")

    expect(raw).to_have_text(
        "ESC[31mdemo>ESC[0m helloCR\nBELESC]0;titleBELcafé ⟨U+202E⟩txtHTendDEL⟨U+009B⟩1m", use_inner_text=True
    )
    expect(raw.locator(".terminal-control")).to_have_text(
        ["ESC[31m", "ESC[0m", "CR", "BEL", "ESC]0;titleBEL", "⟨U+202E⟩", "HT", "DEL", "⟨U+009B⟩"]
    )


def test_screen_and_output_are_copied_as_they_came(desk: Desk) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.tell(debug(raw_output=RAW, screen=SCREEN))
    detail = chosen(desk)
    for name, copied in [
        ("Copy the raw output", RAW),
        ("Copy the screen", "\n".join(line.rstrip() for line in SCREEN[:4])),
    ]:
        detail.get_by_role("button", name=name).click()
        expect(detail.get_by_role("button", name="Copied").first).to_be_visible()
        read = desk.page.evaluate("navigator.clipboard.readText()")
        assert read.replace("\r\n", "\n") == copied.replace("\r\n", "\n")


def test_a_choice_of_print_holds_for_rows_of_its_kind(desk: Desk) -> None:
    desk.tell(debug(1, screen=["one"]), debug(2, text="plain"), debug(3, screen=["three"]))
    detail = chosen(desk)
    detail.get_by_role("tab", name="Tree").click()
    expect(detail).to_have_attribute("data-print", "tree")
    chosen(desk, 1)
    expect(detail.get_by_role("tab", name="Terminal", include_hidden=False)).to_be_hidden()
    detail.get_by_role("tab", name="Raw").click()
    chosen(desk, 2)

    expect(detail).to_have_attribute("data-print", "tree")


def test_what_is_no_screen_is_a_tree(desk: Desk) -> None:
    screens: tuple[Any, ...] = (None, "text", {"0": "a"}, 3)
    for screen in screens:
        desk.tell(debug(screen=screen, raw_output=["x"]))
        expect(chosen(desk)).to_have_attribute("data-print", "tree")
        desk.reset()


def test_an_empty_screen_says_so(open_pane: OpenPane) -> None:
    desk = open_pane("debug", language="ja")
    desk.tell(debug(screen=["  ", ""], raw_output=""))
    detail = chosen(desk)

    expect(detail.locator(".terminal-screen")).to_have_text("画面には何も表示されていません")
    expect(detail.locator(".terminal-raw")).to_have_count(0)
