"""Sentences about an evacuation: how long it takes, which exits are used, who cannot leave, and what if something is closed."""

import re
import unicodedata

from smoldesk.analyst.building.changes import conditions_in
from smoldesk.analyst.building.intents import BuildingQuestion, Scalar
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.units import key_of
from smoldesk.buildings.evacuation.exits import find_exits

TOOL = "evacuation"
_ABOUT = re.compile(r"evacuat|\bexits?\b|\bway out\b|\bout of the building\b|避難|出口|逃げ", re.IGNORECASE)
_ALL = r"(?:everyone|everybody|all (?:the )?people|all of them|people|(?:the )?occupants)"
_LEAVE = rf"(?:evacuat\w*|{_ALL} (?:to )?(?:(?:is|are|be|get|gets) out|leaves?|has left|have left))"
_NO_WAY = r"(?:can(?:not|'t| not)|(?:have|has) no (?:way out|exit|escape)|(?:are|is) (?:not|un)able to)"
_MOST = r"(?:一番|いちばん|最も|もっとも)"
# What to say first, and the sentences that ask for it. The first match decides.
_SENTENCES = [
    (show, re.compile(pattern, re.IGNORECASE))
    for show, pattern in (
        (
            "frames",
            r"(?:please )?(?:play|animate|replay) (?:the |an )?evacuation.*|避難.*(?:再生|アニメーション).*",
        ),
        (
            "exits",
            r"(?:which|what) exits? .*\b(?:most|busiest|crowded)\b.*|(?:what is )?(?:the )?(?:most used|busiest) exit.*",
        ),
        ("exits", r"how (?:many (?:people|rooms)|much load).* exits?.*|どの出口.*|出口(?:ごと|別).*"),
        ("exits", rf"(?!.*遠い).*(?:{_MOST}.*(?:使|混|多|利用).*|(?:人|利用者)[がの]多い)出口.*"),
        (
            "furthest",
            r"(?:which|what) rooms? .*(?:furthest|farthest|most distant|longest) .*(?:exits?|way out|evacuat).*",
        ),
        ("furthest", r".*出口から.*遠い.*|避難.*(?:遠い|時間がかかる)部屋.*"),
        (
            "queues",
            r"(?:where|which|what) .*(?:bottleneck|queue|congest|jam).*|避難.*(?:ボトルネック|混雑|混む|渋滞|滞留).*",
        ),
        ("cut_off", rf"(?:which|what|who|are there any) .*{_NO_WAY}.*"),
        ("cut_off", r".*(?:避難|脱出|外に出|逃げら)(?:れ|でき)な(?:い|くなる)(?:部屋|人|場所).*"),
        (
            "time",
            rf"how (?:long|fast|quickly|many (?:minutes|seconds)) .*{_LEAVE}.*|.*evacuation (?:time|simulation).*",
        ),
        (
            "time",
            r"(?:please |can you )?(?:evacuate|(?:run|simulate|compute|calculate|show|model) (?:an |the )?evacuation).*",
        ),
        (
            "time",
            r".*(?:避難|脱出)(?:完了)?(?:に|まで|する|の|時間|は何[分秒]|シミュレーション|を(?:計算|シミュレーション)).*",
        ),
    )
]
_PROFILES = {
    "wheelchair": "wheelchair",
    "車椅子": "wheelchair",
    "車いす": "wheelchair",
    "slow": "slow",
    "ゆっくり": "slow",
}
_PEOPLE = re.compile(r"(\d[\d,]*) ?(?:people|persons?|occupants|人)", re.IGNORECASE)
_METRES = r"(?:m2|sq\.? ?m\b|square met(?:re|er)s?|平方メートル)"
# As `read_occupancy` reads them.
_EACH = re.compile(
    rf"\d+(?:\.\d+)? ?(?:(?:people|persons?) )?(?:per|a|(?:in |for )?(?:each|every)) (?:room\b|(?:\d+ ?)?{_METRES})"
    rf"|(?:(?:1|一|各)?部屋|\d*{_METRES})(?:あたり|当たり|ごとに|につき|に)?\d+(?:\.\d+)?人",
    re.IGNORECASE,
)
# Words of such sentences; what else has a content is not understood.
_KNOWN = re.compile(
    r"\b(?:evacuat\w*|escape|exits?|emergency|people|persons?|occupants|every(?:one|body)|leaves?|left|building|rooms?"
    r"|most|busiest|crowded|used|load|furthest|farthest|distant|longest|way|bottlenecks?|queues?|congest\w*|jam\w*|long"
    r"|fast|quickly|minutes|seconds|time|simulat\w*|run|model|play|animate|replay|wheelchairs?|slow(?:ly)?|(?:un)?able"
    r"|not|can'?t|cannot|until|till|if|when|far|no|away|each exit|per exit|by exit)\b"
    r"|避難|脱出|逃げ|出口(?:ごと|別)?|全員|利用者?|[人分秒外使混多遠]|(?:所要)?時間|部屋|建物|車椅子|一番|最も|場所|再生|完了|混雑"
    r"|渋滞|滞留|ボトルネック|シミュレーション|アニメーション",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    r"(?:floor|level) \w+|\d[\d.,]*[\u3400-\u9fff]*|[a-z][a-z\d'-]*|[\u3400-\u9fffァ-ヶー]+|あたり|ごと|ずつ",
    re.IGNORECASE,
)


def read_leaving(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> tuple[BuildingQuestion, tuple[str, ...]] | None:
    """Return the call that answers a sentence, and the words that it leaves out; None for any other sentence."""
    if TOOL not in tools:
        return None
    sentence = unicodedata.normalize("NFKC", text).strip(" .!?。").replace("’", "'")
    for place, question in conditions_in(sentence):
        arguments = _arguments(question)
        if not question and (isinstance(before, BuildingQuestion) and before.tool == TOOL):
            arguments = [pair for pair in before.arguments if pair[0] != "avoid" and pair[1] != "frames"]
        elif not question and before is None and building.places and find_exits(building.places, place):
            arguments = [("show", "time")]
        if arguments is not None:
            return BuildingQuestion(TOOL, (*arguments, ("avoid", place))), _left_out(question)
    arguments = _arguments(sentence)
    return None if arguments is None else (BuildingQuestion(TOOL, tuple(arguments)), _left_out(sentence))


def _arguments(sentence: str) -> list[tuple[str, Scalar]] | None:
    """Return what a question asks for; None if it is about something else."""
    show = next((show for show, pattern in _SENTENCES if pattern.fullmatch(sentence)), None)
    if show is None or (show != "time" and not _ABOUT.search(sentence)):
        return None
    arguments: list[tuple[str, Scalar]] = [("show", show)]
    if profile := next((name for word, name in _PROFILES.items() if word in sentence.casefold()), None):
        arguments.append(("profile", profile))
    if each := _EACH.search(sentence):
        arguments.append(("people", each[0]))
    elif people := _PEOPLE.search(sentence):
        arguments.append(("people", people[1].replace(",", "")))
    return arguments


def _left_out(sentence: str) -> tuple[str, ...]:
    """Return the words of a question that no reading uses: floor 2, bags, per class."""
    rest = _KNOWN.sub(" ", (_EACH if _EACH.search(sentence) else _PEOPLE).sub(" ", sentence, count=1))
    lex = lexicon()
    words = (match[0] for match in _CONTENT.finditer(rest))
    return tuple(word for word in words if word.casefold() not in lex.stop and key_of(word) not in lex.skip)
