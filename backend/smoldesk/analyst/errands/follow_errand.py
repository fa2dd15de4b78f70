"""What follows an errand: the part that was missing (`Pay Alice`, then `30 USD`), or another city (`What about London?`).

The two requests are put together as one sentence and read as any other. Only an answer that holds nothing but a name or a
figure is taken for one: `cancel` or `help` must never become a recipient.
"""

import re

from smoldesk.analyst.errands.read_errands import read_errands
from smoldesk.analyst.intents import (
    Errands,
    Intent,
    Reading,
    Refusal,
    Weather,
)
from smoldesk.analyst.meanings import (
    Mention,
    Number,
    Quoted,
    Skip,
    Unit,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.request.mentions import read_mentions
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.money import MONEY, NUMBER
from smoldesk.analyst.words.text import is_japanese, tidy

_LONGEST_ANSWER = 60
_NO = re.compile(
    r"\b(?:cancel|never|mind|nothing|nobody|forget|stop|no|nope|don't|wait|yes|leave|abort|undo)\b"
    r"|キャンセル|やめ|止め|中止|いいえ|いや|なし|取り消|結構|いらない|はい",
    re.I,
)
_ANOTHER = re.compile(r"(?:and |(?:and )?(?:what|how) about |then )(?:in |for )?(?P<city>.+)", re.I)
_ANOTHER_JAPANESE = re.compile(r"(?:では|じゃあ|それでは)?、?(?P<city>.+?)(?:は|はどう|はどうですか)")
_PLAIN = (Unknown, Number, Unit, Quoted, ValueRef, Skip)


def continue_errand(text: str, said: str, asked: Intent, lexicon: Lexicon) -> Reading | None:
    """The errand that `text` makes of the request before it, which said and asked so; None when it does not."""
    text, said = tidy(text).rstrip("?!。. "), tidy(said).rstrip("?!。. ")
    if len(text) > _LONGEST_ANSWER or _NO.search(text):
        return None
    whole = ""
    if isinstance(asked, Errands) and isinstance(asked.errands[-1], Weather):
        whole, text = _other_city(text)
    elif isinstance(asked, Refusal) and asked.reason == "incomplete":
        whole = (_complete_japanese if is_japanese(said) else _complete_english)(text, said, asked)
    if not whole or not all(map(_plain, read_mentions(text, lexicon).mentions)):
        return None
    reading = read_errands(whole, lexicon)
    return reading if reading and isinstance(reading.intent, Errands) else None


def _plain(mention: Mention) -> bool:
    return mention.says("and") or any(mention.all(kind) for kind in _PLAIN)


def _other_city(text: str) -> tuple[str, str]:
    if match := _ANOTHER.fullmatch(text):
        return f"weather in {match['city']}", match["city"]
    if match := _ANOTHER_JAPANESE.fullmatch(text):
        return f"{match['city']}の天気", match["city"]
    return "", ""


def _complete_english(text: str, said: str, asked: Refusal) -> str:
    """One sentence of both; empty when the answer is not of the kind that was asked for."""
    match asked.words:
        case ("city",):
            return f"weather in {re.sub(r'^(?:in|for) ', '', text, flags=re.I)}"
        case ("track",):
            return f"change the BGM to {text}"
        case ("recipient",):
            return f"{said} to {re.sub(r'^to ', '', text, flags=re.I)}"
        case ("amount", "currency") if re.fullmatch(MONEY, text):
            return f"{said} {text}"
        case ("currency",):
            return re.sub(NUMBER, lambda number: f"{number[0]} {text}", said, count=1)
        case _:
            return ""


def _complete_japanese(text: str, said: str, asked: Refusal) -> str:
    bare = re.sub(r"(?:です|だ)$", "", text)
    match asked.words:
        case ("city",):
            return f"{bare}の天気"
        case ("track",):
            return f"BGMを{bare}に変えて"
        case ("recipient",):
            return f"{re.sub('(?:に|へ)$', '', bare)}に{said}"
        case ("amount", "currency") if re.fullmatch(MONEY, bare):
            return f"{asked.choices[0]}に{bare}払って"
        case ("currency",) if len(asked.choices) == 2:
            return f"{asked.choices[0]}に{asked.choices[1]}{bare}払って"
        case _:
            return ""
