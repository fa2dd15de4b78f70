"""One case: a talk over a table, and what its last answer must hold.

An expectation is a dict in the form of the shared examples, so that cases travel as JSONL; all of its keys must hold:

- `number` (and `or`: other numbers that are as right): the key figure. `numbers`: figures that must all be there.
- `percent`, `or without blanks, said so`: a key figure in percent.
- `pairs`: name to number, in a table or in lines; "a | b" are spellings of one name, "a, b" two keys of one row;
  `order` true when the order counts. `names`: the words that answer, before any of `others`.
- `image`, `plot` (its kind), `code names`: what is drawn, of which columns and values; `code leaves out`: of which not.
- `file`: the ending of a file that must come, whose rows count for `pairs`. `messages`: what the map is told.
- `says it cannot`, `no made-up answer`, `names the missing column`: a decline.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import pandas as pd

CASES, TABLES = Path(__file__).parent / "cases", Path(__file__).parent / "tables"
SETS = (
    "dev", "held_out", "fresh", "aside", "wide_en", "wide_ja", "blind_en", "blind_ja", "blind2_ja", "blind3_en", "blind3_ja",
    "blind4_en", "blind4_ja", "blind5_en", "blind5_ja", "blind6_en", "blind6_ja", "blind7_en", "blind7_ja",
    "blind8_en", "blind8_ja", "blind9_en", "blind9_ja", "blind10_en", "blind10_ja", "blind11_en", "blind11_ja", "known20",
)  # fmt: skip
Expect = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """`turns` are said in one chat that holds the table; the last is judged.

    `table` is a file of `tables/` under its own name, `file` one that the chat calls data.csv, as it does the text in `csv`;
    `package` a table that an installed package ships, as "module:function".
    """

    id: str
    lang: Literal["en", "ja"]
    kind: str
    turns: list[str]
    expect: Expect
    table: str | None = None
    csv: str | None = None
    file: str | None = None
    package: str | None = None

    @property
    def source(self) -> str:
        """The table's own name in this folder; empty for a case without one."""
        return self.table or self.file or self.package or ("csv" if self.csv else "")

    @property
    def called(self) -> str:
        """What the chat calls the table."""
        return self.table or (self.package or ":data").partition(":")[2].removeprefix("load_")

    def text(self) -> str:
        """The table as CSV; empty for a case without one."""
        if self.csv is not None:
            return self.csv
        if self.package is not None:
            return packaged(self.package)
        name = self.table or self.file
        return (TABLES / f"{name}.csv").read_text(encoding="utf-8") if name else ""

    @property
    def is_here(self) -> bool:
        """Whether the package that ships its table is installed: scikit-learn is, statsmodels comes with the extra `exam`."""
        return self.package is None or find_spec(self.package.partition(".")[0]) is not None


@cache
def packaged(name: str) -> str:
    """A table of scikit-learn (a function `load_...`) or statsmodels (a module) as CSV."""
    module, _, member = name.partition(":")
    results: Any = getattr(import_module(module), member)
    loaded: Any = results(as_frame=True) if callable(results) else results.load_pandas()
    frame: pd.DataFrame = loaded.frame if callable(results) else loaded.data
    frame = frame.reset_index() if frame.index.name else frame
    for column in frame.select_dtypes(exclude="number"):
        frame[column] = frame[column].str.strip()
    return frame.to_csv(index=False)


def read_cases(path: Path) -> list[Case]:
    """The cases of a JSONL file, ours or the shared examples."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Case(**json.loads(line)) for line in lines if line.strip()]
