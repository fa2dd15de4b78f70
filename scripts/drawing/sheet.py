"""A floor plan under construction: shapes in the plan's own units, drawn large and reduced for crisp edges.

One unit is 5 cm; x runs 0..500 to the right, y 0..200 down, as in `building.json`. The image has four pixels
a unit and a margin of paper. Floors with furniture, walls, and glass are layers of their own, so that
walls can cast a soft shadow.
"""

from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

UNIT = 4
MARGIN = 40
WIDTH, HEIGHT = 500, 200
FINE = 3
"""How many times larger everything is drawn before it is reduced."""

PAPER = "#F4F1E8"
FLOOR = "#FDFCF8"
WOOD, WOOD_LINE = "#FBF6EB", "#EFE6D3"
TILE, TILE_LINE = "#F3F7F8", "#E1E9EC"
STONE, STONE_LINE = "#F8F6F1", "#ECE8DE"
CONCRETE, CONCRETE_LINE = "#F1F0EC", "#DDDBD4"
WALL = "#2B2F36"
DETAIL = "#6B7078"
GLASS = "#C9DCE6"
THICK, THIN = 5.0, 3.0

Point = tuple[float, float]


class Sheet:
    """Draws in plan units; `image` gives the finished picture."""

    def __init__(self) -> None:
        self.size = (WIDTH * UNIT + 2 * MARGIN, HEIGHT * UNIT + 2 * MARGIN)
        large = (self.size[0] * FINE, self.size[1] * FINE)
        self._ground = Image.new("RGB", large, PAPER)
        self._walls = Image.new("L", large, 0)
        self._over = Image.new("RGBA", large, (0, 0, 0, 0))
        self._house = Image.new("L", large, 0)
        self.ground = ImageDraw.Draw(self._ground)
        self.walls = ImageDraw.Draw(self._walls)
        self.over = ImageDraw.Draw(self._over)
        ImageDraw.Draw(self._house).rectangle(
            self._box(-THICK / 2, -THICK / 2, WIDTH + THICK / 2, HEIGHT + THICK / 2), fill=255
        )

    # --- units ---------------------------------------------------------------------------------------------

    def at(self, x: float, y: float) -> Point:
        """The pixel of the large drawing."""
        return (MARGIN + x * UNIT) * FINE, (MARGIN + y * UNIT) * FINE

    def px(self, length: float) -> int:
        return max(1, round(length * UNIT * FINE))

    def _box(self, x1: float, y1: float, x2: float, y2: float) -> tuple[float, float, float, float]:
        left, top = self.at(x1, y1)
        right, bottom = self.at(x2, y2)
        return left, top, right - 1, bottom - 1

    # --- shapes on the ground ------------------------------------------------------------------------------

    def box(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0.4,
        radius: float = 0.0,
    ) -> None:
        self.ground.rounded_rectangle(
            self._box(x1, y1, x2, y2),
            self.px(radius) if radius else 0,
            fill,
            line,
            self.px(width) if line else 0,
        )

    def circle(
        self,
        x: float,
        y: float,
        r: float,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0.4,
    ) -> None:
        self.ground.ellipse(self._box(x - r, y - r, x + r, y + r), fill, line, self.px(width) if line else 0)

    def oval(
        self, x1: float, y1: float, x2: float, y2: float, fill: str | None = None, line: str | None = None
    ) -> None:
        self.ground.ellipse(self._box(x1, y1, x2, y2), fill, line, self.px(0.4) if line else 0)

    def line(self, points: Sequence[Point], colour: str = DETAIL, width: float = 0.4) -> None:
        self.ground.line([self.at(*point) for point in points], colour, self.px(width), "curve")

    def dashes(
        self, start: Point, end: Point, colour: str = DETAIL, width: float = 0.5, dash: float = 4
    ) -> None:
        (x1, y1), (x2, y2) = start, end
        length = max(abs(x2 - x1), abs(y2 - y1))
        for step in range(int(length / dash / 1.6)):
            a, b = step * dash * 1.6 / length, (step * 1.6 + 1) * dash / length
            first = (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a)
            self.line([first, (x1 + (x2 - x1) * b, y1 + (y2 - y1) * b)], colour, width)

    def shape(self, points: Sequence[Point], fill: str | None = None, line: str | None = None) -> None:
        self.ground.polygon([self.at(*point) for point in points], fill, line, self.px(0.4) if line else 0)

    # --- floors --------------------------------------------------------------------------------------------

    def grid(self, x1: float, y1: float, x2: float, y2: float, fill: str, line: str, step: float) -> None:
        """A tiled floor."""
        self.box(x1, y1, x2, y2, fill)
        for number in range(1, int((x2 - x1) / step) + 1):
            self.line([(x1 + number * step, y1), (x1 + number * step, y2)], line, 0.25)
        for number in range(1, int((y2 - y1) / step) + 1):
            self.line([(x1, y1 + number * step), (x2, y1 + number * step)], line, 0.25)

    def planks(
        self, x1: float, y1: float, x2: float, y2: float, step: float = 5.0, length: float = 44.0
    ) -> None:
        """A wooden floor: boards along x, their ends staggered."""
        self.box(x1, y1, x2, y2, WOOD)
        rows = int((y2 - y1) / step) + 1
        for row in range(rows):
            y = y1 + row * step
            self.line([(x1, y), (x2, y)], WOOD_LINE, 0.25)
            x = x1 + (row * 17) % length
            while x < x2:
                self.line([(x, y), (x, min(y + step, y2))], WOOD_LINE, 0.25)
                x += length

    # --- walls ---------------------------------------------------------------------------------------------

    def wall(self, x1: float, y1: float, x2: float, y2: float, thick: float = THIN) -> None:
        """A straight wall along its middle line, closed at both ends."""
        half = thick / 2
        self.walls.rectangle(self._box(x1 - half, y1 - half, x2 + half, y2 + half), fill=255)

    def outer(self) -> None:
        """The four outer walls."""
        for x1, y1, x2, y2 in (
            (0, 0, WIDTH, 0),
            (0, HEIGHT, WIDTH, HEIGHT),
            (0, 0, 0, HEIGHT),
            (WIDTH, 0, WIDTH, HEIGHT),
        ):
            self.wall(x1, y1, x2, y2, THICK)

    def gap(self, x: float, y: float, width: float, upright: bool = False, thick: float = THIN) -> None:
        """Break a hole of this width into a wall; (x, y) is where it begins on the middle line."""
        half = thick / 2 + 0.5
        box = (x - half, y, x + half, y + width) if upright else (x, y - half, x + width, y + half)
        self.walls.rectangle(self._box(*box), fill=0)

    def door(
        self,
        x: float,
        y: float,
        width: float,
        swing: int,
        hinge: int = 0,
        upright: bool = False,
        thick: float = THIN,
    ) -> None:
        """A door with its leaf open and the arc it sweeps.

        `swing` is -1 (up or left) or 1 (down or right); `hinge` is 0 where the gap begins, 1 where it ends.
        """
        self.gap(x, y, width, upright, thick)
        along = width * hinge
        far = width * (1 - hinge)
        turn = (lambda a, b: (x + b, y + a)) if upright else (lambda a, b: (x + a, y + b))
        self.line([turn(along, 0), turn(along, swing * width)], WALL, 0.7)
        corner = turn(along, 0)
        start, end = turn(far, 0), turn(along, swing * width)
        self._quarter(corner, start, end, width)

    def _quarter(self, corner: Point, start: Point, end: Point, r: float) -> None:
        angles = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}
        first, second = (
            angles[(round((p[0] - corner[0]) / r), round((p[1] - corner[1]) / r))] for p in (start, end)
        )
        if (second - first) % 360 == 270:
            first, second = second, first
        box = self._box(corner[0] - r, corner[1] - r, corner[0] + r, corner[1] + r)
        self.ground.arc(box, first, first + 90, DETAIL, self.px(0.35))

    def window(self, x: float, y: float, width: float, upright: bool = False, thick: float = THICK) -> None:
        """A window: glass between two thin lines in the depth of the wall."""
        self.gap(x, y, width, upright, thick)
        half = thick / 2
        a = (x - half, y, x + half, y + width) if upright else (x, y - half, x + width, y + half)
        self.over.rectangle(self._box(*a), fill=GLASS, outline=WALL, width=self.px(0.45))
        middle = [(x, y), (x, y + width)] if upright else [(x, y), (x + width, y)]
        self.over.line([self.at(*point) for point in middle], DETAIL, self.px(0.35))

    # --- the picture ---------------------------------------------------------------------------------------

    def image(self) -> Image.Image:
        """The layers put together at their final size."""
        ground, walls, house, over = (
            layer.reduce(FINE) for layer in (self._ground, self._walls, self._house, self._over)
        )
        cast = ImageChops.offset(house, 4, 8).filter(ImageFilter.GaussianBlur(9))
        outside = ImageChops.subtract(cast, house).point(lambda value: round(value * 0.26))
        inside = ImageChops.multiply(
            ImageChops.offset(walls, 3, 5)
            .filter(ImageFilter.GaussianBlur(5))
            .point(lambda v: round(v * 0.22)),
            house,
        )
        shade = Image.new("RGB", self.size, "#3A3425")
        picture = ground
        picture = Image.composite(shade, picture, ImageChops.add(outside, inside))
        picture.paste(Image.new("RGB", self.size, WALL), mask=walls)
        picture.paste(over.convert("RGB"), mask=over.getchannel("A"))
        return picture
