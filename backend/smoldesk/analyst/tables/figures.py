"""What figures and conditions are called, in both languages: for titles, axes and answers."""

from smoldesk.analyst.cell import SHOWN
from smoldesk.analyst.intents import (
    Aggregate,
    DataIntent,
    Filter,
    Language,
    Scalar,
)
from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.glossary import RATE_NAMES, ROW_NOUNS
from smoldesk.analyst.words.text import is_japanese, name_words

_NAMES: dict[Aggregate, tuple[str, str]] = {
    "mean": ("average {}", "{}の平均"),
    "median": ("median {}", "{}の中央値"),
    "sum": ("total {}", "{}の合計"),
    "min": ("minimum {}", "{}の最小値"),
    "max": ("maximum {}", "{}の最大値"),
    "std": ("standard deviation of {}", "{}の標準偏差"),
    "var": ("variance of {}", "{}の分散"),
    "range": ("range (maximum − minimum) of {}", "{}の範囲（最大−最小）"),
    "iqr": ("interquartile range (Q3 − Q1) of {}", "{}の四分位範囲（Q3−Q1）"),
    "mode": ("most frequent {}", "{}の最頻値"),
    "skew": ("skewness of {}", "{}の歪度"),
    "kurt": ("excess kurtosis of {}", "{}の尖度（正規分布で0）"),
    "quantile": ("quantile of {}", "{}の分位点"),
    "nunique": ("number of different {}", "{}の種類数"),
}
_GRAINS = {
    "hour": "1時間",
    "hour of day": "時間帯", "half of day": "午前・午後", "day": "日", "week": "週", "month": "月", "quarter": "四半期",
    "half year": "半期", "year": "年", "weekday": "曜日", "part of week": "平日・週末",
}  # fmt: skip
_PARTS = {
    "holds": ("contains", "does not contain"),
    "begins": ("begins with", "does not begin with"),
    "ends": ("ends with", "does not end with"),
}
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def form_of(aggregate: Aggregate) -> str:
    """How a figure is written: counts whole, shares with one place, all others by their size."""
    return {"count": ":,", "nunique": ":,", "share": ":.1f"}.get(aggregate, SHOWN)


def say(language: Language, english: str, japanese: str) -> str:
    """The sentence in the language of the request."""
    return japanese if language == "ja" else english


def row_noun(table: TableInfo, language: Language) -> str:
    """What the rows are called: passengers, 乗客; rows, 行 when nothing better is known."""
    words = name_words(table.name)
    nouns = next((nouns for name, nouns in ROW_NOUNS.items() if name and name in words), ROW_NOUNS[""])
    return next(noun for noun in nouns if is_japanese(noun) == (language == "ja"))


def figure_name(
    intent: DataIntent, table: TableInfo, language: Language, aggregate: Aggregate, measure: str = ""
) -> str:
    """What a figure is called: average age, 年齢の平均, survival rate, number of passengers."""
    if aggregate == "count":
        noun = row_noun(table, language)
        return say(language, f"number of {noun}", "行数" if noun == "行" else f"{noun}の数")
    if aggregate == "share":
        return share_name(intent, table, language)
    totals = ("合計", "総") if language == "ja" else ("total", "Total", "TOTAL")
    if aggregate == "sum" and measure.startswith(totals):
        return measure  # not the total total
    return say(language, *_NAMES[aggregate]).format(measure)


def share_name(intent: DataIntent, table: TableInfo, language: Language) -> str:
    """What a share is called: survival rate, or share of passengers with sex = female."""
    noun = row_noun(table, language)
    target = intent.target
    if target is None and intent.measures:
        return say(language, f"share of {intent.measures[0]}", f"{intent.measures[0]}の構成比")
    if target is None:
        return say(language, f"share of {noun}", f"{noun}の割合")
    if intent.measures:
        held = condition(target)
        return say(
            language,
            f"share of total {intent.measures[0]} with {held}",
            f"{intent.measures[0]}の合計に占める{held}の割合",
        )
    column = table.column(target.column)
    names = concepts(column.name)[:1]
    if column.is_flag and target.values in ((1.0,), (True,)) and names and names[0] in RATE_NAMES:
        return say(language, *RATE_NAMES[names[0]])
    return say(language, f"share of {noun} with {condition(target)}", f"{condition(target)} の割合")


