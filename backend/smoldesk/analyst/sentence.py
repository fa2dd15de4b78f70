"""Sentences of queries in the grammar that the analyst reads: texts of offers and corrections.

Ambiguous headers and values are in backquotes, which the reader takes literally, so reading a sentence returns its query.
tests/analyst/test_sentence.py has the properties.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby

from smoldesk.analyst.language import Language, localize, names_of, render
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.query import Condition, Group, Measure, OtherColumn, Query
from smoldesk.analyst.times import When
from smoldesk.analyst.units import is_verbal_noun, key_of

AGGREGATES, PLOTS, GRAINS = names_of("aggregates"), names_of("plots"), names_of("grains")
_KINDS, CHANGES = names_of("kinds"), names_of("changes")
# Words to compare: in Japanese, runs of one script.
_WORD = re.compile(
    r"[ \t]+|[A-Za-z0-9_.,'-]+|[\u30a0-\u30ff]+|[\u3040-\u309f]+|[\u3400-\u9fff々]+|.", re.DOTALL
)
# Endings of English nouns of actions: survival, cancellation, enrolment.
_NOUN = re.compile(r"[a-z]+(?:[sv]al|tion|sion|ment|ance|ence)")
_SIGNS = {"*": "×", "/": "÷", "+": "+", "-": "−"}


class Sentence:
    """Parts of a query as text; `quoted` puts names into backquotes."""

    def __init__(self, query: Query, language: Language, quoted: bool = False) -> None:
        self.q = query
        self.language: Language = language
        self.quoted = quoted

    def text(self) -> str:
        """Return the complete sentence."""
        what, cut, conditions, tail = self.what(), self.cut(), self.conditions(), self.tail()
        if self.q.having is not None:
            what, cut = self.having(), ""
        if self.language == "ja":
            rows = conditions and japanese_rows(conditions)
            return "、".join(filter(None, (rows, f"{cut}{what}", *tail)))
        sentence = " ".join(part for part in (what, cut, conditions and f"where {conditions}") if part)
        return f"{sentence} {', '.join(tail)}" if tail else sentence

    def _render(self, sentence: str, **parts: object) -> str:
        return render(sentence, self.language, **parts)

    def _and(self, names: list[str]) -> str:
        return localize(self.language, " and ", "と").join(names)

    def name(self, text: str) -> str:
        """Return a header or a value."""
        return f"`{text}`" if self.quoted else text

    def measure(self, measure: Measure) -> str:
        """Return one figure."""
        if measure.column is None:
            return self._render("rows_number")
        name = self.name(measure.column)
        if measure.other:
            name += f" {_SIGNS[measure.sign]} {self.name(measure.other)}"
        if measure.fn == "quantile" and measure.q is not None:
            return self._render("percentile", percent=100 * measure.q, name=name)
        return self._render("of", fn=localize(self.language, *AGGREGATES[measure.fn]), name=name)

    def what(self) -> str:
        """Return what the query computes or shows."""
        q, column = self.q, self.q.first.column if self.q.measures else None
        match q.kind:
            case "share":
                base = self.name(column) if column else localize(self.language, "rows", "行")
                share = "share_part" if q.part else "share_of"
                return self._render(share, base=base, part=self.conditions_of(q.part))
            case "figure" | "groups" | "difference":
                figure = self._and([self.measure(measure) for measure in q.measures])
                if q.change and q.kind != "difference":
                    change = localize(self.language, *CHANGES.get(q.change.split(" ")[0], CHANGES["diff"]))
                    figure = self._render("of", fn=change, name=figure)
                if q.kind == "difference" and q.part:
                    first, second = (self._condition(side) for side in q.part[0])
                    difference = self._render("difference_of", figure=figure, one=first, two=second)
                    return self._render("reasons_for", difference=difference) if q.change else difference
                return figure
            case "rows" if column:
                number = (f"{q.top} " if self.language == "en" else f"{q.top}") if q.top and q.top > 1 else ""
                ranked = "highest_of" if q.descending else "lowest_of"
                return self._render(ranked, number=number, name=self.name(column))
            case "head" | "tail":
                return self._render(f"{q.kind}_of", n=q.top or 5)
            case _:
                pair = PLOTS[q.plot] if q.kind == "plot values" else _KINDS.get(q.kind, _KINDS["rows"])
                what, names = localize(self.language, *pair), [self.name(column) for column in q.columns]
                if q.kind == "rows" or (not names and q.kind != "plot values"):
                    return what
                return self._render("what_of", what=what, names=self._and(names))

    def group(self, group: Group) -> str:
        """Return one group."""
        return localize(self.language, *GRAINS[group.grain]) if group.grain else self.name(group.column)

    def cut(self) -> str:
        """Return the groups."""
        groups = self.q.groups
        if not groups:
            return ""
        sentence = "cut_by_time" if groups[-1].grain else "cut_by"
        return self._render(sentence, names=self._and([self.group(group) for group in groups]))

    def having(self) -> str:
        """Return the groups whose figure fulfils the condition: customers with total sales over 3000."""
        having, names = self.q.having, self._and([self.group(group) for group in self.q.groups])
        assert having is not None
        value, last = ([self.value(value) for value in having.values] + ["", ""])[:2]
        figure = self.measure(self.q.first)
        kept = self._render(f"op {having.op}", name=figure, value=value, last=last)
        return self._render("groups_with", names=names, kept=kept)

    def conditions(self) -> str:
        """Return the conditions."""
        return self.conditions_of(self.q.where)

    def tail(self) -> list[str]:
        """Return order, limit, plot and file."""
        q, lines = self.q, list[str]()
        if q.kind in ("groups", "share") and (q.descending is not None or q.one):
            high = q.descending is not False
            if q.top and not q.one:
                lines.append(self._render("top_of" if high else "bottom_of", n=q.top))
            else:
                lines.append(self._render("falling" if high else "rising"))
        if q.plot and q.kind != "plot values":
            lines.append(self._render("as_plot", plot=localize(self.language, *PLOTS[q.plot])))
        if q.map:
            lines.append(self._render("on_map"))
        if q.totals:
            lines.append(self._render("with_totals"))
        if q.file:
            lines.append(self._render("save_as", file=q.file))
        return lines

    def conditions_of(self, where: tuple[tuple[Condition, ...], ...]) -> str:
        """Return conditions as text."""
        any_of, all_of = localize(self.language, " or ", "または"), localize(self.language, " and ", "、")
        return all_of.join(any_of.join(map(self._condition, group)) for group in where)

    def _condition(self, condition: Condition) -> str:
        op = condition.op.removeprefix("when").strip() or "=="
        op = {"not when": "!=", "from to": "between"}.get(op, op)
        value, last = ([self.value(value) for value in condition.values] + ["", ""])[:2]
        return self._render(f"op {op}", name=self.name(condition.column), value=value, last=last)

    def value(self, value: object) -> str:
        """Return an operand of a condition."""
        if isinstance(value, OtherColumn):
            return self.name(value.column)
        if isinstance(value, When):
            return value.to_text(self.language)
        if isinstance(value, float):
            return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
        return self.name(str(value))


def japanese_rows(conditions: str) -> str:
    """Return the rows with these conditions in Japanese: an adjective or a verb stands before 行 without の."""
    return f"{conditions}行で" if conditions.endswith(("い", "む")) else f"{conditions}の行で"


def sentence_of(query: Query, language: Language, quoted: bool = False) -> str:
    """Return the sentence of a query."""
    return Sentence(query, language, quoted).text()


def mark_differences(sentences: Sequence[str]) -> list[list[tuple[str, bool]]]:
    """Return each sentence in pieces, with whether a piece differs from another one of the sentences."""
    words = [_WORD.findall(sentence) for sentence in sentences]
    return [_pieces(own, [other for other in words if other is not own]) for own in words]


def _pieces(words: list[str], others: list[list[str]]) -> list[tuple[str, bool]]:
    common = set(range(len(words)))
    for other in others:
        blocks = SequenceMatcher(None, words, other, autojunk=False).get_matching_blocks()
        common &= {block.a + at for block in blocks for at in range(block.size)}
    differs = [at not in common for at in range(len(words))]
    # White space differs if both neighbours do.
    around = (
        differs[at - 1 : at + 2 : 2] if word.isspace() else [differs[at]] for at, word in enumerate(words)
    )
    marked = zip(words, map(all, around), strict=True)
    return [("".join(word for word, _ in run), key) for key, run in groupby(marked, lambda pair: pair[1])]


def rate_of(column: str, language: Language) -> str:
    """Return the name of the rate of a yes/no column, such as survival rate or 生存率; empty if no noun for it is known."""
    own = key_of(column)
    concepts = [lexicon().concepts[number] for number in lexicon().concept_of.get(own, ())[:1]]
    for key in (own, *(word for concept in concepts for word in concept)):
        noun = "".join(key)
        if language == "ja" and is_verbal_noun(noun):
            return f"{noun}率"
        if language == "en" and len(key) == 1 and _NOUN.fullmatch(noun):
            return f"{noun} rate"
    return ""


def side_text(condition: Condition, language: Language) -> str:
    """Return one side of a difference: its value alone."""
    value = condition.values[0]
    return value.to_text(language) if isinstance(value, When) else str(value)
