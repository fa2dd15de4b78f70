"""Conditions on a part of a text: `titles containing 'Moon'`, `with Park in the name`, 「農場」を含む, Aで始まる.

The words of such a condition become one mention, so that the part itself is not taken for a whole name or an unknown word.
"""

import re
from collections.abc import Sequence
from typing import Literal

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Fragment,
    Mention,
    Number,
    Quoted,
    RowNoun,
    Skip,
    TableRef,
    Unit,
    When,
)
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import key

_QUOTED = r"\"[^\"]+\"|“[^”]+”|‘[^’]+’|(?<!\w)'[^']+'(?!\w)"
_PART = rf"(?P<part>{_QUOTED}|(?-i:[A-Z][\w&'-]*(?: [A-Z][\w&'-]*)+)|[\w&'-]+)"
_NO = r"(?P<no>(?:(?:do|does|did|is|are|was|were) ?n[o']t |not |without |doesnt |dont |never ))?"
_ARTICLE = r"(?:the (?:word|words|text|letter|letters|phrase|name|string) |an? (?=['\"“‘]))?"
_PLACE = r"(?:(?:somewhere|anywhere) )?in (?:the |its |their |his |her )?(?P<place>[\w ]*?\w)\b(?=$|[ ,.?!])"
_OF = r"(?:(?:that |which |whose [\w ]{1,20}? |whose )?(?:have a \w+ |has a \w+ )?)"
_JAPANESE = r"[「『\"'](?P<part>[^」』\"']+)[」』\"'](?:という(?:文字|言葉|単語|語)?)?"
_KANA = r"(?P<part>[\u30a0-\u30ffー]{2,}|[\u4e00-\u9fff々]{2,}|[A-Za-z]+)(?:という(?:文字|言葉|単語|語)?)?"
_HELD = r"(?:[をがの]?(?:含ん(?:でいる|だ)|含まれ(?:ている|る)|含む|入っ(?:ている|た)|入る|付く|つく))"
_SOMETHING = "(?:値|何か|データ|記入|入力|文字|数字|数値|記載|回答|欠損|空白|空欄|外れ値|問題|時間|お金|費用)"
"""What comes into a column without being a part of its texts: 備考に値が入っている."""
_NOT_HELD = r"(?:[をがは](?:含ま(?:ない|れない|れていない)|入らない|入っていない))"
How = Literal["holds", "begins", "ends"]
_PATTERNS: tuple[tuple[re.Pattern[str], How, bool], ...] = (
    (re.compile(rf"{_OF}{_NO}(?:with |having |has |have )?{_ARTICLE}{_PART} {_PLACE}", re.I), "holds", False),
    (re.compile(rf"{_OF}{_NO}\bcontain(?:s|ing|ed)? {_ARTICLE}{_PART}", re.I), "holds", False),
    (re.compile(rf"{_OF}{_NO}\bincluding the (?:word|text|letters?) {_PART}", re.I), "holds", False),
    (re.compile(rf"{_OF}{_NO}\b(?:start|begin)(?:s|n?ing)? with {_ARTICLE}{_PART}", re.I), "begins", False),
    (re.compile(rf"{_OF}{_NO}\bend(?:s|ing)? (?:with|in) {_ARTICLE}{_PART}", re.I), "ends", False),
    (re.compile(rf"{_JAPANESE}{_HELD}"), "holds", False),
    (re.compile(rf"{_JAPANESE}{_NOT_HELD}"), "holds", True),
    (re.compile(rf"{_KANA} ?(?:を|という文字を)含(?:む|んだ|んでいる)"), "holds", False),
    (
        re.compile(
            rf"(?<=に) ?(?!{_SOMETHING}){_KANA} ?(?:の(?:文字|言葉))?が(?:含まれ(?:ている|る)|入っ(?:ている|た)|入る|付く|つく)"
        ),
        "holds",
        False,
    ),
    (re.compile(rf"{_JAPANESE}(?:で|から)(?:始まる|始まって(?:いる)?)"), "begins", False),
    (re.compile(rf"{_KANA}で(?:始まる|始まって(?:いる)?)"), "begins", False),
    (re.compile(rf"{_JAPANESE}で(?:終わる|終わって(?:いる)?)"), "ends", False),
    (re.compile(rf"{_KANA}で(?:終わる|終わって(?:いる)?)"), "ends", False),
)
_CALLED = re.compile(
    r"(?:\b(?:whose|with|have|has|having|a|their) )*\b(?P<noun>names?|titles?) (?:that |which )?$", re.I
)
"""`names` before `starting with A`, which say no more than that names are meant."""
_MORE = frozenset(
    (
        "op",
        "top",
        "sort",
        "agg",
        "cmp",
        "range",
        "per",
        "which",
        "not",
        "without",
        "grain",
        "or",
        "rule",
        "plot",
    )
)
"""Words of the grammar that mean themselves where a part of a text could stand."""
_NAMES = ("name", "names", "title", "titles", "text", "description", "it")
"""Places that speak of what the rows or a column just named are called, whatever the column's name is."""


