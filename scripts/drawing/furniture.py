"""Pieces of furniture in plan view, light enough to write a room's name over. All take plan units."""

import math

from drawing.sheet import Sheet

FILL, LINE = "#F5F1E7", "#BDB5A4"
SOFT = "#FBF9F3"
WATER, WATER_LINE = "#E9F1F4", "#A9BFC9"
LEAF, LEAF_LINE = "#D3E4C3", "#8DAA79"
RUG = "#F4EADB"
DARK = "#8D8778"
GLASSY = "#D9E5EB"


def block(s: Sheet, x: float, y: float, w: float, h: float, radius: float = 1.0, fill: str = FILL) -> None:
    """Anything with a flat top."""
    s.box(x, y, x + w, y + h, fill, LINE, 0.45, radius)


def rug(s: Sheet, x: float, y: float, w: float, h: float) -> None:
    s.box(x, y, x + w, y + h, RUG, "#E6D8C1", 0.4, 1.5)
    s.box(x + 2, y + 2, x + w - 2, y + h - 2, None, "#EADFCB", 0.35, 1)


def bed(s: Sheet, x: float, y: float, w: float, h: float, pillows: int) -> None:
    """Head at the left when wider than high, else at the top."""
    block(s, x, y, w, h, 1.5, SOFT)
    if w >= h or pillows == 2:
        each = h / pillows
        for number in range(pillows):
            block(s, x + 2, y + number * each + 2, 8, each - 4, 2, "#FFFFFF")
        s.line([(x + 14, y), (x + 14, y + h)], LINE, 0.45)
        s.line([(x + 14, y + h * 0.25), (x + 20, y)], LINE, 0.35)
    else:
        block(s, x + 2, y + 2, w - 4, 7, 2, "#FFFFFF")
        s.line([(x, y + 13), (x + w, y + 13)], LINE, 0.45)
        s.line([(x, y + 19), (x + w * 0.3, y + 13)], LINE, 0.35)


def wardrobe(s: Sheet, x: float, y: float, w: float, h: float) -> None:
    block(s, x, y, w, h, 0.4)
    s.line([(x, y), (x + w, y + h)], LINE, 0.3)
    s.line([(x, y + h), (x + w, y)], LINE, 0.3)


def shelf(s: Sheet, x: float, y: float, w: float, h: float, step: float = 3.0) -> None:
    """Books seen from above: thin lines across the short side, uneven."""
    block(s, x, y, w, h, 0.3)
    lying = w >= h
    long = w if lying else h
    at, number = 1.2, 0
    while at < long - 1:
        depth = (0.95, 0.7, 0.85, 0.6)[number % 4]
        if lying:
            s.line([(x + at, y + h - 0.6), (x + at, y + h - h * depth)], LINE, 0.3)
        else:
            s.line([(x + 0.6, y + at), (x + w * depth, y + at)], LINE, 0.3)
        at += step * (0.55, 0.8, 0.5, 0.95, 0.65)[number % 5]
        number += 1


def chair(s: Sheet, x: float, y: float, facing: str, size: float = 8.0) -> None:
    """Centred at (x, y); `facing` n, s, e or w: the back is opposite."""
    h = size / 2
    block(s, x - h, y - h, size, size, 2, SOFT)
    back = {
        "s": (x - h, y - h - 0.8, x + h, y - h + 1),
        "n": (x - h, y + h - 1, x + h, y + h + 0.8),
        "e": (x - h - 0.8, y - h, x - h + 1, y + h),
        "w": (x + h - 1, y - h, x + h + 0.8, y + h),
    }[facing]
    s.box(*back, LINE, None, 0, 0.8)


def desk(s: Sheet, x: float, y: float, w: float, h: float, facing: str) -> None:
    """A desk with a screen; the chair sits on the side it faces (n or s)."""
    below = facing == "n"
    chair(s, x + w / 2, y + h + 4 if below else y - 4, facing, 7)
    block(s, x, y, w, h, 0.6)
    top = y + 1.6 if below else y + h - 2.8
    s.box(x + w / 2 - 5, top, x + w / 2 + 5, top + 1.2, DARK, None, 0, 0.4)
    keys = y + h - 4 if below else y + 2.2
    s.box(x + w / 2 - 3.5, keys, x + w / 2 + 3.5, keys + 1.8, "#FFFFFF", LINE, 0.25, 0.3)


def sofa(s: Sheet, x: float, y: float, w: float, h: float, back: str, seats: int) -> None:
    """`back` n, s, e or w is the side the back rest stands on."""
    block(s, x, y, w, h, 2.2)
    t = 4.0
    inner = {
        "w": (x + t, y + t, x + w - 0.8, y + h - t),
        "e": (x + 0.8, y + t, x + w - t, y + h - t),
        "n": (x + t, y + t, x + w - t, y + h - 0.8),
        "s": (x + t, y + 0.8, x + w - t, y + h - t),
    }[back]
    x1, y1, x2, y2 = inner
    for number in range(seats):
        if back in "we":
            each = (y2 - y1) / seats
            s.box(x1, y1 + number * each, x2, y1 + (number + 1) * each, SOFT, LINE, 0.35, 1.2)
        else:
            each = (x2 - x1) / seats
            s.box(x1 + number * each, y1, x1 + (number + 1) * each, y2, SOFT, LINE, 0.35, 1.2)


