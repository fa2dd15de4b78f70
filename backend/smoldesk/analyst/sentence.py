"""A query as a sentence of the small language that the analyst reads: what is offered, and what a correction asks.

Headers and values that could be taken for something else stand in backquotes, which the reader takes as they are; so a sentence
is read back as the query it says. Properties in tests/analyst/test_sentence.py.
"""

from smoldesk.analyst.language import Language, say
from smoldesk.analyst.query import Condition, Group, Measure, Other, Query
from smoldesk.analyst.times import When

AGGREGATES = {
    "mean": ("average", "平均"),
    "median": ("median", "中央値"),
    "sum": ("total", "合計"),
    "min": ("minimum", "最小値"),
    "max": ("maximum", "最大値"),
    "std": ("standard deviation of", "標準偏差"),
    "var": ("variance of", "分散"),
    "nunique": ("number of different", "種類数"),
    "mode": ("most frequent value of", "最頻値"),
    "range": ("range of", "範囲"),
    "iqr": ("interquartile range of", "四分位範囲"),
    "skew": ("skewness of", "歪度"),
    "kurt": ("kurtosis of", "尖度"),
    "quantile": ("quartiles of", "四分位数"),
}
PLOTS = {
    "bar": ("bar chart", "棒グラフ"),
    "line": ("line chart", "折れ線グラフ"),
    "pie": ("pie chart", "円グラフ"),
    "auto": ("chart", "グラフ"),
    "stacked": ("stacked bar chart", "積み上げ棒グラフ"),
    "hist": ("histogram", "ヒストグラム"),
    "box": ("box plot", "箱ひげ図"),
    "violin": ("violin plot", "バイオリンプロット"),
    "scatter": ("scatter plot", "散布図"),
    "pair": ("pair plot", "散布図行列"),
    "heatmap": ("heatmap", "ヒートマップ"),
}
GRAINS = {
    "hour": ("hour", "1時間"),
    "hour of day": ("hour of day", "時間帯"),
    "day": ("day", "日"),
    "week": ("week", "週"),
    "month": ("month", "月"),
    "quarter": ("quarter", "四半期"),
    "half year": ("half year", "半期"),
    "year": ("year", "年"),
    "weekday": ("weekday", "曜日"),
}
_KINDS = {
    "describe": ("summary", "要約"),
    "head": ("first rows", "最初の行"),
    "tail": ("last rows", "最後の行"),
    "shape": ("number of rows and columns", "行数と列数"),
    "columns": ("columns", "列名の一覧"),
    "missing": ("blank cells", "空欄"),
    "correlation": ("correlation", "相関"),
    "outliers": ("outliers", "外れ値"),
    "distinct": ("different values", "値の種類"),
    "rows": ("rows", "行"),
}
CHANGES = {
    "diff": ("change in", "増減"),
    "pct": ("percent change in", "増減率"),
    "running": ("running total of", "累計"),
    "rolling": ("moving average of", "移動平均"),
}
_SIGNS = {"*": "×", "/": "÷", "+": "+", "-": "−"}


