"""The chats of a desk as a person meets them: the drawer, the addresses, the titles, and chats that are not there."""

import re

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.page_menu import from_menu
from tests.support.scripted_model import code
from tests.support.waiting import until

pytestmark = pytest.mark.browser


class Drawer:
    """The drawer of a page."""

    def __init__(self, desk: DeskPage) -> None:
        self.page = desk.page
        self.dom = desk.page.locator(".chats-drawer")
        self.field = desk.page.locator(".chats-field")
        self.rows = self.dom.locator(".chats-row")
        self.fault = self.dom.locator(".chats-row-fault:visible")

    def open(self) -> None:
        self.page.get_by_role("button", name=re.compile("^(Chats|チャット一覧)")).click()
        expect(self.dom).to_be_visible()
        expect(self.dom.locator(".chats-list")).to_have_attribute("aria-busy", "false")

    def row(self, title: str) -> Locator:
        return self.rows.filter(has=self.page.locator(".chats-name", has_text=title))

    def do(self, title: str, what: str) -> None:
        self.row(title).hover()
        self.row(title).get_by_role("button", name=re.compile(f"^{what} “")).click()

    def titles(self) -> list[str]:
        return self.dom.locator(".chats-name:visible").all_inner_texts()

    def see(self, *titles: str) -> None:
        until(self.page, self.titles, lambda results: results == [*titles])


def chat_of(url: str, title: str, message: str = "") -> str:
    """A chat with a title, made by another client; with a message, also an answered question."""
    chat_id: str = httpx.post(f"{url}/api/chats", json={"title": title}).json()["id"]
    if message:
        httpx.post(f"{url}/api/chats/{chat_id}/runs", json={"message": message}).raise_for_status()
    return chat_id


@pytest.fixture
def desk(scripted: Scripted, open_page: OpenPage) -> DeskPage:
    """A page of a desk that has no chats yet."""
    for chat in httpx.get(f"{scripted.url}/api/chats").json()["chats"]:
        httpx.delete(f"{scripted.url}/api/chats/{chat['id']}")
    return open_page(scripted.url)


@pytest.fixture
def drawer(desk: DeskPage) -> Drawer:
    return Drawer(desk)


def test_chats_are_found_by_title_and_by_what_was_said(
    desk: DeskPage, drawer: Drawer, scripted: Scripted
) -> None:
    scripted.script(code("final_answer('The fare was 33 pounds.')"))
    desk.ask("What did a ticket cost?")
    for title in ("Sales by month", "Heating"):
        chat_of(scripted.url, title)
    drawer.open()
    expect(drawer.field).to_be_focused()
    drawer.see("Heating", "Sales by month", "What did a ticket cost?")
    expect(drawer.dom.get_by_role("heading", level=3)).to_have_text(["Today"])
    expect(drawer.row("What did").get_by_role("link")).to_have_attribute("aria-current", "page")

    drawer.field.fill("MONTH")
    drawer.see("Sales by month")
    expect(drawer.dom.locator("mark")).to_have_text("month")
    drawer.field.fill("pounds")
    drawer.see("What did a ticket cost?")
    expect(drawer.dom.locator(".chats-found")).to_have_text("The fare was 33 pounds.")
    expect(drawer.dom.get_by_role("status")).to_have_text("1 found")
    drawer.field.fill("<b>nothing</b>")
    drawer.see()
    expect(drawer.dom.locator(".chats-empty")).to_have_text("Nothing found for “<b>nothing</b>”")

    desk.page.keyboard.press("Escape")
    expect(drawer.field).to_have_value("")
    drawer.see("Heating", "Sales by month", "What did a ticket cost?")

    drawer.do("Heating", "Archive")
    drawer.see("Sales by month", "What did a ticket cost?")
    drawer.field.fill("heat")  # a search finds it
    drawer.see("Heating")
    drawer.field.fill("")
    shelf = drawer.dom.locator(".chats-foot").get_by_role("button", name="Archive")
    shelf.click()
    drawer.see("Heating")
    expect(drawer.dom.get_by_role("heading", level=2)).to_have_text("Archive")
    drawer.do("Heating", "Take")
    drawer.see()
    shelf.click()
    drawer.see("Heating", "Sales by month", "What did a ticket cost?")
    desk.page.keyboard.press("Escape")
    expect(drawer.dom).to_be_hidden()


