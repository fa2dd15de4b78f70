"""`python -m tests.exams.candidates OUT`: what the analyst is fitted on: each reading of each case, with its verdict.

A line is one case: its table, its kind, and for its best readings the features, the gap to the next one, and whether the answer
it gives is right. Reading, code and judge are the real ones; only which reading is answered is chosen here.
"""

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from smoldesk.analyst import model
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import Offer, Outcome, gap_behind, read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.score import sure_features
from tests.exams.case import CASES, SETS, Case, read_cases
from tests.exams.judge import judge
from tests.exams.player import Player

MOST = 4
NO_READING = ("beyond", "no_tables", "broken_file", "too_long")


class Chooser:
    """Stands before the analyst's reader, and answers the reading with a number."""

    def __init__(self) -> None:
        self.number = 0
        self.last: Outcome | None = None

    def __call__(self, *told: Any) -> Outcome:
        outcome = read_talk(*told)
        self.last = outcome
        chosen = outcome.candidates[self.number : self.number + 1]
        reads = isinstance(outcome.intent, Query | Offer) or (
            isinstance(outcome.intent, Refusal) and outcome.intent.reason in ("unsure", "unknown", "too_much")
        )
        return replace(outcome, intent=chosen[0].query, candidates=chosen) if chosen and reads else outcome


def line(case: Case, player: Player, chooser: Chooser) -> dict[str, Any]:
    """The readings of one case."""
    found: list[dict[str, Any]] = []
    for number in range(MOST):
        chooser.number = number
        verdict = judge(case, player.play(case)).verdict
        last = chooser.last
        if (
            last is None
            or len(last.candidates) <= number
            or (isinstance(last.intent, Refusal) and last.intent.reason in NO_READING)
        ):
            break
        gap = gap_behind(last.candidates[number:])
        query = last.candidates[number].query
        features = dict(query.features)
        found.append({"features": features, "sure": sure_features(query, gap), "right": verdict == "right"})
    return {
        "table": case.source,
        "kind": case.kind,
        "lang": case.lang,
        "turns": len(case.turns),
        "candidates": found,
    }


def main(out: Path) -> None:
    """Write the lines of all sets."""
    chooser = Chooser()
    model.read_talk = chooser
    with (
        tempfile.TemporaryDirectory(prefix="smoldesk-") as folder,
        Player(Path(folder)) as player,
        out.open("w") as file,
    ):
        for name in SETS:
            for case in read_cases(CASES / f"{name}.jsonl"):
                if case.kind != "map" and case.text():
                    file.write(
                        json.dumps({"set": name} | line(case, player, chooser), ensure_ascii=False) + "\n"
                    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
