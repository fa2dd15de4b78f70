"""`who said yes`: an answer that people gave is a condition on the column of a table that holds such answers."""

import re

from smoldesk.analyst.intents import Filter, Refusal
from smoldesk.analyst.reading.draft import Draft

_SAID = re.compile(
    r"\b(?:said|says|say|saying|answered|answering|replied|responded|ticked|voted) [\"'“‘]?(yes|no|maybe)\b(?! to)",
    re.IGNORECASE,
)


def read_replies(draft: Draft) -> None:
    """Adds the condition; a question back where several columns hold the answer, a refusal where none does."""
    said = _SAID.search(draft.text)
    if said is None:
        return
    reply = said[1].casefold()
    holding = [
        (column.name, value)
        for column in draft.table.columns
        if column.kind == "text"
        for value in column.values
        if value.strip().casefold() == reply
    ]
    named = {column.name for _, column in draft.free()} | {one.column for one in draft.filters}
    if any(name in named for name, _ in holding):
        return  # said yes in the column that stands beside it
    if len(holding) == 1:
        draft.keep(Filter(holding[0][0], "==", (holding[0][1],)))
        draft.said_no = draft.said_no or reply == "no"
    elif holding:
        choices = tuple(name for name, _ in holding)
        draft.problem = Refusal("which_column", (said[0],), choices, draft.table.name)
    else:
        draft.problem = Refusal("too_much", (said[0],), table=draft.table.name)
