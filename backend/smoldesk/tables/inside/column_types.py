"""Conversions of columns to another type than pandas gives them, detected from cells or requested by a person.

A conversion is an expression over `t`, the table, so that the code that loads the table does the same.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .cell_kinds import BLANK, LONGEST
from .shapes import MAX_COLUMNS, literal, quoted, with_columns
from .written import date_format, days_of, form_of_numbers

SAMPLE = 1_000
# Maximum converted columns of one table, so that the expression stays short.
MAX_CONVERTED = 20
YES = ("はい", "yes", "y", "true", "有", "あり", "有り", "○", "〇", "済", "1")
NO = ("いいえ", "no", "n", "false", "無", "なし", "無し", "×", "✕", "未", "0")
_BELOW = re.compile(r"\s*(?:[▲△−]\s*\D?\d[\d,.]*\D?|\(\D?\d[\d,.]*\D?\))\s*")
_DAY_NAME = re.compile(
    r"(?:^|[^a-z])(?<!to[ _-])(?:date|datum)(?:$|[^a-z])|(?<![/／])日$|日付$|年月日|期日|月日", re.IGNORECASE
)
_SLASHED_DAY = re.compile(r"\d{1,2}[-/]\d{1,2}[-/]\d{4}")
_PLAIN = re.compile(r"[-+]?[\d,]*\.?\d+")
_SERIAL = re.compile(r"[345]\d{4}")
# Excel's serial numbers of the days from 2000 to 2050.
SERIALS = (36_526, 55_153)
# Days of eras in short: 平5.4.1, S22.4.1, with any separator; and days that begin with the year. Cells are untrusted: no
# two repeats in a row match the same character, or a long cell takes minutes.
_ERA_DAY = re.compile(
    r"(?:[明大昭平令]|明治|大正|昭和|平成|令和|[MTSHR])\.?\s*(?:\d{1,2}|元).*\d日?\s*", re.IGNORECASE
)
_YEAR_FIRST = re.compile(r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?: 00:00:00)?\s*")
# A year with marks of footnotes, under a header of years: "2013 1/", 2020*, "2000 r", 2015(2).
_MARKED_YEAR = r"\s*((?:18|19|20)\d\d)(?:\.0)?(?:\s*(?:\d{1,2}[/)]|\(\d{1,2}\)|\[\d{1,2}\]|[*†‡…]|\.{2,}|[a-z](?![a-z])))*\s*"
_YEAR_NAME = re.compile(r"(?:^|[^a-z])years?$|年度?$|西暦", re.IGNORECASE)
# Least share of the cells that are days, and numbers that may be days among them: 1954 to 2064.
DAYS, MIXED_SERIALS = 0.98, (20_000, 60_000)
ORDERS = {"day_first": ("%d/%m/%Y", "%d-%m-%Y"), "month_first": ("%m/%d/%Y", "%m-%d-%Y")}


def typed(frame: Any, requested_types: Mapping[str, str], comma: bool = False) -> tuple[Any, str]:
    """Return the frame with converted columns, and the suffix that makes a load expression do the same."""
    expressions: dict[str, str] = {}
    names = Counter(map(str, frame.columns))
    for place, name in enumerate(map(str, frame.columns)):
        is_eligible = place < MAX_COLUMNS or name in requested_types
        if is_eligible and names[name] == 1 and name in frame.columns and len(expressions) < MAX_CONVERTED:
            column = frame[name]
            expression = (
                _requested_conversion(column, requested_types[name], comma)
                if name in requested_types
                else _guessed_conversion(column, comma)
            )
            if expression:
                expressions[name] = expression
    if not expressions:
        return frame, ""
    return with_columns(frame, expressions)


def questions(frame: Any, requested_types: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return questions about columns: which of two numbers is the day, and whether words stand among numbers."""
    try:
        return _questions(frame, requested_types)
    except Exception:  # unforeseen cells cost the questions, not the table
        return []


