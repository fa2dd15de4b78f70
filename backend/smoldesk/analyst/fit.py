"""Fits how sure the analyst is: `python -m smoldesk.analyst.fit CANDIDATES.jsonl` prints it and writes weights.json.

A line of the input is one request: its table, and its readings with their features, each judged by the answer it gave
(`python -m tests.exams.candidates` writes it). The fit is logistic: whether the best reading is right, from its features and
its distance to the next one; batch gradient descent from nought, so that the same input gives the same weights, bit by
bit. The weights that rank readings stay as set by hand: a conditional log-linear fit put the same readings first.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smoldesk.analyst.read import ANSWERED, OFFERED
from smoldesk.analyst.score import WEIGHTS

Array = NDArray[np.float64]
STEPS, RATE, PENALTY = 3_000, 0.3, 0.003
FOLDS = 5


@dataclass(frozen=True)
class Choice:
    """One request: a row of features for each reading, those of the confidence, which are right, and what was declined."""

    table: str
    kind: str
    rows: list[dict[str, float]]
    sure: list[dict[str, float]]
    right: list[bool]


def read_choices(path: Path) -> list[Choice]:
    """The requests of a file; one without a reading has no rows."""
    found: list[Choice] = []
    for text in path.read_text(encoding="utf-8").splitlines():
        line: dict[str, Any] = json.loads(text)
        told: list[dict[str, Any]] = line["candidates"]
        found.append(
            Choice(
                f"{line['set']} {line['table']}",
                line["kind"],
                [one["features"] for one in told],
                [one["sure"] for one in told],
                [bool(one["right"]) for one in told],
            )
        )
    return found


def _matrix(rows: Sequence[dict[str, float]], names: Sequence[str]) -> Array:
    return np.array([[row.get(name, 0.0) for name in names] for row in rows], dtype=np.float64).reshape(
        len(rows), len(names)
    )


def fit_sure(choices: Sequence[Choice], names: Sequence[str]) -> Array:
    """Weights of the confidence, in the order of the names; its readings are those in the first place."""
    told = [one for one in choices if one.rows]
    rows, right = (
        _matrix([one.sure[0] for one in told], names),
        np.array([one.right[0] for one in told], dtype=np.float64),
    )
    weights = np.zeros(len(names))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        weights += RATE * ((right - chance) @ rows / max(1, len(told)) - PENALTY * weights)
    return weights


@dataclass(frozen=True)
class Judged:
    """What comes of one request: how sure, whether the best reading is right, and one of the first three."""

    sure: float
    right: bool
    offered: bool
    declines: bool


def judged(choices: Sequence[Choice], sure: Array, names: Sequence[str]) -> list[Judged]:
    """The requests under given weights."""
    found: list[Judged] = []
    for one in choices:
        if not one.rows:
            found.append(Judged(0.0, False, False, one.kind == "decline"))
            continue
        value = float((_matrix(one.sure[:1], names) @ sure)[0])
        chance = 1 / (1 + np.exp(-value))
        found.append(Judged(float(chance), one.right[0], any(one.right[:3]), one.kind == "decline"))
    return found


def crossed(choices: Sequence[Choice], names: Sequence[str]) -> list[Judged]:
    """The same, each request by weights that saw no request of its table."""
    tables = sorted({one.table for one in choices})
    found: list[Judged] = []
    for fold in range(FOLDS):
        held = set(tables[fold::FOLDS])
        weights = fit_sure([one for one in choices if one.table not in held], names)
        found += judged([one for one in choices if one.table in held], weights, names)
    return found


def told(name: str, found: Sequence[Judged], answered: float = ANSWERED, offered: float = OFFERED) -> str:
    """A line of figures: right and wrong at once, after one pick, and what must be declined."""
    asked = [one for one in found if not one.declines]
    must = [one for one in found if one.declines]
    at_once = [one for one in asked if one.sure >= answered]
    picked = [one for one in asked if offered <= one.sure < answered and one.offered]
    wrong = sum(not one.right for one in at_once) + sum(one.sure >= answered for one in must)
    right = sum(one.right for one in at_once)
    kept = sum(one.sure < answered for one in must)

    def share(count: int, of: int) -> str:
        return f"{100 * count / max(1, of):5.1f} %"

    figures = [
        f"{name:<28} wrong {share(wrong, len(found))}",
        f"right {share(right, len(asked))}",
        f"with a pick {share(right + len(picked), len(asked))}",
        f"declined of what must be {share(kept, len(must))}",
        f"({len(found)} questions)",
    ]
    return "  ".join(figures)


def main(path: Path) -> None:
    """Fit, print what it brings, write the weights."""
    choices = read_choices(path)
    sures = sorted({name for one in choices for row in one.sure for name in row})
    out = sys.stdout
    sure = fit_sure(choices, sures)
    best = [one for one in choices if any(one.right)]
    first = 100 * sum(one.right[0] for one in best) / len(best)
    out.write(f"{len(best)} requests with a right reading, it is the first in {first:.1f} %\n")
    found = crossed(choices, sures)
    for answered in (0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95):
        out.write(told(f"answered from {answered}", found, answered) + "\n")
    whole = told("as set", found)
    out.write(whole + "\n")
    for name in sures:  # what the confidence is without each feature
        without = [one for one in sures if one != name]
        out.write(told(f"  without {name}", crossed(choices, without)) + "\n")
    weights = {name: round(float(weight), 4) for name, weight in zip(sures, sure, strict=True)}
    WEIGHTS.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
