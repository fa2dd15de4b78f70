"""Code for figures of groups: compute, sort, display, plot, and answer with the first group as the key figure."""

from smoldesk.analyst.cell import chart_lines, inside, literal
from smoldesk.analyst.frame import FIGURE, PERIODS, Frame, figure
from smoldesk.analyst.language import localize
from smoldesk.analyst.plot_code import number_of
from smoldesk.analyst.sentence import GRAINS, Sentence
from smoldesk.analyst.units import is_japanese
from smoldesk.charts.inside import chart_forms as forms
from smoldesk.charts.inside.chart_rules import Spec


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
            self._ordered()
            if len(keys) == 2 and not q.top:
                self.add("display(result.unstack(fill_value=0).round(2).reset_index())")
            elif q.first.fn == "mode":
                self.add("display(result.reset_index())")
            else:
                self.add(f"display(result.round(2).reset_index(name={literal(names[0])}))")
            body = kept or self._first(keys, names[0])
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
        return self.render("groups_kept", **parts)

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
        if q.descending is not None or not q.groups[0].grain:
            self.add(f"result = result.sort_values(ascending={q.descending is False})")
        elif q.groups[0].grain == "weekday":
            self.add(*self.weekdays())
        if q.top and q.descending is not None:
            self.add(f"result = result.head({q.top})")

    def _first(self, keys: list[str], name: str) -> str:
        """Return the answer, which starts with the highest or lowest group."""
        q, japanese, low = self.q, self.language == "ja", self.q.descending is False
        form = "{{{}:,}}" if q.first.column is None or q.first.fn in ("count", "nunique") else FIGURE
        colon = localize(self.language, ": ", "：")
        joined = "', '.join(map(str, name)) if isinstance(name, tuple) else name"
        self.add(
            f'lines = "\\n".join(f"- {{{joined}}}{colon}{form.format("value")}"',
            "    for name, value in result.dropna().head(20).items())",
            f"named = result.dropna().drop({literal(self.blank_group)}, errors='ignore')"
            if any(self.has_blanks(key.column) for key in q.groups)
            else "named = result.dropna()",
            "if named.empty:",
            f"    final_answer({literal(self.render('no_figure'))})",
            f"first, best = named.{'idxmin' if low else 'idxmax'}(), named.{'min' if low else 'max'}()",
            "first = ', '.join(map(str, first)) if isinstance(first, tuple) else first",
        )
        cells = [
            text for key in q.groups for text in (*self.schema.column(key.column).info.values, key.column)
        ]
        quote = "'" if not japanese and any(map(is_japanese, cells)) else ""
        label, cut = inside(name), inside(self._cut(keys))
        word = ("Lowest " if low else "Highest ") + label
        if q.first.column is None:
            word = ("Fewest" if low else "Most") + " rows"
        least = ("少ない" if low else "多い") if q.first.column is None else ("小さい" if low else "大きい")
        first = self.render("most", word=word, quote=quote, best=form.format("best"), label=label, low=least)
        title = f"{label[0].upper()}{label[1:]} by {cut}"
        return first + self.render("most_lines", title=title, cut=cut, label=label) + self.basis()

    def _cut(self, keys: list[str]) -> str:
        """Return the group keys as in a title."""
        if self.language == "en":
            return " / ".join(keys)
        groups = self.q.groups
        names = [
            localize(self.language, *GRAINS[group.grain]) if group.grain else group.column for group in groups
        ]
        return " / ".join(names) + ("ごと" if groups[-1].grain else "別")

    def plot(self, keys: list[str], names: list[str]) -> None:
        """Add the requested plot: horizontal bars with the first on top; over time, vertical ones."""
        q, named = self.q, ", ".join(names)
        cuts = [
            localize(self.language, *GRAINS[group.grain]) if group.grain else group.column
            for group in q.groups
        ]
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
        spec = forms.groups(
            kind, place, number_of(figure, self.schema, *q.measures), "".join(keys[1:2]), not grain
        )
        spec["encoding"] |= {"row": {"field": keys[2]}} if len(keys) > 2 else {}
        self.add(*chart_lines("drawn", title, spec))