def with_fragments(mentions: Sequence[Mention], text: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions, each condition on a part of a text as one of them."""
    said = list(mentions)
    for pattern, how, denied in _PATTERNS:
        for match in pattern.finditer(text):
            if found := _fragment(said, match, how, denied, lexicon):
                kept = [one for one in said if one.end <= found.start or one.start >= found.end]
                said = sorted([*kept, found], key=lambda one: one.start)
    return said


def _fragment(
    said: Sequence[Mention], match: re.Match[str], how: How, denied: bool, lexicon: Lexicon
) -> Mention | None:
    groups = match.groupdict()
    start, end = match.span("part")
    part = groups["part"].strip("\"'“”‘’「」『』")
    inside = [one for one in said if one.start < end and one.end > start]
    quoted = match.string[start : start + 1] in "\"'“‘" or any(one.first(Quoted) for one in inside)
    if not part or any(
        one.first(Fragment) for one in said if one.start < match.end() and one.end > match.start()
    ):
        return None
    named = (groups.get("place") or "") in _NAMES
    if not quoted and any(_is_grammar(one, part) and not (named and one.says("plot")) for one in inside):
        return None
    columns: tuple[ColumnRef, ...] = ()
    place, first = groups.get("place") or "", _first(match)
    if "place" in groups:
        refs = [one for one in lexicon.terms.get(key(place), ()) if isinstance(one, ColumnRef)]
        columns = tuple(one for one in refs if one.strength >= 1.0)
        verb = match.string[first:start].lower().split()
        if not columns and place not in _NAMES:
            return None
        if not quoted and not {"with", "having", "has", "have", "without"} & set(verb):
            return None  # how many are there in title
    negated = denied or bool(groups.get("no"))
    if called := _CALLED.search(match.string, 0, first):
        noun = [one for one in said if one.start < called.end("noun") and one.end > called.start("noun")]
        if not any(one.all(ColumnRef) for one in noun):
            first, place = called.start(), called["noun"]
    meaning = Fragment(how, part, negated, columns, bool(place))
    return Mention(first, match.end(), match.string[first : match.end()], (meaning,))


def _first(match: re.Match[str]) -> int:
    """Where the words of the condition begin: `whose name contains` names a column that is still to be read."""
    start = match.start()
    whose = re.match(r"(?:that |which |whose |have an? |has an? )", match.string[start:], re.I)
    lead = match.string[start:]
    verb = re.search(
        r"(?:do|does|did|is|are|was|were) ?n[o']t |not |without |with |having |has |have |contain|includ|start|begin|end",
        lead,
        re.I,
    )
    if whose and whose.group().lower().startswith("whose") and verb:
        return start + verb.start()
    return start


def _is_grammar(mention: Mention, part: str) -> bool:
    """Words that are more than a part of a text: rows containing *missing* values, ending in *May*."""
    letter = len(part) == 1 and part.isalpha()
    for one in mention.meanings:
        if isinstance(one, Number | When | Unit | TableRef | RowNoun) and not letter:
            return True
        if isinstance(one, Cue) and not letter and one.kind in _MORE:
            return True
        if isinstance(one, ColumnRef) and one.strength >= 1.7 and not letter:
            return True
        if isinstance(one, Skip) and not letter and len(mention.meanings) == 1:
            return True
    return False
