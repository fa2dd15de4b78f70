"""A header said in the ways of Japanese: 新規・再来別 of 新規/再来, どんなものがある, 1万円以上の支払い beside 支払い方法.

The patterns are made from the headers, and what they write is the header or the rows; without such a header a request stays
as it was.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.japanese.mark_sayings import plain_name
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts
from smoldesk.analyst.tables.domains import domain_nouns
from smoldesk.analyst.words.text import key, tidy

Rule = tuple[re.Pattern[str], str]
_ALL = "(?:全部で|ぜんぶで|合計で|合わせて|トータルで|全体で)"
_END = "(?:ます|る|ります|りますか|るの|るか|るんですか)?(?:か|の|ね)*"
_OF_DEEDS = re.compile(
    "([一-龥]{1,2}[いりえけせみきち]|[一-龥]{2}|[一-龥][いりえけせみきち][一-龥][いりえけせみきち])"
    "(?:方法|手段|経路|ルート|区分|種別|日時|時刻|日|サイト|番号|窓口|担当者?)"
)
"""支払い of 支払い方法, 来店 of 来店日時: what its rows are."""
_NOT_DEEDS = frozenset(
    ("製品", "商品", "品目", "生年", "年齢", "曜日", "会員", "顧客", "社員", "部署", "店舗", "担当", "誕生", "期限", "締切",
     "支店", "学生", "電話", "管理", "物件", "氏名")
)  # fmt: skip
_SPENT = re.compile("([一-龥]{2,4})(日数|時間|期間|分数)")
"""対応にかかった日数 of 対応日数."""
_SEPARATED = re.compile(r"[/／・]")
_KINDS = frozenset(("species", "category", "type", "breed", "kind", "variety"))
_PER_MONTH = re.compile(r"/ ?(?:mo|month|月)\b|/月|月額|月間|monthly|per month", re.IGNORECASE)


def spoken_headers(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for one table, whose columns are called by `names`."""
    yield from _long_ends(table)
    for column in table.columns:
        said = [re.escape(name) for name in names[column.name] if len(name) > 1]
        yield from _separated(column)
        if said and column.kind in ("text", "bool") and not column.is_id:
            yield from _what_there_is(f"({'|'.join(said)})")
            if not any(name.endswith(("名前", "名称")) for name in said):
                yield (
                    re.compile(
                        rf"({'|'.join(said)})の(?:名前|名称)(?=(?:が|は)(?:空|未|入|抜|書|な)|に[^、。?？]*(?:含|つく|付く|入)|に$)"
                    ),
                    r"\1",
                )
        named = re.fullmatch("([一-龥ァ-ヶー]{2,8}?)(?:名|氏名|の名前|の氏名)", tidy(plain_name(column)))
        if named and column.kind == "text" and not column.is_id:
            yield (
                re.compile(rf"(?<![一-龥ァ-ヶー]){named[1]}(?=(?:は|って)(?:誰|だれ|どなた|何さん))"),
                tidy(plain_name(column)),
            )
        if column.kind == "number" and (spent := _SPENT.fullmatch(tidy(plain_name(column)))):
            took = "(?:かか(?:った|る|っている)|要(?:した|する))"
            yield (
                re.compile(rf"{spent[1]}(?:する)?(?:まで)?(?:に|の)?{took}(?:時間|日数|期間|{spent[2]})"),
                tidy(plain_name(column)),
            )
    yield from _deeds(table, names)
    yield from _kinds(table)
    yield from _beginnings(table, names)
    if any(column.kind == "number" and _PER_MONTH.search(tidy(column.name)) for column in table.columns):
        yield re.compile(r"(?<![\w])(?:[1一]か月|ひと月|毎月|月)に?(?=\d[\d,.]*(?:時間|万?円|回|日))"), ""
        yield re.compile(r"(?<=[がは])(?:[1一]か月|ひと月|毎月|月)に?(?=\d[\d,.]*(?:時間|万?円|回|日))"), ""


def called(table: TableInfo) -> Iterator[Rule]:
    """名前にスーパーがつくお店: a part of the texts of the column that is named behind it; for a second reading."""
    for column in table.columns:
        if column.kind != "text" or column.is_id:
            continue
        name = tidy(plain_name(column))
        bare = re.sub("(?<=.)(?:名|名前|名称)$", "", name)
        held = "(?:が|を|という(?:文字|言葉|語)が)?"
        held += "(?:[つ付](?:く|いた)|入(?:る|った|っている)|含まれ(?:る|ている)|含む|ある)"
        yield (
            re.compile(
                rf"(?:お?名前|名称)(?:の中)?に[「『\"]?([^「」『』\"、。?？]{{1,12}}?)[」』\"]?{held}(?:{re.escape(bare)}|{re.escape(name)})(?:で|での)?(?:の)?"
            ),
            rf"{name}に「\1」を含む",
        )


_BEGUN = re.compile(r"([ァ-ヶー]{2,}|[一-龥々]{2,})(?=[A-Za-z0-9 (（\-])")


