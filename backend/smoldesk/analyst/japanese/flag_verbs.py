"""ワクチン打ってない, 保険に入っている: a yes/no column with a verb that only says yes or no.

Written ワクチンがない and 保険がある. The noun must belong to that one column and stand right before the verb.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.meanings import ColumnRef, RowNoun, ValueRef
from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import is_japanese, tidy

_VERBS = (
    "なっ|打っ|受け|し|やっ|持っ|付け|つけ|付い|つい|済ませ|済ん|終え|終わっ|取っ|とっ|使っ|飲ん|入れ|入っ|出し"
    "|接種し|加入し|利用し"
)
_DENIED = r"(?:て|で)(?:い)?(?:ない|なかった|ません(?:でした)?)"
_PLAINLY_DENIED = (
    r"(?:(?:し|され|受け|付け|つけ|終え|入れ)(?:な(?:い|かった)|ません(?:でした)?)"
    r"|され(?:て|で)(?:い)?な(?:い|かった))"
)
_DONE = r"(?:(?:て|で)(?:い)?(?:る|た|ます)|た|だ)"


def flag_verbs(text: str, table: TableInfo, lexicon: Lexicon) -> str:
    """The text with such verbs as がない and がある."""
    for name, header in _nouns(text, table, lexicon):
        said = rf"{re.escape(name)}(?:を|が|に|は|も)?(?:まだ|もう)?(?:{_VERBS})"
        text = re.sub(said + _DENIED, f"{header}がない", text)
        plainly = rf"{re.escape(name)}(?:を|が|に|は|も)?(?:まだ)?{_PLAINLY_DENIED}"
        text = re.sub(rf"{plainly}(?=[人方子犬猫もの車客会社生患]|[一-龥ァ-ヶ])", f"{header}がない", text)
        text = re.sub(rf"{said}{_DONE}(?=[人方子犬猫もの車客会社生患]|[一-龥ァ-ヶ])", f"{header}がある", text)
    return text


_NOT_DONE = r"(?:し|され)(?:な(?:い|かった)|ません(?:でした)?|て(?:い)?(?:ない|なかった|ません(?:でした)?))"
_WAS_DONE = r"(?:し|され)(?:た|て(?:い)?[るた])(?![^。?？]*(?:と|か)(?:し|され|そう)(?:な|て|で))"
_WHO = "(?=[人方子犬猫車客会社生患]|[一-龥ァ-ヶ]{2})"


def flags_like_rows(table: TableInfo, lexicon: Lexicon) -> Iterator[tuple[re.Pattern[str], str]]:
    """入院した患者, 入院しなかった患者 over Admitted: else the verb would tell of every row, since 入院 could be a row."""
    flags = {column.name for column in table.columns if column.yes_no}
    for term, meanings in lexicon.terms.items() if flags else ():
        refs = {
            one.column
            for one in meanings
            if isinstance(one, ColumnRef | ValueRef) and one.table == table.name
        }
        rows = any(isinstance(one, RowNoun) and one.kinds for one in meanings)
        if rows and len(refs) == 1 and refs <= flags and re.fullmatch("[一-龥]{2,}", term):
            header = tidy(next(iter(refs)))
            said = rf"(?<![一-龥]){re.escape(term)}(?:を|が|は|も)?"
            yield re.compile(f"{said}{_NOT_DONE}{_WHO}"), f"{header}がない"
            yield re.compile(f"{said}{_WAS_DONE}{_WHO}"), f"{header}がある"


def _nouns(text: str, table: TableInfo, lexicon: Lexicon) -> list[tuple[str, str]]:
    """The words of the request that mean one yes/no column and no other, each with what it is written as.

    A word that could be the rows as well, 入院 of visits, is written as the header.
    """
    flags = {column.name for column in table.columns if column.yes_no}
    found = {tidy(name): tidy(name) for name in flags if tidy(name) in text}
    for term, meanings in lexicon.terms.items():
        if len(term) < 2 or not is_japanese(term) or term not in text:
            continue
        refs = {
            one.column
            for one in meanings
            if isinstance(one, ColumnRef | ValueRef) and one.table == table.name
        }
        if len(refs) == 1 and refs <= flags and any(isinstance(one, ColumnRef) for one in meanings):
            rows = any(isinstance(one, RowNoun) for one in meanings)
            found.setdefault(term, tidy(next(iter(refs))) if rows else term)
    return sorted(found.items(), key=lambda pair: len(pair[0]), reverse=True)
