"""Requests for an opinion or an explanation, which no table holds: `is it a good read`, `why do so many dogs get injured`.

`why were the cats brought in` is another matter where a column holds the reasons.
"""

import re

_GOOD = r"(?:good|bad|great|nice|decent|fine|lovely|poor|terrible|fun|wise|smart|sensible|fair|pleasant|boring|safe)"
_OPINIONS = (
    re.compile(
        rf"^(?:and |but |so )?(?:is|are|was|were|isn't|wasn't) (?!there\b|it\b.*\b(?:in|on)\b).+? (an? {_GOOD} \w+)[?.! ]*$",
        re.I,
    ),
    re.compile(
        r"^(?:and |but |so )?(?:is|are|was|were) (?!there\b).+? (any good|(?:really )?worth it)[?.! ]*$", re.I
    ),
    re.compile(r"\b(worth (?:a \w+|the (?:money|time|trip|wait|price|effort)|\w+ing))\b(?= *[?.!]*$)", re.I),
    re.compile(
        r"\b((?:do|would|did) you (?:like|love|think|recommend|prefer|suggest|reckon|believe|advise))\b", re.I
    ),
)
_HOW_TO = re.compile(
    r"^(?:and |but |so )?(how (?:can|could|should|might|do) (?:i|we|you|one) (?:save|reduce|lower|cut|improve|increase|raise"
    r"|boost|avoid|get more|get fewer|make more|earn more|sell more|stop|prevent|fix|attract|grow))\b",
    re.I,
)
_WHY = re.compile(
    r"^(?:and |but |so )?(why) (?:do|does|did|is|are|was|were|has|have|had|don't|didn't|aren't|isn't)\b.*"
    r"\b(?:so|more|less|fewer|higher|lower|better|worse|most|least|always|never|keep|such)\b",
    re.I,
)


_ADVICE = re.compile(
    r"((?:た|だ|ない)(?:ほう|方)が(?:いい|良い|よい)|べき(?=です|でしょう|か|[?？。]|$)"
    r"|(?:し|すれ|やれ)?ばいい(?=です|でしょう|の|か|[?？。]|$))"
)


def asks_opinion(text: str) -> str:
    """The words of a request that ask for a thought, a reason, or a way to change things; empty for others."""
    for pattern in (*_OPINIONS, _HOW_TO, _WHY, _ADVICE):
        if said := pattern.search(text):
            return said[1]
    return ""
