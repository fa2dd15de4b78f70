"""When nobody said which figure they want: the usual one is taken, another stands beside it, and the answer says so."""

from smoldesk.analyst.intents import Aggregate
from smoldesk.analyst.writing.sheet import Sheet

_CALLED: dict[Aggregate, tuple[str, str]] = {
    "mean": ("average", "平均"),
    "median": ("median", "中央値"),
    "sum": ("total", "合計"),
}


def other_usual(aggregate: Aggregate) -> Aggregate:
    """The figure that people mean just as often: a total's average, an average's median."""
    return "mean" if aggregate == "sum" else "median"


def usual_note(sheet: Sheet, beside: bool = True) -> None:
    """Says which figure was taken where none was named, and that the other one is there, too."""
    if not sheet.intent.unnamed or sheet.intent.aggregates[0] not in _CALLED:
        return
    taken = _CALLED[sheet.intent.aggregates[0]]
    other = _CALLED[other_usual(sheet.intent.aggregates[0])]
    if not beside:
        sheet.note(
            sheet.say(
                f"You named no figure, so I took the {taken[0]}.",
                f"集計方法の指定がなかったので{taken[1]}で計算しました。",
            )
        )
        return
    sheet.note(
        sheet.say(
            f"You named no figure, so I took the {taken[0]}; the {other[0]} stands beside it.",
            f"集計方法の指定がなかったので{taken[1]}で計算し、{other[1]}も並べました。",
        )
    )
