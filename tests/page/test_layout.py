"""What gets the room on a wide screen: what an answer filled, unless a person chose, and never while one is at work."""

import json
from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk_page import BUILDING
from tests.page.conftest import ScriptedServer, asked, run, text
from tests.support.page_menu import from_menu
from tests.support.waiting import see, until

pytestmark = pytest.mark.browser

FIRST = {"columns": 55, "left": 65, "right": 74, "folded": "images"}
PLOT = {"columns": 45, "left": 50, "right": 78, "folded": "images"}
MAP_WITH_IMAGES = {"columns": 58, "left": 72, "right": 70, "folded": ""}
DATA = {"columns": 55, "left": 68, "right": 76, "folded": "images"}
READ = """() => {
    const inside = [...document.querySelectorAll(".column")];
    const of = (side) => {
        const column = inside.find((one) => one.dataset.column === side);
        return Number(column.querySelector(".splitter").getAttribute("aria-valuenow"));
    };
    const columns = Number(document.querySelector(".desk > .splitter").getAttribute("aria-valuenow"));
    const folded = [...document.querySelectorAll(".pane[data-collapsed]")].map(({ dataset }) => dataset.pane).join(" ");
    return { columns, left: of("left"), right: of("right"), folded };
}"""


def sizes(page: Page) -> dict[str, object]:
    return page.evaluate(READ)


def see_sizes(page: Page, expected: Mapping[str, object]) -> None:
    see(page, lambda: sizes(page), expected)


def height(page: Page, pane: str) -> float:
    box = page.locator(f"#pane-{pane}").bounding_box()
    assert box is not None
    return box["height"]


def plot(server: ScriptedServer, run_id: str = "r1") -> None:
    """An answer with an image, whole."""
    image = {"type": "image", "url": f"/files/{run_id}", "content": "", "format": "png", "runId": run_id}
    server.send(asked(run_id, "Plot it"), image, text(run_id, f"drawn {run_id}"), run(run_id, "finished"))


def route(server: ScriptedServer, run_id: str) -> None:
    drawn = {"floorId": "1F", "timestamp": "", "rectangles": [], "overlays": []}
    server.send(asked(run_id, "Which way?"), {"type": "map", "content": drawn, "runId": run_id})
    server.send(text(run_id, f"drawn {run_id}"), run(run_id, "finished"))


def arrived(page: Page, run_id: str = "r1") -> None:
    """The answer is in the page, and two frames later the layout had its chance to move."""
    expect(page.locator(".log").get_by_text(f"drawn {run_id}")).to_be_visible()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def choose(page: Page, layout: str) -> None:
    page.keyboard.press("l")
    page.get_by_role("radio", name=layout).check()
    page.keyboard.press("Escape")


def table(server: ScriptedServer, run_id: str, rows: int = 20) -> None:
    """An answer with a table that the server keeps."""
    content = {
        "tableId": run_id,
        "name": f"prices {run_id}",
        "columns": [{"name": "price", "kind": "number"}],
    }
    content |= {"rows": [[at] for at in range(rows)], "rowCount": rows}
    url = f"/api/chats/{server.chat_id}/tables/{run_id}"
    server.send(asked(run_id, "Which?"), {"type": "table", "content": content, "url": url, "runId": run_id})
    server.send(text(run_id, f"drawn {run_id}"), run(run_id, "finished"))


def upload(server: ScriptedServer, name: str = "sales.csv") -> None:
    card = {"fileId": name, "name": name, "size": 9, "isTableFile": True, "tableCount": 0, "tables": []}
    server.answers[f"/api/chats/{server.chat_id}/cards/{name}"] = lambda _: (
        card | {"problems": [], "notes": []}
    )
    tables = [{"name": "sales", "rows": 240, "columns": 4}]
    content = {"fileId": name, "name": name, "size": 9, "mediaType": "text/csv", "tables": tables}
    server.send({"type": "file", "content": content})


def drop(page: Page, name: str) -> None:
    """Drop a file on the chat; its upload begins, and the desk does not answer."""
    page.route("**/uploads", lambda route: route.abort())
    script = """(chat, name) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["a,b\\n1,2\\n"], name, { type: "text/csv" }));
        chat.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }"""
    page.locator(".chat").evaluate(script, name)
    expect(page.locator(".chip[aria-busy]")).to_contain_text(name)


def chosen(page: Page) -> str:
    """The tab in front in the place of the plan, "" without tabs."""
    tab = page.locator(".place-tab[aria-selected=true]")
    return tab.inner_text() if tab.is_visible() else ""


