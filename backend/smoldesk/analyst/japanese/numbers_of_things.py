"""Columns that hold numbers of things, said by what they count: 個体数 and 何羽 of `Count (birds)`, 口コミが多い of 口コミ数.

Where such a column stands in a table, the rows are no single things, and counting them would be another figure.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.reading.resolve import people_counted
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.header_words import japanese_of
from smoldesk.analyst.words.text import (
    inflections,
    is_japanese,
    name_words,
    tidy,
)

Rule = tuple[re.Pattern[str], str]
_LIVING = (
    "birds?|fish|fishes|animals?|mammals?|insects?|individuals?|butterfl(?:y|ies)|moths?|bats?|bees?|frogs?|crabs?"
    "|whales?|dolphins?|seals?|turtles?|ducks?|geese|swans?|cranes?|cows?|cattle|sheep|goats?|pigs?|hens?|chickens?"
    "|deer|bears?|boars?|monkeys?|cats?|dogs?|livestock|heads?"
)
_COUNT = "(?:count|counts|cnt|counted|number|num|no|seen|observed)"
_ENGLISH = re.compile(
    rf"(?:{_COUNT}\.? (?:of )?(?:the )?({_LIVING})|({_LIVING}) {_COUNT}|counts?|cnt|individuals|number (?:seen|observed))"
)
_JAPANESE = re.compile(r"(?:総)?(?:個体|観察|確認|目撃|捕獲|発見|飛来)(?:個体|羽|匹|頭)?数|[羽匹頭]数")
_BEGINS = "(?<![一-龥ァ-ヶー])"
_SAID = r"(?:総)?(?:個体|観察個体|観察|確認個体|確認|目撃|捕獲|飛来|羽|匹|頭)(?:された|した)?数"
_MOST = "(?:一番|いちばん|最も|もっとも)"
_HOW_MANY = "何(?:羽|匹|頭|個体)(?:くらい|ぐらい|ほど)?"
_WHOLE = "(?:の?(?:合計|総数|全部|数))?(?:は|が|って|を|で|、)*(?:全部で|合計で|合計|トータルで|合わせて|全体で|ぜんぶで)?"
_ENDS = "(?![以がのはをず別]|ごと)(?:(?![多少違増減差比])[一-龥]{1,2})?[ぁ-ん]{0,9}(?=[。?？]*$)"
_INSIDE = "(?:い|見つか|見られ|確認され|観察され|目撃され|飛来し|釣れ|捕れ|取れ|捕獲され|記録され)[ぁ-ん]{1,3}か(?:を|は|、)?"


def numbers_of_things(table: TableInfo) -> Iterator[Rule]:
    """The patterns for one table."""
    numbers = [one for one in table.columns if one.kind == "number" and not one.is_id and not one.is_flag]
    names = "".join(tidy(one.name) for one in table.columns)
    people = people_counted(table)
    if people is not None and "人数" not in names:
        yield (
            re.compile(rf"{_BEGINS}人数(?=の?(?:合計|総計|平均|最大|最小|最高|最低|中央値))"),
            tidy(people.name),
        )
        yield (
            re.compile(r"(?<=[ただ])人数(?=の?(?:合計|総計|平均|最大|最小|最高|最低|中央値))"),
            tidy(people.name),
        )
    living = [one for one in numbers if _of_living(one)]
    if len(living) == 1:
        yield from _living(living[0], names)
        if "記録" not in names:
            yield re.compile(r"(?<![一-龥ァ-ヶー])記録の?(?:件数|数)"), "件数"
            yield re.compile(r"(?<![一-龥ァ-ヶー])記録(?=[はが](?:全部で)?何件)"), "データ"
    for column in numbers:
        stem = tidy(column.name).removesuffix("数")
        if stem != tidy(column.name) and len(stem) > 1 and names.count(stem) == 1 and is_japanese(stem):
            said = rf"{_BEGINS}{re.escape(stem)}(?=が{_MOST}?(?:多|少な|[\d,.]+ ?件?(?:以|未|より|を超)))"
            yield re.compile(said), f"{stem}数"


def _of_living(column: ColumnInfo) -> bool:
    """`Count`, `Count (birds)`, `no. of fish`, 個体数: how many living things a row tells of."""
    words = " ".join(name_words(column.name)).strip(".")
    plain = tidy(column.name).lower().replace("(", " ").replace(")", " ").replace("_", " ")
    return bool(
        _ENGLISH.fullmatch(words)
        or _ENGLISH.fullmatch(" ".join(plain.split()))
        or _JAPANESE.fullmatch(words.split(" ")[0])
    )


def _living(column: ColumnInfo, names: str) -> Iterator[Rule]:
    name = tidy(column.name)
    if not is_japanese(name):
        thing = _ENGLISH.fullmatch(
            " ".join(name.lower().replace("(", " ").replace(")", " ").replace("_", " ").split())
        )
        counted = (thing[1] or thing[2] or "") if thing else ""
        called = japanese_of(inflections(counted)[-1]) or japanese_of(counted) if counted else ()
        called = [re.escape(one) for one in called if not one.endswith("数")]
        said = rf"(?:{_SAID}|(?:{'|'.join(called)})の数)" if called else _SAID
        yield re.compile(rf"{_BEGINS}(合計|平均|最大|最小){said}"), rf"{name}の\1"
        yield re.compile(rf"{_BEGINS}{said}(?!別)"), name
    elif names.count("数") == 1:
        yield re.compile(rf"{_BEGINS}(?!{re.escape(name)}){_SAID}(?=の?(?:合計|平均|最大|最小))"), name
    yield (
        re.compile(rf"(?:は|が|で|に|、)*(平均|最大|最高|最多|最小)で?、?{_HOW_MANY}{_ENDS}"),
        rf"の{name}の\1は",
    )
    yield re.compile(r"(?<!\d)([\d,]+)[羽匹頭](以上|以下|未満|より|を超え)"), rf"{name}が\1\2"
    yield re.compile(rf"{_HOW_MANY}{_INSIDE}"), f"{name}の合計を"
    apart = rf"(?:では|で|は|、)*(?:(?:どちら|どっち)の?(?:方|ほう)?が)?、?{_HOW_MANY}[多少違差][ぁ-ん]{{0,9}}(?=[。?？]*$)"
    yield re.compile(apart), f"の{name}の合計の差は"
    yield re.compile(rf"{_WHOLE}{_HOW_MANY}{_ENDS}"), f"の{name}の合計は"
