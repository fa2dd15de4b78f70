"""Parser of days, months, quarters, years and weekdays in both languages."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from smoldesk.analyst.language import Language, localize
from smoldesk.analyst.units import Unit

_LONG = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_SHORT = {name.casefold(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
MONTHS = _LONG | _SHORT
WEEKDAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
WEEKEND, WORKING = (5, 6), (0, 1, 2, 3, 4)
_DAYS: dict[tuple[int, ...], tuple[str, str]] = {WEEKEND: ("weekends", "週末"), WORKING: ("weekdays", "平日")}
# Year before the first year of each era.
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORD = r"(?:st|nd|rd|th)?"
_FORMS = re.compile(
    rf"""\b(?P<year1>(?:19|20)\d\d)[-/](?P<month1>\d\d?)(?:[-/](?P<day1>\d\d?))?\b
    |\b(?P<day2>\d\d?){_ORD}\s+(?:of\s+)?(?P<month2>{_NAMES})\b\.?(?:,?\s+(?P<year2>(?:19|20)\d\d))?
    |\b(?P<month3>{_NAMES})\b\.?(?:\s+(?P<day3>\d\d?){_ORD}\b(?!\d))?(?:,?\s+(?:of\s+)?(?P<year3>(?:19|20)\d\d))?
    |\b[Qq](?P<quarter4>[1-4])(?:\s+(?:of\s+)?(?P<year4>(?:19|20)\d\d))?\b
    |(?:(?P<year5>\d{{4}})年)?第(?P<quarter5>[1-4一二三四])四半期
    |(?:(?:(?P<era6>令和|平成|昭和)(?P<year6>\d\d?|元)|(?P<year7>\d{{4}}))年)?(?P<month7>\d\d?)月(?:(?P<day7>\d\d?)日)?(?!間)
    |(?:(?P<era8>令和|平成|昭和)(?P<year8>\d\d?|元)|(?P<year9>\d{{4}}))年(?!代|度別)
    |\b(?P<year>(?:19|20)\d\d)\b
    |(?P<wd>\b(?:{"|".join(sorted(WEEKDAYS, key=len, reverse=True))})s?\b|[月火水木金土日]曜日?)
    |(?P<we>\bweekends?\b|週末|土日)|(?P<wk>\bweekdays?\b|平日)""",
    re.IGNORECASE | re.VERBOSE,
)
# 元 (gannen) is the first year of an era.
_KANJI = {"元": 1, "一": 1, "二": 2, "三": 3, "四": 4}


@dataclass(frozen=True)
class When:
    """Period of the calendar: None means unspecified. `weekdays` count from Monday 0."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    weekdays: tuple[int, ...] = ()

    def to_text(self, language: Language) -> str:
        """Return a text that people and `dates_in` can read."""
        if self.weekdays:
            first = self.weekdays[0]
            day_names = (calendar.day_name[first], f"{'月火水木金土日'[first]}曜日")
            return localize(language, *_DAYS.get(self.weekdays, day_names))
        if language == "ja":
            forms = ("{}年", "{}月", "{}日", "第{}四半期")
            numbers = (self.year, self.month, self.day, self.quarter)
            return "".join(form.format(number) for form, number in zip(forms, numbers, strict=True) if number)
        if self.quarter:
            return f"Q{self.quarter}" + (f" {self.year}" if self.year else "")
        if self.year and self.month and self.day:
            return f"{self.year}-{self.month:02d}-{self.day:02d}"
        month = calendar.month_name[self.month] if self.month else ""
        return " ".join(str(part) for part in (month, self.day, self.year) if part)


def dates_in(text: str, units: tuple[Unit, ...]) -> Iterator[tuple[tuple[int, int], When, float]]:
    """Yield the dates of a text: units, date and certainty; invalid dates are skipped."""
    for match in _FORMS.finditer(text):
        when = _when(match)
        start, end = match.span()
        inside = [n for n, unit in enumerate(units) if start <= unit.start and unit.end <= end]
        if when is None or not inside:
            continue
        word = (match["month3"] or "").casefold() in ("may", "mar") and not match["day3"]
        sure = 0.8 if match["year"] else 0.9 if match["wk"] or match["we"] else 0.7 if word else 1.0
        yield (inside[0], inside[-1] + 1), when, sure


def _when(match: "re.Match[str]") -> When | None:
    fields = {name.rstrip("123456789"): text for name, text in match.groupdict().items() if text}
    if "wd" in fields:
        name = fields["wd"].casefold()
        day = "月火水木金土日".find(name[0])
        return When(weekdays=(day if day >= 0 else WEEKDAYS[name if name in WEEKDAYS else name.rstrip("s")],))
    if "we" in fields or "wk" in fields:
        return When(weekdays=WEEKEND if "we" in fields else WORKING)
    year, quarter, month, day = (_number(fields.get(part)) for part in ("year", "quarter", "month", "day"))
    if "era" in fields and year is not None:
        year += ERAS[fields["era"]]
    ok = (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31)
    return When(year, quarter, month, day) if ok else None


def _number(text: str | None) -> int | None:
    """Return the number of a month name, kanji or digits."""
    if text is None:
        return None
    return MONTHS.get(text.casefold()) or _KANJI.get(text) or int(text)
