"""Conversion of a query into idiomatic pandas code whose answer starts with the key figure."""

from collections.abc import Collection, Sequence

from smoldesk.analyst.building.paint_code import (
    RoomFigures,
    best_room_lines,
    colour_lines,
    play_lines,
    unit_of,
)
from smoldesk.analyst.cell import inside, literal
from smoldesk.analyst.conditions_code import conditions_text, expression
from smoldesk.analyst.frame import FIGURE, figure
from smoldesk.analyst.group_code import Groups
from smoldesk.analyst.language import Language, join_names, localize
from smoldesk.analyst.plot_code import SINGLE, pair_count_lines, period_lines, values_lines
from smoldesk.analyst.query import Measure, Query
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.summary_code import summary_lines

# pandas frequencies of a playback's frames.
_STEPS = {"hour": '"h"', "day": '"D"', "week": '"W-MON", label="left", closed="left"', "month": '"MS"'}


class Writer(Groups):
    """Writer of one query's cell, with a method for each kind of query."""

    def cell(self) -> str:
        """Return the cell as text."""
        self.load()
        getattr(self, "_" + self.q.kind.replace(" ", "_"))()
        return self.source()

    def room_cell(self, tools: Collection[str], rooms: Sequence[str]) -> str:
        """Return the cell of a query that is drawn on the map."""
        self.load()
        q, measure, column = self.q, self.q.first, self.schema.room_column
        figures = figure(f"data.groupby({literal(column)})", measure)
        form = ":,.0f" if measure.column is None else ":,.2f"
        name = self.name(measure)
        unit = unit_of(measure.column, measure.fn, name, self.schema.info.bundled)
        self.leave_out(*([measure.column] if measure.column else []), column)
        basis = "" if q.last else self.basis()
        room_figures = RoomFigures(figures, column, name, self.schema.floor, rooms, form, unit, basis)
        if "play" in q.map:
            step = f"pd.Grouper(key={literal(q.groups[0].column)}, freq={_STEPS[q.groups[0].grain]})"
            self.add(*play_lines(room_figures, q, step, self.language))
        elif q.map == "one":
            self.add(*best_room_lines(room_figures, q.descending is False, self.language))
        else:
            self.add(*colour_lines(room_figures, tools, self.language))
        return self.source()

    def _figure(self) -> None:
        pieces: list[str] = []
        several = len(self.q.measures) > 1
        colon, between = localize(self.language, ": ", "："), localize(self.language, "; ", "、")
        for number, measure in enumerate(self.q.measures):
            name = f"value{number + 1}" if several else "value"
            self.add(f"{name} = {figure('data', measure)}")
            label = inside(self.name(measure))
            if measure.fn == "quantile" and measure.q is None:
                self.add(f"display({name}.reset_index())")
                self.add(f'listed{number} = ", ".join(f"{{one:,.2f}}" for one in {name})')
                pieces.append(f"{label}{colon}{{listed{number}}}")
                continue
            is_integer = measure.column is None or measure.fn in ("nunique", "count")
            label = label[0].upper() + label[1:] if number == 0 and self.language == "en" else label
            form = "{{{}}}" if measure.fn == "mode" else "{{{}:,}}" if is_integer else FIGURE
            pieces.append(f"{label}{colon}{form.format(name)}")
        columns = list(dict.fromkeys(measure.column for measure in self.q.measures if measure.column))
        if self.q.first.column is None and not several:
            body = self.render("rows_of", table=inside(self.schema.info.name))
        else:
            body = between.join(pieces) + self.conditions_text + self.render("end")
        if len(columns) == 1:
            self.leave_out(*columns)
        body += self.basis(always=bool(columns))
        if len(columns) > 1:
            self.add(f"values = data[{literal(columns)}].count()")
            self.add(f'values = f"{self.render("values_of")}" if (values < len(data)).any() else ""')
            body += "{values}"
        if self.q.plot and several:
            self.add(*period_lines(self.q, [f"value{n + 1}" for n in range(len(pieces))], self.language))
        saved = ", ".join(f"{literal(self.name(m))}: [{figure('data', m)}]" for m in self.q.measures)
        self.save(f"pd.DataFrame({{{saved}}})", body)

    def _share(self) -> None:
        q, measure = self.q, self.q.first
        conditions = inside(conditions_text(q.part, self.language == "ja"))
        part = localize(self.language, f" ({conditions})", f"「{conditions}」") if q.part else ""
        summed = Measure("sum", measure.column) if measure.column else Measure()
        keys = self.keys()
        if q.part:
            self.add(f"part = data[{expression(q.part, self.schema)}]")
        if keys:
            line = localize(self.language, "{name}: {value:.1f} %", "{name}：{value:.1f}%")
            by = f".groupby({literal(keys[0])})"
            if q.part:
                share_code = (
                    f"(100 * {figure('part' + by, summed)} / {figure('data' + by, summed)}).fillna(0)"
                )
            else:
                self.add(f"result = {figure('data' + by, summed)}")
                share_code = "(100 * result / result.sum())"
            self.add(
                f"result = {share_code}.sort_values(ascending=False)",
                'display(result.round(2).reset_index(name="%"))',
                f'lines = "\\n".join(f"- {line}" for name, value in result.head(20).items())',
            )
            sentence = "share_by" if q.part else "largest_share"
            self.plot(keys, [localize(self.language, "share (%)", "割合（%）")])
            named = "result"
            if self.has_blanks(self.q.groups[0].column):
                self.add(f"named = result.drop({literal(self.blank_group)}, errors='ignore')")
                named = "named"
            body = self.render(sentence, part=part, label=inside(keys[0]), named=named) + self.basis()
            self.save('result.reset_index(name="%")', body)
            return
        blanks = f"int(data[{literal(q.part[0][0].column)}].isna().sum())" if q.part else "0"
        self.add(f"hits, total = {figure('part', summed)}, {figure('data', summed)}")
        self.add("share = 100 * hits / total", f"blanks = {blanks}")
        note = f'f"{self.render("share_blanks")}" if blanks else ""'.replace('f"', 'f"\\n\\n', 1)
        self.add("", f"note = {note}" if not measure.column else 'note = ""')
        sentence = "share_sums" if measure.column else "share_rows"
        counts = self.render(sentence, what=inside(self.name(summed)))
        if measure.column:
            self.leave_out(measure.column)
        self.end(self.render("share", part=part, counts=counts) + self.basis(always=bool(measure.column)))

    def _rows(self) -> None:
        q, name = self.q, self.q.first.column if self.q.measures else None
        if not name:
            if q.columns and q.descending is not None:
                self.add(f"data = data.sort_values({literal(q.columns[-1])}, ascending={not q.descending})")
            self.add("display(data)")
            self.save("data", self.render("rows_kept"))
            return
        self.add(f"rows = data.sort_values({literal(name)}, ascending={not q.descending}).head({q.top or 1})")
        self.add("display(rows)")
        entity = next((column for column in q.columns if column != name), None)
        texts = [entity] if entity else [c.name for c in self.schema.columns if c.info.kind == "text"][:3]
        form = "" if self.schema.column(name).is_date else ":,"
        if texts:
            opening, closing = localize(self.language, " (", "（"), localize(self.language, ")", "）")
            first, second = ("name", f"value{form}") if entity else (f"value{form}", "name")
            pair = f"{{{first}}}{opening}{{{second}}}{closing}"
            self.add(f"names = rows[{literal(texts)}].map(str).agg(', '.join, axis=1)")
            self.add(f'lines = [f"{pair}" for name, value in zip(names, rows[{literal(name)}])]')
        else:
            self.add(f'lines = [f"{{value{form}}}" for value in rows[{literal(name)}]]')
        high = localize(self.language, *(("Highest", "大きい") if q.descending else ("Lowest", "小さい")))
        self.save("rows", self.render("highest_rows", high=high, name=inside(name)))

    def _distinct(self) -> None:
        name = self.q.columns[0]
        self.add(f"values = data[{literal(name)}].dropna().drop_duplicates().sort_values()")
        self.add("display(values.to_frame())")
        self.end(self.render("distinct", label=inside(name)))

    def _missing(self) -> None:
        chosen = f"data[{literal(self.q.columns)}]" if self.q.columns else "data"
        self.add(f"blanks = {chosen}.isna().sum()")
        self.add("blanks = blanks[blanks > 0].sort_values(ascending=False)")
        self.add('display(blanks.rename_axis("column").reset_index(name="blank cells"))')
        named = localize(
            self.language,
            "', '.join(f'{name} ({number:,})' for name, number in blanks.items())",
            "'、'.join(f'{name}（{number:,}件）' for name, number in blanks.items())",
        )
        self.add(f"named = {named}")
        self.end(self.render("blanks"))

    def _describe(self) -> None:
        lines, answer = summary_lines(self.q, self.schema, self.conditions_text, self.language)
        self.add(*lines)
        self.end(answer)

    def _shape(self) -> None:
        self.end(self.render("shape"))

    def _columns(self) -> None:
        self.add('display(data.dtypes.astype(str).rename_axis("column").reset_index(name="type"))')
        self.end(self.render("columns"))

    def _head(self) -> None:
        n = self.q.top or 5
        self.add(f"display(data.{self.q.kind}({n}))")
        self.end(self.render(self.q.kind, n=n))

    _tail = _head

    def _correlation(self) -> None:
        names = self.q.columns
        if len(names) == 2:
            first, second = map(literal, names)
            self.leave_out(*names)
            self.add(
                f"pairs = data[[{first}, {second}]].dropna()", f"value = pairs[{first}].corr(pairs[{second}])"
            )
            self.add("display(pairs.corr().round(3).reset_index(names='column'))")
            self.end(self.render("correlation", a=inside(names[0]), b=inside(names[1])) + self.basis())
            return
        chosen = f"data[{literal(names)}]" if len(names) > 2 else "data.select_dtypes('number')"
        self.add(f"matrix = {chosen}.corr().round(3)", "display(matrix.reset_index())")
        if len(names) == 1:
            first = literal(names[0])
            self.add(f"others = matrix[{first}].drop({first}).sort_values(key=abs, ascending=False)")
            line = localize(self.language, "{name}: {value:.3f}", "{name}：{value:.3f}")
            self.add(f"lines = '\\n'.join(f'- {line}' for name, value in others.items())")
        sentence = "correlations_of" if len(names) == 1 else "correlations"
        body = self.render(sentence, a=inside(names[0]) if names else "") + self.basis()
        self.add(*pair_count_lines(chosen))
        self.end(body + self.render("pair_counts"))

    def _outliers(self) -> None:
        names = self.q.columns[:6]
        for number, name in enumerate(names):
            series = f"data[{literal(name)}]"
            self.add(f"low, high = {series}.quantile(0.25), {series}.quantile(0.75)")
            self.add("margin = 1.5 * (high - low)")
            self.add(f"odd{number} = data[({series} < low - margin) | ({series} > high + margin)]")
            self.add(f"display(odd{number})")
        count = localize(self.language, " {{len(odd{}):,}}", "は{{len(odd{}):,}}件")
        pieces = [inside(name) + count.format(number) for number, name in enumerate(names)]
        if len(names) == 1:
            self.leave_out(*names)
        self.end(self.render("outliers", listed=join_names(self.language, pieces)) + self.basis())

    def _difference(self) -> None:
        first, second = self.q.part[0]
        measure = self.q.first
        self.add(f"first = data[{expression(((first,),), self.schema)}]")
        self.add(f"second = data[{expression(((second,),), self.schema)}]")
        self.add(f"value1, value2 = {figure('first', measure)}, {figure('second', measure)}")
        self.add("difference = value1 - value2")
        a, b = (inside(conditions_text(((side,),), self.language == "ja")) for side in (first, second))
        self.add("counted = data.loc[first.index.union(second.index)]")
        self.leave_out_rows(self.render("neither"), "len(data) - len(counted)")
        if measure.column:
            blank = f"int(counted[{literal(measure.column)}].isna().sum())"
            self.leave_out_rows(self.render("without", name=measure.column), blank)
        self.end(self.render("difference", label=inside(self.name(measure)), a=a, b=b) + self.basis())

    def _plot_values(self) -> None:
        keys, names = self.keys(), self.q.columns
        lines, answer = values_lines(self.q, self.schema, keys, self.language, self.title_end)
        self.add(*lines)
        drawn = names[: 2 if self.q.plot == "scatter" else 1] if self.q.plot in SINGLE else ()
        if drawn and not keys:
            self.leave_out(*drawn)
        self.end(answer + self.basis())


def write(
    q: Query, schema: TableSchema, language: Language, tools: Collection[str] = (), rooms: Sequence[str] = ()
) -> str:
    """Return the cell of a query; `tools` are the callable tools, `rooms` the rooms of the floor to draw on."""
    writer = Writer(q, schema, language)
    return writer.room_cell(tools, rooms) if q.map else writer.cell()
