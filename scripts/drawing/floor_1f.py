"""Floor 1F: two rooms, bath, toilet and kitchen around an entrance hall and a raised one."""

from drawing import furniture as f
from drawing.core import core
from drawing.sheet import DETAIL, HEIGHT, STONE, STONE_LINE, THICK, TILE, TILE_LINE, WALL, Sheet


def first() -> Sheet:
    """1F: two rooms, bath, toilet and kitchen around an entrance hall (Level1) and a raised one (Level2)."""
    s = Sheet()
    s.grid(0, 84, 180, 200, STONE, STONE_LINE, 18)
    s.planks(180, 84, 372, 200)
    s.planks(0, 0, 262, 84)
    s.grid(352, 66, 500, 100, STONE, STONE_LINE, 12)
    s.grid(352, 0, 500, 66, TILE, TILE_LINE, 6)
    s.grid(372, 100, 500, 200, TILE, TILE_LINE, 9)
    core(s, up=True, down=True)
    _room1(s)
    _room2(s)
    _bath_and_toilet(s)
    _kitchen(s)
    _level1(s)
    _level2(s)
    s.outer()
    for x1, y1, x2, y2 in (
        (0, 84, 262, 84),
        (140, 0, 140, 84),
        (352, 66, 500, 66),
        (430, 0, 430, 66),
        (372, 100, 500, 100),
        (372, 100, 372, 200),
        (180, 84, 180, 106),
        (180, 178, 180, 200),
    ):
        s.wall(x1, y1, x2, y2)
    s.door(104, 84, 18, -1)
    s.door(156, 84, 18, -1, hinge=1)
    s.door(368, 66, 17, -1)
    s.door(440, 66, 17, -1, hinge=1)
    s.gap(384, 100, 22)
    s.door(372, 160, 18, -1, hinge=1, upright=True)
    _entrance(s, 66)
    for x, y, width in (
        (50, 0, 44), (176, 0, 52), (382, 0, 20), (456, 0, 16),
        (14, 200, 36), (116, 200, 40), (210, 200, 54), (290, 200, 54), (388, 200, 24),
    ):  # fmt: skip
        s.window(x, y, width)
    for y, height in ((26, 30), (128, 36)):
        s.window(0, y, height, upright=True)
    s.window(500, 126, 44, upright=True)
    return s


def _room1(s: Sheet) -> None:
    f.rug(s, 26, 18, 36, 46)
    f.bed(s, 5, 22, 42, 38, 2)
    f.block(s, 5, 12, 10, 8)
    f.block(s, 5, 62, 10, 8)
    f.wardrobe(s, 98, 4, 38, 12)
    f.chair(s, 122, 36, "e", 8)
    f.block(s, 126, 24, 10, 26, 0.6)
    s.box(132.4, 32, 133.6, 42, f.DARK, None, 0, 0.4)
    f.plant(s, 131, 74)


def _room2(s: Sheet) -> None:
    f.desk(s, 176, 5, 46, 14, "n")
    f.shelf(s, 143, 8, 7, 40)
    f.bed(s, 237, 26, 21, 42, 1)
    f.block(s, 247, 15, 10, 9)
    f.plant(s, 250, 76, 4.5)


def _bath_and_toilet(s: Sheet) -> None:
    f.bath(s, 356, 4, 38, 19)
    f.shower(s, 408, 4, 19, 19)
    f.basin(s, 415, 32, 12, 16)
    f.toilet(s, 459, 4)
    f.basin(s, 486, 30, 10, 14)
    f.block(s, 434, 5, 9, 9)


def _kitchen(s: Sheet) -> None:
    f.block(s, 482, 103, 15, 94, 0.4)
    f.block(s, 420, 184, 77, 13, 0.4)
    f.hob(s, 483, 112)
    f.basin(s, 483.5, 138, 12, 18)
    f.block(s, 482.5, 181, 14.5, 16, 0.6, "#FFFFFF")
    s.line([(484, 183), (484, 194)], f.LINE, 0.5)
    f.block(s, 404, 114, 58, 14, 1)
    for x in (412, 426, 440, 454):
        s.circle(x, 133, 3.4, f.SOFT, f.LINE, 0.4)
    f.plant(s, 380, 192, 4.5)


def _level1(s: Sheet) -> None:
    f.rug(s, 12, 112, 50, 58)
    f.sofa(s, 4, 116, 20, 50, "w", 3)
    f.sofa(s, 30, 96, 34, 16, "n", 2)
    f.block(s, 34, 128, 16, 26, 2)
    f.shelf(s, 126, 87, 26, 6)
    f.block(s, 106, 190, 44, 7, 0.5)
    f.plant(s, 12, 190, 6)
    f.plant(s, 164, 190, 6)
    s.box(66, 186, 94, 196, "#E9E3D4", "#D5CCB8", 0.4, 0.6)


def _level2(s: Sheet) -> None:
    for number in range(4):
        x = 174 + number * 3.6
        s.box(x, 107.5, x + 3.6, 150, ("#F1EDE2", "#F4F0E6", "#F7F3EA", "#FAF6EC")[number], "#B5AE9F", 0.4)
    s.line([(170, 128), (186, 128)], DETAIL, 0.5)
    s.shape([(185, 126), (185, 130), (189, 128)], DETAIL)
    s.box(160, 153, 200, 176.5, "#F7F3EA", "#B5AE9F", 0.4)  # the ramp beside the steps
    for x in (170, 180, 190):
        s.line([(x - 1.5, 161.5), (x + 1.5, 164.75), (x - 1.5, 168)], DETAIL, 0.5)
    f.block(s, 238, 162, 84, 20, 2)
    for x in (250, 270, 290, 310):
        f.chair(s, x, 157.5, "s", 8)
        f.chair(s, x, 186.5, "n", 8)
    f.sofa(s, 192, 92, 16, 40, "w", 2)
    f.round_table(s, 346, 118, 9, 3)
    f.plant(s, 362, 188, 6)
    f.plant(s, 192, 190, 5)


def _entrance(s: Sheet, x: float) -> None:
    """A double door in the lower outer wall, and a mark outside that says where to come in."""
    s.gap(x, HEIGHT, 28, thick=THICK)
    s.door(x, HEIGHT, 14, -1, thick=THICK)
    s.door(x + 14, HEIGHT, 14, -1, hinge=1, thick=THICK)
    s.shape([(x + 10.5, HEIGHT + 8.2), (x + 17.5, HEIGHT + 8.2), (x + 14, HEIGHT + 3.6)], WALL)
