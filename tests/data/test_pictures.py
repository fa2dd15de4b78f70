"""The bundled pictures: every name in use is a file of its format and size, drawn where the building says."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from smoldesk.buildings.building import Building
from smoldesk.messages import Floor

ROOT = Path(__file__).parents[2]
FLOORS = ROOT / "backend" / "data" / "floors"
BITMAPS = ROOT / "backend" / "bitmaps"
ARROWS = ["arrow_up", "arrow_down", "arrow_left", "arrow_right"]
BUILDING = Building.load()
DARK = 80
"""Grey level below which a pixel is wall."""


def picture(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.convert("RGBA")


def test_the_pictures_are_those_that_the_building_names_and_the_arrows_of_1_2() -> None:
    named = {bitmap.bitmap_file for bitmap in BUILDING.definition.bitmaps}
    assert {path.name for path in FLOORS.iterdir()} == {floor.floor_image for floor in BUILDING.floors}
    assert {path.name for path in BITMAPS.iterdir()} == named | {f"{name}.bmp" for name in ARROWS}


def test_floors_are_webp_and_bitmaps_png_and_small() -> None:
    plans = [FLOORS / floor.floor_image for floor in BUILDING.floors]
    icons = [BITMAPS / bitmap.bitmap_file for bitmap in BUILDING.definition.bitmaps]
    expected = ((plans, "WEBP", (2080, 880), 50_000), (icons, "PNG", (128, 128), 20_000))
    for paths, kind, size, most in expected:
        for path in paths:
            assert path.stat().st_size < most, path.name
            with Image.open(path) as image:
                image.verify()
                assert (image.format, image.size) == (kind, size), path.name


def test_the_corners_of_the_coordinates_lie_on_the_image() -> None:
    for floor in BUILDING.floors:
        system, size = floor.coordinate_system, picture(FLOORS / floor.floor_image).size
        assert 0 <= system.top_left.px < system.bottom_right.px <= size[0]
        assert 0 <= system.top_left.py < system.bottom_right.py <= size[1]


def grey(floor: Floor) -> Image.Image:
    return picture(FLOORS / floor.floor_image).convert("L")


def pixel(floor: Floor, x: float, y: float) -> tuple[int, int]:
    one, other = floor.coordinate_system.top_left, floor.coordinate_system.bottom_right
    return (
        round(one.px + (x - one.x) * (other.px - one.px) / (other.x - one.x)),
        round(one.py + (y - one.y) * (other.py - one.py) / (other.y - one.y)),
    )


def dark_share(image: Image.Image, floor: Floor, points: list[tuple[float, float]]) -> float:
    levels = [image.getpixel(pixel(floor, x, y)) for x, y in points]
    return sum(isinstance(level, int) and level < DARK for level in levels) / len(levels)


def edge(x1: float, y1: float, x2: float, y2: float) -> list[tuple[float, float]]:
    return [(x1 + (x2 - x1) * step / 200, y1 + (y2 - y1) * step / 200) for step in range(201)]


@pytest.mark.parametrize("floor_id", BUILDING.floor_ids())
def test_rooms_stand_between_the_walls_of_their_floor(floor_id: str) -> None:
    floor = BUILDING.floor(floor_id)
    image = grey(floor)
    for room in floor.rectangles:
        x1, y1, x2, y2 = room.top_left.x, room.top_left.y, room.bottom_right.x, room.bottom_right.y
        outline = [*edge(x1, y1, x2, y1), *edge(x1, y2, x2, y2), *edge(x1, y1, x1, y2), *edge(x2, y1, x2, y2)]
        assert dark_share(image, floor, outline) < 0.02, f"the outline of {room.name} runs over a wall"
        if room.name.startswith("Level"):  # areas of the open hall
            continue
        g = 4  # units from a room's outline to the middle of its wall
        walls = [
            *edge(x1, y1 - g, x2, y1 - g),
            *edge(x1, y2 + g, x2, y2 + g),
            *edge(x1 - g, y1, x1 - g, y2),
            *edge(x2 + g, y1, x2 + g, y2),
        ]
        assert dark_share(image, floor, walls) > 0.4, f"{room.name} has no walls around it"


@pytest.mark.parametrize("floor_id", BUILDING.floor_ids())
def test_the_middle_of_a_room_is_light_enough_to_write_on(floor_id: str) -> None:
    floor = BUILDING.floor(floor_id)
    image = grey(floor)
    for room in floor.rectangles:
        x, y = (room.top_left.x + room.bottom_right.x) / 2, (room.top_left.y + room.bottom_right.y) / 2
        left, top = pixel(floor, x - 20, y - 5)
        right, bottom = pixel(floor, x + 20, y + 5)
        low, _ = image.crop((left, top, right, bottom)).getextrema()
        assert isinstance(low, int | float)
        assert low > 120, room.name


def test_the_stairs_and_the_lift_are_at_the_same_place_on_every_floor() -> None:
    """Each floor has a palette of its own, in which the same grey may be a few steps off."""
    cuts = []
    for floor in BUILDING.floors:
        image = grey(floor)
        cuts.append(image.crop((*pixel(floor, 318, 4), *pixel(floor, 352, 48))))
    assert all(ImageChops.difference(cuts[0], cut).getextrema()[1] <= 24 for cut in cuts[1:])  # pyright: ignore[reportOperatorIssue]


@pytest.mark.parametrize("bitmap", BUILDING.bitmap_ids)
def test_icons_are_transparent_around_and_cased_in_white(bitmap: str) -> None:
    icon = picture(BITMAPS / f"{bitmap}.png")
    alpha = icon.getchannel("A")
    assert icon.size == (128, 128)
    assert {alpha.getpixel(corner) for corner in ((0, 0), (127, 0), (0, 127), (127, 127))} == {0}
    opaque = sum(alpha.histogram()[200:]) / 128**2
    assert 0.3 < opaque < 0.9
    grey = icon.convert("L")
    rows = range(48, 80, 8)
    rim = [grey.getpixel((next(x for x in range(128) if alpha.getpixel((x, y)) == 255), y)) for y in rows]
    assert min(rim) > 235, "the first solid pixel of a row is the casing"  # pyright: ignore[reportArgumentType]


def test_arrows_point_where_their_names_say() -> None:
    """The half an arrow points to is the broad one near its middle, and its tip is thinner than its tail."""
    for name in ARROWS:
        alpha = picture(BITMAPS / f"{name}.png").getchannel("A")
        turned = alpha.rotate({"arrow_up": 0, "arrow_right": 90, "arrow_down": 180, "arrow_left": 270}[name])
        left, top, right, bottom = turned.getbbox() or (0, 0, 0, 0)
        tip = turned.crop((left, top, right, top + 8)).getbbox()
        tail = turned.crop((left, bottom - 8, right, bottom)).getbbox()
        assert tip is not None and tail is not None
        assert tip[2] - tip[0] < tail[2] - tail[0], name


@pytest.mark.parametrize("name", ARROWS)
def test_arrows_are_also_there_as_bmp_on_white(name: str) -> None:
    with Image.open(BITMAPS / f"{name}.bmp") as image:
        assert (image.format, image.mode, image.size) == ("BMP", "RGB", (128, 128))
        assert image.getpixel((0, 0)) == (255, 255, 255)
        flat = Image.new("RGBA", image.size, "white")
        flat.alpha_composite(picture(BITMAPS / f"{name}.png"))
        difference = ImageChops.difference(flat.convert("RGB"), image.convert("RGB"))
        assert max(high for _, high in difference.getextrema()) <= 2  # pyright: ignore[reportGeneralTypeIssues]
