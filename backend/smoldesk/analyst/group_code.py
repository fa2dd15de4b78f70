"""Figures of groups as code: computed, put in order, shown, plotted and said with the first one as the key figure."""

from smoldesk.analyst.cell import inside, literal
from smoldesk.analyst.frame import Frame, a_list, figure
from smoldesk.analyst.language import say
from smoldesk.analyst.units import is_japanese


class Groups(Frame):
    """Writes queries that are cut by columns."""

    def _groups(self) -> None:
        q, keys = self.q, self.keys()
        grouped = f"data.groupby({literal(keys[0]) if len(keys) == 1 else a_list(keys)})"
        names = [self.name(measure) for measure in q.measures]
        if len(names) > 1:
            pairs = zip(names, q.measures, strict=True)
            parts = [f"{literal(name)}: {figure(grouped, m)}" for name, m in pairs]
            self.add("result = pd.DataFrame({" + ", ".join(parts) + "})")
            if q.descending is not None:
                self.add(f"result = result.sort_values({literal(names[0])}, ascending={not q.descending})")
            self.add("display(result.round(2).reset_index())")
            body = self.say("by_groups", cut=inside(" / ".join(keys)))
        else:
            self.add(f"result = {figure(grouped, q.first)}")
            self._ordered()
            if len(keys) == 2 and not q.top:
                self.add("display(result.unstack(fill_value=0).round(2).reset_index())")
            elif q.first.fn == "mode":
                self.add("display(result.reset_index())")
            else:
                self.add(f"display(result.round(2).reset_index(name={literal(names[0])}))")
            body = self._first(keys, names[0])
        self.plot(keys, names)
        named = f"name={literal(names[0])}" if len(names) == 1 else ""
        self.save(f"result.reset_index({named})", body)

    def _ordered(self) -> None:
        """Changes from one group to the next, and the order of the groups."""
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
        """The answer that begins with the highest or lowest group."""
        q, japanese, low = self.q, self.language == "ja", self.q.descending is False
        form = ":," if q.first.column is None or q.first.fn in ("count", "nunique") else ":,.2f"
        joined = "', '.join(map(str, name)) if isinstance(name, tuple) else name"
        self.add(
            f'lines = "\\n".join(f"- {{{joined}}}: {{value{form}}}" for name, value in result.dropna().head(20).items())',
            "if result.dropna().empty:",
            f"    final_answer({literal(self.say('no_figure'))})",
            f"first = result.{'idxmin' if low else 'idxmax'}()",
            "first = ', '.join(map(str, first)) if isinstance(first, tuple) else first",
            f"best = result.{'min' if low else 'max'}()",
        )
        cells = [one for key in q.groups for one in (*self.schema.column(key.column).info.values, key.column)]
        quote = "'" if not japanese and any(map(is_japanese, cells)) else ""
        label, cut = inside(name), inside(" / ".join(keys))
        word = ("Lowest " if low else "Highest ") + label
        if q.first.column is None:
            word = ("Fewest" if low else "Most") + " rows"
        best, low_word = f"{{best{form}}}", "小さい" if low else "大きい"
        first = self.say("most", word=word, quote=quote, best=best, label=label, low=low_word)
        title = f"{label[0].upper()}{label[1:]} by {cut}"
        return first + self.say("most_lines", title=title, cut=cut, label=label)

    def plot(self, keys: list[str], names: list[str]) -> None:
        """Draws the groups where a plot is asked for."""
        q = self.q
        if not q.plot:
            return
        self.plt = True
        kind = q.plot if q.plot != "auto" else ("line" if q.groups[0].grain else "bar")
        shown = "result.unstack()" if len(keys) == 2 and len(q.measures) == 1 else "result"
        drawn = {
            "pie": f'{shown}.plot.pie(ax=ax, autopct="%.1f%%", ylabel="")',
            "stacked": f"{shown}.plot.bar(ax=ax, stacked=True)",
            "line": f'{shown}.plot.line(ax=ax, marker="o")',
        }.get(kind, f"{shown}.plot.bar(ax=ax)")
        if kind == "line" and shown == "result":
            drawn = 'ax.plot(result.index, result, marker="o")'
        by = " / ".join(keys)
        title = say(self.language, f"{names[0][0].upper() + names[0][1:]} by {by}", f"{by}別の{names[0]}")
        axes = "" if kind == "pie" else f", xlabel={literal(by)}, ylabel={literal(names[0])}"
        self.add("", "fig, ax = plt.subplots()", drawn, f"ax.set(title={literal(title)}{axes})")
