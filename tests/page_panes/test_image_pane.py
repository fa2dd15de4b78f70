"""The image pane in a browser: the gallery, and enlarging."""

from typing import Any

import pytest
from pane_host import Desk, OpenPane

pytestmark = pytest.mark.browser


def image(number: int, **more: Any) -> dict[str, Any]:
    return {
        "type": "image",
        "content": "",
        "format": "png",
        "path": f"/chat/plot{number}.png",
        "fileId": f"file{number}",
        "seq": number,
        "runId": "r1",
        "width": 480,
        "height": 320,
        "url": f"/files/plot{number}.png",
        **more,
    }


def code(step: str) -> dict[str, Any]:
    return {"type": "code", "content": "plt.plot()", "step": step, "runId": "r1"}


@pytest.fixture
def desk(open_pane: OpenPane) -> Desk:
    return open_pane("images", size=(780, 420))


def names(desk: Desk) -> list[str]:
    return desk.page.locator(".images-name").all_inner_texts()


def test_an_empty_gallery_says_what_will_be_here(desk: Desk) -> None:
    assert desk.page.get_by_text("Plots and pictures appear here").is_visible()
    desk.tell(image(1))
    assert desk.page.get_by_text("Plots and pictures appear here").is_hidden()


def test_images_come_newest_first_with_file_name_and_step(desk: Desk) -> None:
    desk.tell(code("Step 1"), image(1), code("Step 2"), image(2))

    assert names(desk) == ["plot2.png", "plot1.png"]
    assert desk.page.locator(".images-step").all_inner_texts() == ["Step 2", "Step 1"]


def test_a_step_of_another_run_is_not_an_image_s_step(desk: Desk) -> None:
    desk.tell(code("Step 3"), image(4, runId="r2"))

    assert desk.page.locator(".images-step").count() == 0


def test_a_replay_never_doubles_an_image(desk: Desk) -> None:
    told = [image(1), image(2, seq=None), {"type": "image", "content": "AAAA", "format": "png"}]
    without_seq = [{key: value for key, value in one.items() if value is not None} for one in told]

    desk.tell(*without_seq, *without_seq)

    assert desk.facts()["count"] == "3"


def test_the_same_file_drawn_again_is_a_new_image(desk: Desk) -> None:
    desk.tell(image(1), image(2, path="/chat/plot1.png"))

    assert names(desk) == ["plot1.png", "plot1.png"]


def test_space_is_kept_before_an_image_arrives_and_nothing_moves_when_it_does(desk: Desk) -> None:
    held: list[Any] = []
    desk.page.route("**/files/*", lambda route: held.append(route))
    desk.tell(image(1))
    before = desk.page.locator(".images-card").bounding_box()
    assert before is not None and before["height"] > 200

    for route in held:
        route.continue_()
    desk.page.wait_for_selector("[data-arrival=ready]")

    assert desk.page.locator(".images-card").bounding_box() == before


def test_base64_of_an_older_server_is_shown_too(desk: Desk) -> None:
    dot = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    desk.tell({"type": "image", "content": dot, "format": "gif", "path": "dot.gif"})

    desk.page.wait_for_selector("[data-arrival=ready]")
    assert desk.page.locator(".images-sheet img").get_attribute("src") == f"data:image/gif;base64,{dot}"


@pytest.mark.parametrize(
    "url", ["https://elsewhere.example/x.png", "//elsewhere.example/x.png", "/\\elsewhere/x.png"]
)
def test_an_image_is_never_fetched_from_elsewhere(desk: Desk, url: str) -> None:
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))

    desk.tell(image(1, url=url))

    assert desk.facts()["count"] == "0"
    assert asked == []


