"""金額 beside a unit price and a total: the money that a row came to is meant."""

from dataclasses import replace

from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.row_money import takings_column

_MONEY = ("金額", "代金", "額")
_CERTAIN = 2.75


def read_meant_money(draft: Draft) -> None:
    """Puts the one column of takings in the place of what the word for money could mean as well."""
    for index, item in enumerate(draft.items):
        if not item.is_column or item.mention.text not in _MONEY:
            continue
        refs = [ref for ref in item.mention.all(ColumnRef) if ref.table == draft.table.name]
        money = takings_column(draft.table)
        if money is None or not refs or max(ref.strength for ref in refs) >= _CERTAIN:
            continue
        if money.name in {ref.column for ref in refs}:
            meant = tuple(ref for ref in item.mention.meanings if ref not in refs)
            chosen = next(ref for ref in refs if ref.column == money.name)
            mention = replace(item.mention, meanings=(chosen, *meant))
            draft.items[index] = replace(item, mention=mention, column=money)