def _beginnings(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """ボルトを作った, ボルトの: the cells ボルトM8 and ボルトM10, where nothing else of the table is called so."""
    known = {name for said in names.values() for name in said}
    known |= {key(value) for column in table.columns for value in column.values}
    for column in table.columns:
        if column.kind != "text" or column.is_id or not 2 <= len(column.values) <= 40:
            continue
        begun = {found[1] for value in column.values if (found := _BEGUN.match(tidy(value)))}
        for word in sorted(begun, key=len, reverse=True):
            if key(word) in known or any(
                word in name for name in known if name not in map(key, column.values)
            ):
                continue
            made = "(?:を(?:作っ|製造し|生産し|売っ|買っ|使っ|注文し|扱っ)た|(?:だけ)?の)"
            yield (
                re.compile(rf"(?<![ァ-ヶー一-龥々「『\"]){re.escape(word)}{made}(?=[一-龥ァ-ヶー])"),
                f"{plain_name(column)}が「{word}」で始まる",
            )


def _separated(column: ColumnInfo) -> Iterator[Rule]:
    """新規・再来別 and 新規と再来の内訳 of a column 新規/再来: the header, not two of its cells."""
    written = re.sub(r"[(（\[［].*?[)）\]］]", "", tidy(column.name))
    parts = [part.strip() for part in _SEPARATED.split(written)]
    if len(parts) < 2 or column.kind not in ("text", "bool") or any(len(part) < 2 for part in parts):
        return
    either = " ?(?:・|/|／|、|と|か|or) ?".join(map(re.escape, parts))
    yield re.compile(rf"{either}(?=別|ごと|毎|の別|の内訳|の割合|の比率)", re.IGNORECASE), written


def _what_there_is(named: str) -> Iterator[Rule]:
    """相談種別にはどんなものがある, どんな相談種別がある, 調査地点は全部でいくつありますか: its different values."""
    there = f"(?:(?:があ|が含まれ|が入ってい|がい|あ|い|含まれ){_END}|(?:です|でしょう|なの)?か?)"
    kind = "(?:どんな|どういう|どういった|どのような|何の|なんの|いかなる)"
    yield (
        re.compile(
            rf"{named}(?:に|って|として)?(?:は|には)?、?{kind}(?:もの|種類|の|やつ|{named[1:-1]}){there}(?=[。?？]*$)"
        ),
        r"\1は何種類",
    )
    yield re.compile(rf"^{kind}{named}(?:があ|がい|が含まれ){_END}(?=[。?？]*$)"), r"\1は何種類"
    yield (
        re.compile(rf"(?<![別と、]){named}(?:は|って|が)?、?{_ALL}いくつ(?:あ|い){_END}(?=[。?？]*$)"),
        r"\1は何種類",
    )


def _deeds(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """1万円以上の支払いは何回: a verb noun with which a header only begins is a row, where rows are asked for."""
    whole = {key(tidy(plain_name(column))) for column in table.columns}
    whole |= {name for said in names.values() for name in said}
    cells = {key(value) for column in table.columns for value in column.values}
    for column in table.columns:
        begun = _OF_DEEDS.fullmatch(tidy(plain_name(column)))
        if begun is None or begun[1] in _NOT_DEEDS or key(begun[1]) in cells:
            continue
        deed = re.escape(begun[1])
        if key(begun[1]) not in whole or column.kind == "text":
            counted = rf"(?:は|って|が)?(?:{_ALL})?(?=何[件回]|いくつ)"
            yield re.compile(rf"(?<![一-龥ァ-ヶー]){deed}{counted}"), "データは"
            yield (
                re.compile(rf"(?<![一-龥ァ-ヶー]){deed}の?(?:件数|回数)(?=[はをのでが、。?？]|って|$)"),
                "件数",
            )
        yield (
            re.compile(
                rf"(?<=[るたのいなでが]){deed}の(?=(?:平均|合計|最大|最小|最高|最低|中央)[一-龥ァ-ヶー]*)"
            ),
            "行の",
        )
        yield re.compile(rf"^{deed}の(?=(?:平均|合計|最大|最小|最高|最低)[一-龥ァ-ヶー])"), ""


_SHORT_END = re.compile("[ァ-ヶー]{2,}[リバザタダサマナ](?![ァ-ヶー])")


def _long_ends(table: TableInfo) -> Iterator[Rule]:
    """カテゴリー, ユーザー of a header カテゴリ, ユーザ: written with the long end by some, without it by others."""
    held = [tidy(text) for column in table.columns for text in (column.name, *column.values)]
    short = {word for column in table.columns for word in _SHORT_END.findall(tidy(column.name))}
    for word in sorted(short):
        if not any(f"{word}ー" in text for text in held):
            yield re.compile(rf"{word}ー(?![ァ-ヶー])"), word


def _kinds(table: TableInfo) -> Iterator[Rule]:
    """種類ごと: by the one column that says of what kind a row is."""
    kinds = [
        column
        for column in table.columns
        if column.kind == "text"
        and any(grade >= 0.95 for concept, grade in graded_concepts(column.name).items() if concept in _KINDS)
    ]
    kinds = kinds or [
        column
        for column in table.columns
        if column.kind == "text"
        and re.search("種類?$|品種|分類|^(?:species|kind|type|breed|variety)$", key(tidy(plain_name(column))))
    ]
    if len(kinds) == 1:
        written = tidy(kinds[0].name)
        nouns = [re.escape(noun) for noun in sorted(domain_nouns(table)) if not noun.isascii()]
        if nouns:
            rows = f"(?:{'|'.join(nouns)})"
            yield (
                re.compile(
                    rf"^{rows}(?:は|って)、?{_ALL}?何種類?(?:(?:あ|い){_END}|(?:です|でしょう)?か?)(?=[。?？]*$)"
                ),
                f"{written}は何種類",
            )
            yield re.compile(rf"^何種類の{rows}が(?:あ|い){_END}(?=[。?？]*$)"), f"{written}は何種類"
        yield re.compile(r"(?:(?<![一-龥ァ-ヶーぁ-んA-Za-z])|(?<=と))種類(?=ごと|別|毎)"), written
        yield re.compile(r"(?<=と)種類(?=[^。?？]*クロス)|^種類(?=と[^。?？]*クロス)"), written
        ranked = r"((?:一番|いちばん|最も|もっとも)[^。?？、]{0,8}[いた])"
        yield re.compile(rf"{ranked}種類(?=は|って|が|を|[。?？]|$)"), rf"\1{written}"
