"""Code that loads a table and converts its text columns to numbers and dates."""

import ast
from collections.abc import Collection, Iterator

from smoldesk.analyst.catalogue import (
    COMMA,
    MIXED,
    MIXED_ERAS,
    QUARTER,
    ROOM_NUMBERS,
    WEEKDAY,
    ColumnInfo,
    TableInfo,
)
from smoldesk.analyst.cell import literal

_ERAS = '{"令和": 2018, "平成": 1988, "昭和": 1925, "R": 2018, "H": 1988, "S": 1925}'
# From this size on only the required columns are loaded.
LARGE_ROWS = 1_000_000
_COLUMN_PARAMETERS = {"pd.read_csv": "usecols", "pd.read_parquet": "columns"}


def load_lines(table: TableInfo, needed: Collection[str] | None = None) -> list[str]:
    """Return lines that load the table into `data`; a large one with only its `needed` columns, if the reader supports it."""
    tree = ast.parse(table.load)
    read = tree.body[0].value if isinstance(tree.body[0], ast.Expr) else None
    # A chained call like read().assign() has no such parameter.
    parameter = _COLUMN_PARAMETERS.get(ast.unparse(read.func)) if isinstance(read, ast.Call) else None
    if needed is not None and parameter and f"{parameter}=" not in table.load and table.rows >= LARGE_ROWS:
        names = [column.name for column in table.columns if column.name in needed] or [table.columns[0].name]
        # pandas renames duplicate headers to `name.1`; usecols does not find these.
        if not any("." in name and name[-1].isdigit() for name in names):
            return [f"data = {table.load[:-1]}, {parameter}=[{', '.join(map(literal, names))}])"]
    lines = [line for line in table.load.splitlines() if line != "import pandas as pd"]
    if len(tree.body) == 1 and read is not None:
        return [f"data = {table.load}"]
    last = tree.body[-1]
    name = ast.unparse(last.targets[0]) if isinstance(last, ast.Assign) else "data"
    return [*lines, *([] if name == "data" else [f"data = {name}"])]


def clean_lines(column: ColumnInfo) -> Iterator[str]:
    """Yield lines that convert a column to its intended type."""
    name = f"data[{literal(column.name)}]"
    form = column.form
    if column.kind == "text" and form == "spaces":
        yield f"{name} = {name}.str.strip()"
    elif form == ROOM_NUMBERS:
        yield f'{name} = {name}.astype("Int64").astype("string")'
    elif column.kind == "number" and form:
        text = f'{name}.astype("string").str.normalize("NFKC")'
        digits = f'{text}.str.replace(r"[^\\d{"," if form == COMMA else "."}\\-]", "", regex=True)'
        digits += '.str.replace(",", ".")' if form == COMMA else ""
        yield f'{name} = pd.to_numeric({digits}, errors="coerce").astype(float)'
    elif column.kind != "date":
        return
    elif form in ("wareki", MIXED, MIXED_ERAS):
        if form != MIXED:
            yield f"eras = {_ERAS}"
            year = 'lambda era: f"{eras[era[1]] + int(era[2])}{era[3]}"'
            yield (
                f'{name} = {name}.str.strip().str.replace("元年", "1年").str.replace(r"^(令和|'
                f'平成|昭和|[RHS])\\.?(\\d+)([年./-])", {year}, regex=True)'
            )
        days = f"{name}.str.strip()" if form == MIXED else name
        days += '.str.replace(r"[年月/.]", "-", regex=True).str.replace("日", "")'
        yield f'{name} = pd.to_datetime({days}, format="mixed", errors="coerce")'
    elif form == QUARTER:
        year, part = f'{name}.str.extract(r"(\\d{{4}})")[0]', f'{name}.str.extract(r"[Q第]([1-4])")[0]'
        yield f'{name} = pd.PeriodIndex({year} + "Q" + {part}, freq="Q").to_timestamp()'
    else:
        without = '.str.replace(r" ?[(（].[^)）]*[)）]", "", regex=True)' if form.endswith(WEEKDAY) else ""
        without += ".astype(str)" if form in ("%Y%m", "%Y%m%d") else ""  # integers
        read_as = f", format={literal(form.removesuffix(WEEKDAY))}" if form else ""
        yield f"{name} = pd.to_datetime({name}{without}{read_as})"
