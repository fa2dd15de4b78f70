"""What a figure is by its unit: the `wing length` of a column Wing (mm), the `pup weight` of Pup (g).

Each name is the whole header with the word of its dimension behind it.
"""

from collections.abc import Iterable, Iterator, Sequence

_STRENGTH = 2.4
_LENGTHS = ("length", "width", "height", "size", "measurement")
_TIMES = ("time", "duration", "length")
_SIZES = {
    **dict.fromkeys(("kilometre", "mile"), ("length", "distance")),
    "metre": (*_LENGTHS, "distance"),
    **dict.fromkeys(("centimetre", "millimetre"), _LENGTHS),
    **dict.fromkeys(("milligram", "gram", "kilogram", "tonne"), ("weight", "mass")),
    **dict.fromkeys(("second", "minute", "hour", "day"), _TIMES),
    **dict.fromkeys(("celsius", "fahrenheit"), ("temperature", "temp")),
    **dict.fromkeys(("square metre", "square foot", "hectare", "square kilometre"), ("area", "size")),
    **dict.fromkeys(("litre", "millilitre"), ("volume",)),
    **dict.fromkeys(("kilometre per hour", "mile per hour", "metre per second"), ("speed",)),
    **dict.fromkeys(("watt", "kilowatt"), ("power", "wattage")),
    "volt": ("voltage",),
    "kilowatt hour": ("energy",),
    "percent": ("percent", "percentage", "rate"),
}


def sized_names(words: Sequence[str], units: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Other names of a header that has these words and these units; nothing where it says its dimension itself."""
    for unit in units:
        sizes = _SIZES.get(unit, ())
        if words and words[-1].isascii() and words[-1].isalpha() and words[-1] not in sizes:
            yield from ((f"{' '.join(words)} {size}", _STRENGTH) for size in sizes)
