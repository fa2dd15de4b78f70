"""Errands in English: pay somebody, where am I, the BGM, the weather. A request becomes clauses, each read on its own."""

import re
from bisect import bisect_right

from smoldesk.analyst.errands.payments_english import (
    JOINED,
    NO_NAME,
    PAY,
    QUOTED,
    IsData,
    Outcome,
    read_payment,
)
from smoldesk.analyst.intents import (
    Music,
    Refusal,
    Weather,
    Whereabouts,
)
from smoldesk.analyst.words.money import MONEY, NUMBER, read_number

_POLITE = (
    r"(?:(?:please|kindly|now|first|then|also|ok|okay|hello|hi|hey|(?:can|could|would|will) you(?: please)?|let's|let us"
    r"|i(?:'d| would) like(?: you)? to|i (?:want|need)(?: you)? to|go ahead and)[,!]? )*"
)
_THANKS = re.compile(
    r"(?:,? (?:please|now|right now|right away|at once|immediately|asap|thanks|thank you|for me))+$", re.I
)
_HELLO = re.compile(r"^(?:(?:hello|hi|hey|good (?:morning|evening|afternoon))(?: there)?[,!. ]+)+", re.I)
_NAME_WORD = r"(?:[^\s,;]+)"
_NEXT = re.compile(
    rf"{_POLITE}(?:{PAY}\b|what|how|where|locate|find|get|check|show|tell|(?:the )?weather\b|is it\b"
    rf"|change|set\b|switch|play|stop|turn|mute|pause|my |average|plot|draw|highlight|list\b|count)",
    re.I,
)
_MORE_MONEY = re.compile(rf"(?:to )?{MONEY}|(?:{_NAME_WORD} ){{1,3}}{MONEY}")
_JOINT = re.compile(r"(?:\s*[,;.!?]\s+|\s+)(?:and then|and also|and|then|also|plus|&)\s+|\s*[,;.!?]\s+")

_NOW = r"(?: (?:now|right now|today|currently|at the moment|outside|like|looking))"
_ASK = r"(?:(?:what|how)(?:'s| is|s)?|tell me|show me|show|give me|get|check|look up|find|report|do you know|and)"
_THE_WEATHER = (
    r"(?:the |today's |current |about |what |how )*weather(?: conditions| report| forecast)?(?: is)?"
)
_WEATHER = re.compile(
    rf"(?:{_ASK} )?{_THE_WEATHER}{_NOW}*(?:,? (?:(?:in|at|for|of|around|near) |(?-i:(?=[A-Z])))(?P<city>.+?))?{_NOW}*",
    re.I,
)
_ITS_WEATHER = re.compile(rf"(?:{_ASK} )?(?:the )?(?P<city>[^,]+?)(?:'s)? weather(?: is)?{_NOW}*", re.I)
_SKY = r"(?:raining|rainy|snowing|snowy|sunny|cloudy|windy|foggy|clear|hot|cold|warm|cool|humid)"
_IS_IT = re.compile(rf"is it {_SKY}{_NOW}* (?:in|at) (?P<city>.+?){_NOW}*", re.I)
_LATER = re.compile(r"\b(?:tomorrow|tonight|yesterday|forecast|(?:this|next|last) \w+|will|later)\b", re.I)

_HERE = re.compile(r"(?:(?:my|our|your|this|that)\b|(?:here|there|it)$)", re.I)

_CALLED_THE = "netherlands|hague|philippines|bahamas|maldives|bronx|uk|us|usa|uae|gambia|congo|alps"
_NO_PLACE = re.compile(rf"(?:an?|any|some) |the (?!(?:{_CALLED_THE})\b)(?-i:[a-z])", re.I)
"""A walk, the museum: a place is a name."""

_MY_PLACE = r"(?:my|our) (?:current |exact |present )?(?:location|position|coordinates|whereabouts|place)"
_WHERE = re.compile(
    rf"(?:(?:{_ASK}|where is|where's) )?{_MY_PLACE}(?: is)?{_NOW}*"
    rf"|(?:(?:tell me|find out|do you know|find) )?where (?:am i|are we|i am|we are)(?: located)?{_NOW}*|locate me{_NOW}*",
    re.I,
)

