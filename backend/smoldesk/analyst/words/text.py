"""Text in one shape: width, case and separators levelled, length kept, so that offsets stay true.

Also the shapes a name can take: its words, its units, its plural and singular.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

_SEPARATOR = re.compile(r"(?<=[^\W\d])-(?=\w)|-(?=[^\W\d])|_")
"""A minus at the end of a word is a part of it: the blood group O-."""
_POSSESSIVE = re.compile(r"'s(?!\w)")
_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")  # kWh, mL and pH are one word
_BRACKETS = re.compile(r"[(\[{（【〔].*?[)\]}）】〕]")
_SPACES = re.compile(r" +")
_AT_ONCE = 500
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]")
_KANA = re.compile(r"[\u3040-\u309f]")
_IRREGULAR = {"women": "woman", "men": "man", "children": "child", "people": "person", "wives": "wife"}


def tidy(text: str) -> str:
    """NFKC with single spaces and plain apostrophes; case is kept, for what is shown again."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return re.sub(r"\s+", " ", text).strip()


def level(tidied: str) -> str:
    """Lower case, separators as spaces, no possessive; exactly as long as what came in."""
    lowered = tidied.lower()
    if len(lowered) != len(tidied) or "Σ" in tidied:
        # a few letters have two small ones, or another one at the end of a word
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in tidied)
    if "'" in lowered:
        lowered = _POSSESSIVE.sub("  ", lowered)
    return _SEPARATOR.sub(" ", lowered) if "-" in lowered or "_" in lowered else lowered


def key(name: str) -> str:
    """The form under which a name is looked up."""
    return re.sub(r" +", " ", level(tidy(name))).strip()


def keys(names: Sequence[str]) -> list[str]:
    """The keys of many names: many at once, but no more than other threads can wait for."""
    found: list[str] = []
    for first in range(0, len(names), _AT_ONCE):
        joined = "\0".join(name.replace("\0", " ") for name in names[first : first + _AT_ONCE])
        found += [one.strip() for one in _SPACES.sub(" ", level(tidy(joined))).split("\0")]
    return found


def name_words(name: str) -> list[str]:
    """The words of a column or table name, brackets left out: `rideMinutes (min)` gives ride, minutes."""
    return list(_name_words(name))


def rewritten(
    text: str, rules: Iterable[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]
) -> str:
    """The text with each pattern that it holds replaced, in their order.

    A pattern is looked for first: of some hundred that stand nowhere in a request, `re.sub` would read what is written in
    their place anew each time.
    """
    for form, written in rules:
        if form.search(text):
            text = form.sub(written, text)
    return text


def joined_words(name: str) -> str:
    """The words of a header as one text: with spaces between English ones, without between Japanese ones."""
    return ("" if is_japanese(name) else " ").join(name_words(name))


@lru_cache(maxsize=8192)  # the same headers come again in each request
def _name_words(name: str) -> tuple[str, ...]:
    bare = _BRACKETS.sub(" ", unicodedata.normalize("NFKC", name)).strip() or name
    return tuple(key(_CAMEL.sub(" ", bare)).split())


def bracketed(name: str) -> list[str]:
    """What a name says in brackets, as keys: its unit, usually."""
    return [
        key(part.strip("()[]{}（）【】〔〕 "))
        for part in _BRACKETS.findall(unicodedata.normalize("NFKC", name))
    ]


def plain_name(name: str) -> str:
    """The name of a column as an English request may say it: tidied, without what stands in brackets and without marks."""
    return _ASIDE.sub("", tidy(name)).strip()


_ASIDE = re.compile(r"\s*[\(\[][^()\[\]]*[\)\]]|[?#:]")


def inflections(word: str) -> list[str]:
    """A word with its plural and singular, first itself. Japanese has none."""
    return list(_inflections(word))


@lru_cache(maxsize=8192)
def _inflections(word: str) -> list[str]:
    if not word.isascii() or len(word) < 3 or not word[-1].isalpha():
        return [word]
    forms = [word]
    forms += [plural for plural, singular in _IRREGULAR.items() if singular == word]
    if word in _IRREGULAR:
        forms.append(_IRREGULAR[word])
    elif word.endswith("ves") and len(word) > 4:
        forms += [word[:-1], word[:-3] + "f", word[:-3] + "fe"]  # gloves, scarves, knives
    elif word.endswith(("af", "rf", "lf", "ife")):
        forms += [f"{word}s", word.removesuffix("e").removesuffix("f") + "ves"]
    elif word.endswith("ies"):
        forms.append(word[:-3] + "y")
    elif word.endswith(("sses", "xes", "ches", "shes")):
        forms.append(word[:-2])
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        forms.append(word[:-1])
    elif word.endswith("y") and word[-2] not in "aeiou":
        forms.append(word[:-1] + "ies")
    elif word.endswith(("s", "x", "ch", "sh")):
        forms.append(word + "es")
    else:
        forms.append(word + "s")
    return forms


_STEM_ENDINGS = (
    "ations",
    "ation",
    "ating",
    "ated",
    "ances",
    "ance",
    "ences",
    "ence",
    "ings",
    "ing",
    "ions",
    "ion",
    "ed",
    "es",
    "ent",
    "s",
    "y",
    "e",
)


def stem(word: str) -> str:
    """An English word without its ending: cancelled and cancellation are both cancel."""
    for ending in _STEM_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word


def is_japanese(text: str) -> bool:
    """True when a text holds kana or kanji."""
    return bool(_JAPANESE.search(text))


def has_hiragana(text: str) -> bool:
    return bool(_KANA.search(text))


def fits_edge(text: str, start: int, end: int) -> bool:
    """True when `text[start:end]` does not cut a Latin word or a number in two."""
    return not cuts_word(text, start) and not cuts_word(text, end)


def cuts_word(text: str, at: int) -> bool:
    """True when the place before `text[at]` lies within a Latin word or a number."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
