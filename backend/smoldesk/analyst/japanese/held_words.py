"""Words put together from what a table holds: 修理代 of 修理内容 and 料金, 献立名 of 献立, AとBそれぞれの売上."""

import re
from collections.abc import Iterator

from smoldesk.analyst.japanese.mark_sayings import plain_name
from smoldesk.analyst.reading.row_money import row_money
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import core_words, units
from smoldesk.analyst.tables.english_headers import kind_names
from smoldesk.analyst.words.text import bracketed, is_japanese, tidy

Rule = tuple[re.Pattern[str], str]
_USED = "使用量|消費量|利用量|散布量|投入量|排出量|回収量|収穫量"
_WEIGHED = frozenset(("kg", "g", "t", "l", "ml", "リットル", "m3", "㎥", "kl", "袋"))
_PLAIN_MONEY = re.compile("^(?:料金|金額|費用|代金|価格|値段|支払額|支払金額|会計|請求額|合計金額)$")
_DONE = "(?:開い|開催し|行っ|行い|実施し|やっ|し|利用し|使っ)(?:た|ている|てる|ました)"


def held_words(table: TableInfo) -> Iterator[Rule]:
    """The patterns for one table."""
    names = {one.name: tidy(plain_name(one)) for one in table.columns}
    said_else = {*names.values(), *(tidy(value) for one in table.columns for value in one.values)}
    yield from _money(table, names)
    for column in table.columns:
        name = names[column.name]
        if column.values and (kinds := kind_names(core_words(column.name))):
            cells = "|".join(re.escape(tidy(one)) for one in column.values)
            yield re.compile(rf"(?:{'|'.join(kinds)})が(?=(?:{cells})の)", re.IGNORECASE), ""
        if not is_japanese(name) or len(name) < 2:
            continue
        said = re.escape(name)
        if column.kind == "text" and not any(other.startswith(f"{name}名") for other in names.values()):
            yield re.compile(rf"{said}名(?![一-龥ァ-ヶー])"), name
        measured = {one.lower() for one in bracketed(column.name)} & _WEIGHED
        if column.kind == "number" and measured and not name.endswith("量"):
            yield re.compile(rf"{said}の?(?:{_USED}|量)(?![一-龥])"), name
        if column.kind == "number" and name.endswith("回数") and len(name) > 3:
            event = re.escape(name.removesuffix("回数"))
            if (
                re.search("[ぁ-ん]$", name.removesuffix("回数"))
                and name.removesuffix("回数") not in said_else
            ):
                yield (
                    re.compile(
                        rf"{event}(?=(?:が|は)?\d+回|の(?:合計|総数|平均|最大|最小)|が(?:一番|最も|いちばん)?(?:多|少な))"
                    ),
                    name,
                )
            yield (
                re.compile(rf"{event}を(\d+回)(以上|以下|未満)?{_DONE}(?=[一-龥])"),
                rf"{name}が\1\2の",
            )


def _money(table: TableInfo, names: dict[str, str]) -> Iterator[Rule]:
    """修理代 where a column is 修理内容 and the only money 料金; 薬代 of 薬剤料; no other thing that costs."""
    money = row_money(table) or _only_yen(table)
    if money is None:
        return
    name = names[money.name]
    held = {one[:2] for one in (name,) if len(one) > 2} | {one[:1] for one in (name,) if one[0] in _COSTING}
    if _PLAIN_MONEY.search(name):
        done = [_DEED.fullmatch(names[one.name]) for one in table.columns if one.kind == "text"]
        held = {one[1] for one in done if one}
    for one in held:
        if re.fullmatch("[一-龥]+", one) and f"{one}代" not in "".join(names.values()):
            yield re.compile(rf"(?<![一-龥ァ-ヶー]){one}(?:代金|代|費用|費)(?![一-龥ァ-ヶー])"), name


_DEED = re.compile("([一-龥]{2,4})(?:内容|メニュー|コース|項目)")
_COSTING = frozenset("薬本花水紙皿肉魚米布木油酒茶糸")
"""Single kanji that are a thing one pays for."""


def _only_yen(table: TableInfo) -> ColumnInfo | None:
    found = [one for one in table.columns if one.kind == "number" and units(one.name) & {"yen"}]
    return found[0] if len(found) == 1 else None


def shared_endings(table: TableInfo) -> Iterator[Rule]:
    """直売所と食堂、それぞれの売上: two columns of numbers that end alike."""
    numbers = [tidy(plain_name(one)) for one in table.columns if one.kind == "number" and not one.is_id]
    for one in numbers:
        for other in numbers:
            if one == other:
                continue
            for size in range(2, min(len(one), len(other)) - 1):
                if one[-size:] != other[-size:]:
                    break
                first, second, last = one[:-size], other[:-size], one[-size:]
                both = rf"{re.escape(first)}(?:と|、|・){re.escape(second)}"
                yield (
                    re.compile(rf"{both}(?:、|の)*(?:それぞれ|両方|各々)?の{re.escape(last)}"),
                    f"{one}と{other}",
                )
