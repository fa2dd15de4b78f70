"""The image pane in a browser: the gallery, and enlarging."""

import base64
import io
from typing import Any

import PIL.Image
import pytest
from pane_host import Desk, OpenPane
from playwright.sync_api import expect

from tests.support.waiting import until

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


def test_an_empty_gallery_says_what_will_be_here(desk: Desk) -> None:
    expect(desk.page.get_by_text("Plots and images appear here")).to_be_visible()
    desk.tell(image(1))
    expect(desk.page.get_by_text("Plots and images appear here")).to_be_hidden()


def test_images_come_newest_first_with_file_name_and_step(desk: Desk) -> None:
    desk.tell(code("Step 1"), image(1), code("Step 2"), image(2))

    expect(desk.page.locator(".images-name")).to_have_text(["plot2.png", "plot1.png"])
    expect(desk.page.locator(".images-step")).to_have_text(["Step 2", "Step 1"])


def test_a_step_of_another_run_is_not_an_image_s_step(desk: Desk) -> None:
    desk.tell(code("Step 3"), image(4, runId="r2"))

    expect(desk.page.locator(".images-card")).to_have_count(1)
    expect(desk.page.locator(".images-step")).to_have_count(0)


def test_a_replay_never_doubles_an_image(desk: Desk) -> None:
    reports = [image(1), image(2, seq=None), {"type": "image", "content": "AAAA", "format": "png"}]
    without_seq = [{key: value for key, value in item.items() if value is not None} for item in reports]

    desk.tell(*without_seq, *without_seq)

    desk.see(count="3")


def test_the_same_file_drawn_again_is_a_new_image(desk: Desk) -> None:
    desk.tell(image(1), image(2, path="/chat/plot1.png"))

    expect(desk.page.locator(".images-name")).to_have_text(["plot1.png", "plot1.png"])


def test_space_is_kept_before_an_image_arrives_and_nothing_moves_when_it_does(desk: Desk) -> None:
    locked: list[Any] = []
    desk.page.route("**/files/*", lambda route: locked.append(route))
    desk.tell(image(1))
    before = desk.page.locator(".images-card").bounding_box()
    assert before is not None and before["height"] > 200

    until(desk.page, lambda: len(locked), bool)
    for route in locked:
        route.continue_()
    desk.page.wait_for_selector("[data-arrival=ready]")

    assert desk.page.locator(".images-card").bounding_box() == before


def test_base64_of_an_older_server_is_shown_too(desk: Desk) -> None:
    dot = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    desk.tell({"type": "image", "content": dot, "format": "gif", "path": "dot.gif"})

    desk.page.wait_for_selector("[data-arrival=ready]")
    expect(desk.page.locator(".images-sheet img")).to_have_attribute("src", f"data:image/gif;base64,{dot}")


def test_an_image_is_never_fetched_from_elsewhere(desk: Desk) -> None:
    lines: list[str] = []
    desk.page.on("request", lambda request: lines.append(request.url))

    for url in ("https://elsewhere.example/x.png", "//elsewhere.example/x.png", "/\\elsewhere/x.png"):
        desk.tell(image(1, url=url))

    assert desk.facts()["count"] == "0"
    assert lines == []


