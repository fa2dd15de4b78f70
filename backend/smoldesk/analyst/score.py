"""A linear scorer over named features, and how sure its best reading is, by weights that are fitted."""

import json
import math
from functools import lru_cache
from pathlib import Path

from smoldesk.analyst.query import Query

WEIGHTS = Path(__file__).parent / "weights.json"
# The weights that rank readings, set by hand; a feature that is not here weighs 1. Those of 0 are for the confidence only,
# as are those whose names begin with a question mark.
DEFAULTS = {
    "coverage": 1.5, "uncovered": 2.0, "weak": 1.0, "unused column": 1.5, "unused number": 1.5, "doubt": 0.3, "unused op": 1.2,
    "edit": 0.15, "table": 0.5, "guess": 2.2, "exact": 0.0, "counted sum": 0.0, "said figure": 0.0, "rows or quantity": 0.0,
    "other rows": 0.0,
}  # fmt: skip
# Features below 0 that say how much, not whether; and those that leave nothing to doubt: the last rows, the first three.
_MEASURED, _NO_FLAW = ("weak", "weakest", "? weak figure"), ("weak", "end", "top of rows")
# How far the next reading can be to count, how near it is a doubt of its own; the feature that is a flaw by itself.
MOST_GAP, CLOSE, FLAW = 2.0, 0.15, -0.5


@lru_cache(maxsize=1)
def fitted() -> dict[str, dict[str, float]]:
    """What `smoldesk.analyst.fit` found: weights by feature, of the best reading and of the first three."""
    weights: dict[str, dict[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights


def score(query: Query) -> float:
    """The score of a query."""
    return sum(DEFAULTS.get(name, 1.0) * value for name, value in query.features if name[0] != "?")


def sure_features(query: Query, gap: float | None) -> dict[str, float]:
    """What the confidence is computed from: the query's features, its kind, and how far the next reading is."""
    features = {name: -1.0 if -1 < n < 0 and name not in _MEASURED else n for name, n in query.features}
    features |= {
        "gap": MOST_GAP if gap is None else min(MOST_GAP, gap),
        f"kind {query.kind}": 1.0,
        "bias": 1.0,
    }
    features |= {"conditions": float(len(query.where)), "close": float(gap is not None and gap < CLOSE)}
    return features | {"flawless": float(all(n > FLAW or name in _NO_FLAW for name, n in features.items()))}


def confidence(query: Query, gap: float | None, of: str = "answer") -> float:
    """How likely it is that the best reading is right, or one of those offered with it: logistic, from 0 to 1."""
    weights = fitted()[of]
    total = sum(weights.get(name, 0.0) * value for name, value in sure_features(query, gap).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
