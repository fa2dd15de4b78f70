"""数学が最低点だった生徒の名前, 売上が最大だった店: the row with an extreme, not the extreme itself."""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.japanese.mark_sayings import plain_name
from smoldesk.analyst.reading.row_money import row_money
from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.words.text import key, tidy

Rule = tuple[re.Pattern[str], str]
_SAID = (("最([高低長短安速多])", r"\2い"), ("最大", "大きい"), ("最小", "小さい"), ("最少", "少ない"))
_OF = "(?:点数?|値|額|記録|得点|スコア|時間|日数|数|気温|温度)?"
_TURNED = "(?:(?:に|と)なった|(?:に|と)なって(?:い)?る)"
_WAS = f"(?:だった|であった|である|を?(?:取った|とった|取って(?:い)?る|記録した|出した|マークした)|{_TURNED})"
_END = r"(?:です|でした|だった|でしょう|なの|か)*(?=[。?？]*$)"
_ASKS = r"[^、。?？]{0,10}?(?:の?(?:名前|氏名|番号|名|ID)|誰|だれ|どれ|どこ|どの|いつ|何日)"


_DEALS = "支払い?|買い物|出費|支出|お?会計|購入|注文"
_DEAREST = "(一番|いちばん|最も|もっとも)(高|安)(?:い|かった|額な|額の|価な)"

_SUM = "(?:合計|支払|売上|購入)?(?:金額|値段|料金|価格|代金|額)"


def _dearest(table: TableInfo) -> Iterator[Rule]:
    """一番高い支払いはどの店: the row with the most of the one column of money, also beside a column 支払方法."""
    money = row_money(table)
    if money is None or any(key(column.name) in _DEALS.split("|") for column in table.columns):
        return
    written = rf"{plain_name(money)}が\1\2い行はどの\3ですか"
    of_rows = rf"{_DEAREST}(?:{_DEALS})"
    for high, figure in (("高", "最大値"), ("安", "最小値")):
        dearest = _DEAREST.replace("(高|安)", high)
        asked = re.compile(rf"{dearest}(?:{_DEALS})の{_SUM}(?=[はをっ。?？]|$)")
        yield asked, f"{plain_name(money)}の{figure}"
    yield (
        re.compile(
            rf"{of_rows}(?:は|って)、?どの(?!くらい|ぐらい|程度|[日月年週])([一-龥ァ-ヶー]{{1,8}}){_END}"
        ),
        written,
    )
    yield (
        re.compile(
            rf"{of_rows}(?:の|を?した)(?!{_SUM})([一-龥ァ-ヶー]{{1,8}})(?:は|って)(?:どこ|どれ|何|なに)?{_END}"
        ),
        written,
    )


def _lasting(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """通話が長かった上位3件の担当者と時間: the time that was ranked, no hour of the day."""
    for column in table.columns:
        head = tidy(plain_name(column))
        if column.kind != "number" or not head.endswith("時間") or len(head) < 4:
            continue
        timed = [name for name in (head, *names[column.name]) if name.endswith("時間") and len(name) > 3]
        said = "|".join(dict.fromkeys(re.escape(name.removesuffix("時間")) for name in timed))
        ranked = rf"(?:{said})(?:時間)?(?:が|の)?(?:一番|最も|いちばん)?(?:長|短|大き|小さ)"
        asked = rf"({ranked}[^。?？]*?(?:と|や|、|の))(?:その)?時間(?=[をはも、。?？]|$)"
        yield re.compile(asked), rf"\1{head}"


def extreme_rows(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for the columns of numbers of one table, which are called by `names`."""
    yield from _dearest(table)
    yield from _lasting(table, names)
    called = {
        name
        for column in table.columns
        if column.kind == "number" and not column.is_id and not column.is_flag
        for name in names[column.name]
    }
    if not called:
        return
    said = "|".join(map(re.escape, sorted(called, key=len, reverse=True)))
    yield (
        re.compile(
            rf"(一番|いちばん|最も|もっとも)(高|安)(い|かった)({said})(?:は|って|が)、?どの(?!くらい|ぐらい|程度|[日月年週])([一-龥ァ-ヶー]{{1,8}}){_END}",
            re.IGNORECASE,
        ),
        r"\4が\1\2\3行の\5は",
    )
    for extreme, adjective in _SAID:
        begun = rf"({said})(?:の点数|の値)?(?:が|の|で|は|で、)?{extreme}{_OF}"
        written = rf"\1が一番{adjective}"
        yield re.compile(rf"{begun}{_WAS}(?=[一-龥ァ-ヶ]{{1,6}}|人|子|の)", re.IGNORECASE), written
        yield (
            re.compile(rf"{begun}の(?=[一-龥ァ-ヶ]{{1,6}}{_ASKS})(?!差|平均|合計)", re.IGNORECASE),
            written,
        )