def test_an_image_that_fails_says_so_and_can_be_tried_again(desk: Desk) -> None:
    desk.page.route("**/files/plot1.png", lambda route: route.abort(), times=1)
    desk.tell(image(1))
    retry = desk.page.get_by_role("button", name="Try again")
    retry.wait_for()
    assert desk.page.get_by_text("This image could not be loaded").is_visible()

    retry.click()

    desk.page.wait_for_selector("[data-arrival=ready]")
    assert desk.page.get_by_role("button", name="Enlarge plot1.png").is_visible()


def test_an_image_can_be_downloaded_under_its_own_name(desk: Desk) -> None:
    desk.tell(image(1))

    with desk.page.expect_download() as download:
        desk.page.get_by_role("link", name="Download plot1.png").click()

    assert download.value.suggested_filename == "plot1.png"


def test_enlarging_walks_with_arrow_keys_keeps_the_focus_and_escape_ends_it(desk: Desk) -> None:
    desk.tell(image(1), image(2), image(3))
    opener = desk.page.get_by_role("button", name="Enlarge plot2.png")
    opener.click()
    dialog = desk.page.get_by_role("dialog", name="plot2.png")
    assert dialog.is_visible()
    assert desk.page.locator(".images-dialog-position").inner_text() == "2 of 3"

    desk.page.keyboard.press("ArrowRight")
    desk.page.keyboard.press("ArrowRight")  # the oldest is the last
    assert desk.page.get_by_role("dialog", name="plot1.png").is_visible()
    for _ in range(3):
        desk.page.keyboard.press("ArrowLeft")
    assert desk.page.get_by_role("dialog", name="plot3.png").is_visible()

    for _ in range(12):
        desk.page.keyboard.press("Tab")
        assert desk.page.evaluate(
            "() => document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    desk.page.keyboard.press("Escape")
    assert desk.page.get_by_role("dialog").count() == 0
    assert opener.evaluate("(node) => node === document.activeElement")


def test_a_click_beside_the_enlarged_image_closes_it(open_pane: OpenPane) -> None:
    desk = open_pane("images", size=(1200, 700))
    desk.tell(image(1))
    desk.page.get_by_role("button", name="Enlarge plot1.png").click()
    assert desk.page.get_by_role("dialog").count() == 1

    desk.page.mouse.click(5, 5)

    assert desk.page.get_by_role("dialog").count() == 0


def test_enlarging_points_at_the_image_everywhere_and_the_reverse(desk: Desk) -> None:
    desk.tell(image(1), image(2))
    desk.page.get_by_role("button", name="Enlarge plot1.png").click()
    assert desk.heard("select") == [{"source": "images", "seq": 1, "runId": "r1"}]
    desk.page.keyboard.press("Escape")

    desk.emit("select", {"source": "debug", "seq": 2, "runId": "r1"})

    assert desk.page.locator(".images-card[data-lit] .images-name").all_inner_texts() == ["plot2.png"]


def test_a_plot_stays_on_light_paper_at_night(open_pane: OpenPane) -> None:
    desk = open_pane("images", theme="dark")
    desk.tell(image(1))

    ground = desk.page.locator(".images-sheet").evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert ground == "rgb(243, 244, 246)"


def test_another_language_renames_everything_and_loads_nothing_again(desk: Desk) -> None:
    desk.tell(image(1), {"type": "image", "content": "AAAA", "format": "png"})
    desk.page.wait_for_selector("[data-arrival=ready]")
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))

    desk.page.evaluate("() => { window.desk.t.language = 'ja'; window.desk.bus.emit('language', 'ja'); }")

    assert desk.page.get_by_role("button", name="plot1.pngを拡大").count() == 1
    assert "画像 2" in names(desk)
    assert asked == []


def test_another_chat_begins_with_an_empty_gallery(desk: Desk) -> None:
    desk.tell(image(1))

    desk.emit("command", {"name": "reset"})

    assert desk.facts()["count"] == "0"
    assert desk.page.locator(".images-card").count() == 0
    assert desk.page.get_by_text("Plots and pictures appear here").is_visible()
