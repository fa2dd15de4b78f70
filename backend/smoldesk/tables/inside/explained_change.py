"""`explain_change(...)` in cells: why a quantity differs between two periods or groups, part by part, as a waterfall.

decomposition.py has the arithmetic and its source, change_query.py the queries. The chart is made by `chart` of cells.
"""

import builtins
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from .change_query import ChangeQuery, Quantity, named
from .decomposition import Decomposition, Part

# Categories that have a bar and a sentence of their own; the others are one.
DRAWN, NAMED = 10, 3
# Other columns that the sentences name.
MAX_OTHERS = 4
HOW = ("sum", "mean", "count")
TEXTS = {
    "en": {
        "blank": "(blank)",
        "other": "{count} others",
        "count": "rows",
        "before": "before: {value}",
        "after": "after: {value}",
        "change": "change",
        "effect": "part of the change",
        "share": "share of the change (%)",
        "rate_effect": "effect of rates",
        "mix_effect": "effect of the mix",
        "sum": "{name}: {before} → {after} ({change}).",
        "split": "Changed rates: {rate}; changed mix: {mix}.",
        "parts": "By {by}: {parts}.",
        "others": "Other columns to split by: {names}.",
        "mean": "mean {name}",
        "ratio": "{name} per {per}",
    },
    "ja": {
        "blank": "（空欄）",
        "other": "その他 {count} 件",
        "count": "行数",
        "before": "前: {value}",
        "after": "後: {value}",
        "change": "差",
        "effect": "差への寄与",
        "share": "差に占める割合（%）",
        "rate_effect": "率の変化による分",
        "mix_effect": "構成の変化による分",
        "sum": "{name}: {before} → {after}（{change}）。",
        "split": "率の変化: {rate}、構成の変化: {mix}。",
        "parts": "{by}別: {parts}。",
        "others": "ほかに分けられる列: {names}。",
        "mean": "{name}の平均",
        "ratio": "{per}あたりの{name}",
    },
}


def explain_change(
    table: Any,
    measure: str | None = None,
    *,
    over: str,
    before: Any = None,
    after: Any = None,
    by: str | None = None,
    how: str = "",
    per: str | None = None,
    language: str = "en",
    prints: bool = True,
) -> Any:
    """Show why a quantity differs between two values of a column, and return a DataFrame with a row for each category.

    `table` is a DataFrame, or the name of a table as in `sql`. The quantity is the sum of `measure`, its mean
    (`how="mean"`), its sum divided by that of the column `per`, or without `measure` the number of rows. `before` and
    `after` are values of `over` or lists of them; of dates also 2024, 2024-Q1, 2024-03. Without `by`, the column is
    chosen whose categories changed most differently. The sentences are printed, unless `prints` is False; the result's
    `attrs["sentences"]` has them, too. Raises ValueError saying what was expected.
    """
    quantity = _quantity(measure, how, per)
    texts = TEXTS["ja" if language == "ja" else "en"]
    table_to_explain = table
    source = named(table) if isinstance(table, str) else "table_to_explain"
    query = ChangeQuery(_sql_with(table_to_explain), source, over, before, after)
    column, other_columns = (by, []) if by is not None else query.most_uneven(quantity)
    decomposition = query.decomposed(quantity, column)
    sides = _value_text(query.before), _value_text(query.after)
    explained = _Explained(sides, quantity, column, decomposition, texts)
    sentences = "\n".join(explained.sentences(other_columns))
    if prints:
        sys.stdout.write(f"{sentences}\n")
    builtins.display(explained.chart())  # type: ignore[attr-defined]
    table_of_parts = explained.table()
    table_of_parts.attrs["sentences"] = sentences
    return table_of_parts


def _sql_with(table_to_explain: Any) -> Any:
    """Return `sql` of cells for queries that may name the variable `table_to_explain`."""

    def run(query: str) -> Any:
        _ = table_to_explain  # `sql` finds it among the variables of its caller
        return cast(Any, builtins).sql(query)

    return run


def _quantity(measure: str | None, how: str, per: str | None) -> Quantity:
    if how not in ("", *HOW):
        raise ValueError(f"how={how[:40]!r} is unknown; expected one of {', '.join(HOW)}")
    if measure is None and (per is not None or how in ("sum", "mean")):
        raise ValueError("a sum, a mean and a ratio need the name of a column as `measure`")
    if per is not None and how not in ("", "sum"):
        raise ValueError(f"how={how!r} does not go with `per`: sums are divided")
    return Quantity(None if how == "count" else measure, per, how == "mean")