def test_a_dropped_file_takes_the_place_of_the_plan_and_a_map_gives_it_back(
    page: Page, server: ScriptedServer
) -> None:
    upload(server)

    see_sizes(page, DATA)
    expect(page.get_by_role("tab", name="sales.csv")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".data-place .upload-card")).to_be_visible()
    expect(page.locator(".log .upload-card")).to_have_count(0)
    assert page.locator("#pane-map .pane-body > :first-child").is_hidden()
    assert page.evaluate("document.activeElement === document.body"), "it takes no focus"

    route(server, "r1")
    see(page, lambda: chosen(page), "Floor map")
    expect(page.locator(".data-place")).to_be_hidden()
    page.get_by_role("tab", name="Floor map", exact=True).press("ArrowRight")
    expect(page.locator(".data-place")).to_be_visible()
    page.get_by_role("button", name="Close sales.csv").click()
    expect(page.locator("#pane-map")).to_be_focused()
    see(page, lambda: chosen(page), "")
    page.reload()
    expect(page.locator(".upload-head button")).to_have_attribute("aria-expanded", "false")
    see(page, lambda: chosen(page), "")

    # one that this page uploads comes at once, also beside a draft
    drop(page, "rides.csv")
    page.locator(".field").press_sequentially("and by s")
    upload(server, "rides.csv")
    see(page, lambda: chosen(page), "rides.csv")
    expect(page.locator(".field")).to_have_value("and by s")


def test_a_table_stands_where_the_plan_was_and_a_smaller_one_leaves_it_there(
    page: Page, server: ScriptedServer
) -> None:
    style = "**/css/table-grid.css"
    page.route(style, lambda route: route.abort())
    table(server, "r1")
    see(page, lambda: chosen(page), "prices r1")
    page.get_by_role("dialog", name="did not load").get_by_role("button", name="Later").click()
    page.unroute(style)
    page.get_by_role("tab", name="prices r1").click()
    expect(page.locator(".data-place").get_by_role("gridcell", name="19", exact=True)).to_be_visible()
    assert page.locator("dialog:modal").count() == 0
    page.get_by_role("grid").focus()
    page.keyboard.press("m")  # keys of the page are its own in a table that stands
    expect(page.locator("#pane-map")).to_have_attribute("data-maximised", "")
    page.keyboard.press("Escape")
    expect(page.locator("[data-maximised]")).to_have_count(0)

    table(server, "r2", rows=3)
    arrived(page, "r2")
    assert chosen(page) == "prices r1"
    page.locator(".turn").nth(1).get_by_role("button", name="Open the full table").click()
    see(page, lambda: chosen(page), "prices r2")
    page.reload()
    see(page, lambda: chosen(page), "prices r1")


def test_the_plans_tab_has_a_badge_while_a_table_hides_a_new_drawing(
    page: Page, server: ScriptedServer
) -> None:
    server.push({"type": "map_definition", "content": json.loads(BUILDING.read_text())})
    choose(page, "All four")
    table(server, "r1")
    arrived(page)
    assert chosen(page) == "", "an arrangement stays"
    page.get_by_role("button", name="Open the full table").click()
    see(page, lambda: chosen(page), "prices r1")

    rooms = {"rooms": ["Kitchen"], "color": "blue"}
    server.send(asked("r2", "Where?"), {"type": "highlight_room", "content": rooms, "runId": "r2"})
    expect(page.get_by_role("tab", name="Floor map, updated")).to_be_visible()
    assert chosen(page) == "prices r1"
    page.get_by_role("tab", name="Floor map, updated").click()
    expect(page.get_by_role("tab", name="Floor map", exact=True)).to_be_visible()


def test_a_plot_stands_once_and_earlier_ones_are_beside_the_chat(page: Page, server: ScriptedServer) -> None:
    see_sizes(page, FIRST)
    until(page, lambda: height(page, "map"), lambda tall: tall > 740)

    plot(server, "r1")
    see_sizes(page, PLOT)
    route(server, "r2")
    see_sizes(page, MAP_WITH_IMAGES)
    plot(server, "r3")
    see_sizes(page, PLOT | {"folded": ""})


def write(page: Page) -> Callable[[], None]:
    page.locator(".field").press_sequentially("and by s")
    return lambda: page.locator(".field").fill("")


def write_and_leave(page: Page) -> Callable[[], None]:
    page.locator(".field").press_sequentially("and by s")
    return lambda: page.locator(".field").blur()


def select(page: Page) -> Callable[[], None]:
    page.evaluate("document.getSelection().selectAllChildren(document.querySelector('.pane-title'))")
    return lambda: page.evaluate("document.getSelection().removeAllRanges()")


def hold_a_pointer(page: Page) -> Callable[[], None]:
    page.mouse.move(300, 300)
    page.mouse.down()
    return page.mouse.up


