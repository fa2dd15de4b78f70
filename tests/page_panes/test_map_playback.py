"""Rooms over time, in a browser: every frame is painted, and hands can stop, move and hasten them."""

import pytest
from answers_on_the_plan import played, room
from pane_host import DEFINITION, OpenPane, plan
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ROOM1 = (20, 20)
WATCH = """([x, y]) => {
    const { answers } = window.desk.pane;
    const painted = answers.painted.bind(answers);
    const canvas = document.querySelector("canvas[data-layer=data]");
    const ctx = canvas.getContext("2d");
    window.painted = [];
    answers.painted = () => {
        const { width, height } = canvas.getBoundingClientRect();
        const at = [Math.floor(x * canvas.width / width), Math.floor(y * canvas.height / height)];
        const [grey] = ctx.getImageData(...at, 1, 1).data;
        if (window.painted.at(-1) !== grey) window.painted.push(grey);
        painted();
    };
}"""


def wait_until_over(page: Page) -> None:
    page.wait_for_selector(".map-viewer[data-playing=false]")


@pytest.mark.slow
def test_a_hundred_frames_are_painted_one_after_the_other(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=True)
    desk.tell(played(1))  # the pane takes the height it has with a playback
    desk.still()
    desk.page.evaluate(WATCH, list(desk.place(*ROOM1)))

    desk.tell(played(100))
    desk.page.wait_for_selector(".map-viewer[data-playing=true]")
    wait_until_over(desk.page)

    assert desk.page.evaluate("window.painted") == list(range(100))
    desk.see(frame="99", frames="100", painted="100")


def test_frames_far_too_fast_for_the_screen_are_painted_all_the_same(open_pane: OpenPane) -> None:
    script = """async () => {
        const { Player } = await import("/static/js/map/playback.js");
        const shown = [];
        let over;
        const end = new Promise((go) => { over = go; });
        const player = new Player({
            show: (at) => { shown.push(at); requestAnimationFrame(() => setTimeout(() => player.drawn(at), 30)); },
            changed: () => player.playing || over(),
        });
        player.load(40, false);
        player.setSpeed(1000);
        player.drawn(0);
        player.play();
        await end;
        return [shown, player.painted];
    }"""
    desk = plan(open_pane, moving=True)

    displayed, painted = desk.page.evaluate(script)

    assert displayed == list(range(1, 40))
    assert painted == 40


def test_the_pace_follows_the_number_of_frames(open_pane: OpenPane) -> None:
    script = """async () => {
        const { paceOf } = await import("/static/js/map/playback.js");
        return [paceOf(7, 1), paceOf(24, 1), paceOf(100, 1), paceOf(2000, 1), paceOf(7, 4), paceOf(7, 0.5)];
    }"""

    assert plan(open_pane, moving=False).page.evaluate(script) == [1000, 500, 120, 120, 250, 2000]


def test_nothing_plays_by_itself_for_those_who_want_no_motion(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=False)
    desk.tell(played(4))

    desk.see(frame="0", frames="4", playing="false", painted="1")
    desk.still()
    desk.page.get_by_role("button", name="Play").click()
    desk.see(playing="true")
    wait_until_over(desk.page)
    desk.see(frame="3", painted="4")


def test_any_frame_can_be_chosen_and_stays(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=True)
    desk.tell(played(60))
    slider = desk.page.get_by_role("slider", name="Time")

    slider.fill("42")
    desk.see(frame="42", playing="false")
    desk.still()
    assert desk.pixel(*ROOM1) == (42, 42, 42)
    expect(desk.page.locator(".map-time")).to_have_text("Day 42")
    expect(slider).to_have_attribute("aria-valuetext", "Day 42, 43 of 60")

    slider.press("ArrowRight")
    desk.see(frame="43")
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    desk.see(frame="41")
    slider.press("Home")
    desk.see(frame="0")
    desk.still()
    assert desk.pixel(*ROOM1) == (0, 0, 0)


def test_space_plays_and_pauses_on_the_plan_and_on_the_slider(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=False)
    desk.tell(played(200))
    stage = desk.page.get_by_role("application")

    stage.press(" ")
    desk.see(playing="true")
    stage.press(" ")
    desk.see(playing="false")
    desk.page.get_by_role("slider", name="Time").press(" ")
    desk.see(playing="true")
    desk.page.get_by_role("button", name="Pause").press(" ")
    desk.see(playing="false")


def test_a_playback_that_is_over_begins_again(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=False)
    desk.tell(played(5))
    desk.page.get_by_role("combobox", name="Speed").select_option("4")
    desk.page.get_by_role("slider", name="Time").fill("4")
    desk.see(frame="4", playing="false")

    desk.page.get_by_role("button", name="Play").click()
    desk.see(playing="true")
    wait_until_over(desk.page)

    desk.see(frame="4", painted="5")


def test_the_speeds_are_a_half_to_four_times(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=False)
    desk.tell(played(3))
    choice = desk.page.get_by_role("combobox", name="Speed")

    expect(choice.locator("option")).to_have_text(["0.5×", "1×", "2×", "4×"])
    expect(choice).to_have_value("1")
    choice.select_option("0.5")
    assert desk.page.evaluate("window.desk.pane.answers.player.speed") == 0.5


def test_a_map_ends_the_playback_and_gives_its_place_back(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=True)
    desk.tell(played(50))
    stage = desk.page.locator(".map-stage")
    desk.see(playing="true")
    bar = desk.page.locator(".map-playback")
    box, low = stage.bounding_box(), bar.bounding_box()
    assert box is not None and low is not None
    assert box["y"] + box["height"] <= low["y"] + 1  # nothing lies on the plan

    desk.tell({"type": "map", "content": {"floorId": "1F", "rectangles": [room("Kitchen", 3)]}})
    expect(bar).to_be_hidden()
    desk.still()
    assert "frames" not in desk.facts() and "playing" not in desk.facts()
    assert desk.page.evaluate("window.desk.pane.answers.player.playing") is False


def test_the_building_sent_again_does_not_start_it_anew(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=True)
    desk.tell(played(9))
    desk.page.get_by_role("slider", name="Time").fill("5")
    desk.see(playing="false", frame="5")

    desk.tell(DEFINITION)
    desk.still()

    desk.see(playing="false", frame="5")


def test_the_card_of_a_room_follows_the_frames(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=False)
    desk.tell(played(30, runId="r1"))
    desk.page.mouse.click(*desk.place(*ROOM1))
    value = desk.page.locator(".map-card-value")
    expect(value).to_have_text("0 °CTemperature · Day 0")

    desk.page.get_by_role("slider", name="Time").fill("21")
    expect(value).to_have_text("21 °CTemperature · Day 21")


def test_two_thousand_frames_cost_no_more_than_their_own(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=False)
    frames = [{"time": str(n), "rectangles": [room("Room1", n)]} for n in range(2000)]
    desk.tell({"type": "map_frames", "content": {"floorId": "1F", "frames": frames}})
    desk.see(frames="2000", frame="0")

    desk.page.get_by_role("slider", name="Time").press("End")
    desk.see(frame="1999")
    expect(desk.page.locator(".map-time")).to_have_text("1999")
