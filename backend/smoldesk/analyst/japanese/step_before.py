"""前月, 前年の同じ月 beside a month or year that is named: 2023年7月の需要は前月と比べて compares it with 2023年6月.

Only where one such time is named; a month without its year has none before January.
"""

import re

_NAMED = re.compile(
    r"(?<!\d)(?:(?P<year>(?:19|20)\d\d)年(?:度)?(?:の)?)?(?P<month>1[0-2]|0?[1-9])月(?![日分]|\d|ごと|別)"
)
_YEAR = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)年(?!度)")
_COMPARED = "(?=(?:と(?:比べ|比較|くらべ)|に(?:比べ|対し|くらべ)|より|から|比で))"
_MONTH_BEFORE = re.compile(rf"(?:その)?(?:前の?月|先月|1[かカヶ]月前){_COMPARED}")
_YEAR_BEFORE = re.compile(
    rf"(?:その)?(?:前の?年|昨年|去年|1年前)(?:の)?(?:同じ?月|同月|同時期|同期){_COMPARED}"
)
_PLAIN_YEAR = re.compile(rf"(?:その)?(?:前の?年|昨年|去年|1年前){_COMPARED}")


def step_before(text: str) -> str:
    """The request with the time before the named one written out; as it is where there is none to tell."""
    months = list(_NAMED.finditer(text))
    if len(months) == 1:
        year, month = months[0]["year"], int(months[0]["month"])
        if _MONTH_BEFORE.search(text) and (year or month > 1):
            before = (int(year) - (month == 1)) if year else None
            said = f"{before}年" if before else ""
            return _MONTH_BEFORE.sub(f"{said}{month - 1 or 12}月", text)
        if year and (_YEAR_BEFORE.search(text) or _PLAIN_YEAR.search(text)):
            return _PLAIN_YEAR.sub(
                f"{int(year) - 1}年{month}月", _YEAR_BEFORE.sub(f"{int(year) - 1}年{month}月", text)
            )
        return text
    years = list(_YEAR.finditer(text))
    if not months and len(years) == 1:
        return _PLAIN_YEAR.sub(f"{int(years[0]['year']) - 1}年", text)
    return text
