"""Words of numbers, scales and units, in English and Japanese."""

import re

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
ENGLISH = {word: number for number, word in enumerate(re.findall(r"\w+", _ONES))} | {
    word: 10 * number for number, word in enumerate(re.findall(r"\w+", _TENS), 2)
}
ORDINALS = {
    word: number
    for number, word in enumerate(
        re.findall(r"\w+", "second third fourth fifth sixth seventh eighth ninth tenth"), 2
    )
}
PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
KANJI = {char: number for number, char in enumerate("〇一二三四五六七八九")}
KANJI_TENS = {"十": 10, "百": 100, "千": 1000}
KANJI_SCALES = {"万": 10**4, "億": 10**8, "兆": 10**12}
SCALES = {
    "k": 1e3,
    "K": 1e3,
    "thousand": 1e3,
    "千": 1e3,
    "万": 1e4,
    "十万": 1e5,
    "百万": 1e6,
    "千万": 1e7,
    "億": 1e8,
    "十億": 1e9,
    "百億": 1e10,
    "兆": 1e12,
    "M": 1e6,
    "m": 1e6,
    "mn": 1e6,
    "million": 1e6,
    "B": 1e9,
    "bn": 1e9,
    "billion": 1e9,
    "trillion": 1e12,
}
# Spellings of a unit: its dimension, and its size in the dimension's base unit.
UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("$", "us$", "usd", "dollar", "dollars", "ドル", "米ドル"), ("usd", 1.0)),
    **dict.fromkeys(("€", "eur", "euro", "euros", "ユーロ"), ("eur", 1.0)),
    **dict.fromkeys(("£", "gbp", "pound", "pounds", "ポンド"), ("gbp", 1.0)),
    **dict.fromkeys(("¥", "jpy", "yen", "円"), ("jpy", 1.0)),
    **dict.fromkeys(("%", "percent", "per cent", "pct", "パーセント"), ("percent", 1.0)),
    **dict.fromkeys(("percentage point", "percentage points", "pp", "ポイント", "pt"), ("points", 1.0)),
    "mm": ("length", 0.001),
    "ha": ("area", 1e4),
    "cm": ("length", 0.01),
    "m": ("length", 1.0),
    "km": ("length", 1000.0),
    **dict.fromkeys(("メートル", "metres", "meters", "metre", "meter"), ("length", 1.0)),
    "キロメートル": ("length", 1000.0),
    "mi": ("miles", 1.0),
    "miles": ("miles", 1.0),
    "ft": ("feet", 1.0),
    "m²": ("area", 1.0),
    "m2": ("area", 1.0),
    "㎡": ("area", 1.0),
    **dict.fromkeys(("m³", "m3", "㎥"), ("cubic", 1.0)),
    "平方メートル": ("area", 1.0),
    "mg": ("mass", 1e-6),
    "g": ("mass", 0.001),
    "kg": ("mass", 1.0),
    "t": ("mass", 1000.0),
    **dict.fromkeys(("トン", "tons", "tonnes"), ("mass", 1000.0)),
    "lb": ("pounds", 1.0),
    "lbs": ("pounds", 1.0),
    "ms": ("time", 0.001),
    "ミリ秒": ("time", 0.001),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒"), ("time", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "分"), ("time", 60.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "時間"), ("time", 3600.0)),
    **dict.fromkeys(("day", "days", "日間"), ("time", 86400.0)),
    **dict.fromkeys(("weeks", "週間"), ("time", 604800.0)),
    **dict.fromkeys(("°c", "℃", "度", "celsius"), ("celsius", 1.0)),
    **dict.fromkeys(("°f", "℉", "fahrenheit"), ("fahrenheit", 1.0)),
    "w": ("power", 1.0),
    "kw": ("power", 1e3),
    "mw": ("power", 1e6),
    "wh": ("energy", 1.0),
    "kwh": ("energy", 1e3),
    "mwh": ("energy", 1e6),
    "gwh": ("energy", 1e9),
    "twh": ("energy", 1e12),
    "ml": ("volume", 0.001),
    "l": ("volume", 1.0),
    "リットル": ("volume", 1.0),
    "kb": ("bytes", 1e3),
    "mb": ("bytes", 1e6),
    "gb": ("bytes", 1e9),
    "tb": ("bytes", 1e12),
    "lx": ("lux", 1.0),
    "lux": ("lux", 1.0),
    "倍": ("times", 1.0),
    "times": ("times", 1.0),
    "x": ("times", 1.0),
    "fold": ("times", 1.0),
}
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *(("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",)),
            *(("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sep", "sept")),
            *(("october", "oct"), ("november", "nov"), ("december", "dec")),
        ),
        1,
    )
    for name in names
}
# Counters of Japanese: kanji numerals before one of them are a number.
COUNTERS = (
    "件|人|名|個|つ|部屋|室|階|行|列|回|日|月|年|円|%|パーセント|割|倍|種類|社|店舗|店|台|本|枚|冊|都市|か所|カ所|箇所|か月|ヶ月"
    "|週間|時間|分|秒|グループ|クラス|ドル|都道府県|地域"
)
KANJI_NUMBER = re.compile(rf"(?<![数何第万一-九十百千億])[一二三四五六七八九十百千万億〇]+(?={COUNTERS})")
NO_NUMBERS = frozenset(("一", "万", "千", "万一", "百"))


def kanji_value(text: str) -> int:
    """Return the value of a number in kanji, such as 三百二十一万."""
    total = section = digit = 0
    for char in text:
        if char in KANJI:
            digit = digit * 10 + KANJI[char]
        elif char in KANJI_TENS:
            section += max(digit, 1) * KANJI_TENS[char]
            digit = 0
        else:
            total += max(section + digit, 1) * KANJI_SCALES[char]
            section = digit = 0
    return total + section + digit


def english_value(text: str) -> int | None:
    """Return the value of `twelve` or `twenty-five`; None for other words."""
    parts = [ENGLISH.get(word) for word in re.split(r"[\s-]+", text.lower())]
    return None if not parts or None in parts else sum(part for part in parts if part is not None)
