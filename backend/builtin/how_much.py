"""`how much did we take on 9 March`, `what did we spend on equipment`: the money of the rows, where no column is named."""

import re

from backend.builtin.adding_up import adds_up
from backend.builtin.catalogue import ColumnInfo
from backend.builtin.draft import Draft, number_columns
from backend.builtin.intents import Refusal
from backend.builtin.row_money import row_money, takings_column

_US = r"(?:we|i|they|you|he|she|it|everyone|people)"
_ASKED = re.compile(
    rf"\bhow much (?:money |cash )?(?:did|do|does|have|has|had|was|were|is|are)\b"
    rf"|^(?:and )?what (?:did|do|have) {_US} (?:take|took|taken|make|made|earn|earned|spend|spent|pay|paid|charge|collect)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\bhow (?:long|far|old|heavy|tall|big|large|often|fast|high|deep|wide|late|hot|cold|warm|busy)\b",
    re.IGNORECASE,
)


def asked_money(draft: Draft) -> ColumnInfo | Refusal | None:
    """The column to add up; a refusal where a figure is asked for and nobody can tell which; None where none is."""
    if draft.language != "en" or draft.order:
        return None
    if _ASKED.search(draft.text):
        column = takings_column(draft.table) or row_money(draft.table)
        if column is not None and adds_up(column, "money"):
            return column
    elif not _OTHER.search(draft.text):
        return None
    return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
