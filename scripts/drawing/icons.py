"""Arrows and icons for the map: one set, readable on any highlight colour, transparent around.

Drawn on a field of 128 units. Shapes follow the signs on real walls: the way out green and square, warning a
yellow triangle, fire red, information slate or blue. A white casing parts them from what lies below.
"""

import math
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

SIZE = 128
FINE = 8
WHITE = "#FFFFFF"
BLUE = "#2F62D9"
GREEN = "#12824C"
AMBER = "#FFC21A"
RED = "#D2342B"
SLATE = "#3C4654"
INK = "#23272E"

Point = tuple[float, float]


class Field:
    """A transparent square of 128 units, drawn large."""

    def __init__(self) -> None:
        self._image = Image.new("RGBA", (SIZE * FINE, SIZE * FINE), (255, 255, 255, 0))
        self._draw = ImageDraw.Draw(self._image)

    def rounded(self, x1: float, y1: float, x2: float, y2: float, radius: float, fill: str) -> None:
        box = (x1 * FINE, y1 * FINE, x2 * FINE - 1, y2 * FINE - 1)
        self._draw.rounded_rectangle(box, radius * FINE, fill)

    def disc(self, x: float, y: float, r: float, fill: str) -> None:
        self._draw.ellipse(((x - r) * FINE, (y - r) * FINE, (x + r) * FINE - 1, (y + r) * FINE - 1), fill)

    def shape(self, points: Sequence[Point], fill: str) -> None:
        self._draw.polygon([(x * FINE, y * FINE) for x, y in points], fill)

    def stroke(self, points: Sequence[Point], width: float, fill: str) -> None:
        """A line with round ends and corners."""
        self._draw.line([(x * FINE, y * FINE) for x, y in points], fill, round(width * FINE), "curve")
        for x, y in points:
            self.disc(x, y, width / 2, fill)

    def soft(self, points: Sequence[Point], radius: float, fill: str) -> None:
        """A polygon grown by the radius, so with round corners."""
        self.shape(points, fill)
        self.stroke([*points, points[0]], radius * 2, fill)

    def image(self) -> Image.Image:
        # Reduced with colour weighted by alpha, so that edges do not pick up the colour of nothing.
        small = self._image.convert("RGBa").resize((SIZE, SIZE), Image.Resampling.LANCZOS)
        return small.convert("RGBA")


def curve(points: Sequence[Point], steps: int = 24) -> list[Point]:
    """Cubic Bézier pieces: start, then two handles and an end for each piece."""
    out = [points[0]]
    for at in range(0, len(points) - 1, 3):
        p0, p1, p2, p3 = points[at : at + 4]
        for step in range(1, steps + 1):
            t = step / steps
            u = 1 - t
            out.append(
                (
                    u**3 * p0[0] + 3 * u * u * t * p1[0] + 3 * u * t * t * p2[0] + t**3 * p3[0],
                    u**3 * p0[1] + 3 * u * u * t * p1[1] + 3 * u * t * t * p2[1] + t**3 * p3[1],
                )
            )
    return out


def arrow(degrees: float) -> Image.Image:
    """A broad arrow, pointing up at 0 and turning with the clock."""
    outline = [(64, 22), (100, 60), (80, 60), (80, 104), (48, 104), (48, 60), (28, 60)]
    angle = math.radians(degrees)
    turned = [
        (
            64 + (x - 64) * math.cos(angle) - (y - 64) * math.sin(angle),
            64 + (x - 64) * math.sin(angle) + (y - 64) * math.cos(angle),
        )
        for x, y in outline
    ]
    field = Field()
    field.soft(turned, 11, WHITE)
    field.soft(turned, 5, BLUE)
    return field.image()


def _plate(colour: str) -> Field:
    """The square of a sign, with its casing."""
    field = Field()
    field.rounded(6, 6, 122, 122, 28, WHITE)
    field.rounded(12, 12, 116, 116, 22, colour)
    return field


