"""The core that every floor shares: stairs in two flights, the lift and its lobby. x 262..352, y 0..84."""

from drawing.sheet import DETAIL, FLOOR, STONE, WALL, Sheet

TREAD = "#A39E93"


def core(s: Sheet, up: bool = True, down: bool = True) -> None:
    """`up` and `down` say which way the flights lead from this floor."""
    s.box(262, 0, 352, 84, STONE)
    for x in (266.0, 292.0):
        for number in range(13):
            y = 21 + number * 4.4
            s.line([(x, y), (x + 22, y)], TREAD, 0.4)
    s.box(288.6, 19, 291.4, 76, "#E4E0D6", TREAD, 0.4)
    s.line([(266, 19), (314, 19)], TREAD, 0.4)
    if up:
        _arrow(s, 303, 76, 25)
    if down:
        _arrow(s, 277, 76, 25)
    s.box(323, 6, 347, 40, FLOOR, WALL, 0.7)
    s.line([(323, 6), (347, 40)], TREAD, 0.4)
    s.line([(323, 40), (347, 6)], TREAD, 0.4)
    s.wall(262, 0, 262, 84)
    s.wall(318, 0, 318, 84)
    s.wall(352, 0, 352, 66)
    s.wall(318, 46, 352, 46)
    s.gap(325, 46, 20)
    s.line([(325, 45.2), (334.6, 45.2)], WALL, 0.7)
    s.line([(335.4, 45.2), (345, 45.2)], WALL, 0.7)


def _arrow(s: Sheet, x: float, y1: float, y2: float) -> None:
    s.circle(x, y1, 1.1, DETAIL)
    s.line([(x, y1), (x, y2)], DETAIL, 0.55)
    s.shape([(x - 2.2, y2 + 2.6), (x + 2.2, y2 + 2.6), (x, y2 - 1.6)], DETAIL)
