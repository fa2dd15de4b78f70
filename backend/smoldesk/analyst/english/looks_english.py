"""Looks at a table in English: all of its rows, some at random, what comes again, types of columns, the last rows, a file.

Each is put into words of the grammar (`the first 5 rows of gold members`), which says the conditions and the table.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.words.look import Look

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "a dozen": 12, "twenty": 20, "a few": 5, "some": 5,
    "several": 5, "a handful of": 5, "any": 5,
}  # fmt: skip
_NUMBER = rf"(?P<n>\d{{1,5}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_POLITE = (
    r"(?:(?:please|kindly|ok|okay|hi|hey|hello|now|just)[, ]+)*(?:(?:can|could|would|will|may) (?:you|i|we) (?:please )?)?"
    r"(?:i(?:'d| would) like (?:to )?|i want (?:to )?|i need (?:to )?|let(?:'s| me| us) )?(?:please |just )?"
)
_SHOW = (
    r"(?:(?:show|display|print(?: out)?|list|give|get|see|view|output|return|look at|open|pull up|bring up"
    r"|browse|find|have)"
    r"(?: me| us)?(?: out)? |have a look at )"
)
_TABLE = r"(?:table|data ?set|data ?frame|data|spread ?sheet|sheet|file|csv)"
_ROWS = r"(?:rows?|records?|entries|entry|lines?|observations?)"
_WHOLE = r"(?:the |my |our |this )?(?:whole|entire|full|complete|raw|all(?: of)?(?: the| my| our| this)?|every(?: single)?)"
_OF = rf"(?: (?:of|in|from) (?:the |this |my |our )?(?P<of>[\w. -]+?)(?: {_TABLE})?)?"
_IN_IT = rf"(?: (?:in|of|from|out of|within) (?:the |this |that |my |our |whole |entire )*{_TABLE})"
_ALL_ROWS = re.compile(
    rf"{_POLITE}(?:(?P<show>{_SHOW})?{_WHOLE} (?:(?P<mid>[\w.-]+) )?(?:{_TABLE}|{_ROWS}|thing|contents?)"
    r"(?: and (?:all )?columns)?"
    rf"|{_SHOW}(?:everything|it all|all(?: of it)?|(?:the |my |our |this )?(?:(?P<middle>[\w.-]+) )?(?:{_TABLE}"
    rf"|rows|records))"
    rf"|{_SHOW}(?:the )?contents?|everything)(?: there is| you have| we have| in full|{_IN_IT})?{_OF}(?:,? please)?",
    re.IGNORECASE,
)
_ALL_SOME = re.compile(
    rf"\b(?:all(?: of)?(?: the)?|every(?: single)?|the (?:whole|entire|full)) {_ROWS}(?= (?!per\b|by\b|and\b))",
    re.IGNORECASE,
)
_ALL_THINGS = re.compile(
    rf"{_POLITE}{_SHOW}(?P<all>all(?: of)? )?(?:(?:the|my|our|these|those) )?(?P<things>[a-z]{{3,}}s)(?:,? please)?",
    re.IGNORECASE,
)
"""`list all orders`: every row, where these are what the rows are called."""
_WHOLE_BUT = re.compile(
    rf"\b(?:{_WHOLE} {_TABLE}|everything)(?= (?:sorted|ordered|arranged|ranked|except|but|where|without|excluding)\b)",
    re.IGNORECASE,
)
_KEEP = r"(?P<keep>(?:save|export|download|store|write(?: out)?|dump|output|convert|turn|put|extract)\b)"
_KIND = r"(?:a |an )?(?:new )?(?P<kind>csv|excel|xlsx|spread ?sheet)(?: file| sheet| format)?"
_SAVED = re.compile(
    rf"{_POLITE}{_KEEP}(?: out)?(?: (?P<what>(?:a copy of )?(?:it all|everything|all|all of it|(?:{_WHOLE}|the|my"
    rf"|our|this) (?:(?P<mid>[\w.-]+) )?"
    rf"(?:{_TABLE}|rows|records|thing)|(?:(?P<middle>[\w.-]+) )?(?:data|table))))?{_OF}(?: (?:as|to"
    rf"|in|into) {_KIND})?(?:,? please)?",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{_POLITE}{_KEEP} (?:as|to|in|into)? ?{_KIND}(?:,? please)?", re.IGNORECASE)

_RANDOM = re.compile(
    r"\b(?:(?:selected |chosen |picked |drawn )?at random|randomly(?: selected| chosen| picked| drawn)?|random)\b",
    re.IGNORECASE,
)
_SAMPLE = re.compile(
    r"\b(?:(?:an?|the|another|one)?\s*\b(?:(?:small|quick|representative) )?(?:sample|selection|subset)(?: of"
    r"| from)?(?= |$)"
    r"|samples?\b|sampling(?: of)?\b)",
    re.IGNORECASE,
)
_ASKED = re.compile(
    rf"{_POLITE}(?:{_SHOW}|(?:pick|choose|select|draw|take|grab|fetch|extract|retrieve|what are|what is"
    rf"|what's)(?: me| us| out)? )?",
    re.IGNORECASE,
)
_SEED = re.compile(
    r",?\s*\(?(?:with|using|and)?(?: a| the)? ?(?:random )?(?:seed|state)(?: of| =|=|:)? ?(\d{1,9})\)?",
    re.IGNORECASE,
)
_LAST = re.compile(
    rf"\b(?P<end>first|top|last|final|bottom)(?: (?P<n>\d{{1,5}}|{'|'.join(_NUMBERS)}))? (?P<rows>{_ROWS})(?= |$)",
    re.IGNORECASE,
)


def looks_in_english(text: str) -> Iterator[Look]:
    """The looks that a request may be, the likeliest first; it is tidy, without marks at its end."""
    seeded = _SEED.search(text)
    plain = " ".join(_SEED.sub(" ", text).split()) if seeded else text
    yield from _samples(plain, int(seeded[1]) if seeded else 0)
    if seeded:
        return
    if one := _ALL_ROWS.fullmatch(text):
        yield Look("rows", _first(5, _of(one)))
    if one := _BARE.fullmatch(text):
        yield Look("rows", f"save the first 5 rows as {one['kind']}", bare=True)
    elif (one := _SAVED.fullmatch(text)) and one["what"]:
        kind = f" as {one['kind']}" if one["kind"] else ""
        yield Look("rows", f"save {_first(5, _of(one))}{kind}")
    if one := _WHOLE_BUT.search(text):
        said = f"{text[: one.start()]}all rows{text[one.end() :]}"
        yield Look("rows", re.sub(r"(?:print|display|view) (?=all rows)", "show ", said), whole=True)
    if (one := _ALL_SOME.search(text)) and not _ALL_ROWS.fullmatch(text):
        yield Look("rows", f"{text[: one.start()]}the first 5 rows{text[one.end() :]}")
    if one := _ALL_THINGS.fullmatch(text):
        yield Look("rows", f"the first 5 {one['things']}", bare=not one["all"])
    if one := _LAST.search(text):
        end = "first" if one["end"].casefold() in ("first", "top") else "last"
        given = (
            _amount(one["n"])
            if one["n"]
            else 1
            if one["rows"].casefold() in ("row", "record", "entry", "line")
            else 0
        )
        if given:
            said = f"{text[: one.start()]}{end} {given} rows{text[one.end() :]}"
            ends = "tail" if end == "last" else "head"
            yield Look(ends, said, limit=given, ends=ends)


def _of(one: re.Match[str]) -> str:
    found = one.groupdict()
    return found.get("mid") or found.get("middle") or found.get("of") or ""


def _first(number: int, of: str) -> str:
    return f"the first {number} rows of {of}" if of else f"the first {number} rows"


def _amount(said: str) -> int:
    return _NUMBERS.get(said.casefold()) or int(said)


def _names_rows(text: str, said: re.Match[str]) -> bool:
    """`which samples`, `who collected sample L-03`; not `a sample of 5 rows`, nor `sample 5 rows`."""
    word = said[0].strip().casefold()
    return word == "samples" or (word in ("sample", "the sample") and bool(text[: said.start()].strip()))


def _samples(text: str, seed: int) -> Iterator[Look]:
    """`a random sample of 5 gold members`: without the words of chance they are the first ones."""
    chance = _RANDOM.search(text)
    word = (
        "" if chance and re.search(rf"\b{_ROWS}\b", text, re.IGNORECASE) else "random" if chance else "sample"
    )
    said_so = _SAMPLE.search(text)
    if not chance and not said_so:
        return
    if not chance and said_so and _names_rows(text, said_so):
        word = "samples"  # the rows of a table of samples
    if "%" in text or re.search(
        r"\bper ?cent\b|\bseed\b|\b(?:plot|chart|graph|map|histogram|average|mean|total)\b",
        text,
        re.IGNORECASE,
    ):
        return
    kept = re.match(rf"{_POLITE}{_KEEP} ", text, re.IGNORECASE)
    rest = _SAMPLE.sub(" ", _RANDOM.sub(" ", text[kept.end() :] if kept else text))
    rest = " ".join(rest.split())
    rest = _ASKED.sub("", rest, count=1) if not kept else rest
    rest = re.sub(
        rf"^(?:(?:of|from|the|another|out of) )+|^(?:of|me|the|from|data|please)$|,? please$|^{_IN_IT.strip()}",
        "",
        rest,
    )
    rest = re.sub(
        rf"(?:^| )(?:of|from|in|out of) (?:the |this |that |my |our |whole |entire )*{_TABLE}$", "", rest
    ).strip()
    counted = re.match(rf"{_NUMBER}(?: |$)(?:other |more |of )?(?:the )?", rest, re.IGNORECASE)
    things = rest[counted.end() :] if counted else rest
    if counted:
        limit = _amount(counted["n"])
    else:
        limit = (
            1 if re.fullmatch(r"row|record|entry|line|\w+[^\Ws]", things) and not _SAMPLE.search(text) else 0
        )
    things = "" if things in ("data", "table", "the data", "the table", "values") else things
    things = re.sub(rf"^{_ROWS}(?= |$)", "rows", things)
    if re.match(r"(?:of|from|where|with|in|for|whose|that|as|to|on)\b", things) or not things:
        things = f"rows {things}".strip()
    amount = limit or 5
    said = f"{'save ' if kept else ''}the first {amount} {things}"
    yield Look("sample", said, word, limit=amount, seed=seed, sure=True)
