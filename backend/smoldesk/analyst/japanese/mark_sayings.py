"""平均点, 80点以上, 合格者, 落ちた人: marks and who passed, written with the column of marks and the cells of a table."""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts, units
from smoldesk.analyst.words.text import name_words, tidy

Rule = tuple[re.Pattern[str], str]
_ENDS = r"(?=[のがをでとはも、。?？)）]|って|だけ|別|$)"


def marks(table: TableInfo, numbers: Sequence[ColumnInfo], text: str) -> Iterator[Rule]:
    """The patterns for a table with one column of marks, or with cells that say who passed."""
    yield from _scores(numbers, text)
    yield from _holders(table)


def _scores(numbers: Sequence[ColumnInfo], text: str) -> Iterator[Rule]:
    """平均点, 80点以上, 点数: where one column is of marks."""
    scored = [one for one in numbers if _is_mark(one)]
    if len(scored) != 1 or plain_name(scored[0]) in text:
        if len(scored) == 1:
            yield re.compile(r"(?<=[と、も])点数(?=[。?？はも]|$)"), plain_name(scored[0])
        return
    name = plain_name(scored[0])
    about = "(?:(?:テスト|試験|検定|考査|小テスト)の?)?"
    yield re.compile(rf"{about}(平均|最高|最低)点数?(?:の差は?何点)"), rf"{name}の\1の差は"
    yield re.compile(rf"{about}(平均|最高|最低)点数?(?![数差])"), rf"{name}の\1"
    yield re.compile(r"(の差は?)何点"), r"\1"
    yield re.compile(rf"(?<![一-龥ァ-ヶ\d]){about}(?:点数|得点|スコア){_ENDS}"), name
    bound = r"(?<!\d)(\d+)点(以上|以下|未満|より(?:上|下|高い|低い)|を?超え)"
    yield re.compile(rf"(?:{re.escape(name)}[がは])?{bound}"), rf"{name}が\1\2"


def _is_mark(column: ColumnInfo) -> bool:
    name = "".join(name_words(column.name))
    marked = bool(
        re.search("(?:テスト|試験|検定|考査|評価)の?(?:点|点数|得点)$|^(?:点数|得点|スコア|成績)$", name)
    )
    return marked or (graded_concepts(column.name).get("score", 0.0) >= 0.9 and not units(column.name))


def _holders(table: TableInfo) -> Iterator[Rule]:
    """合格者 and 落ちた人: those whose cell says so."""
    states = {
        value
        for one in table.columns
        if one.kind == "text" and not one.is_id
        for value in one.values
        if len(value) < 5
    }
    for value in sorted(states, key=len, reverse=True):
        if (
            len(value) > 1
            and re.fullmatch("[一-龥]+", value)
            and not value.endswith(("者", "人", "員", "客"))
        ):
            yield re.compile(rf"(?<![一-龥]){value}者(?!\w*率)"), f"{value}の人"
    if {"合格", "不合格"} <= states:
        yield re.compile(r"(?:試験|テスト)?(?:に|で)?(?:落ちた|落第した|受からなかった)"), "不合格の"
        yield re.compile(r"(?:試験|テスト)?(?:に|で)?(?:受かった|パスした|通った)"), "合格の"


def plain_name(column: ColumnInfo) -> str:
    """Its header without brackets, as it is said in a request."""
    return re.sub(r"\(.*?\)|\[.*?\]", "", tidy(column.name)).strip()
