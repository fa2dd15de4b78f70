"""Words for a missing value, such as "NA": blank cells in columns of numbers and dates, values in columns of text."""

from collections.abc import Callable, Mapping
from typing import Any

from .cell_kinds import BLANK
from .columns import holds_text
from .shapes import quoted

# Texts that pandas reads as missing.
BLANKS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
# Those that are blank in a column of text, too: nobody names a thing so.
BLANK_TEXTS = tuple(word for word in BLANKS if not word.strip("-")[:1].isalpha())
# Maximum columns whose blank words are listed in the options.
MAX_LISTED = 300


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


def _is_text(column: Any, chosen_type: str | None) -> bool:
    return chosen_type == "text" or (chosen_type is None and holds_text(column))


def numbers_among_words(frame: Any) -> tuple[Any, str]:
    """Return a table of JSON with numbers where a column has only numbers and words for a missing one, and the suffix
    of the load expression that does the same.
    """
    import pandas as pd

    names = [name for name in map(str, frame.columns) if name in frame.columns and _has_both(frame[name])]
    if not names:
        return frame, ""
    pairs = ", ".join(
        f'{quoted(name)}: lambda t: pd.to_numeric(t[{quoted(name)}], errors="coerce")' for name in names
    )
    suffix = f".assign(**{{{pairs}}})"
    return eval(f"frame{suffix}", {"frame": frame, "pd": pd}), suffix


def _has_both(column: Any) -> bool:
    from pandas.api import types

    if getattr(column, "ndim", 1) != 1 or not types.is_object_dtype(column):
        return False
    values = column.dropna().tolist()
    words = [value for value in values if isinstance(value, str)]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    is_mixed = bool(words) and bool(numbers) and len(words) + len(numbers) == len(values)
    return is_mixed and all(word.strip().lower() in BLANK for word in words)
