"""Requests that close or reopen parts of the building, alone or before a question: Close the lift. How do I get to ...?

Clauses are read as changes one after the other; what remains is the question. Names of places go to the tools as they are
written.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from smoldesk.analyst.building.intents import BuildingQuestion, ToolCall
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.buildings.closures import is_closable
from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex

CLOSE, REOPEN = "close_passage", "reopen_passage"
CHANGES = (CLOSE, REOPEN)
# Tools that can answer as if some parts were closed.
AVOIDING = ("find_route", "nearest", "reachable_from", "evacuation")
_IS = (
    r"(?:is|are|gets?|was|were|has been|have been|will be)"
    r"(?: now| also| both| all| still| currently| temporarily| completely)*"
)
_OFF = (
    r"(?:closed|shut|locked|blocked|broken|down|unusable|out of (?:order|service|use)|under (?:repair|maintenance)"
    r"|off limits|not (?:working|usable|available)|jammed|stuck|flooded|sealed|(?:roped|cordoned) off|out of action)"
)
_FAILS = r"(?:closes|fails|stops working|breaks(?: down)?|broke(?: down)?)"
# A reason; what is closed for some people only is not closed.
_FOR = r"for (?!.*(?:wheelchair|users|visitors|guests|people|everyone|everybody)).+"
_WHEN = (
    rf"(?:today|tonight|tomorrow|{_FOR}|on(?! (?:the )?(?:\w+ )?(?:floor|level)\b| \d*[A-Za-z]?\d) .+"
    r"|(?:this|next|because|due to|as|since|while|during|by|until) .+|at the moment"
    r"|right now)"
)
_BRIEFLY = rf"(?:today|{_FOR}|because .+|due to .+|at the moment|right now)"
# Words of parts of a building: a reason beside the name of a place has none of them.
_PART = re.compile(
    r"doors?\b|entrance|exit|gate|stairs|lift|elevator|escalator|floor|level|side|hall|room|ドア|扉|戸|口|階"
    r"|エレベーター|側|フロア|wheelchair|users|visitors|guests|people|every|\d",
    re.IGNORECASE,
)
_MAX_CUTS = 12
# Words around the name of a place that change nothing.
_LEAD = re.compile(
    r"^(?:(?:never mind|now|ok(?:ay)?|so|then|and|but|please|right|great|thanks?(?: you)?|actually|also|well|hi|hello|hey|next"
    r"|first|finally"
    r"|all ?right|just|let'?s|instead|could you|can you|would you|can we"
    r"|(?:i|we)(?:'d like| want| need| have) to|we(?:'ll| will)?"
    r"|we(?:'re| are) (?:going to|about to))\b[ ,:]*)+"
    r"|^(?:both|all)(?: of)? (?:the )?(?=\w)|^(?:両方|すべて|全て|全部)の|^(?:では|じゃあ|それでは|それなら|次に"
    r"|さらに|それから|あと|また|今度は|代わりに|もし|仮に|すみません|今日は?|本日|現在|今)[、,]?\s*",
    re.IGNORECASE,
)
_TRAIL = re.compile(
    rf"(?:[ ,]+(?:as well|too|also|again|now|please|then|instead|any ?more|any longer|completely|temporarily|{_BRIEFLY}))+$"
    r"|(?:が?両方|も|だけ|全体|を?フロアごと|は|の(?:通行止め|閉鎖))+$",
    re.IGNORECASE,
)
_COMMANDS = (
    (CLOSE, re.compile(r"(?:close|shut|block|lock|seal)(?: off| down| up)? (?P<place>.+)", re.IGNORECASE)),
    (CLOSE, re.compile(r"(?:rope|cordon) off (?P<place>.+)", re.IGNORECASE)),
    (
        CLOSE,
        re.compile(
            r"(?:count|mark|treat|consider|keep|leave|take) (?P<place>.+?) (?:as )?(?:closed|shut|locked|blocked"
            r"|out of service)",
            re.IGNORECASE,
        ),
    ),
    (
        REOPEN,
        re.compile(r"(?:re-?open|unblock|unlock|open|restore)(?: up)? (?P<place>.+)", re.IGNORECASE),
    ),
    (REOPEN, re.compile(r"(?:remove|lift|clear) (?P<place>all|all of)(?: the)? closures", re.IGNORECASE)),
    (
        REOPEN,
        re.compile(r"(?P<place>undo|revert)(?: (?:that|it|this|the last (?:one|change|closure)))?", re.I),
    ),
)
_STATES = (
    (CLOSE, re.compile(rf"(?P<place>.+?) (?:{_IS} {_OFF}|{_FAILS})(?: (?:too|also|{_WHEN}))*", re.I)),
    (
        REOPEN,
        re.compile(
            r"(?P<place>.+?)(?: is| are|'s)? (?:(?:open|fixed|working|works?|repaired|available|usable|back|ready|dry)"
            r"(?: again| now)*"
            r"|back in service)",
            re.IGNORECASE,
        ),
    ),
)
# Whole requests in which a condition says what is closed, and the question, if it is not left out.
_CONDITIONS = (
    re.compile(
        rf"(?:and |so |but )?(?:what )?(?:if|when|once|suppose|assuming|say|imagine) (?P<place>.+?) (?:{_IS} {_OFF}|{_FAILS})"
        r"(?: too| also| as well)?(?:[,:.]? (?:then )?(?P<question>.+))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<question>.+?),? (?:if|when|while|once) (?P<place>.+?) (?:{_IS} {_OFF}|{_FAILS})(?: too| also)?",
        re.IGNORECASE,
    ),
)
# Only _SHUT begins with kana: it may not repeat beside [ぁ-ん], or the time to read would grow exponentially.
_OFFS = (
    "閉鎖|封鎖|通行止め|閉め|閉ま|閉じ|塞|止め|止ま|停止|運休|使え[なず]|使用(?:不可|停止|禁止)|通れ[なず]|故障|(?:点検|工事)(?!中?(?:で|のため|なので)(?:閉|封|通行|止|停|使))|施錠"
    "|立入禁止|立ち入り禁止|休止"
)
_SHUT = "ふさ|ロック"
_OPENING = "再開|開放|開け|解除|復旧|直り|直っ|(?<=に)戻し|通れるように|使えるように"
# Words by which a sentence may change what is closed.
CHANGE_WORDS = re.compile(
    r"\b(?:close|shut|block|lock|seal|unlock|unblock|re-?open|open|closed|blocked|locked|jammed|stuck|broken"
    r"|out of (?:service|order)"
    rf"|rope|cordon|undo|restore|save|keep|scenario)\b|{_OFFS}|{_SHUT}|{_OPENING}|保存|シナリオ",
    re.IGNORECASE,
)
# A Japanese clause: the place, the verb, and its ending; that of a condition has a group of its own.
_JAPANESE = [
    (
        tool,
        re.compile(
            r"(?P<place>[^。]*?)(?:[をもがはに]|だけ)*(?:今|現在|(?P<all>すべて|全て|全部))?"
            rf"(?:{verbs})(?![ぁ-ん]*(?:ない|ず|ません|なけれ))(?:[ぁ-ん中]|{_OFFS})*?"
            r"(?:(?P<condition>ても|でも|た場合(?:に)?は?|たとき(?:に)?は?|たら|だら|いとき(?:に)?は?|い場合(?:に)?は?|れば"
            r"|る場合(?:に)?は?|るとき(?:に)?は?|なら|ると|いと|だと)"
            r"|(?:ています|ました|ください|下さい|たい|ます|です|ので|て(?!い?(?:たら|れば|ると|るなら|る場合|るとき))|で|た|だ|る|(?<!て)い|$))"
            rf"(?:(?:{_OFFS})[ぁ-ん]*)?[、,。 ]*(?P<remainder>.*)"
        ),
    )
    for tool, verbs in ((REOPEN, _OPENING), (CLOSE, f"{_OFFS}|{_SHUT}"))
]
# What may follow a Japanese verb without being a question.
_AFTER = re.compile(
    r"(?:ください|下さい|います|いる|いて|いた|ある|おいて|ほしい|もらえますか|もらえる|くれますか|くれる"
    r"|お願いします|お願い|みて|から"
    r"|です|ました|ます|って|した|して|ので|ね|よ|し|、|。)*"
)
_ASKS = re.compile(
    r"(?:which|what|who|whose|how|where|is|are|does|do|can|any|no|if|when)\b|どの|どこ|何|誰", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?;。])\s*(?=\S)")
_NEXT = re.compile(
    r", (?:and )?then (?=\w)"
    r"|(?:, ?|;|,? (?:and then|and|then|but) )(?=(?:please |now |also )?(?:close|shut|lock|block|re-?open|open|undo"
    r"|which|what|who|how"
    r"|where|can|could|is|are|does|do|tell|show|give|compare|play)\b)",
    re.IGNORECASE,
)
# A reason before what follows from it; a question gives none.
_SO = re.compile(
    r"(?!(?:which|what|who|how|where|can|could|is|are|does|do)\b)[^?]*?,? (?:so|therefore)(?: please)?,? ",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"(?:and |so )?(?:now|again|what (?:now|then)|(?:the )?same (?:trip|way|route|question|thing)(?: again)?"
    r"|try again|check again)"
    r"|(?:それで|では|もう一度)?(?:同じ|確認|もう一度).*",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"everything|all(?: of (?:them|it))?|both|(?:all )?(?:the )?(?:closures|doors)"
    r"|(?:全部|すべて|全て|両方)(?:を|の)?(?:元|もと|通常|通行止め|閉鎖|封鎖)?|元|もと|通常|通行止め|閉鎖|封鎖",
    re.IGNORECASE,
)
# Words for what was closed last, of which some mean the first or the last part of it.
_THAT = re.compile(
    r"(?:the )?(?P<first>first|最初の)? ?(?:last|second|latest|最後の|2つ目の)? ?"
    r"(?:it|them|that|this|undo|revert|both|(?:that |those |this )?(?:doors?|one|ones)|それ|そこ|(?:その"
    r"|あの)?(?:ドア|扉|もの|ほう|方))",
    re.IGNORECASE,
)
# What names no place: there are 500 people and the lift.
_CLAUSE = re.compile(
    r"(?:とき|時|場合|たら|なら)[、,]|\b(?:there (?:is|are)|people|persons)\b|人(?:が|は|で|いて)",
    re.IGNORECASE,
)
_ITS = re.compile(r"\bits (?=(?:fixed|open|working|broken|closed|shut|locked|repaired)\b)", re.IGNORECASE)
_DESCRIBED = re.compile(r"[^\x00-\x7f]+(?<![とや、])(?=[A-Za-z])")
_BRACKETS = re.compile(r"\s*[(（][^()（）]*[)）]")
# Where a reason or a time may begin.
_REASON = re.compile(
    r",? (?:for|because|due to|since|while|during|until)\b"
    r"|, (?:as|(?:and )?there(?:'s| is| are| was| has)|it(?:'s| is| has)|they(?:'re| are| have)|we(?:'re| are| have))\b",
    re.IGNORECASE,
)
# A Japanese place with a reason before the verb: Hallwayも床工事で, Kitchenは今日休みなので.
_REASON_AFTER = re.compile(r"(?P<name>.+?)[をもはが](?P<reason>[^を、]{1,20}(?:で|ので|ため|から))")
# A number that says all of them: エレベーターを2基とも.
_ALL_OF = re.compile(r"(?P<name>.+?)[をはが]?(?P<count>\d+)[基台つ室]とも?")
_BECAUSE = re.compile(r"(?:ので|から|ため|ですが|が)[、,]|ので|(?<=[たい])から")
POLITE = re.compile(
    r"\b(?:can|could|would|will|please)\b|くれ|もらえ|ください|下さい|いただけ", re.IGNORECASE
)
_SEVERAL = re.compile(r"them|both|doors|ones|両方", re.IGNORECASE)


@dataclass(frozen=True)
class ChangedRequest:
    """Changes of closures, and what is asked after them: nothing (None), or the question before if it is empty.

    A part that a condition closes is avoided by the question's call, and stays open in the chat.
    """

    changes: tuple[ToolCall, ...]
    question: str | None
    avoided: str = ""


@dataclass(frozen=True)
class _Clause:
    tool: str
    place: str
    remainder: str
    # "The lift is broken": what was asked before may have another answer now.
    is_statement: bool


def sentence_of_request(text: str) -> str:
    """Return a request in the form that the patterns read: NFKC, one line, straight apostrophes, no marks at its ends."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split()).strip(" .!?。").replace("’", "'")
    return _ITS.sub("it is ", plain)


