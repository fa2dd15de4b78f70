"""Decision how many interpretations of a request are shown: one that is sure, several, or none.

One is sure if nothing observable speaks against it: it uses every word, none of its words is matched loosely, nothing is
assumed (a figure, a column, a group), no doubt applies (`doubts`), half of the words are exact names or cells, and the next
different interpretation is not close. Several are shown if one of them is likely to be right, which two fitted
probabilities tell; else none.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from smoldesk.analyst.offers import Candidate, gap_behind, is_ambiguous, is_clear
from smoldesk.analyst.query import Query
from smoldesk.analyst.requests import Request
from smoldesk.analyst.units import normalized

WEIGHTS = Path(__file__).parent / "weights.json"
# Lowest value of a feature that is no flaw, except for the features that raise no doubt, such as `rows` shown as they are;
# smallest gap to the next interpretation and smallest share of exact words, for a computed answer; smallest gap for others.
FLAW, CLOSE, EXACT, TIE = -0.35, 0.1, 0.5, 0.02
_NO_FLAW = ("weak", "end", "top of rows")
# What painted rooms have: one figure each, the usual one of its column; and their column may be a word of another language.
_USUAL_ON_MAPS = ("default figure", "weakest", "? assumed mean", "? assumed sum", "? group of rows")
_COMPUTED = ("figure", "groups", "share", "rows", "distinct", "difference")
# Minimum probability that one of those shown is right: if they use every word, and else; maximum probability that a request
# whose words are not all used has no answer. `tests.exams.fit` prints the resulting error rates.
CLEAR_OFFERED, OFFERED, UNANSWERABLE = 0.1, 0.3, 0.13
# Negative features whose value is a degree, not a yes or no; upper bound of the gap feature.
_MEASURED, MAX_GAP = ("weak", "weakest", "? weak figure"), 2.0
# The same limits as features of the probabilities, as they were fitted.
_CLOSE, _FLAW = 0.15, -0.5


def is_sure(request: Request, candidates: Sequence[Candidate]) -> bool:
    """Return whether the first interpretation is answered alone."""
    best, gap = candidates[0], gap_behind(candidates)
    is_display = best.query.kind not in _COMPUTED or best.query.map or "`" in request.text
    close = TIE if is_display else CLOSE
    if not is_clear(best) or is_ambiguous(best) or (gap is not None and gap < close):
        return False
    if _is_whole_table(request, best.query):
        return True
    features = sure_features(best.query, gap)
    if best.query.map:
        features = {name: value for name, value in features.items() if name not in _USUAL_ON_MAPS}
    return is_certain(features, 0.0 if is_display else EXACT)


def is_certain(features: Mapping[str, float], exact: float = EXACT) -> bool:
    """Return whether features have no flaw, and at least this share of exact words."""
    is_flawless = all(value > FLAW or name in (*_NO_FLAW, "rows") for name, value in features.items())
    return is_flawless and features.get("exact", 0.0) >= exact


def _is_whole_table(request: Request, query: Query) -> bool:
    """Return whether a query shows a named table as it is: nothing is computed that could be wrong."""
    is_cut = query.where or query.groups or query.columns
    return (
        query.kind == "rows" and not is_cut and normalized(query.table).casefold() in request.text.casefold()
    )


def is_likely(candidates: Sequence[Candidate]) -> bool:
    """Return whether the shown interpretations may be right; one that leaves words over must not ask for unknown things."""
    query, gap, clear = candidates[0].query, gap_behind(candidates), is_clear(candidates[0])
    likely = probability("offer", query, gap) >= (CLEAR_OFFERED if clear else OFFERED)
    return likely and (clear or probability("decline", query, gap) < UNANSWERABLE)


@lru_cache(maxsize=1)
def fitted() -> dict[str, dict[str, float]]:
    """Return the weights that `tests.exams.fit` wrote: by feature, for showing several and for declining."""
    weights: dict[str, dict[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights


def sure_features(query: Query, gap: float | None) -> dict[str, float]:
    """Return the input of the probabilities: the query's features, its kind, and the gap to the next candidate."""
    features = {name: -1.0 if -1 < n < 0 and name not in _MEASURED else n for name, n in query.features}
    features |= {"gap": min(MAX_GAP, MAX_GAP if gap is None else gap), f"kind {query.kind}": 1.0, "bias": 1.0}
    features |= {"conditions": float(len(query.where)), "close": float(gap is not None and gap < _CLOSE)}
    return features | {"flawless": float(all(n > _FLAW or name in _NO_FLAW for name, n in features.items()))}


def probability(of: str, query: Query, gap: float | None) -> float:
    """Return a probability (logistic): that one of the interpretations shown is right ("offer"), or that the tables have no
    answer ("decline", for an interpretation that leaves words over).
    """
    weights = fitted()[of]
    total = sum(weights.get(name, 0.0) * value for name, value in sure_features(query, gap).items())
    # Clipped, because math.exp raises OverflowError for large arguments.
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
