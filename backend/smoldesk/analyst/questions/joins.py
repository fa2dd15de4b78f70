"""Two tables of a chat joined where one column says the same in both: which column that is, and the code."""

import ast
from dataclasses import replace

from smoldesk.analyst.cell import literal, variable
from smoldesk.analyst.intents import DataIntent, Join
from smoldesk.analyst.questions.derived import with_derived
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.tables.durations import with_duration
from smoldesk.analyst.words.text import inflections, key


def shared_columns(left: TableInfo, right: TableInfo) -> list[tuple[str, str]]:
    """Pairs of columns by which rows may belong together, the evident ones only: ids where there are any."""
    pairs = [
        (one, other)
        for one in left.columns
        for other in right.columns
        if _same_name(one.name, other.name, left, right) and _may_agree(one, other)
    ]
    ids = [(one, other) for one, other in pairs if one.is_id or other.is_id]
    return [(one.name, other.name) for one, other in ids or pairs]


def _same_name(one: str, other: str, left: TableInfo, right: TableInfo) -> bool:
    return bool(_spellings(one, left) & _spellings(other, right))


def _spellings(column: str, table: TableInfo) -> set[str]:
    """A name without spaces and case; the `id` of a table called customers is a customer id as well."""
    folded = key(column).replace(" ", "")
    nouns = inflections(key(table.name).split(" ")[-1])
    return {folded, *(noun + folded for noun in nouns)} if folded == "id" else {folded}


def _may_agree(one: ColumnInfo, other: ColumnInfo) -> bool:
    """True unless what is known of the two says otherwise: other kinds, no value in common, mere figures."""
    if one.kind != other.kind or one.kind == "bool" or one.is_flag or other.is_flag:
        return False
    if one.values and other.values and not set(one.values) & set(other.values):
        return False
    named = one.is_id or other.is_id
    return named or one.kind != "number" or bool(one.values and other.values)


def joined_table(join: Join, catalogue: Catalogue) -> TableInfo:
    """The two tables as one, with the code that loads and joins them; its last statement assigns `joined`."""
    left, right = catalogue.table(join.left), catalogue.table(join.right)
    names = frames(join)
    columns = [*left.columns]
    taken = {column.name for column in columns}
    for column in right.columns:
        if column.name == join.right_key:
            if join.right_key not in taken:
                columns.append(column)
            continue
        new = f"{column.name} ({right.name})" if column.name in taken else column.name
        columns.append(replace(column, name=new))
    on = f"left_on={literal(join.left_key)}, right_on={literal(join.right_key)}"
    if join.left_key == join.right_key:
        on = f"on={literal(join.left_key)}"
    suffixes = f'suffixes=("", {literal(f" ({right.name})")})'
    load = [*_assigned(left.load, names[0]), *_assigned(right.load, names[1])]
    load.append(f"joined = {names[0]}.merge({names[1]}, {on}, {suffixes})")
    return TableInfo(joined_name(join), columns, left.rows, "\n".join(load))


def joined_name(join: Join) -> str:
    """What the two tables are called together."""
    return f"{join.left} + {join.right}"


def frames(join: Join) -> tuple[str, str]:
    """The variables that hold the two tables."""
    one, other = (
        variable(name.rsplit(".", 1)[0], place)
        for name, place in ((join.left, "left"), (join.right, "right"))
    )
    return (one, other) if one != other else ("left", "right")


def _assigned(load: str, name: str) -> list[str]:
    """The lines that load a table into a variable of that name."""
    try:
        tree = ast.parse(load)
    except (SyntaxError, ValueError):
        tree = ast.Module([], [])
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        own = last.targets[0].id
        return [*load.splitlines(), *([] if own == name else [f"{name} = {own}"])]
    return [f"{name} = {load}"]


def table_of(intent: DataIntent, catalogue: Catalogue) -> TableInfo:
    """The table an intent is about, joined where it speaks of two."""
    table = joined_table(intent.joined, catalogue) if intent.joined else catalogue.table(intent.table)
    conditions = [*intent.filters, *intent.sides, *([intent.target] if intent.target else [])]
    used = {*intent.measures, *intent.groups, *(name for one in conditions for name in one.columns)}
    used |= {name for one in intent.derived for name in one.columns}
    made = {one.name for one in intent.derived}
    if not intent.joined and not used <= made | {column.name for column in table.columns}:
        table = with_duration(table)  # it speaks of the days between two dates
    return with_derived(table, intent.derived)
