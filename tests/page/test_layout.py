"""Who gets the room on a wide screen: what an answer filled, unless a person chose, and never while one is at work."""

from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import ScriptedServer, asked, run, text
from tests.support.waiting import see, until

pytestmark = pytest.mark.browser

FIRST = {"columns": 55, "left": 65, "right": 74, "folded": "images"}
PLOT = {"columns": 55, "left": 41, "right": 76, "folded": ""}
MAP_WITH_IMAGES = {"columns": 58, "left": 72, "right": 70, "folded": ""}
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


def test_the_empty_image_pane_gives_its_place_to_the_map_and_a_plot_takes_it(
    page: Page, server: ScriptedServer
) -> None:
    see_sizes(page, FIRST)
    until(page, lambda: height(page, "map"), lambda tall: tall > 740)

    plot(server)

    see_sizes(page, PLOT)
    until(page, lambda: height(page, "images") - height(page, "map"), lambda more: more > 100)


def test_the_map_gets_the_room_after_a_map_and_the_images_after_the_next_plot(
    page: Page, server: ScriptedServer
) -> None:
    plot(server, "r1")
    route(server, "r2")
    see_sizes(page, MAP_WITH_IMAGES)

    plot(server, "r3")

    see_sizes(page, PLOT)


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


@pytest.mark.parametrize(("motion", "lasts"), [("no-preference", "0.15s"), ("reduce", "0s")])
def test_leaning_is_eased_but_not_under_reduced_motion(
    page: Page, server: ScriptedServer, motion: str, lasts: str
) -> None:
    page.emulate_media(reduced_motion=motion)  # pyright: ignore[reportArgumentType]

    assert (
        page.locator("#pane-images").evaluate(
            "(pane) => getComputedStyle(pane).transitionDuration.split(',')[0]"
        )
        == lasts
    )


def test_phones_have_tabs_and_no_layouts(page: Page, server: ScriptedServer) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    plot(server)
    arrived(page)

    expect(page.locator(".layout-button")).to_be_hidden()
    page.keyboard.press("l")
    expect(page.locator(".layouts")).to_be_hidden()
    page.get_by_role("tab", name="Images").click()
    until(page, lambda: height(page, "images"), lambda tall: tall > 600)


def test_the_words_of_the_choice_are_those_of_the_language(page: Page, server: ScriptedServer) -> None:
    page.get_by_role("button", name="日本語で表示").click()
    page.locator(".layout-button").click()

    lines = page.locator(".layout-line:visible > span")
    expect(lines).to_have_text(["自動", "分析", "マップ", "デバッグ", "4ペイン"])
