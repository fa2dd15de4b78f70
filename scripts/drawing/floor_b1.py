"""Floor B1: a garage, a store, a workshop and the servers."""

from drawing import furniture as f
from drawing.core import core
from drawing.sheet import (
    CONCRETE,
    CONCRETE_LINE,
    DETAIL,
    FLOOR,
    STONE,
    STONE_LINE,
    THICK,
    TILE,
    TILE_LINE,
    WALL,
    Sheet,
)


def basement() -> Sheet:
    """B1: a garage, a store, a workshop and the servers."""
    s = Sheet()
    _earth(s)
    s.grid(0, 0, 262, 200, CONCRETE, CONCRETE_LINE, 50)
    s.grid(262, 84, 500, 112, STONE, STONE_LINE, 14)
    s.box(352, 0, 500, 84, FLOOR)
    s.grid(262, 112, 380, 200, CONCRETE, CONCRETE_LINE, 30)
    s.grid(380, 112, 500, 200, TILE, TILE_LINE, 8)
    core(s, up=True, down=False)
    _garage(s)
    _storage(s)
    _workshop(s)
    _server_room(s)
    s.outer()
    for x1, y1, x2, y2 in (
        (262, 0, 262, 200), (262, 112, 500, 112), (352, 84, 500, 84), (352, 66, 352, 84),
        (380, 112, 380, 200),
    ):  # fmt: skip
        s.wall(x1, y1, x2, y2)
    s.door(262, 89, 18, -1, upright=True)
    s.door(366, 84, 18, -1)
    s.door(296, 112, 20, 1, hinge=1)
    s.door(390, 112, 18, 1)
    s.gap(0, 66, 68, upright=True, thick=THICK)
    for x in (-1.6, 0.0, 1.6):
        s.dashes((x, 66.5), (x, 133.5), DETAIL, 0.4, 2.6)
    s.shape([(-8, 97), (-8, 103), (-4, 100)], WALL)
    return s


def _earth(s: Sheet) -> None:
    """Short strokes around the walls: what lies outside is ground."""
    for number in range(-2, 130):
        x = number * 4.2
        s.line([(x, -3), (x + 4, -7)], "#CFC8B8", 0.35)
        s.line([(x, 207), (x + 4, 203)], "#CFC8B8", 0.35)
    for number in range(50):
        y = number * 4.2
        s.line([(503, y + 4), (507, y)], "#CFC8B8", 0.35)
        if not 58 < y < 138:
            s.line([(-7, y + 4), (-3, y)], "#CFC8B8", 0.35)


def _garage(s: Sheet) -> None:
    for y in (16, 76, 124, 184):
        s.dashes((112, y), (258, y), "#B9B4A6", 0.7, 5)
    f.car(s, 142, 28)
    f.car(s, 142, 136)
    for y in (66, 134):
        s.box(84, y - 4, 92, y + 4, WALL)
    f.block(s, 6, 184, 56, 13, 0.5)
    f.wardrobe(s, 6, 4, 40, 12)
    for x in (64, 72, 80, 88):
        s.line([(x, 5), (x, 20)], f.DARK, 0.7)
    s.dashes((6, 100), (78, 100), "#B9B4A6", 0.7, 5)


def _storage(s: Sheet) -> None:
    f.shelf(s, 370, 4, 100, 10, 8)
    f.shelf(s, 484, 16, 12, 62, 8)
    f.shelf(s, 400, 70, 60, 11, 8)
    for x, y, size in ((358, 6, 10), (358, 18, 8), (474, 66, 8)):
        f.block(s, x, y, size, size, 0.3)
        s.line([(x, y + size / 2), (x + size, y + size / 2)], f.LINE, 0.35)


def _workshop(s: Sheet) -> None:
    f.block(s, 265, 184, 112, 13, 0.4)
    f.block(s, 265, 132, 12, 52, 0.4)
    for x in (284, 296, 330, 352):
        s.box(x, 187, x + 6, 193, f.SOFT, f.LINE, 0.35, 0.6)
    s.circle(271, 146, 3.6, f.SOFT, f.DARK, 0.45)
    s.circle(271, 160, 2.4, f.SOFT, f.DARK, 0.45)
    f.block(s, 352, 130, 18, 24, 0.8)
    s.circle(361, 142, 5, f.SOFT, f.DARK, 0.45)


def _server_room(s: Sheet) -> None:
    f.racks(s, 420, 120, 6)
    f.racks(s, 398, 178, 8)
    f.block(s, 487, 140, 9, 34, 0.5)
    for y in (146, 157, 168):
        s.circle(491.5, y, 3, f.SOFT, f.DARK, 0.4)
