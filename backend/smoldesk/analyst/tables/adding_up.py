"""Which figures people add up when they do not say: errors, votes, tonnes; and which they average: ages, prices, degrees."""

import re

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import (
    concepts,
    core_words,
    unit_of,
    units,
)
from smoldesk.analyst.tables.counted_things import counts_of, is_done
from smoldesk.analyst.words.cues import CUES
from smoldesk.analyst.words.english_lists import DONE
from smoldesk.analyst.words.glossary import ADDITIVE, MEASURES
from smoldesk.analyst.words.text import inflections, name_words

_HEAPS = frozenset(("tonne", "litre", "kilowatt hour", "kilocalorie"))
_WEIGHED = frozenset(("kilogram", "gram", "kilometre", "metre", "hour", "minute"))
_TAKEN = DONE | {
    "taken",
    "given",
    "harvested",
    "gathered",
    "yielded",
    "consumed",
    "recycled",
    "walked",
    "driven",
    "worked",
}
"""`honey_taken_kg`: what was done in each row is added up, as a body's weight is not."""
_PASTIMES = frozenset(
    ("practised", "practiced", "studied", "played", "trained", "billed", "volunteered", "rehearsed", "cycled", "read",
     "watched", "streamed", "taught", "flown", "spent", "run", "swum", "logged", "travelled", "traveled")
)  # fmt: skip
"""What people spend hours or minutes on, which are added up: `Minutes practised`."""
_SAID_HEAPS = frozenset(
    ("kilogram", "gram", "tonne", "litre", "kilowatt hour", "millilitre", "dollar", "euro", "pound", "yen")
)
_SPENT = (
    "お金",
    "おかね",
    "使ったお金",
    "支出",
    "出費",
    "収入",
    "money",
    "cash",
    "spending",
    "income",
    "spent",
    "spend",
    "earnings",
    "expenses",
    "outgoings",
)
"""Money, whatever the column is called."""
_GRADES = frozenset(
    (
        "points", "degrees", "ratings", "scores", "stars", "marks", "years", "ages", "minutes", "hours", "days", "seconds",
        "weeks", "months", "percent", "beds", "baths", "bedrooms", "bathrooms", "rooms", "floors", "doors", "levels", "ranks",
        "grades", "limits", "miles", "metres", "species",
    )
)  # fmt: skip
_COUNTED = re.compile(
    r"(?:台数|個数|冊数|枚数|人数|回数|件数|本数|票数|頭数|匹数|羽数|食数|部数|個体数|観察数|確認数|目撃数|捕獲数|飛来数)$"
    r"|(?:漁獲|水揚げ?|収穫|生産|製造|出荷|入荷|販売|受注|発注|使用|消費|回収|排出|発電|採取|採集|収集|処理|搬入|搬出|配布|補給|給油|伐採|廃棄|輸送|輸出|輸入)量"
    r"|(?:漁獲|水揚げ?|出荷|生産)高"
    r"|[((](?:台|個|冊|枚|人|名|件|本|票|頭|匹|羽|食|部)[))]$"
)


WORTH = frozenset(CUES["worth:"].split(", "))
_PAYMENTS = ("fees", "charges", "payments", "expenses")
_MADE = re.compile(r" [×÷+−] |^gap between |^days from ")
"""The names of columns made of others: products and sums are added up, ratios and differences are not."""


def adds_up(column: ColumnInfo, said: str = "") -> bool:
    """True for a measure that is added up unless a request says otherwise; `said` is the word it was named by."""
    if re.search(r"(?<![a-z])per(?![a-z])|/ ?[a-z]|odometer|(?<![a-z])pp[mb](?![a-z])", column.name.lower()):
        return False
    if name_words(column.name)[-1:] in (["pct"], ["perc"], ["percent"], ["percentage"], ["%"]):
        return False
    if _MADE.search(column.name):
        return " × " in column.name or " + " in column.name
    if said.lower() in WORTH or said.lower() in _PAYMENTS or is_done(column.name) or counts_of(column.name):
        return True
    if _COUNTED.search(said) or core_words(column.name) == ["count"]:
        return True
    first = set(concepts(column.name)[:1])
    if first & ADDITIVE:
        return True
    if units(column.name) & _WEIGHED and _TAKEN & set(core_words(column.name)[1:]):
        return True
    words = core_words(column.name)
    if len(words) == 2 and unit_of(words[0]) in _WEIGHED and words[1] in _TAKEN | _PASTIMES:
        return True
    if said in _SPENT or unit_of(said.lower()) in _SAID_HEAPS or units(column.name) & _HEAPS:
        return True
    if first & MEASURES:
        return False
    return bool(_COUNTED.search(column.name.strip())) or _counts_things(column)


def _counts_things(column: ColumnInfo) -> bool:
    """`Errors`, `Units Picked`: the name has a plural of things, not of a unit or a grade."""
    words = [
        word for word in core_words(column.name)[:2] if word.isascii() and word.isalpha() and len(word) > 3
    ]
    return any(
        word.endswith("s")
        and not word.endswith(("ss", "us", "is"))
        and len(inflections(word)) > 1
        and word not in _GRADES
        and unit_of(word) is None
        for word in words
    )
