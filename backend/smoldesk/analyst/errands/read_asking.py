"""What another agent is to be asked: "ask the agent maps: ...", 「mapsに聞いて: …」, 「mapsに…と聞いて」.

Everything after the name is the message, whatever it speaks of: it is for somebody else to understand.
"""

import re

from smoldesk.analyst.intents import Asking

_NAME = r"[`'\"「『]?(?P<name>[a-z0-9][a-z0-9_-]{0,39})[`'\"」』]?"
_POLITE = r"(?:(?:please|kindly|can you|could you|would you|now)[, ]+)*"
_MESSAGE = r"(?P<message>\S.*)"
_ENGLISH = (
    re.compile(rf"{_POLITE}(?:ask|tell)\s+(?:the\s+)?agent\s+{_NAME}\s*[:,]?\s+{_MESSAGE}", re.I | re.S),
    re.compile(rf"{_POLITE}ask\s+(?!(?:me|us|you|it|them)\b){_NAME}\s*:\s*{_MESSAGE}", re.I | re.S),
)
_TO = rf"(?:エージェント(?:の|である)?\s*)?{_NAME}\s*(?:さん|というエージェント|エージェント)?\s*に"
_ASK = r"(?:聞|訊|き)いて|(?:尋|たず)ねて|質問して|頼んで|依頼して|伝えて"
_POLITELY = r"(?:みて)?(?:ください|下さい|くれますか|もらえますか|ほしい)?"
_JAPANESE = (
    re.compile(rf"{_TO}\s*[「『](?P<message>.+)[」』]\s*と(?:{_ASK}){_POLITELY}[。.!]*", re.I | re.S),
    re.compile(rf"{_TO}(?:{_ASK}){_POLITELY}\s*[:：、,。]\s*{_MESSAGE}", re.I | re.S),
)
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""A name may be typed in wide letters; each becomes one, so places stay what they are."""


def read_asking(request: str) -> Asking | None:
    """Whom to ask what; None when a request says nothing of the kind."""
    text = request.strip()
    narrow = text.translate(_NARROW)
    for form in (*_ENGLISH, *_JAPANESE):
        if match := form.fullmatch(narrow):
            return Asking(match["name"].lower(), text[match.start("message") : match.end("message")].strip())
    return None
