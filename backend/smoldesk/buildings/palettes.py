"""Colours for figures: palettes that people with any colour vision can order, as a few stops each. Pure.

The stops are facts of published colour maps: viridis and magma by van der Walt and Smith, cividis by Nuñez, Anderton and
Renslow, all as Matplotlib has them at every sixteenth; blues by Brewer (ColorBrewer, without its lightest, which looks like
paper); blue-orange is Vega's scheme of that name. Between two stops colours are mixed in sRGB, as the page's legend does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from smoldesk.buildings.names import fold
from smoldesk.errors import BadInput
from smoldesk.messages import LegendStop

_STOPS = {
    "viridis": "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 "
    "d8e219 fde725",
    "cividis": "00224e 002e6a 1a386f 32436d 434e6c 535a6d 61656f 6f7073 7d7c78 8c8878 9b9476 aba072 bcae6c cdbb63 dec958 "
    "f0d846 fee838",
    "magma": "000004 0a0822 1d1147 36106b 51127c 6a1c81 832681 9c2e7f b73779 d0416f e75263 f56b5c fc8961 fea772 fec488 "
    "fde2a3 fcfdbf",
    "blues": "deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b",
    "blue-orange": "134b85 2f78b3 5da2cb 9dcae1 d2e5ef f2f0eb fce0ba fbbf74 e8932f c5690d 994a07",
}
# Colours of each palette, from its low end to its high end.
PALETTES = {name: tuple(f"#{stop}" for stop in stops.split()) for name, stops in _STOPS.items()}
DIVERGING = "blue-orange"
_MIDDLE = re.compile(r"(.+?)[ @:,(]+([-+]?\d+(?:\.\d+)?)\)?")


@dataclass(frozen=True)
class Scale:
    """Values to colours: `low` has a palette's first colour, `high` its last; both finite, low < high."""

    low: float
    high: float
    colours: Sequence[str]

    def colour(self, value: float) -> str:
        """ "#rrggbb" of a value; beyond the ends it is that of the end."""
        share = min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)
        return _mixed(self.colours, share)

    def stops(self) -> list[LegendStop]:
        """Return the scale for a legend: mixing between its stops gives `colour`."""
        last = len(self.colours) - 1
        return [
            LegendStop(value=self.low + (self.high - self.low) * place / last, color=colour)
            for place, colour in enumerate(self.colours)
        ]


def scale_for(values: Iterable[float], palette: str = "viridis") -> Scale:
    """Return the scale of at least one value. Raises BadInput with the palettes' names.

    "blue-orange" has its middle at 0 if values change sign, at a number written behind it ("blue-orange 21"), else
    halfway between the lowest and the highest.
    """
    name, middle = _read(palette)
    numbers = list(values)
    low, high = min(numbers), max(numbers)
    if name == DIVERGING and (middle is not None or low < 0 < high):
        centre = middle or 0.0
        reach = max(abs(low - centre), abs(high - centre))
        low, high = centre - reach, centre + reach
    if not low < high:  # one value only: it gets the middle colour
        reach = abs(low) * 0.05 or 0.5
        low, high = low - reach, high + reach
    return Scale(low, high, PALETTES[name])


def _read(palette: str) -> tuple[str, float | None]:
    wanted = fold(palette).replace("_", "-")
    match = _MIDDLE.fullmatch(wanted)
    name, middle = (match[1], float(match[2])) if match else (wanted, None)
    name = {"diverging": DIVERGING, "blue orange": DIVERGING, "": "viridis"}.get(name, name)
    if name not in PALETTES or (middle is not None and name != DIVERGING):
        raise BadInput(
            f"{palette[:40]!r} is not a palette.",
            f'Palettes: {", ".join(PALETTES)}; the last may be given its middle: "{DIVERGING} 21".',
        )
    return name, middle


def _mixed(colours: Sequence[str], share: float) -> str:
    at = share * (len(colours) - 1)
    place = min(int(at), len(colours) - 2)
    low, high = _channels(colours[place]), _channels(colours[place + 1])
    mixed = [round(a + (b - a) * (at - place)) for a, b in zip(low, high, strict=True)]
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def _channels(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
