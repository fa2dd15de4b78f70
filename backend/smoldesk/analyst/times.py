"""Days, months, quarters, years and weekdays that a request names, in both languages. Pure."""

import calendar
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from smoldesk.analyst.language import Language, say
from smoldesk.analyst.units import Unit

if TYPE_CHECKING:
    from smoldesk.analyst.mentions import Mention

_LONG = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_SHORT = {name.casefold(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
MONTHS = _LONG | _SHORT
WEEKDAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORD = r"(?:st|nd|rd|th)?"
_FORMS = re.compile(
    rf"""(?P<iso>\b(?P<iy>(?:19|20)\d\d)[-/](?P<im>\d\d?)(?:[-/](?P<id>\d\d?))?\b)
    |(?P<dmy>\b(?P<dd>\d\d?){_ORD}\s+(?:of\s+)?(?P<dm>{_NAMES})\b\.?(?:,?\s+(?P<dy>(?:19|20)\d\d))?)
    |(?P<mdy>\b(?P<mm>{_NAMES})\b\.?(?:\s+(?P<md>\d\d?){_ORD}\b(?!\d))?(?:,?\s+(?:of\s+)?(?P<my>(?:19|20)\d\d))?)
    |(?P<qy>\b[Qq](?P<qq>[1-4])(?:\s+(?:of\s+)?(?P<qyear>(?:19|20)\d\d))?\b)
    |(?P<jq>(?:(?P<jqy>\d{{4}})年)?第(?P<jqq>[1-4一二三四])四半期)
    |(?P<ja>(?:(?P<era>令和|平成|昭和)(?P<ey>\d\d?|元)年|(?P<jy>\d{{4}})年)?(?P<jm>\d\d?)月(?:(?P<jd>\d\d?)日)?(?!間))
    |(?P<jyear>(?:(?P<era2>令和|平成|昭和)(?P<ey2>\d\d?|元)|(?P<jy2>\d{{4}}))年(?!代|度別))
    |(?P<year>\b(?:19|20)\d\d\b)
    |(?P<wd>\b(?:{"|".join(sorted(WEEKDAYS, key=len, reverse=True))})s?\b|[月火水木金土日]曜日?)
    |(?P<we>\bweekends?\b|週末|土日)|(?P<wk>\bweekdays?\b|平日)""",
    re.IGNORECASE | re.VERBOSE,
)
_DIGITS = {"一": 1, "二": 2, "三": 3, "四": 4}


@dataclass(frozen=True)
class When:
    """A stretch of the calendar: what is None is not said. `weekdays` count from Monday 0."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    weekdays: tuple[int, ...] = ()

    def spelled(self, language: Language) -> str:
        """As both people and `dates_in` read it."""
        if self.weekdays:
            if len(self.weekdays) == 1:
                return say(
                    language, calendar.day_name[self.weekdays[0]], f"{'月火水木金土日'[self.weekdays[0]]}曜日"
                )
            return (
                say(language, "weekends", "週末")
                if self.weekdays == (5, 6)
                else say(language, "weekdays", "平日")
            )
        if language == "ja":
            parts = ((self.year, "年"), (self.month, "月"), (self.day, "日"))
            return "".join(f"{number}{unit}" for number, unit in parts if number) + (
                f"第{self.quarter}四半期" if self.quarter else ""
            )
        if self.quarter:
            return f"Q{self.quarter}" + (f" {self.year}" if self.year else "")
        if self.year and self.month and self.day:
            return f"{self.year}-{self.month:02d}-{self.day:02d}"
        month = calendar.month_name[self.month] if self.month else ""
        return " ".join(str(one) for one in (month, self.day, self.year) if one)


def dates_in(text: str, units: tuple[Unit, ...]) -> "list[Mention]":
    """Mentions of dates; what is outside of the calendar is none."""
    from smoldesk.analyst.mentions import Mention

    found: list[Mention] = []
    for match in _FORMS.finditer(text):
        when = _when(match)
        inside = [
            n for n, unit in enumerate(units) if unit.start >= match.start() and unit.end <= match.end()
        ]
        if when is None or not inside:
            continue
        word = match["mdy"] and match["mm"].casefold() in ("may", "mar") and not match["md"]
        sure = 0.8 if match["year"] else 0.9 if match["wk"] or match["we"] else 0.7 if word else 1.0
        found.append(Mention(inside[0], inside[-1] + 1, "date", when, None, sure))
    return found


def _when(found: "re.Match[str]") -> When | None:
    def number(name: str) -> int | None:
        return int(found[name]) if found[name] else None

    def era(name: str, year: str) -> int | None:
        if not found[name]:
            return None
        return ERAS[found[name]] + (1 if found[year] == "元" else int(found[year]))

    if found["iso"]:
        when = When(number("iy"), None, number("im"), number("id"))
    elif found["dmy"]:
        when = When(number("dy"), None, MONTHS[found["dm"].casefold()], number("dd"))
    elif found["mdy"]:
        when = When(number("my"), None, MONTHS[found["mm"].casefold()], number("md"))
    elif found["qy"]:
        when = When(number("qyear"), number("qq"))
    elif found["jq"]:
        when = When(number("jqy"), _DIGITS.get(found["jqq"]) or int(found["jqq"]))
    elif found["ja"]:
        when = When(era("era", "ey") or number("jy"), None, number("jm"), number("jd"))
    elif found["jyear"]:
        when = When(era("era2", "ey2") or number("jy2"))
    elif found["year"]:
        when = When(int(found["year"]))
    elif found["wd"]:
        said = found["wd"].casefold()
        day = "月火水木金土日".find(said[0])
        when = When(weekdays=(day if day >= 0 else WEEKDAYS[said if said in WEEKDAYS else said.rstrip("s")],))
    else:
        when = When(weekdays=(5, 6) if found["we"] else (0, 1, 2, 3, 4))
    ok = (when.month is None or 1 <= when.month <= 12) and (when.day is None or 1 <= when.day <= 31)
    return when if ok else None
