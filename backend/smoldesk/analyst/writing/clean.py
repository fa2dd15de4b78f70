"""Numbers and dates that a file holds as text are made numbers and dates before anything is computed.

What was done is told below the answer, in figures that the code itself computes.
"""

from collections.abc import Iterator

from smoldesk.analyst.cell import (
    Cell,
    Part,
    Value,
    literal,
)
from smoldesk.analyst.intents import DataIntent, Filter, Language
from smoldesk.analyst.tables.catalogue import (
    COMMA,
    ISO_DAYS,
    MIXED,
    MIXED_ERAS,
    QUARTER,
    WEEKDAY,
    YEARLESS,
    ColumnInfo,
    TableInfo,
)
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.tables.figures import say
from smoldesk.analyst.writing.row_tests import as_written, is_word_of_numbers

_ERA_PARTS = 'r"(令和|平成|昭和|R|H|S)\\.?(\\d+)[年./-](\\d+)[月./-](\\d+)"'
_ERAS = '{"令和": 2018, "平成": 1988, "昭和": 1925, "R": 2018, "H": 1988, "S": 1925}'
Note = tuple[tuple[Part, ...], str]
"""The parts of a sentence, and the expression of the code that must hold for it to be said ("" for always)."""


def used_columns(intent: DataIntent, table: TableInfo) -> list[ColumnInfo]:
    """The columns that the code of an intent computes with; all of them where none is named."""
    filters = [*intent.filters, *intent.sides, *([intent.target] if intent.target else [])]
    names = {
        *intent.measures,
        *intent.groups,
        *(name for one in filters for name in one.columns),
        intent.date,
    }
    names |= {name for one in intent.derived for name in one.columns}
    names |= {each for one in table.columns if is_duration(one) and one.name in names for each in one.span}
    overview = intent.operation in ("describe", "correlation", "pairs") and not intent.measures
    overview = overview or (
        intent.operation == "correlation" and len(intent.measures) == 1
    )  # with all others
    return [
        column
        for column in table.columns
        if column.name in names or (overview and column.kind == "number" and not is_duration(column))
    ]


def clean(cell: Cell, frame: str, intent: DataIntent, table: TableInfo, language: Language) -> Iterator[Note]:
    """Adds the lines that turn the written columns of an intent into numbers and dates; yields what to say of it."""
    place = 0
    for column in used_columns(intent, table):
        name = f"{frame}[{literal(column.name)}]"
        if is_duration(column):
            start, end = (f"{frame}[{literal(each)}]" for each in column.span)
            cell.add(f"{name} = ({end} - {start}).dt.total_seconds() / 86400  # days")
            continue
        iso = column.kind == "date" and column.form == ISO_DAYS
        written = column.form and column.kind in ("number", "date") and not iso
        mark = str(place) if place else ""
        place += bool(written)
        if written:
            cell.use("pd")
            cell.add(f"written{mark} = {name}.dropna().astype(str)")
        if column.kind == "text" and column.form == "spaces":
            cell.add(f"{name} = {name}.map(lambda text: text.strip() if isinstance(text, str) else text)")
            yield (
                (
                    say(
                        language,
                        f"Spaces around the values of {column.name} were ignored.",
                        f"{column.name}の値の前後の空白は無視しました。",
                    ),
                ),
                "",
            )
        if column.kind == "number" and column.form:
            if any(
                is_word_of_numbers(leaf, table) and leaf.column == column.name for leaf in _leaves(intent)
            ):
                kept = f"{frame}[{literal(as_written(column.name))}]"
                cell.add(f"{kept} = {name}.astype(str).str.strip()")
            cell.add(f'written{mark} = written{mark}.str.normalize("NFKC")')
            digits = f'written{mark}.str.replace(r"[^\\d.\\-]", "", regex=True)'
            if column.form == COMMA:
                digits = f'written{mark}.str.replace(r"[^\\d,\\-]", "", regex=True).str.replace(",", ".")'
            example = '"1.234,50"' if column.form == COMMA else '"1,234", "12%"'
            cell.add(f'{name} = pd.to_numeric({digits}, errors="coerce")  # {example}')
            yield from _number_notes(cell, column, name, mark, language)
        elif column.form == "wareki":
            _eras(cell, name)
            yield _date_note(cell, column.name, name, mark, language)
        elif column.form == QUARTER:
            year, part = f'{name}.str.extract(r"(\\d{{4}})")[0]', f'{name}.str.extract(r"[Q第]([1-4])")[0]'
            cell.add(f'{name} = pd.PeriodIndex({year} + "Q" + {part}, freq="Q").to_timestamp()')
            yield _date_note(cell, column.name, name, mark, language)
        elif column.form in (MIXED, MIXED_ERAS):
            if column.form == MIXED_ERAS:
                _western(cell, name)
            days = f'{name}.str.strip().str.replace(r"[年月/.]", "-", regex=True).str.replace("日", "")'
            cell.add(
                f'{name} = pd.to_datetime({days}, format="mixed")  # none of them can be read in two ways'
            )
            yield _date_note(cell, column.name, name, mark, language)
        elif column.kind == "date" and column.form.endswith(WEEKDAY):
            days = f'{name}.str.replace(r" ?[(（].[^)）]*[)）]", "", regex=True)'
            cell.add(f"{name} = pd.to_datetime({days}, format={literal(column.form.removesuffix(WEEKDAY))})")
            yield _date_note(cell, column.name, name, mark, language)
        elif column.kind == "date" and column.form == YEARLESS:
            cell.add(f"{name} = pd.to_datetime({name}, format={literal(column.form)})")
            yield (
                (
                    say(
                        language,
                        f"{column.name} says no year; all days were read as those of one year.",
                        f"{column.name}には年がないため、すべて同じ年の日付として読みました。",
                    ),
                ),
                "",
            )
        elif column.is_clock and _read_as_time(intent, column.name):
            cell.use("pd")
            cell.add(f"{name} = pd.to_datetime({name}, format={literal(column.form)})")
        elif column.kind == "date" and column.form and not iso:
            cell.add(f"{name} = pd.to_datetime({name}, format={literal(column.form)})")
            yield _date_note(cell, column.name, name, mark, language)
        elif column.kind == "date":
            cell.use("pd")
            cell.add(f"{name} = pd.to_datetime({name})")


