"""Japanese that speaks of what columns hold without naming them, written with their names: for a second reading.

平均点 where one column is of marks, 合格者 where a cell says 合格, 満席 where there are seats and visitors, 何個売れた
where one column counts what was sold, 2人での予約 where one counts the guests. A rule looks at what the columns are, so that a
table without such a column keeps the words as they are, and they are declined.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.japanese.flag_verbs import flag_verbs
from smoldesk.analyst.japanese.held_words import held_words
from smoldesk.analyst.japanese.mark_sayings import marks, plain_name
from smoldesk.analyst.japanese.most_sold import SOLD, counted_pieces, most_sold
from smoldesk.analyst.japanese.spoken_asks import lasting
from smoldesk.analyst.japanese.spoken_headers import called
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import (
    bracketed,
    joined_words,
    rewritten,
    tidy,
)

Rule = tuple[re.Pattern[str], str]
_COUNTERS = "(?:個|枚|本|冊|台|点|皿|杯|食|箱|袋|足|着|匹|束|缶|玉|斤|セット|パック)"
_MADE = re.compile(
    "(?:製造|生産|仕入れ?|入荷)(?:個)?数|作成数|用意(?:した)?数|焼いた数"
    "|^(?:units ?)?(?:made|baked|produced|stocked)"
)
_SEATS = re.compile("座席数?$|席数$|定員|収容|部屋数|^capacity|^seats$|total seats")
_FILLED = re.compile(
    "入場者|来場者|来場|乗客|乗車人数|予約数|予約席|申込(?:者)?数|参加者|参加人数|観客"
    "|^visitors|^attend|^passengers|seats (?:sold|booked)|^booked"
)
_PARTY = re.compile("^(?:宿泊|利用|予約|来店|参加|ご?)?人数$|^(?:party size|guests|people|pax|party)$")
_ONE = {"一": "1", "二": "2", "三": "3", "四": "4", "ひとり": "1", "ふたり": "2"}
_YEARS = re.compile("年式|年度|建築年|製造年|発売年|model year|^year")


def said_by_table(text: str, lexicon: Lexicon) -> str:
    """The request with such words written as columns of the desk's own tables; else as it is."""
    for table in lexicon.catalogue.tables:
        if table.bundled or table.produced:
            continue
        text = flag_verbs(rewritten(text, _rules(table, text)), table, lexicon)
    return text


def _rules(table: TableInfo, text: str) -> Iterator[Rule]:
    numbers = [one for one in table.columns if one.kind == "number" and not one.is_id and not one.is_flag]
    yield from held_words(table)
    yield from called(table)
    yield from marks(table, numbers, text)
    yield from _times(table)
    yield from _full(numbers)
    yield from _sold(numbers)
    yield from most_sold(_only(numbers, SOLD))
    yield from counted_pieces(table, numbers)
    party = _only(numbers, _PARTY)
    if party is not None:
        for word, digit in _ONE.items():
            yield (
                re.compile(rf"(?<![一-龥\d]){word}(?:人)?(?=(?:で|だけで)の?(?:予約|宿泊|利用|来店|泊|来))"),
                f"{digit}人",
            )
        yield (
            re.compile(
                r"(?<!\d)(\d+)(?:人|名)(?:様)?(?:だけ)?で(?:の(?=予約|宿泊|利用|来店|注文|グループ|団体)|(?=予約し|泊ま|宿泊し|来た|来店し|利用し))"
            ),
            rf"{plain_name(party)}が\1の",
        )
    yield from _amounts(numbers)
    yield from _different(table)
    years = _only([one for one in table.columns if one.kind == "number"], _YEARS)
    if years is not None:
        yield (
            re.compile(r"(?<!\d)((?:19|20)\d\d)年(?:式|度|製|築|モデル)(?!の平均)"),
            rf"{plain_name(years)}\1",
        )
    dates = [one for one in table.columns if one.kind == "date"]
    if len(dates) == 1 and "%m" in dates[0].form and "%d" not in dates[0].form:
        yield re.compile(r"何(?:か|カ|ヵ|ヶ|ケ|箇)月(?:分)?"), "何件"


