"""One case: a talk over a table, and what its last answer must hold. `q` and `no` are how questions are written down.

An expectation is a dict in the form of the shared examples, so that cases travel as JSONL; all of its keys must hold:

- `number` (and `or`: other numbers that are as right): the key figure. `numbers`: figures that must all be there.
- `percent`, `or without blanks, said so`: a key figure in percent.
- `pairs`: name to number, in a table or in lines; "a | b" are spellings of one name, "a, b" two keys of one row;
  `order` true when the order counts. `names`: the words that answer, before any of `others`.
- `image`, `plot` (its kind), `code names`: what is drawn, of which columns and values; `code leaves out`: of which not.
- `file`: the ending of a file that must come, whose rows count for `pairs`. `messages`: what the map is told.
- `says it cannot`, `no made-up answer`, `names the missing column`: a decline.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import pandas as pd

FOLDER = Path(__file__).parent / "cases"
Expect = dict[str, Any]
_KEYS = {"or_without_blanks": "or without blanks, said so"}


@dataclass(frozen=True)
class Case:
    """`turns` are said in one chat that holds the table (`csv` when it is not one of ours); the last is judged."""

    id: str
    lang: Literal["en", "ja"]
    kind: str
    turns: list[str]
    expect: Expect
    table: str | None = None
    csv: str | None = None


@dataclass(frozen=True)
class Question:
    """A case before it has a table and an id."""

    lang: Literal["en", "ja"]
    kind: str
    turns: list[str]
    expect: Expect = field(default_factory=dict[str, Any])

    def case(self, table: str | None) -> Case:
        digest = hashlib.sha256("\n".join([table or "", *self.turns]).encode()).hexdigest()
        return Case(f"{table or 'map'}-{digest[:8]}", self.lang, self.kind, self.turns, self.expect, table)


def q(lang: Literal["en", "ja"], kind: str, *turns: str, d: int = 2, **expect: Any) -> Question:
    """A question; numbers are rounded to `d` places, pandas results become plain data, `_` in keys a space."""
    plain = {_KEYS.get(key, key.replace("_", " ")): _plain(value, d) for key, value in expect.items()}
    return Question(lang, kind, list(turns), plain)


def no(lang: Literal["en", "ja"], *turns: str, word: str | None = None) -> Question:
    """A question without an answer here; `word` is what the decline must name."""
    expect: Expect = {"says it cannot": True, "no made-up answer": True}
    return Question(
        lang, "decline", list(turns), expect | ({"names the missing column": word} if word else {})
    )


def _plain(value: Any, places: int) -> Any:
    """A pandas or numpy result as JSON data: a series becomes name to number, a frame two keys to number."""
    if isinstance(value, pd.DataFrame):
        value = value.stack()
    if isinstance(value, pd.Series):
        return {_name(key): _plain(one, places) for key, one in value.dropna().items()}
    if isinstance(value, pd.Index):
        return [_name(key) for key in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one, places) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one, places) for one in value]
    if isinstance(value, bool | str) or value is None:
        return value
    number = float(value)
    assert number == number, "an expectation is not a number"
    return int(number) if number.is_integer() else round(number, places)


def _name(key: Any) -> str:
    if isinstance(key, tuple):
        return ", ".join(map(_name, key))
    if isinstance(key, float) and key.is_integer():
        return str(int(key))
    return str(key)


def read_cases(path: Path) -> list[Case]:
    """The cases of a JSONL file, ours or the shared examples."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Case(**json.loads(line)) for line in lines if line.strip()]


def as_line(case: Case) -> str:
    """A case as a line of JSONL; what it does not have is left out."""
    return json.dumps({key: one for key, one in asdict(case).items() if one is not None}, ensure_ascii=False)
