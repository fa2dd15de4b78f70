"""Numbers and dates that a file holds as text are made numbers and dates before anything is computed."""

from backend.builtin.catalogue import ColumnInfo, TableInfo
from backend.builtin.cell import Cell, literal
from backend.builtin.intents import DataIntent


def used_columns(intent: DataIntent, table: TableInfo) -> list[ColumnInfo]:
    """The columns that the code of an intent computes with; all of them where none is named."""
    names = [*intent.measures, *intent.groups, *(one.column for one in intent.filters), intent.date]
    names += [intent.target.column] if intent.target else []
    overview = intent.operation in ("describe", "correlation") and not intent.measures
    return [
        column for column in table.columns if column.name in names or (overview and column.kind == "number")
    ]


def clean(cell: Cell, frame: str, intent: DataIntent, table: TableInfo) -> None:
    """The lines that turn the written columns of an intent into numbers and dates."""
    for column in used_columns(intent, table):
        name = f"{frame}[{literal(column.name)}]"
        if column.kind == "number" and column.form:
            cell.use("pd")
            digits = f'{name}.astype(str).str.replace(r"[^\\d.\\-]", "", regex=True)'
            cell.add(f'{name} = pd.to_numeric({digits}, errors="coerce")  # written as text: "1,234", "12%"')
        elif column.kind == "date":
            cell.use("pd")
            if column.form == "wareki":
                _eras(cell, name)
            else:
                how = f", format={literal(column.form)}" if column.form else ""
                cell.add(f"{name} = pd.to_datetime({name}{how})")


def _eras(cell: Cell, name: str) -> None:
    """Japanese eras: 令和6年6月22日 is 2024-06-22."""
    cell.add(
        f'parts = {name}.astype(str).str.replace("元年", "1年").str.extract(r"(令和|平成|昭和)(\\d+)年(\\d+)月(\\d+)日")',
        'year = parts[0].map({"令和": 2018, "平成": 1988, "昭和": 1925}) + parts[1].astype(float)',
        f"{name} = pd.to_datetime(dict(year=year, month=parts[2].astype(float), day=parts[3].astype(float)))",
    )
