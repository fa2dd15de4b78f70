"""Sentences about an evacuation: how long it takes, which exits are used, who cannot leave, and what if something is closed."""

import re
import unicodedata

from smoldesk.analyst.building.changes import conditions_in
from smoldesk.analyst.building.intents import BuildingQuestion, Scalar
from smoldesk.analyst.building.terms import BuildingSchema
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
            r"(?:.*(?:全員|人|車椅子|車いす|ゆっくり)[がでのはも]?)?(?:避難|脱出)(?:完了)?(?:に|まで|する|の|時間|を(?:計算|シミュレーション)).*",
        ),
        ("time", r".*避難(?:時間|[はに]何[分秒]|シミュレーション).*"),
    )
]
_PROFILES = {
    "wheelchair": "wheelchair",
    "車椅子": "wheelchair",
    "車いす": "wheelchair",
    "slow": "slow",
    "ゆっくり": "slow",
}
_PEOPLE = re.compile(r"(\d[\d,]*) ?(?:people|persons|occupants|人)(?! ?(?:per|a|in each)\b)", re.IGNORECASE)
_EACH = re.compile(
    r"\d+(?:\.\d+)? (?:people |persons )?(?:per|in each) (?:room|m2|m²)|(?:1|各)?部屋に?\d+人", re.IGNORECASE
)


def read_leaving(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> BuildingQuestion | None:
    """Return the call that answers a sentence; None for any other sentence."""
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
            return BuildingQuestion(TOOL, (*arguments, ("avoid", place)))
    arguments = _arguments(sentence)
    return None if arguments is None else BuildingQuestion(TOOL, tuple(arguments))


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
