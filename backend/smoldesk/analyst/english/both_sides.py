"""`with and without a sponsor` cuts by a column of yes and no; of names it would list each name and leave out the others."""

import re

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.tables.catalogue import Catalogue

_BOTH = re.compile(r"\bwith(?: (?:an? |the )?\w+)? (?:and|vs\.?|versus) without\b", re.I)


def both_sides(intent: Intent, text: str, catalogue: Catalogue) -> Intent:
    """The intent, or a refusal where no group of it has a yes and a no."""
    if not isinstance(intent, DataIntent) or not intent.groups or not _BOTH.search(text):
        return intent
    table = next((one for one in catalogue.tables if one.name == intent.table), None)
    if table is None or any(
        column.name in intent.groups and (column.yes_no or column.kind == "bool") for column in table.columns
    ):
        return intent
    return Refusal("too_much", ("without",), table=table.name)
