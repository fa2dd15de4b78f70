"""Parts of a day and of a month in a request: `in the morning`, 午前中, `noon`, `early june`, 上旬, `the first week of june`.

The morning ends at noon, an English afternoon at 6 pm, 午後 at midnight; 上旬, 中旬 and 下旬 are ten days each, as `early`,
`mid` and `late` before a month are. The answer shows the hours or days as its condition.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.meanings import When

_EDGE = r"(?![a-z0-9])"
_MONTH_AHEAD = (
    r"(?=(?:of )?(?:the month|every month|each month|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
)
_DAYTIMES: tuple[tuple[re.Pattern[str], tuple[int, int]], ...] = tuple(
    (re.compile(form), hours)
    for form, hours in (
        (rf"(?:(?:in |during )?the )?mornings?{_EDGE}", (0, 12)),
        (rf"(?:(?:in |during )?the )?afternoons?{_EDGE}", (12, 18)),
        (rf"(?:(?:in |during )?the )?evenings?{_EDGE}", (18, 24)),
        (r"午前中?(?!の?\d)", (0, 12)),
        (r"朝(?=[にのは]|$)", (0, 12)),
        (r"午後(?!の?\d)", (12, 24)),
    )
)
_HOURS = ((re.compile(rf"(?:noon|midday){_EDGE}|正午"), 12),)
_DAYS: tuple[tuple[re.Pattern[str], tuple[int, int]], ...] = tuple(
    (re.compile(form), days)
    for form, days in (
        (rf"early (?:in )?{_MONTH_AHEAD}", (1, 11)),
        (rf"mid(?:dle of)?[- ]{_MONTH_AHEAD}", (11, 21)),
        (rf"late (?:in )?{_MONTH_AHEAD}", (21, 32)),
        (r"(?:上旬|初旬)", (1, 11)),
        (r"中旬", (11, 21)),
        (r"下旬", (21, 32)),
        (rf"(?:the )?(?:first|1st) half {_MONTH_AHEAD}", (1, 16)),
        (rf"(?:the )?(?:second|2nd) half {_MONTH_AHEAD}", (16, 32)),
        (r"(?<=月の)前半", (1, 16)),
        (r"(?<=月の)後半", (16, 32)),
        (r"(?<=月)前半", (1, 16)),
        (r"(?<=月)後半", (16, 32)),
    )
)
_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "最初の": 1}
_WEEK = re.compile(
    rf"(?:in |during )?(?:the )?(?P<nth>first|second|third|fourth|last|final|1st|2nd|3rd|4th) week {_MONTH_AHEAD}"
)
_WEEKS_JA = re.compile(r"(?<=月)の?(?P<ja>第[1-4一二三四]|最初の|最後の)1?週目?間?(?![\u4e00-\u9fff])")


def day_parts(text: str, at: int) -> Iterator[tuple[int, When]]:
    """The parts of a day or a month that start at `at` in a levelled text, each with its end."""
    for pattern, hours in _DAYTIMES:
        if match := pattern.match(text, at):
            yield match.end(), When(part="daytime", ends=hours)
    for pattern, hour in _HOURS:
        if match := pattern.match(text, at):
            yield match.end(), When(part="hour", value=hour)
    for pattern, days in _DAYS:
        if match := pattern.match(text, at):
            yield _bare_end(match), When(part="month part", ends=days)
    if match := _WEEK.match(text, at) if text[at : at + 1].isascii() else _WEEKS_JA.match(text, at):
        said = match.groupdict()
        yield _bare_end(match), _week(said.get("nth") or said.get("ja") or "")


def _bare_end(match: re.Match[str]) -> int:
    """Where the words end, without the space before the month."""
    return match.start() + len(match.group().rstrip(" -"))


def _week(said: str) -> When:
    """The days 1 to 7, 8 to 14, 15 to 21 or 22 to 28 of a month, or its last seven."""
    if said in ("last", "final", "最後の"):
        return When(part="month part", value=7)
    nth = _NTH.get(said) or ("一二三四".find(said[1]) + 1 or int(said[1]))
    return When(part="month part", ends=(7 * nth - 6, 7 * nth + 1))
