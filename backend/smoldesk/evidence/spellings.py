"""Other ways to write the label of a row: days of the week, hours, months, quarters, dates, names without their kind. Pure."""

import re
from collections.abc import Iterator

from smoldesk.evidence.number_words import MONTHS

_DAYS = re.findall(r"\w+", "monday tuesday wednesday thursday friday saturday sunday")
_JA_DAYS = "月火水木金土日"
_QUARTERS = ("first", "second", "third", "fourth")
_QUARTER = re.compile(
    r"(?:(?P<y>\d{4})[-/ 年]?)?(?:q(?P<q>[1-4])|(?P<q2>[1-4])q|第(?P<q3>[1-4])四半期)(?:[-/ ](?P<y2>\d{4}))?"
)
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?")
# Kinds at the end of Japanese names, which sentences leave out.
_KIND = re.compile(r"(?<=..)(?:都|府|県|市|区|町|支店|本店|店|センター|工場|営業所|支社|部門|部|課|事業|費)$")
# Rows of `describe`.
_STATISTICS = {
    "max": ("最大", "最高", "range from", "ranges from", "ranging from", "範囲"),
    "min": ("最小", "最低", "range from", "ranges from", "ranging from", "範囲"),
    **dict.fromkeys(("25%", "75%"), ("middle half", "half of", "半分")),
    "50%": ("中央値",),
    "std": ("標準偏差",),
}
_REMARK = re.compile(r"(?<=\S)\s*[(（][^()（）]*[)）]$")


def spellings(label: str, dimension: str) -> Iterator[str]:
    """Yield a label of a dimension, and other ways to write it."""
    short = label.strip().casefold()
    if short in _JA_DAYS and "曜" in dimension:  # alone, these are parts of other words
        yield from _day(_JA_DAYS.index(short))
        return
    yield label
    yield _KIND.sub("", label)
    yield _REMARK.sub("", label)
    for number, day in enumerate(_DAYS):
        if short in (day, day[:3], day[:4], day[:5]) or short.removesuffix("日") == f"{_JA_DAYS[number]}曜":
            yield from _day(number)
    if re.search(r"(?i)hour|時", dimension) and re.fullmatch(r"0?\d|1\d|2[0-4]", short):
        hour = int(short)
        yield from (f"{hour}:00", f"{hour}時", f"{(hour - 1) % 12 + 1} {'ap'[hour > 11]}m", f"{hour:02}:00")
    if re.fullmatch(r"1\d\d0|20\d0", short) and re.search(r"(?i)decade|century|年代|世紀", dimension):
        yield from (f"{short}s", f"{short}年代", f"the {short[2:]}s")
    yield from _STATISTICS.get(short, ())
    if short in ("1", "2", "3", "4") and re.search(r"(?i)quarter|四半期", dimension):
        yield from _quarter(int(short), "")
    is_month = re.search(r"(?i)month|月", dimension) and re.fullmatch(r"0?[1-9]|1[0-2]", short)
    month = int(short) if is_month else MONTHS.get(short, 0)
    if ja := re.fullmatch(r"(\d{1,2})月", short):
        month = int(ja[1])
    if month:
        yield from _dates(0, month, 0)
    plain_date = re.sub(r"[年月](?=\d)", "-", short).rstrip("年月日") if "年" in short else short
    if match := _DATE.fullmatch(plain_date.partition("t")[0]):
        yield from _dates(int(match[1]), int(match[2]), int(match[3] or 0))
    if match := _QUARTER.fullmatch(short):
        yield from _quarter(int(match["q"] or match["q2"] or match["q3"]), match["y"] or match["y2"] or "")


def _day(number: int) -> Iterator[str]:
    day = _JA_DAYS[number]
    yield from (_DAYS[number], _DAYS[number][:3], _DAYS[number][:4], f"{day}曜日", f"{day}曜")
    if number > 4:
        yield from ("weekend", "週末", "土日")


def _quarter(number: int, year: str) -> Iterator[str]:
    for name in (f"q{number}", f"{_QUARTERS[number - 1]} quarter", f"第{number}四半期"):
        yield from (
            f"{name} {year}",
            f"{name} of {year}",
            f"{year}年{name}",
            f"{year} {name}",
            f"{year}{name}",
            name,
        )


def _dates(year: int, month: int, day: int) -> Iterator[str]:
    for name in [name for name, number in MONTHS.items() if number == month]:
        if day:
            yield from (f"{name} {day}", f"{name} {day} {year}", f"{day} {name}", f"{day} {name} {year}")
        else:
            yield from (name, f"{name} {year}")
    japanese = f"{month}月{day}日" if day else f"{month}月"
    yield from (japanese, f"{year}年{japanese}")
