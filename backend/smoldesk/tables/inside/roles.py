"""Role of a column in questions about its table, by its header and its values."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from .periods import IN_ORDER, in_order

# Distinct values of a category, of one with many rows for each, and of numbers that may be codes of one.
MAX_GROUPS, MANY_GROUPS, MAX_CODES = 50, 400, 12
# Characters of an average cell; longer texts are prose.
LONGEST_CATEGORY = 50
# Least rows in which a regular pattern of numbers is no coincidence.
LEAST_ROWS = 5
# Least share of different texts in a column of names: two films may have one title.
NAMES = 0.95
# Least share of different numbers in a column of times that rise.
MOSTLY = 0.9
# The highest of measured numbers, as a multiple of their median, where nothing else tells them from codes.
SKEWED = 20
# Least columns of one last word that are of one kind.
LEAST_ALIKE = 5
# Years of a column whose header does not name them, and of one whose header does.
YEARS, NAMED_YEARS = (1900, 2100), (1000, 2200)
# Numbers that begin in 1900 and end before this are years, also if they are far from each other.
LATEST_YEAR = 2040
_UNNAMED = re.compile(
    r"(?:unnamed(?:: ?\d+)?(?:_level_\d+)?|column_?\d+|index|level_0|x(?:\.\d+)?|#|\s*)", re.IGNORECASE
)
# Name of a column of a file without a line of names.
_NO_NAME = re.compile(r"column_\d+")
_ROW_NAME = re.compile(
    r"(?:row_?(?:names?|number|num|no|id)|obs(?:ervation)?|case|連番|行番号|通し番号|項番)", re.IGNORECASE
)
_CODE = re.compile(
    r"(?:^|[\W_])(?:no|nr|num|number|ref|key|index)\.?$|(?:^|[\W_])(?:id\d?|ids|identifier|codes?\d?|\w*numeric|iso_?num|cd|sort|sort_order|uuid|guid|hash|sku|isbn|issn|fips|geoid|ssn|vin"
    r"|flight|cik|zip|zipcode|zcta|postcode|postal|plz|phone|tel|fax|url|uri|email|ip)(?:$|[\W_])"
    r"|(?<=[a-z])(?:Id|ID|Code|Key)$|code$|コード|番号|品質情報|ＩＤ|(?<=[\u3040-\u9fff])(?:ID|CD)$|^[A-Z]{1,3}ID$|(?:^|[\W_])[cghnprstu]id$|電話|URL|メール"
)  # fmt: skip
# Headers of long integers of one length that are codes: mesh1kmid.
_ENDS_IN_ID = re.compile(r"[a-z\d]id$", re.IGNORECASE)
CODE_LEAST = 10_000
# Headers of numbers that name one thing each: amdno, district.
_NUMBERED = re.compile(
    r"no$|(?:^|[\W_])(?:district|precinct|ward|tract)$|(?:^|[\W_])(?:naics|isic|nace)(?:$|[\W_])",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:^|[\W_])(?:lat|lon|lng|long|latt?itude|longt?itude|easting|northing|coordinates?)(?:$|[\W_\d])|緯度|経度|座標"
    r"|^geometry$",
    re.IGNORECASE,
)
_SHARE = re.compile(r"pct|percent|share|rate", re.IGNORECASE)
_DEGREES = re.compile(r"lat|lon|lng", re.IGNORECASE)
_YEAR = re.compile(
    r"(?:^|[\W_])(?:year|yr|years?|anno|jahr|season)(?:$|[\W_\d])|(?<![\d齢])年度?$|西暦", re.IGNORECASE
)
_YEAR_HEADER = re.compile(
    r"(?:X|Y|FY|year[ _]?)?((?:18|19|20)\d\d)(?:\.0)?(?:年度?)?(?: ?[(（\[].*[)）\]])?", re.IGNORECASE
)
_STEP = re.compile(
    r"(?:^|[\W_])(?:year|yr|quarter|month|mon|week|weekday|day|date|hour|minute|time|period|round)(?:$|[\W_\d])"
    r"|^(?:年度?|四半期|月|週|曜日|日|時|時刻|時間帯|期間?)$",
    re.IGNORECASE,
)
# Lengths of time, which are measured: Running Time min.
_LASTS = re.compile(
    r"running|duration|elapsed|travel|所要|(?:^|[\W_])(?:time|hours?|minutes?) ?[(\[_ ]?(?:mins?|secs?|s|h|hrs?)\b",
    re.IGNORECASE,
)
# Seconds or milliseconds since 1970, from 1980 to 2100.
_MOMENT = re.compile(r"time|date|stamp|created|modified|日時|時刻", re.IGNORECASE)
_MOMENTS = ((315_532_800, 4_102_444_800), (315_532_800_000, 4_102_444_800_000))
# Headers of numbers that stand for classes, although most of them may be 0.
_CLASS = re.compile(
    r"stat(?:e|us)|type|class|kind|group|level|grade|rank|flag|stage|cluster|label|category"
    r"|区分|種別|状態|分類|段階|等級|レベル|フラグ",
    re.IGNORECASE,
)
# Headers of numbers that are counted or awarded, even if there are few different ones.
_MEASURED = re.compile(
    r"(?:^|[\W_])(?:counts?|scores?|points?|pts|goals?|votes?|nps|values?)$|[数点額]$", re.IGNORECASE
)
# Values of a header that only resembles a code: Phase of flight.
_WORDS = re.compile(r"[^\d@/:_]*[a-z]{3}[^\d@/:_]*")
_LINK = re.compile(
    r"https?://|www\.|[^@\s]+@[^@\s]+\.\w+|[0-9a-f]{8}-[0-9a-f]{4}-|〒?\d{3}-\d{4}$|0\d{1,3}-\d{2,4}-\d{4}$"
)


def role_of(column: Any, kind: str, form: str, is_code: bool) -> str:
    """Return the role of a column: time, moment, measure, category, name, place, id, text or constant.

    `moment` is a time too fine for groups, such as seconds since 1970. `name` has another text in nearly each row, `text` is
    any other with too many values for a category, and `constant` has one value or none. `column` has all of its rows, `kind`
    and `form` are those of its description.
    """
    name, values = str(column.name), column.dropna()
    try:
        distinct = int(values.nunique())
    except TypeError:  # lists in the cells cannot be compared
        return "text"
    if distinct < 2:
        return "constant"
    if kind == "date":
        return "time"
    is_like_code = _CODE.search(name) or _CODE.search(name.lower())
    if (is_code and not _are_classes(name, values, distinct)) or (
        is_like_code and not _is_no_code(name, values, kind, distinct)
    ):
        return "id"
    if _PLACE.search(name) and (kind != "number" or _are_places(name, _as_numbers(values))):
        return "place"
    if kind == "bool":
        return "category"
    if kind == "number":
        role = _role_of_numbers(_as_numbers(values), name, distinct)
        # A time that most rows lack divides few of them: the year in which some countries joined.
        return "moment" if role == "time" and 2 * len(values) < len(column) else role
    if _UNNAMED.fullmatch(name) and not _NO_NAME.fullmatch(name) and distinct == len(values):
        return "id"
    role = _role_of_texts(values.astype(str), form, distinct, len(values))
    return "text" if role == "name" and 2 * len(values) < len(column) else role  # headings of groups of rows


def _is_no_code(name: str, values: Any, kind: str, distinct: int) -> bool:
    """Check for values that no code has, under a header that resembles one: a few words, fractions (a price index)."""
    if kind == "number":  # fractions, or the same few numbers from 0 again and again
        numbers = _as_numbers(values)
        is_few = 1 < distinct <= MAX_CODES and LEAST_ROWS * distinct <= len(values)
        return bool((numbers % 1 != 0).any() or (is_few and numbers.min() == 0 and not _CLASS.search(name)))
    return kind == "text" and _are_words(values, distinct)


def _are_classes(name: str, values: Any, distinct: int) -> bool:
    """Check for codes of a few classes, each in many rows: 01, 02, ..., 99."""
    return distinct <= MAX_GROUPS and 4 * LEAST_ROWS * distinct <= len(values)


def _are_places(name: str, values: Any) -> bool:
    """Check for degrees, or for metres where the header says so; not for counts of long guns."""
    is_share = _SHARE.search(name)  # hisp_lat_pct
    return not is_share and (bool((values.abs() <= 180).all()) or not _DEGREES.search(name))


def _are_words(values: Any, distinct: int) -> bool:
    """Check for a few words that are repeated."""
    few = distinct <= MAX_GROUPS and LEAST_ROWS * distinct <= len(values)
    return few and bool(values.drop_duplicates().astype(str).str.fullmatch(_WORDS.pattern).all())


def _as_numbers(values: Any) -> Any:
    import pandas
    from pandas.api import types

    pd: Any = pandas
    return values if types.is_numeric_dtype(values) else pd.to_numeric(values, errors="coerce").dropna()


def _role_of_numbers(values: Any, name: str, distinct: int) -> str:
    if not len(values):  # numbers with signs and units
        return "measure"
    low, high = float(values.min()), float(values.max())
    is_integer = bool((values % 1 == 0).all())
    if _YEAR.search(name) and NAMED_YEARS[0] <= low and high <= NAMED_YEARS[1]:
        return "time"
    if is_integer and _are_years(values, distinct):
        return "time"
    if is_integer and _MOMENT.search(name) and any(first <= low and high <= last for first, last in _MOMENTS):
        return "moment"
    steps = values.diff().iloc[1:]
    counts_up = distinct == len(values) and bool((steps == 1).all())
    is_step = _STEP.search(name) and not _LASTS.search(name) and distinct > 2  # not yes and no: mon, tue
    if is_step and ((is_integer and low >= 0 and high <= 366) or counts_up or _rises(values)):
        return "time"
    if is_step and is_integer and low >= 0 and high <= 2400 and bool((values % 100 < 60).all()):
        return "time"  # of a clock: 1745
    if is_step and YEARS[0] <= low and high <= YEARS[1] and _are_months_of_years(values):
        return "time"
    has_no_name = _NO_NAME.fullmatch(name) and is_integer
    is_index = (_UNNAMED.fullmatch(name) and not has_no_name) or _ROW_NAME.fullmatch(name)
    if is_index and is_integer and distinct == len(values):
        return "id"
    if (
        is_integer
        and _ENDS_IN_ID.search(name)
        and low >= CODE_LEAST
        and len(str(int(low))) == len(str(int(high)))
    ):
        return "id"
    counts = counts_up or _counts_groups(steps, low, distinct) or _counts_within(values, steps, distinct)
    if is_integer and len(values) >= LEAST_ROWS and (counts or _NUMBERED.search(name)):
        return "id"
    # Nothing says that they measure anything, unless they have different lengths, as codes do not, and no order.
    is_ranked = not (steps > 0).any() and high > SKEWED * float(values.median())
    if has_no_name and distinct > MAX_CODES and not is_ranked and not _have_lengths(values, distinct):
        return "id"
    few = is_integer and distinct <= MAX_CODES and len(values) >= LEAST_ROWS * distinct
    if _MEASURED.search(name) and not _CLASS.search(name):
        return "measure"
    is_class = high - low < 100 or _CLASS.search(name)
    return "category" if few and is_class and not _are_counts(values, name) else "measure"


def _have_lengths(values: Any, distinct: int) -> bool:
    """Check for mostly different numbers of two lengths or more, the rarer in a tenth of the rows, in no order."""
    shares = values.abs().astype("int64").astype(str).str.len().value_counts(normalize=True)
    return distinct > 0.5 * len(values) and bool(shares.iloc[0] <= 0.9) and not values.is_monotonic_increasing


def _are_counts(values: Any, name: str) -> bool:
    """Check for small counts such as goals: from 0, mostly 0 or 1, and the highest is rare."""
    shares = values.value_counts(normalize=True).sort_index()
    if shares.index[0] != 0 or len(shares) < 3 or _CLASS.search(name):
        return False
    is_mostly_low = shares.iloc[:2].sum() >= 0.5 if len(shares) > 3 else shares.iloc[0] >= 0.9
    # Codes have no gaps: 0, 1, 2, 3, 7, 12.
    highest = 0.05 if shares.index[-1] == len(shares) - 1 else 0.1
    return bool(is_mostly_low and shares.iloc[-1] <= highest)


def _are_months_of_years(values: Any) -> bool:
    """Check for years with a fraction in twelfths: 2008.25."""
    months = values * 12
    return bool(((months - months.round()).abs() < 0.05).all())


def _rises(values: Any) -> bool:
    """Check for numbers that never fall, and of which few repeat."""
    return bool((values.diff().iloc[1:] >= 0).all()) and values.nunique() >= MOSTLY * len(values)


def _are_years(values: Any, distinct: int) -> bool:
    """Check for years under another header: most of those between are there, or they are five or ten years apart."""
    low, high = float(values.min()), float(values.max())
    if low < YEARS[0] or high > YEARS[1]:
        return False
    steps = values.drop_duplicates().sort_values().diff().iloc[1:]
    is_regular = distinct >= LEAST_ROWS and steps.nunique() == 1 and steps.iloc[0] in (5, 10)
    return 3 * distinct > high - low or is_regular or (distinct >= 2 * LEAST_ROWS and high < LATEST_YEAR)


def _counts_groups(steps: Any, low: float, distinct: int) -> bool:
    """Check for numbers of groups of rows: 1, 1, 1, 2, 2, 3 and so on, without a gap."""
    return low in (0, 1) and distinct > MAX_GROUPS and bool(steps.isin((0, 1)).all())


def _counts_within(values: Any, steps: Any, distinct: int) -> bool:
    """Check for numbers of rows within groups: 1, 2, 3, 1, 2, ..., more than a category has."""
    first = values.iloc[0]
    return (
        distinct > MAX_CODES and first in (0, 1) and bool(((steps == 1) | (values.iloc[1:] == first)).all())
    )


def _role_of_texts(texts: Any, form: str, distinct: int, rows: int) -> str:
    if form.endswith(IN_ORDER):
        return "time"
    sample = texts.iloc[:200]
    if sample.str.match(_LINK.pattern).mean() > 0.8:
        return "id"
    is_short = sample.str.len().mean() <= LONGEST_CATEGORY
    if is_short and rows >= LEAST_ROWS and distinct >= NAMES * rows:
        return "name"
    repeats = (
        3 * distinct <= 2 * rows
        if distinct <= MAX_GROUPS
        else distinct <= MANY_GROUPS and 5 * distinct <= rows
    )
    numbers = _as_numbers(sample) if distinct > MAX_CODES else sample[:0]
    is_marked = 2 * len(numbers) > len(sample) and bool((numbers % 1 != 0).any())  # 0.016, <0.006
    return "category" if is_short and repeats and not is_marked else "text"


def role_of_first(frame: Any, roles: Sequence[str]) -> str:
    """Return the role of a first measure in a table without times: id or time if it orders the rows, else measure.

    Integers that rise with each row number things; fractions in equal steps are an axis: 0.0, 0.1, 0.2.
    """
    if len(roles) < 2 or roles[0] != "measure" or "time" in roles or len(frame) < 4 * LEAST_ROWS:
        return roles[0] if roles else ""
    first = frame.iloc[:, 0]
    is_rising = first.dtype.kind in "iuf" and bool(first.is_monotonic_increasing and first.is_unique)
    if not is_rising or first.isna().any() or _MEASURED.search(str(first.name)):
        return "measure"
    steps = first.diff().iloc[1:]
    if first.dtype.kind == "f" and (first % 1 != 0).any():
        return "time" if steps.max() - steps.min() < 1e-6 * first.abs().max() else "measure"
    return "id"


def counted_like_others(described: Sequence[dict[str, Any]]) -> list[str]:
    """Return the categories of numbers that are counts as many columns of the same last word are: measles cases, flu cases."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for item in described:
        first, _, last = item["name"].rpartition(" ")
        if first and item["kind"] == "number" and item["role"] in ("measure", "category"):
            groups.setdefault(last, []).append(item)
    alike = [items for items in groups.values() if len(items) >= LEAST_ALIKE]
    measured = [items for items in alike if any(item["role"] == "measure" for item in items)]
    return [item["name"] for items in measured for item in items if item["role"] == "category"]


def period_columns(names: list[str]) -> tuple[str, ...]:
    """Return the first three or more headers in a row that are months, quarters or years in their order: Jan, Feb, Mar.

    Numbers are months if they are those from 1 to 12.
    """
    for first in (at for at, name in enumerate(names) if name.strip() == "1"):
        if [name.strip() for name in names[first : first + 12]] == [str(month) for month in range(1, 13)]:
            return tuple(names[first : first + 12])
    first = 0
    while first + 2 < len(names):
        end = first + 2
        while end <= len(names) and _are_periods(names[first:end]):
            end += 1
        if end - 1 - first > 2:
            return tuple(names[first : end - 1])
        first = max(first + 1, end - 2)
    return ()


def is_year_header(name: str) -> bool:
    """Check whether a header is a year."""
    return bool(_YEAR_HEADER.fullmatch(name.strip()))


def _are_periods(names: list[str]) -> bool:
    years = [int(match[1]) for name in names if (match := _YEAR_HEADER.fullmatch(name.strip()))]
    if len(years) == len(names):
        return all(year < other for year, other in pairwise(years))
    return bool(in_order(names))
