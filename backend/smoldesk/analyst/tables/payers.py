"""`Paid by` beside a `Method`: one tells who paid and the other how, so that `payment method` is the other."""

import re
from collections.abc import Mapping

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.words.text import name_words

_HOW = re.compile(r"\b(?:method|means|type|way|how)\b|方法|手段", re.IGNORECASE)
_CALLED = {"payment method": 2.6, "method of payment": 2.6, "payment type": 2.4, "means of payment": 2.4}


def payment_terms(column: ColumnInfo, table: TableInfo, terms: Mapping[str, float]) -> Mapping[str, float]:
    """The terms of a column; where a table has both columns, with the ways of paying moved to the method."""
    names = [name_words(one.name) for one in table.columns]
    if ["paid", "by"] not in names or ["method"] not in names:
        return terms
    own = name_words(column.name)
    if own == ["method"]:
        return {**_CALLED, **terms}
    return {term: sure for term, sure in terms.items() if own != ["paid", "by"] or not _HOW.search(term)}
