"""Floor 2F: office, meeting room, library and lounge along a corridor."""

from drawing import furniture as f
from drawing.core import core
from drawing.sheet import DETAIL, FLOOR, STONE, STONE_LINE, Sheet


def second() -> Sheet:
    """2F: office, meeting room, library and lounge along a corridor."""
    s = Sheet()
    s.grid(0, 84, 352, 112, STONE, STONE_LINE, 14)
    s.box(0, 0, 262, 84, FLOOR)
    s.box(0, 112, 150, 200, FLOOR)
    s.planks(150, 112, 352, 200)
    s.planks(352, 0, 500, 200)
    core(s, up=False, down=True)
    _office(s)
    _meeting_room(s)
    _library(s)
    _lounge(s)
    s.outer()
    for x1, y1, x2, y2 in (
        (0, 84, 262, 84), (0, 112, 352, 112), (150, 112, 150, 200), (352, 66, 352, 200),
    ):  # fmt: skip
        s.wall(x1, y1, x2, y2)
    s.door(108, 84, 18, -1)
    s.door(236, 84, 18, -1)
    s.door(120, 112, 18, 1)
    s.door(322, 112, 18, 1, hinge=1)
    s.gap(352, 89, 18, upright=True)
    s.door(352, 89, 18, 1, upright=True)
    for x, y, width in (
        (20, 0, 60), (96, 0, 60), (176, 0, 60), (372, 0, 50), (436, 0, 44),
        (30, 200, 80), (172, 200, 64), (264, 200, 64), (376, 200, 90),
    ):  # fmt: skip
        s.window(x, y, width)
    for x, y, height in ((0, 24, 36), (0, 90, 16), (0, 136, 40), (500, 20, 60), (500, 112, 64)):
        s.window(x, y, height, upright=True)
    return s


def _office(s: Sheet) -> None:
    for x in (18, 40, 62, 178, 200, 222):
        f.desk(s, x, 40, 21, 12, "n")
        f.desk(s, x, 28, 21, 12, "s")
    f.shelf(s, 4, 74, 40, 7)
    f.shelf(s, 150, 74, 60, 7)
    f.block(s, 118, 5, 26, 9, 0.6)
    f.plant(s, 10, 10)
    f.plant(s, 252, 10)


def _meeting_room(s: Sheet) -> None:
    for x in (52, 68, 84, 100):
        f.chair(s, x, 135, "s")
        f.chair(s, x, 177, "n")
    f.chair(s, 28, 156, "e")
    f.chair(s, 123, 156, "w")
    s.box(35, 140, 116, 172, f.FILL, f.LINE, 0.45, 14)
    s.box(3, 134, 4.4, 178, "#FFFFFF", DETAIL, 0.4)
    f.plant(s, 12, 190)


def _library(s: Sheet) -> None:
    f.shelf(s, 153, 115, 150, 8)
    for x in (166, 184, 202):
        f.shelf(s, x, 140, 8, 50)
    f.round_table(s, 262, 182, 8, 4)
    f.sofa(s, 296, 180, 34, 16, "s", 2)
    f.block(s, 305, 164, 16, 10, 4)
    f.shelf(s, 342, 140, 7, 50)
    f.plant(s, 160, 192, 4.5)


def _lounge(s: Sheet) -> None:
    f.rug(s, 384, 132, 84, 44)
    f.sofa(s, 398, 176, 56, 18, "s", 3)
    f.sofa(s, 368, 136, 18, 36, "w", 2)
    f.sofa(s, 466, 136, 18, 36, "e", 2)
    f.block(s, 408, 144, 36, 18, 3)
    f.round_table(s, 384, 34, 9)
    f.round_table(s, 426, 56, 9)
    f.block(s, 462, 12, 12, 60, 1)
    f.block(s, 486, 4, 11, 76, 0.5)
    for y in (20, 34, 48, 62):
        s.circle(456, y, 3.3, f.SOFT, f.LINE, 0.4)
    f.basin(s, 487, 30, 9, 14)
    f.plant(s, 364, 190, 6)
    f.plant(s, 490, 190, 6)
    f.plant(s, 364, 12, 6)
