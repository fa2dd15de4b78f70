"""What answers paint on the plan, in a browser: colours, routes, and what one asks of a painted room."""

import pytest
from answers_on_the_plan import SOURCE, coloured, legend, played, room, route, routed, warmth
from pane_host import BUILDING, Colour, Desk, OpenPane, plan, rgb
from playwright.sync_api import expect

from tests.support.waiting import until

pytestmark = pytest.mark.browser

KITCHEN, ROOM1 = (425, 130), (20, 20)
LINE: Colour = (0x35, 0x67, 0xD6)
WHITE: Colour = (255, 255, 255)
ON_THE_WAY = (125, 45)
"""A place on the first leg, away from names."""


@pytest.fixture
def desk(open_pane: OpenPane) -> Desk:
    return plan(open_pane, moving=False)


def beside(desk: Desk, at: tuple[float, float], pixels: float) -> Colour:
    """The colour some CSS pixels below a point of the floor."""
    scale = float(desk.facts()["view"].split()[0])
    return desk.pixel(at[0], at[1] + pixels / (2 * scale))


def is_line(colour: Colour) -> bool:
    """Nearer to the line's colour than to its casing, also where the two meet within a pixel."""
    return all(abs(one - other) < 70 for one, other in zip(colour, LINE, strict=True))


@pytest.mark.parametrize("dpr", [pytest.param(1.0, marks=pytest.mark.slow), 2.0])
def test_rooms_have_their_colours_at_any_zoom_on_every_floor(open_pane: OpenPane, dpr: float) -> None:
    desk = plan(open_pane, moving=False, dpr=dpr)
    desk.tell(warmth())
    stage = desk.page.get_by_role("application")

    for keys in ((), ("+", "+"), ("0", "-", "-", "-")):
        for key in keys:
            stage.press(key)
        desk.still()
        assert desk.pixel(360, 110) == rgb("#fde725"), keys
        assert desk.pixel(140, 80) == rgb("#440154"), keys

    desk.page.get_by_role("tab", name="2F").click()
    desk.still()
    assert desk.pixel(50, 75) == rgb("#21918c")  # the axis runs the other way there


def test_the_legend_is_there_while_its_colours_are(desk: Desk) -> None:
    card = desk.page.locator(".map-colours")
    expect(card).to_be_hidden()
    desk.tell(warmth())
    expect(card).to_contain_text("Temperature")
    expect(card).to_contain_text("°C")
    expect(card.locator(".map-colours-ticks span")).to_have_text(["18", "21", "24"])
    expect(card).to_contain_text("No data: 2")
    bar = card.locator(".map-colours-bar")
    expect(bar).to_have_css(
        "background-image",
        "linear-gradient(to right, rgb(68, 1, 84) 0%, rgb(33, 145, 140) 50%, rgb(253, 231, 37) 100%)",
    )

    desk.page.get_by_role("tab", name="B1").click()
    expect(card).to_be_hidden()
    desk.page.get_by_role("tab", name="2F").click()
    expect(card).to_be_visible()
    desk.tell({"type": "map", "content": {"floorId": "2F", "rectangles": [{"name": "Library"}]}})
    expect(card).to_be_hidden()


def test_a_legend_without_missing_rooms_does_not_speak_of_them(desk: Desk) -> None:
    desk.tell(coloured(room("Room1", 1), overlays=[legend(missing=0)]))

    expect(desk.page.locator(".map-colours")).to_be_visible()
    expect(desk.page.locator(".map-colours")).not_to_contain_text("No data")


def test_the_pointer_tells_a_value_and_marks_it_on_the_legend(desk: Desk) -> None:
    desk.tell(warmth())
    desk.page.mouse.move(*desk.place(*KITCHEN))
    expect(desk.page.locator(".map-tip")).to_have_text("Kitchen · 24 °C")
    mark = desk.page.locator(".map-colours-mark")
    expect(mark).to_be_visible()
    assert mark.evaluate("(one) => one.style.left") == "100%"

    desk.page.mouse.move(*desk.place(250, 20))  # no value there
    expect(mark).to_be_hidden()


