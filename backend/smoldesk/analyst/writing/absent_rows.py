"""Which of several rows that are named by their ids are not there."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.reading.row_ids import is_row_id
from smoldesk.analyst.writing.sheet import Sheet


def tell_absent(sheet: Sheet) -> None:
    """Of several rows that are named by their ids, says which are not there; none is compared with nothing."""
    for one in sheet.intent.filters:
        if len(one.values) < 2 or one.part or one.options or one.comparison != "==":
            continue
        if not is_row_id(sheet.table.column(one.column), sheet.table):
            continue
        held = f"set({sheet.column(one.column)})"
        values = ", ".join(map(literal, one.values))
        form = Value("value", ":.15g" if isinstance(one.values[0], float) else "")
        sheet.cell.add(f'absent = " / ".join({fstring(form)} for value in [{values}] if value not in {held})')
        said = Value("absent")
        none = (
            (f"{sheet.table.name}に {one.column} = ", said, " の行はありません。")
            if sheet.language == "ja"
            else (f"No row of {sheet.table.name} has {one.column} = ", said, ".")
        )
        if sheet.intent.operation == "top":
            sheet.cell.add("if absent:", f"    final_answer({fstring(*none)})")
        else:
            sheet.note(*none, when="absent")
