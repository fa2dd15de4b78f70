"""The types of a table's columns and the memory it takes, asked in English."""

import re
from collections.abc import Iterator

from smoldesk.analyst.english.repeats_english import columns_said
from smoldesk.analyst.intents import ColumnSort
from smoldesk.analyst.words.look import Look

_TABLE = r"(?:table|data ?set|data ?frame|data|spread ?sheet|sheet|file|csv)"
_LIST = r"(?:(?:show|list|give|tell|print|display|get|see)(?: me)? (?:the |all )*)?"
_WHAT = (
    rf"(?:please |can you |could you )*(?:(?:what|which)(?:'s| is| are| does| do)? (?:the |all )*|{_LIST})"
)
_OF_TABLE = (
    rf"(?: (?:of|in|from|for) (?:the |this |my |our |each |every |all |all the )*(?P<of>[\w .()/-]+?)(?: (?:{_TABLE}"
    rf"|columns?|fields?|variables?))?)?"
)
_TYPES = re.compile(
    rf"{_WHAT}(?:(?:column|field|variable|data) )?(?:data ?types?|d ?types?|column types?|field types?"
    rf"|types? of (?:data|columns?|fields?|variables?)"
    rf"|column (?:names? and|info(?:rmation)?(?: and)?) (?:data )?types?|columns? and (?:their )?(?:data )?types?"
    rf"|schema|data ?frame info|table info"
    rf"|types? (?:is|are|of|for|does|has) (?:each|every|all|the) ?(?:of )?(?:the )?(?:columns?|fields?"
    rf"|variables?)?(?: have)?"
    rf"|(?:columns?|table|data) types|kinds? of (?:data|values?) (?:is|are|does|do)(?: there)?(?: in)? (?:each"
    rf"|every|the) columns?(?: hold| have| contain)?"
    rf"|(?:data ?)?types? (?:is|are|of|for|does) (?P<column>[\w .()/-]+?)(?: have| column)?)(?: (?:do"
    rf"|does|are|is) (?:each |every |the |all )*(?:columns?|fields?)?(?: have| of)?)?"
    rf"(?: (?:does|is|has) (?P<third>[\w .()/-]+?)(?: have)?)?{_OF_TABLE}",
    re.IGNORECASE,
)
_SORTS: dict[str, ColumnSort] = {
    "numeric": "number", "numerical": "number", "number": "number", "numbers": "number", "integers": "number",
    "float": "number", "quantitative": "number", "text": "text", "textual": "text", "string": "text", "strings": "text",
    "texts": "text",
    "categorical": "text", "words": "text", "date": "date", "dates": "date", "datetime": "date", "datetimes": "date",
    "days": "date", "times": "date", "timestamps": "date", "boolean": "yes or no", "booleans": "yes or no",
    "bool": "yes or no", "true or false": "yes or no", "yes or no": "yes or no", "yes/no": "yes or no",
    "true/false": "yes or no",
}  # fmt: skip
_SORT = "(?P<sort>" + "|".join(sorted(map(re.escape, _SORTS), key=len, reverse=True)) + ")"
_OF_SORT = re.compile(
    rf"(?:(?:which|what)(?: of the| of)? (?:columns?|fields?|variables?) (?:are|is|contain|hold|have"
    rf"|has|holds)(?: of)?(?: a| the)? ?{_SORT}(?: (?:values?|ones|data|types?|columns?))?"
    rf"|{_WHAT}(?:how many )?(?:the )?{_SORT.replace('sort', 'sort2')} (?:columns|fields|variables)(?: (?:are there"
    rf"|do (?:we|i|you) have|are in (?:it|the {_TABLE})))?"
    rf"|how many (?:columns|fields|variables) (?:are|hold|contain) {_SORT.replace('sort', 'sort3')})(?: in (?:the"
    rf"|this|my) {_TABLE})?",
    re.IGNORECASE,
)
_MEMORY = re.compile(
    r"(?:(?:what(?:'s| is)|show(?: me)?|give me|tell me) )?(?:the )?(?:how much memory (?:does (?:the "
    r"|this |it)?.*?(?:use|take|need|occupy)(?: up)?|is used(?: by .*)?)"
    r"|memory (?:usage|use|size|footprint)(?: of (?:the |this )?[\w ]+)?|(?:size|how big is it|how large is it) in memory)",
    re.IGNORECASE,
)


def types_in_english(text: str) -> Iterator[Look]:
    """The types of all columns or of one, the columns of one type, and the memory of a table."""
    if one := _OF_SORT.fullmatch(text):
        sort = _SORTS[(one["sort"] or one["sort2"] or one["sort3"]).casefold()]
        yield Look("types", "the first 5 rows", sort=sort)
    elif _MEMORY.fullmatch(text):
        yield Look("memory", "the first 5 rows", "memory")
    elif one := _TYPES.fullmatch(text):
        named = one["column"] or one["third"] or one["of"] or ""
        named = re.sub(r"^(?:the|each|every|all)(?: |$)", "", named)
        if named in ("", "it", "columns", "column", "table", "data"):
            own = text if len(text.split()) < 2 else ""  # a table of types means its own word
            yield Look("types", "the first 5 rows", own, sure=True)
            return
        own = (
            ""
            if re.search(r"\bdata ?types?\b|\bd ?types?\b|\bcolumn types?\b", text, re.IGNORECASE)
            else "type"
        )
        yield Look("types", "", own, columns_said(named))
        yield Look("types", f"the first 5 rows of {named}", own)
