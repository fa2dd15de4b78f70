"""Notes of a run at its start: text for the model and the person, and facts from which a page writes its own text."""

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

# Maximum columns listed in a note.
MAX_NAMES = 20
# Maximum values of a range listed in a note.
MAX_VALUES = 12


def note_of_loss(reason: str) -> tuple[str, Note]:
    """Return the note that the chat's variables are gone, with the reason."""
    text = f"The variables of earlier code are gone ({reason}). Files are kept."
    return text, Note(code="variables_lost", facts=NoteFacts(reason=code_of(reason) or reason))


def note_of_rooms(rooms: Sequence[RoomRef]) -> tuple[str, Note]:
    """Return the note of the selected rooms. The built-in analyst parses its text."""
    named = ", ".join(f"{room.name} ({room.floor_id})" for room in rooms)
    return f"the person selected these rooms: {named}", Note(
        code="about_rooms", facts=NoteFacts(rooms=list(rooms))
    )


def note_of_rows(about: RowSelection) -> tuple[str, Note]:
    """Return the note of rows that a person selected in a chart or a table."""
    return _of_table(about) if isinstance(about, TableSelection) else _of_chart(about)


def _of_table(about: TableSelection) -> tuple[str, Note]:
    """Return the note of a table's rows: their number and columns, in the order of the table or of the person's view."""
    columns = _first(about.names or [], MAX_NAMES)
    view = about.view
    labels = [
        (view.sort, "sorted"),
        (view.filters, "filtered"),
        (view.search, f"searched for {view.search!r}"),
    ]
    view_text = ", ".join(label for is_so, label in labels if is_so)
    places = [f"{begin + 1} to {end}" for begin, end in about.all_ranges]
    rows = f"rows {', '.join(_first(places, MAX_NAMES))}"
    rows += f" as they see them ({view_text})" if view_text else ""
    text = (
        f"the person selected {rows} and the columns {', '.join(columns)} of the table {about.name!r}; "
        "code has them as the DataFrame `table_selection`"
    )
    facts = NoteFacts(name=about.name, begin=about.begin + 1, end=about.end, columns=columns)
    if about.ranges or view.filters or view.search:
        facts = facts.model_copy(update={"rows": about.row_count})
    return text, Note(code="about_table", facts=facts)


def _of_chart(about: ChartSelection) -> tuple[str, Note]:
    ranges = [
        range_.model_copy(update={"values": range_.values and _first(range_.values, MAX_VALUES)})
        for range_ in about.ranges
    ]
    parts = ", ".join(map(_describe_range, ranges))
    text = f"the person selected rows of the chart {about.name!r} ({parts}); code has them as the DataFrame `chart_selection`"
    return text, Note(code="about_chart", facts=NoteFacts(name=about.name, ranges=ranges))


def _describe_range(chart_range: ChartRange) -> str:
    """Return a range as text: a field with its ends, or its names."""
    if chart_range.values is not None:
        return f"{chart_range.field}: {', '.join(chart_range.values)}"
    ends = [
        f"{end:.6g}" if isinstance(end, float) else str(end) for end in (chart_range.from_, chart_range.to)
    ]
    return f"{chart_range.field} from {ends[0]} to {ends[1]}"


def _first(names: list[str], most: int) -> list[str]:
    return names if len(names) <= most else [*names[:most], "…"]
