"""月会費 and 先月の来館 for `monthly_fee` and `visits_last_month`: what Japanese calls the English names of columns.

A word of time in a name is a prefix in Japanese; the rest of the name is said in the words of the glossary.
"""

from collections.abc import Iterator, Sequence

_PREFIXES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("monthly",): ("月", "月間", "月額", "毎月の", "月の", "1か月の"),
    ("yearly",): ("年", "年間", "年額", "年の"),
    ("annual",): ("年", "年間", "年額", "年の"),
    ("daily",): ("日", "1日の", "毎日の"),
    ("weekly",): ("週", "週の", "1週間の"),
    ("hourly",): ("時間", "1時間の"),
    ("last", "month"): ("先月", "先月の", "前月の"),
    ("last", "year"): ("昨年", "昨年の", "去年の", "前年の"),
    ("last", "week"): ("先週", "先週の"),
    ("total",): ("総", "合計", "累計"),
    ("first",): ("初回", "最初の"),
    ("last",): ("最終", "前回", "最後の"),
    ("max",): ("最大", "最高"),
    ("min",): ("最小", "最低"),
}


def prefixed(words: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The Japanese prefixes of a name that begins or ends with such words, each with the rest of the name."""
    for said, prefixes in _PREFIXES.items():
        size = len(said)
        if len(words) <= size:
            continue
        if tuple(words[:size]) == said:
            yield prefixes, tuple(words[size:])
        elif tuple(words[-size:]) == said:
            yield prefixes, tuple(words[:-size])
