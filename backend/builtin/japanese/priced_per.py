"""キロ単価, 1キロあたりの値段 of a column 単価(円/kg): a price told by the thing it is for, whose unit the header states."""

import re
from collections.abc import Iterator

from backend.builtin.japanese.mark_sayings import plain_name
from backend.builtin.tables.catalogue import TableInfo
from backend.builtin.words.text import tidy

Rule = tuple[re.Pattern[str], str]
_PER = re.compile(
    r"(?:円|万円|千円|ドル|ユーロ|yen|jpy|usd|eur|\$|¥|€)\s*(?:/|／|毎|per)\s*([^)）\]］/／ ]+)",
    re.IGNORECASE,
)
_THINGS = {
    "kg": "キロ|kg|キログラム", "g": "グラム|g", "100g": "100グラム|100g|百グラム", "t": "トン|t", "l": "リットル|L|l",
    "m2": "平米|m2|㎡|平方メートル",
    "㎡": "平米|m2|㎡|平方メートル", "坪": "坪", "m": "メートル|m", "km": "キロ|km|キロメートル",
    "個": "個|ひとつ|1つ|一つ", "本": "本", "枚": "枚", "冊": "冊", "台": "台", "人": "人|一人|ひとり",
    "名": "人|名|一人|ひとり",
    "泊": "泊", "時間": "時間", "h": "時間", "日": "日", "回": "回", "件": "件", "匹": "匹", "頭": "頭", "箱": "箱", "袋": "袋",
    "kwh": "kWh|kwh|キロワット時", "月": "月|か月",
}  # fmt: skip
_PRICE = "(?:単価|値段|価格|料金|金額|代金|値)"
_EACH = "(?:1|一)?"


def priced_per(table: TableInfo) -> Iterator[Rule]:
    """The patterns for the columns of prices for something; none where two are for the same."""
    found = [
        (column, per[1].strip().lower())
        for column in table.columns
        if column.kind == "number" and (per := _PER.search(tidy(column.name)))
    ]
    for column, thing in found:
        said = _THINGS.get(thing)
        if said is None or [one for _, one in found].count(thing) > 1:
            continue
        begun = r"(?<![\d,.一-龥ァ-ヶーA-Za-z])"
        name = tidy(plain_name(column))
        yield re.compile(rf"{begun}{_EACH}(?:{said})(?:あたり|当たり|当り|につき|ごと)の?{_PRICE}"), name
        yield re.compile(rf"{begun}(?:{said})(?:単価|値)(?![一-龥])"), name