def _amounts(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """400mL採血した: just as much, where one column is in that unit."""
    said = [(unit, one) for one in numbers for unit in bracketed(one.name) if not unit.isdigit()]
    for unit, column in said:
        if [other for other, _ in said].count(unit) == 1:
            amount = re.compile(
                rf"(?<!\d)(\d+){re.escape(tidy(unit))}(?=(?:を)?[一-龥]{{2}}し(?:た|て))", re.IGNORECASE
            )
            yield amount, rf"{plain_name(column)}が\1の"


_PERSONS = "会員|お客さん|お客様|客|顧客|利用者|患者|生徒|参加者|選手|メンバー|ユーザー|人"


def _different(table: TableInfo) -> Iterator[Rule]:
    """会員は重複なしで何人: the different numbers or names that come again."""
    again = [one for one in table.columns if one.is_id and one.values and len(one.values) < table.rows]
    if len(again) != 1:
        return
    once = r"(?:重複(?:なし|抜き|を除いて|は除いて|を除き|せず)(?:で|に)?|ダブりなしで?)"
    asked = rf"(?:{_PERSONS})(?:は|が|って)?(?:全部で)?(?:、)?"
    written = f"{tidy(again[0].name)}は何種類"
    yield re.compile(rf"{asked}何(?:人|名)([^。?？()（）]{{0,8}}[?？]?) ?[(（]{once}[)）]"), written
    yield re.compile(rf"{asked}{once}、?何(?:人|名)"), written
    yield re.compile(rf"{once}、?(?:で)?{asked}何(?:人|名)"), written


def _times(table: TableInfo) -> Iterator[Rule]:
    """平均時間, かかる時間: where one column is of how long a row took."""
    lasts = lasting(table)
    if lasts is None or plain_name(lasts) == "時間":
        return
    name = plain_name(lasts)
    took = "(?:かかる|かかった|かかっている|要する|要した)(?:時間|日数|期間)"
    yield re.compile(rf"(?:まで)?に?{took}"), f"の{name}"
    yield (
        re.compile(
            r"(\d+(?:時間半?|分))(以上|以下|未満)(?:も)?(?:かか(?:った|る|っている|ってる))(?=[人客方のもケ])"
        ),
        rf"{name}が\1\2の",
    )


def _full(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """満席, 売り切れ: as many visitors as seats, as many sold as made."""
    for filled, whole, words in (
        (_FILLED, _SEATS, "満席|満員|満室|フル"),
        (SOLD, _MADE, "売り切れ|売切れ|売り切|完売"),
    ):
        part, of = _only(numbers, filled), _only(numbers, whole)
        if part is None or of is None or part == of:
            continue
        a, b = plain_name(part), plain_name(of)
        yield re.compile(rf"[(（]{re.escape(a)} ?[=＝] ?{re.escape(b)}[)）]"), ""
        whose = "(?:(?:作った|焼いた|用意した|仕入れた)?(?:分|もの|商品|品|席|座席)(?:が|は))?(?:全部|ぜんぶ|すべて|全て)?"
        yield (
            re.compile(
                rf"{whose}(?:{words})(?:に)?(?:だった|なった|なっている|なってる|した|していた|ている|てる|た|の)"
            ),
            f"{a}が{b}と等しい",
        )


def _sold(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """全部で何個売れた: the total of the one column that counts what was sold."""
    for column, verbs in (
        (_only(numbers, SOLD), "売れ|売っ|販売し"),
        (_only(numbers, _MADE), "作っ|製造し|焼い|仕入れ|作られ"),
    ):
        if column is None:
            continue
        ended = r"(?:た|ている|てる|ました|ています)(?:の|ん)?(?:です)?(?:か)?(?=[。?？]*$)"
        whole = "(?:、)?(?:全部で|合計で|トータルで|合わせて|ぜんぶで|全体で)?"
        asked = rf"何{_COUNTERS}(?:くらい|ほど|ぐらい)?(?:{verbs}){ended}"
        yield re.compile(rf"^{whole}{asked}"), f"{plain_name(column)}の合計は"
        yield re.compile(rf"(?:は|が|って|で|に)?{whole}{asked}"), f"の{plain_name(column)}の合計は"


def _only(columns: list[ColumnInfo], said: re.Pattern[str]) -> ColumnInfo | None:
    found = [one for one in columns if said.search(joined_words(one.name))]
    return found[0] if len(found) == 1 else None
