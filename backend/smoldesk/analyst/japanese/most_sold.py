"""チケットが一番売れた公演, よく売れた3品: ranked by the one column that counts what was sold, where a row is what was sold.

Also SNS広告 where a cell says SNS and the rows are 広告, and 点数 and 作品点数 of a collection, whose works are counted in 点,
where no column holds marks.
"""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts
from smoldesk.analyst.tables.domains import domain_nouns
from smoldesk.analyst.words.text import bracketed, joined_words, tidy

Rule = tuple[re.Pattern[str], str]
_MOST = "(?:一番|いちばん|最も|もっとも|1番)"
_GOODS = "チケット|切符|入場券|商品|品物|前売り?券|券"
_WENT = "売れ(?:て(?:い)?る|ていた|た)|売り上げた"
_SELLS = "売っ|売り上げ|売上げ|売り(?=まし)|販売し|さばい"
_ENDED = "(?:た|ましたか?|たの(?:です)?か?)(?=[。?？]*$)"
_PIECES = frozenset(("資料", "作品", "収蔵品", "遺物", "絵画", "美術品", "文化財"))
_TAILS = frozenset(("広告", "作品", "資料", "記事", "動画", "商品", "便"))
_TICKETS = "チケット|切符|入場券|前売り?券"
_TICKETS_SOLD = re.compile(f"tickets? ?sold|(?:{_TICKETS}).*(?:販売|売)|^販売枚数", re.IGNORECASE)
SOLD = re.compile(
    "販売(?:個|枚|本|冊|台|点)?数|売れた(?:個)?数|売上(?:個)?数|販売枚数|^quantity$|^qty$|^数量$"
    "|^(?:(?:units|qty|tickets|copies|items|pieces) ?)?sold"
)
"""Columns that count what was sold."""
_FEW = 12
_MARKS = frozenset(("score", "rating", "quantity", "points"))


def most_sold(sold: ColumnInfo | None) -> Iterator[Rule]:
    """The patterns for a column such as `Tickets Sold`; none without one."""
    if sold is None:
        return
    name = tidy(sold.name)
    goods = rf"(?:(?:{_GOODS})(?:が|の))?"
    yield (
        re.compile(
            rf"{goods}(?:{_MOST}|よく)?(?:よく)?(?:{_WENT})(?P<rows>[一-龥ァ-ヶー]{{1,8}})(?:の|を)?(?:上位|トップ|ベスト)?(?=\d)"
        ),
        rf"{name}が多い\g<rows>トップ",
    )
    yield re.compile(rf"{goods}{_MOST}(?:よく)?(?:{_WENT})(?=[^\W\d]|\d)"), f"{name}が一番多い"
    yield re.compile(rf"{goods}よく(?:{_WENT})(?:順|もの順)に?"), f"{name}の多い順に"
    yield re.compile(rf"{goods}{_MOST}売れな(?:かった|い)(?=[^\W\d])"), f"{name}が一番少ない"


def tickets_sold(table: TableInfo) -> Iterator[Rule]:
    """チケットが一番売れたジャンル, where one column counts the tickets that were sold: never the number of rows."""
    found = [one for one in table.columns if one.kind == "number" and _TICKETS_SOLD.search(tidy(one.name))]
    if len(found) == 1:
        went = rf"(?:{_TICKETS})(?:が|の){_MOST}(?:よく)?(?:{_WENT})(?=[^\W\d])(?![^、。?？]{{1,8}}\d)"
        yield re.compile(went), f"{tidy(found[0].name)}が一番多い"


def sold_by(table: TableInfo) -> Iterator[Rule]:
    """一番売った担当者, 誰が一番売った: by the one column that counts what was sold, never by the number of rows."""
    found = [one for one in table.columns if one.kind == "number" and SOLD.search(joined_words(one.name))]
    if len(found) == 1:
        name, goods = tidy(found[0].name), "(?:([^、。?？]{1,12}?)を)?"
        yield (
            re.compile(rf"(?:誰|だれ)が{goods}{_MOST}(?:多く)?{goods}(?:{_SELLS}){_ENDED}"),
            rf"\1\2の{name}が一番多いのは誰",
        )
        sold = rf"を?{_MOST}(?:多く|よく)?(?:{_SELLS})た"
        yield re.compile(rf"{sold}(?:人|方|ひと)(?:は|って)?(?:誰|だれ|どなた)?"), f"で{name}が一番多いのは誰"
        yield re.compile(rf"{sold}(?=[^\W\d])"), f"で{name}が一番多い"


def cells_of_rows(table: TableInfo) -> Iterator[Rule]:
    """動画広告 is 動画 where each row is a 広告: the noun of the rows behind a cell says no more."""
    headers = "".join(column.name for column in table.columns)
    nouns = {one for one in domain_nouns(table) & _TAILS if one not in headers}
    for column in table.columns if nouns else ():
        cells = [tidy(one) for one in column.values if len(one) > 1]
        if (
            column.kind != "text"
            or not cells
            or len(cells) > _FEW
            or any(n in one for n in nouns for one in cells)
        ):
            continue
        held, tails = "|".join(map(re.escape, cells)), "|".join(sorted(nouns))
        yield (
            re.compile(
                rf"(?<![一-龥ァ-ヶーA-Za-z])({held})(?:{tails})(?=[のではがにをと、。?？]|$)", re.IGNORECASE
            ),
            r"\1",
        )


def counted_pieces(table: TableInfo, numbers: Sequence[ColumnInfo]) -> Iterator[Rule]:
    """分野ごとの点数: how many works there are."""
    marked = any(_is_mark(one) for one in numbers)
    if marked or not _PIECES & domain_nouns(table):
        return
    pieces = "|".join(sorted(_PIECES))
    yield re.compile(rf"(?:(?:{pieces})の?)?点数"), "件数"


def _is_mark(column: ColumnInfo) -> bool:
    grades = graded_concepts(column.name)
    return "点" in "".join(bracketed(column.name)) or any(grades.get(one, 0.0) >= 0.9 for one in _MARKS)
