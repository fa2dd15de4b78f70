"""Code shared by all answers: load and clean the table, filter its rows, format figures and names."""

from dataclasses import replace

from smoldesk.analyst.cell import Cell, file_stem, inside, literal
from smoldesk.analyst.clean import clean_lines, load_lines
from smoldesk.analyst.conditions_code import describe_conditions, expression
from smoldesk.analyst.language import Language, localize, render
from smoldesk.analyst.query import Measure, Query, columns_of
from smoldesk.analyst.schema import TableSchema

FN = {
    "mean": ("average", "平均"), "median": ("median", "中央値"), "sum": ("total", "合計"), "min": ("lowest", "最小"),
    "max": ("highest", "最大"), "std": ("standard deviation of", "標準偏差"), "var": ("variance of", "分散"),
    "count": ("number of rows", "件数"), "nunique": ("number of different", "種類数"), "mode": ("most frequent", "最頻値"),
    "range": ("range of", "範囲"), "iqr": ("interquartile range of", "四分位範囲"), "skew": ("skewness of", "歪度"),
    "kurt": ("kurtosis of", "尖度"), "quantile": ("quantile of", "分位数"),
}  # fmt: skip
_CALLS = {"range": ".agg(lambda values: values.max() - values.min())",
    "iqr": ".agg(lambda values: values.quantile(0.75) - values.quantile(0.25))",
    "mode": ".agg(lambda values: values.mode().iloc[0])"}  # fmt: skip
# Format of a figure in generated code: integers without `.00`; 13.0006 becomes 13.00.
FIGURE = "{{{0}:,.{{2 * bool({0} % 1)}}f}}"
PERIODS = {"month": "M", "quarter": "Q", "year": "Y"}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SAVES = {"csv": "to_csv({name}, index=False)", "xlsx": "to_excel({name}, index=False)",
    "json": 'to_json({name}, orient="records", force_ascii=False)'}  # fmt: skip
# Kinds of query that fail on an empty frame, so their code checks for one.
_CHECK_EMPTY = ("groups", "share", "plot values", "describe")


def call(measure: Measure) -> str:
    """Return the source that computes a measure of a Series or a grouped Series."""
    if measure.fn == "quantile":
        return f".quantile({measure.q if measure.q is not None else [0.25, 0.5, 0.75]})"
    return _CALLS.get(measure.fn, f".{measure.fn}()")


def figure(frame: str, measure: Measure) -> str:
    """Return the source of a measure of a frame or a grouped frame."""
    if measure.column is not None:
        return f"{frame}[{literal(measure.column)}]{call(measure)}"
    return f"{frame}.size()" if ".groupby(" in frame else f"len({frame})"


def computed_column_name(measure: Measure) -> str:
    """Return the name of a column computed from two others."""
    return f"{measure.column} {measure.sign.replace('*', '×').replace('/', '÷')} {measure.other}"


class Frame(Cell):
    """Lines of one query's cell, starting with the table."""

    def __init__(self, query: Query, schema: TableSchema, language: Language) -> None:
        super().__init__()
        self.q, self.schema = query, schema
        self.language: Language = language

    def render(self, sentence: str, **parts: object) -> str:
        """Render a sentence for use inside an f-string, including the conditions."""
        return render(sentence, self.language, **{"told": self.conditions_text, **parts})

    @property
    def conditions_text(self) -> str:
        """Conditions as text."""
        return inside(describe_conditions(self.q.where, self.language == "ja"))

    def end(self, body: str) -> None:
        """End the cell; `body` goes inside an f-string."""
        self.add("", f'final_answer(f"{body}")'.replace("\n", "\\n"))

    def load(self) -> None:
        """Add the lines that load the table, clean its columns, filter its rows and compute columns from two others."""
        q = self.q
        needed = columns_of(q) if q.kind in ("figure", "groups") and not q.map else None
        self.add(*load_lines(self.schema.info, needed))
        everything = q.kind in ("describe", "correlation") and not q.columns
        for column in self.schema.columns:
            if column.name in columns_of(q) or (everything and column.is_number):
                self.add(*clean_lines(column.info))
        if q.where:
            self.add(f"data = data[{expression(q.where, self.schema)}]")
        reports_empty = q.kind in _CHECK_EMPTY or (
            q.kind in ("rows", "figure") and q.measures and q.first.column
        )
        if reports_empty and (q.where or not self.schema.info.rows):
            self.add("if data.empty:", f'    final_answer(f"{self.render("no_rows")}")')
        for measure in q.measures:
            if measure.other and measure.column:
                # A blank cell counts as 0 in each column's sum.
                fill = ".fillna(0)" if measure.fn == "sum" and measure.sign in "+-" else ""
                computed = f"data[{literal(measure.column)}]{fill} {measure.sign} data[{literal(measure.other)}]{fill}"
                self.add(f"data[{literal(computed_column_name(measure))}] = {computed}")
        measures = tuple(
            replace(m, column=computed_column_name(m), other="") if m.other else m for m in q.measures
        )
        self.q = replace(q, measures=measures)

    def keys(self) -> list[str]:
        """Add the columns of time grains, and return the names to group by."""
        names: list[str] = []
        for group in self.q.groups:
            if group.grain:
                self.add(f"data[{literal(group.grain)}] = {self._grain(group.column, group.grain)}")
            names.append(group.grain or group.column)
        return names

    def _grain(self, column: str, grain: str) -> str:
        dates = f"data[{literal(column)}].dt"
        match grain:
            case "month" | "quarter" | "year":
                return f'{dates}.to_period("{PERIODS[grain]}").astype(str)'
            case "week":
                return f'{dates}.to_period("W").dt.start_time.dt.strftime("%Y-%m-%d")'
            case "day":
                return f'{dates}.strftime("%Y-%m-%d")'
            case "hour" | "hour of day":
                return f"{dates}.hour"
            case "weekday" if self.language == "ja":
                return f'{dates}.dayofweek.map(lambda day: "月火水木金土日"[day] + "曜日")'
            case "weekday":
                return f"{dates}.day_name()"
            case _:
                return f'{dates}.year.astype(str) + "H" + ({dates}.month.sub(1) // 6 + 1).astype(str)'

    def weekdays(self) -> list[str]:
        """Return lines that sort groups by weekday in the order of the week."""
        days = [f"{day}曜日" for day in "月火水木金土日"] if self.language == "ja" else _DAYS
        reindex = "result = result.reindex([day for day in days if day in result.index])"
        return [f"days = {literal(tuple(days))}", reindex]

    def name(self, measure: Measure) -> str:
        """Return the name of a figure."""
        english, japanese = FN[measure.fn]
        if measure.column is None:
            return localize(self.language, "number of rows", "件数")
        return localize(self.language, f"{english} {measure.column}", f"{measure.column}の{japanese}")

    def save(self, frame: str, body: str = "") -> None:
        """Save the requested file, if any, and end the cell with `body`."""
        if self.q.file:
            stem, _, kind = self.q.file.rpartition(".")
            name = f"{file_stem(stem or self.schema.info.name + '_result')}.{kind}"
            self.add(f"({frame}).{_SAVES[kind].format(name=literal(name))}")
            body += f"\n\n{self.render('saved', name=name)}"
        self.end(body)
