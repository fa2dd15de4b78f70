"""Outputs of a cell: `display(...)`, the last value, open figures, changed files; and values as text of limited length."""

import filecmp
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from .encoding import Json, to_json
from .figures import Figures
from .other_tables import in_pandas
from .places import OutputNames, Snapshot, changed, snapshot
from .tables import MAX_COLUMNS, write_table

MAX_REPR = 20_000
MAX_ITEMS = 2_000
MAX_VALUE = 1024 * 1024
MAX_OUTPUT_ITEMS = 200

# Shows a value of a kind unknown to the sandbox, under a name; returns False for other values.
Display = Callable[["Outputs", Any, str], bool]


class Outputs:
    """Shows things while a cell runs; `send` takes one item as JSON data, `note` prints a line.

    Modules of other rooms add to `displays`, which are asked after the kinds below.
    """

    def __init__(self, send: Callable[[dict[str, Any]], None], note: Callable[[str], None]) -> None:
        self.displays: list[Display] = []
        self._send = send
        self.note = note
        self._figures = Figures()
        self.numbered = OutputNames(Path(), "0")
        self._before: Snapshot = {}
        self._skip: set[str] = set()
        self._count = 0
        self._names: dict[str, Any] = {}
        self._paths: list[str] = []
        self._placed: list[int] | None = None
        """Numbers of the items of the value that is being placed."""

    def begin(self, folder: Path, cell: str, names: dict[str, Any]) -> None:
        """Start a cell; `names` are its variables, which give tables their names."""
        self.numbered = OutputNames(folder, cell)
        self._names = names
        self._count = 0
        self._paths = []
        self._skip = set()
        self._before = snapshot(folder)
        self._figures.begin(self.numbered, self._show_figure, self.note)

    def between_statements(self) -> None:
        self._figures.adopt()

    def end_part(self) -> None:
        """Show the open figures of a part of the cell."""
        self._figures.adopt()
        self._figures.show_open()

    def skip_file(self, name: str) -> None:
        """Ignore a file that the host wrote for a tool's result: the cell did not produce it."""
        self._skip.add(name)

    def display(self, *values: Any) -> None:
        """Show tables, figures and images at the desk; print the rest."""
        for held in values:
            value = in_pandas(held)
            if not self.show(value, self.variable(held)):
                self.note(bounded(value) + "\n")

    def place(self, value: Any, caption: str = "") -> list[int] | None:
        """Show a value as part of the answer, unless the cell shows the same already.

        Return the numbers of its items, or None for what has only words.
        """
        self._placed = []
        try:
            return self._placed if self.show(value, title=caption) else None
        finally:
            self._placed = None

    def figure_of(self, value: Any) -> Any:
        """Return the figure that a matplotlib object is drawn in, None for all else."""
        return self._figures.figure_of(value)

    def show(self, value: Any, name: str = "", title: str = "") -> bool:
        """Show a table, figure or image; False for what has only words. `title` takes precedence over a variable."""
        frame = _as_frame(value)
        if frame is not None:
            path = self.numbered.next("tables", "parquet")
            about = write_table(frame, path)
            title = title or self.variable(value) or name or _by_columns(about["columns"])
            self._note_dropped_columns(frame, title, about["columns"])
            self.send_item({"kind": "table", "name": title, "path": self.numbered.relative(path), **about})
        elif self._figures.is_figure(value):
            self._figures.show(value, is_answer=self._placed is not None)
        elif self._figures.is_picture(value):
            self._figures.show_picture(value)
        else:
            return any(display(self, value, name) for display in self.displays)
        return True

    def _note_dropped_columns(self, frame: Any, title: str, columns: list[dict[str, Any]]) -> None:
        """Say which columns of a table are not kept, or not as they were."""
        texts = [column["name"] for column in columns if column["as_text"]]
        if texts:
            column_list = ", ".join(texts[:5]) + (f" and {len(texts) - 5} more" if len(texts) > 5 else "")
            self.note(
                f"[{title}: kept as text, since values of no one type that tables have: {column_list}]\n"
            )
        if len(frame.columns) > MAX_COLUMNS:
            self.note(f"[{title}: the first {MAX_COLUMNS} of {len(frame.columns):,} columns are kept]\n")

    def finish(self) -> None:
        """End the cell: show open figures, then files it made or changed."""
        self._figures.adopt()
        self._figures.finish()
        after = snapshot(self.numbered.folder)
        for path in changed(self._before, after):
            if path not in self._skip:
                kind = "figure" if path in self._figures.saved else "file"
                self.send_item({"kind": kind, "path": path, "size": after[path][0]})

    def _show_figure(self, path: str) -> None:
        self._skip.add(path)  # one that the cell saved itself is shown here, and not again at the end
        self.send_item({"kind": "figure", "path": path, "size": 0})

    def send_item(self, item: dict[str, Any]) -> None:
        """Tell the host of one thing that the cell shows."""
        number = self._number_of_same(item["path"])
        if number is None:
            number = self._count
            self._count += 1
            if number == MAX_OUTPUT_ITEMS:
                self.note(f"[only the first {MAX_OUTPUT_ITEMS} outputs of this cell are shown]\n")
            if number >= MAX_OUTPUT_ITEMS:
                return
            self._paths.append(item["path"])
            self._send(item)
        if self._placed is not None:
            self._placed.append(number)

    def _number_of_same(self, path: str) -> int | None:
        """Return the number of an earlier item with the same content, for a value that is being placed."""
        if self._placed is None:
            return None
        folder = self.numbered.folder
        for number, earlier in enumerate(self._paths):
            if (folder / earlier).suffix == (folder / path).suffix and _same(folder / earlier, folder / path):
                return number
        return None

    def variable(self, value: Any) -> str:
        """Return the name of the variable that holds a value, or an empty text."""
        names = (name for name, value_ in list(self._names.items()) if value_ is value)
        return next((name for name in names if not name.startswith("_")), "")


