"""Words for a missing value, such as "NA": blank cells in columns of numbers and dates, values in columns of text."""

from collections.abc import Callable, Mapping
from typing import Any

from .cell_kinds import BLANK
from .columns import holds_text
from .file_notes import Value
from .shapes import Problem, quoted, with_columns

_NUMBER = r"\s*[-+]?[\d,. ]*\d(?:[.,]\d*)?(?:[eE][-+]?\d+)?\s*"
_CODE = r"\s*0\d+\s*"
# Texts that pandas reads as missing.
BLANKS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
# Those that are blank in a column of text, too: nobody names a thing so.
BLANK_TEXTS = tuple(word for word in BLANKS if not word.strip("-")[:1].isalpha())
# Signs of statistical tables for a number that is zero, not available or confidential, in lower case. The first ones are
# certain; letters may also be values.
SIGNS = frozenset((*("-", "--", "---", "–", "—", "―", "‐", "−", "－", "*", "**", "***", "＊＊＊", "…", "……", "...", ".."),
    *("・", ":", "?", "(d)", "(s)", "(x)", "(z)", "(na)")))  # fmt: skip
LETTERS = frozenset(("x", "χ", "ｘ", "n.a.", "nd", "n.d."))
# Maximum columns whose blank words are listed in the options, and signs of one column.
MAX_LISTED = 300
MAX_SIGNS = 6
# Columns that a report names.
NAMED = 5


def read_blanks(
    frame: Any, options: dict[str, Any], types: Mapping[str, str], read: Callable[[dict[str, Any]], Any]
) -> tuple[Any, dict[str, Any], list[Problem]]:
    """Return a table and pandas' options, as `read_words` and `read_signs` do, and a report of the signs."""
    frame, options = read_words(frame, options, types, read)
    words = options.get("na_values", {})
    frame, options = read_signs(frame, options, types, read)
    signs = {
        name: [sign for sign in listed if sign not in words.get(name, ())]
        for name, listed in options.get("na_values", {}).items()
    }
    columns = [str(name) for name, listed in signs.items() if listed]
    if not columns:
        return frame, options, []
    distinct = sorted({sign.strip() for listed in signs.values() for sign in listed})
    named = columns[:NAMED] + (["…"] if len(columns) > NAMED else [])
    values: dict[str, Value] = {"signs": " ".join(distinct), "columns": named}
    return frame, options, [Problem("blank_signs", values, is_note=True)]


def read_words(
    frame: Any, options: dict[str, Any], types: Mapping[str, str], read: Callable[[dict[str, Any]], Any]
) -> tuple[Any, dict[str, Any]]:
    """Return a table and pandas' options, so that words in columns of text are values.

    `read` reads the table with options, `frame` with `options`. `types` are those that a person chose.
    """
    blank = [name for name in frame.columns if frame.columns.is_unique and frame[name].isna().any()]
    texts = {name for name in blank if _is_text(frame[name], types.get(str(name)))}
    if not texts or len(blank) > MAX_LISTED:
        return frame, options
    raw = read({**options, "dtype": "str", "keep_default_na": False, "na_values": [""]})
    words = {name: set(raw[name][frame[name].isna()].fillna("").tolist()) for name in blank}
    if not any(words[name] - {*BLANK_TEXTS} for name in texts):
        return frame, options
    listed = {name: sorted(words[name] & {*BLANK_TEXTS} if name in texts else words[name]) for name in blank}
    new_options = {
        **options,
        "keep_default_na": False,
        "na_values": {name: values for name, values in listed.items() if values},
    }
    return read(new_options), new_options


def read_signs(
    frame: Any, options: dict[str, Any], types: Mapping[str, str], read: Callable[[dict[str, Any]], Any]
) -> tuple[Any, dict[str, Any]]:
    """Return a table and pandas' options, so that signs for a missing number are blank in columns of numbers.

    Arguments as in `read_words`.
    """
    if not frame.columns.is_unique or len(frame.columns) > MAX_LISTED:
        return frame, options
    signs = {name: signs for name in frame.columns if name not in types and (signs := _signs_of(frame[name]))}
    before = options.get("na_values", {})
    for _ in range(2):  # the second time without columns that have other texts as well
        if not signs:
            return frame, options
        listed = {name: sorted({*before.get(name, ()), *signs.get(name, ())}) for name in {**before, **signs}}
        new_options = {**options, "na_values": listed}
        new_frame = read(new_options)
        if all(_is_number(new_frame[name]) for name in signs):
            return new_frame, new_options
        signs = {name: texts for name, texts in signs.items() if _is_number(new_frame[name])}
    return frame, options


def _signs_of(column: Any) -> list[str]:
    """Return the signs in a column that otherwise has numbers; empty for other columns."""
    if _is_number(column):
        return []
    texts = column.dropna().astype(str)
    signs = texts[texts.str.strip().str.lower().isin(SIGNS | LETTERS)]
    distinct = [*signs.unique()]
    others = texts.drop(signs.index)
    letters = int(signs.str.strip().str.lower().isin(LETTERS).sum())
    if not 0 < len(distinct) <= MAX_SIGNS or len(others) < max(2, 2 * letters):
        return []
    is_number = others.str.fullmatch(_NUMBER).all() and not others.str.fullmatch(_CODE).any()
    return distinct if is_number else []


def _is_number(column: Any) -> bool:
    from pandas.api import types

    return bool(types.is_numeric_dtype(column))


def _is_text(column: Any, chosen_type: str | None) -> bool:
    return chosen_type == "text" or (chosen_type is None and holds_text(column))


def numbers_among_words(frame: Any) -> tuple[Any, str]:
    """Return a table of JSON with numbers where a column has only numbers and words for a missing one, and the suffix
    of the load expression that does the same.
    """
    names = [name for name in map(str, frame.columns) if name in frame.columns and _has_both(frame[name])]
    if not names:
        return frame, ""
    return with_columns(frame, {name: f'pd.to_numeric(t[{quoted(name)}], errors="coerce")' for name in names})


def _has_both(column: Any) -> bool:
    from pandas.api import types

    if getattr(column, "ndim", 1) != 1 or not types.is_object_dtype(column):
        return False
    values = column.dropna().tolist()
    words = [value for value in values if isinstance(value, str)]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    is_mixed = bool(words) and bool(numbers) and len(words) + len(numbers) == len(values)
    return is_mixed and all(word.strip().lower() in BLANK for word in words)
