"""Fit of the analyst's confidence: `python -m tests.exams.fit KNOWN.jsonl FIRST_RUNS.jsonl` prints it, writes
weights.json.

Each input line is one request: its table, the features of its best interpretation, and which interpretations gave the right
answer (`python -m tests.exams.candidates` writes it). The second file has the results of tables that the analyst was not
tuned on. It does better on known tables than on future ones, so the others weigh more. Two logistic fits: is one of the
first three interpretations right, and (of requests whose best one leaves words over) must the request be declined. Whether
the best one is answered alone is a rule without weights (`smoldesk.analyst.certainty`); its results are printed with them.
Batch gradient descent from zero, so that equal input gives equal weights, bit by bit. The weights that rank interpretations
stay set by hand: a conditional log-linear fit ranked the same ones first.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from smoldesk.analyst.certainty import CLEAR_OFFERED, CLOSE, OFFERED, UNANSWERABLE, WEIGHTS, is_certain
from smoldesk.analyst.offers import MAX_OFFERED

Array = NDArray[np.float64]
# Gradient steps, step size, L2 penalty, cross-validation folds, and tables that must show a feature before it
# counts.
STEPS, RATE, PENALTY, FOLDS, MIN_TABLES = 2_000, 0.1, 0.006, 5, 3
# Weight of a request on a new table; one on a known table weighs 1.
FIRST = 6.0
# Thresholds that are printed: for showing several, and the highest probability of no answer at which they are shown.
THRESHOLDS = (
    *((offered, UNANSWERABLE) for offered in (0.1, 0.2, OFFERED, 0.4, 0.5)),
    *((OFFERED, none) for none in (0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.5, 1.0)),
)
# Features that tell whether a request has an answer: its unknown and unused words, and how the query was assumed; others
# only fit the tables at hand. Few requests must be declined, so the penalty is higher.
UNANSWERED = ("? unknown", "unused", "kind", "bias", "uncovered", "guess", "coverage", "? weak figure", "exact", "weakest",
    "conditions", "said figure", "default", "rows", "top by count", "? assumed", "? group unasked")  # fmt: skip
UNANSWERED_PENALTY = 0.02
Result = tuple["Choice", float, float]


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
    def single(self) -> bool:
        """True if the best interpretation is answered alone."""
        return self.clear and self.sure.get("gap", 0.0) >= CLOSE and is_certain(self.sure)

    @property
    def offered(self) -> bool:
        """True if one of the interpretations that would be offered is right."""
        return any(self.right[:MAX_OFFERED])


def read_choices(path: Path, weight: float) -> list[Choice]:
    """Read the requests of a file; one without an interpretation has no features."""
    choices: list[Choice] = []
    for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        table, declines = f"{line['set']} {line['table']}", line["kind"] == "decline"
        choices.append(Choice(table, declines, line["sure"], line["right"], line["clear"], weight))
    return choices


def _matrix(choices: Sequence[Choice], names: Sequence[str]) -> Array:
    rows = [[choice.sure.get(name, 0.0) for name in names] for choice in choices]
    return np.array(rows, dtype=np.float64).reshape(len(choices), len(names))


def _chances(rows: Array, weights: Array) -> Array:
    # Clipped, because exp overflows for large arguments.
    return 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))


def fitted(choices: Sequence[Choice], names: Sequence[str]) -> list[Array]:
    """Return the weights for showing several and for declining, in the order of `names`."""
    scored = [choice for choice in choices if choice.sure]
    unclear = [choice for choice in scored if not choice.clear]
    return [
        _fit(scored, [choice.offered for choice in scored], names),
        _fit(unclear, [choice.declines for choice in unclear], names, UNANSWERED, UNANSWERED_PENALTY),
    ]


def _fit(
    choices: Sequence[Choice],
    targets: Sequence[bool],
    names: Sequence[str],
    prefixes: tuple[str, ...] = ("",),
    penalty: float = PENALTY,
) -> Array:
    """Return the weights of the features with these prefixes; those of the others are 0."""
    rows = _matrix(choices, names) * [name.startswith(prefixes) for name in names]
    sizes = np.sqrt((rows**2).mean(axis=0))
    sizes[sizes == 0] = 1.0
    rows = rows / sizes  # scaled, so that the penalty does not hit rare features harder
    sample_weights = np.array([choice.weight for choice in choices], dtype=np.float64)
    sample_weights /= max(1.0, sample_weights.sum())
    weights, target = np.zeros(len(names)), np.array(targets, dtype=np.float64)
    for _ in range(STEPS):
        missed = sample_weights * (target - _chances(rows, weights))
        weights += RATE * (missed @ rows - penalty * weights)
    return weights / sizes


def crossed(choices: Sequence[Choice], names: Sequence[str]) -> list[Result]:
    """Return each request with its probabilities, by weights fitted without its table (cross-validation)."""
    tables = sorted({choice.table for choice in choices})
    results: list[Result] = []
    for fold in range(FOLDS):
        test_tables = set(tables[fold::FOLDS])
        weights = fitted([choice for choice in choices if choice.table not in test_tables], names)
        test_choices = [choice for choice in choices if choice.table in test_tables]
        rows = _matrix(test_choices, names)
        several, none = (_chances(rows, weights_of_fit).tolist() for weights_of_fit in weights)
        for choice, *scores in zip(test_choices, several, none, strict=True):
            results.append((choice, *scores) if choice.sure else (choice, 0.0, 1.0))
    return results


def figures_line(name: str, results: Sequence[Result], offered: float, none: float) -> str:
    """Format one line of rates: one answer and several, how often the opened one is wrong, what is right and declined."""
    single = [choice for choice, *_ in results if choice.single]
    unsure = [result for result in results if not result[0].single]
    several = [
        choice
        for choice, offer, no in unsure
        if (offer >= CLEAR_OFFERED if choice.clear else offer >= offered and no < none)
    ]
    answerable = sum(not choice.declines for choice, *_ in results)
    right = sum(choice.answered for choice in (*single, *several))
    among = sum(choice.answered for choice in single) + sum(choice.offered for choice in several)
    must, total = len(results) - answerable, len(results)
    declined = must - sum(choice.declines for choice in (*single, *several))
    return (
        f"{name:<26} one {len(single) / total:6.1%} wrong {sum(not c.answered for c in single) / total:5.1%}  "
        f"several {len(several) / total:6.1%} opened wrong {sum(not c.answered for c in several) / total:6.1%}  "
        f"of the answerable: opened right {right / answerable:6.1%} among shown {among / answerable:6.1%}  "
        f"of the others declined {declined / max(1, must):6.1%}  ({total})\n"
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
        offered = [choice for choice, *_ in subset if choice.offered]
        best = 100 * sum(choice.answered for choice in offered) / max(1, len(offered))
        out.write(f"{title}: {len(offered)} have a right reading in the first three, {best:.1f} % first\n")
        for thresholds in THRESHOLDS:
            out.write(figures_line(f"from {', '.join(map(str, thresholds))}", subset, *thresholds))
    for name in names if "--ablation" in sys.argv else ():
        without = crossed(choices, [other for other in names if other != name])
        first_runs = [result for result in without if result[0].weight > 1]
        out.write(figures_line(f"  without {name}", first_runs, OFFERED, UNANSWERABLE))
    fits = zip(("offer", "decline"), fitted(choices, names), strict=True)
    weights = {kind: dict(zip(names, values.round(4).tolist(), strict=True)) for kind, values in fits}
    WEIGHTS.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
