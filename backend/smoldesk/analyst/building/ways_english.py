"""The English of ways: "how do I get from Room1 to the meeting room without stairs", "the nearest toilet from the Library"."""

import re

from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.place_words import floor_of, is_place

Asked = tuple[str, str, str, bool, tuple[str, ...], bool]
Limits = tuple[bool, tuple[str, ...], str]
"""Whether the way must be free of steps, what is closed, and the words that are left."""

_STEPS = r"(?:stairs?|steps?|staircases?|stairways?)"
_STEPLESS = re.compile(
    rf"\b(?:without|avoiding|avoid|not using|no|not by|not via)(?: (?:using|taking|climbing|any|the|to))* {_STEPS}\b"
    rf"|\b(?:by|with|in|for|using)(?: (?:a|my))? (?:wheelchairs?|pram|stroller)(?: users?)?\b|\bwheelchair[- ]accessible\b"
    rf"|\baccessible\b|\bstep[- ]free\b|\bbarrier[- ]free\b|\bi (?:can'?t|cannot) (?:use|take|climb) (?:the )?{_STEPS}\b",
    re.I,
)
_CLOSED = re.compile(
    r"(?:^|[,;.?!]\s*|\s+(?=(?:if|when|while|because|since|assuming|though|as|but|and) ))"
    r"(?:(?:and|but|if|when|while|as|because|since|assuming|though) )?(?:the )?"
    r"(?P<what>[\w'()-]+(?: [\w'()-]+){0,3}?) (?:is|are|being) "
    r"(?:closed|broken|blocked|out of (?:order|service)|not (?:working|running|available)|down|locked|shut)(?: today| now)?\b",
    re.I,
)
_AVOIDED = re.compile(
    r"[,;]?\s*\b(?:and |but )?(?:without|avoiding|avoid|not through|not via|not by)"
    r"(?: (?:using|taking|going through|passing|through))*"
    r" (?:the )?(?P<what>[\w '()-]+?)(?=$|[,;.]| (?:and|but|from|to)\b)",
    re.I,
)
_GO = (
    r"(?:please )?(?:(?:can|could|would) you )?(?:please )?"
    r"(?:(?:show|tell|give|find|draw|plan|calculate)(?: me| us)? )?(?:me )?(?:"
    r"how (?:do|can|would|should|could|to) (?:i |we |you |one )?(?:get|go|walk|come|reach|find my way|move)"
    r"|(?:what(?:'s| is) )?(?:the |a |an )?(?:(?:shortest|quickest|fastest|best|easiest) )?(?:way|route|path|directions?)"
    r"|(?:take|lead|guide|navigate|bring|get) (?:me|us)|navigate"
    r"|(?:i |we )?(?:want|need|would like|'d like|have) to (?:get|go|walk)"
    r"|walk|go|i am going|getting)"
)
_FROM_TO = re.compile(
    rf"{_GO}(?: (?:us|me|there))?,? from (?P<start>.+?) (?:to|into|over to) (?P<goal>.+)", re.I
)
_TO_FROM = re.compile(rf"{_GO}(?: (?:us|me))? (?:to |into )?(?P<goal>.+?) from (?P<start>.+)", re.I)
_TO = re.compile(rf"{_GO}(?: (?:us|me))? (?:to |into )?(?P<goal>.+)", re.I)
_BARE = re.compile(r"from (?P<start>.+?) to (?P<goal>.+)", re.I)
_ASK = (
    r"(?:(?:please )?(?:(?:can|could) you )?(?:show|tell|give|find)(?: me| us)? "
    r"|where(?:'s| is| are) |which is |what(?:'s| is) )?"
)
_NEAREST = re.compile(
    rf"{_ASK}(?:the |my |a )?(?P<goal>(?:nearest|closest) [\w' -]+?)(?:,? (?:from|to|near|for) (?P<start>.+))?",
    re.I,
)
_NEAR = re.compile(
    rf"{_ASK}(?:the |a |which )?(?P<goal>[\w' -]+?) (?:is )?(?:that is )?(?:nearest|closest)(?: (?:to|from) (?P<start>.+))?",
    re.I,
)
_WHERE = re.compile(
    r"(?:(?:please )?(?:can you |could you )?(?:tell|show) me )?"
    r"where(?:'s| is| are| do i find| can i find) (?P<goal>.+?)(?: is| are)?"
    r"|on (?:which|what) floor (?:is|are) (?P<goal2>.+)",
    re.I,
)
_LIST = re.compile(
    r"(?:please )?(?:(?:which|what) rooms (?:are|do we have|exist|can i find)(?: there)?|(?:list|tell me|name|give me)(?: me)?"
    r"(?: all)?(?: of)?(?: the)? rooms(?: there are)?|what(?:'s| is)(?: there)?(?= on)|(?:the )?(?:list of )?(?:all )?(?:the )?"
    r"rooms(?= (?:on|of|in)))(?: (?:on|of|in|at) (?P<floor>.+))?",
    re.I,
)
_WHOLE = (
    "",
    "the building",
    "this building",
    "all floors",
    "every floor",
    "building",
    "the whole building",
    "here",
)


def read_english(text: str, catalogue: Catalogue) -> Asked | None:
    """What a tidied request asks about the building, as the fields of read_ways.Asked."""
    if listed := _LIST.fullmatch(text):
        floor = (listed["floor"] or "").strip()
        if floor.lower() in _WHOLE:
            return ("list_rooms", "", "", False, (), True)
        found = floor_of(floor, catalogue)
        return ("list_rooms", "", found, False, (), True) if found else None
    accessible, avoid, rest = limits(text)
    for pattern in (_NEAREST, _NEAR):
        if (near := pattern.fullmatch(rest)) and is_place(near["goal"], catalogue):
            goal = near["goal"] if pattern is _NEAREST else f"nearest {near['goal']}"
            return ("route", near["start"] or "", goal, accessible, avoid, False)
    for pattern in (_FROM_TO, _TO_FROM):
        if (way := pattern.fullmatch(rest)) and (
            is_place(way["start"], catalogue) or is_place(way["goal"], catalogue)
        ):
            return ("route", way["start"], way["goal"], accessible, avoid, True)
    if (way := _TO.fullmatch(rest)) and is_place(way["goal"], catalogue):
        return ("route", "", way["goal"], accessible, avoid, False)
    if (way := _BARE.fullmatch(rest)) and all(is_place(way[end], catalogue) for end in ("start", "goal")):
        return ("route", way["start"], way["goal"], accessible, avoid, True)
    if where := _WHERE.fullmatch(text):
        return ("where_is", "", where["goal"] or where["goal2"], False, (), False)
    return None


def limits(text: str) -> Limits:
    """What a way must keep to, taken out of the words."""
    avoid: list[str] = []

    def closed(match: re.Match[str]) -> str:
        names = re.split(r",\s*|\s+and\s+", match["what"].strip())
        avoid.extend(re.sub(r"^the ", "", name) for name in names if name)
        return " "

    text = _CLOSED.sub(closed, text)
    stepless = _STEPLESS.search(text) is not None
    text = _STEPLESS.sub(" ", text)
    text = _AVOIDED.sub(closed, text)
    return stepless, tuple(avoid), re.sub(r"\s+", " ", text).strip(" ,;.?!")
