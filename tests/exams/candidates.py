"""`python -m tests.exams.candidates OUT [SET ...]`: what the analyst is fitted on: each reading of each case, with its verdict.

A line is one case: its table, its kind, and for its best readings the features, and whether the answer it gives is right.
Reading, code and judge are the real ones; only which reading is answered is chosen here.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from smoldesk.analyst.offers import gap_behind, is_clear
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import Offer, read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.score import sure_features
from tests.exams.case import CASES, SETS, Case, read_cases
from tests.exams.judge import judge
from tests.exams.player import Player
from tests.exams.quick import QuickPlayer, all_of

MOST = 4
UNSURE = ("unsure", "unknown", "too_much")


def line(case: Case, player: QuickPlayer) -> dict[str, Any]:
    """The readings of one case."""
    outcome = read_talk(player.talk(case), player.catalogue(case))
    intent, readings = outcome.intent, outcome.candidates
    reads = isinstance(intent, Query | Offer) or (isinstance(intent, Refusal) and intent.reason in UNSURE)
    found: list[dict[str, Any]] = []
    for number, one in enumerate(readings[:MOST] if reads else ()):
        answer = player.answer(case, replace(outcome, intent=one.query, candidates=(one,)))
        right = judge(case, answer).verdict == "right"
        sure = sure_features(one.query, gap_behind(readings[number:]))
        found.append({"sure": sure, "right": right, "clear": is_clear(one)})
    return {"table": case.source, "kind": case.kind, "lang": case.lang, "candidates": found}


def main(out: Path, sets: Sequence[str]) -> None:
    """Write the lines of sets, all of them by default."""
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder, Player(Path(folder)) as player:
        quick = QuickPlayer(player)
        with out.open("w") as file:
            for name in sets or SETS:
                for case in all_of(read_cases(CASES / f"{name}.jsonl")):
                    file.write(json.dumps({"set": name} | line(case, quick), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
