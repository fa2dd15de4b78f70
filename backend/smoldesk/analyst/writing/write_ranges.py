"""Code that cuts a column of numbers into ranges, and says how wide they are."""

from smoldesk.analyst.cell import (
    Cell,
    Part,
    Value,
    literal,
)
from smoldesk.analyst.intents import Derived, Language
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.tables.figures import say

_MOST_RANGES = 5
"""Where no width is said: the narrowest of 1, 2, 5, 10, ... with no more ranges than about this."""


def write_ranges(cell: Cell, frame: str, one: Derived, language: Language) -> tuple[Part, ...]:
    """Adds the column of ranges, each from its lower end up to, without, its upper one; gives what to say of them."""
    cell.use("pd")
    numbers, made = f"{frame}[{literal(one.columns[0])}]", f"{frame}[{literal(one.name)}]"
    none = say(
        language, f"There are no values of {one.columns[0]} here.", f"{one.columns[0]}に値がありません。"
    )
    cell.add(f"if {numbers}.isna().all():", f"    final_answer({literal(none)})")
    cell.gap()
    cell.add(f"smallest, largest = {numbers}.min(), {numbers}.max()")
    if one.width:
        cell.add(f"width = {one.width:g}")
    else:
        cell.add(
            f"whole = ({numbers}.dropna() % 1 == 0).all()",
            "widths = [size * 10**power for power in range(0 if whole else -3, 15) for size in (1, 2, 5)]",
            f"width = next(size for size in widths if (largest - smallest) / size <= {_MOST_RANGES})",
        )
    cell.add(
        "below, number = smallest // width, int(largest // width - smallest // width) + 1",
        "edges = [(below + place) * width for place in range(number + 1)]",
    )
    aged = one.width == 10 and concepts(one.columns[0])[:1] == ("age",)
    if aged:
        name = say(language, 'f"{edge:.0f}s"', 'f"{edge:.0f}代"')
    else:
        name = say(
            language,
            'f"{edge:,.10g} to under {edge + width:,.10g}"',
            'f"{edge:,.10g}以上{edge + width:,.10g}未満"',
        )
    cell.add(
        f"names = [{name} for edge in edges[:-1]]",
        f"{made} = pd.cut({numbers}, edges, right=False, labels=names)",
    )
    width = Value("width", ":,.10g")
    if language == "ja":
        return (f"{one.columns[0]}を", width, "ごとの範囲に分けました（下端を含み、上端は含みません）。")
    told = f"{one.columns[0]} was cut into ranges of "
    return (told, width, ", each with its lower end and without its upper one.")
