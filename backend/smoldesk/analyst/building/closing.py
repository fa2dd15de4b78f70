"""Sentences that close and reopen parts of the building, and that ask what is reached: a table of patterns, each with its tool.

Names of places go to the tools as they are written.
"""

import re
import unicodedata

from smoldesk.analyst.building.intents import BuildingQuestion, Scalar
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.buildings.closures import is_closable

_PLEASE = r"(?:please |can you |could you )?"
_FROM = r"(?: (?:from|starting in|starting at) (?P<start>.+?))?"
_MINUTES = (
    r"(?P<minutes>\d+(?:\.\d+)?|an?|one|two|three|five|ten)[ -]?(?P<unit>min(?:ute)?s?|seconds?)"
    r"(?:'s?)?(?: walk(?:ing)?)?"
)
_ON = r"(?P<profile> (?:by|in|with|using) (?:a )?(?:wheelchair|cart|trolley)| slowly)?"
_BY = r"(?P<profile>車椅子で|車いすで|台車で|ゆっくり)?"
_DO = r"(?:して|て|で|する|る|た|したい|たい|ください|下さい|ほしい|。)*"
_WHO = r"(?:i|we|you|they|someone|somebody|people)"
_REACH = rf"(?:how far|where|which rooms|what) (?:can|could) {_WHO} (?:still )?(?:get(?: to)?|go|walk|reach)"
_CANNOT = rf"(?:can(?:not|'t)|can {_WHO} (?:not|no longer)|can no longer|could(?: not|n't))"
# Tool, and the sentences that become a call of it.
_SENTENCES = [
    (tool, re.compile(pattern, re.IGNORECASE))
    for tool, pattern in (
        ("close_passage", rf"{_PLEASE}(?:close|shut|block|lock)(?: off| down)? (?P<place>.+)"),
        ("close_passage", rf"(?P<place>.+)を(?:閉鎖|封鎖|通行止めに|閉め|閉じ|ふさい|使えなく){_DO}"),
        ("reopen_passage", rf"{_PLEASE}(?:re-?open|unblock|unlock|open)(?: up)? (?P<place>.+?)(?: again)?"),
        (
            "reopen_passage",
            rf"(?P<place>.+)(?:を再開|を開放|を開け|の(?:通行止め|閉鎖)を?解除|を通れるように){_DO}",
        ),
        (
            "reachable_from",
            rf"(?:which|what)(?: rooms)? {_CANNOT} (?:{_WHO} )?(?:be )?(?:get to|reach(?:ed)?){_FROM}{_ON}",
        ),
        (
            "reachable_from",
            rf"(?:which|what) rooms (?:are|is) (?:cut off|unreachable|not reachable)(?: now)?{_FROM}{_ON}",
        ),
        (
            "reachable_from",
            rf"{_BY}(?:(?P<start>(?!ゆっくり|車椅子で|車いすで|台車で)[^、。]+?)から)?(?P<later>車椅子で|車いすで|台車で|ゆっくり)?"
            r"(?:(?:行けな(?:い|くなる|くなった)|到達できない|たどり着けない)部屋(?:は.*|を.+)?"
            r"|(?:ほかに|他に)?(?:どこ|どの部屋)(?:へ|に|が)?(?:行けな|到達できな).*)",
        ),
        (
            "reachable_from",
            rf"{_REACH}{_FROM} (?:in|within) {_MINUTES}{_ON}",
        ),
        (
            "reachable_from",
            rf"{_REACH} (?:in|within) {_MINUTES}{_ON}{_FROM}",
        ),
        (
            "reachable_from",
            rf"(?:(?P<start>(?!ゆっくり|車椅子で|車いすで|台車で)[^、。]+?)から)?{_BY}(?:歩いて|徒歩で?)?(?P<minutes>\d+(?:\.\d+)?)(?P<unit>分|秒)(?:以内)?[でにの]"
            r"(?:どこまで行け|行ける|到達できる|着ける|部屋).*",
        ),
        (
            "compare_scenarios",
            rf"compare (?:the |my |all )*(?:scenarios|closures){_FROM}(?: to (?P<goal>.+))?",
        ),
        ("reachable_from", rf"(?:which|what) rooms can {_WHO} (?:still )?(?:get to|reach){_FROM}{_ON}"),
        (
            "reachable_from",
            rf"(?:which|what) rooms (?:are|lie) (?:with)?in {_MINUTES}{_ON} (?:of|from) (?P<start>.+)",
        ),
        ("reachable_from", r"(?:what|which parts?) (?:is|are) (?:now |currently )?closed(?: now)?"),
        ("reachable_from", r"(?:今|現在)?(?:どこが)?(?:通行止め|閉鎖)(?:の場所|箇所|されてい(?:る|ます)).*"),
        (
            "reopen_passage",
            r"(?:remove|lift|clear) (?P<place>all)(?: the)? closures|通行止めを?(?P<every>すべて|全て|全部)解除.*"
            rf"|(?P<all>(?:全部|すべて|全て|元)(?:に戻し|を?開け|を?再開){_DO})",
        ),
        ("reopen_passage", r"(?P<place>.+?) (?:is |are )?(?:open|fixed|working|repaired)(?: again| now)+"),
        ("reopen_passage", r"(?P<place>.+?)が(?:直|復旧し|再開し)(?:りました|った|ました|た)"),
        ("compare_scenarios", r"(?P<start>.+?)から(?:(?P<goal>.+?)までの?)?(?:シナリオ|通行止め)を比較.*"),
    )
]
_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}
_ALL = frozenset(("everything", "all", "both", "全部", "すべて", "全て"))
_IT = frozenset(("it", "them", "the door", "the doors", "that", "それ"))
# Words that change nothing.
_EXTRA = re.compile(
    r",? (?:please|then|any ?more|any longer|completely)$|^(?:ok(?:ay)?|so|and|then),? |^それなら、?",
    re.IGNORECASE,
)
_PROFILES = {
    "wheelchair": "wheelchair",
    "車椅子": "wheelchair",
    "車いす": "wheelchair",
    "slow": "slow",
    "ゆっくり": "slow",
}


