"""Numbers and dates that a file writes as text: "1,234", "¥500", "12%", 2024年5月3日, 令和6年6月22日, 20/12/2023."""

import re
from typing import Any, cast

_NUMBER = re.compile(r"[-+]?\s?[$€£¥￥]?\s?[-+]?\d[\d,]*(?:\.\d+)?\s?(?:%|％|円|ドル)?")
_NOTHING = frozenset(("-", "–", "—", ""))
_WAREKI = re.compile(r"(?:令和|平成|昭和)(?:\d{1,2}|元)年\d{1,2}月\d{1,2}日")
_DAYS = (
    (r"\d{4}/\d{1,2}/\d{1,2}", ("%Y/%m/%d",)),
    (r"\d{4}\.\d{1,2}\.\d{1,2}", ("%Y.%m.%d",)),
    (r"\d{4}年\d{1,2}月\d{1,2}日", ("%Y年%m月%d日",)),
    (r"\d{4}年\d{1,2}月", ("%Y年%m月",)),
    (r"\d{4}-\d{2}", ("%Y-%m",)),
    (r"\d{1,2}/\d{1,2}/\d{4}", ("%m/%d/%Y", "%d/%m/%Y")),
    (r"\d{1,2}-\d{1,2}-\d{4}", ("%d-%m-%Y", "%m-%d-%Y")),
    (r"\d{1,2}\.\d{1,2}\.\d{4}", ("%d.%m.%Y",)),
    (r"\d{1,2} [A-Za-z]+ \d{4}", ("%d %b %Y", "%d %B %Y")),
    (r"\d{1,2}-[A-Za-z]+-\d{4}", ("%d-%b-%Y", "%d-%B-%Y")),
    (r"[A-Za-z]+ \d{1,2}, \d{4}", ("%b %d, %Y", "%B %d, %Y")),
)
_TIMES = ((r"", ""), (r" \d{1,2}:\d{2}", " %H:%M"), (r" \d{1,2}:\d{2}:\d{2}", " %H:%M:%S"))


def is_written_number(column: Any) -> bool:
    """Whether all texts of a column are numbers with separators, a currency or a percent sign."""
    texts = [str(value).strip() for value in column.unique()]
    numbers = [text for text in texts if text not in _NOTHING]
    return bool(numbers) and all(len(text) < 40 and _NUMBER.fullmatch(text) for text in numbers)


def date_format(column: Any) -> str | None:
    """How a column of texts writes its dates: a `strptime` format, "wareki" for Japanese eras, None when they are none."""
    texts = column.astype(str).str.strip()
    first = str(texts.iloc[0])
    if _WAREKI.fullmatch(first):
        return "wareki" if texts.str.fullmatch(_WAREKI.pattern).all() else None
    for days, formats in _DAYS:
        for times, suffix in _TIMES:
            if re.fullmatch(days + times, first):
                return next((one + suffix for one in formats if _parses(texts, one + suffix)), None)
    return None


def span(column: Any, form: str) -> list[str]:
    """The first and last day of a column of dates, in ISO; empty when they cannot be read."""
    import pandas as pd

    texts: Any = column.astype(str).str.strip()
    days: Any
    try:
        if form == "wareki":
            parts = texts.str.replace("元年", "1年").str.extract(r"(令和|平成|昭和)(\d+)年(\d+)月(\d+)日")
            years = parts[0].map({"令和": 2018, "平成": 1988, "昭和": 1925}) + parts[1].astype(int)
            eras = pd.to_datetime({"year": years, "month": parts[2].astype(int), "day": parts[3].astype(int)})
            return [str(eras.min().date()), str(eras.max().date())]
        days = cast(Any, pd.to_datetime(texts, format=form) if form else pd.to_datetime(column))
        return [str(days.min().date()), str(days.max().date())]
    except (ValueError, TypeError, OverflowError, AttributeError):
        return []


def _parses(texts: Any, form: str) -> bool:
    import pandas as pd

    try:
        pd.to_datetime(texts, format=form)
    except (ValueError, TypeError, OverflowError):
        return False
    return True