def condition(one: Filter) -> str:
    """A filter as people write it: sex = female, age > 30, class = First or Second."""
    sign = {"==": "=", "!=": "≠", ">=": "≥", "<=": "≤"}.get(one.comparison, one.comparison)
    if one.part == "blank":
        return f"{one.column} {sign} blank"
    if len(one.options) > 3 and all(leaf.part == "blank" for leaf in one.options):
        return "any cell = blank"
    if one.options:
        joined = " or " if one.part == "any" else " and "
        told = joined.join(f"({conditions((o,))})" if o.options else conditions((o,)) for o in one.options)
        return f"({told})" if one.part == "any" else told
    if one.part == "column":
        return f"{one.column} {sign} {one.values[0]}"
    if one.part == "average":
        return f"{one.column} {sign} its {'average' if one.values == ('mean',) else one.values[0]}"
    if one.part in _PARTS:
        told = _PARTS[one.part][one.comparison == "!="]
        return f'{one.column} {told} "{one.values[0]}"'
    if one.part in ("weekend", "workday"):
        return f"{one.column} {sign} {one.part}"
    if one.part == "weekday":
        return f"{one.column} {sign} {' / '.join(WEEK[int(float(value))] for value in one.values)}"
    if one.part == "days left":
        return f"last {one.values[0]:g} days of the month({one.column})"
    if one.part:
        said = " / ".join(f"{value:g}" for value in one.values if isinstance(value, float))
        return f"{one.part}({one.column}) {sign} {said}"
    return f"{one.column} {sign} {' / '.join(map(_spelled, one.values))}"


def _spelled(value: Scalar) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def ranges(filters: tuple[Filter, ...]) -> list[tuple[Filter, Filter]]:
    """The pairs of filters that are one range, both ends of it included."""
    lower = [one for one in filters if one.comparison == ">=" and not one.part]
    upper = {one.column: one for one in filters if one.comparison == "<=" and not one.part}
    return [(one, upper[one.column]) for one in lower if one.column in upper]


def conditions(filters: tuple[Filter, ...]) -> str:
    """All conditions: sex = female, 20 ≤ age ≤ 30."""
    whole = [one for one in filters if one.part == "blank" and one.comparison == "!="]
    if len(whole) > 3:
        return ", ".join([*(condition(one) for one in filters if one not in whole), "no cell = blank"])
    merged = ranges(filters)
    paired = [one for pair in merged for one in pair]
    said = [f"{_spelled(low.values[0])} ≤ {low.column} ≤ {_spelled(high.values[0])}" for low, high in merged]
    return ", ".join([*(condition(one) for one in filters if one not in paired), *said])


def where(filters: tuple[Filter, ...], language: Language) -> str:
    """The conditions in brackets, for the end of a sentence or a title; empty without any."""
    if not filters:
        return ""
    return say(language, f" ({conditions(filters)})", f"（{conditions(filters)}）")


def cut_by(intent: DataIntent, language: Language) -> str:
    """What figures are cut by: ` by class and month`, `class・月別の`; empty when they are not."""
    parts = list(intent.groups)
    if intent.date:
        grain = intent.grain
        parts.insert(0, say(language, grain, _GRAINS[grain]) if grain else intent.date)
    if not parts:
        return ""
    return say(language, f" by {' and '.join(parts)}", f"{'・'.join(parts)}別の")


def axis(intent: DataIntent, language: Language, group: str) -> str:
    """What the axis of a group is called: the span of time in the language of the request."""
    return (
        say(language, group, _GRAINS[intent.grain])
        if intent.date and intent.grain and group == intent.grain
        else group
    )


def titled(text: str) -> str:
    """A sentence or title start: first letter large, the rest as it is."""
    return text[:1].upper() + text[1:]


def title(intent: DataIntent, language: Language, name: str) -> str:
    """A plot's title: Average Temperature by roomname (date ≥ ...)."""
    cut = cut_by(intent, language)
    whole = f"{cut}{name}" if language == "ja" else f"{titled(name)}{cut}"
    return whole + where(intent.filters, language)
