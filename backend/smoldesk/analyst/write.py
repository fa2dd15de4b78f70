"""A query becomes the pandas code a careful analyst would write, with its answer in words: the key figure first."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from smoldesk.analyst.building.paint_code import Painted, colour_lines, one_lines, play_lines
from smoldesk.analyst.cell import file_stem, literal
from smoldesk.analyst.clean import clean_lines, load_lines
from smoldesk.analyst.conditions_code import expression, in_words
from smoldesk.analyst.plot_code import values_lines
from smoldesk.analyst.query import Measure, Other, Query
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.summary_code import summary_lines
from smoldesk.analyst.units import is_japanese

FN = {
    "mean": ("average", "平均"), "median": ("median", "中央値"), "sum": ("total", "合計"), "min": ("lowest", "最小"),
    "max": ("highest", "最大"), "std": ("standard deviation of", "標準偏差"), "var": ("variance of", "分散"),
    "count": ("number of rows", "件数"), "nunique": ("number of different", "種類数"), "mode": ("most frequent", "最頻値"),
    "range": ("range of", "範囲"), "iqr": ("interquartile range of", "四分位範囲"), "skew": ("skewness of", "歪度"),
    "kurt": ("kurtosis of", "尖度"), "quantile": ("quantile of", "分位数"),
}  # fmt: skip
_PERIODS = {"month": "M", "week": "W", "quarter": "Q", "year": "Y"}


class Writer:
    """Writes one query's cell."""

    def __init__(self, query: Query, schema: TableSchema, japanese: bool) -> None:
        self.q: Query = query
        self.schema = schema
        self.ja = japanese
        self.lines: list[str] = []
        self.plt = False

    def source(self) -> str:
        """The cell as text."""
        getattr(self, "_" + self.q.kind.replace(" ", "_"))()
        head = ["import matplotlib.pyplot as plt"] if self.plt else []
        head += ["import seaborn as sns"] if any("sns." in line for line in self.lines) else []
        return "\n".join([*head, "import pandas as pd", "", *self.lines])

    def painted(self, tools: Collection[str], rooms: Sequence[str]) -> str:
        """The cell of a query that is drawn on the map."""
        q, language = self.q, "ja" if self.ja else "en"
        self._load()
        measure = q.first
        room = literal(self.schema.room_column)
        figures = f"data.groupby({room})" + (
            ".size()" if measure.column is None else f"[{literal(measure.column)}]{self._call(measure)}"
        )
        form = ":,.0f" if measure.column is None else ":,.2f"
        one = Painted(figures, self.schema.room_column, self._name(measure), self.schema.floor, rooms, form)
        if "play" in q.map:
            date = q.groups[0].column
            freq = {"hour": "h", "day": "D", "week": "W-MON", "month": "MS"}[q.groups[0].grain]
            step = (
                f'pd.Grouper(key={literal(date)}, freq="{freq}")'
                if freq != "W-MON"
                else f'pd.Grouper(key={literal(date)}, freq="W-MON", label="left", closed="left")'
            )
            self.add(*play_lines(one, step, date, q.last, "colour" in q.map, q.table, language))
        elif q.map == "one":
            self.add(*one_lines(one, q.descending is False, language))
        else:
            self.plt = "color_rooms" not in tools
            self.add(*colour_lines(one, tools, language))
        head = ["import matplotlib.pyplot as plt"] if self.plt else []
        return "\n".join([*head, "import pandas as pd", "", *self.lines])

    # --- the frame ----------------------------------------------------------------------------------------------------

    def say(self, english: str, japanese: str) -> str:
        return japanese if self.ja else english

    def add(self, *lines: str) -> None:
        self.lines += lines

    def _load(self, filtered: bool = True) -> None:
        self.add(*load_lines(self.schema.info))
        q = self.q
        names = {one.column for group in (*q.where, *q.part) for one in group}
        names |= {
            value.column
            for group in (*q.where, *q.part)
            for one in group
            for value in one.values
            if isinstance(value, Other)
        }
        names |= {one.other for one in q.measures if one.other}
        names |= (
            {one.column for one in q.measures if one.column}
            | {one.column for one in q.groups}
            | set(q.columns)
        )
        everything = q.kind in ("describe", "correlation") and not q.columns
        for column in self.schema.columns:
            if column.name in names or (everything and column.is_number):
                self.add(*clean_lines(column.info))
        if filtered and q.where:
            self.add(f"data = data[{expression(q.where, self.schema)}]")
            if q.kind in ("groups", "share", "plot values", "describe") or (q.kind == "rows" and q.measures):
                none = (
                    self._text(self.say("No rows fit", "当てはまる行はありません"))
                    + self._told
                    + self.say(".", "。")
                )
                self.add("if data.empty:", f'    final_answer(f"{none}")')
        for one in q.measures:
            if one.other and one.column:
                self.add(
                    f"data[{literal(made_name(one))}] = data[{literal(one.column)}] {one.sign} data[{literal(one.other)}]"
                )
        if any(one.other for one in q.measures):
            self.q = replace(
                q,
                measures=tuple(
                    replace(one, column=made_name(one), other="") if one.other else one for one in q.measures
                ),
            )

    def _answer(self, *parts: str) -> None:
        """Parts are source of f-string contents."""
        body = "".join(parts).replace("\n", "\\n")
        self.add("", f'final_answer(f"{body}")')

    def _text(self, text: str) -> str:
        """Text for the inside of an f-string literal."""
        return literal(text)[1:-1].replace("{", "{{").replace("}", "}}")

    @property
    def _told(self) -> str:
        return self._text(in_words(self.q.where, self.ja))

    def _series(self, name: str) -> str:
        return f"data[{literal(name)}]"

    def _name(self, measure: Measure) -> str:
        english, japanese = FN[measure.fn]
        if measure.column is None:
            return self.say("number of rows", "件数")
        if self.ja:
            return f"{measure.column}の{japanese}"
        return f"{english} {measure.column}"

    def _value(self, measure: Measure, frame: str = "data") -> str:
        if measure.column is None:
            return f"len({frame})"
        series = f"{frame}[{literal(measure.column)}]"
        return series + self._call(measure)

    def _call(self, measure: Measure) -> str:
        match measure.fn:
            case "range":
                return ".agg(lambda values: values.max() - values.min())"
            case "iqr":
                return ".agg(lambda values: values.quantile(0.75) - values.quantile(0.25))"
            case "quantile":
                return f".quantile({measure.q if measure.q is not None else [0.25, 0.5, 0.75]})"
            case "mode":
                return ".agg(lambda values: values.mode().iloc[0])"
            case _:
                return f".{measure.fn}()"

    # --- kinds --------------------------------------------------------------------------------------------------------

    def _figure(self) -> None:
        self._load()
        pieces: list[str] = []
        for number, measure in enumerate(self.q.measures):
            name = f"value{number + 1}" if len(self.q.measures) > 1 else "value"
            self.add(f"{name} = {self._value(measure)}")
            if measure.fn == "quantile" and measure.q is None:
                self.add(f"display({name}.reset_index())")
                self.add(f'listed{number} = ", ".join(f"{{one:,.2f}}" for one in {name})')
                pieces.append(f"{self._text(self._name(measure))}: {{listed{number}}}")
                continue
            label = self._text(self._name(measure))
            label = label[0].upper() + label[1:] if number == 0 and not self.ja else label
            form = "" if measure.fn == "mode" else ":,"
            shown = (
                f"{{{name}{form}}}"
                if measure.column is None or measure.fn in ("nunique", "count", "mode")
                else f"{{{name}:,.2f}}"
            )
            pieces.append(f"{label}: {shown}")
        kept = self.q.first
        if kept.column is None and len(pieces) == 1:
            table = self._text(self.schema.info.name)
            self._answer(
                self.say(
                    f"{{value:,}} rows in {table}{self._told}.", f"{table}の行数: {{value:,}}件{self._told}。"
                )
            )
            self._maybe_save(f"pd.DataFrame({{{literal(self._name(kept))}: [value]}})")
            return
        if kept.column:
            self.add(f"used = {self._series(kept.column)}.count()")
        used = "{used:,}"
        of = (
            self.say(f"\n\nFrom {used} values.", f"\n\n{used}件の値から計算しました。") if kept.column else ""
        )
        self._answer("; ".join(pieces), self._told, self.say(".", "。"), of)
        self._maybe_save(
            "pd.DataFrame({"
            + ", ".join(f"{literal(self._name(m))}: [{self._value(m)}]" for m in self.q.measures)
            + "})"
        )

    def _keys(self) -> list[str]:
        """Adds the columns of time grains; the names to group by."""
        keys: list[str] = []
        for group in self.q.groups:
            if not group.grain:
                keys.append(group.column)
                continue
            series = f"{self._series(group.column)}.dt"
            name = group.grain
            if group.grain in _PERIODS:
                made = f'{series}.to_period("{_PERIODS[group.grain]}").astype(str)'
                if group.grain == "week":
                    made = f'{series}.to_period("W").dt.start_time.dt.strftime("%Y-%m-%d")'
            elif group.grain == "day":
                made = f'{series}.strftime("%Y-%m-%d")'
            elif group.grain in ("hour", "hour of day"):
                made = f"{series}.hour"
            elif group.grain == "weekday":
                made = (
                    f"{series}.day_name()"
                    if not self.ja
                    else f'{series}.dayofweek.map(lambda day: "月火水木金土日"[day] + "曜日")'
                )
            else:
                made = f'{series}.year.astype(str) + "H" + ({series}.month.sub(1) // 6 + 1).astype(str)'
            self.add(f"data[{literal(name)}] = {made}")
            keys.append(name)
        return keys

    def _groups(self) -> None:
        self._load()
        q, keys = self.q, self._keys()
        by = literal(keys[0]) if len(keys) == 1 else "[" + ", ".join(map(literal, keys)) + "]"
        names = [self._name(measure) for measure in q.measures]
        grouped = f"data.groupby({by})"
        if len(q.measures) == 1:
            measure = q.first
            made = (
                f"{grouped}.size()"
                if measure.column is None
                else f"{grouped}[{literal(measure.column)}]{self._call(measure)}"
            )
            self.add(f"result = {made}")
            self._after_group(keys)
            if len(keys) == 2 and not q.top:
                self.add("display(result.unstack(fill_value=0).round(2).reset_index())")
            else:
                self.add(
                    f"display(result.round(2).reset_index(name={literal(names[0])}))"
                    if measure.fn != "mode"
                    else "display(result.reset_index())"
                )
        else:
            parts = [
                f"{literal(name)}: "
                + (
                    f"{grouped}.size()"
                    if m.column is None
                    else f"{grouped}[{literal(m.column)}]{self._call(m)}"
                )
                for name, m in zip(names, q.measures, strict=True)
            ]
            self.add("result = pd.DataFrame({" + ", ".join(parts) + "})")
            if q.descending is not None:
                self.add(f"result = result.sort_values({literal(names[0])}, ascending={not q.descending})")
            self.add("display(result.round(2).reset_index())")
        self._group_answer(keys, names)
        self._plot_groups(keys, names)
        self._maybe_save(
            "result.reset_index()" if len(q.measures) > 1 else f"result.reset_index(name={literal(names[0])})"
        )

    def _after_group(self, keys: list[str]) -> None:
        q = self.q
        if q.change in ("diff", "change", "month", "day", "week", "year"):
            self.add("result = result.diff()")
        elif q.change.startswith("pct"):
            self.add("result = 100 * result.pct_change()")
        elif q.change == "running":
            self.add("result = result.cumsum()")
        elif q.change == "rolling":
            self.add(f"result = result.rolling({q.window or 3}).mean()")
        dated = bool(q.groups[0].grain)
        if q.descending is not None or not dated:
            self.add(f"result = result.sort_values(ascending={q.descending is False})")
        elif q.groups[0].grain == "weekday":
            if self.ja:
                self.add(
                    'result = result.reindex([day for day in ("月曜日", "火曜日", '
                    '"水曜日", "木曜日", "金曜日", "土曜日", "日曜日") if day in result.index])'
                )
                return
            self.add(
                'days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]',
                "result = result.reindex([day for day in days if day in result.index])",
            )
        if q.top and q.descending is not None:
            self.add(f"result = result.head({q.top})")

    def _group_answer(self, keys: list[str], names: list[str]) -> None:
        q = self.q
        cut = self._text(" / ".join(keys))
        label = self._text(names[0])
        if len(q.measures) > 1:
            self._last = (
                self.say(
                    f"By {cut}{self._told}: {{len(result):,}} groups.",
                    f"{cut}別{self._told}: {{len(result):,}}グループ。",
                ),
            )
            return
        form = "{value:,}" if q.first.column is None or q.first.fn in ("count", "nunique") else "{value:,.2f}"
        name = "' / '.join(map(str, name)) if isinstance(name, tuple) else name"
        self.add(
            f'lines = "\\n".join(f"- {{{name}}}: {form}" for name, value in result.dropna().head(20).items())'.replace(
                "' / '", "', '"
            )
        )
        nothing = self.say("There is no figure to compare.", "比べられる値がありません。")
        self.add("if result.dropna().empty:", f"    final_answer({literal(nothing)})")
        low = q.descending is False
        self.add(
            f"first = result.{'idxmin' if low else 'idxmax'}()",
            "first = ', '.join(map(str, first)) if isinstance(first, tuple) else first",
            f"best = result.{'min' if low else 'max'}()",
        )
        best = form.replace("value", "best")
        foreign = not self.ja and any(
            is_japanese(one)
            for key in q.groups
            for one in [*self.schema.column(key.column).info.values, key.column]
        )
        quote = "'" if foreign else ""
        if self.ja:
            head = f"{label}が最も{'小さい' if low else '大きい'}のは{{first}} ({best}){self._told}。"
            self._last = (head, f"\n\n{cut}別の{label}:\n{{lines}}")
        else:
            word = (
                ("Fewest" if low else "Most") + " rows"
                if q.first.column is None
                else ("Lowest " if low else "Highest ") + label
            )
            self._last = (
                f"{word}: {quote}{{first}}{quote} ({best}){self._told}.",
                f"\n\n{label[0].upper() + label[1:]} by {cut}:\n{{lines}}",
            )

    def _plot_groups(self, keys: list[str], names: list[str]) -> None:
        q = self.q
        if q.plot:
            self.plt = True
            dated = bool(q.groups[0].grain)
            kind = q.plot if q.plot != "auto" else ("line" if dated else "bar")
            self.add("", "fig, ax = plt.subplots()")
            shown = "result.unstack()" if len(keys) == 2 and len(q.measures) == 1 else "result"
            if kind == "pie":
                self.add(f'{shown}.plot.pie(ax=ax, autopct="%.1f%%", ylabel="")')
            elif kind == "stacked":
                self.add(f"{shown}.plot.bar(ax=ax, stacked=True)")
            elif kind == "line":
                self.add(
                    'ax.plot(result.index, result, marker="o")'
                    if shown == "result"
                    else f'{shown}.plot.line(ax=ax, marker="o")'
                )
            else:
                self.add(f"{shown}.plot.bar(ax=ax)")
            title = self._title(names[0], keys)
            if kind == "pie":
                self.add(f"ax.set(title={literal(title)})")
            else:
                self.add(
                    f"ax.set(title={literal(title)}, xlabel={literal(' / '.join(keys))}, ylabel={literal(names[0])})"
                )
        if not q.file:
            self._answer(*self._last)

    def _title(self, name: str, keys: list[str]) -> str:
        by = " / ".join(keys)
        return f"{by}別の{name}" if self.ja else f"{name[0].upper() + name[1:]} by {by}"

    def _share(self) -> None:
        self._load()
        q = self.q
        measure = q.first
        total = f"data[{literal(measure.column)}].sum()" if measure.column else "len(data)"
        if q.part:
            self.add(f"part = data[{expression(q.part, self.schema)}]")
            told = self._text(in_words(q.part, self.ja))
            if q.groups:
                keys = self._keys()
                by = literal(keys[0])
                self.add(f"part = data[{expression(q.part, self.schema)}]")
                top = (
                    f"part.groupby({by})[{literal(measure.column)}].sum()"
                    if measure.column
                    else f"part.groupby({by}).size()"
                )
                whole = (
                    f"data.groupby({by})[{literal(measure.column)}].sum()"
                    if measure.column
                    else f"data.groupby({by}).size()"
                )
                self.add(
                    f"result = (100 * {top} / {whole}).fillna(0).sort_values(ascending=False)",
                    'display(result.round(2).reset_index(name="%"))',
                )
                self.add(
                    'lines = "\\n".join(f"- {name}: {value:.1f} %" for name, value in result.head(20).items())'
                )
                self._last = (
                    self.say(
                        (
                            f"Share{told} by {self._text(keys[0])}: highest "
                            f"{{result.idxmax()}} ({{result.max():.1f}} %).\n\n{{lines}}"
                        ),
                        (
                            f"{self._text(keys[0])}別の割合{told}: 最大は{{result.idxmax()}} "
                            f"({{result.max():.1f}} %)。\n\n{{lines}}"
                        ),
                    ),
                )
                self._plot_groups(keys, ["%"])
                self._maybe_save('result.reset_index(name="%")')
                return
            hit = f"part[{literal(measure.column)}].sum()" if measure.column else "len(part)"
            self.add(f"hits, total = {hit}, {total}", "share = 100 * hits / total")
            names = [one.column for group in q.part for one in group]
            self.add(f"blanks = int(data[{literal(names[0])}].isna().sum())")
            form = ":,.6g" if measure.column else ":,"
            what = (
                self._text(self._name(Measure("sum", measure.column)))
                if measure.column
                else self.say("rows", "行")
            )
            note = self.say(
                (
                    " {blanks:,} blank cells are counted in the total; without "
                    "them it is {100 * hits / max(1, total - blanks):.1f} %."
                ),
                "空欄{blanks:,}件も全体に含みます。除くと{100 * hits / max(1, total - blanks):.1f} %です。",
            )
            self.add("", f'note = f"\\n\\n{note}" if blanks else ""' if not measure.column else 'note = ""')
            self._answer(
                self.say(
                    f"Share{told}: {{share:.1f}} % ({{hits{form}}} of {{total{form}}} {what}){self._told}.{{note}}",
                    f"{told.strip()}の割合: {{share:.1f}} % ({what} {{total{form}}}のうち{{hits{form}}}){self._told}。{{note}}",
                )
            )
            return
        keys = self._keys()
        by = literal(keys[0])
        made = (
            f"data.groupby({by})[{literal(measure.column)}].sum()"
            if measure.column
            else f"data.groupby({by}).size()"
        )
        self.add(
            f"result = {made}",
            "result = (100 * result / result.sum()).sort_values(ascending=False)",
            'display(result.round(2).reset_index(name="%"))',
        )
        self.add('lines = "\\n".join(f"- {name}: {value:.1f} %" for name, value in result.head(20).items())')
        label = self._text(keys[0])
        self._last = (
            self.say(
                f"Largest share by {label}: {{result.idxmax()}} ({{result.max():.1f}} %){self._told}.\n\n{{lines}}",
                f"{label}別の構成比: 最大は{{result.idxmax()}} ({{result.max():.1f}} %){self._told}。\n\n{{lines}}",
            ),
        )
        self._plot_groups(keys, ["%"])
        self._maybe_save('result.reset_index(name="%")')

    def _rows(self) -> None:
        self._load()
        q = self.q
        if q.measures and q.first.column:
            name = q.first.column
            self.add(
                f"rows = data.sort_values({literal(name)}, ascending={not q.descending}).head({q.top or 1})"
            )
            self.add("display(rows)")
            entity = next((one for one in q.columns if one != name), None)
            texts = [entity] if entity else [c.name for c in self.schema.columns if c.info.kind == "text"][:3]
            form = "" if self.schema.column(name).is_date else ":,"
            if texts:
                named = f"rows[[{', '.join(map(literal, texts))}]].map(str).agg(', '.join, axis=1)"
                pair = f"{{name}} ({{value{form}}})" if entity else f"{{value{form}}} ({{name}})"
                self.add(
                    f"names = {named}",
                    f'lines = [f"{pair}" for name, value in zip(names, rows[{literal(name)}])]',
                )
            else:
                self.add(f'lines = [f"{{value{form}}}" for value in rows[{literal(name)}]]')
            which = self.say(
                ("Highest " if q.descending else "Lowest ") + self._text(name),
                self._text(name) + ("が最も大きい" if q.descending else "が最も小さい"),
            )
            self._last = (f"{which}{self._told}: {{', '.join(lines)}}" + self.say(".", "。"),)
        else:
            if q.columns and q.descending is not None:
                self.add(f"data = data.sort_values({literal(q.columns[-1])}, ascending={not q.descending})")
            self.add("display(data)")
            self._last = (self.say(f"{{len(data):,}} rows{self._told}.", f"{{len(data):,}}行{self._told}。"),)
        if q.file:
            self._maybe_save("rows" if q.measures else "data")
        else:
            self._answer(*self._last)

    def _distinct(self) -> None:
        self._load()
        name = self.q.columns[0]
        self.add(
            f"values = {self._series(name)}.dropna().drop_duplicates().sort_values()",
            "display(values.to_frame())",
        )
        label = self._text(name)
        self._answer(
            self.say(
                f"{{len(values):,}} different values of {label}{self._told}: {{', '.join(map(str, values.head(50)))}}.",
                f"{label}の値は{{len(values):,}}種類{self._told}: {{', '.join(map(str, values.head(50)))}}。",
            )
        )

    def _missing(self) -> None:
        self._load()
        chosen = "data" if not self.q.columns else "data[[" + ", ".join(map(literal, self.q.columns)) + "]]"
        self.add(
            f"blanks = {chosen}.isna().sum()",
            "blanks = blanks[blanks > 0].sort_values(ascending=False)",
            'display(blanks.rename_axis("column").reset_index(name="blank cells"))',
        )
        self.add("named = ', '.join(f'{name} ({number:,})' for name, number in blanks.items())")
        self._answer(
            self.say(
                "Blank cells: {blanks.sum():,}. By column: {named or 'none'}.",
                "空欄は{blanks.sum():,}件です。列別: {named or 'なし'}。",
            )
        )

    def _describe(self) -> None:
        self._load()
        lines, answer, plots = summary_lines(self.q, self.schema, self._told, "ja" if self.ja else "en")
        self.plt = plots
        self.add(*lines)
        self._answer(answer)

    def _shape(self) -> None:
        self._load()
        self._answer(
            self.say(
                "{len(data):,} rows and {data.shape[1]:,} columns.",
                "{len(data):,}行、{data.shape[1]:,}列です。",
            )
        )

    def _columns(self) -> None:
        self._load()
        self.add('display(data.dtypes.astype(str).rename_axis("column").reset_index(name="type"))')
        self._answer(
            self.say(
                "{data.shape[1]:,} columns: {', '.join(map(str, data.columns))}.",
                "{data.shape[1]:,}列: {', '.join(map(str, data.columns))}。",
            )
        )

    def _head(self) -> None:
        self._load()
        self.add(f"display(data.head({self.q.top or 5}))")
        self._answer(
            self.say(
                f"The first {self.q.top or 5} of {{len(data):,}} rows.",
                f"{{len(data):,}}行のうち最初の{self.q.top or 5}行です。",
            )
        )

    def _tail(self) -> None:
        self._load()
        self.add(f"display(data.tail({self.q.top or 5}))")
        self._answer(
            self.say(
                f"The last {self.q.top or 5} of {{len(data):,}} rows.",
                f"{{len(data):,}}行のうち最後の{self.q.top or 5}行です。",
            )
        )

    def _correlation(self) -> None:
        self._load()
        names = self.q.columns
        if len(names) == 2:
            one, two = map(literal, names)
            self.add(
                f"pairs = data[[{one}, {two}]].dropna()",
                f"value = pairs[{one}].corr(pairs[{two}])",
                "display(pairs.corr().round(3).reset_index(names='column'))",
            )
            a, b = (self._text(name) for name in names)
            self._answer(
                self.say(
                    f"Correlation of {a} and {b}: {{value:.3f}} (from {{len(pairs):,}} rows).",
                    f"{a}と{b}の相関係数: {{value:.3f}}({{len(pairs):,}}行)。",
                )
            )
            return
        chosen = (
            "data.select_dtypes('number')"
            if len(names) < 2
            else "data[[" + ", ".join(map(literal, names)) + "]]"
        )
        self.add(f"matrix = {chosen}.corr().round(3)", "display(matrix.reset_index())")
        if len(names) == 1:
            self.add(
                f"others = matrix[{literal(names[0])}].drop({literal(names[0])}).sort_values(key=abs, ascending=False)",
                "lines = '\\n'.join(f'- {name}: {value:.3f}' for name, value in others.items())",
            )
            self._answer(
                self.say(
                    (
                        f"Correlations of {self._text(names[0])}: strongest with "
                        f"{{others.index[0]}} ({{others.iloc[0]:.3f}}).\n\n{{lines}}"
                    ),
                    f"{self._text(names[0])}との相関が最も強いのは{{others.index[0]}} ({{others.iloc[0]:.3f}})。\n\n{{lines}}",
                )
            )
            return
        self._answer(self.say("The correlations are in the table above.", "相関係数は上の表のとおりです。"))

    def _outliers(self) -> None:
        self._load()
        for number, name in enumerate(self.q.columns[:6]):
            series = self._series(name)
            self.add(
                f"low, high = {series}.quantile(0.25), {series}.quantile(0.75)",
                "margin = 1.5 * (high - low)",
                f"odd{number} = data[({series} < low - margin) | ({series} > high + margin)]",
                f"display(odd{number})",
            )
        told = ", ".join(
            f"{self._text(name)} {{len(odd{number}):,}}" for number, name in enumerate(self.q.columns[:6])
        )
        self._answer(
            self.say(
                f"Outliers (beyond 1.5 interquartile ranges): {told}.",
                f"外れ値(四分位範囲の1.5倍の外): {told}件。",
            )
        )

    def _difference(self) -> None:
        self._load()
        one, two = self.q.part[0]
        measure = self.q.first
        self.add(
            f"first = data[{expression(((one,),), self.schema)}]",
            f"second = data[{expression(((two,),), self.schema)}]",
        )
        self.add(
            f"value1, value2 = {self._value(measure, 'first')}, {self._value(measure, 'second')}",
            "difference = value1 - value2",
        )
        label = self._text(self._name(measure))
        a, b = (self._text(in_words(((side,),), self.ja).strip(" ()")) for side in (one, two))
        self._answer(
            self.say(
                f"Difference in {label}: {{difference:,.2f}} ({a}: {{value1:,.2f}}, {b}: {{value2:,.2f}}){self._told}.",
                f"{label}の差: {{difference:,.2f}}({a}: {{value1:,.2f}}, {b}: {{value2:,.2f}}){self._told}。",
            )
        )

    def _plot_values(self) -> None:
        self._load()
        self.plt = True
        keys = self._keys()
        lines, answer = values_lines(self.q, self.schema, keys, "ja" if self.ja else "en")
        self.add("", *lines)
        self._answer(answer)

    # --- files --------------------------------------------------------------------------------------------------------

    def _maybe_save(self, frame: str) -> None:
        if not self.q.file:
            return
        said, _, kind = self.q.file.rpartition(".")
        name = f"{file_stem(said or self.schema.info.name + '_result')}.{kind}"
        call = {
            "csv": f"to_csv({literal(name)}, index=False)",
            "xlsx": f"to_excel({literal(name)}, index=False)",
            "json": f'to_json({literal(name)}, orient="records", force_ascii=False)',
        }[kind]
        if self.lines and self.lines[-1].startswith("final_answer"):
            last = self.lines.pop()
            self.add(
                f"({frame}).{call}",
                "",
                last[:-2] + self._text(self.say(f" Saved as {name}.", f"{name}に保存しました。")) + last[-2:],
            )
            return
        self.add(f"({frame}).{call}")
        self._answer(
            *(self._last if hasattr(self, "_last") else ()),
            self.say(f"\n\nSaved as {name}.", f"\n\n{name}に保存しました。"),
        )


def made_name(measure: Measure) -> str:
    """What a column made of two others is called."""
    return f"{measure.column} {measure.sign.replace('*', '×').replace('/', '÷')} {measure.other}"


def write(
    query: Query, schema: TableSchema, japanese: bool, tools: Collection[str] = (), rooms: Sequence[str] = ()
) -> str:
    """The cell of a query; `tools` are those it may call, `rooms` those of the floor that it may draw on."""
    writer = Writer(query, schema, japanese)
    return writer.painted(tools, rooms) if query.map else writer.source()
