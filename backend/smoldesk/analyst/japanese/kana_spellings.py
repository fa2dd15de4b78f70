"""さーばー for サーバー, ヒマワリ for ひまわり: a cell or a column in the other kana than the table writes it in.

Also a name in hiragana, whole or in part, right before a particle: ひまわりは何件 of 株式会社ひまわり.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.meanings import ColumnRef, ValueRef
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.slips import plainest
from smoldesk.analyst.words.text import key, level, tidy

_RUN = re.compile(r"(?P<kana>[\u3041-\u3096ー]{3,}|[ァ-ヶー]{3,})(?P<kanji>[\u4e00-\u9fff々]*)")
_PARTICLES = re.compile(r"(?:[はがのをにでともやへ]|には|では|とは|って|さん|から|まで|だけ|です|ですか)*")
_AFTER = re.compile(
    r"(?:は|が|の|を|に|で|と|も|や|へ|って|さん|から|だけ|別|ごと|以外|[、。?？ ]|[\u4e00-\u9fff]|$)"
)
_KATAKANA = {code: code + 96 for code in range(0x3041, 0x3097)}
_HIRAGANA = {code: code - 96 for code in range(0x30A1, 0x30F7)}
_WORD_SIGN = re.compile(r"[\u4e00-\u9fff々ァ-ヶー・]")
_LEAST = 3


def with_kana_spellings(text: str, lexicon: Lexicon) -> str:
    """A text with such words as the tables write them."""
    if not _RUN.search(text):
        return text

    def respelt(run: re.Match[str]) -> str:
        said, tail = run["kana"], run["kanji"]
        if key(said) in lexicon.terms:
            return run.group()
        inside = bool(_WORD_SIGN.match(text[run.start() - 1 : run.start()]))  # 尿 of 尿タンパク
        for start, end in _parts(said):
            if not _PARTICLES.fullmatch(said[:start]) or not _PARTICLES.fullmatch(said[end:]):
                continue
            word = said[start:end]
            cut = inside and not start
            if end == len(said) and tail and not cut and (name := _name_with(word + tail, lexicon)):
                return said[:start] + name
            if not _AFTER.match(text, run.start() + end):
                continue
            whole = "" if cut or (end == len(said) and tail) else _name_with(word, lexicon)
            if written := _other_kana(word, lexicon) or whole:
                return f"{said[:start]}{written}{said[end:]}{tail}"
        return run.group()

    return _RUN.sub(respelt, text)


def _parts(said: str) -> Iterator[tuple[int, int]]:
    """Parts of a run, the longest first."""
    for size in range(len(said), _LEAST - 1, -1):
        for start in range(len(said) - size + 1):
            yield start, start + size


def _other_kana(word: str, lexicon: Lexicon) -> str:
    """The word in the other kana, where a table has it so and the word itself means nothing."""
    if level(word) in lexicon.terms:
        return ""
    return next((form for form in _forms(word) if form != word and _is_own(form, lexicon)), "")


def _name_with(word: str, lexicon: Lexicon) -> str:
    """The one name of which the word tells enough."""
    if level(word) in lexicon.terms:
        return ""
    held = {
        one.value: one
        for form in _forms(word)
        for _, index in lexicon.indexes()
        for one in index.holding(plainest(key(form))) or ()
        if one.covered_by(plainest(key(form)))
    }
    return tidy(next(iter(held))) if len(held) == 1 else ""


def _forms(word: str) -> tuple[str, str]:
    return word.translate(_KATAKANA), word.translate(_HIRAGANA)


def _is_own(term: str, lexicon: Lexicon) -> bool:
    """Whether a table has a column or a cell of that name."""
    known = lexicon.meant(key(term)) or ()
    return any(
        isinstance(one, ValueRef) or (isinstance(one, ColumnRef) and one.strength >= 2.0) for one in known
    )