@pytest.mark.parametrize(("theme", "dpr"), [("light", 1.0), ("dark", 2.0)])
def test_a_route_is_a_line_on_a_white_casing(open_pane: OpenPane, theme: str, dpr: float) -> None:
    desk = plan(open_pane, moving=False, theme=theme, dpr=dpr)
    desk.tell(routed())
    desk.see(routes="1")
    desk.still()

    assert desk.pixel(*ON_THE_WAY) == LINE
    assert is_line(beside(desk, ON_THE_WAY, 1.3))
    assert min(beside(desk, ON_THE_WAY, 3)) > 225
    assert beside(desk, ON_THE_WAY, 6) not in (LINE, WHITE)
    assert desk.pixel(155, 120) == LINE
    assert desk.pixel(75, 45) == WHITE  # the middle of the ring at its start


def test_a_route_goes_on_where_the_floor_changes(desk: Desk) -> None:
    desk.tell(routed())
    badge = desk.page.get_by_role("button", name="Go on to 2F by Lift A")
    x, y = desk.place(155, 180)
    box = badge.bounding_box()
    assert box is not None
    assert box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"]

    badge.click()
    desk.see(floor="2F")
    desk.still()
    # on 2F the y axis runs upwards: a point y is painted where 1F has 200 - y
    assert desk.pixel(127.5, 100) == LINE
    back = desk.page.get_by_role("button", name="Back to 1F")
    expect(back).to_be_focused()
    back.press("Enter")
    desk.see(floor="1F")
    expect(badge).to_be_focused()


def test_badges_stay_on_their_places_when_the_plan_moves(desk: Desk) -> None:
    desk.tell(routed())
    stage = desk.page.get_by_role("application")
    for key in ("+", "+", "ArrowLeft", "ArrowUp"):
        stage.press(key)
    desk.still()

    x, y = desk.place(155, 180)
    box = desk.page.locator(".map-badges button").bounding_box()
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - x) < 1 and abs(box["y"] + box["height"] / 2 - y) < 1


def test_a_route_is_drawn_once_and_then_stands_still(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=True)
    desk.page.evaluate(
        """() => {
            const { route } = window.desk.pane.answers;
            const scene = route.scene.bind(route);
            window.shares = [];
            route.scene = (...args) => {
                const made = scene(...args);
                if (made.layout.lines.length) window.shares.push(made.progress);
                return made;
            };
        }"""
    )
    desk.tell(routed())
    desk.page.wait_for_function("() => window.shares.at(-1) === 1")
    desk.still()
    shares = desk.page.evaluate("window.shares")
    assert shares == sorted(shares) and shares[0] < 0.2 and len(shares) > 3

    desk.page.get_by_role("tab", name="2F").click()
    desk.page.get_by_role("tab", name="1F").click()
    desk.still()
    assert set(desk.page.evaluate("window.shares").__getitem__(slice(len(shares), None))) == {1}
    assert desk.pixel(*ON_THE_WAY) == LINE


def test_a_route_does_not_move_for_those_who_want_no_motion(desk: Desk) -> None:
    desk.page.evaluate(
        """() => {
            const { route } = window.desk.pane.answers;
            const scene = route.scene.bind(route);
            window.shares = [];
            route.scene = (...args) => { const made = scene(...args); window.shares.push(made.progress); return made; };
        }"""
    )
    desk.tell(routed())
    desk.still()

    assert set(desk.page.evaluate("window.shares")) == {1}


def test_a_leg_that_is_pointed_at_lights_up_and_says_so(desk: Desk) -> None:
    desk.tell(routed(seq=9))
    assert not is_line(beside(desk, ON_THE_WAY, 2.7))

    desk.page.mouse.move(*desk.place(*ON_THE_WAY))
    desk.hears("leg", [{"seq": 9, "route": 0, "leg": 0, "source": "map"}])
    desk.still()
    assert is_line(beside(desk, ON_THE_WAY, 2.3))

    desk.page.mouse.move(*desk.place(*KITCHEN))
    desk.hears("leg", [{"seq": 9, "route": 0, "leg": leg, "source": "map"} for leg in (0, None)])


def test_a_leg_pointed_at_in_the_chat_lights_up_on_its_floor(desk: Desk) -> None:
    desk.tell(routed(seq=9))
    desk.emit("leg", {"seq": 9, "route": 0, "leg": 1, "source": "chat"})
    desk.see(floor="2F")
    desk.emit("leg", {"seq": 9, "route": 0, "leg": 0, "source": "chat"})
    desk.see(floor="1F")
    desk.still()
    assert is_line(beside(desk, ON_THE_WAY, 2.3))

    desk.emit("leg", {"seq": 9, "route": 0, "leg": None, "source": "chat"})
    desk.emit("leg", {"seq": 8, "route": 0, "leg": 1, "source": "chat"})  # another message's route
    desk.emit("leg", {"seq": 9, "route": 3, "leg": 1, "source": "chat"})
    desk.still()
    assert not is_line(beside(desk, ON_THE_WAY, 2.7))
    desk.see(floor="1F")


