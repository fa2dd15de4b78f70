"""What a cell shows: `display(...)`, the last value, open figures, changed files; and values in bounded
words.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from .charts import described, is_chart, write_chart
from .encoding import Json, to_json
from .figures import Figures
from .other_tables import in_pandas
from .places import Numbered, Snapshot, changed, snapshot
from .plotly_charts import is_plotly, plotly_chart, plotly_table
from .tables import MAX_COLUMNS, write_table

MAX_REPR = 20_000
MAX_ITEMS = 2_000
MAX_VALUE = 1024 * 1024
MAX_SHOWN = 200


class Outputs:
    """Shows things while a cell runs; `send` takes one item as JSON data, `note` prints a line."""

    def __init__(self, send: Callable[[dict[str, Any]], None], note: Callable[[str], None]) -> None:
        self._send = send
        self._note = note
        self._figures = Figures()
        self._numbered = Numbered(Path(), "0")
        self._before: Snapshot = {}
        self._skip: set[str] = set()
        self._count = 0
        self._names: dict[str, Any] = {}

    def begin(self, folder: Path, cell: str, names: dict[str, Any]) -> None:
        """A cell begins; `names` are its variables, which give tables their names."""
        self._numbered = Numbered(folder, cell)
        self._names = names
        self._count = 0
        self._skip = set()
        self._before = snapshot(folder)
        self._figures.begin(self._numbered, self._show_figure, self._note)

    def between_statements(self) -> None:
        self._figures.adopt()

    def skip_file(self, name: str) -> None:
        """A file the host wrote for a tool's result is not something the cell produced."""
        self._skip.add(name)

    def display(self, *values: Any) -> None:
        """Show tables, figures and images at the desk; print the rest."""
        for held in values:
            value = in_pandas(held)
            if not self.show(value, self._variable(held)):
                self._note(bounded(value) + "\n")

    def show(self, value: Any, name: str = "") -> bool:
        """Show a table, figure or image; False for what has only words."""
        frame = _as_frame(value)
        if frame is not None:
            path = self._numbered.next("tables", "parquet")
            about = write_table(frame, path)
            title = self._variable(value) or name or _by_columns(about["columns"])
            self._tell_left_out(frame, title, about["columns"])
            self._shown({"kind": "table", "name": title, "path": self._numbered.relative(path), **about})
        elif self._figures.is_figure(value):
            self._figures.show(value)
        elif self._figures.is_picture(value):
            self._figures.show_picture(value)
        elif is_chart(value):
            self._show_chart(value, name)
        elif is_plotly(value):
            self._show_plotly(value, name)
        else:
            return False
        return True

    def _show_chart(self, value: Any, name: str) -> None:
        path = self._numbered.next("charts", "json")
        try:
            written = write_chart(value, path)
        except ValueError as fault:
            self._note(f"[a chart could not be shown: {fault}]\n")
            path.unlink(missing_ok=True)
            return
        spec = json.loads(path.read_text(encoding="utf-8"))
        about = {"rows": written.rows, "shown": written.shown, "reduced": written.reduced}
        title = self._variable(value) or name or "chart"
        place = self._numbered.relative(path)
        self._shown({"kind": "chart", "name": title, "title": described(spec), "path": place, **about})

    def _show_plotly(self, figure: Any, name: str) -> None:
        """A plotly figure as a chart of its data where that is the same; else its data, and that is said."""
        title = self._variable(figure) or name or "figure"
        try:
            drawn = plotly_chart(figure)
        except (ValueError, TypeError, KeyError):  # whatever its arrays hold
            drawn = None
        if drawn is not None:
            self._note(
                "[a plotly figure is shown as a chart of the desk, with its data, titles and colours]\n"
            )
            self._show_chart(drawn, title)
            return
        frame = plotly_table(figure)
        data = "its data is shown as a table" if frame is not None else "it has no data to show"
        draws = "Bars, lines, points, histograms, boxes, pies and heatmaps of plotly are, and Altair, or chart(df, spec)."
        self._note(f"[this plotly figure is not drawn here, which would take a browser: {data}. {draws}]\n")
        if frame is not None:
            self.show(frame, title)

    def _tell_left_out(self, frame: Any, title: str, columns: list[dict[str, Any]]) -> None:
        """Say which columns of a table are not kept, or not as they were."""
        texts = [column["name"] for column in columns if column["as_text"]]
        if texts:
            listed = ", ".join(texts[:5]) + (f" and {len(texts) - 5} more" if len(texts) > 5 else "")
            self._note(f"[{title}: kept as text, since values of no one type that tables have: {listed}]\n")
        if len(frame.columns) > MAX_COLUMNS:
            self._note(f"[{title}: the first {MAX_COLUMNS} of {len(frame.columns):,} columns are kept]\n")

    def finish(self) -> None:
        """The cell is over: figures left open, then files it made or changed."""
        self._figures.adopt()
        self._figures.finish()
        after = snapshot(self._numbered.folder)
        for path in changed(self._before, after):
            if path not in self._skip:
                kind = "figure" if path in self._figures.saved else "file"
                self._shown({"kind": kind, "path": path, "size": after[path][0]})

    def _show_figure(self, path: str) -> None:
        self._shown({"kind": "figure", "path": path, "size": 0})

    def _shown(self, item: dict[str, Any]) -> None:
        self._count += 1
        if self._count <= MAX_SHOWN:
            self._send(item)
        elif self._count == MAX_SHOWN + 1:
            self._note(f"[only the first {MAX_SHOWN} outputs of this cell are shown]\n")

    def _variable(self, value: Any) -> str:
        names = (name for name, held in list(self._names.items()) if held is value)
        return next((name for name in names if not name.startswith("_")), "")


def _as_frame(value: Any) -> Any:
    """A DataFrame for tables and columns, None for all else."""
    pandas: Any = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "DataFrame"):
        return None
    if isinstance(value, pandas.DataFrame):
        return value
    if isinstance(value, pandas.Series):
        series: Any = value
        return series.to_frame(series.name if series.name is not None else "value")
    return None


def _by_columns(columns: list[dict[str, Any]]) -> str:
    """What a table without a name is called: by its first columns."""
    heads = ", ".join(column["name"] for column in columns[:3])
    return (heads if len(heads) <= 60 else f"{heads[:59]}…") or "table"


def in_words(value: Any) -> str:
    """A value as the model reads it: text as it is, anything else as its bounded repr."""
    return cut(value) if isinstance(value, str) else bounded(value)


def as_value(value: Any) -> Json:
    """The value as JSON data when it is plain and small; None otherwise (then `in_words` has to do)."""
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
            held = cast("dict[Any, Any] | list[Any]", value)
            if len(held) > MAX_ITEMS:
                first = [item for _, item in zip(range(MAX_ITEMS), held, strict=False)]
                return cut(f"{repr(first)[:MAX_REPR]}… ({type(value).__name__} of {len(held):,})")
        return cut(repr(value))
    except Exception as fault:  # a __repr__ of the cell's own may raise anything
        return f"<{type(value).__name__} whose repr raised {type(fault).__name__}>"


def cut(text: str) -> str:
    """The first characters of a text that is too long, with a note of how many were left out."""
    if len(text) <= MAX_REPR:
        return text
    half = MAX_REPR // 2 - 50
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"