@dataclass(frozen=True)
class _Explained:
    """One decomposition as sentences, table and chart; `sides` are the two compared values as text."""

    sides: tuple[str, str]
    quantity: Quantity
    by: str
    decomposition: Decomposition
    texts: dict[str, str]

    def name(self) -> str:
        """Return the quantity in words."""
        quantity, texts = self.quantity, self.texts
        if quantity.measure is None:
            return texts["count"]
        if quantity.per is not None:
            return texts["ratio"].format(name=quantity.measure, per=quantity.per)
        return texts["mean"].format(name=quantity.measure) if quantity.is_mean else quantity.measure

    def sentences(self, other_columns: Sequence[str]) -> list[str]:
        """Return the change, what rates and mix did, the largest parts, and the other columns there are."""
        change, texts = self.decomposition, self.texts
        lines = [
            texts["sum"].format(
                name=self.name(),
                before=f"{self._figure(change.before)} ({self.sides[0]})",
                after=f"{self._figure(change.after)} ({self.sides[1]})",
                change=self._signed(change.change),
            )
        ]
        if self.quantity.is_rate:
            rate = sum(part.rate_effect for part in change.parts)
            mix = sum(part.mix_effect for part in change.parts)
            lines.append(texts["split"].format(rate=self._signed(rate), mix=self._signed(mix)))
        rows = self._largest(NAMED)
        parts = ", ".join(f"{label} {self._signed(effect)}" for label, effect in rows)
        lines.append(texts["parts"].format(by=self.by, parts=parts))
        if other_columns:
            lines.append(texts["others"].format(names=", ".join(other_columns[:MAX_OTHERS])))
        return lines

    def table(self) -> Any:
        """Return a DataFrame with all parts, the largest effect first."""
        import pandas

        texts, total = self.texts, self.decomposition.change
        rows: list[dict[str, object]] = []
        for part in self.decomposition.parts:
            row: dict[str, object] = {
                self.by: self._label(part),
                texts["before"].format(value=self.sides[0]): part.before,
                texts["after"].format(value=self.sides[1]): part.after,
            }
            if self.quantity.is_rate:
                row[texts["rate_effect"]] = part.rate_effect
                row[texts["mix_effect"]] = part.mix_effect
            row[texts["effect"]] = part.effect
            row[texts["share"]] = round(100 * part.effect / total, 1) if total else None
            rows.append(row)
        return pandas.DataFrame(rows)

    def chart(self) -> Any:
        """Return a waterfall from the first value over the parts to the last."""
        from smoldesk.charts.inside.chart_forms import waterfall  # a child of tables alone has no charts

        change = self.decomposition
        rows = [{"label": self.sides[0], "from": 0.0, "to": change.before, "kind": "whole"}]
        level = change.before
        for label, effect in self._largest(DRAWN):
            kind = "up" if effect >= 0 else "down"
            rows.append({"label": label, "from": level, "to": level + effect, "kind": kind})
            level += effect
        rows.append({"label": self.sides[1], "from": 0.0, "to": change.after, "kind": "whole"})
        labels = set[str]()
        for row in rows:
            label = str(row["label"])
            while label in labels:  # bars of equal names would stand in one place; a blank behind is not seen
                label += " "
            labels.add(label)
            row["label"] = label
        return cast(Any, builtins).chart(
            rows, {**waterfall("label", "from", "to", "kind", self.name()), "title": self._title()}
        )

    def _title(self) -> str:
        return f"{self.name()}: {self.sides[0]} → {self.sides[1]}"

    def _largest(self, count: int) -> list[tuple[str, float]]:
        parts = self.decomposition.parts
        labelled = [(self._label(part), part.effect) for part in parts[:count]]
        if remaining := parts[count:]:
            labelled.append(
                (self.texts["other"].format(count=len(remaining)), sum(part.effect for part in remaining))
            )
        return labelled

    def _label(self, part: Part) -> str:
        return self.texts["blank"] if part.category is None else str(part.category)[:200]

    def _figure(self, value: float) -> str:
        size = abs(value)
        digits = 0 if size >= 1_000 or value == int(value) else 2 if size >= 1 else 4
        return f"{value:,.{digits}f}"

    def _signed(self, value: float) -> str:
        return f"{'+' if value >= 0 else '−'}{self._figure(abs(value))}"


def _value_text(value: Any) -> str:
    if isinstance(value, (list, tuple, set)):
        return ", ".join(map(_value_text, cast("Iterable[Any]", value)))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)[:60]
