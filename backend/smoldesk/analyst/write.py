"""Conversion of a query into idiomatic pandas code whose answer starts with the key figure."""

from collections.abc import Collection, Sequence

from smoldesk.analyst.building.paint_code import (
    RoomFigures,
    best_room_lines,
    colour_lines,
    play_lines,
    unit_of,
)
from smoldesk.analyst.cell import FORM, SHORT, inside, literal
from smoldesk.analyst.conditions_code import conditions_text, expression
from smoldesk.analyst.frame import PLAIN, figure
from smoldesk.analyst.group_code import Groups
from smoldesk.analyst.language import Language, join_names, localize, render
from smoldesk.analyst.plot_code import SINGLE, pair_count_lines, period_lines, summary_lines, values_lines
from smoldesk.analyst.query import Measure, Query, explains
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.sentence import Sentence, rate_of, side_text

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
                self.add(f'listed{number} = ", ".join(f"{{one{PLAIN}}}" for one in {name}.round(4))')
                pieces.append(f"{label}{colon}{{listed{number}}}")
                continue
            label = label[0].upper() + label[1:] if number == 0 and self.language == "en" else label
            form = self.fixed_form(measure)
            if form is None:
                form = f"form{number + 1}" if several else "form"
                self.add(f"{form} = {FORM.format(name)}")
                form = f":{{{form}}}"
            pieces.append(f"{label}{colon}{{{name}{form}}}")
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
        what = self.share_name()
        shown = inside(what[0].upper() + what[1:] if q.part and self.language == "en" else what)
        summed = Measure("sum", measure.column) if measure.column else Measure()
        keys = self.keys()
        if q.part:
            self.add(f"part = data[{expression(q.part, self.schema)}]")
        if keys:
            line = localize(self.language, "{name}: {value:.1f} %", "{name}：{value:.1f}%")
            by, percent = f".groupby({literal(keys[0])})", what + localize(self.language, " (%)", "（%）")
            result = figure("data" + by, summed)
            if q.part:
                share_code = f"(100 * {figure('part' + by, summed)} / {result}).fillna(0)"
            else:
                self.add(f"result = {result}")
                share_code = "(100 * result / result.sum())"
            self.add(
                f"result = {share_code}.sort_values(ascending=False)",
                f"display(result.round(1).reset_index(name={literal(percent)}))",
                f'lines = "\\n".join(f"- {line}" for name, value in result.head(20).items())',
            )
            sentence = "share_by" if q.part else "largest_share"
            self.plot(keys, [percent])
            named = "result"
            if self.has_blanks(self.q.groups[0].column):
                self.add(f"named = result.drop({literal(self.blank_group)}, errors='ignore')")
                named = "named"
            body = self.render(sentence, what=shown, label=inside(keys[0]), named=named) + self.basis()
            self.save(f"result.reset_index(name={literal(percent)})", body)
            return
        blanks = f"int(data[{literal(q.part[0][0].column)}].isna().sum())" if q.part else "0"
        self.add(f"hits, total = {figure('part', summed)}, {figure('data', summed)}")
        self.add("share = 100 * hits / total", f"blanks = {blanks}")
        note = f'f"{self.render("share_blanks")}" if blanks else ""'.replace('f"', 'f"\\n\\n', 1)
        self.add("", f"note = {note}" if not measure.column else 'note = ""')
        sentence = "share_sums" if measure.column else "share_rows"
        counts = self.render(sentence)
        if measure.column:
            self.leave_out(measure.column)
        self.end(self.render("share", what=shown, counts=counts) + self.basis(always=bool(measure.column)))

    def share_name(self) -> str:
        """Return the name of a share in words: survival rate, share where region is North."""
        q, base = self.q, self.q.first.column
        one = q.part[0][0] if len(q.part) == 1 and len(q.part[0]) == 1 and q.part[0][0].op == "==" else None
        info = self.schema.column(one.column).info if one else None
        answer = str(one.values[0]).removesuffix(".0") if one else ""
        is_yes = info is not None and info.yes_no is not None and answer == info.yes_no[0].removesuffix(".0")
        if one and base is None and is_yes and (rate := rate_of(one.column, self.language)):
            return rate
        if not q.part:
            return render("share_in", self.language, base=base or localize(self.language, "rows", "件数"))
        of = render("share_base", self.language, base=base) if base else ""
        part = Sentence(q, self.language).conditions_of(q.part)
        if one and info is not None and info.is_flag:
            word = localize(self.language, *(("yes", "はい") if is_yes else ("no", "いいえ")))
            part = render("share_flag", self.language, name=one.column, answer=word)
        return render("share_where", self.language, of=of, part=part)

    def _rows(self) -> None:
        q, name = self.q, self.q.first.column if self.q.measures else None
        if not name:
            if q.columns and q.descending is not None:
                self.add(f"data = data.sort_values({literal(q.columns[-1])}, ascending={not q.descending})")
            self.add("display(data)")
            self.save("data", self.render("rows_kept") + self.basis())
            return
        self.leave_out(name)
        filled = f".dropna(subset=[{literal(name)}])" if self.has_blanks(name) else ""
        order = f"{literal(name)}, ascending={not q.descending}"
        self.add(f"ranked = data{filled}.sort_values({order}).head({q.top or 1})")
        self.add("display(ranked)")
        entity = next((column for column in q.columns if column != name), None)
        texts = [entity] if entity else self._row_labels()
        form = self.form_of(name)
        values = f"ranked[{literal(name)}]" + (f".map(lambda value: {SHORT})" if form == PLAIN else "")
        if texts:
            opening, closing = localize(self.language, " (", "（"), localize(self.language, ")", "）")
            first, second = ("name", f"value{form}") if entity else (f"value{form}", "name")
            pair = f"{{{first}}}{opening}{{{second}}}{closing}"
            names = f"{literal(texts)}].agg(lambda row: ', '.join(map(str, row.dropna())), axis=1)"
            if entity and self.schema.column(entity).is_date:
                names = f"{literal(entity)}].dt.strftime({literal(self.form_of(entity)[1:])})"
            self.add(f"names = ranked[{names}")
            self.add(f'lines = [f"{pair}" for name, value in zip(names, {values})]')
        else:
            self.add(f'lines = [f"{{value{form}}}" for value in {values}]')
        last = f"{literal(name)}] == ranked[{literal(name)}].iloc[-1]).sum()"
        self.add(
            f"more = int((data[{last} - (ranked[{last}) if len(ranked) else 0",
            f'tied = f"{render("tied", self.language)}" if more else ""',
        )
        high = localize(self.language, *(("Highest", "大きい") if q.descending else ("Lowest", "小さい")))
        self.save("ranked", self.render("highest_rows", high=high, name=inside(name)) + self.basis())

    def _row_labels(self) -> list[str]:
        """Return the text columns that tell a row apart: the names, then others that vary."""
        texts = [c for c in self.schema.columns if c.info.kind == "text" and c.info.role != "constant"]
        ranks = {"name": 0, "id": 2}
        return [c.name for c in sorted(texts, key=lambda column: ranks.get(column.info.role, 1))[:3]]

    def _distinct(self) -> None:
        name = self.q.columns[0]
        self.leave_out(name)
        self.add(f"values = data[{literal(name)}].dropna().drop_duplicates().sort_values()")
        self.add("display(values.to_frame())")
        form = self.form_of(name)
        listed = f'f"{{value{form}}}" for value in values.head(50)' if form else "map(str, values.head(50))"
        self.add(f"listed = {literal(localize(self.language, ', ', '、'))}.join({listed})")
        self.end(self.render("distinct", label=inside(name)) + self.basis())

    def _missing(self) -> None:
        chosen = f"data[{literal(self.q.columns)}]" if self.q.columns else "data"
        self.add(f"blanks = {chosen}.isna().sum()")
        self.add("blanks = blanks[blanks > 0].sort_values(ascending=False)")
        column, blank = self.header("column"), self.header("blank")
        self.add(f"display(blanks.rename_axis({column}).reset_index(name={blank}))")
        pair = localize(self.language, "{name} ({number:,})", "{name}（{number:,}件）")
        comma = literal(localize(self.language, ", ", "、"))
        self.add(f"named = {comma}.join(f'{pair}' for name, number in blanks.items())")
        self.end(self.render("blanks") + self.basis())

    def _describe(self) -> None:
        lines, answer = summary_lines(self.q, self.schema, self.conditions_text, self.language)
        self.add(*lines)
        self.end(answer)

    def _shape(self) -> None:
        self.end(self.render("shape"))

    def _columns(self) -> None:
        column, type_ = self.header("column"), self.header("type")
        self.add(f"display(data.dtypes.astype(str).rename_axis({column}).reset_index(name={type_}))")
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
            self.add(f"pairs = data[[{first}, {second}]].dropna()")
            self.add(f"value = pairs[{first}].corr(pairs[{second}])")
            self.add(f"display(pairs.corr().round(3).reset_index(names={self.header('column')}))")
            self.end(self.render("correlation", a=inside(names[0]), b=inside(names[1])) + self.basis())
            return
        chosen = f"data[{literal(names)}]" if len(names) > 2 else "data.select_dtypes('number')"
        self.add(f"matrix = {chosen}.corr().round(3)")
        self.add(f"display(matrix.reset_index(names={self.header('column')}))")
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
        sides = [conditions_text(((side,),), self.language == "ja") for side in (first, second)]
        a, b = map(inside, sides)
        self.add("counted = data.loc[first.index.union(second.index)]")
        self.leave_out_rows(self.render("neither"), "len(data) - len(counted)")
        if measure.column:
            blank = f"int(counted[{literal(measure.column)}].isna().sum())"
            self.leave_out_rows(self.render("without", name=measure.column), blank)
        if (self.q.groups or self.q.change) and explains(self.q):
            self._explain(measure, [side_text(side, self.language) for side in (first, second)])
            return
        self.add(f"value1, value2 = {figure('first', measure)}, {figure('second', measure)}")
        self.add("difference = value1 - value2")
        self.end(self.render("difference", label=inside(self.name(measure)), a=a, b=b) + self.basis())

    def _explain(self, measure: Measure, sides: Sequence[str]) -> None:
        """Add the call that splits the difference into the parts of categories; its sentences are the answer."""
        compared = self.q.part[0][0].column  # it has one value on each side, and divides nothing
        for name, side in zip(("first", "second"), sides, strict=True):
            self.add(
                f'{name} = {name}.assign(**{{"(side)": {literal(side)}}}).drop(columns={literal(compared)})'
            )
        column = literal(measure.column) if measure.column else "None"
        arguments = [f"pd.concat([first, second]), {column}", 'over="(side)"', f"how={literal(measure.fn)}"]
        arguments += [f"before={literal(sides[0])}", f"after={literal(sides[1])}"]
        arguments += [
            f"by={literal(group.column)}" for group in self.q.groups[:1] if group.column != compared
        ]
        arguments += [f"language={literal(self.language)}", "prints=False"]
        self.add("try:", "    parts = explain_change(", *(f"        {one}," for one in arguments), "    )")
        label, (a, b) = inside(self.name(measure)), map(inside, sides)
        sentence = self.render("difference", label=label, a=a, b=b) + self.render("no_parts")
        self.add(
            "except ValueError:  # without categories",
            f"    value1, value2 = {figure('first', measure)}, {figure('second', measure)}",
            "    difference = value1 - value2",
            f'    final_answer(f"{sentence}")'.replace("\n", "\\n"),
            "display(parts)",
        )
        self.add('sentences = parts.attrs["sentences"].replace("\\n", "\\n\\n")')
        self.end("{sentences}" + self.basis())

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