def test_an_image_that_fails_says_so_and_can_be_tried_again(desk: Desk) -> None:
    desk.page.route("**/files/plot1.png", lambda route: route.abort(), times=1)
    desk.tell(image(1))
    retry = desk.page.get_by_role("button", name="Try again")
    retry.wait_for()
    expect(desk.page.get_by_text("This image could not be loaded")).to_be_visible()

    retry.click()

    desk.page.wait_for_selector("[data-arrival=ready]")
    expect(desk.page.get_by_role("button", name="Enlarge plot1.png")).to_be_visible()


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
    expect(dialog).to_be_visible()
    expect(desk.page.locator(".images-dialog-position")).to_have_text("2 of 3")

    desk.page.keyboard.press("ArrowRight")
    desk.page.keyboard.press("ArrowRight")  # the oldest is the last
    expect(desk.page.get_by_role("dialog", name="plot1.png")).to_be_visible()
    for _ in range(3):
        desk.page.keyboard.press("ArrowLeft")
    expect(desk.page.get_by_role("dialog", name="plot3.png")).to_be_visible()

    for _ in range(12):
        desk.page.keyboard.press("Tab")
        assert desk.page.evaluate(
            "() => document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    desk.page.keyboard.press("Escape")
    expect(desk.page.get_by_role("dialog")).to_have_count(0)
    expect(opener).to_be_focused()


def test_a_click_beside_the_enlarged_image_closes_it(open_pane: OpenPane) -> None:
    desk = open_pane("images", size=(1200, 700))
    desk.tell(image(1))
    desk.page.get_by_role("button", name="Enlarge plot1.png").click()
    expect(desk.page.get_by_role("dialog")).to_have_count(1)

    desk.page.mouse.click(5, 5)

    expect(desk.page.get_by_role("dialog")).to_have_count(0)


def test_enlarging_points_at_the_image_everywhere_and_the_reverse(desk: Desk) -> None:
    desk.tell(image(1), image(2))
    desk.page.get_by_role("button", name="Enlarge plot1.png").click()
    desk.hears("select", [{"source": "images", "seq": 1, "runId": "r1"}])
    desk.page.keyboard.press("Escape")

    desk.emit("select", {"source": "debug", "seq": 2, "runId": "r1"})

    expect(desk.page.locator(".images-card[data-lit] .images-name")).to_have_text(["plot2.png"])


def test_an_image_that_is_pointed_at_and_has_the_focus_has_one_ring(desk: Desk) -> None:
    desk.tell(image(1), image(2))
    desk.emit("select", {"source": "debug", "seq": 2, "runId": "r1"})
    card = desk.page.locator(".images-card[data-lit]")
    desk.page.keyboard.press("Tab")
    card.get_by_role("button").first.focus()

    rings = card.evaluate("""(card) => [card, ...card.querySelectorAll(".images-sheet, img")].filter((one) => {
        const { outlineStyle, boxShadow } = getComputedStyle(one);
        return outlineStyle !== "none" || boxShadow !== "none";
    }).map(({ className }) => className)""")
    assert rings == ["images-sheet"]


def test_a_plot_stays_on_light_paper_at_night(open_pane: OpenPane) -> None:
    desk = open_pane("images", theme="dark")
    desk.tell(image(1))

    ground = desk.page.locator(".images-sheet").evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert ground == "rgb(217, 217, 217)"


def test_another_language_renames_everything_and_loads_nothing_again(desk: Desk) -> None:
    desk.tell(image(1), {"type": "image", "content": "AAAA", "format": "png"})
    expect(desk.page.locator("[data-arrival=loading]")).to_have_count(0)
    lines: list[str] = []
    desk.page.on("request", lambda request: lines.append(request.url))

    desk.page.evaluate("() => { window.desk.t.language = 'ja'; window.desk.bus.emit('language', 'ja'); }")

    expect(desk.page.get_by_role("button", name="plot1.pngを拡大")).to_have_count(1)
    expect(desk.page.locator(".images-name", has_text="画像2")).to_have_count(1)
    assert lines == []


def test_another_chat_begins_with_an_empty_gallery(desk: Desk) -> None:
    desk.tell(image(1))

    desk.reset()

    desk.see(count="0")
    expect(desk.page.locator(".images-card")).to_have_count(0)
    expect(desk.page.get_by_text("Plots and images appear here")).to_be_visible()


SQUARE = """<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"><script>top.taken = 1</script>
<rect width="9" height="6" fill="green" onload="top.taken = 2"/></svg>"""


MEDIA = {"jpg": "image/jpeg", "svg": "image/svg+xml"}


def drawn_as(format: str) -> bytes:
    """A picture of 9 by 6 pixels in one of the formats."""
    if format == "svg":
        return SQUARE.encode()
    bytes_i_o = io.BytesIO()
    PIL.Image.new("RGB", (9, 6), "green").save(
        bytes_i_o, "JPEG" if format in ("jpg", "jpeg") else format.upper()
    )
    return bytes_i_o.getvalue()


def test_every_format_is_shown_by_address_and_inlined_and_only_as_an_image(desk: Desk) -> None:
    widths = "() => [...document.querySelectorAll('.images-card img')].map((one) => one.naturalWidth)"
    for format in ("png", "jpg", "jpeg", "gif", "bmp", "svg"):
        body = drawn_as(format)
        media_type = MEDIA.get(format, f"image/{format}")
        desk.page.route(
            f"**/files/one.{format}",
            lambda route, _, body=body, media_type=media_type: route.fulfill(
                body=body, content_type=media_type
            ),
        )
        report = {"type": "image", "format": format, "content": base64.b64encode(body).decode()}

        desk.tell(image(1, format=format, url=f"/files/one.{format}", path=f"one.{format}"), report)

        expect(desk.page.locator("[data-arrival=ready]")).to_have_count(2)
        assert desk.page.evaluate(widths) == [9, 9], format
        if format != "svg":
            desk.reset()
    assert desk.page.evaluate("() => window.taken") is None
    assert desk.page.locator("object, embed, iframe, .images-list svg:not(.icon)").count() == 0


def test_a_broken_image_is_words_in_the_gallery_and_when_enlarged(desk: Desk) -> None:
    broken = {"type": "image", "format": "png", "content": "AAAA", "path": "broken.png"}
    desk.tell(broken, image(1))
    expect(desk.page.locator(".images-broken")).to_have_text("This image could not be loaded")
    desk.page.get_by_role("button", name="Enlarge plot1.png").click()
    # the dialog is loaded when an image is first enlarged
    expect(desk.page.get_by_role("dialog", name="plot1.png")).to_be_visible()
    desk.page.keyboard.press("ArrowRight")

    dialog = desk.page.get_by_role("dialog", name="broken.png")
    expect(dialog.locator("img")).to_be_hidden()
    expect(dialog.locator(".images-dialog-broken")).to_have_text("This image could not be loaded")
    desk.page.keyboard.press("ArrowLeft")
    expect(desk.page.get_by_role("dialog", name="plot1.png").locator("img")).to_be_visible()
