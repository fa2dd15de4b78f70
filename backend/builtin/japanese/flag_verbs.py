"""ワクチン打ってない, 保険に入っている: a yes/no column with a verb that only says yes or no.

Written ワクチンがない and 保険がある. The noun must belong to that one column and stand right before the verb.
"""

import re

from backend.builtin.meanings import ColumnRef, ValueRef
from backend.builtin.tables.catalogue import TableInfo
from backend.builtin.tables.lexicon import Lexicon
from backend.builtin.words.text import is_japanese, tidy

_VERBS = (
    "なっ|打っ|受け|し|やっ|持っ|付け|つけ|付い|つい|済ませ|済ん|終え|終わっ|取っ|とっ|使っ|飲ん|入れ|入っ|出し"
    "|接種し|加入し|利用し"
)
_DENIED = r"(?:て|で)(?:い)?(?:ない|なかった|ません(?:でした)?)"
_DONE = r"(?:(?:て|で)(?:い)?(?:る|た|ます)|た|だ)"


def flag_verbs(text: str, table: TableInfo, lexicon: Lexicon) -> str:
    """The text with such verbs as がない and がある."""
    for name in _nouns(text, table, lexicon):
        said = rf"{re.escape(name)}(?:を|が|に|は|も)?(?:まだ|もう)?(?:{_VERBS})"
        text = re.sub(said + _DENIED, f"{name}がない", text)
        text = re.sub(rf"{said}{_DONE}(?=[人方子犬猫もの車客会社生患]|[一-龥ァ-ヶ])", f"{name}がある", text)
    return text


def _nouns(text: str, table: TableInfo, lexicon: Lexicon) -> list[str]:
    """The words of the request that mean one yes/no column and nothing else of the table."""
    flags = {column.name for column in table.columns if column.yes_no}
    found = {tidy(name) for name in flags if tidy(name) in text}
    for term, meanings in lexicon.terms.items():
        if len(term) < 2 or not is_japanese(term) or term not in text:
            continue
        refs = {
            one.column
            for one in meanings
            if isinstance(one, ColumnRef | ValueRef) and one.table == table.name
        }
        if len(refs) == 1 and refs <= flags and any(isinstance(one, ColumnRef) for one in meanings):
            found.add(term)
    return sorted(found, key=len, reverse=True)
