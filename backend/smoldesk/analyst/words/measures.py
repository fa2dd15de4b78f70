"""Units that measure the same thing, and how many of one are in the other: 1.5 hours are 90 minutes. Pure.

Two temperatures differ by more than a factor, and two currencies by more than arithmetic knows: neither is converted.
"""

_PER = {
    "time": {"millisecond": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0,
             "month": 2592000.0, "year": 31536000.0},
    "length": {"millimetre": 0.001, "centimetre": 0.01, "inch": 0.0254, "foot": 0.3048, "yard": 0.9144, "metre": 1.0,
               "kilometre": 1000.0, "mile": 1609.344},
    "mass": {"microgram": 1e-6, "milligram": 0.001, "gram": 1.0, "ounce": 28.349523125, "pound mass": 453.59237,
             "kilogram": 1000.0, "tonne": 1_000_000.0},
    "volume": {"millilitre": 0.001, "centilitre": 0.01, "decilitre": 0.1, "litre": 1.0, "cubic metre": 1000.0},
    "area": {"square foot": 0.09290304, "square metre": 1.0, "hectare": 10_000.0, "square kilometre": 1_000_000.0},
    "speed": {"kilometre per hour": 1.0, "mile per hour": 1.609344, "metre per second": 3.6},
    "power": {"watt": 1.0, "kilowatt": 1000.0, "megawatt": 1_000_000.0, "gigawatt": 1e9},
    "energy": {"watt hour": 1.0, "kilowatt hour": 1000.0, "megawatt hour": 1_000_000.0,
               "gigawatt hour": 1e9},
    "data": {"kilobyte": 1.0, "megabyte": 1000.0, "gigabyte": 1_000_000.0, "terabyte": 1e9},
    "yen": {"yen": 1.0, "thousand yen": 1000.0, "ten thousand yen": 10_000.0, "million yen": 1_000_000.0,
            "hundred million yen": 100_000_000.0},
    "dollars": {"cent": 0.01, "dollar": 1.0, "thousand dollars": 1000.0, "million dollars": 1_000_000.0},
    "euros": {"cent": 0.01, "euro": 1.0, "thousand euros": 1000.0, "million euros": 1_000_000.0},
    "pounds": {"pence": 0.01, "pound": 1.0, "thousand pounds": 1000.0, "million pounds": 1_000_000.0},
    "celsius": {"celsius": 1.0},
    "fahrenheit": {"fahrenheit": 1.0},
}  # fmt: skip
_MONTHS = {"month": 1.0, "year": 12.0}
"""Twelve months are a year, however many days they have."""
MONEY = frozenset(("yen", "dollars", "euros", "pounds"))


def kinds_of(unit: str) -> frozenset[str]:
    """What a unit measures: time, mass, dollars; a cent is of two currencies, and others of nothing that is known here."""
    return frozenset(kind for kind, units in _PER.items() if unit in units)


def converted(value: float, unit: str, own: str) -> float | None:
    """So many of the one unit in the other; None where they do not measure the same."""
    if unit == own:
        return value
    if unit in _MONTHS and own in _MONTHS:
        return value * _MONTHS[unit] / _MONTHS[own]
    for units in _PER.values():
        if unit in units and own in units:
            return float(f"{value * units[unit] / units[own]:.12g}")
    return None
