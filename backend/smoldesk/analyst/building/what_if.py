"""Questions about closures, reach, scenarios and an evacuation: words decide the tool, and slots give its arguments.

Slots are who travels, how long, from where, to where, and how many people. A word that nothing uses is named, so a question
is answered completely or declined.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from smoldesk.analyst.building.changes import closable_part, conditions_in, sentence_of_request
from smoldesk.analyst.building.intents import BuildingQuestion, Scalar
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.units import key_of
from smoldesk.buildings.evacuation.exits import find_exits
from smoldesk.buildings.names import fold
from smoldesk.errors import NotFound

EVACUATION, REACH, COMPARE = "evacuation", "reachable_from", "compare_scenarios"
# Leaving as such, and with it words for an exit, which may only name a place.
_LEAVE = r"(?:evacuat|\bescap|\bway out\b|\bget(?:s|ting)? out\b|避難|脱出|逃げ|(?:外|屋外)[にへ]出)"
_OUT = rf"(?:{_LEAVE}|\bexits?\b|\bout of (?:the|this) building|\bleav(?:e|es|ing) the building|\b(?:is|are) out\b|出口)"
_CANNOT = r"(?:can(?:not|'t| not)|can \w+ (?:not|no longer)|(?:can )?no longer|could(?:n't| not)|unable to|(?:have|has) no)"
_ASKS = r"(?:which|what|who|where|how|anyone|anybody|any|list|show|is|are|どこ|どの|どれ|誰|だれ|何|部屋|場所|人|は$|か$)"
_CUT_OFF = (
    r"(?:cut[ -]?off|unreachable|not reachable|inaccessible|stranded|isolated|trapped"
    rf"|{_CANNOT} (?:\w+ )?(?:be )?(?:still )?(?:get to|go to|reach(?:ed)?|access(?:ed)?|get into|enter)|孤立"
    r"|(?:行け|到達でき|たどり着け|入れ|使え|アクセスでき|辿り着け)(?:な(?:い|く)|ません)|到達不能|取り残され|分断)"
)
_MOST = r"(?:一番|いちばん|最も|もっとも)"
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "half a": 0.5}
_MINUTES = re.compile(
    rf"(?:(?:with)?in |under |at most |less than )?(?:about )?(?P<n>\d+(?:\.\d+)?|{'|'.join(sorted(_NUMBERS, reverse=True))})"
    r"[ -]?(?P<unit>min(?:ute)?s?|sec(?:ond)?s?)\b(?:'s?)?(?: or less)?(?: walk(?:ing)?)?"
    r"|(?P<count>\d+(?:\.\d+)?)(?P<of>分|秒)(?:以内|間)?[でにの]?",
    re.IGNORECASE,
)
_PROFILES = (
    ("wheelchair", r"(?:(?:by|in|with|using|for) )?(?:an? |the )?(?:wheelchair(?: users?)?|person in a wheelchair)"
        r"|(?:車椅子|車いす)(?:利用者|使用者|の人)?(?:だったら|の場合は?|だと|なら|で|の|は|が)?"),
    ("cart", r"(?:(?:by|in|with|using|pushing|for) )?(?:an? |the )?(?:cart|trolley)|台車(?:だったら|の場合は?|だと"
        r"|なら|で|の|は|が)?"),
    ("slow", r"\bslowly\b|(?:at a )?\bslow(?: walk(?:ing|er)?| pace)?\b|ゆっくり(?:歩く人)?(?:だったら|の場合は?"
        r"|だと|なら|で|の|は|が)?"),
    ("walk", r"\bon foot\b|(?:徒歩|歩いて|歩ける人|健常者)(?:だったら|の場合は?|だと|なら|で|の|は|が)?"),
)  # fmt: skip
_PEOPLE = re.compile(r"(\d[\d,]*) ?(?:people|persons?|occupants|人)", re.IGNORECASE)
_METRES = r"(?:m2|sq\.? ?m\b|square met(?:re|er)s?|平方メートル)"
# As `read_occupancy` reads them.
_EACH = re.compile(
    rf"\d+(?:\.\d+)? ?(?:(?:people|persons?) )?(?:per|a|(?:in |for )?(?:each|every)) (?:room\b|(?:\d+ ?)?{_METRES})"
    rf"|(?:(?:1|一|各)?部屋|\d*{_METRES})(?:あたり|当たり|ごとに|につき|に)?\d+(?:\.\d+)?人",
    re.IGNORECASE,
)
_END = r"(?=,? (?:to|in|within|by|with|using|if|when|on foot|any ?more|now|still|at|and|can|what|which|how)\b|[,?!.]|$)"
_START = re.compile(
    rf"\b(?:from|start(?:ing)? (?:in|at|from)|out of|of) (?P<en>(?!the building)[^,?!.]+?){_END}"
    rf"|\b(?:people|everyone|everybody|someone|anyone|somebody|person|staff) (?:in|on"
    rf"|at) (?P<who>[^,?!.]+?){_END[:-1]}| (?:use|take|get|leave|evacuate|escape)\b)"
    r"|(?P<ja>[^、。?\s][^、。?]*?)(?:から|を出て|(?:に|で)?(?:いる|の)人[々達]?)",
    re.IGNORECASE,
)
_GOAL = re.compile(rf" to (?P<en>[^,?!.]+?){_END}|(?P<ja>[^、。?]+?)(?:までの?|への)", re.IGNORECASE)
# Tool, what its answer says first, and the words that ask for it. The first match decides.
_CUES = [
    (tool, show, re.compile(pattern, re.IGNORECASE))
    for tool, show, pattern in (
        (EVACUATION, "frames", r"\b(?:play|animate|replay|animation)\b.*evacuat|evacuat.*animat|避難.*(?:再生"
            r"|アニメーション)"),
        (COMPARE, "", r"compar.*(?:scenario|closure)|(?:シナリオ|通行止め).*(?:比較|比べ)"),
        (
            REACH,
            "closed",
            r"\b(?:what|which|anything|list|show)\b.*\b(?:closed|closures|shut|blocked)\b"
            r"|(?:何|どこ|どれ|どの).*(?:閉ま|閉じ|閉鎖|通行止め|封鎖)|(?:閉ま|閉じ|閉鎖|通行止め|封鎖).*(?:何|どこ"
            r"|どれ|箇所|場所|一覧)",
        ),
        (
            EVACUATION,
            "exits",
            r"(?:which|what) exits? .*\b(?:most|busiest|crowded)\b|(?:most used|busiest) exit|load of .*exits?"
            rf"|how (?:many (?:people|rooms)|much load).* exits?|どの出口|出口(?:ごと|別)|{_MOST}[^遠]*出口|(?:人"
            rf"|利用者)[がの]多い出口"
            r"|(?:which|what) exits? (?:do|does|would|will|should|is|are) .*(?:use|take|used)|(?:another"
            r"|other) (?:way out|exit)",
        ),
        (EVACUATION, "furthest", rf"(?:furthest|farthest|most distant|longest).*{_OUT}|{_OUT}.*(?:furthest|farthest"
            rf"|most distant|longest)|出口から.*遠い|避難.*(?:遠い|時間がかかる)部屋"),
        (EVACUATION, "queues", r"\b(?:bottlenecks?|queues?|congest\w*|jams?)\b|ボトルネック|(?:避難|出口).*(?:混雑"
            r"|混む|渋滞|滞留)"),
        (
            EVACUATION,
            "cut_off",
            rf"{_CANNOT}.*{_OUT}|{_OUT}.*(?:でき|れ)な(?:い|く)|{_OUT}.*(?:でき|られ)ません|no (?:way out|exit|escape)",
        ),
        (EVACUATION, "time", rf"(?:how (?:long|fast|quick)|\btimes?\b|minutes|seconds|simulat).*{_OUT}"
            rf"|{_OUT}.*(?:\btimes?\b|simulat)|{_OUT}.*(?:かか|時間|何分|何秒|シミュレーション|完了)|シミュレーション.*避難"),
        (EVACUATION, "time", r"^(?:evacuate\b|(?:run|simulate|compute|calculate|show|model) (?:an |the )?evacuation)"),
        (EVACUATION, "out", rf"\b(?:can|could|able|is there|are there|how (?:do|can|does|will))\b.*{_LEAVE}"
            rf"|{_LEAVE}.*(?:ますか|るか|経路|道)"),
        (REACH, "effect", r"what (?:happens|changes|would happen|is affected)|\b(?:effects?|impact)\b|どうな[りるっ]|影響"),
        (REACH, "", rf"{_ASKS}.*{_CUT_OFF}|{_CUT_OFF}.*{_ASKS}"),
        (
            REACH,
            "reach",
            r"\b(?:how far|where|which rooms|what rooms|what) (?:can|could)\b.*\b(?:get|go|walk|reach)|(?:which"
            r"|what) rooms (?:are|lie)"
            r"|\b(?:reachable|reach)\b|(?:どこ|どの部屋|どこまで).*(?:行け|着け|到達)|(?:行ける|着ける"
            r"|到達できる)(?:部屋|場所|範囲|の)|どこまで",
        ),
    )
]  # fmt: skip
# Words of such questions; what else has a content is not understood.
_KNOWN = re.compile(
    r"\b(?:evacuat\w*|escap\w*|exits?|emergency|people|persons?|users?|occupants|every(?:one|body)|any(?:one|body"
    r"|thing)|some(?:one|body)|leav\w*|left"
    r"|building|rooms?|areas?|parts?|places?|most|busiest|crowded|used|load|furthest|farthest|distant|longest|way"
    r"|bottlenecks?|queues?"
    r"|congest\w*|jam\w*|long|fast|quick(?:ly)?|minutes?|seconds?|time|simulat\w*|run|model|play|animat\w*|replay"
    r"|(?:un)?able|not|can'?t|cannot"
    r"|couldn'?t|until|till|if|when|far|paint|colou?r|no|away|each exit|per exit|by exit|cut|off|(?:un|not )?reach(?:able|ed)?"
    r"|access(?:ed|ible)?"
    r"|inaccessible|stranded|isolated|trapped|doors?|compar\w*|scenarios?|still"
    r"|longer|more|where|walk(?:ing)?"
    r"|within|get|go|enter|else|currently|under|present|current|another|other|already|affected|should|due|result"
    r"|right now|because|happens?|changes?|would|effects?|impact)\b"
    r"|避難|脱出|逃げ|出口(?:ごと|別)?|全員|利用者?|[人分秒外使混多遠長何誰屋内行集着入出今間時教知調見示]"
    r"|(?:所要)?時間|部屋|場所|範囲|建物|一番|最も|再生|完了|塗"
    r"|混雑|渋滞|滞留|ボトルネック|シミュレーション|アニメーション|孤立|到達|経路|比較"
    r"|比べ|シナリオ|現在|箇所|一覧|以内|取り残"
    r"|分断|不能|非常|終わ|辿|状態|ドア|アクセス|到着|影響",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    r"(?:floor|level) \w+|\d[\d.,]*(?:[a-z]+|[\u3400-\u9fff]*)|[a-z][a-z\d'-]*|[\u3400-\u9fffァ-ヶー]+|あたり|ごと|ずつ",
    re.IGNORECASE,
)
_NO_START = re.compile(
    r"(?:the |that |this |any |an? )?(?:building|here|there|exits?|出口|建物|ここ|そこ|each room|every room"
    r"|(?:the )?(?:furthest|farthest) room)",
    re.IGNORECASE,
)
# Longest request that compares ways, in characters: the patterns cost its cube.
LONGEST_COMPARISON = 200
_COMPARED = (
    re.compile(
        r"(?:please )?compare (?P<way>.+?) (?:with and without|with or without|before and after)(?: closing)? (?P<place>.+?)"
        r"(?: (?:being |is |are )?closed)?",
        re.IGNORECASE,
    ),
    re.compile(
        r"how (?:much|many met(?:re|er)s) (?:longer|further|farther) (?:is|does|would|will) (?P<way>.+?) (?:be "
        r"|take |get )?(?:if|when|with) "
        r"(?P<place>.+?) (?:(?:being |is |are )?closed)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<place>.+?)[をが](?:閉鎖|封鎖|通行止め|閉め|閉じ|閉ま)[ぁ-ん]*?(?:場合|とき|時)と(?:、)?(?:通常"
        r"|そうでない|普段|しない|開いている|今)[^、]*?(?:とで|で|を)?は?[、,]?"
        r"(?P<way>.+?)を?(?:比べ|比較).*"
    ),
)  # fmt: skip
_WAY = re.compile(r"from (?P<from>.+) to (?P<to>.+)|(?P<start>.+)から(?P<goal>.+?)(?:まで|へ)", re.IGNORECASE)
_ROOMS = re.compile(r"\breach|到達|行ける", re.IGNORECASE)
_CLOSED = re.compile(
    r"\b(?:closed|closures?|shut|blocked|doors?)\b|通行止め|閉[鎖まじめ]?|封鎖", re.IGNORECASE
)
# Asks for the time of another traveller beside that of walkers.
_LONGER = re.compile(
    r"\blonger\b|\bmore time\b|\bslower\b|長く|長い|余計に|余分に|増え|遅く|差", re.IGNORECASE
)
# Slots that become arguments, besides the start.
_SLOTS = {EVACUATION: ("floor", "profile", "people"), COMPARE: ("goal",), REACH: ("minutes", "profile")}
# Answers that say all floors anyway.
_OF_ALL_FLOORS = ("effect", "out")
_FOLLOWS = ("reachable_from", "evacuation", "find_route", "nearest")


def read_avoiding(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> tuple[BuildingQuestion, tuple[str, ...]] | None:
    """Return the evacuation without a part that a condition closes, and the words that it leaves out; else None.

    The part stays open in the chat.
    """
    for condition, question in conditions_in(sentence_of_request(text)) if EVACUATION in tools else ():
        place = closable_part(condition, building)
        read = _read(question, building, tools)
        call = read[0] if read else None
        if not question and isinstance(before, BuildingQuestion) and before.tool == EVACUATION:
            arguments = [pair for pair in before.arguments if pair[0] != "avoid" and pair[1] != "frames"]
            call = BuildingQuestion(EVACUATION, tuple(arguments))
        elif (
            not question
            and before is None
            and building.places
            and (find_exits(building.places, place) or building.places.kind(place) == "exit")
        ):
            call = BuildingQuestion(EVACUATION, (("show", "time"),))
        if call is not None and call.tool == EVACUATION:
            return replace(call, arguments=(*call.arguments, ("avoid", place))), read[1] if read else ()
    return None


def read_what_if(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> tuple[BuildingQuestion, tuple[str, ...]] | None:
    """Return the call that answers a question, and the words that it leaves out; None for any other request."""
    return _read(sentence_of_request(text), building, tools, before)


def effect_of(building: BuildingSchema, tools: frozenset[str]) -> BuildingQuestion | None:
    """Return the question what a change cuts off."""
    return BuildingQuestion(REACH, (("start", _here(building)),)) if REACH in tools else None


def _read(
    sentence: str, building: BuildingSchema, tools: frozenset[str], before: object = None
) -> tuple[BuildingQuestion, tuple[str, ...]] | None:
    cues = ((tool, show) for tool, show, pattern in _CUES if tool in tools and pattern.search(sentence))
    tool, show = next(cues, ("", ""))
    if (not tool or show == "effect") and (following := _continued(sentence, building, tools, before)):
        return following
    if not tool:
        return None
    slots, remainder = _slots(sentence, building, tool)
    if show == "reach" and not slots.keys() & {"minutes", "start"} and not _ROOMS.search(sentence):
        return None
    floors = building.places.floors if building.places else {}
    named = (
        {ids[0] for name, ids in floors.items() if _without(remainder, [name]) != remainder}
        if show == "out"
        else set[str]()
    )
    if show in _OF_ALL_FLOORS:
        remainder = _without(remainder, floors)
    start = slots.get("start")
    if tool == EVACUATION and start and show in ("exits", "time", "out") and "nearest" in tools:
        call = BuildingQuestion("nearest", (("kind", "exit"), ("start", start)))
        return call, (*_unused(slots, ("start",)), *left_out(remainder))
    if show == "out":
        show = "cut_off"
    if show == "time" and slots.get("profile", "walk") != "walk" and _LONGER.search(sentence):
        show = "longer"
    if show == "closed":
        remainder = _CLOSED.sub(" ", remainder)
    words = left_out(remainder)
    follows = isinstance(before, BuildingQuestion) and before.tool == REACH and show == "reach"
    if start is None and isinstance(before, BuildingQuestion) and follows:
        start = dict(before.arguments).get("start")
    head: tuple[str, Scalar] = ("show", show) if tool == EVACUATION else ("start", start or _here(building))
    if len(named) == 1 and tool == EVACUATION:
        slots["floor"] = named.pop()
    spoken = ((name, slots[name]) for name in _SLOTS[tool] if name in slots)
    call = BuildingQuestion(tool, (head, *(pair for pair in spoken if pair != ("profile", "walk"))))
    used = _SLOTS[tool] if tool == EVACUATION else ("start", *_SLOTS[tool])
    return call, (*_unused(slots, used), *words)


def compared_in(text: str) -> tuple[str, str] | None:
    """Return the way that a request compares, as a question, and the place with which and without which it does."""
    sentence = sentence_of_request(text)
    for pattern in _COMPARED if len(sentence) <= LONGEST_COMPARISON else ():
        if (match := pattern.fullmatch(sentence)) and (way := _WAY.search(match["way"])):
            start, goal = (way["from"], way["to"]) if way["from"] else (way["start"], way["goal"])
            is_japanese = way["from"] is None
            return (
                f"{start}から{goal}へはどう行きますか"
                if is_japanese
                else f"How do I get from {start} to {goal}?",
                match["place"],
            )
    return None


def _unused(slots: Mapping[str, Scalar], used: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(value) for name, value in slots.items() if name not in used)


def _without(text: str, names: Iterable[str]) -> str:
    """Return a text without names that stand in it as words, the longest first."""
    for name in sorted(names, key=len, reverse=True):
        if len(name) > 1 and not name.isdigit():
            text = re.sub(rf"(?<![\w]){re.escape(name)}(?![a-z\d])", " ", text, flags=re.IGNORECASE)
    return text


def _continued(
    sentence: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> tuple[BuildingQuestion, tuple[str, ...]] | None:
    """Return the question before with another time, traveller or start: `and in 30 seconds?`, 車いすだと？"""
    if not isinstance(before, BuildingQuestion) or before.tool not in _FOLLOWS or before.tool not in tools:
        return None
    slots, remainder = _slots(sentence, building, REACH)
    slots.pop("people", None)
    if not slots or left_out(remainder) or "goal" in slots:
        return None
    arguments = {name: value for name, value in before.arguments if value != "frames"}
    profile = slots.get("profile")
    if before.tool in ("find_route", "nearest"):
        if "minutes" in slots:
            return None
        if profile in ("wheelchair", "cart"):
            if before.tool == "nearest":
                return None
            arguments["accessible"] = True
        elif profile == "walk":
            arguments.pop("accessible", None)
        if "start" in slots:
            arguments["start"] = slots["start"]
    elif before.tool == EVACUATION and "minutes" in slots:
        return None
    elif before.tool == EVACUATION and "start" in slots:
        return BuildingQuestion("nearest", (("kind", "exit"), ("start", slots["start"]))), ()
    else:
        arguments |= slots
        if before.tool == EVACUATION and slots.get("profile", "walk") != "walk" and _LONGER.search(sentence):
            arguments["show"] = "longer"
    return BuildingQuestion(before.tool, tuple(arguments.items())), ()


def _slots(sentence: str, building: BuildingSchema, tool: str) -> tuple[dict[str, Scalar], str]:
    """Return the arguments that a sentence gives, and the sentence without them."""
    slots: dict[str, Scalar] = {}
    remainder = sentence
    for name, pattern in _PROFILES:
        expression = re.compile(pattern, re.IGNORECASE)
        if match := expression.search(remainder):
            slots["profile"], remainder = name, expression.sub(" ", remainder, count=1)
            break
    if each := _EACH.search(remainder):
        slots["people"], remainder = each[0], remainder.replace(each[0], " ", 1)
    elif tool == EVACUATION and (people := _PEOPLE.search(remainder)):
        slots["people"], remainder = people[1].replace(",", ""), remainder.replace(people[0], " ", 1)
    if tool == REACH and (match := _MINUTES.search(remainder)):
        number, unit = (match["n"] or match["count"]).casefold(), (match["unit"] or match["of"]).casefold()
        minutes = float(_NUMBERS.get(number, number))
        slots["minutes"] = minutes / 60 if unit.startswith(("sec", "秒")) else minutes
        remainder = remainder.replace(match[0], " ", 1)
    for name, pattern in (("start", _START), ("goal", _GOAL))[: 1 + (tool != EVACUATION)]:
        for match in pattern.finditer(remainder):
            place = next(filter(None, match.groups()), "").strip(" 、,")
            if _NO_START.fullmatch(place):
                remainder = remainder.replace(match[0], " ", 1)
                break
            # What a slot taken out before has left a gap in is no name: E001 [in 1 minute] on floor 0.
            if "  " not in place and _is_place(place, building):
                slots[name], remainder = place, remainder.replace(match[0], " ", 1)
                break
    return slots, remainder


def _is_place(text: str, building: BuildingSchema) -> bool:
    """Return whether a text is the name of a place of the plan."""
    places = building.places
    if places is None or not text:
        return False
    bare = re.sub(r"^(?:the|a|an) ", "", text, flags=re.IGNORECASE)
    if _KNOWN.fullmatch(bare):
        return False
    try:
        return bool(places.find(bare))
    except NotFound:
        return bool(places.kind(bare) or find_exits(places, fold(bare)))


def _here(building: BuildingSchema) -> str:
    """Return the selected room; empty for none: the tools start at an entrance then."""
    spots = building.selected
    return f"{spots[0][1]} ({spots[0][0]})" if len(spots) == 1 else ""


def left_out(remainder: str) -> tuple[str, ...]:
    """Return the words of a text that no question uses: floor 2, bags, per class."""
    lex = lexicon()
    words = (match[0] for match in _CONTENT.finditer(_KNOWN.sub(" ", remainder)))
    return tuple(word for word in words if word.casefold() not in lex.stop and key_of(word) not in lex.skip)
