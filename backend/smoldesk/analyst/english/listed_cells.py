"""`list the Samsung and Philips appliances by price, cheapest first`: rows of either cell, in one list, and no two groups.

And `list the orders by price`, `compare Ann and Bo by hours`: by a figure rows are sorted and sides compared, not counted.
"""

import re
from collections.abc import Callable

_LIST = re.compile(
    r"^(?:please |can you |could you )?(?:list|show|give)(?: me)?(?: all)?(?: of)?(?: the| our| my)? ", re.I
)
_ORDERED = re.compile(
    r"\b(?:sort|order|rank)(?:ed)?\b.*\bby\b|\bin order of\b|\bby\b.*\bfirst[?.! ]*$|^(?:please )?list\b.*\bby [\w ]+[?.! ]*$",
    re.I,
)
_FIGURES = re.compile(
    r"\b(?:total|average|mean|median|sum|number|count|counts|share|percent|percentage|per|each|every|difference|compare"
    r"|most|least|top|bottom|plot|chart|graph)\b",
    re.I,
)
_LONGEST = 4
_BY = re.compile(
    r"^((?:please )?(?:(list)|(compare))\b(?:(?!\bby\b).)+?),? by (?:the |their )?([^,?!]+?)(?=[?.! ]*$)",
    re.I,
)
_SORTED = re.compile(r"\b(?:sort|order|rank)(?:ed)?\b|\bin order\b", re.I)


def by_figure(text: str, is_figure: Callable[[str], bool]) -> str:
    """The request with `sorted by`, or `on`, before the name of a figure; others stay as they are."""
    said = _BY.match(text)
    if not said or _SORTED.search(said[1]) or _FIGURES.search(said[1][7:]) or not is_figure(said[4]):
        return text
    return f"{said[1]} {'sorted by' if said[2] else 'on'} {said[4]}{text[said.end() :]}"


def listed_cells(text: str, is_cell: Callable[[str], bool]) -> str:
    """The request with `or` between the two cells before the rows of an ordered list; others stay as they are."""
    lead = _LIST.match(text)
    if not lead or not _ORDERED.search(text) or _FIGURES.search(text):
        return text
    for tie in re.finditer(" and ", text):
        first, after = text[lead.end() : tie.start()], text[tie.end() :].split(" ")
        ends = (" ".join(after[:size]) for size in range(1, min(_LONGEST, len(after) - 1) + 1))
        if is_cell(first.split(", ")[-1]) and any(map(is_cell, ends)):
            return f"{text[: tie.start()]} or {text[tie.end() :]}"
    return text