def person() -> Image.Image:
    field = Field()
    field.disc(64, 64, 58, WHITE)
    field.disc(64, 64, 52, BLUE)
    field.disc(64, 48, 17, WHITE)
    shoulders = curve(
        [(30, 93), (30, 79), (42, 71), (64, 71), (86, 71), (98, 79), (98, 93), (90, 101), (78, 106),
         (64, 106), (50, 106), (38, 101), (30, 93)]
    )  # fmt: skip
    field.shape(shoulders, WHITE)
    return field.image()


def exit_sign() -> Image.Image:
    """A running figure making for an open door."""
    field = _plate(GREEN)
    field.shape([(82, 26), (104, 26), (104, 102), (82, 102)], WHITE)
    field.shape([(88, 32), (98, 32), (98, 102), (88, 102)], GREEN)
    field.disc(60, 35, 8.5, WHITE)
    field.stroke([(54, 50), (48, 71)], 14, WHITE)
    field.stroke([(56, 49), (68, 58), (79, 55)], 6.5, WHITE)
    field.stroke([(51, 48), (37, 53), (31, 64)], 6.5, WHITE)
    field.stroke([(50, 73), (64, 81), (64, 100)], 8, WHITE)
    field.stroke([(47, 74), (40, 88), (24, 91)], 8, WHITE)
    return field.image()


def warning() -> Image.Image:
    field = Field()
    triangle = [(64, 24), (108, 100), (20, 100)]
    field.soft(triangle, 17, WHITE)
    field.soft(triangle, 11, INK)
    field.soft([(64, 27), (105, 98), (23, 98)], 8, AMBER)
    field.soft([(61, 48), (67, 48), (65.4, 74), (62.6, 74)], 4, INK)
    field.disc(64, 91, 6.2, INK)
    return field.image()


def stairs() -> Image.Image:
    field = _plate(SLATE)
    steps = [
        (28, 98), (28, 84), (46, 84), (46, 68), (64, 68), (64, 52), (82, 52), (82, 36), (100, 36), (100, 98),
    ]  # fmt: skip
    field.soft(steps, 2, WHITE)
    field.stroke([(30, 62), (58, 36)], 6, WHITE)
    field.soft([(65, 29.5), (50, 32), (62, 45)], 1.5, WHITE)
    return field.image()


def lift() -> Image.Image:
    field = _plate(SLATE)
    field.rounded(32, 28, 96, 100, 8, WHITE)
    field.rounded(38.5, 34.5, 89.5, 93.5, 3, SLATE)
    field.soft([(64, 43), (76, 57), (52, 57)], 2.5, WHITE)
    field.soft([(64, 85), (76, 71), (52, 71)], 2.5, WHITE)
    return field.image()


def fire() -> Image.Image:
    field = _plate(RED)
    flame = curve(
        [(66, 20), (70, 36), (94, 46), (94, 74), (94, 94), (80, 106), (64, 106), (48, 106), (34, 94),
         (34, 76), (34, 62), (42, 54), (48, 44), (50, 54), (54, 56), (57, 57), (54, 42), (58, 28), (66, 20)]
    )  # fmt: skip
    field.shape(flame, WHITE)
    heart = curve(
        [(65, 64), (68, 74), (78, 78), (78, 88), (78, 96), (72, 100), (64, 100), (56, 100), (50, 95),
         (50, 87), (50, 80), (56, 76), (58, 70), (60, 74), (62, 74), (63, 75), (63, 70), (63, 67), (65, 64)]
    )  # fmt: skip
    field.shape(heart, RED)
    return field.image()


def flat(icon: Image.Image) -> Image.Image:
    """The icon on white without transparency, for formats that have none."""
    page = Image.new("RGB", icon.size, WHITE)
    page.paste(icon, mask=icon.getchannel("A"))
    return page


ARROWS: dict[str, Callable[[], Image.Image]] = {
    "arrow_up": lambda: arrow(0),
    "arrow_right": lambda: arrow(90),
    "arrow_down": lambda: arrow(180),
    "arrow_left": lambda: arrow(270),
}
ICONS: dict[str, Callable[[], Image.Image]] = {
    "person": person,
    "exit": exit_sign,
    "warning": warning,
    "stairs": stairs,
    "lift": lift,
    "fire": fire,
}
"""Bitmap id -> drawing."""
