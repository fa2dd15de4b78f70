"""A query as a sentence of the small language that the analyst reads: what is offered, and what a correction asks.

Headers and values that could be taken for something else stand in backquotes, which the reader takes as they are; so a sentence
is read back as the query it says. Properties in tests/analyst/test_sentence.py.
"""

from smoldesk.analyst.language import Language, names_of, say, told
from smoldesk.analyst.query import Condition, Group, Measure, Other, Query
from smoldesk.analyst.times import When

AGGREGATES, PLOTS, GRAINS = names_of("aggregates"), names_of("plots"), names_of("grains")
_KINDS, CHANGES = names_of("kinds"), names_of("changes")
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
        said = " ".join(one for one in (what, cut, kept and f"where {kept}") if one)
        return f"{said} {', '.join(tail)}" if tail else said

    def _say(self, sentence: str, **parts: object) -> str:
        return told(sentence, self.language, **parts)

    def _and(self, names: list[str]) -> str:
        return say(self.language, " and ", "と").join(names)

    def name(self, text: str) -> str:
        """A header or a value."""
        return f"`{text}`" if self.quoted else text

    def measure(self, one: Measure) -> str:
        """One figure."""
        if one.column is None:
            return self._say("rows_number")
        name = self.name(one.column) + (f" {_SIGNS[one.sign]} {self.name(one.other)}" if one.other else "")
        if one.fn == "quantile" and one.q is not None:
            return self._say("percentile", percent=100 * one.q, name=name)
        return self._say("of", fn=say(self.language, *AGGREGATES[one.fn]), name=name)

    def what(self) -> str:
        """What is computed or shown."""
        q, column = self.q, self.q.first.column if self.q.measures else None
        match q.kind:
            case "share":
                base = self.name(column) if column else say(self.language, "rows", "行")
                share = "share_part" if q.part else "share_of"
                return self._say(share, base=base, part=self._conditions(q.part))
            case "figure" | "groups" | "difference":
                figure = self._and([self.measure(measure) for measure in q.measures])
                if q.change:
                    change = say(self.language, *CHANGES.get(q.change.split(" ")[0], CHANGES["diff"]))
                    figure = self._say("of", fn=change, name=figure)
                if q.kind == "difference" and q.part:
                    one, two = (self._condition(side) for side in q.part[0])
                    return self._say("difference_of", figure=figure, one=one, two=two)
                return figure
            case "rows" if column:
                number = (f"{q.top} " if self.language == "en" else f"{q.top}") if q.top and q.top > 1 else ""
                ranked = "highest_of" if q.descending else "lowest_of"
                return self._say(ranked, number=number, name=self.name(column))
            case "head" | "tail":
                return self._say(f"{q.kind}_of", n=q.top or 5)
            case _:
                pair = PLOTS[q.plot] if q.kind == "plot values" else _KINDS.get(q.kind, _KINDS["rows"])
                what, names = say(self.language, *pair), [self.name(column) for column in q.columns]
                if q.kind == "rows" or (not names and q.kind != "plot values"):
                    return what
                return self._say("what_of", what=what, names=self._and(names))

    def group(self, one: Group) -> str:
        """One cut."""
        return say(self.language, *GRAINS[one.grain]) if one.grain else self.name(one.column)

    def cut(self) -> str:
        """What the figures are cut by."""
        groups = self.q.groups
        if not groups:
            return ""
        sentence = "cut_by_time" if groups[-1].grain else "cut_by"
        return self._say(sentence, names=self._and([self.group(group) for group in groups]))

    def kept(self) -> str:
        """The conditions."""
        return self._conditions(self.q.where)

    def tail(self) -> list[str]:
        """Order, number, plot and file."""
        q, lines = self.q, list[str]()
        if q.kind in ("groups", "share") and (q.descending is not None or q.one):
            high = q.descending is not False
            if q.top and not q.one:
                lines.append(self._say("top_of" if high else "bottom_of", n=q.top))
            else:
                lines.append(self._say("falling" if high else "rising"))
        if q.plot and q.kind != "plot values":
            lines.append(self._say("as_plot", plot=say(self.language, *PLOTS[q.plot])))
        if q.map:
            lines.append(self._say("on_map"))
        if q.file:
            lines.append(self._say("save_as", file=q.file))
        return lines

    def _conditions(self, where: tuple[tuple[Condition, ...], ...]) -> str:
        either = (say(self.language, " or ", "または").join(map(self._condition, group)) for group in where)
        return say(self.language, " and ", "、").join(either)

    def _condition(self, one: Condition) -> str:
        """One condition."""
        op = one.op.removeprefix("when").strip() or "=="
        op = {"not when": "!=", "from to": "between"}.get(op, op)
        value, last = ([self._value(value) for value in one.values] + ["", ""])[:2]
        return self._say(f"op {op}", name=self.name(one.column), value=value, last=last)

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
