"""Bundled datasets: their names, columns and files.

Read with the csv module on first use and then cached; the server never loads a data frame library. Each dataset is
`NAME.csv` with a card `NAME.md`, both made by a script in `scripts/`.
"""

import csv
import functools
import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from smoldesk.assets import DATA
from smoldesk.buildings.names import fold
from smoldesk.errors import NotFound

BUNDLED = DATA / "datasets"
Kind = Literal["number", "text", "date", "bool"]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?")
_SAMPLES = 50
_T = TypeVar("_T")


@dataclass(frozen=True)
class _Profile:
    columns: list[tuple[str, Kind]]
    rows: int
    samples: dict[str, list[str]]
    missing: dict[str, int]


class Datasets:
    """A folder of CSV files with cards; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names = sorted(path.stem for path in folder.glob("*.csv"))
        self._profiles: dict[str, _Profile] = {}
        self._headers: dict[str, list[str]] = {}
        self._lock = threading.RLock()

    @staticmethod
    @functools.cache
    def bundled() -> "Datasets":
        """Return the datasets that come with the desk; one instance, so that they are read once."""
        return Datasets(BUNDLED)

    def names(self) -> list[str]:
        """Return all names, sorted."""
        return list(self._names)

    def find(self, text: str) -> str:
        """Return the name that a loose spelling means ("Titanic", "titanic.csv"). Raises NotFound with all names."""
        if text in self._names:
            return text
        key = fold(text).removesuffix(".csv")
        for name in self._names:
            if fold(name) == key:
                return name
        raise NotFound(f"There is no dataset {text[:60]!r}.", hint=f"Datasets: {', '.join(self._names)}.")

    def path(self, name: str) -> Path:
        """Return the path of the CSV file inside the package: copy it, never serve it."""
        return self.folder / f"{self.find(name)}.csv"

    def schema(self, name: str) -> list[tuple[str, Kind]]:
        """(column, kind) in the order of the file."""
        return list(self._profile(name).columns)

    def columns(self, name: str) -> list[str]:
        """Return the column names, read from the header alone."""
        path = self.find(name)
        with self._lock:
            if path not in self._headers:
                with self.path(path).open(encoding="utf-8", newline="") as file:
                    self._headers[path] = next(csv.reader(file))
            return list(self._headers[path])

    def row_count(self, name: str) -> int:
        """Return the rows without the header."""
        return self._profile(name).rows

    def sample_values(self, name: str, column: str) -> list[str]:
        """Up to 50 distinct values as written in the file, the most frequent first; blanks are left out."""
        return list(self._of_column(self._profile(name).samples, name, column))

    def missing_count(self, name: str, column: str) -> int:
        """Return the number of rows that are blank in this column."""
        return self._of_column(self._profile(name).missing, name, column)

    def about(self, name: str) -> str:
        """Return the first paragraph of the card, on one line."""
        card = (self.folder / f"{self.find(name)}.md").read_text(encoding="utf-8")
        paragraphs = [part for part in card.split("\n\n") if not part.startswith("#")]
        return " ".join(paragraphs[0].split())

    def rows(self, name: str) -> Iterator[list[str]]:
        """Yield the rows without the header, every cell as text."""
        with self.path(name).open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            next(reader)
            yield from reader

    def _of_column(self, table: dict[str, _T], name: str, column: str) -> _T:
        if column not in table:
            raise NotFound(f"{name} has no column {column[:60]!r}.", hint=f"Columns: {', '.join(table)}.")
        return table[column]

    def _profile(self, text: str) -> _Profile:
        name = self.find(text)
        with self._lock:
            if name not in self._profiles:
                self._profiles[name] = self._read(name)
            return self._profiles[name]

    def _read(self, name: str) -> _Profile:
        header = self.columns(name)
        counts: list[Counter[str]] = [Counter() for _ in header]
        rows = 0
        for row in self.rows(name):
            rows += 1
            for counter, cell in zip(counts, row, strict=True):
                counter[cell] += 1
        missing = [counter.pop("", 0) for counter in counts]
        return _Profile(
            columns=[(column, _kind(counter)) for column, counter in zip(header, counts, strict=True)],
            rows=rows,
            samples={
                column: [value for value, _ in counter.most_common(_SAMPLES)]
                for column, counter in zip(header, counts, strict=True)
            },
            missing=dict(zip(header, missing, strict=True)),
        )


def _kind(values: Counter[str]) -> Kind:
    """Return the common kind of a column's values; text if they differ or there are none."""
    if values and all(value in ("True", "False") for value in values):
        return "bool"
    if values and all(_NUMBER.fullmatch(value) for value in values):
        return "number"
    if values and all(_DATE.fullmatch(value) for value in values):
        return "date"
    return "text"
