"""`python -m tests.exams.candidates OUT [SET ...]`: what the analyst is fitted on, a case's readings and verdicts.

A line is one case: its table, its kind, the features of its best reading that are not nought, and which of its best readings
give the right answer. Reading, code and judge are the real ones; only which reading is answered is chosen here.
`first_runs.jsonl` has the lines of the blind sets as they were at their first run; those of a new one go there once.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from smoldesk.analyst.certainty import sure_features
from smoldesk.analyst.offers import MAX_OFFERED, gap_behind, is_clear
from smoldesk.analyst.outcome import Offer
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from tests.exams.case import CASES, SETS, Case, read_cases
from tests.exams.judge import judge
from tests.exams.player import Player
from tests.exams.quick import QuickPlayer, all_of

UNSURE = ("unsure", "unknown", "too_much")


def line(case: Case, player: QuickPlayer) -> dict[str, Any]:
    """The readings of one case."""
    outcome = read_talk(player.talk(case), player.catalogue(case))
    intent, readings = outcome.intent, outcome.candidates
    reads = isinstance(intent, Query | Offer) or (isinstance(intent, Refusal) and intent.reason in UNSURE)
    near = readings[:MAX_OFFERED] if reads else ()
    answers = (
        player.answer(case, replace(outcome, intent=item.query, candidates=(item,), uncertain=()))
        for item in near
    )
    by_name: dict[str, Any] = {
        "table": case.source,
        "kind": case.kind,
        "lang": case.lang,
        "clear": False,
        "sure": {},
    }
    by_name["right"] = [judge(case, answer).verdict == "right" for answer in answers]
    if near:
        sure = sure_features(near[0].query, gap_behind(readings))
        by_name["sure"] = {name: round(value, 3) for name, value in sure.items() if value}
        by_name["clear"] = is_clear(near[0])
    return by_name


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
