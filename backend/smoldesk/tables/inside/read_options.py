"""Options for reading a file, set by a person where the guess was wrong, in a hidden file beside it.

All readers of the file use them: the profile, SQL, and the load expression. The chat's own code may write there, too,
which harms only that chat.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

MAX_BYTES = 20_000
# Last line that may be the header.
LAST_HEADER = 1_000
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}
ENCODINGS = (
    *("utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16", "cp1252", "latin-1", "cp1250", "cp1251"),
    *("cp1253", "cp1254", "gb18030", "big5", "cp949"),
)
# Kinds of files that have options, by suffix.
FORMATS = {
    ".csv": "text",
    ".tsv": "text",
    ".tab": "text",
    ".xls": "workbook",
    ".ods": "workbook",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
    ".gz": "archive",
    ".zip": "archive",
}


# Types for a column. `day_first` and `month_first` say which number of 03/04/2025 is the day.
TYPES = ("number", "date", "day_first", "month_first", "text", "bool")
MAX_LINES, MAX_TYPES = 200, 200


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a file; None leaves the choice to the desk.

    `header` is the line (from 1) with the column names, 0 for none. `lines` maps lines ("12", in a workbook
    "Sheet!12") to True if they belong to the table, else False; `types` maps column names to types. `decimal` is
    "comma" or "point". `hidden` keeps hidden rows; `ragged` skips lines with too many values.
    """

    encoding: str | None = None
    separator: str | None = None
    header: int | None = None
    sheet: str | None = None
    decimal: str | None = None
    lines: Mapping[str, bool] | None = None
    types: Mapping[str, str] | None = None
    hidden: bool | None = None
    ragged: bool | None = None

    def __bool__(self) -> bool:
        """Check whether any option is set."""
        return any(value is not None for value in vars(self).values())

    def rows(self, sheet: str = "") -> dict[int, bool]:
        """Return the options about rows (from 0) of a text file or a sheet."""
        head = f"{sheet}!" if sheet else ""
        rows_by_key = {
            key.removeprefix(head): keep for key, keep in (self.lines or {}).items() if key.startswith(head)
        }
        return {int(key) - 1: keep for key, keep in rows_by_key.items() if key.isascii() and key.isdigit()}


DEFAULT_OPTIONS = ReadOptions()


def options_path(name: str) -> str:
    """Return the path of a file's options, relative to the chat's folder."""
    return f".told-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}.json"


def read_options(path: Path) -> ReadOptions:
    """Return the options of a file; DEFAULT_OPTIONS if there are none or they are invalid."""
    try:
        with (path.parent / options_path(path.name)).open("rb") as file:
            return parse_options(json.loads(file.read(MAX_BYTES)))
    except (OSError, ValueError, RecursionError):
        return DEFAULT_OPTIONS


def parse_options(data: Any) -> ReadOptions:
    """Return the valid options of a JSON object."""
    if not isinstance(data, dict):
        return DEFAULT_OPTIONS
    data = cast(dict[str, Any], data)
    encoding, separator, header, sheet, decimal = (
        data.get(key) for key in ("encoding", "separator", "header", "sheet", "decimal")
    )
    return ReadOptions(
        encoding if encoding in ENCODINGS else None,
        separator if separator in SEPARATORS else None,
        header if isinstance(header, int) and 0 <= header <= LAST_HEADER else None,
        sheet if isinstance(sheet, str) and 0 < len(sheet) <= 200 else None,
        decimal if decimal in ("comma", "point") else None,
        _mapping(data.get("lines"), (True, False), MAX_LINES),
        _mapping(data.get("types"), TYPES, MAX_TYPES),
        *(data.get(key) if isinstance(data.get(key), bool) else None for key in ("hidden", "ragged")),
    )


def _mapping(data: Any, allowed: tuple[Any, ...], most: int) -> dict[str, Any] | None:
    if not isinstance(data, dict):
        return None
    pairs = list(cast(dict[str, Any], data).items())[:most]
    return {key: value for key, value in pairs if len(key) <= 300 and value in allowed} or None
