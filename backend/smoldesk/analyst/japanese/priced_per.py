"""キロ単価, 1キロあたりの値段 of a column 単価(円/kg): a price told by the thing it is for, whose unit the header states."""

import re
from collections.abc import Iterator

from smoldesk.analyst.japanese.mark_sayings import plain_name
from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.text import tidy

Rule = tuple[re.Pattern[str], str]
_PER = re.compile(
    r"(?:円|万円|千円|ドル|ユーロ|yen|jpy|usd|eur|\$|¥|€)\s*(?:/|／|毎|per)\s*([^)）\]］/／ ]+)",
    re.IGNORECASE,
)
_PRICED = re.compile(r"\b(?:price|cost|rate|value)s?\s*/\s*([a-z0-9]+)", re.IGNORECASE)
"""price/kg: no currency stands before the thing."""
_THINGS = {
    "kg": "キロ|kg|キログラム", "g": "グラム|g", "100g": "100グラム|100g|百グラム", "t": "トン|t", "l": "リットル|L|l",
    "m2": "平米|m2|㎡|平方メートル",
    "㎡": "平米|m2|㎡|平方メートル", "坪": "坪", "m": "メートル|m", "km": "キロ|km|キロメートル",
    "個": "個|ひとつ|1つ|一つ", "本": "本", "枚": "枚", "冊": "冊", "台": "台", "人": "人|一人|ひとり",
    "名": "人|名|一人|ひとり",
    "lb": "ポンド", "piece": "個|ひとつ|1つ|一つ", "unit": "個|台|ひとつ|1つ|一つ", "night": "泊|晩", "hour": "時間",
    "day": "日", "month": "月|か月", "person": "人|一人|ひとり", "bottle": "本", "box": "箱", "lot": "ロット",
    "sqm": "平米|m2|㎡",
    "泊": "泊", "時間": "時間", "h": "時間", "日": "日", "回": "回", "件": "件", "匹": "匹", "頭": "頭", "箱": "箱", "袋": "袋",
    "kwh": "kWh|kwh|キロワット時", "月": "月|か月",
}  # fmt: skip
_PRICE = "(?:単価|値段|価格|料金|金額|代金|値)"
_FIGURE = "(平均|合計|最高|最低|最大|最小)?"
_EACH = "(?:1|一)?"


def priced_per(table: TableInfo) -> Iterator[Rule]:
    """The patterns for the columns of prices for something; none where two are for the same."""
    found = [
        (column, per[1].strip().lower())
        for column in table.columns
        if column.kind == "number"
        and (per := _PER.search(tidy(column.name)) or _PRICED.search(tidy(column.name)))
    ]
    for column, thing in found:
        said = _THINGS.get(thing)
        if said is None or [one for _, one in found].count(thing) > 1:
            continue
        begun = r"(?<![\d,.一-龥ァ-ヶーA-Za-z])"
        name = tidy(plain_name(column))
        yield (
            re.compile(
                rf"{begun}{_EACH}(?:{said})(?:あたり|当たり|当り|につき|ごと)の?{_FIGURE}(?:の)?{_PRICE}"
            ),
            rf"\1{name}",
        )
        yield re.compile(rf"{begun}(?:{said})(?:単価|値)(?![一-龥])"), name
    if len(found) == 1 and not any("price" in concepts(one.name) for one in table.columns):
        bare = r"(?<![一-龥ァ-ヶーA-Za-z/])" + _FIGURE + "(?:の)?(?:価格|値段|単価)(?![一-龥ァ-ヶー])"
        yield re.compile(bare), rf"\1{tidy(plain_name(found[0][0]))}"
