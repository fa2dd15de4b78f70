"""What is noted of a run as it begins: in words, which model and person are told, and as facts, which a page words itself."""

from collections.abc import Sequence

from smoldesk.errors import code_of
from smoldesk.messages import (
    ChartRange,
    ChartSelection,
    Note,
    NoteFacts,
    RoomRef,
    RowSelection,
    TableSelection,
)

# Columns that are named.
MOST_NAMES = 20
# Values of a range that are named.
MOST_VALUES = 12


def note_of_loss(reason: str) -> tuple[str, Note]:
    """That the chat's variables are gone, and why."""
    note = f"The variables of earlier code are gone ({reason}). Files are kept."
    return note, Note(code="variables_lost", facts=NoteFacts(reason=code_of(reason) or reason))


def note_of_rooms(rooms: Sequence[RoomRef]) -> tuple[str, Note]:
    """The rooms that are selected; the built-in analyst reads them back from the words."""
    named = ", ".join(f"{room.name} ({room.floor_id})" for room in rooms)
    return f"the person selected these rooms: {named}", Note(
        code="about_rooms", facts=NoteFacts(rooms=list(rooms))
    )


def note_of_rows(about: RowSelection) -> tuple[str, Note]:
    """The rows that a person pointed at in a chart or a table."""
    return _of_table(about) if isinstance(about, TableSelection) else _of_chart(about)


def _of_table(about: TableSelection) -> tuple[str, Note]:
    """How many rows and which columns, of the table as it lies or as the person sees it."""
    columns = _first(about.names or [], MOST_NAMES)
    view = about.view
    labels = [
        (view.sort, "sorted"),
        (view.filters, "filtered"),
        (view.search, f"searched for {view.search!r}"),
    ]
    view_text = ", ".join(label for is_so, label in labels if is_so)
    rows = f"rows {about.begin + 1} to {about.end}" + (
        f" as they see them ({view_text})" if view_text else ""
    )
    note = (
        f"the person selected {rows} and the columns {', '.join(columns)} of the table {about.name!r}; "
        "code has them as the DataFrame `table_selection`"
    )
    facts = NoteFacts(name=about.name, begin=about.begin + 1, end=about.end, columns=columns)
    return note, Note(code="about_table", facts=facts)


def _of_chart(about: ChartSelection) -> tuple[str, Note]:
    ranges = [
        range_.model_copy(update={"values": range_.values and _first(range_.values, MOST_VALUES)})
        for range_ in about.ranges
    ]
    parts = ", ".join(map(_describe_range, ranges))
    note = f"the person selected rows of the chart {about.name!r} ({parts}); code has them as the DataFrame `chart_selection`"
    return note, Note(code="about_chart", facts=NoteFacts(name=about.name, ranges=ranges))


def _describe_range(chart_range: ChartRange) -> str:
    """A range in words: a field with its ends, or its names."""
    if chart_range.values is not None:
        return f"{chart_range.field}: {', '.join(chart_range.values)}"
    ends = [
        f"{end:.6g}" if isinstance(end, float) else str(end) for end in (chart_range.from_, chart_range.to)
    ]
    return f"{chart_range.field} from {ends[0]} to {ends[1]}"


def _first(names: list[str], most: int) -> list[str]:
    return names if len(names) <= most else [*names[:most], "…"]