def test_a_painted_room_tells_its_value_and_the_code_that_painted_it(desk: Desk) -> None:
    desk.tell(warmth(seq=4, runId="r1"))
    desk.page.mouse.click(*desk.place(*KITCHEN))
    card = desk.page.locator(".map-card")
    expect(card).to_contain_text("Kitchen")
    expect(card.locator(".map-card-value")).to_have_text("24 °CTemperature")
    expect(card.locator("code")).to_have_text(SOURCE["code"])
    expect(desk.page.locator(".map-tip")).to_be_hidden()

    card.get_by_role("button", name="Step 1, line 3").click()
    point = {"name": "point", "rooms": [{"floorId": "1F", "name": "Kitchen"}]}
    desk.hears("command", [point, {"name": "show-code", "runId": "r1", "step": 1, "line": 3}])

    card.press("Escape")
    expect(card).to_be_hidden()


def test_the_legend_leads_to_the_code_too(desk: Desk) -> None:
    desk.tell(warmth(seq=4, runId="r1"))
    desk.page.get_by_role("button", name="Show the code of step 1").press("Enter")

    desk.hears("command", [{"name": "show-code", "runId": "r1", "step": 1, "line": 3}])


def test_the_card_keeps_to_its_place_and_goes_with_its_map(desk: Desk) -> None:
    desk.tell(warmth())
    x, y = desk.place(*ROOM1)
    desk.page.mouse.click(x, y)
    card = desk.page.locator(".map-card")
    before = card.bounding_box()
    desk.page.get_by_role("application").press("ArrowLeft")
    desk.settle()
    after = card.bounding_box()
    assert before is not None and after is not None
    assert after["x"] == pytest.approx(before["x"] + 60, abs=1)

    desk.tell({"type": "clear_map", "content": {}})
    expect(card).to_be_hidden()


@pytest.mark.parametrize("at", [ROOM1, (490, 190), (360, 110)])
def test_the_card_stays_within_the_pane(open_pane: OpenPane, at: tuple[float, float]) -> None:
    desk = plan(open_pane, moving=False, size=(390, 360))
    desk.tell(warmth())
    desk.page.mouse.click(*desk.place(*at))

    box = desk.page.locator(".map-card").bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 360


@pytest.mark.parametrize(
    ("at", "size"),
    [
        (ROOM1, (1000, 760)),
        (KITCHEN, (760, 620)),
        pytest.param(ROOM1, (760, 620), marks=pytest.mark.slow),
        pytest.param(KITCHEN, (1000, 760), marks=pytest.mark.slow),
    ],
)
def test_the_card_lies_over_no_room_that_it_can_avoid(
    open_pane: OpenPane, at: tuple[float, float], size: tuple[int, int]
) -> None:
    desk = plan(open_pane, moving=False, size=size)
    desk.tell(warmth())
    x, y = desk.place(*at)
    desk.page.mouse.click(x, y)

    box = desk.page.locator(".map-card").bounding_box()
    assert box is not None
    covered: list[str] = []
    for item in BUILDING["floors"][0]["rectangles"]:
        left, top = desk.place(item["topLeft"]["x"], item["topLeft"]["y"])
        right, bottom = desk.place(item["bottomRight"]["x"], item["bottomRight"]["y"])
        apart = (
            right <= box["x"]
            or left >= box["x"] + box["width"]
            or bottom <= box["y"]
            or top >= box["y"] + box["height"]
        )
        covered += [] if apart else [item["name"]]
    assert covered == []
    assert not (box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"])


def test_the_card_leaves_the_pointer_and_the_room_under_it_alone(open_pane: OpenPane) -> None:
    desk = plan(open_pane, moving=False, size=(420, 300))
    desk.tell(warmth())
    desk.page.mouse.click(*desk.place(*KITCHEN))
    card = desk.page.locator(".map-card")
    box = card.bounding_box()
    assert box is not None

    for x, y in ((box["x"] + 3, box["y"] + 3), (box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)):
        under = desk.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('.map-card') === null", [x, y]
        )
        assert under, "the card takes what is meant for the room under it"
    button = card.get_by_role("button", name="Close")
    button.click()
    expect(card).to_be_hidden()


