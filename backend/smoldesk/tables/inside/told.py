"""How a person says that a file is to be read, where the guess was wrong; kept in a hidden file beside it.

Every reader of the file goes by it: the profile, SQL, and the expression that code loads it with. The chat's own code may
write there, too, which harms only that chat.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

MOST_BYTES = 2_000
LAST_HEADER = 1_000
"""The last line that may hold the names of the columns."""
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}
ENCODINGS = (
    *("utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16", "cp1252", "latin-1", "cp1250", "cp1251"),
    *("cp1253", "cp1254", "gb18030", "big5", "cp949"),
)
FORMATS = {".csv": "text", ".tsv": "text", ".xlsx": "workbook", ".xlsm": "workbook"}
"""The kinds of files that can be told of, by the ending of their names."""


@dataclass(frozen=True)
class Told:
    """None leaves it to the desk. `header` is the line (1 is the first) with the names of the columns, 0 for none."""

    encoding: str | None = None
    separator: str | None = None
    header: int | None = None
    sheet: str | None = None

    def __bool__(self) -> bool:
        """Whether anything is told."""
        return any(one is not None for one in asdict(self).values())


NOTHING = Told()


def told_file(name: str) -> str:
    """Where it lies what is told of a chat's file, relative to the chat's folder."""
    return f".told-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}.json"


def read_told(path: Path) -> Told:
    """What is told of a file; NOTHING where there is nothing, or nothing that makes sense."""
    try:
        with (path.parent / told_file(path.name)).open("rb") as file:
            return told_of(json.loads(file.read(MOST_BYTES)))
    except (OSError, ValueError, RecursionError):
        return NOTHING


def told_of(data: Any) -> Told:
    """What a JSON object tells; NOTHING for another."""
    if not isinstance(data, dict):
        return NOTHING
    data = cast(dict[str, Any], data)
    encoding, separator, header, sheet = (
        data.get(key) for key in ("encoding", "separator", "header", "sheet")
    )
    return Told(
        encoding if encoding in ENCODINGS else None,
        separator if separator in SEPARATORS else None,
        header if isinstance(header, int) and 0 <= header <= LAST_HEADER else None,
        sheet if isinstance(sheet, str) and 0 < len(sheet) <= 200 else None,
    )


def with_header(load: str, header: int) -> str:
    """The expression that loads a file whose column names stand in this line."""
    if header == 1:
        return load
    if header > 1:
        return f"{load[:-1]}, skiprows={header - 1})"
    return f'{load[:-1]}, header=None).rename(columns=lambda line: f"column_{{line + 1}}")'


def header_options(header: int) -> dict[str, Any]:
    """The same for pandas."""
    return {"header": None} if header == 0 else {"skiprows": header - 1} if header > 1 else {}


def numbered(frame: Any, header: int) -> Any:
    """The frame with names for columns that have none."""
    return (
        frame.set_axis([f"column_{place + 1}" for place in range(frame.shape[1])], axis=1)
        if header == 0
        else frame
    )
