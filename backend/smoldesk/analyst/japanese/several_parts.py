"""Several parts of a text in one condition: 「月」か「海」が入っている, 「月」も「海」も含まない.

Each is written as a condition of its own. Read before quotations are set aside, since it is they that are repeated.
"""

import re

from smoldesk.analyst.words.text import rewritten

_PART = '[「『"]([^「」『』"]{1,20})[」』"]'
_BARE = "([一-龥々]{1,6}|[ァ-ヶー]{2,10})"
_EITHER = "、?(?:か|または|又は|もしくは|あるいは|や|or|OR)、?"
_HELD = r"(?:という(?:文字|言葉|語|単語)?)?[がをの]?(?:含ま?[むんれ]|入っ?[るてた]|[つ付][くい])"
_DENIED = "(?:含ま(?:ない|れない|れていない|ず)|入らない|入って(?:い)?ない|[つ付]かない)"
_ANY = "(?:の(?:どちらか|いずれか|どれか))?"
_BOTH = "(?:の)?(?:両方|どちらも|2つとも|二つとも|両者)"
_FORMS = (
    (re.compile(rf"{_PART}も{_PART}も{_DENIED}"), r"「\1」を含まない、「\2」を含まない"),
    (re.compile(rf"{_PART}(?:と|も){_PART}{_BOTH}(?={_HELD})"), r"「\1」を含む、「\2」"),
    (
        re.compile(
            rf"(?<=に){_BARE}(?:か|または|もしくは){_BARE}{_ANY}(?=(?:という(?:文字|言葉|語|単語))?[がを](?:含ま|含ん|含む|入って|入る|[つ付][くい]))"
        ),
        r"「\1」を含む、または「\2」",
    ),
)


_SEVERAL = re.compile(rf"{_PART}(?:{_EITHER}{_PART})+{_ANY}(?={_HELD})")


def parts_apart(text: str) -> str:
    """The request with each part in a condition of its own; as it is where it has one part."""
    return rewritten(_SEVERAL.sub(_each, text), _FORMS)


def _each(said: re.Match[str]) -> str:
    """「月」を含む、または「海」: the last part keeps the verb behind it."""
    return "を含む、または".join(f"「{part}」" for part in re.findall(_PART, said[0]))
