"""`average refund excluding zeros`, 0を除いた平均: the cells of the figure itself that are nought are left out.

The words are taken out of the request; what the rest computes of one number is computed without its noughts. Said alone after
an answer, they are about that answer. Where nothing computes of just one number, the request is read as it stands.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Filter, Intent
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.words.text import is_japanese, tidy

_LEAVING = (
    r"(?:excluding|ignoring|without|omitting|skipping|disregarding|except(?:ing)?(?: for)?|not (?:counting|including)"
    r"|(?:leaving|leave|taking|take|filtering|filter) out|(?:exclude|excl\.?|ignore|omit|skip|drop|remove|removing|dropping))"
)
_NOUGHTS = (
    r"(?:(?:zero|0|nil)(?:[ -](?:values?|entries|amounts?|ones|rows?|records?|figures?|numbers?|cells?))"
    r"|zero(?:e?s)|zero|0'?s?)"
)
_ENGLISH = (
    re.compile(
        rf"[,;(]? ?(?:\b(?:but|and|while|when|if|after|by) )?(?:\b(?:you|we|i) )?\b{_LEAVING}(?: (?:all|any|the|those))*"
        rf"(?: with)? {_NOUGHTS}(?![\w.,%$]*\d|\w|%)\)?",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:non[- ]?zero)(?: values of)?\b", re.IGNORECASE),
)
_JAPANESE = (
    re.compile(
        r"\(?(?<![\d.,])(?:0|ゼロ|零)(?:円|件|点|分|回|個|人|時間|日|ドル)?(?:の(?:値|データ|もの|行|件|人|分|レコード|セル))?"
        r"(?:(?:を|は)?(?:除(?:い(?:た|て)|く)(?:と|場合)?|除外し(?:た|て)|除き|抜い(?:た|て)|抜き(?:で|の|にして)?|含め(?:ない(?:で)?|ず(?:に)?)|無視し(?:た|て))"
        r"|以外(?:の|で|(?=\)|$)))(?:、|の)?\)?"
    ),
)
_ALONE = re.compile(
    r"(?:and|now|but|then|again|also|same|it|the|please"
    r"|では|じゃあ|それ|同じく|だと|なら|と|は|の|を|で|[ ,.?!、。？])*"
)
_FIGURES = ("aggregate", "describe", "quantile", "outliers", "top", "hist", "mode", "normality")


def without_zeros(
    text: str, catalogue: Catalogue, previous: Intent | None, read: Callable[[str], Intent]
) -> tuple[str, DataIntent] | None:
    """The request without such words, and its intent without the noughts; None where none are spoken of."""
    said = tidy(text)
    for form in _JAPANESE if is_japanese(said) else _ENGLISH:
        if not (found := form.search(said)):
            continue
        rest = f"{said[: found.start()]} {said[found.end() :]}".strip()
        if is_japanese(said):
            rest = f"{said[: found.start()]}{said[found.end() :]}"
        intent = previous if _ALONE.fullmatch(rest) else read(rest)
        if isinstance(intent, DataIntent) and (column := _figure(intent, catalogue)):
            nought = Filter(column, "!=", (0.0,))
            return rest, replace(intent, filters=(*(one for one in intent.filters if one != nought), nought))
    return None


def _figure(intent: DataIntent, catalogue: Catalogue) -> str:
    """The one column of numbers of which something is computed."""
    if intent.operation not in _FIGURES or len(intent.measures) != 1 or intent.joined or intent.derived:
        return ""
    if intent.aggregates and set(intent.aggregates) <= {"share", "count", "nunique"}:
        return ""
    column = next(
        (one for one in catalogue.table(intent.table).columns if one.name == intent.measures[0]), None
    )
    return column.name if column and column.kind == "number" and not column.is_flag else ""
