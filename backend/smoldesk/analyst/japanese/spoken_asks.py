"""How Japanese asks for one row, a place or a span, written with the column that answers: のはどれ, のはどこ, 時間がかかった.

Also words that say no more than that all are meant: 全フロア合わせて, すべての店舗の.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts, units
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.words.text import bracketed, name_words, tidy

Rule = tuple[re.Pattern[str], str]
_MOST = "(?:一番|いちばん|1番|最も|もっとも|最大|最小|最高|最低|最長|最短|最多|トップ)"
_PLACES = frozenset(
    ("place", "store", "city", "station", "region", "prefecture", "country", "school", "building", "destination", "warehouse",
     "room type", "floor", "area", "branch", "venue", "site")
)  # fmt: skip
_PLACE_ENDS = re.compile(
    "(?:店舗?|場所|会場|地点|地域|地区|場|駅|館|市|県|都道府県|町|村|区|園|校|国|エリア|倉庫|拠点|フロア|棟|階|部屋|室|ステーション|圃場|畑|ホーム|支社|営業所"
    "|location|place|venue|city|store|branch|region|site|area|country|warehouse|station|room|campus|field)$"
)
_ROOMS = re.compile("部屋番号|号室|部屋|病室|客室番号|room(?:number|no)?$")
_TIME_UNITS = frozenset(("second", "minute", "hour", "day"))


def asks(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for one table, whose columns are called by `names`."""
    texts = [column for column in table.columns if column.kind == "text"]
    called = "|".join(
        re.escape(name) for column in texts if not names_each(column, table) for name in names[column.name]
    )
    if called:
        yield (
            re.compile(
                rf"(?:全|すべての|全ての|全部の)(?:{called})(?:を|で|の)?(?:合わせ(?:て|ると|た)|合計で|トータルで|ひっくるめて)(?:の|、)?"
            ),
            "",
        )
        yield re.compile(rf"(?:全|すべての|全ての)(?:{called})の(?!うち|中|数|一覧|リスト)"), ""
    cut = "の中で|のなかで|のうち|ごと|別|では|で(?:一番|最も|いちばん|売上|見)"
    other = rf"(?!.*(?:(?:{called})(?:{cut})|曜日|何月|月別))" if called else ""
    yield (
        re.compile(
            rf"^(?={other}.*{_MOST})(.*[いたる])のは(?:どれ|どちら|どの(?:商品|行)|何番)(?=[^\w]|です|だ|か|$)"
        ),
        r"\1行はどれ",
    )
    for column in texts:
        named = "|".join(map(re.escape, names[column.name]))
        written = "(?:書い|記入し|入力し|書かれ|記入され|入力され)(?:た|て(?:い)?る|てくれた|てある)"
        yield re.compile(rf"({named})(?:を|が){written}(?=人|もの|件|の|回答|方)"), r"\1がある"
    rooms = [column for column in table.columns if _ROOMS.search("".join(name_words(column.name)))]
    if len(rooms) == 1 and not any("号室" in value for value in rooms[0].values):
        yield re.compile(r"(?<!\d)(\d{2,4})号室"), rf"{tidy(rooms[0].name)}\1"
    if any("徒歩" in name for column in table.columns for name in names[column.name]):
        yield re.compile(r"(?:最寄り?の?)?駅(?:まで|から|より)(?:の)?(?=(?:徒歩|歩いて)(?:で)?約?\d)"), ""
    places = [column for column in texts if _is_place(column)]
    if len(places) == 1:
        place = tidy(places[0].name)
        yield re.compile(r"(?<=[いたる])のはどこ"), f"{place}はどこ"
        yield re.compile(r"(?<![の\w])どこ(?=が|で|に|の)"), f"どの{place}"
    if (lasts := lasting(table)) is not None:
        took = tidy(lasts.name) if not is_duration(lasts) else "期間"
        took = re.sub(r"\(.*?\)", "", took)
        if took != "時間" and not any("平均時間" in one.name for one in table.columns):
            yield re.compile(r"(?<![一-龥ァ-ヶー])(平均|最長|最短)時間(?![帯外])"), rf"{took}の\1"
        spent = r"時間(?:が|の|を)(?P<most>一番|最も|いちばん)?(?:かか|掛か)(?:った|っている|る|っていた)"
        yield re.compile(rf"{_MOST}{spent}"), f"一番{took}が長い"
        yield (
            re.compile(r"時間(?:が|の)(?:一番|最も|いちばん)(?:かか|掛か)(?:った|っている|る)"),
            f"一番{took}が長い",
        )
        yield (
            re.compile(
                rf"(?:[一-龥]{{2,4}}に)?(?<!所要){spent}([一-龥ァ-ヶー]{{0,6}}?)(?:の)?(?:ワースト|トップ|上位|ベスト)(?=\d)"
            ),
            rf"{took}が長い\g<2>上位",
        )
        yield re.compile(rf"(?<!所要)(?<!\w){spent}順"), f"{took}の長い順"


def _is_place(column: ColumnInfo) -> bool:
    name = " ".join(name_words(column.name))
    return bool(_PLACE_ENDS.search(name)) or any(
        grade >= 0.95 for concept, grade in graded_concepts(column.name).items() if concept in _PLACES
    )


def lasting(table: TableInfo) -> ColumnInfo | None:
    """The one column of how long a row took."""
    timed = [
        column
        for column in table.columns
        if column.kind == "number"
        and (
            units(column.name) & _TIME_UNITS
            or set(bracketed(column.name)) & {"分", "時間", "h", "min"}
            or "時間" in column.name
        )
    ]
    return timed[0] if len(timed) == 1 else None