def test_a_key_opens_the_drawer_and_keys_do_all_there_is(
    desk: DeskPage, drawer: Drawer, scripted: Scripted
) -> None:
    for title in ("first", "second", "third"):
        chat_of(scripted.url, title)
    keys = desk.page.keyboard
    expect(desk.composer).to_be_focused()
    keys.press("Control+k")
    drawer.see("third", "second", "first")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("F2")
    keys.press("Control+a")
    keys.type("renamed")
    keys.press("Enter")
    drawer.see("third", "renamed", "first")
    expect(drawer.row("renamed").get_by_role("link")).to_be_focused()
    keys.press("Delete")
    expect(drawer.dom.get_by_role("button", name="Undo: restore “renamed”")).to_be_focused()
    keys.press("Enter")
    drawer.see("third", "renamed", "first")
    expect(drawer.row("renamed").get_by_role("link")).to_be_focused()
    keys.press("End")
    expect(drawer.row("first").get_by_role("link")).to_be_focused()
    keys.press("m")  # the page's keys are not meant here
    keys.press("Enter")
    expect(drawer.dom).to_be_hidden()
    expect(desk.page.locator(".chat-title")).to_have_text("first")
    expect(desk.composer).to_be_focused()
    keys.press("Meta+k")
    expect(drawer.dom).to_be_visible()
    keys.press("Control+k")
    expect(drawer.dom).to_be_hidden()
    assert desk.page.locator(".pane[data-maximised]").count() == 0


def test_a_pinned_chat_stands_first_until_it_is_unpinned(drawer: Drawer, scripted: Scripted) -> None:
    for title in ("old", "new"):
        chat_of(scripted.url, title)
    drawer.open()
    drawer.do("old", "Pin")
    drawer.see("old", "new")
    expect(drawer.dom.get_by_role("heading", level=3)).to_have_text(["Pinned", "Today"])
    drawer.do("old", "Unpin")
    drawer.see("new", "old")


def test_a_deleted_chat_can_be_had_back_for_eight_seconds(
    desk: DeskPage, drawer: Drawer, scripted: Scripted
) -> None:
    stored, gone = chat_of(scripted.url, "kept"), chat_of(scripted.url, "gone")
    drawer.open()
    for title in ("kept", "gone"):
        drawer.do(title, "Delete")
        expect(drawer.dom.locator(".chats-gone:visible").filter(has_text=title)).to_have_text(
            f"Deleted “{title}”"
        )
    drawer.dom.get_by_role("button", name="Undo: restore “kept”").click()
    drawer.see("kept")
    expect(drawer.rows).to_have_count(1)
    assert httpx.get(f"{scripted.url}/api/chats/{stored}").status_code == 200
    assert httpx.get(f"{scripted.url}/api/chats/{gone}").status_code == 404


def test_deleting_the_open_chat_begins_a_new_one_and_undo_leads_back(desk: DeskPage, drawer: Drawer) -> None:
    desk.ask("Keep this in mind")
    chat_id = desk.chat_id()
    desk.composer.fill("half a thought")
    drawer.open()
    drawer.do("Keep this", "Delete")
    until(desk.page, desk.chat_id, lambda now: now not in (chat_id, "None"))
    expect(desk.turns).to_have_count(0)
    drawer.dom.get_by_role("button", name="Restore").click()
    expect(desk.turns).to_have_count(1)
    assert desk.chat_id() == chat_id
    expect(desk.composer).to_have_value("half a thought")


def test_a_chat_that_works_is_not_deleted_and_says_why(
    desk: DeskPage, drawer: Drawer, scripted: Scripted
) -> None:
    desk.forgive("409")
    scripted.script(scripted.held(code("final_answer('ok')")))
    turn = desk.say("Take your time")
    expect(turn).to_have_attribute("aria-busy", "true")
    drawer.open()
    expect(drawer.row("Take your time").locator(".chats-mark")).to_have_text("working")
    drawer.do("Take your time", "Delete")
    expect(drawer.fault).to_have_text("This chat is still working. Stop its runs first.")
    scripted.gate.set()
    expect(drawer.row("Take your time").locator(".chats-mark")).to_have_count(0)


def test_the_drawer_follows_what_another_tab_does(
    desk: DeskPage, drawer: Drawer, scripted: Scripted, open_page: OpenPage
) -> None:
    chat_of(scripted.url, "first")
    page = open_page(scripted.url, opener=desk)
    existing = Drawer(page)
    drawer.open()
    existing.open()
    existing.do("first", "Rename")
    existing.page.keyboard.type("told at once")
    existing.page.keyboard.press("Enter")
    drawer.see("told at once")
    existing.page.keyboard.press("Escape")
    page.page.get_by_role("button", name="New chat").click()
    until(page.page, page.chat_id, lambda now: now not in (desk.chat_id(), "None"))
    scripted.script(scripted.held(code("final_answer('done')")))
    page.say("Work in the other tab")
    expect(drawer.row("Work in the other tab").locator(".chats-mark")).to_have_text("working")
    scripted.gate.set()
    expect(drawer.row("Work in the other tab").locator(".chats-mark")).to_have_count(
        0
    )  # that tab has shown it


