"""A header with another last word: 予約ルート of 予約経路, 問い合わせの種類 of 問い合わせ区分, アルコール分 of アルコール度数.

Only last words that say the same of any table stand for one another, and only where the table has one such column and
nothing else that is called so.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.japanese.mark_sayings import plain_name
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.words.text import is_japanese, key, tidy

Rule = tuple[re.Pattern[str], str]
_ALIKE: tuple[tuple[str, ...], ...] = tuple(
    tuple(words.split())
    for words in (
        "区分 種別 種類 タイプ 分類 カテゴリー カテゴリ 内容 項目 ジャンル",
        "方法 手段 経路 ルート 手法 チャネル やり方 仕方 元",
        "料金 料 費用 費 代金 代 額 金額 価格 値段 コスト",
        "日付 年月日 日 日時 日にち 月日 年月",
        "時刻 時間帯 時間",
        "状況 状態 ステータス",
        "度数 度合い 度合 度 分 レベル 濃度",
        "率 割合 比率 パーセンテージ パーセント",
        "担当者 担当 係 係員",
        "番号 ナンバー No コード ID",
        "名称 名前 名",
        "理由 原因 要因 わけ きっかけ 動機",
        "人数 者数",
        "個数 数量",
        "スコア 得点 点数 点 評点 ポイント",
        "距離 キロ数",
        "期限 締切 締め切り 期日",
        "場所 地点 会場 所 先",
        "メーカー 製造元 会社",
    )
)
_ALONE = frozenset(
    ("分", "元", "先", "所", "代", "料", "費", "額", "日", "点", "名", "率", "度", "係", "内容", "項目")
)
"""Last words that say too little after の: 予約の元."""
_OFTEN = {"時刻": "date", "日付": "date"}
_EDGE = "(?![一-龥々ァ-ヶーA-Za-z])|(?=別|毎|順|一覧|平均|合計)"
_DOERS = re.compile("([一-龥]{2})(?:担当者|担当|者|係|員)|(担当)者?")
_IDS = re.compile("(.{2,}?)(?:番号|コード|ID|Id|No\\.?|ナンバー)")


def last_words(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for one table, whose columns are called by `names`."""
    heads = {column.name: tidy(plain_name(column)) for column in table.columns}
    taken = {key(name) for name in heads.values()} | {one for said in names.values() for one in said}
    taken |= {key(value) for column in table.columns for value in column.values}
    yield from _numbers(table, heads)
    yield from _persons(table, heads, names, taken)
    for column in table.columns:
        head = heads[column.name]
        if not is_japanese(head):
            continue
        for stem, words in _split(head, column):
            others = [name for one, name in heads.items() if one != column.name and name.startswith(stem)]
            if any(name[len(stem) :] in words for name in others):
                continue
            said = [f"{stem}{word}" for word in words]
            said += [f"{stem}の{word}" for word in words if word not in _ALONE]
            free = [re.escape(one) for one in said if key(one) not in taken and one != head]
            if free:
                free.sort(key=len, reverse=True)
                yield re.compile(rf"(?<![一-龥々ァ-ヶー])(?:{'|'.join(free)})(?:{_EDGE})"), head


def _persons(
    table: TableInfo, heads: Mapping[str, str], names: Mapping[str, Sequence[str]], taken: set[str]
) -> Iterator[Rule]:
    """検査者, 検査した人 of 検査担当; 担当した人 of 担当者."""
    found = [
        (heads[one.name], said[1] or said[2])
        for one in table.columns
        if one.kind == "text" and (said := _DOERS.fullmatch(heads[one.name]))
    ]
    found += [
        (heads[one], "担当") for one, said in names.items() if "担当者" in said and not is_japanese(one)
    ]
    for head, stem in found:
        if [other for _, other in found].count(stem) > 1:
            continue
        said = [
            f"{stem}した人",
            f"{stem}している人",
            f"{stem}の人",
            f"{stem}者",
            f"{stem}担当者",
            f"{stem}担当",
            f"{stem}係",
            f"{stem}員",
        ]
        free = [one for one in said if key(one) not in taken and one != head]
        yield re.compile(rf"(?<![一-龥々ァ-ヶー])(?:{'|'.join(free)})(?:{_EDGE}|(?=が))"), head


def _split(head: str, column: ColumnInfo) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The stem of a header, with the words that stand for its last one; the longest last word alone."""
    for words in _ALIKE:
        last = next((word for word in sorted(words, key=len, reverse=True) if head.endswith(word)), "")
        stem = head.removesuffix(last) if last else ""
        if len(stem) < 2 or column.kind != _OFTEN.get(words[0], column.kind):
            continue
        yield stem, words
        return


def _numbers(table: TableInfo, heads: Mapping[str, str]) -> Iterator[Rule]:
    """予約の番号, and 番号 alone where one column numbers the rows."""
    numbered = [(head, found[1]) for head in heads.values() if (found := _IDS.fullmatch(head))]
    for head, stem in numbered:
        if is_japanese(stem):
            yield (
                re.compile(
                    rf"(?<![一-龥々ァ-ヶー]){re.escape(stem)}の(?:番号|コード|ID|ナンバー)(?:{_EDGE})"
                ),
                head,
            )
    ids = [heads[one.name] for one in table.columns if one.is_id]
    if not numbered and len(ids) == 1 and not is_japanese(ids[0]):
        numbered = [(ids[0], "")]
    if len(numbered) == 1 and not any(
        re.search("番号", value) for one in table.columns for value in one.values
    ):
        yield re.compile(r"(?<![一-龥々ァ-ヶーA-Za-z])番号(?=[をはとも、。?？]|だけ|$)"), numbered[0][0]