_BGM = r"(?:the |some |a )?(?:background )?(?:bgm|music|song|track|tune|soundtrack)"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_TRACK = rf"(?:number |no\.? ?|# ?|num )?(?P<track>{NUMBER}|off|none|silence)"
_SET = re.compile(
    rf"(?:(?:change|set|switch|turn|put)(?: {_BGM})?(?: over)? (?:to|into|on) |(?:play|start|put on|use) |(?=(?:bgm|music)\b))"
    rf"(?P<noun>{_BGM} )*{_TRACK}(?: (?:as|for) {_BGM})?",
    re.I,
)
_SET_ORDINAL = re.compile(
    rf"(?:play|put on|(?:change|switch|set)(?: {_BGM})? to) the (?P<nth>{'|'.join(_ORDINALS)}) (?:track|song|bgm|tune)",
    re.I,
)
_STOP = re.compile(
    rf"(?:stop|pause|mute|silence|end|turn off|switch off|shut off)(?: playing)? {_BGM}"
    rf"|(?:turn|switch|shut) {_BGM} off|{_BGM} off|stop playing|mute",
    re.I,
)
_SOME_MUSIC = re.compile(
    rf"(?:change|play|start|switch|set|put on|turn on|resume|turn)\b.*\b(?:bgm|music)\b.*|play {_BGM}", re.I
)


def clauses(text: str) -> list[str]:
    """The parts of a request that may each be an errand; `and` inside a name or a description does not part them."""
    text = _HELLO.sub("", text.strip()).rstrip("?!. ")
    masked = QUOTED.sub(lambda quote: "q" * len(quote[0]), text)
    sums = [found.end() for found in re.finditer(MONEY, masked)]
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(masked):
        at = bisect_right(sums, joint.start())
        said_money = at > 0 and sums[at - 1] > start
        if _NEXT.match(masked, joint.end()) or (said_money and _MORE_MONEY.match(masked, joint.end())):
            parts.append(text[start : joint.start()])
            start = joint.end()
    return [*parts, text[start:]]


def read_clause(clause: str, follows_payment: bool, is_data: IsData) -> Outcome:
    """What one clause asks for."""
    bare = re.sub(rf"^{_POLITE}", "", clause.strip(), flags=re.I)
    bare = _THANKS.sub("", bare).strip()
    if verb := re.match(rf"{PAY}\b", bare, re.I):
        return read_payment(verb[0], bare[verb.end() :].strip(), is_data)
    if follows_payment and re.search(MONEY, bare):
        return read_payment("pay", bare, is_data)
    if _WHERE.fullmatch(bare):
        return [Whereabouts()]
    return _music(bare, is_data) or _weather(bare, is_data)


def _music(text: str, is_data: IsData) -> Outcome:
    if _STOP.fullmatch(text):
        return [Music(0)]
    if match := _SET_ORDINAL.fullmatch(text):
        return [Music(_ORDINALS[match["nth"].lower()])]
    if (match := _SET.fullmatch(text)) and re.search(_BGM, text, re.I):
        track = match["track"].lower()
        value = 0.0 if track in ("off", "none", "silence") else read_number(track)
        return (
            [Music(int(value))]
            if value.is_integer()
            else Refusal("incomplete", ("track",), (match["track"],))
        )
    if _SOME_MUSIC.fullmatch(text) and not is_data(text):
        return Refusal("incomplete", ("track",))
    return None


def _weather(text: str, is_data: IsData) -> Outcome:
    match = _WEATHER.fullmatch(text) or _IS_IT.fullmatch(text)
    if match is None and (its := _ITS_WEATHER.fullmatch(text)):
        match = None if is_data(its["city"]) or its["city"].lower() in ("the", "is") else its
    if match is None:
        return None
    if later := _LATER.search(text):
        return Refusal("later", (later[0],))
    cities = [city for city in JOINED.split(match["city"] or "") if city and not _HERE.match(city)]
    words = [word for city in cities for word in city.lower().split()]
    if is_data(" ".join(["weather", *cities])) or any(word in NO_NAME for word in words):
        return None
    if any(_NO_PLACE.match(city) for city in cities):
        return None
    return [Weather(city) for city in cities] if cities else Refusal("incomplete", ("city",))
