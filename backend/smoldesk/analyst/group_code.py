"""Code for figures of groups: compute, sort, display, plot, and answer with the first group as the key figure."""

from smoldesk.analyst.cell import chart_lines, inside, literal
from smoldesk.analyst.frame import DIGITS, PERIODS, Frame, figure
from smoldesk.analyst.language import localize
from smoldesk.analyst.plot_code import number_of
from smoldesk.analyst.sentence import Sentence
from smoldesk.analyst.units import is_japanese
from smoldesk.charts.inside import chart_forms as forms
from smoldesk.charts.inside.chart_rules import Spec

# Maximum groups listed in an answer; the table has all.
MAX_LINES = 20


class Groups(Frame):
    """Writer of queries with groups."""

    def _groups(self) -> None:
        q, keys = self.q, self.keys()
        grouped = f"data.groupby({literal(keys[0]) if len(keys) == 1 else literal(keys)})"
        names = [self.name(measure) for measure in q.measures]
        if len(names) > 1:
            pairs = zip(names, q.measures, strict=True)
            parts = [f"{literal(name)}: {figure(grouped, m)}" for name, m in pairs]
            self.add("result = pd.DataFrame({" + ", ".join(parts) + "})")
            if q.descending is not None:
                self.add(f"result = result.sort_values({literal(names[0])}, ascending={not q.descending})")
            self.add("display(result.round(2).reset_index())")
            body = self.render("by_groups", cut=inside(self._cut(keys))) + self.basis()
        else:
            self.add(f"result = {figure(grouped, q.first)}")
            kept = self._having(keys)
            form = self.fixed_form(q.first)
            if form is not None and form != ":,":
                body = self._values(keys, names[0], form)
            else:
                self._ordered()
                rounded, form = ("result", ":,") if form and not q.change else ("rounded", ":,.{digits}f")
                if rounded == "rounded":
                    self.add(f"digits = {DIGITS.format('result.dropna()')}", "rounded = result.round(digits)")
                if len(keys) == 2 and not q.top:
                    self.add(f"display({rounded}.unstack(fill_value=0).reset_index())")
                else:
                    self.add(f"display({rounded}.reset_index(name={literal(names[0])}))")
                body = kept or self._first(keys, names[0], f"{rounded}.dropna()", form)
        self.plot(keys, names)
        named = f"name={literal(names[0])}" if len(names) == 1 else ""
        self.save(f"result.reset_index({named})", body)

    def _having(self, keys: list[str]) -> str:
        """Keep the groups whose figure fulfils the condition, and return the answer; empty without a condition."""
        having = self.q.having
        if having is None:
            return ""
        numbers = ", ".join(map(str, having.values))
        test = f"between({numbers})" if having.op == "between" else ""
        kept = f"result.{test}" if test else f"result {having.op} {numbers}"
        condition, names = Sentence(self.q, self.language).having(), " / ".join(keys)
        parts = {"cut": inside(names), "kept": inside(condition)}
        join = localize(self.language, ", ", "、")
        self.add(
            "total = len(result)",
            f"result = result[{kept}].sort_values(ascending=False)",
            "if result.empty:",
            f'    final_answer(f"{self.render("no_groups", **parts)}")',
            "joined = [' / '.join(map(str, key)) if isinstance(key, tuple) else str(key) for key in result.index[:20]]",
            f'named = "{join}".join(joined)',
        )
        return self.render("groups_kept", **parts) + self.basis()

    def _ordered(self) -> None:
        """Add the changes between groups, and the order of the groups."""
        q = self.q
        if q.change.startswith("pct"):
            self.add("result = 100 * result.pct_change()")
        elif q.change == "running":
            self.add("result = result.cumsum()")
        elif q.change == "rolling":
            self.add(f"result = result.rolling({q.window or 3}).mean()")
        elif q.change:
            self.add("result = result.diff()")
        column = self.schema.column(q.groups[0].column)
        is_in_time = q.groups[0].grain or column.info.role == "time"
        if q.descending is not None or not is_in_time:
            self.add(f"result = result.sort_values(ascending={q.descending is False})")
        elif q.groups[0].grain == "weekday":
            self.add(*self.weekdays())
        elif (
            column.info.kind == "text" and column.info.values and len(q.groups) == 1
        ):  # in the file's order: Jan, Feb
            self.add(f"result = result.reindex({literal([*column.info.values])}).dropna()")
        if q.top and q.descending is not None:
            self.add(f"result = result.head({q.top})")

    def _first(self, keys: list[str], name: str, figures: str, form: str) -> str:
        """Return the answer, which starts with the highest or lowest group; `figures` is their source."""
        q, japanese, low = self.q, self.language == "ja", self.q.descending is False
        shown = self._lines(figures, len(keys) > 1, form)
        extreme, text = (
            "min" if low else "max",
            "lambda key: ', '.join(map(str, key))" if len(keys) > 1 else "str",
        )
        self.add(f"named = {figures}")
        if any(self.has_blanks(key.column) for key in q.groups):
            blank = f"named.index != {literal(self.blank_group)}"
            self.add(f"named = named[{blank}] if ({blank}).any() else named")
        self.add(
            "if named.empty:",
            f"    final_answer({literal(self.render('no_figure'))})",
            f"exact, best = result.reindex(named.index), named.{extreme}()",
            f"tied = named.index[exact == exact.{extreme}()].map({text})",
            f'first = "{localize(self.language, ", ", "、")}".join(tied[:3]) + " …" * (len(tied) > 3)',
        )
        columns = [self.schema.column(key.column) for key in q.groups]
        cells = [text for column in columns for text in (*column.info.values, column.name)]
        quote = "'" if not japanese and any(map(is_japanese, cells)) else ""
        label, cut = inside(name), inside(self._cut(keys))
        superlative = "Lowest " if low else "Highest "
        word = superlative + label.removeprefix(superlative.lower())  # not the highest highest delay
        if q.first.column is None:
            word = ("Fewest" if low else "Most") + " rows"
        least = ("少ない" if low else "多い") if q.first.column is None else ("小さい" if low else "大きい")
        first = self.render("most", word=word, quote=quote, best=f"{{best{form}}}", label=label, low=least)
        title = f"{label[0].upper()}{label[1:]} by {cut}"
        lines = self.render("most_lines", title=title, cut=cut, label=label, shown=shown)
        return first + lines + self.basis()

    def _lines(self, series: str, several: bool, form: str) -> str:
        """Add the lines that list the first groups with their figures; return the note about the others."""
        name, colon = "', '.join(map(str, name))" if several else "name", localize(self.language, ": ", "：")
        rest = self.render("first_lines", most=MAX_LINES)
        self.add(
            f'lines = "\\n".join(f"- {{{name}}}{colon}{{value{form}}}"',
            f"    for name, value in {series}.head({MAX_LINES}).items())",
        )
        known = self.schema.column(self.q.groups[0].column).info.values
        if not (several or self.q.groups[0].grain) and 0 < len(known) < MAX_LINES:
            return ""
        self.add(f'shown = f"{rest}" if len(result) > {MAX_LINES} else ""')
        return "{shown}"

    def _values(self, keys: list[str], name: str, form: str) -> str:
        """Return the answer for figures that are dates, labels or texts, so that none is the highest."""
        self.add(f"display(result.reset_index(name={literal(name)}))")
        shown = self._lines("result.dropna()", len(keys) > 1, form)
        label, cut = inside(name), inside(self._cut(keys))
        title = localize(self.language, f"{label[0].upper()}{label[1:]} by {cut}", "")
        lines = self.render("most_lines", title=title, cut=cut, label=label, shown=shown).removeprefix("\n\n")
        return lines + self.basis()

    def _cut(self, keys: list[str]) -> str:
        """Return the group keys as in a title."""
        if self.language == "en":
            return " / ".join(keys)
        return " / ".join(self._cuts()) + ("ごと" if self.q.groups[-1].grain else "別")

    def _cuts(self) -> list[str]:
        """Return the names of the groups."""
        return [Sentence(self.q, self.language).group(group) for group in self.q.groups]

    def plot(self, keys: list[str], names: list[str]) -> None:
        """Add the requested plot: horizontal bars with the first on top; over time, vertical ones."""
        q, named = self.q, ", ".join(names)
        cuts = self._cuts()
        if not q.plot or q.first.fn == "mode":
            return
        kind = q.plot if q.plot != "auto" else ("line" if q.groups[0].grain else "bar")
        by = localize(self.language, " / ".join(cuts), self._cut(keys))
        title = localize(self.language, f"{named[0].upper() + named[1:]} by {by}", f"{by}の{named}")
        title += self.title_end
        figure, drawn = names[0], f"reset_index(name={literal(names[0])})"
        if len(names) > 1:
            figure, which = localize(self.language, "value", "値"), localize(self.language, "measure", "項目")
            shape = f"var_name={literal(which)}, value_name={literal(figure)}"
            drawn, keys = f"reset_index().melt({literal(keys)}, {shape})", [*keys, which]
        self.add("", f"drawn = result.round(4).{drawn}")
        key, grain = f"drawn[{literal(keys[0])}]", q.groups[0].grain
        if kind == "pie" and len(keys) == 1:
            self.add(f"parts = drawn[{literal(figure)}] / drawn[{literal(figure)}].sum()")
            self.add(f'{key} = {key}.astype(str) + parts.map(" ({{:.1%}})".format)')
            self.add(*chart_lines("drawn", title, forms.pie(keys[0], figure)))
            return
        column = self.schema.column(q.groups[0].column)
        grains = ("day", "month", "quarter", "year", "week")[: 4 + (kind == "line")]
        place: Spec = {"field": keys[0], "title": cuts[0]}
        if grain in grains and (len(keys) == 1 or kind in ("line", "stacked")):
            self.add(f"{key} = pd.PeriodIndex({key}, freq={literal(PERIODS.get(grain, 'D'))}).to_timestamp()")
        elif kind != "line" or not ("hour" in grain or (not grain and (column.is_number or column.is_date))):
            place = forms.in_order(keys[0], title=cuts[0])
        number = number_of(figure, self.schema, *q.measures)
        spec = forms.groups(kind, place, number, "".join(keys[1:2]), not grain)
        spec["encoding"] |= {"row": {"field": keys[2]}} if len(keys) > 2 else {}
        self.add(*chart_lines("drawn", title, spec))