def test_tags_are_added_filter_the_list_and_are_renamed_and_removed_everywhere(
    desk: DeskPage, drawer: Drawer, scripted: Scripted
) -> None:
    for title in ("Sales by month", "Heating", "Sales plan"):
        chat_of(scripted.url, title)
    keys, bar = desk.page.keyboard, drawer.dom.locator(".chats-tag-bar > .chats-tags")
    drawer.open()
    drawer.see("Sales plan", "Heating", "Sales by month")
    expect(bar).to_be_hidden()

    keys.press("ArrowDown")
    keys.press("t")
    for tag in ("Q3 <b>bold</b>", "q3 <B>BOLD</B>", "sales"):
        keys.type(tag)
        keys.press("Enter")
        expect(drawer.dom.locator(".chats-tag-edit input")).to_have_value("")
    keys.type("x" * 41)
    keys.press("Enter")
    expect(drawer.dom.locator(".title-fault")).to_have_text("The tag has 41 characters; the limit is 40.")
    keys.press("Escape")
    plan = drawer.row("Sales plan")
    expect(plan.get_by_role("link")).to_be_focused()
    expect(plan.locator(".chats-tag")).to_have_text(["Q3 <b>bold</b>", "sales"])

    drawer.do("Heating", "Tags of")
    expect(drawer.dom.locator("datalist option")).to_have_count(2)
    keys.type("SALES")
    drawer.row("Sales by month").get_by_role("link").focus()  # a click elsewhere keeps it
    expect(drawer.row("Heating").locator(".chats-tag")).to_have_text(["sales"])
    drawer.do("Sales plan", "Tags of")
    plan.get_by_role("button", name="Remove “Q3 <b>bold</b>”").click()
    keys.press("Escape")
    expect(bar.locator(".chats-tag")).to_have_text(["sales"])
    expect(bar.locator(".chats-tag")).to_have_accessible_name("Show chats tagged “sales” (2)")

    plan.locator(".chats-tag").click()
    drawer.see("Sales plan", "Heating")
    chip = bar.get_by_role("button", name="Stop filtering by “sales”")
    expect(chip).to_be_focused()
    drawer.field.fill("plan")
    drawer.see("Sales plan")
    drawer.field.fill("SALES heat")  # a word of the tag and one of the title
    drawer.see("Heating")
    expect(drawer.dom.locator("mark")).to_have_text(["Heat", "sales"])
    drawer.field.fill("")
    chip.click()
    drawer.see("Sales plan", "Heating", "Sales by month")
    expect(drawer.field).to_be_focused()

    bar.locator(".chats-tag").click()
    bar.get_by_role("button", name="Rename “sales” in all chats").click()
    keys.type("営業 😀")
    keys.press("Enter")
    expect(drawer.dom.locator("li .chats-tag")).to_have_text(["営業 😀"] * 2)
    for way in ("Escape", "Enter"):
        bar.get_by_role("button", name="Remove “営業 😀” from all chats").click()
        expect(bar).to_contain_text("Remove “営業 😀” from all chats (2)?")
        expect(bar.get_by_role("button", name="Cancel")).to_be_focused()
        if way == "Enter":
            keys.press("Shift+Tab")
        keys.press(way)
    drawer.see("Sales plan", "Heating", "Sales by month")
    expect(drawer.dom.locator(".chats-tag")).to_have_count(0)


@pytest.mark.parametrize("ahead", [pytest.param(0, marks=pytest.mark.slow), 3_600_000])
def test_an_answer_that_came_while_one_was_elsewhere_is_marked_until_it_is_seen(
    desk: DeskPage, drawer: Drawer, scripted: Scripted, ahead: int
) -> None:
    # also where the browser's clock is an hour ahead of the server's, on its first visit
    desk.page.evaluate("() => localStorage.clear()")
    desk.page.add_init_script(f"Date.now = ((now) => () => now() + {ahead})(Date.now)")
    desk.page.reload()
    scripted.script(scripted.held(code("final_answer('done')")))
    turn = desk.say("Work while I am away")
    expect(turn).to_have_attribute("aria-busy", "true")
    button = desk.page.locator(".chats-button")
    desk.page.get_by_role("button", name="New chat").click()
    expect(desk.turns).to_have_count(0)
    scripted.gate.set()
    expect(button).to_have_attribute("data-unread", "1")
    expect(button).to_have_accessible_name("Chats, 1 with a new answer")
    drawer.open()
    expect(drawer.row("Work while").locator(".chats-mark")).to_have_text("new answer")
    drawer.row("Work while").get_by_role("link").click()
    desk.closed(desk.turns.first)
    expect(button).to_have_attribute("data-unread", "0")
    desk.reload()
    drawer.open()
    expect(drawer.row("Work while").locator(".chats-mark")).to_have_count(0)