class Sentence:
    """The parts of a query in words; `quoted` puts names into backquotes."""

    def __init__(self, query: Query, language: Language, quoted: bool = False) -> None:
        self.q = query
        self.language: Language = language
        self.quoted = quoted

    def text(self) -> str:
        """The whole sentence."""
        what, cut, kept, tail = self.what(), self.cut(), self.kept(), self.tail()
        if self.language == "ja":
            return "、".join(one for one in (kept and f"{kept}の行で", f"{cut}{what}", *tail) if one)
        return " ".join(
            one
            for one in (
                what,
                cut,
                kept and f"where {kept}",
                *(f"{', ' if n else ''}{one}" for n, one in enumerate(tail)),
            )
            if one
        ).replace(" , ", ", ")

    def name(self, text: str) -> str:
        """A header or a value."""
        return f"`{text}`" if self.quoted else text

    def measure(self, one: Measure) -> str:
        """One figure."""
        if one.column is None:
            return say(self.language, "number of rows", "行数")
        english, japanese = AGGREGATES[one.fn]
        name = self.name(one.column) + (f" {_SIGNS[one.sign]} {self.name(one.other)}" if one.other else "")
        if one.fn == "quantile" and one.q is not None:
            return say(
                self.language,
                f"{100 * one.q:g}th percentile of {name}",
                f"{name}の{100 * one.q:g}パーセンタイル",
            )
        return say(self.language, f"{english} {name}", f"{name}の{japanese}")

    def what(self) -> str:
        """What is computed or shown."""
        q, language = self.q, self.language
        if q.kind == "share":
            base = (
                self.name(q.measures[0].column)
                if q.measures and q.measures[0].column
                else say(language, "rows", "行")
            )
            part = self._conditions(q.part)
            return say(
                language,
                f"share of {base}{f' with {part}' if part else ''}",
                f"{f'{part}の' if part else ''}{base}の割合",
            )
        if q.kind in ("figure", "groups", "difference"):
            told = say(language, " and ", "と").join(self.measure(one) for one in q.measures)
            if q.change:
                english, japanese = CHANGES.get(q.change.split(" ")[0], CHANGES["diff"])
                told = say(language, f"{english} {told}", f"{told}の{japanese}")
            if q.kind == "difference" and q.part:
                one, two = (self._condition(side) for side in q.part[0])
                told = say(
                    language, f"difference in {told} between {one} and {two}", f"{one}と{two}の{told}の差"
                )
            return told
        if q.kind == "rows" and q.measures and q.measures[0].column:
            word = say(
                language, "highest" if q.descending else "lowest", "最も高い" if q.descending else "最も低い"
            )
            number = f"{q.top} " if q.top and q.top > 1 else ""
            name = self.name(q.measures[0].column)
            return say(
                language,
                f"{number}rows with the {word} {name}",
                f"{name}が{word}{f'{q.top}' if number else ''}行",
            )
        if q.kind == "plot values":
            english, japanese = PLOTS[q.plot]
            listed = say(language, " and ", "と").join(map(self.name, q.columns))
            return say(language, f"{english} of {listed}", f"{listed}の{japanese}")
        english, japanese = _KINDS.get(q.kind, _KINDS["rows"])
        if q.kind in ("head", "tail"):
            return say(
                language,
                f"{'first' if q.kind == 'head' else 'last'} {q.top or 5} rows",
                f"{'最初' if q.kind == 'head' else '末尾'}の{q.top or 5}行",
            )
        listed = (
            say(language, " and ", "と").join(map(self.name, q.columns)) if q.kind not in ("rows",) else ""
        )
        return say(
            language,
            f"{english}{f' of {listed}' if listed else ''}",
            f"{f'{listed}の' if listed else ''}{japanese}",
        )

    def group(self, one: Group) -> str:
        """One cut."""
        if not one.grain:
            return self.name(one.column)
        return say(self.language, *GRAINS[one.grain])

    def cut(self) -> str:
        """What the figures are cut by."""
        names = [self.group(one) for one in self.q.groups]
        if not names:
            return ""
        return say(self.language, f"by {' and '.join(names)}", f"{'と'.join(names)}ごとの")

    def kept(self) -> str:
        """The conditions."""
        return self._conditions(self.q.where)

    def tail(self) -> list[str]:
        """Order, number, plot and file."""
        q, language = self.q, self.language
        told: list[str] = []
        if q.kind in ("groups", "share") and (q.descending is not None or q.one):
            high = q.descending is not False
            many = q.top if q.top and not q.one else 0
            if many:
                told.append(
                    say(
                        language,
                        f"{'top' if high else 'bottom'} {many}",
                        f"{'上位' if high else '下位'}{many}件",
                    )
                )
            else:
                told.append(
                    say(language, "highest first" if high else "lowest first", "高い順" if high else "低い順")
                )
        if q.plot and q.kind != "plot values":
            english, japanese = PLOTS[q.plot]
            told.append(say(language, f"as {english}", japanese))
        if q.map:
            told.append(say(language, "on the map", "マップに表示"))
        if q.file:
            told.append(say(language, f"save as {q.file}", f"{q.file}で保存"))
        return told

    def _conditions(self, where: tuple[tuple[Condition, ...], ...]) -> str:
        return say(self.language, " and ", "、").join(
            say(self.language, " or ", "または").join(self._condition(one) for one in group)
            for group in where
        )

    def _condition(self, one: Condition) -> str:
        """One condition."""
        name, language = self.name(one.column), self.language
        if one.op in ("missing", "present"):
            return say(
                language,
                f"{name} is {'blank' if one.op == 'missing' else 'not blank'}",
                f"{name}が{'空欄' if one.op == 'missing' else '空欄でない'}",
            )
        values = [self._value(value) for value in one.values]
        if one.op in ("between", "from to"):
            return say(
                language,
                f"{name} between {values[0]} and {values[1]}",
                f"{name}が{values[0]}から{values[1]}まで",
            )
        sign = one.op.removeprefix("when").strip() or "=="
        if one.op == "not when" or sign == "!=":
            return say(language, f"{name} is not {values[0]}", f"{name}が{values[0]}以外")
        if sign == "==":
            return say(language, f"{name} is {values[0]}", f"{name}が{values[0]}")
        if sign == "contains":
            return say(language, f"{name} contains {values[0]}", f"{name}に{values[0]}を含む")
        english = {">": "over", ">=": "at least", "<": "under", "<=": "at most"}[sign]
        japanese = {">": "より大きい", ">=": "以上", "<": "未満", "<=": "以下"}[sign]
        return say(language, f"{name} {english} {values[0]}", f"{name}が{values[0]}{japanese}")

    def _value(self, value: object) -> str:
        if isinstance(value, Other):
            return self.name(value.column)
        if isinstance(value, When):
            return value.spelled(self.language)
        if isinstance(value, float):
            return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
        return self.name(str(value))


def sentence_of(query: Query, language: Language, quoted: bool = False) -> str:
    """The sentence of a query."""
    return Sentence(query, language, quoted).text()