def may_be_typed(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Check whether the cells of a text table may call for a conversion. Looks at SAMPLE rows."""
    days = [at for at, head in enumerate(heads) if _DAY_NAME.search(head)]
    years = [at for at, head in enumerate(heads) if _YEAR_NAME.search(head)]
    marked = (row[at] for row in rows[1 : SAMPLE + 1] for at in years if at < len(row))
    if any(not cell.strip().isdigit() and re.fullmatch(_MARKED_YEAR, cell) for cell in marked):
        return True
    return any(
        any(_SERIAL.fullmatch(row[at].strip()) or _ERA_DAY.fullmatch(row[at]) for at in days if at < len(row))
        or any(_BELOW.fullmatch(cell) for cell in row)
        for row in rows[: SAMPLE + 1]
    )


def _questions(frame: Any, requested_types: Mapping[str, str]) -> list[dict[str, Any]]:
    open_questions: list[dict[str, Any]] = []
    for place, name in enumerate(map(str, frame.columns[:MAX_CONVERTED])):
        column = frame.iloc[:SAMPLE, place].dropna()
        if name in requested_types or not len(column) or not _is_text(column):
            continue
        texts = column.astype(str).str.strip()
        form = date_format(texts) if _SLASHED_DAY.match(str(texts.iloc[0])) else None
        if form in (*ORDERS["day_first"], *ORDERS["month_first"]) and _is_ambiguous_day_order(
            frame.iloc[:, place], form
        ):
            choices = [_choice(name, order, str(_first(texts, forms))) for order, forms in ORDERS.items()]
            open_questions.append({"about": "day", "value": f"{name}: {texts.iloc[0]}", "choices": choices})
        elif not form and (odd := _odd(texts)):
            choices = [_choice(name, "number", "number"), _choice(name, "text", "text")]
            examples = ", ".join(cell[:LONGEST] for cell in odd[:3])
            open_questions.append({"about": "mixed", "value": f"{name}: {examples}", "choices": choices})
    return open_questions


def _choice(name: str, type_: str, shows: str) -> dict[str, Any]:
    return {"told": {"types": {name: type_}}, "shows": shows}


def _is_text(column: Any) -> bool:
    from pandas.api import types

    return bool(types.is_string_dtype(column)) or (
        types.is_object_dtype(column) and all(isinstance(value, str) for value in column)
    )


def _odd(texts: Any) -> list[str]:
    """Return the words in a column that consists mostly of numbers."""
    cells: list[str] = texts.tolist()
    odd = [cell for cell in cells if len(cell) > LONGEST or not _PLAIN.fullmatch(cell)]
    if len(cells) - len(odd) < max(3, (len(cells) + 2) // 2) or form_of_numbers(texts):
        return []
    return [cell for cell in dict.fromkeys(odd) if cell.casefold() not in BLANK]


# --- detected from cells ---------------------------------------------------------------------------------------------


def _guessed_conversion(column: Any, comma: bool) -> str:
    """Return the expression for a column whose cells leave no doubt, else an empty text."""
    from pandas.api import types

    if types.is_integer_dtype(column):
        low, high = SERIALS
        days = len(column) and _DAY_NAME.search(str(column.name)) and bool(column.between(low, high).all())
        return _serial(str(column.name)) if days else ""
    sample = column.iloc[:SAMPLE].dropna()
    if types.is_object_dtype(column) or types.is_string_dtype(column):
        days = _mixed_days(column, sample)
        if days:
            return days
        if _YEAR_NAME.search(str(column.name)) and _are_marked_years(column, sample):
            years = f't[{quoted(str(column.name))}].astype("string").str.extract({literal(_MARKED_YEAR)})[0]'
            return f'{years}.astype("int64")'
    if not len(sample) or not _is_text(sample) or not any(_BELOW.fullmatch(text) for text in sample):
        return ""
    conversion = _numbers_of(column, str(column.name), comma)
    import pandas as pd

    # A conversion may only lose texts that mean a missing value.
    lost = eval(conversion, {"pd": pd, "t": {column.name: column}}).isna() & column.notna()
    lost_texts = {text.strip().lower() for text in column[lost].astype(str).unique()[:50]}
    return conversion if lost_texts <= BLANK else ""


def _are_marked_years(column: Any, sample: Any) -> bool:
    """Check for years in each row, of which some have marks of footnotes."""
    texts = sample.astype(str)
    if len(texts) < 3 or texts.str.fullmatch(r"\d{4}").all() or not texts.str.fullmatch(_MARKED_YEAR).all():
        return False
    return bool(column.notna().all() and column.astype(str).str.fullmatch(_MARKED_YEAR).all())


def _mixed_days(column: Any, sample: Any) -> str:
    """Return the expression for a column of days in several notations: texts, years of eras, Excel's numbers.

    Days in one notation, or in several that `written` knows, stay text: the analyst's code converts them.
    """
    import pandas as pd

    texts = sample.astype(str).str.strip()
    numbers: Any = cast(Any, pd.to_numeric)(texts, errors="coerce")
    is_serial, is_era = numbers.between(*MIXED_SERIALS), texts.str.fullmatch(_ERA_DAY)
    written = texts.str.fullmatch(_YEAR_FIRST)
    is_mixed = len(set(map(type, sample.tolist()))) > 1 or (is_serial.any() and written.any())
    notations = is_mixed or is_era.mean() >= DAYS / 2
    if not (_DAY_NAME.search(str(column.name)) or written.mean() > 0.5):
        return ""
    if len(texts) < 3 or not notations or (is_serial | is_era | written).mean() < DAYS:
        return ""
    if date_format(texts):
        return ""
    expression = _days_of(str(column.name))
    days = eval(expression, {"pd": pd, "t": {column.name: column}})
    return expression if days.notna().sum() >= DAYS * column.notna().sum() else ""


def _days_of(name: str) -> str:
    eras = {
        "明": 1867,
        "M": 1867,
        "大": 1911,
        "T": 1911,
        "昭": 1925,
        "S": 1925,
        "平": 1988,
        "H": 1988,
        "令": 2018,
        "R": 2018,
    }
    texts = f't[{quoted(name)}].astype("string").str.normalize("NFKC").str.upper()'
    texts += r""".str.replace(r" 00:00:00|\s|日$", "", regex=True).str.replace("元", "1")"""
    parts = r"""t.str.extract(r"^([明大昭平令MTSHR]?)[^\d]*(\d{1,4})[^\d]+(\d{1,2})[^\d]+(\d{1,2})$")"""
    year = f"(t[0].map({literal(eras)}).fillna(0) + pd.to_numeric(t[1]))"
    joined = f'{year}.astype("Int64").astype("string") + "-" + t[2] + "-" + t[3]'
    days = f'pd.to_datetime({parts}.pipe(lambda t: {joined}), format="%Y-%m-%d", errors="coerce")'
    serials = 'pd.to_datetime(pd.to_numeric(t, errors="coerce"), unit="D", origin="1899-12-30")'
    return f"{texts}.pipe(lambda t: {days}.fillna({serials}))"


def _serial(name: str) -> str:
    # Day 1 is 1900-01-01, but Excel counts a 29 February 1900: from March 1900 on the origin is a day earlier.
    return f't[{quoted(name)}].pipe(pd.to_datetime, unit="D", origin="1899-12-30")'


# --- requested by a person -------------------------------------------------------------------------------------------


def _requested_conversion(column: Any, type_: str, comma: bool) -> str:
    from pandas.api import types

    name = str(column.name)
    cell = f"t[{quoted(name)}]"
    if type_ == "number":
        return "" if types.is_numeric_dtype(column) else _numbers_of(column, name, comma)
    if type_ == "bool":
        flags = {text: text in YES for text in _distinct_texts(column) if text in (*YES, *NO)}
        return f'{cell}.astype("string").str.strip().str.casefold().map({literal(flags)}).astype("boolean")'
    if type_ in ("date", *ORDERS):
        if types.is_datetime64_any_dtype(column):
            return ""
        if types.is_numeric_dtype(column):
            return f'{cell}.pipe(pd.to_datetime, unit="D", origin="1899-12-30", errors="coerce")'
        texts = column.dropna().astype(str).str.strip()
        form = date_format(texts.iloc[:SAMPLE]) if len(texts) else None
        if type_ in ORDERS:
            form = next((order for order in ORDERS[type_] if _parses(texts.iloc[:SAMPLE], order)), None)
        if form and not form.startswith("%"):
            return ""  # a Japanese era or the like: the analyst converts those itself
        return f'{cell}.pipe(pd.to_datetime, format={literal(form or "mixed")}, errors="coerce")'
    return ""


def _numbers_of(column: Any, name: str, comma: bool) -> str:
    """Return an expression that reads numbers with signs, units and groups; words become missing values."""
    expression = f't[{quoted(name)}].astype("string").str.normalize("NFKC")'
    if not column.dropna().astype(str).str.fullmatch(r"[-+]?[\d.]+").all():
        expression += (
            r'.str.strip().str.replace(r"^([^-−].*)[-−]$", r"-\1", regex=True)'  # 1,234- as some write it
        )
        expression += r'.str.replace(r"^\s*[▲△−(]\s*", "-", regex=True)'
        expression += r'.str.replace(r"[\s$€£¥]|(?<=\d)[^\d.,]+$", "", regex=True)'
    expression += '.str.replace(".", "").str.replace(",", ".")' if comma else '.str.replace(",", "")'
    return f'{expression}.pipe(pd.to_numeric, errors="coerce").astype("float64")'


def _distinct_texts(column: Any) -> list[str]:
    return sorted({text.strip().casefold() for text in column.dropna().astype(str).unique()[:50]})


# --- days ------------------------------------------------------------------------------------------------------------


def _is_ambiguous_day_order(column: Any, form: str) -> bool:
    """Check whether each day of a column could be a month, and at least one date would differ then."""
    parts = column.dropna().astype(str).str.extract(r"^\s*(\d{1,2})[-/](\d{1,2})[-/]").dropna()
    first, second = parts[0].astype(int), parts[1].astype(int)
    return bool(first.max() <= 12 and second.max() <= 12 and (first != second).any())


def _first(texts: Any, forms: tuple[str, ...]) -> Any:
    return next((days_of(texts.iloc[:1], form).iloc[0].date() for form in forms if _parses(texts, form)), "")


def _parses(texts: Any, form: str) -> bool:
    try:
        days_of(texts, form)
    except (ValueError, TypeError, OverflowError):
        return False
    return True