def _leaves(intent: DataIntent) -> Iterator[Filter]:
    """Every plain condition of an intent."""
    for one in (*intent.filters, *intent.sides, *([intent.target] if intent.target else [])):
        yield from one.leaves


def _read_as_time(intent: DataIntent, name: str) -> bool:
    """Whether times of day are compared or grouped by their hour, and not taken as the texts they are."""
    return intent.date == name or any(
        each.column == name and each.part for one in intent.filters for each in one.leaves
    )


def _number_notes(cell: Cell, column: ColumnInfo, name: str, mark: str, language: Language) -> Iterator[Note]:
    called, comma = column.name, column.form == COMMA
    written, odd, unread = f"written{mark}", f"odd{mark}", f"unread{mark}"
    cell.add(
        f'{odd} = {written}[~{written}.str.fullmatch(r"-?\\d+(\\.\\d+)?") & {written}.str.contains(r"\\d")]',
        f"{unread} = len({written}) - {name}.count()",
    )
    example, lost = Value(f"{odd}.iloc[0]"), Value(unread, ":,")
    read, total = Value(f"len({written}) - {unread}", ":,"), Value(f"len({written})", ":,")
    if language == "ja":
        head = (f"{called}は「", example, "」のような文字だったため、")
        how = "件を、コンマを小数点とみて数値として読みました。" if comma else "件を数値として読みました。"
        yield (*head, total, "件中", read, how), f"len({odd})"
        yield (f"{called}の", lost, "件は数値として読めませんでした。"), unread
    else:
        head = (f'{called} was text such as "', example, '"; I read ')
        how = " as numbers with decimal commas." if comma else " as numbers."
        yield (*head, read, " of ", total, how), f"len({odd})"
        yield (lost, f" of {called} could not be read as numbers."), unread
    percent = say(language, f"In {called}, 12% counts as 12.", f"{called}の12%は12として扱います。")
    yield (percent,), f'{odd}.str.contains("[%％]").any()'


def _date_note(cell: Cell, called: str, name: str, mark: str, language: Language) -> Note:
    cell.add(f"read{mark} = {name}[written{mark}.index[0]].date()")
    example, read = Value(f"written{mark}.iloc[0]"), Value(f"read{mark}")
    if language == "ja":
        return (f"{called}は「", example, "」のような文字で、", read, "のように日付として読みました。"), ""
    return (f'{called} was text such as "', example, '", read as ', read, "."), ""


def _western(cell: Cell, name: str) -> None:
    """Years of eras among others: 令和3年4月15日 becomes 2021年4月15日."""
    year = 'lambda found: f"{eras[found[1]] + int(found[2])}{found[3]}"'
    cell.add(
        f"eras = {_ERAS}",
        f'{name} = {name}.str.strip().str.replace("元年", "1年")',
        f'{name} = {name}.str.replace(r"^(令和|平成|昭和|R|H|S)\\.?(\\d+)([年./-])", {year}, regex=True)',
    )


def _eras(cell: Cell, name: str) -> None:
    """Japanese eras: 令和6年6月22日 is 2024-06-22."""
    cell.add(
        f'parts = {name}.astype(str).str.replace("元年", "1年").str.extract({_ERA_PARTS})',
        f"eras = {_ERAS}",
        "year = parts[0].map(eras) + parts[1].astype(float)",
        f"{name} = pd.to_datetime(dict(year=year, month=parts[2].astype(float), day=parts[3].astype(float)))",
    )
