"""Katakana of foreign names: マクドナルド means McDonald's. Pure.

Both spellings are reduced to their consonants as Japanese hears them: l is r, v is b, f is h, j and z are g, an r that closes
a syllable is a long vowel. Only names whose consonants are all equal are the same, and at least three of them.
"""

import re
import unicodedata

# Katakana in a request that may be a foreign name.
KATAKANA = re.compile(r"[ァ-ヶ][ァ-ヶー・]{2,}")
_FEWEST = 3
_ROWS = {
    "k": "カキクケコヵヶ", "g": "ガギグゲゴザジズゼゾヂヅ", "s": "サシスセソ", "t": "タチツテト", "d": "ダデド",
    "n": "ナニヌネノン", "h": "ハヒフヘホ", "b": "バビブベボヴ", "p": "パピプペポ", "m": "マミムメモ", "r": "ラリルレロ",
}  # fmt: skip
_KANA = {ord(kana): consonant for consonant, row in _ROWS.items() for kana in row}
# Letters as sounds, in this order; what remains of vowels, w and y is dropped.
_SOUNDS = (
    (r"'s\b", ""), (r"[^a-z]", ""), (r"ough|igh", ""), (r"ph", "h"), (r"sch|sh", "s"), (r"tch|ch", "t"), (r"th", "s"),
    (r"wh", "w"), (r"ck|q", "k"), (r"c(?=[eiy])", "s"), (r"c", "k"), (r"x", "ks"), (r"j|z", "g"),
    (r"(?<=[aeiou])r(?![aeiouy])", ""), (r"ts|tg", "t"), (r"l", "r"), (r"v(?=[kpst])", "h"), (r"v", "b"), (r"f", "h"),
    (r"m(?=[bp])", "n"), (r"[aeiouwy]", "."),
)  # fmt: skip


def sounds(name: str) -> str:
    """Return the consonants of a name in Latin letters or katakana; empty for fewer than three or another script."""
    text = unicodedata.normalize("NFKD", name).casefold()
    kana = unicodedata.normalize("NFKC", name)
    if KATAKANA.fullmatch(kana.replace(" ", "")):
        text = re.sub(r"[^a-z]", ".", kana.translate(_KANA))
    elif re.search(r"[^\x00-\u036f’]", text):
        return ""
    else:
        text = "".join(char for char in text.replace("’", "'") if char.isascii())
        for pattern, sound in _SOUNDS:
            text = re.sub(pattern, sound, text)
    consonants = re.sub(r"(.)\1+", r"\1", text).replace(".", "")
    return consonants if len(consonants) >= _FEWEST else ""