def test_back_and_forward_move_between_chats_and_each_has_an_address(desk: DeskPage, drawer: Drawer) -> None:
    desk.ask("One")
    first = desk.chat_id()
    desk.page.get_by_role("button", name="New chat").click()
    expect(desk.turns).to_have_count(0)
    desk.ask("Two")
    drawer.open()
    drawer.row("One").get_by_role("link").click()
    expect(desk.page.locator(".question")).to_contain_text("One")
    desk.page.go_back()
    expect(desk.page.locator(".question")).to_contain_text("Two")
    desk.page.go_back()
    expect(desk.page.locator(".question")).to_contain_text("One")
    assert desk.chat_id() == first
    desk.page.go_forward()
    expect(desk.page.locator(".question")).to_contain_text("Two")
    desk.page.goto(f"{desk.url}#chat={first}")
    expect(desk.page.locator(".question")).to_contain_text("One")
    drawer.open()
    with desk.page.context.expect_page() as opened:
        drawer.row("Two").get_by_role("link").click(modifiers=["ControlOrMeta"])
    expect(opened.value.locator(".question")).to_contain_text("Two")


def test_the_title_is_edited_where_it_stands(desk: DeskPage, drawer: Drawer, scripted: Scripted) -> None:
    title = desk.page.locator(".chat-title")
    expect(title.get_by_role("button")).to_have_count(0)  # a chat that nobody used has none
    desk.ask("What is the weather like in the second week of the first month of the year?")
    before = "What is the weather like in the second week of the first mo…"
    expect(title).to_have_text(before)
    field = desk.page.get_by_role("textbox", name="Title of the chat")

    title.get_by_role("button").click()
    expect(field).to_have_value(before)
    for typed, fault in (
        ("   ", "The title is empty. Enter at least one character."),
        ("x" * 201, "The title has 201 characters; the limit is 200."),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(desk.page.locator(".title-fault")).to_have_text(fault)
        expect(field).to_have_value(typed)
        expect(field).to_have_attribute("aria-invalid", "true")
    field.press("Escape")
    expect(title).to_have_text(before)
    expect(title.get_by_role("button")).to_be_focused()

    title.get_by_role("button").click()
    field.fill("Weather")
    field.press("Enter")
    expect(title).to_have_text("Weather")
    expect(desk.page).to_have_title("Weather · smoldesk")
    title.get_by_role("button").click()
    field.fill("Weather of 2026")
    desk.composer.click()  # a click elsewhere keeps it
    expect(title).to_have_text("Weather of 2026")
    desk.reload()
    expect(title).to_have_text("Weather of 2026")
    assert httpx.get(f"{scripted.url}/api/chats/{desk.chat_id()}").json()["title"] == "Weather of 2026"


def test_a_rename_that_the_server_will_not_have_stays_in_the_field(
    desk: DeskPage, drawer: Drawer, scripted: Scripted
) -> None:
    desk.forgive("404")
    chat_id = chat_of(scripted.url, "soon gone")
    drawer.open()
    drawer.do("soon gone", "Rename")
    httpx.delete(f"{scripted.url}/api/chats/{chat_id}")
    drawer.page.keyboard.type("too late")
    drawer.page.keyboard.press("Enter")
    until(
        drawer.page,
        lambda: drawer.dom.locator(".title-fault").all_inner_texts() or drawer.titles(),
        lambda results: not results or "There is no chat" in results[0],
    )


def test_a_chat_deleted_elsewhere_stays_to_be_read_and_comes_back(
    desk: DeskPage, scripted: Scripted, open_page: OpenPage
) -> None:
    desk.forgive("404")  # what completes the draft may be asked for too late
    desk.ask("Remember the milk")
    desk.composer.fill("and the bread")
    chat_id = desk.chat_id()
    httpx.delete(f"{scripted.url}/api/chats/{chat_id}", params={"undo": True}).raise_for_status()
    notice = desk.page.locator(".lost")
    expect(notice).to_contain_text("This chat was deleted elsewhere. Your text is kept.")
    expect(desk.turns).to_have_count(1)
    desk.composer.press("Enter")
    expect(notice).to_contain_text("not sent")
    expect(desk.composer).to_have_value("and the bread")
    assert desk.chat_id() == chat_id

    notice.get_by_role("button", name="Restore").click()
    expect(notice).to_be_hidden()
    desk.composer.press("Enter")
    expect(desk.turns).to_have_count(2)
    desk.closed(desk.turns.nth(1))


def test_a_chat_that_is_gone_for_good_leaves_the_draft_to_a_new_one(
    desk: DeskPage, scripted: Scripted
) -> None:
    desk.forgive("404")
    desk.ask("Remember the milk")
    desk.composer.fill("and the bread")
    chat_id = desk.chat_id()
    httpx.delete(f"{scripted.url}/api/chats/{chat_id}").raise_for_status()
    notice = desk.page.locator(".lost")
    notice.get_by_role("button", name="Restore").click()
    expect(notice).to_contain_text("deleted permanently")
    notice.get_by_role("button", name="Continue in a new chat").click()
    expect(desk.turns).to_have_count(0)
    expect(notice).to_be_hidden()
    expect(desk.composer).to_have_value("and the bread")
    assert desk.chat_id() != chat_id


def test_an_address_of_no_chat_says_so_and_begins_a_new_one(desk: DeskPage) -> None:
    desk.page.goto(f"{desk.url}#chat=c_nobody")
    notice = desk.page.locator(".lost")
    expect(notice).to_contain_text("There is no chat at this address")
    desk.connected()
    until(desk.page, desk.chat_id, lambda now: now.startswith("c_") and now != "c_nobody")
    turn = desk.ask("Is it a chat now?")
    expect(turn.locator(".answer")).to_have_text("ok")
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_be_hidden()


def test_hundreds_of_chats_are_there_as_one_scrolls(
    open_page: OpenPage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with live_desk(tmp_path_factory.mktemp("hundreds")) as live:
        fill(live, 300)
        desk = open_page(live.url)
        drawer = Drawer(desk)
        drawer.open()
        expect(drawer.rows).to_have_count(40)
        drawer.field.fill("chat 77")
        until(
            desk.page,
            drawer.titles,
            lambda results: bool(results) and all("77" in title for title in results),
        )
        drawer.field.fill("")
        script = "(list) => { list.scrollTop = list.scrollHeight; }"

        def count() -> int:
            drawer.dom.locator(".chats-list").evaluate(script)
            return drawer.rows.count()

        for enough in (100, 200, 300):  # a busy machine takes its time
            until(desk.page, count, lambda rows, enough=enough: rows >= enough)
        expect(drawer.dom.get_by_role("button", name="Show more")).to_be_hidden()


def fill(live: LiveDesk, count: int) -> None:
    """Chats that were used, straight into the store."""
    from sqlalchemy import insert

    from smoldesk.store.tables import ChatRow

    rows = [
        {"id": f"c_{n:04}", "title": f"chat {n}", "created_at": n, "updated_at": n, "last_seq": 1, "epoch": 0}
        for n in range(count)
    ]
    live.desk.store.submit(lambda tx: tx.connection.execute(insert(ChatRow), rows)).result(60)


@pytest.mark.parametrize(
    ("locale", "theme"), [("ja-JP", "dark"), pytest.param("ja-JP", "light", marks=pytest.mark.slow)]
)
def test_the_drawer_speaks_japanese_on_a_phone(
    scripted: Scripted, open_page: OpenPage, locale: str, theme: str
) -> None:
    title = f"売上の月別推移 {theme}"
    chat_id = chat_of(scripted.url, title)
    tags = ["W" * 40, "営業", "מכירות"]
    httpx.patch(f"{scripted.url}/api/chats/{chat_id}", json={"tags": tags}).raise_for_status()
    desk = open_page(scripted.url, size=(390, 844), locale=locale, theme=theme)
    drawer = Drawer(desk)
    drawer.open()
    drawer.field.fill(f"月別 {theme}")
    drawer.see(title)
    assert drawer.dom.evaluate(
        "(drawer) => drawer.scrollWidth <= drawer.clientWidth && drawer.clientWidth <= innerWidth"
    )
    expect(drawer.row(title).locator(".chats-tag")).to_have_text(["W" * 40, "מכירות", "営業"])
    boxes = [button.bounding_box() for button in drawer.dom.get_by_role("button").all()]
    assert all(box and min(box["width"], box["height"]) >= 24 for box in boxes), boxes
    drawer.dom.get_by_role("button", name="閉じる").click()
    from_menu(desk.page, "Show in English")
    drawer.open()
    expect(drawer.dom.get_by_role("heading", level=2)).to_have_text("Chats")
