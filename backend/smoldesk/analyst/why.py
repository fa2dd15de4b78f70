"""Questions why a quantity changed, read as the difference between two sides that `explain_change` splits into parts."""

import re

# The change itself: without it, a question for reasons goes beyond the tables.
_CHANGED = r"""(?:chang|differ|ris|rose|grow|grew|increas|improv|fall|fell|drop|declin|decreas|shr[aiu]nk|worse|better|higher
|lower|less|more|go(?:ne)?\s(?:up|down)|went\s(?:up|down)|smaller|larger|bigger|greater)\w*"""
_WHY = re.compile(
    rf"""^\W*(?:(?:and|so|but|please|can\syou)\W+)*
    (?:why\s(?:did|do|does|has|have|is|are|was|were)|what\s(?:explains|drove|caused|is\sbehind)|explain|how\scome|(?:the\s)?reasons?\sfor)\s
    (?:the\s)?(?:(?:{_CHANGED})\s(?:in|of)\s)?(?P<what>.+)$""",
    re.IGNORECASE | re.VERBOSE,
)
_MOVES = re.compile(rf"\b(?:so\smuch\s|much\s|a\slot\s)?{_CHANGED}", re.IGNORECASE | re.VERBOSE)
# Text behind the second side.
_END = r"(?=,| by | for each | per |$)"
# Forms of two sides, and the one that the reader of conditions knows: `in 2023 and in 2024`. Between would be a range of years.
_SIDES = (
    (re.compile(rf"\bfrom (.+?) to (.+?){_END}", re.IGNORECASE), r"in \1 and in \2"),
    (re.compile(rf"\bbetween (.+?) and (.+?){_END}", re.IGNORECASE), r"in \1 and in \2"),
    (
        re.compile(
            r"\b(?:in |for |of )?(\S+?),? (?:compared (?:with|to)|versus|vs\.?|than)(?: (?:in|for|of))? (\S+)",
            re.IGNORECASE,
        ),
        r"in \2 and in \1",
    ),
)
_WHY_JA = re.compile(r"なぜ|何故|どうして|なんで|(?:理由|原因|要因)は?|の内訳$")
_MOVES_JA = re.compile(
    r"[はがもにで]?(?:大きく|急に|こんなに)?(?:変わ|変化|減|増|下が|(?<!売)上が|落ち|伸び|違|異な|低|高|多|少な|小さ|悪化|改善)[^、。]*$"
)
_FROM_TO_JA = re.compile(r"から([^、ぁ-ん]+)(?:にかけて|までに|まで|へと?|に|で)?([のはが、]?)")
_THAN_JA = re.compile(r"(?P<last>.+?)の(?P<what>.+?)[はが](?P<first>.+?)より[も]?、?")
_SIDES_LAST_JA = re.compile(r"(?P<what>.+?)[はが]、?(?P<sides>.+?と.+)")
_SIDES_FIRST_JA = re.compile(r"^(.+?と[^のでに、]+)[でに、]+の?")


def requested_difference(text: str) -> str:
    """Return the request for the difference whose reasons a text asks for; empty if it asks for none."""
    text = text.strip().rstrip("?？。. ")
    if _WHY_JA.search(text):
        return _japanese(text)
    match = _WHY.match(text)
    if match is None or not _MOVES.search(text):
        return ""
    request = " ".join(_MOVES.sub("", match["what"]).split())
    for pattern, sides in _SIDES:
        request = pattern.sub(sides, request)
    return f"difference in {request}"


def _japanese(text: str) -> str:
    if text.endswith("の差の内訳"):
        return text.removesuffix("の内訳")
    request = _WHY_JA.sub("", text).strip("、 ")
    moved = _MOVES_JA.sub("", request)
    if moved == request:
        return ""
    if than := _THAN_JA.match(moved):
        return f"{than['first']}と{than['last']}の{than['what']}{moved[than.end() :]}の差"
    moved = re.sub(r"(\d{4}年)(\d+月)から(?=\d+月)", r"\1\2から\1", moved)
    moved = _FROM_TO_JA.sub(lambda ends: f"と{ends[1]}{ends[2] or 'の'}", moved, count=1).removesuffix("の")
    if last := _SIDES_LAST_JA.fullmatch(moved):
        return f"{last['sides']}の{last['what']}の差"
    return _SIDES_FIRST_JA.sub(r"\1の", moved) + "の差"
