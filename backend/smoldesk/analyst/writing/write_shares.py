"""Code for a share: what part of the rows meets a condition, and how blanks were counted."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.tables.figures import (
    condition,
    figure_name,
    titled,
    where,
)
from smoldesk.analyst.writing.row_tests import test
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_cells import answer_yes_or_no


def write_share(sheet: Sheet) -> None:
    """The share of all rows, blanks among them; how it would be without blanks is told when there are any."""
    target = sheet.intent.target
    if target is None:
        raise ValueError("a share without groups needs a condition")
    if sheet.intent.measures:
        _share_of_total(sheet, test(sheet.rows, target, sheet.table))
        return
    answer_yes_or_no(sheet)
    sheet.cell.add(
        f"hits = ({test(sheet.rows, target, sheet.table)}).sum()",
        f"share = 100 * hits / len({sheet.rows})",
    )
    if target.part not in ("blank", "any"):
        blank_note(sheet, target.column)
    name = figure_name(sheet.intent, sheet.table, sheet.language, "share")
    inside = where(sheet.intent.filters, sheet.language)
    total, hits, share = Value(f"len({sheet.rows})", ":,"), Value("hits", ":,"), Value("share", ":.1f")
    if sheet.language == "ja":
        sentence = fstring(f"{name}{inside}: ", share, " %（", total, "行中", hits, "行）")
    else:
        sentence = fstring(f"{titled(name)}{inside}: ", share, " % (", hits, " of ", total, " rows).")
    if sheet.intent.plot:
        sheet.cell.use("plt")
        labels = literal(sheet.say("the others", "その他"))
        sheet.cell.gap()
        sheet.cell.add(
            "fig, ax = plt.subplots()",
            f"parts, labels = [hits, len({sheet.rows}) - hits], [{literal(condition(target))}, {labels}]",
            'ax.pie(parts, labels=labels, autopct="%.1f%%")',
            f"ax.set_title({literal(titled(name) + inside)})",
        )
    sheet.answer(sentence)


def _share_of_total(sheet: Sheet, hit: str) -> None:
    """What part of a column's sum the rows that meet the condition hold."""
    values = sheet.column(sheet.intent.measures[0])
    sheet.cell.add(
        f"part, total = {values}[{hit}].sum(), {values}.sum()",
        "share = 100 * part / total",
    )
    name = figure_name(sheet.intent, sheet.table, sheet.language, "share")
    inside = where(sheet.intent.filters, sheet.language)
    part, total, share = Value("part", SHOWN), Value("total", SHOWN), Value("share", ":.1f")
    sheet.note(
        sheet.say(
            "It is a part of the total, not of the number of rows.", "行数ではなく合計に占める割合です。"
        )
    )
    if sheet.language == "ja":
        sentence = fstring(f"{name}{inside}: ", share, " %（合計", total, "のうち", part, "）")
    else:
        sentence = fstring(f"{titled(name)}{inside}: ", share, " % (", part, " of ", total, ").")
    sheet.answer(sentence)


def blank_note(sheet: Sheet, column: str) -> None:
    """Notes the blank cells of the column that a share is about: they are in the total, and what it is without them."""
    groups = bool(sheet.groups)
    sheet.cell.add(f"blanks = {sheet.column(column)}.isna().sum()")
    blanks = Value("blanks", ":,")
    without = () if groups else (Value(f"100 * hits / max(1, len({sheet.rows}) - blanks)", ":.1f"),)
    if sheet.language == "ja":
        tail = ("。",) if groups else ("（空白を除くと", *without, " %）。")
        sheet.note(f"{column}が空白の", blanks, "行は全体に含めています", *tail, when="blanks")
    else:
        tail = (".",) if groups else ("; without them it is ", *without, " %.")
        sheet.note(blanks, f" blank cells of {column} are counted in the total", *tail, when="blanks")
