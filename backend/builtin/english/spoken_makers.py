"""`the oldest piece, which year was it made`, of a column of years: the row with the lowest one."""

import re
from collections.abc import Iterator

from backend.builtin.tables.catalogue import TableInfo
from backend.builtin.words.english_lists import THINGS
from backend.builtin.words.text import name_words

Rule = tuple[re.Pattern[str], str]
_OLD = {
    "oldest": "lowest", "earliest": "lowest", "newest": "highest", "latest": "highest", "most recent": "highest",
}  # fmt: skip
_MADE = (
    r"made|built|published|released|produced|written|painted|issued|founded|opened|planted|bought|registered"
)
_AND_WHEN = (
    r"(?:[,.;?:]| -| and)+ *(?:and )?(?:what|which|in what|in which) year"
    rf" (?:is|was) (?:it|that)(?: from| {_MADE})*(?= *[?.!]*$)"
)


def by_year(table: TableInfo) -> Iterator[Rule]:
    """The patterns for a table without days that has one column of years, and no ages."""
    years = [one for one in table.columns if one.kind == "number" and "year" in name_words(one.name)]
    if len(years) != 1 or any(one.kind == "date" or "age" in name_words(one.name) for one in table.columns):
        return
    name = " ".join(name_words(years[0].name))
    asks = r"^(?:what(?:'s| is| was|s)|which(?: one)? (?:is|was)|show me|find|name)? ?(?:the |our |my )?"
    things = "|".join(sorted(THINGS | {"one", "thing", "object", "lot", "row"}))
    for said, end in _OLD.items():
        yield re.compile(rf"{asks}{said} (?:{things}){_AND_WHEN}", re.I), f"which row has the {end} {name}"
        yield re.compile(rf"{asks}{said} (?:{things})(?= *[?.!]*$)", re.I), f"which row has the {end} {name}"
        yield re.compile(rf"{asks}{said} ([a-z]+){_AND_WHEN}", re.I), rf"which \1 has the {end} {name}"
        yield re.compile(rf"{asks}{said} ([a-z]+)(?= *[?.!]*$)", re.I), rf"which \1 has the {end} {name}"
