"""Units and scales in the names of columns and in sentences about them. Pure."""

import re
from functools import lru_cache

from smoldesk.evidence.number_words import SCALES, UNITS

SHARE = re.compile(r"%|percent|pct|per cent|rate|share|ratio|humidity|率|割合|比|構成|湿度", re.IGNORECASE)
_UNIT_IN_NAME = re.compile(
    r"[(\[（]\s*([^)\]）]{1,20})\s*[)\]）]\s*$|(?:^(?!min$)(?=..)|(?<!/)[_ ])([a-z°%²³]{1,7}[23]?)$"
    r"|^([%$€£¥])|((?:[十百]?[千万億])?[%円人秒分])$|(?<=[ぁ-んァ-ヶー一-龠])([a-z°%²³]{1,4}[23]?)$",
    re.I,
)
_SCALED_UNIT = re.compile(
    r"(?i)(?:in )?(?P<a>\D*?) ?(?P<scale>thousands?|millions?|billions?|[十百]?[千万億]|bn|mn|[km])(?: of)? ?(?P<b>\D*)"
)


@lru_cache(maxsize=1_024)
def unit_in(name: str) -> tuple[str, float]:
    """Return the unit that a column's name ends with, such as `price (USD)`, `length_km` or `売上_百万円`."""
    match = _UNIT_IN_NAME.search(name.strip())
    return unit_of(next((group for group in match.groups() if group), "")) if match else ("", 1.0)


def without_unit(name: str) -> str:
    """Return the name of a column without its unit."""
    match = _UNIT_IN_NAME.search(name.strip())
    return name[: match.start()].rstrip(" _") or name if match and unit_in(name)[0] else name


def unit_of(spelling: str) -> tuple[str, float]:
    """Return the unit of a spelling, with its scale: `million USD` is one of 1e6 dollars."""
    spelling = spelling.strip().lower()
    if spelling in UNITS:
        return UNITS[spelling]
    match = _SCALED_UNIT.fullmatch(spelling)
    names = [match["a"].strip(), match["b"].strip()] if match else []
    units = [UNITS[name] for name in names if name in UNITS]
    if match is None or len(units) < sum(map(bool, names)) - names.count("人"):
        return "", 1.0
    dimension, factor = units[0] if units else ("", 1.0)
    return dimension, factor * SCALES[match["scale"].removesuffix("s")]