def closed_after(closed: tuple[str, ...], calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """Return the texts of what is closed after calls, the last one last."""
    for call in calls:
        place = str(dict(call.arguments).get("place", ""))
        remaining = tuple(text for text in closed if _without_article(text) != _without_article(place))
        if call.tool == REOPEN:
            closed = remaining if place else ()
        elif call.tool == CLOSE:
            closed = (*remaining, place)
    return closed


def _without_article(text: str) -> str:
    """Return the common form of a name's spellings, without an article."""
    return fold(text).removeprefix("the ")


def read_changes(text: str, building: BuildingSchema, tools: frozenset[str]) -> ChangedRequest | None:
    """Return the changes that a request begins with, and the remainder; None if it has none.

    "It" is what the chat closed last.
    """
    if not {*CHANGES} <= tools:
        return None
    remainder = sentence_of_request(text)
    for place, question in conditions_in(remainder):
        if change := _change(CLOSE, place, building, ()):
            return ChangedRequest((), _question(question), str(dict(change.arguments)["place"]))
    changes: list[ToolCall] = []
    closed = building.closed
    is_statement, is_question = False, text.strip().endswith(("?", "？"))
    while remainder:
        # It is fixed, open it again: both mean the same.
        meant = closed or [str(dict(change.arguments).get("place", "")) for change in changes[-1:]]
        clauses = (
            (clause, _change(clause.tool, clause.place, building, meant)) for clause in _clauses(remainder)
        )
        clause, change = next(((clause, change) for clause, change in clauses if change), (None, None))
        if clause is None or change is None:
            break
        # "The lift is closed?" asks, and closes nothing.
        if is_question and not clause.remainder and not POLITE.search(remainder):
            break
        changes += [change] if change not in changes[-1:] else []
        closed = closed_after(closed, (change,))
        remainder, is_statement = clause.remainder, clause.is_statement
    question = _question(remainder) if remainder else "" if is_statement else None
    return ChangedRequest(tuple(changes), question) if changes else None


def conditions_in(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the readings of a sentence as a place that would be closed, and a question, empty if it is left out."""
    for pattern in _CONDITIONS:
        if (match := pattern.fullmatch(sentence)) and not _CLAUSE.search(match["place"]):
            yield _bare(match["place"]), match["question"] or ""
    match = _JAPANESE[-1][1].fullmatch(sentence)
    if match and match["condition"] and not _CLAUSE.search(match["place"]):
        yield _bare(match["place"]), _after(match["remainder"])


def after_changes(changed: ChangedRequest, question: object) -> BuildingQuestion | None:
    """Return a question with the changes before it, or the last change if nothing is asked; None for other intents."""
    if changed.question is None:
        *first, last = changed.changes
        return BuildingQuestion(last.tool, last.arguments, tuple(first))
    if not isinstance(question, BuildingQuestion) or question.tool in CHANGES:
        return None
    if changed.avoided:
        return avoiding(question, [changed.avoided])
    compared = (call for call in question.first if call.tool not in CHANGES)
    return replace(question, first=(*changed.changes, *compared))


def avoiding(call: BuildingQuestion, places: Sequence[str]) -> BuildingQuestion | None:
    """Return a call that does without some places, besides those that it avoids already; None if it cannot."""
    if call.tool not in AVOIDING:
        return None
    arguments = dict(call.arguments)
    avoided = dict.fromkeys(filter(None, (str(arguments.get("avoid", "")), *places)))
    return replace(call, arguments=tuple({**arguments, "avoid": ", ".join(avoided)}.items()))


def _clauses(text: str) -> Iterator[_Clause]:
    """Yield the readings of a text's beginning as a clause that closes or reopens something."""
    starts = [0, *(match.end() for match in _BECAUSE.finditer(text))]
    for start in starts[:_MAX_CUTS]:
        for tool, pattern in _JAPANESE:
            if (match := pattern.fullmatch(text[start:])) and not (
                remainder := _after(match["remainder"])
            ).startswith("か"):
                is_statement = text[start + match.end("place") :].startswith("が")
                yield _Clause(tool, _bare(match["place"]) or match["all"] or "", remainder, is_statement)
    end = _SENTENCE.search(text)
    sentence, later = (text[: end.start()], text[end.end() :]) if end else (text, "")
    cuts = [(match.start(), match.end()) for match in _NEXT.finditer(sentence)]
    for start, stop in (*cuts, (len(sentence), len(sentence))):
        clause = sentence[:start]
        reason = _SO.match(clause)
        for part in (clause, clause[reason.end() :]) if reason else (clause,):
            for number, (tool, pattern) in enumerate((*_COMMANDS, *_STATES)):
                if match := pattern.fullmatch(_bare(part)) or pattern.fullmatch(
                    _LEAD.sub("", part.strip(" .!?。、,"))
                ):
                    remainder = " ".join((sentence[stop:], later)).strip()
                    yield _Clause(tool, _bare(match["place"]), remainder, number >= len(_COMMANDS))


def _bare(text: str) -> str:
    """Return a text without the words around it that change nothing."""
    text = text.strip(" .!?。、,")
    return _TRAIL.sub("", _LEAD.sub("", text)).strip(" .!?。、,")


def _after(remainder: str) -> str:
    """Return what follows a Japanese verb, empty if it only belongs to the verb."""
    cut = _AFTER.match(remainder)
    return remainder[cut.end() :].strip() if cut else remainder


def _change(
    tool: str, place: str, building: BuildingSchema, closed: Sequence[str]
) -> BuildingQuestion | None:
    """Return the call that closes or reopens a place; None if the plan has no such place."""
    if that := _THAT.fullmatch(place or ("it" if tool == REOPEN else "")):
        if not closed:
            return None
        place = _meant(that, place, closed)
    elif tool == REOPEN and _ALL.fullmatch(place):
        return BuildingQuestion(tool)
    places = building.places
    if places is None or _ASKS.match(place) or _CLAUSE.search(place):
        return None
    place_name = next((text for text in _cut_down(place, places) if is_closable(places, text)), None)
    return BuildingQuestion(tool, (("place", place_name),)) if place_name else None


def _cut_down(text: str, places: PlaceIndex) -> Iterator[str]:
    """Yield a text without reasons and times beside the name of a place, or as it is: for cleaning, 工事で.

    What stands behind a comma may be a reason or a place of a list, so the text without it comes first.
    """
    inside = [part.strip("()（） ") for part in _BRACKETS.findall(text)]
    is_on_floor = any(places.floor_ids(part) for part in inside)  # 廊下（2階） is not every corridor
    plain = text if is_on_floor else _BRACKETS.sub("", text).strip()
    without = list(_without_reasons(text, places))
    yield from (cut for cut in without if text[len(cut) :].startswith(","))
    yield text
    if plain != text:
        yield plain
    if described := _DESCRIBED.match(plain):  # 地下の廊下FLUR-1-1
        yield plain[described.end() :]
    if (match := _ALL_OF.fullmatch(plain)) and int(match["count"]) == _count_of(match["name"], places):
        yield match["name"]
    yield from without
    yield from _without_reasons(plain, places)


def _without_reasons(text: str, places: PlaceIndex) -> Iterator[str]:
    """Yield a text without the clauses behind its place that name no part of the plan."""
    cuts = [(match["name"], match["reason"]) for match in [_REASON_AFTER.fullmatch(text)] if match]
    starts = [match.start() for match in _REASON.finditer(text)]
    for name, reason in (*cuts, *((text[:at], text[at:]) for at in starts[::-1][:_MAX_CUTS])):
        words = re.findall(r"\w+", reason)[:_MAX_CUTS]
        if not _PART.search(reason) and not any(places.named(word) or places.kind(word) for word in words):
            yield _bare(name)


def _count_of(name: str, places: PlaceIndex) -> int:
    """Return how many lifts, stairs or rooms there are of a kind."""
    kind = places.kind(name)
    links = [link for link in places.definition.links or () if link.kind == kind]
    return len(links or places.by_kind.get(kind or "", ()))


def _meant(that: re.Match[str], text: str, closed: Sequence[str]) -> str:
    """Return the closed places that a word such as "it" means: the last one, the first one, or all."""
    if that["first"]:
        return closed[0]
    return ", ".join(closed) if _SEVERAL.search(text) else closed[-1]


def _question(text: str) -> str:
    text = text.strip(" 、,")
    return "" if _SAME.fullmatch(text.strip(" .!?。")) else text
