"""Code shared by all answers: load and clean the table, filter its rows, format figures and names."""

from dataclasses import replace

from smoldesk.analyst.cell import Cell, file_stem, inside, literal
from smoldesk.analyst.clean import clean_lines, load_lines
from smoldesk.analyst.conditions_code import describe_conditions, expression
from smoldesk.analyst.joins import join_lines
from smoldesk.analyst.language import Language, localize, render
from smoldesk.analyst.measures import is_level, latest_condition
from smoldesk.analyst.names import unit_sign
from smoldesk.analyst.plot_code import HEADERS
from smoldesk.analyst.query import Group, Measure, Query, columns_of
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.sentence import GRAINS

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
# As FORM, for the figures of groups, which have one number of decimals.
DIGITS = "0 if ({0} % 1 == 0).all() else 2 if {0}.abs().max() >= 1 else 4"
# Format of a number as the table has it, without the noise of floats: 81.701, not 81.70100000000002.
PLAIN = ":,.12g"
PERIODS = {"month": "M", "quarter": "Q", "year": "Y"}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SAVES = {"csv": "to_csv({name}, index=False)", "xlsx": "to_excel({name}, index=False)",
    "json": 'to_json({name}, orient="records", force_ascii=False)'}  # fmt: skip
# Conditions that blank cells may fit; no blank cell fits a comparison.
_FIT_BLANKS = ("!=", "not when", "missing", "present")
# Kinds of query that describe the table itself; answers of the others state their basis.
OF_TABLES = ("describe", "shape", "head", "tail", "columns")
# Kinds that compute figures of rows; without a column of sums among its own, they take the sums.
_SUMMED = ("figure", "groups", "share")
# Least share of blank cells that makes them a group of their own.
MANY_BLANKS = 0.05
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
        # True once the cell counts rows that are left out.
        self._counts = False
        self._reasons: set[str] = set()
        # Columns whose blank cells are counted.
        self._counted: set[str] = set()
        # True once the cell has a sentence about joined tables.
        self._joined = False

    def render(self, sentence: str, **parts: object) -> str:
        """Render a sentence for use inside an f-string, including the conditions."""
        return render(sentence, self.language, **{"told": self.conditions_text, **parts})

    @property
    def conditions_text(self) -> str:
        """Conditions as text."""
        return inside(describe_conditions(self.q.where, self.language == "ja"))

    @property
    def title_end(self) -> str:
        """Conditions as the end of a chart's title."""
        return describe_conditions(self.q.where, self.language == "ja")

    def end(self, body: str) -> None:
        """End the cell; `body` goes inside an f-string."""
        totals = self.schema.info.total_rows
        if totals and (self.q.totals or (self.q.kind in OF_TABLES and not self.q.map)):
            note = self.render("totals_in" if self.q.totals else "totals_out", totals=totals)
            body += f"\n\n{note}"
        self.add("", f'final_answer(f"{body}")'.replace("\n", "\\n"))

    def load(self) -> None:
        """Add the lines that load the table, clean its columns, filter its rows and compute columns from two others."""
        q = self.q
        info = self.schema.info
        if q.totals and info.load_with_totals:
            info = replace(info, load=info.load_with_totals)
        needed = {*columns_of(q), *self._wholes()} if q.kind in ("figure", "groups") and not q.map else None
        self.add(*load_lines(info, None if info.joined else needed))
        self._join()
        everything = q.kind in ("describe", "correlation") and not q.columns
        for column in self.schema.columns:
            if column.name in {*columns_of(q), *self._wholes()} or (everything and column.is_number):
                self.add(*clean_lines(column.info))
        self._filter()
        is_of_column = q.kind in ("rows", "figure") and q.measures and q.first.column
        reports_empty = is_of_column or q.kind in _CHECK_EMPTY
        if reports_empty and (q.where or not self.schema.info.rows):
            self.add("if data.empty:", f'    final_answer(f"{self.render("no_rows")}")')
        for measure in q.measures:
            if measure.other and measure.column:
                # A blank cell counts as 0 in each column's sum.
                fill = ".fillna(0)" if measure.fn == "sum" and measure.sign in "+-" else ""
                computed = f"data[{literal(measure.column)}]{fill} {measure.sign} data[{literal(measure.other)}]{fill}"
                if self.schema.column(measure.column).is_date:
                    computed = f"({computed}).dt.days"
                self.add(f"data[{literal(computed_column_name(measure))}] = {computed}")
        measures = tuple(
            replace(m, column=computed_column_name(m), other="") if m.other else m for m in q.measures
        )
        self.q = replace(q, measures=measures)

    def _join(self) -> None:
        """Add the lines that join the other tables whose columns the query reads, and count the rows without a match."""
        for join, lines in join_lines(self.schema.info, self.q):
            self.add(*lines)
            note = inside(self.render("joined", table=join.table, key=join.key))
            gap = localize(self.language, " ", "")
            self.add(f'joined = {"joined + " if self._joined else ""}f"{gap}{note}"')
            self.add(
                f'joined += f"{self.render("unmatched", table=inside(join.table))}" if unmatched else ""'
            )
            self._joined = True

    def _filter(self) -> None:
        """Add the lines that filter the rows; for an answer that states its basis, also those that count all rows and
        those that do not fit, blank cells apart.
        """
        q = self.q
        line = f"data = data[{expression(q.where, self.schema)}]" if q.where else ""
        if q.kind in OF_TABLES and not q.map:
            self.add(*([line] if line else []))
            return
        if line or self.totals_left_out:
            self._count_rows()
        if line:
            single = [group[0] for group in q.where if len(group) == 1 and group[0].op not in _FIT_BLANKS]
            self.leave_out(*dict.fromkeys(condition.column for condition in single))
            self.add(line)
            filtered = literal(self.render("filtered"))
            self.add(f"left_out[{filtered}] = rows - len(data) - sum(left_out.values())")
        for name, value in self._wholes().items():
            self._one_kind(name, value)

    def _wholes(self) -> dict[str, str]:
        """Return the sums among the values of columns, without the columns that a condition names."""
        q, wholes = self.q, self.schema.wholes
        shows_all = (q.kind in OF_TABLES and not q.map) or (q.kind == "rows" and not q.measures)
        if q.totals or not wholes or shows_all:
            return {}
        named = {condition.column for group in (*q.where, *q.part) for condition in group}
        used = columns_of(q)
        columns = [self.schema.column(name) for name in wholes if name not in named]
        # A code has the sums of the column that it repeats; it says nothing else unless it is asked for.
        columns = [column for column in columns if column.info.role != "id" or column.name in used]
        # A column whose values are asked for comes first: what remains has no sums of another column's values.
        columns.sort(key=lambda column: column.name not in used)
        return {column.name: wholes[column.name] for column in columns}

    def _one_kind(self, name: str, value: str) -> None:
        """Add the lines that leave out the rows that are sums of a column's values, or else their parts."""
        cell, q = f"data[{literal(name)}]", self.q
        is_summed = q.kind in _SUMMED and q.measures and q.first.column is not None
        # Of one row for each value the sum alone would be that one row's mean.
        is_row = "unique" in self.schema.column(name).info.traits and q.measures and q.first.fn != "sum"
        if name in columns_of(q) or is_row or not is_summed:
            values = [value, *self.schema.column(name).info.divisions]
            sums = self.render("sums_of", name=name, value=localize(self.language, ", ", "、").join(values))
            is_sum = f"{cell}.isin({literal(values)})" if values[1:] else f"({cell} == {literal(value)})"
            self.leave_out_rows(sums, f"int({is_sum}.sum())")
            self.add(f"data = data[~{is_sum}]" if values[1:] else f"data = data[{cell} != {literal(value)}]")
            return
        parts = self.render("parts_of", name=name, value=value)
        other = f"{cell} != {literal(value)}"
        self.add(f"parts = {other} if ({cell} == {literal(value)}).any() else {cell} != {cell}")
        self.leave_out_rows(parts, "int(parts.sum())")
        self.add("data = data[~parts]")

    def _count_rows(self) -> None:
        totals = self.totals_left_out
        if not self._counts and totals:
            reason = literal(self.render("total_row" if totals == 1 else "total_rows"))
            self.add(f"rows, left_out = len(data) + {totals}, {{{reason}: {totals}}}")
        elif not self._counts:
            self.add("rows, left_out = len(data), {}")
        self._counts = True

    @property
    def totals_left_out(self) -> int:
        """Number of total rows that the table was loaded without."""
        return 0 if self.q.totals else self.schema.info.total_rows

    def leave_out(self, *names: str) -> None:
        """Add the lines that count the rows of `data` with blank cells in columns, each row once."""
        names = tuple(name for name in names if self.has_blanks(name) and name not in self._counted)
        self._counted |= {*names}
        for number, name in enumerate(names):
            blank = f"data[{literal(name)}].isna()"
            if number:
                others = " & ".join(f"data[{literal(other)}].notna()" for other in names[:number])
                blank = f"({blank} & {others})"
            self.leave_out_rows(self.render("without", name=name), f"int({blank}.sum())")

    def leave_out_rows(self, reason: str, count: str) -> None:
        """Add the line that notes rows left out for a reason; `count` is the source of their number."""
        self._count_rows()
        # Two columns may have the same sum, such as 総数.
        self.add(f"left_out[{literal(reason)}] {'+=' if reason in self._reasons else '='} {count}")
        self._reasons.add(reason)

    def has_blanks(self, name: str) -> bool:
        """Return whether cells of a column may be blank."""
        known = [column.info.has_blanks for column in self.schema.columns if column.name == name]
        return known != [False]

    def basis(self, always: bool = True) -> str:
        """Add the lines that state the rows used and left out; return the statement for the answer, with the figures' units.

        Unless `always`, nothing is stated if all rows were used.
        """
        complete = self.render("all_rows", rows="rows" if self._counts else "len(data)") if always else ""
        units = self._units() + self._levels() if always else ""
        if self._joined:
            units, complete = units + "{joined}", complete or self.render("all_rows", rows="len(data)")
        if not self._counts:
            return f"\\n\\n{complete}{units}" if complete else ""
        pair, comma = self.render("left_out_pair"), localize(self.language, ", ", "、")
        self.add("used = rows - sum(left_out.values())")
        self.add(f'reasons = "{comma}".join(f"{pair}" for reason, count in left_out.items() if count)')
        otherwise = f'f"{complete}"' if complete else '""'
        gap = "" if complete else "\\n\\n"
        self.add(f'basis = f"{gap}{self.render("some_rows")}" if reasons else {otherwise}')
        return f"\\n\\n{{basis}}{units}" if complete else "{basis}"

    def _units(self) -> str:
        """Return the sentence with the units of the figures, as their headers have them."""
        columns = () if self.q.kind == "missing" else self.q.columns
        named = [m.column for m in self.q.measures if m.fn not in ("nunique", "var")] or columns
        units = {name: unit for name in named if name and (unit := unit_sign(name))}
        if not units:
            return ""
        comma, colon = localize(self.language, ", ", "、"), localize(self.language, ": ", "：")
        pairs = comma.join(f"{name}{colon}{unit}" for name, unit in units.items())
        return inside(self.render("unit", unit=next(iter(units.values())) if len(named) == 1 else pairs))

    def _levels(self) -> str:
        """Return the sentence that levels, such as a population, are those of the last time alone."""
        latest = latest_condition(self.schema)
        named = {measure.column for measure in self.q.measures if measure.fn == "sum"}
        columns = [
            column for column in self.schema.columns if column.name in named
        ]  # a difference is none of them
        if latest is None or (latest,) not in self.q.where or not columns or not all(map(is_level, columns)):
            return ""
        return inside(self.render("level", name=columns[0].name, time=latest.column))

    def keys(self) -> list[str]:
        """Add the columns of time grains, count the rows left out, and return the names to group by.

        Many blank cells are a group of their own, unless only the first groups are requested or the
        column is measured, too, which needs its numbers.
        """
        q, names = self.q, list[str]()
        measured = [measure.column for measure in q.measures if measure.column]
        for group in q.groups:
            column, name = f"data[{literal(group.column)}]", self._key(group)
            if group.grain:
                self.add(f"data[{literal(name)}] = {self._grain(group.column, group.grain)}")
            elif not q.top and group.column not in measured and self.has_blanks(group.column):
                self.add(f"if {column}.isna().mean() >= {MANY_BLANKS}:")
                self.add(f"    {column} = {column}.astype(object).fillna({literal(self.blank_group)})")
            elif self.schema.column(group.column).is_number and self.has_blanks(group.column):
                self.add(f"{column} = {column}.convert_dtypes()")  # 2015, not 2015.0
            names.append(name)
        self.leave_out(*(measured if len(measured) == 1 else ()), *(group.column for group in q.groups))
        return names

    def _key(self, group: Group) -> str:
        """Return the name of a column to group by: for a step of time its word, unless a column is called so."""
        word = localize(self.language, *GRAINS[group.grain]) if group.grain else group.column
        return group.grain if group.grain and any(c.name == word for c in self.schema.columns) else word

    @property
    def blank_group(self) -> str:
        """Name of the group of blank cells."""
        return localize(self.language, "(blank)", "（空欄）")

    def _grain(self, column: str, grain: str) -> str:
        dates = f"data[{literal(column)}].dt"
        match grain:
            case "month" | "quarter" | "year":
                # As text, a blank date would be a group called NaT.
                present = f"data[{literal(column)}].notna()"
                return f'{dates}.to_period("{PERIODS[grain]}").astype(str).where({present})'
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
                half = f"({dates}.month.sub(1) // 6 + 1)"
                return f'{dates}.year.astype("Int64").astype("string") + "H" + {half}.astype("Int64").astype("string")'

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

    def header(self, name: str) -> str:
        """Return the literal of a header of a table that the answer shows."""
        return literal(localize(self.language, *HEADERS[name]))

    def form_of(self, name: str | None) -> str:
        """Return the format of a column's own values: dates without midnight, years and codes without commas."""
        column = next((column for column in self.schema.columns if column.name == name), None)
        if column is None or column.is_number:
            is_label = column is not None and (column.info.role in ("time", "moment", "id") or column.is_id)
            return ":.12g" if is_label else PLAIN
        if not column.is_date:
            return ""
        has_times = not column.info.form or "%H" in column.info.form
        return ":%Y-%m-%d %H:%M" if has_times else ":%Y-%m-%d"

    def fixed_form(self, measure: Measure) -> str | None:
        """Return the format of a figure if it is a count or a value of the column, else None."""
        if measure.column is None or measure.fn in ("count", "nunique"):
            return ":,"
        form = self.form_of(measure.column)
        return form if measure.fn in ("mode", "min", "max", "median") and form != PLAIN else None

    def save(self, frame: str, body: str = "") -> None:
        """Save the requested file, if any, and end the cell with `body`."""
        if self.q.file:
            stem, _, kind = self.q.file.rpartition(".")
            name = f"{file_stem(stem or self.schema.info.name + '_result')}.{kind}"
            self.add(f"({frame}).{_SAVES[kind].format(name=literal(name))}")
            body += f"\n\n{self.render('saved', name=name)}"
        self.end(body)
