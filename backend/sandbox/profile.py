"""What a chat's tables hold: read by a cell in the chat's own child, never by the server.

The child belongs to code nobody trusts, so what comes back is checked for shape and size; a lie in it harms only the
chat that told it. Later issues widen the formats; these are the plain ones.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints, TypeAdapter, ValidationError

from backend.sandbox.cell import CellFailed
from backend.sandbox.child import Child
from backend.stopping import StopFlag

MOST_TABLES = 20
MOST_COLUMNS = 200
MOST_VALUES = 50
ENDINGS: dict[str, dict[str, str]] = {".csv": {}, ".tsv": {"sep": "\t"}}
"""What pandas must be told to read a file, by the ending of its name."""

Short = Annotated[str, StringConstraints(max_length=200)]

_CELL = """
def _profile():
    import json, pandas
    from pandas.api import types
    found = []
    for name, options in {wanted}:
        try:
            frame = pandas.read_csv(name, **options)
        except Exception:
            continue
        columns = []
        for column in list(frame.columns)[:{most_columns}]:
            values = frame[column].dropna()
            distinct = values.unique()
            kind = "bool" if types.is_bool_dtype(values) else "number" if types.is_numeric_dtype(values) else "text"
            if kind == "text" and len(values):
                seen = values.astype(str)
                dates = seen.str.match(r"\\d{{4}}-\\d{{1,2}}-\\d{{1,2}}").all()
                kind = "date" if dates else "text"
            few = kind != "date" and len(distinct) <= {most_values}
            listed = [str(value)[:200] for value in distinct] if few else []
            columns.append({{"name": str(column)[:200], "kind": kind, "values": listed}})
        found.append({{"file": name, "rows": len(frame), "columns": columns}})
    return json.dumps(found)
final_answer(_profile())
"""


class Column(BaseModel):
    name: Short
    kind: Literal["number", "text", "date", "bool"]
    values: Annotated[list[Short], Field(max_length=MOST_VALUES)]


class TableProfile(BaseModel):
    """One table of a chat's folder; `file` is its name there."""

    file: Short
    rows: Annotated[int, Field(ge=0)]
    columns: Annotated[list[Column], Field(max_length=MOST_COLUMNS)]

    @property
    def load(self) -> str:
        """The Python expression that reads it."""
        options = "".join(f", {n}={v!r}" for n, v in ENDINGS[Path(self.file).suffix.lower()].items())
        return f"pd.read_csv({self.file!r}{options})"


_PROFILES: TypeAdapter[list[TableProfile]] = TypeAdapter(list[TableProfile])


@dataclass(frozen=True)
class _Seen:
    stamp: tuple[tuple[str, int, int], ...]
    tables: list[TableProfile]


class Profiles:
    """Profiles of chats' tables, made again when a file changes."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def tables(self, child: Child, stop: StopFlag) -> list[TableProfile]:
        """The tables in the child's folder; a file that pandas cannot read is left out. Raises Stopped or DeskError."""
        files = table_files(child.folder)
        seen = self._seen.get(child.chat_id)
        if seen is None or seen.stamp != files:
            seen = _Seen(files, _profile(child, stop, [name for name, _, _ in files]) if files else [])
            self._seen[child.chat_id] = seen
        return seen.tables

    def forget(self, chat_id: str) -> None:
        self._seen.pop(chat_id, None)


def table_files(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """(name, bytes, time changed) of the files that look like tables; nothing is opened."""
    found: list[tuple[str, int, int]] = []
    for path in folder.iterdir():
        if path.suffix.lower() in ENDINGS and not path.name.startswith(".") and not path.is_symlink():
            status = path.stat()
            found.append((path.name, status.st_size, status.st_mtime_ns))
    return tuple(sorted(found)[:MOST_TABLES])


def _profile(child: Child, stop: StopFlag, names: list[str]) -> list[TableProfile]:
    from backend.sandbox.executor import SandboxExecutor  # brings smolagents: not before the server is up

    wanted = [(name, ENDINGS[Path(name).suffix.lower()]) for name in names]
    cell = _CELL.format(wanted=repr(wanted), most_columns=MOST_COLUMNS, most_values=MOST_VALUES)
    executor = SandboxExecutor(child, stop=stop)
    try:
        return believed(executor(cell).output, names)
    except CellFailed:
        return []  # the tables stay readable by code; the analyst just does not know them
    finally:
        executor.cleanup()


def believed(answer: object, names: Sequence[str]) -> list[TableProfile]:
    """What of a child's answer has the right shape and size, and speaks of the files it was asked about."""
    if not isinstance(answer, str):
        return []
    try:
        profiles = _PROFILES.validate_python(json.loads(answer))
    except (ValidationError, ValueError, RecursionError):
        return []
    return [profile for profile in profiles if profile.file in names]