def test_a_room_that_nobody_painted_has_no_card(desk: Desk) -> None:
    desk.tell(warmth())
    desk.page.mouse.click(*desk.place(250, 20))

    desk.hears("command", [{"name": "point", "rooms": [{"floorId": "1F", "name": "Level1"}]}])
    expect(desk.page.locator(".map-card")).to_be_hidden()


def test_answers_are_told_in_words_in_both_languages(desk: Desk) -> None:
    twin = desk.page.locator(".map-twin")
    desk.tell(warmth())
    colours = (
        "Temperature: 3 rooms coloured, highest Kitchen with 24 °C, lowest Room1 with 18 °C. No data: 2."
    )
    expect(twin).to_have_text(f"Floor 1F. {colours}")
    desk.tell(routed())
    expect(twin).to_have_text(
        "Floor 1F. Route from Room1 to Library: 33 m, about 1 min, step-free, Lift A to 2F."
    )
    desk.tell(played())
    expect(twin).to_contain_text("Time shown: Day 0, 1 of 3.")

    desk.page.evaluate("() => { window.desk.t.language = 'ja'; window.desk.bus.emit('language', 'ja'); }")
    expect(twin).to_contain_text("表示中の時刻：Day 0（3件中1件目）。")
    desk.tell(warmth())
    expect(twin).to_have_text(
        "1階を表示中。 Temperature：3部屋を色分け。最高はKitchenの24 °C、最低はRoom1の18 °C。 データなし：2。"
    )
    desk.tell(routed())
    expect(twin).to_have_text(
        "1階を表示中。 Room1からLibraryへの経路：33 m、約1分、段差なし、Lift Aで2階へ。"
    )


def test_a_route_and_its_badge_are_in_the_saved_drawing(desk: Desk) -> None:
    desk.tell(routed())
    desk.still()
    drawing = desk.page.evaluate(
        """async () => {
            const { svgOf } = await import("/static/js/map/export.js");
            return svgOf(window.desk.pane.stage, "plan");
        }"""
    )
    lines = [
        line for line in drawing.splitlines() if 'stroke="#3567d6"' in line and 'stroke-width="4"' in line
    ]
    assert len(lines) == 1
    assert ">2F</text>" in drawing
    icon = [
        line for line in drawing.splitlines() if 'stroke-width="1.5"' in line and 'stroke="#fdfcf9"' in line
    ]
    assert len(icon) == 1 and icon[0].count("M") == 3  # the lift's box and its two arrows


def test_icons_are_drawn_as_the_browser_draws_them(desk: Desk) -> None:
    script = """async () => {
        const { iconPath } = await import("/static/js/core/icons.js");
        const { tracePath } = await import("/static/js/map/layer-route.js");
        const painted = (draw) => {
            const ctx = new OffscreenCanvas(64, 64).getContext("2d");
            ctx.scale(4, 4);
            draw(ctx);
            return [...ctx.getImageData(0, 0, 64, 64).data].join();
        };
        return ["stairs", "lift", "escalator", "ramp"].map((name) => {
            const path = iconPath(name);
            const ours = painted((ctx) => { ctx.beginPath(); tracePath(ctx, path); ctx.stroke(); });
            return ours === painted((ctx) => ctx.stroke(new Path2D(path))) && ours.includes("255");
        });
    }"""

    assert desk.page.evaluate(script) == [True] * 4


def test_a_route_over_a_floor_that_is_not_there_leaves_the_colours_and_says_so(desk: Desk) -> None:
    desk.tell(warmth(), routed(route(legs=[{"floorId": "9F", "points": [{"x": 5, "y": 5}]}], changes=[])))

    expect(desk.page.locator(".map-notes li")).to_have_text(["Floor 9F is not in this building"])
    assert desk.pixel(375, 120) == rgb("#fde725")
    expect(desk.page.locator(".map-colours")).to_be_visible()


def test_another_chat_takes_what_was_painted(desk: Desk) -> None:
    desk.tell(played(), routed())
    desk.reset()

    desk.see(routes="0")
    until(desk.page, lambda: desk.page.locator(".map-badges button").count(), lambda count: count == 0)
