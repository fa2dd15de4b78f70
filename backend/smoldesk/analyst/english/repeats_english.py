"""What comes again in a table, asked in English: `which emails occur more than once`, `rows without duplicates`."""

import re
from collections.abc import Iterator

from smoldesk.analyst.intents import Operation
from smoldesk.analyst.words.look import Look

_TABLE = r"(?:table|data ?set|data ?frame|data|spread ?sheet|sheet|file|csv)"
_AGAIN = (
    r"(?:more than once|more than one time|at least twice|two or more times|twice or more|twice|multiple times"
    r"|several times|repeatedly"
    r"|more than 1 times?)"
)
_TWICE = re.compile(
    rf"\b(?:(?:that|who|which) )?(?:(?:is|are|was|were|gets?|has|have|had)(?: been)? )?"
    rf"(?:(?:occur|appear|come up|show up|turn up|exist|repeat|listed?|recorded|entered|found|there"
    rf"|present|registered|used|occurring"
    rf"|appearing)(?:s|ed)? (?:in the \w+ )?)?{_AGAIN}(?: in (?:the|this|my) {_TABLE})?",
    re.IGNORECASE,
)
_TWICE_VERB = re.compile(
    rf"\b(?:occur|appear|come up|show up|turn up|exist|list|record|enter|found|there|present|repeat"
    rf"|in the {_TABLE}|regist|used)",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    r"\b(?:de-?dup(?:ed|e|licate[ds]?|lication)?|(?:remov\w+|drop\w*|delet\w+|eliminat\w+|get(?:ting)? rid of"
    r"|strip\w*|ignor\w+"
    r"|exclud\w+|filter\w* out|leav\w+ out|tak\w+ out|clean\w*(?: up)?|without|minus|with no|free of"
    r"|but not|not counting|no)"
    r"(?: (?:all|any|the|its|exact|of|these|those|full))* ?(?:duplicat\w+|dup(?:e|licate)s?|dupes?"
    r"|repeat\w*|doubles)(?: (?:rows|values|entries|records|lines)\b)?)",
    re.IGNORECASE,
)
_REPEATED = re.compile(
    r"\b(?:duplicat(?:e[ds]?|ions?|ed)|dup(?:e|licate)?s|dupes?|repeated|repeats|identical|non-?unique"
    r"|doubled|double (?=rows|entries|records))"
    r"(?: (?:values?|entries|entry)\b)?",
    re.IGNORECASE,
)
_UNIQUE = re.compile(
    r"(?:is|are) (?:the |all |each |every |all the )*(?P<what>[\w .()/-]+?) (?:values? )?(?:all )?(?:unique"
    r"|distinct|all different)",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"\b(?:total|averages?|mean|median|sums?|max\w*|min(?:imum)?|highest|lowest|largest|smallest|how much"
    r"|share|per ?cent\w*"
    r"|percentage|proportion|fraction|rate|ratio|most|plot|chart|graph|histogram|trend|compare|correlat\w+|than|as)\b"
    r"(?! (?:a |an )?(?:csv|excel|xlsx))(?! once| one time)",
    re.IGNORECASE,
)
"""Asks for a figure, which no look gives."""
_UNIQUE_ROWS = re.compile(r"\b(?:unique|distinct) (?:rows|records|entries|lines)\b", re.IGNORECASE)
_ALL_ONCE = re.compile(
    r"(?:is|are) (?:all |every |each )?(?:of )?(?:the )?(?:rows?|records?|entries|lines?) (?:all )?(?:unique"
    r"|distinct|different)",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"(?:(?:do|are there|which|find|show(?: me)?|list) )*(?:any |which |two |several |the |multiple )*(?P<who>\w+)(?: that"
    r"| who)?"
    r" (?:have|has|share|with|having|sharing) (?:exactly )?the same (?P<what>[\w .()/-]+)",
    re.IGNORECASE,
)
_GLUE = re.compile(
    rf"^(?:(?:please|can you|could you|tell me|i want to|i need to|let me|is|are|was|were|do|does|did"
    rf"|we|i|it|they|have|has|there|any|some|if|how many"
    rf"|how much|number of|count|check|look|see|search|find|show|me|list|give|get|display|detect|identify"
    rf"|what|which|whether|the"
    rf"|all|in|of|for|to|by|on|based on|fully|exactly|exact|completely|complete|full|entirely|values?"
    rf"|contains?|that|those|these|my|our|this|many|a|rows? that"
    rf"|{_TABLE}|column|entries|records?|lines?|rows?|who|and)(?: |$))+"
    rf"|(?:(?:^| )(?:please|is|are|was|were|do|does|there|in|of|for|the|by|on|based on|values?|exist"
    rf"|occur|appear|have|has|we|i|my|our|this|that"
    rf"|{_TABLE}|column|entries|records?|lines?|rows?|here|at all|if any|any|it))+$",
    re.IGNORECASE,
)


def repeats_in_english(text: str) -> Iterator[Look]:
    """What comes again, or the rows without that: whole rows, or the values of the columns that are named."""
    if _FIGURES.search(text):
        return
    if _ALL_ONCE.fullmatch(text):
        yield Look("duplicates", "the first 5 rows", sure=True)
        return
    if unique := _UNIQUE.fullmatch(text):
        yield Look("duplicates", "", "unique", columns_said(unique["what"]))
        return
    if same := _SAME.fullmatch(text):
        who = re.sub(
            r"^(?:people|ones|who|those|any|records|entries)$", "rows", same["who"], flags=re.IGNORECASE
        )
        yield Look("duplicates", f"the first 5 {who}", "", columns_said(same["what"]))
        return
    dropped = _DROPPED.search(text) or _UNIQUE_ROWS.search(text)
    found = dropped or _REPEATED.search(text) or _TWICE.search(text)
    if not found or (found.re is _TWICE and not _TWICE_VERB.search(text)):
        return
    word = found[0].split()[-1] if found.re is not _TWICE else ""
    operation: Operation = "deduplicate" if dropped else "duplicates"
    kept = re.match(r"(?:please )?(?:save|export|download|store|write)\b", text, re.IGNORECASE)
    tail = re.search(r" (?:as|to|in|into) (?:a |an )?(?:csv|excel|xlsx)(?: file)?$", text, re.IGNORECASE)
    before, after = text[: found.start()], text[found.end() :]
    if tail:
        after = after[: -len(tail[0])] if after.endswith(tail[0]) else after
    before = before[kept.end() :] if kept else before
    rest = _bare(f"{before.strip()} | {after.strip()}")
    save, ending = ("save " if kept else ""), (tail[0] if tail else "")
    if not rest:
        yield Look(operation, f"{save}the first 5 rows{ending}", word, sure=True)
        return
    if not kept:
        yield Look(operation, "", word, columns_said(rest), sure=True)
    yield Look(operation, f"{save}the first 5 rows of {rest}{ending}", word, sure=True)


def columns_said(said: str) -> tuple[str, ...]:
    """`name and email` are two columns."""
    return tuple(f"different {one.strip()}" for one in re.split(r" and |, | or | with ", said) if one.strip())


def _bare(said: str) -> str:
    """What is left of a question when the words of asking are taken away at both sides of what was found."""
    left, _, right = said.partition("|")
    sides: list[str] = []
    for side in (left, right):
        before = None
        side = side.strip(" ,")
        while side != before:
            before, side = side, _GLUE.sub("", side).strip(" ,")
        sides.append(side)
    return " ".join(filter(None, sides))
