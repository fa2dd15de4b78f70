"""Patterns of English requests about how many rows each thing has: numbers, signs, verbs."""

import re

from smoldesk.analyst.intents import Aggregate, Comparison

LONGEST = 200
"""A longer request asks for more than this."""
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SIGNS: dict[str, Comparison] = {
    "more than": ">", "greater than": ">", "over": ">", "above": ">", "at least": ">=", "no fewer than": ">=",
    "no less than": ">=", "not less than": ">=", "a minimum of": ">=", "less than": "<", "fewer than": "<", "under": "<",
    "below": "<", "at most": "<=", "no more than": "<=", "not more than": "<=", "up to": "<=", "a maximum of": "<=",
    "exactly": "==", "precisely": "==", "only": "==", "just": "==",
}  # fmt: skip
AFTER: dict[str, Comparison] = {
    "+": ">=", " plus": ">=", " or more": ">=", " and more": ">=", " or less": "<=", " or fewer": "<=", "": "==",
}  # fmt: skip
_N = rf"(?P<n>\d{{1,6}}|{'|'.join(WORDS)}|a single)(?P<after>\+| plus\b| (?:or|and) more\b| or (?:less|fewer)\b)?"
_SIGN = rf"(?:(?P<sign>{'|'.join(SIGNS)}) )?"
_MANY = "(?P<many>multiple|several|more than a single)"
_OFTEN = (
    rf"(?:{_SIGN}(?:(?P<once>once|twice|thrice)|{_N} times?(?P<later> or more| or fewer| or less)?)"
    r"|(?P<many>multiple times|several times|repeatedly|on several occasions|on multiple occasions))"
)
LEAD = (
    r"(?:please |can you |could you )*(?:(?P<share>(?:what |which )?(?:share|per ?cent(?:age)?|%|proportion|fraction) of"
    r"(?: all| the| our| my)*) |(?:how many|(?:the |total )*number of|count(?: how many)?)"
    r"(?: of)?(?: the| our| my| different)* "
    r"|(?:which|what|list|show(?: me)?|find(?: me)?|give me|get(?: me)?|name|tell me|identify|display)(?: of)?"
    r"(?: all| which| the| our| my| any)* |(?:are there|do we have|have we got|is there)(?: any| some)? "
    r"|(?:do|did|have|has) any )?"
    r"(?:all |the |any )*"
)
_AUX = r"(?:have|has|had|having|with|got|did|do|does|were|was|are|is|been|ever|each|made|make|we've|we|i|they|us|our)"
_LINK = rf"(?: (?:who|that|which|whom)(?:'ve)?)?(?P<aux>(?: {_AUX})*)"
_VERB = r"(?P<verb> [a-z-]+(?: (?:for|in|to|by|at|from|up|on))?)??"
WITH_ROWS = re.compile(
    rf"{LEAD}(?P<thing>\w[\w /&-]*?){_LINK}{_VERB} (?:{_SIGN}{_N}|{_MANY}) (?P<noun>[a-z].*)", re.I
)
TIMES = re.compile(
    rf"{LEAD}(?P<thing>\w[\w /&-]*?){_LINK} (?P<verb>[a-z-]+)(?P<object>(?: [\w'-]+){{0,4}}?) {_OFTEN}(?P<rest>(?: .+)?)",
    re.I,
)
REPEAT = re.compile(
    rf"{LEAD}(?:(?P<word>repeat|returning|recurring|one[- ](?:time|off)) (?P<thing>[a-z][\w ]*?)"
    r"|(?P<thing2>[a-z][\w -]*?)(?: (?:who|that|which))?(?: have| had| has)? "
    r"(?:(?:came|come|coming|keep coming|kept coming) back"
    r"|(?P<verb>ordered|bought|purchased|booked|visited|came|shopped) again))"
    r"(?: (?:do|did|have) (?:we|i|they)(?: have| had| got)?"
    r"|(?: are)? there)?(?P<rest>(?: (?:in|during|since|from|for|by|this|last|on) .+)?)",
    re.I,
)
ARE_REPEAT = re.compile(
    rf"{LEAD}(?P<thing>[a-z][\w ]*?) (?:are|were|is|was) (?:a )?"
    r"(?P<word>repeat|returning|recurring|one[- ](?:time|off))(?: [a-z]+)?",
    re.I,
)
OCCURS = (
    "occur", "occurs", "appear", "appears", "repeat", "repeats", "exist", "exists", "listed", "recorded", "entered", "found",
    "registered", "present",
)  # fmt: skip
"""Verbs of values that come again, which a look at the table tells."""
FIGURES: dict[str, Aggregate] = {
    "average": "mean", "mean": "mean", "avg": "mean", "typical": "mean", "median": "median", "max": "max", "maximum": "max",
    "min": "min", "minimum": "min",
}  # fmt: skip
_EACH = r"(?:per|for each|for every|for a|by each|each|of each|of every)"
_FIGURE = rf"(?P<figure>{'|'.join(FIGURES)})"
PER = re.compile(
    rf"(?:(?:what(?:'s|s| is| was| are)|show(?: me)?|find|calculate|compute|give me) )?(?:the |our )?{_FIGURE} "
    rf"(?P<counted>(?:number|count|no\.?|amount) of )?(?P<noun>[a-z][\w -]*?) (?:{_EACH}|by) (?P<thing>[a-z].*)",
    re.I,
)
ON_AVERAGE = re.compile(
    rf"(?:how many |(?:the )?number of )?(?P<noun>[a-z][\w -]*?)(?: (?:are|were|is|was) there)? {_EACH} "
    r"(?P<thing>[a-z][\w ]*?)(?: (?:are|were) there)?,? (?:on|in) average(?P<rest>(?: (?:in|during|since|from|for) .+)?)",
    re.I,
)
DOES = re.compile(
    r"(?P<first>on average,? )?how many (?P<noun>[a-z][\w -]*?) (?:does|do|did|has|have|is|are|was|were) "
    r"(?:(?P<one>the (?:average|typical|median)|an average|a typical|each|every|an?|one|our|the) )?(?P<thing>[a-z][\w ]*?)"
    r" (?P<verb>[a-z]+)(?P<rest>(?: (?:in|during|since|from|for) .+?)?)(?P<last>,? on average| in the mean)?",
    re.I,
)
_STOP_WORDS = (
    "who that which with have has had than average total not never no without any of is are was were did do does least most "
    "more less fewer and or per each every if when where how why rows by at from to"
)
STOPS = frozenset(_STOP_WORDS.split())
_PLACE_WORDS = (
    "before after between since until till during within on in into onto for about around near through across over under above "
    "below past against top first last next around per"
)
_PLACES = frozenset(_PLACE_WORDS.split())
HEAD = re.compile(
    r"^(?P<head>.*?)(?P<rest> (?:in|on|at|from|for|by|with|during|since|before|after|between|of|this|last|that"
    r"|which|who|where)\b.*)?$"
)
TAIL = re.compile(
    r"(?:,? and (?:how many|what are they|who are they)\b.*| each| in total| overall| altogether| so far"
    r"| with us| from us| in all)$",
    re.I,
)
BEFORE = re.compile(
    r"^((?:in|during|since|on|for|from) [\w ]+?),? (?=(?:which|who|how many|what|list|show)\b)", re.I
)
RATE = re.compile(r"^ (?:a|an|per|each|every|in a row|as (?:many|much|often)|more|less|fewer|the)\b", re.I)
NO_VERBS = STOPS | _PLACES | frozenset(word for sign in SIGNS for word in sign.split())
NO_ROWS = re.compile(
    r"(?:times?|percent|or|and|than|to|of|in|am|pm|oclock|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"|hours?|minutes?|mins?|seconds?|days?|weeks?|months?|years?|km|kg|cm|mm|metres?|meters?|miles?|dollars?|euros?|pounds?|yen)\b",
    re.I,
)
"""What follows a number that counts no rows: a date, a unit."""
_DENIED_WORDS = "not never no without than more less most least average"
DENIED = frozenset(_DENIED_WORDS.split())
