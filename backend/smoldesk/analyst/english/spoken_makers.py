"""`by who paid` of a column Paid by; `the oldest piece, which year was it made` of one of years: the row with the lowest.

And `how many shows did each host present`: rows by those who lead them.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.words.english_lists import THINGS
from smoldesk.analyst.words.text import name_words

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


_PAYS = ("paid", "pays", "spent", "gave", "donated")
_PAID = ("paid", "spent", "given", "donated")


def by_whom(table: TableInfo) -> Iterator[Rule]:
    """`total by who paid and method`: the one column of those who did it, called `Paid by`."""
    done = [one for one in table.columns if one.kind == "text" and name_words(one.name)[1:] == ["by"]]
    for column in done:
        deed = name_words(column.name)[0]
        said = "|".join(map(re.escape, {deed, *(_PAYS if deed in _PAID and len(done) == 1 else ())}))
        end = r"(?=,| (?:and|in|on|for|during|since|from)\b|[ ?.!]*$)"
        form = rf"\b(by|per|for each|and) who (?:{said})(?: (?:it|for it|them))?{end}"
        yield re.compile(form, re.I), rf"\1 {' '.join(name_words(column.name))}"


_LEADS = (
    "present|presents|presented|host|hosts|hosted|lead|led|conduct|conducted|perform|performed|moderate|moderated"
    "|chair|chaired"
)
_LED_BY = frozenset(("host", "presenter", "speaker", "leader", "guide", "chair", "moderator", "instructor", "teacher",
                     "tutor", "coach", "dj"))  # fmt: skip


def each_led(table: TableInfo) -> Iterator[Rule]:
    """`how many episodes did each host present`: those who lead something are asked how often they did."""
    for column in table.columns:
        words = name_words(column.name)
        if column.kind == "text" and words and words[-1] in _LED_BY:
            said = rf"\bhow many (\w+) (?:did|do|does|has|have|had) each {words[-1]} (?:{_LEADS})(?=[?.! ]*$)"
            yield re.compile(said, re.I), rf"number of \1 per {words[-1]}"
            yield (
                re.compile(rf"\bwho (?:has )?(?:{_LEADS}) (?:the )?most (\w+)(?=[?.! ]*$)", re.I),
                rf"{words[-1]} with the most \1",
            )
