"""Fit of the analyst's confidence: `python -m smoldesk.analyst.fit KNOWN.jsonl FIRST_RUNS.jsonl` prints it, writes
weights.json.

Each input line is one request: its table, the features of its best interpretation, and which interpretations gave the right
answer (`python -m tests.exams.candidates` writes it). The second file has the results of tables that were new to the
analyst. It does better on tables it was tuned on than on future ones, so the new ones weigh more. Two logistic fits: is the
best interpretation right, and is one of the first three. Batch gradient descent from zero, so that equal input gives equal
weights, bit by bit. The weights that rank interpretations stay set by hand: a conditional log-linear fit ranked the same
ones first.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from smoldesk.analyst.offers import MAX_OFFERED
from smoldesk.analyst.read import ANSWERED, OFFERED
from smoldesk.analyst.score import WEIGHTS

Array = NDArray[np.float64]
# Gradient steps, step size, L2 penalty, cross-validation folds, and tables that must show a feature before it
# counts.
STEPS, RATE, PENALTY, FOLDS, MIN_TABLES = 2_000, 0.1, 0.006, 5, 3
# Weight of a request on a new table; one on a known table weighs 1.
FIRST = 6.0
# Thresholds for answering and offering that are printed.
THRESHOLDS = (
    *((answered, OFFERED) for answered in (0.6, 0.7, 0.8, 0.85, 0.88, ANSWERED)),
    *((ANSWERED, offered) for offered in (0.1, 0.2, 0.3, 0.4, 0.5)),
)


@dataclass(frozen=True)
class Choice:
    """One request: features of its best interpretation, which interpretations are right, and whether it may be answered."""

    table: str
    declines: bool
    sure: dict[str, float]
    right: list[bool]
    clear: bool
    weight: float = 1.0

    @property
    def answered(self) -> bool:
        """True if the best interpretation is right."""
        return any(self.right[:1])

    @property
    def offered(self) -> bool:
        """True if one of the interpretations that would be offered is right."""
        return any(self.right[:MAX_OFFERED])


def read_choices(path: Path, weight: float) -> list[Choice]:
    """Read the requests of a file; one without an interpretation has no features."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    records = ((f"{line['set']} {line['table']}", line["kind"] == "decline", line) for line in lines)
    return [
        Choice(table, declines, record["sure"], record["right"], record["clear"], weight)
        for table, declines, record in records
    ]


def _matrix(choices: Sequence[Choice], names: Sequence[str]) -> Array:
    rows = [[choice.sure.get(name, 0.0) for name in names] for choice in choices]
    return np.array(rows, dtype=np.float64).reshape(len(choices), len(names))


def _chances(rows: Array, weights: Array) -> Array:
    # Clipped, because exp overflows for large arguments.
    return 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))


def fitted(choices: Sequence[Choice], names: Sequence[str]) -> tuple[Array, Array]:
    """Return the weights for answering and for offering, in the order of `names`."""
    scored = [choice for choice in choices if choice.sure]
    rows, fits = _matrix(scored, names), list[Array]()
    sizes = np.sqrt((rows**2).mean(axis=0))
    sizes[sizes == 0] = 1.0
    rows = rows / sizes  # scaled, so that the penalty does not hit rare features harder
    sample_weights = np.array([choice.weight for choice in scored], dtype=np.float64)
    sample_weights /= max(1.0, sample_weights.sum())
    for right in ([choice.answered for choice in scored], [choice.offered for choice in scored]):
        weights, target = np.zeros(len(names)), np.array(right, dtype=np.float64)
        for _ in range(STEPS):
            missed = sample_weights * (target - _chances(rows, weights))
            weights += RATE * (missed @ rows - PENALTY * weights)
        fits.append(weights / sizes)
    return fits[0], fits[1]


def crossed(choices: Sequence[Choice], names: Sequence[str]) -> list[tuple[Choice, float, float]]:
    """Return each request with its two probabilities, by weights fitted without its table (cross-validation)."""
    tables = sorted({choice.table for choice in choices})
    results: list[tuple[Choice, float, float]] = []
    for fold in range(FOLDS):
        test_tables = set(tables[fold::FOLDS])
        weights = fitted([choice for choice in choices if choice.table not in test_tables], names)
        test_choices = [choice for choice in choices if choice.table in test_tables]
        rows = _matrix(test_choices, names)
        chances = (_chances(rows, weights_of_fit).tolist() for weights_of_fit in weights)
        pairs = zip(test_choices, *chances, strict=True)
        results += [(choice, *scores) if choice.sure else (choice, 0.0, 0.0) for choice, *scores in pairs]
    return results


def figures_line(
    name: str, results: Sequence[tuple[Choice, float, float]], answered: float, offered: float
) -> str:
    """Format one line of rates: wrong and right at once, right after one pick, and results of requests to decline."""
    answerable = sum(not choice.declines for choice, _, _ in results)
    at_once = [choice for choice, sure, _ in results if choice.clear and sure >= answered]
    picked = [
        choice
        for choice, sure, offer in results
        if not (choice.clear and sure >= answered) and offer >= offered
    ]
    right = sum(choice.answered and not choice.declines for choice in at_once)
    with_pick = right + sum(choice.offered and not choice.declines for choice in picked)
    must = len(results) - answerable
    declined_at_once = sum(choice.declines for choice in at_once) / must
    declined_after = sum(choice.declines for choice in picked) / must
    return (
        f"{name:<22} wrong {(len(at_once) - right) / len(results):6.1%}  right {right / answerable:6.1%}  with a pick "
        f"{with_pick / answerable:6.1%}  of what must be declined: answered {declined_at_once:6.1%}  "
        f"asked back {declined_after:6.1%}  ({len(results)} questions)\n"
    )


def main(training: Path, first: Path) -> None:
    """Fit, print the results for known and new tables and without each feature, and write the weights."""
    choices, out = [*read_choices(training, 1.0), *read_choices(first, FIRST)], sys.stdout
    counts = Counter(name for name, _ in {(name, choice.table) for choice in choices for name in choice.sure})
    # One table is too few to generalise.
    names = sorted(name for name, tables in counts.items() if tables >= MIN_TABLES)
    crossing = crossed(choices, names)
    for title, weight in (("tables at their first run", FIRST), ("known tables", 1.0)):
        subset = [result for result in crossing if result[0].weight == weight]
        offered = [choice for choice, _, _ in subset if choice.offered]
        best = 100 * sum(choice.answered for choice in offered) / max(1, len(offered))
        out.write(f"{title}: {len(offered)} have a right reading in the first three, {best:.1f} % first\n")
        for thresholds in THRESHOLDS:
            out.write(figures_line(f"from {thresholds[0]}, {thresholds[1]}", subset, *thresholds))
    for name in names if "--ablation" in sys.argv else ():
        without = crossed(choices, [other for other in names if other != name])
        out.write(
            figures_line(
                f"  without {name}", [result for result in without if result[0].weight > 1], ANSWERED, OFFERED
            )
        )
    fits = zip(("answer", "offer"), fitted(choices, names), strict=True)
    weights = {kind: dict(zip(names, values.round(4).tolist(), strict=True)) for kind, values in fits}
    WEIGHTS.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