def read_closing(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object = None
) -> BuildingQuestion | None:
    """Return the call that a sentence asks for; None for any other sentence. "It" is what the question before closed."""
    sentence = unicodedata.normalize("NFKC", text).strip(" .!?。").replace("’", "'")
    sentence = _EXTRA.sub("", sentence)
    for tool, pattern in _SENTENCES:
        if tool not in tools or (match := pattern.fullmatch(sentence)) is None:
            continue
        groups = {name: value.strip() for name, value in match.groupdict().items() if value}
        if "every" in groups or "all" in groups:
            return BuildingQuestion(tool)
        if "place" in groups:
            return read_change(tool, _last_closed(before, groups["place"]), building)
        return BuildingQuestion(tool, (("start", groups.get("start") or _here(building)), *_more(groups)))
    return None


def _last_closed(before: object, place: str) -> str:
    """Return the places that the question before closed, for a text such as "it"; else the text."""
    if place.casefold() not in _IT or not isinstance(before, BuildingQuestion):
        return place
    closed = [
        dict(call.arguments)["place"] for call in (*before.first, before) if call.tool == "close_passage"
    ]
    return ", ".join(map(str, closed))


def read_change(tool: str, place: str, building: BuildingSchema) -> BuildingQuestion | None:
    """Return the call that closes or reopens a place; None if the plan has no such place."""
    if tool == "reopen_passage" and place.casefold() in _ALL:
        return BuildingQuestion(tool)
    is_known = building.places is not None and is_closable(building.places, place)
    return BuildingQuestion(tool, (("place", place),)) if is_known else None


def _here(building: BuildingSchema) -> str:
    """Return the selected room; empty for none: the tools start at an entrance then."""
    spots = building.selected
    return f"{spots[0][1]} ({spots[0][0]})" if len(spots) == 1 else ""


def _more(groups: dict[str, str]) -> list[tuple[str, Scalar]]:
    arguments: list[tuple[str, Scalar]] = [("goal", groups["goal"])] if "goal" in groups else []
    if minutes := groups.get("minutes"):
        share = 60 if groups.get("unit", "").startswith(("sec", "秒")) else 1
        arguments.append(("minutes", float(_WORDS.get(minutes.casefold(), minutes)) / share))
    if spoken := groups.get("profile") or groups.get("later"):
        name = next((name for word, name in _PROFILES.items() if word in spoken.casefold()), "cart")
        arguments.append(("profile", name))
    return arguments
