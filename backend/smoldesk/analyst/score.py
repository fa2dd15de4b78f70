"""Linear scorer over named features, and the confidence of its best query, by fitted weights."""

import json
import math
from functools import lru_cache
from pathlib import Path

from smoldesk.analyst.query import Query

WEIGHTS = Path(__file__).parent / "weights.json"
# Weights that rank the interpretations, set by hand; other features weigh 1. Features with weight 0, and those whose names
# begin with a question mark, affect the confidence only.
DEFAULTS = {
    "coverage": 1.5, "uncovered": 2.0, "weak": 1.0, "unused column": 1.5, "unused number": 1.5, "doubt": 0.3, "unused op": 1.2,
    "edit": 0.15, "table": 0.5, "guess": 2.2, "exact": 0.0, "counted sum": 0.0, "said figure": 0.0, "rows or quantity": 0.0,
    "other rows": 0.0,
}  # fmt: skip
# Negative features whose value is a degree, not a yes or no; and negative features that raise no doubt, such as `end` for
# "the last rows".
_MEASURED, _NO_FLAW = ("weak", "weakest", "? weak figure"), ("weak", "end", "top of rows")
# Upper bound of the gap feature; gap below which the next interpretation raises doubt; value below which a feature is a flaw.
MAX_GAP, CLOSE, FLAW = 2.0, 0.15, -0.5


@lru_cache(maxsize=1)
def fitted() -> dict[str, dict[str, float]]:
    """Return the weights that `smoldesk.analyst.fit` wrote: by feature, for answering, showing several, and declining."""
    weights: dict[str, dict[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights


def score(query: Query) -> float:
    """Return the score of a query."""
    return sum(DEFAULTS.get(name, 1.0) * value for name, value in query.features if name[0] != "?")


def sure_features(query: Query, gap: float | None) -> dict[str, float]:
    """Return the input of the confidence: the query's features, its kind, and the gap to the next candidate."""
    features = {name: -1.0 if -1 < n < 0 and name not in _MEASURED else n for name, n in query.features}
    features |= {
        "gap": MAX_GAP if gap is None else min(MAX_GAP, gap),
        f"kind {query.kind}": 1.0,
        "bias": 1.0,
    }
    features |= {"conditions": float(len(query.where)), "close": float(gap is not None and gap < CLOSE)}
    return features | {"flawless": float(all(n > FLAW or name in _NO_FLAW for name, n in features.items()))}


def confidence(query: Query, gap: float | None, of: str = "answer") -> float:
    """Return a probability (logistic): that the best interpretation is right, that one of those shown with it is ("offer"),
    or that the tables have no answer ("decline", for an interpretation that leaves words over).
    """
    weights = fitted()[of]
    total = sum(weights.get(name, 0.0) * value for name, value in sure_features(query, gap).items())
    # Clipped, because math.exp raises OverflowError for large arguments.
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