def _as_frame(value: Any) -> Any:
    """Return a DataFrame for tables and columns, None for all else."""
    pandas: Any = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "DataFrame"):
        return None
    if isinstance(value, pandas.DataFrame):
        return value
    if isinstance(value, pandas.Series):
        series: Any = value
        return series.to_frame(series.name if series.name is not None else "value")
    return None


def _same(one: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:  # the cell has removed it
        return False


def _by_columns(columns: list[dict[str, Any]]) -> str:
    """Return a name for a table without one: its first columns."""
    heads = ", ".join(column["name"] for column in columns[:3])
    return (heads if len(heads) <= 60 else f"{heads[:59]}…") or "table"


def format_value(value: Any) -> str:
    """Return a value as the model reads it: text unchanged, anything else as its bounded repr."""
    return cut(value) if isinstance(value, str) else bounded(value)


def as_value(value: Any) -> Json:
    """Return the value as JSON data if it is plain and small, else None (`format_value` then describes it)."""
    if _as_frame(value) is not None:
        return None
    try:
        plain = to_json(value)
        return plain if len(json.dumps(plain)) <= MAX_VALUE else None
    except (TypeError, ValueError, RecursionError, MemoryError):
        return None


def bounded(value: Any) -> str:
    """`repr(value)` in at most 20,000 characters, without building a huge one of a huge plain container
    first.
    """
    try:
        if isinstance(value, str | bytes) and len(value) > MAX_REPR:
            return cut(repr(value[:MAX_REPR]) + f"… ({len(value):,} in all)")
        if type(value) in (list, tuple, set, frozenset, dict):
            container = cast("dict[Any, Any] | list[Any]", value)
            if len(container) > MAX_ITEMS:
                first = [item for _, item in zip(range(MAX_ITEMS), container, strict=False)]
                return cut(f"{repr(first)[:MAX_REPR]}… ({type(value).__name__} of {len(container):,})")
        return cut(repr(value))
    except Exception as fault:  # a __repr__ of the cell's own may raise anything
        return f"<{type(value).__name__} whose repr raised {type(fault).__name__}>"


def cut(text: str) -> str:
    """Return the start and end of a long text, with a note of how many characters were left out."""
    if len(text) <= MAX_REPR:
        return text
    half = MAX_REPR // 2 - 50
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"