@pytest.mark.parametrize("hold", [write, write_and_leave, select, hold_a_pointer])
def test_nothing_moves_while_a_person_is_at_work_and_it_moves_afterwards(
    page: Page, server: ScriptedServer, hold: Callable[[Page], Callable[[], None]]
) -> None:
    see_sizes(page, FIRST)
    release = hold(page)

    plot(server)
    arrived(page)
    assert sizes(page) == FIRST

    release()
    see_sizes(page, PLOT)


def test_nothing_moves_for_someone_who_reads_further_up(page: Page, server: ScriptedServer) -> None:
    server.send(
        asked("r0", "Tell me"),
        text("r0", "\n\n".join(f"line {at}" for at in range(80))),
        run("r0", "finished"),
    )
    server.send(asked("r9", "And?"), text("r9", "\n\n".join(f"more {at}" for at in range(80))))
    log = page.locator(".log")
    until(page, lambda: log.evaluate("(log) => log.scrollTop"), lambda top: top > 500)
    log.evaluate("(log) => { log.scrollTop = 40; }")
    expect(page.locator("[data-read-back]")).to_have_count(1)

    plot(server)
    expect(page.locator(".log").get_by_text("drawn r1")).to_be_attached()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert sizes(page) == FIRST

    page.locator(".latest").click()
    see_sizes(page, PLOT)


def test_sizes_set_by_hand_win_are_kept_over_reload_and_given_up_by_choice(
    page: Page, server: ScriptedServer
) -> None:
    page.get_by_role("separator", name="Height of the chat").press("ArrowDown")
    local = {**FIRST, "right": 76}
    see_sizes(page, local)

    plot(server)
    arrived(page)
    assert sizes(page) == local
    page.reload()
    arrived(page)
    see_sizes(page, local)

    page.keyboard.press("Escape")
    choose(page, "Map")
    see_sizes(page, {"columns": 66, "left": 65, "right": 65, "folded": "images debug"})
    choose(page, "Custom")
    see_sizes(page, local)
    choose(page, "Automatic")
    see_sizes(page, PLOT)
    page.reload()
    see_sizes(page, PLOT)


def test_a_preset_is_chosen_by_keyboard_stays_and_is_kept_over_reload(
    page: Page, server: ScriptedServer
) -> None:
    presets = [
        ("Analyst", {"columns": 42, "left": 40, "right": 80, "folded": "debug"}),
        ("Map", {"columns": 66, "left": 65, "right": 65, "folded": "images debug"}),
        ("Debug", {"columns": 38, "left": 65, "right": 42, "folded": "images"}),
        ("All four", {"columns": 55, "left": 65, "right": 65, "folded": ""}),
    ]
    before = "Automatic"
    for layout, preset in presets:
        page.keyboard.press("l")
        expect(page.get_by_role("radio", name=before)).to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("radio", name=layout)).to_be_checked()
        page.keyboard.press("Escape")
        see_sizes(page, preset)
        before = layout

        plot(server, layout)
        arrived(page, layout)
        assert sizes(page) == preset
    page.reload()
    arrived(page, before)
    see_sizes(page, presets[-1][1])


def test_m_takes_the_pane_in_use_to_full_screen_and_back_from_anywhere(
    page: Page, server: ScriptedServer
) -> None:
    see_sizes(page, FIRST)
    for pane in ("chat", "map", "images", "debug"):
        page.locator(f"#pane-{pane} {'.chat-title' if pane == 'chat' else '.pane-title'}").click()
        page.evaluate("document.activeElement.blur()")

        page.keyboard.press("m")
        expect(page.locator(f"#pane-{pane}")).to_have_attribute("data-maximised", "")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("m")

        expect(page.locator("[data-maximised]")).to_have_count(0)
        assert sizes(page) == FIRST


def test_phones_have_tabs_and_no_layouts(page: Page, server: ScriptedServer) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".field")).to_have_attribute("placeholder", "Ask a question")
    plot(server)
    arrived(page)
    table(server, "r2")
    arrived(page, "r2")

    expect(page.locator(".place-tabs, .data-place").first).to_be_hidden()
    page.keyboard.press("l")
    expect(page.locator(".layouts")).to_be_hidden()
    page.get_by_role("tab", name="Images").click()
    until(page, lambda: height(page, "images"), lambda tall: tall > 600)


def test_the_words_of_the_choice_are_those_of_the_language(page: Page, server: ScriptedServer) -> None:
    from_menu(page, "日本語で表示")
    page.locator(".menu-button").click()

    lines = page.locator(".layout-line:visible > span")
    expect(lines).to_have_text(["自動", "分析", "マップ", "デバッグ", "4ペイン"])
