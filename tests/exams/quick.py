"""Plays cases in this process: the desk's own profiles and catalogue, the analyst's own reading, its code by `exec`.

A case takes milliseconds instead of seconds, so that every set can be played after every change; `player` is the real
thing, and both say the same of cases about tables.
"""

import contextlib
import tempfile
import warnings
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.code import write
from smoldesk.analyst.outcome import Offer, Outcome
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.talk import UserTurn
from smoldesk.charts import checked_spec
from smoldesk.charts.inside.cell_charts import chart_in_cell
from smoldesk.charts.inside.charts import is_chart, write_chart
from smoldesk.tools.datasets import Datasets
from tests.exams.answer import Answer, Grid
from tests.exams.case import Case
from tests.exams.player import READERS, Player

TOOLS = frozenset({"ask_person", "show_map", "clear_map", "draw_arrow", "clear_arrows", "save_data"})


class Answered(BaseException):
    """Raised by final_answer, which ends a cell at once."""


class QuickPlayer:
    """The catalogue of each table, made once. `tables` are those already made, by the case's source."""

    def __init__(self, player: Player, tables: dict[str, Catalogue] | None = None) -> None:
        self._player = player
        self.tables: dict[str, Catalogue] = {} if tables is None else tables
        self.last: Outcome | None = None

    def catalogue(self, case: Case) -> Catalogue:
        """What the desk tells the analyst of a case's table."""
        key = case.table or case.text()
        if key not in self.tables:
            created = self._player.catalogue(case)
            stored = [
                replace(table, index=FixedIndex(table.index())) if table.index is not None else table
                for table in created.tables
            ]
            self.tables[key] = replace(created, tables=stored, tools=TOOLS)
        return self.tables[key]

    def talk(self, case: Case, pick: int = 0) -> list[UserTurn]:
        """The turns of a case; `pick` is chosen of what is offered before the last."""
        catalogue = self.catalogue(case)
        messages: list[UserTurn] = []
        for turn in case.turns[:-1]:
            intent = read_talk([*messages, UserTurn(turn)], catalogue).intent
            offered = intent.sentences if isinstance(intent, Offer) else ("",)
            messages.append(UserTurn(turn, chosen=offered[min(pick, len(offered) - 1)]))
        return [*messages, UserTurn(case.turns[-1])]

    def play(self, case: Case, pick: int | None = None) -> Answer:
        """The answer to the case's last turn; `pick` is chosen of what it offers."""
        catalogue, message = self.catalogue(case), self.talk(case, pick or 0)
        outcome = read_talk(message, catalogue)
        if isinstance(outcome.intent, Offer) and pick is not None:
            chosen = outcome.intent.sentences[pick]
            outcome = read_talk([*message[:-1], replace(message[-1], chosen=chosen)], catalogue)
        return self.answer(case, outcome)

    def answer(self, case: Case, outcome: Outcome) -> Answer:
        """What a person sees of an outcome."""
        self.last = outcome
        answer = Answer(code=write(outcome, self.catalogue(case)))
        if isinstance(outcome.intent, Offer):
            answer.offered = [*outcome.intent.sentences, ""]
        with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder, contextlib.chdir(folder):
            if text := case.text():
                Path(f"{case.called}.csv").write_text(text, encoding="utf-8", newline="")
            before = set(Path().iterdir())
            _run(answer)
            for created in set(Path().iterdir()) - before:
                read = READERS.get(created.suffix[1:].lower())
                frame = read(created) if read else None
                answer.files.append((created.name, None if frame is None else _grid(frame)))
        return answer


class FixedIndex:
    """An index that is there; picklable."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def __call__(self) -> Any:
        return self._index


def _grid(frame: pd.DataFrame) -> Grid:
    plain = [[_cell(item) for item in row] for row in frame.astype(object).values.tolist()]
    return Grid([str(column) for column in frame.columns], plain)


def _cell(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _run(answer: Answer) -> None:
    shown = [answer]  # what is said and shown goes to the last one
    blocks: list[Answer] = []

    @contextlib.contextmanager
    def alternative(_sentence: str) -> Generator[None]:
        shown.append(Answer(code=answer.code))
        try:
            yield
        except Answered:
            pass
        except Exception as fault:
            shown[-1].fault = f"{type(fault).__name__}: {fault}"
        blocks.append(shown.pop())

    def final_answer(text: object) -> None:
        shown[-1].text = str(text)
        raise Answered

    def display(*displayed: object) -> None:
        for item in displayed:
            if is_chart(item):
                with tempfile.NamedTemporaryFile() as file:
                    write_chart(item, Path(file.name))
                    checked_spec(Path(file.name).read_bytes())
                shown[-1].messages.append({"type": "chart", "content": {}})
            if isinstance(item, pd.Series):
                item = item.reset_index()
            if isinstance(item, pd.DataFrame):
                shown[-1].tables.append(_grid(item))

    def ask_person(**_: object) -> str:
        raise ValueError("nothing is chosen")

    space: dict[str, Any] = {
        "load_dataset": lambda name: pd.read_csv(Datasets.bundled().path(name)),
        "final_answer": final_answer,
        "alternative": alternative,
        "display": display,
        "chart": chart_in_cell,
        "ask_person": ask_person,
        "print": lambda *_: None,
    }
    plt.close("all")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(answer.code, "<cell>", "exec"), space)
        except Answered:
            pass
        except Exception as fault:
            answer.fault = f"{type(fault).__name__}: {fault}"
    if blocks:
        _join(answer, sorted(blocks, key=lambda block: bool(block.fault)))
    answer.messages += [{"type": "image", "content": {}} for _ in plt.get_fignums()]


def _join(answer: Answer, blocks: list[Answer]) -> None:
    """Make the first block the opened answer, and fold the others beside it."""
    answer.is_unsure, answer.others = True, blocks[1:]
    answer.text, answer.fault = blocks[0].text, answer.fault or blocks[0].fault
    answer.tables += blocks[0].tables
    answer.messages += blocks[0].messages


def all_of(cases: Sequence[Case]) -> list[Case]:
    """Cases that can be played here: those about a table."""
    return [case for case in cases if case.kind != "map" and case.is_here and case.text()]