def round_table(s: Sheet, x: float, y: float, r: float, chairs: int = 4) -> None:
    for number in range(chairs):
        angle = 2 * math.pi * number / chairs + math.pi / 4
        s.circle(x + (r + 3.2) * math.cos(angle), y + (r + 3.2) * math.sin(angle), 3.4, SOFT, LINE, 0.4)
    s.circle(x, y, r, FILL, LINE, 0.45)


def plant(s: Sheet, x: float, y: float, r: float = 5.0) -> None:
    for number in range(7):
        angle = 2 * math.pi * number / 7 + 0.3
        cx, cy = x + r * 0.55 * math.cos(angle), y + r * 0.55 * math.sin(angle)
        s.circle(cx, cy, r * 0.48, LEAF, LEAF_LINE, 0.3)
    s.circle(x, y, r * 0.34, LEAF, LEAF_LINE, 0.3)


def bath(s: Sheet, x: float, y: float, w: float, h: float) -> None:
    block(s, x, y, w, h, 1, "#FFFFFF")
    s.box(x + 2, y + 2, x + w - 2, y + h - 2, WATER, WATER_LINE, 0.45, (h - 4) / 2)
    s.circle(x + w - 7, y + h / 2, 0.9, "#FFFFFF", WATER_LINE, 0.35)


def basin(s: Sheet, x: float, y: float, w: float, h: float) -> None:
    block(s, x, y, w, h, 1, "#FFFFFF")
    s.oval(x + w * 0.14, y + h * 0.14, x + w * 0.86, y + h * 0.86, WATER, WATER_LINE)
    s.circle(x + w / 2, y + h / 2, 0.7, "#FFFFFF", WATER_LINE, 0.3)


def shower(s: Sheet, x: float, y: float, w: float, h: float) -> None:
    s.box(x, y, x + w, y + h, WATER, WATER_LINE, 0.45)
    s.line([(x, y), (x + w, y + h)], WATER_LINE, 0.3)
    s.line([(x, y + h), (x + w, y)], WATER_LINE, 0.3)
    s.circle(x + w / 2, y + h / 2, 1.6, "#FFFFFF", WATER_LINE, 0.4)


def toilet(s: Sheet, x: float, y: float) -> None:
    """Cistern against the wall above; 12 wide, 19 deep."""
    block(s, x, y, 12, 5.5, 1, "#FFFFFF")
    s.oval(x + 1, y + 5, x + 11, y + 19, "#FFFFFF", LINE)
    s.oval(x + 3, y + 7.5, x + 9, y + 16.5, WATER, WATER_LINE)


def hob(s: Sheet, x: float, y: float, w: float = 13, h: float = 13) -> None:
    s.box(x, y, x + w, y + h, SOFT, LINE, 0.4, 0.6)
    for cx in (0.29, 0.71):
        for cy in (0.29, 0.71):
            s.circle(x + w * cx, y + h * cy, 2.2, None, DARK, 0.45)


def car(s: Sheet, x: float, y: float) -> None:
    """Ninety long, 36 wide, its bonnet to the left."""
    for wheel in (14, 64):
        for side in (-1.2, 33.2):
            s.box(x + wheel, y + side, x + wheel + 13, y + side + 4, DARK, None, 0, 1.2)
    s.box(x, y, x + 90, y + 36, "#EFEDE7", "#A9A396", 0.55, 10)
    s.shape([(x + 24, y + 5), (x + 33, y + 8), (x + 33, y + 28), (x + 24, y + 31)], GLASSY, "#A9A396")
    s.shape([(x + 74, y + 8), (x + 68, y + 10), (x + 68, y + 26), (x + 74, y + 28)], GLASSY, "#A9A396")
    s.box(x + 34, y + 5, x + 67, y + 31, "#F6F5F1", "#A9A396", 0.4, 3)
    for side in (3, 28.5):
        s.oval(x + 1.5, y + side, x + 5.5, y + side + 4.5, "#FFFFFF", "#A9A396")


def racks(s: Sheet, x: float, y: float, count: int) -> None:
    """A row of server racks, 11 by 14 each."""
    for number in range(count):
        left = x + number * 11
        block(s, left, y, 11, 14, 0.3, "#E9EAEC")
        s.box(left + 1.6, y + 1.6, left + 9.4, y + 12.4, "#F6F7F8", "#B4B8BE", 0.35)
        for row in (4, 6.6, 9.2):
            s.line([(left + 3, y + row), (left + 8, y + row)], "#B4B8BE", 0.35)
