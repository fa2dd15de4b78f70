"""What the built-in analyst may talk about in a chat: its own files, the bundled tables, and the building."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.buildings.building import Building
from smoldesk.tables.inside.shapes import quoted
from smoldesk.tables.models import FileProfile, TableProfile
from smoldesk.tables.table_profiles import named_apart
from smoldesk.tools.datasets import Datasets

if TYPE_CHECKING:
    from smoldesk.analyst.catalogue import Catalogue, ValueIndex


@dataclass(frozen=True)
class ChatFiles:
    """What is known of a chat's files: tables a person gave, tables code wrote, those of shared folders, and why others
    could not be read.

    `indexes` give the values of a table's columns by the expression that loads it.
    """

    uploaded: Sequence[TableProfile] = ()
    written: Sequence[TableProfile] = ()
    shared: Sequence[TableProfile] = ()
    broken: Mapping[str, str] = field(default_factory=dict[str, str])
    indexes: "Mapping[str, Callable[[], ValueIndex]]" = field(
        default_factory=dict[str, "Callable[[], ValueIndex]"]
    )


def desk_catalogue(building: Building, datasets: Datasets, chat_files: ChatFiles) -> "Catalogue":
    """What the built-in analyst may talk about: the chat's own tables, the bundled ones and the building.

    As in SQL, a table a person gave stands before a bundled one of its name, and so does a shared one; one that code wrote
    does not.
    """
    from smoldesk.analyst.catalogue import Catalogue, ColumnInfo, TableInfo

    chat_file_names = {table.file for table in [*chat_files.uploaded, *chat_files.shared]}
    chat_table_names = {table.name.casefold() for table in [*chat_files.uploaded, *chat_files.shared]}
    bundled = [name for name in datasets.names() if name.casefold() not in chat_table_names]
    written = [t for t in chat_files.written if t.name not in bundled and Path(t.file).stem not in bundled]
    tables = [
        TableInfo(
            name=profile.name,
            columns=[
                ColumnInfo(column.name, column.kind, column.values, column.form, tuple(column.span))
                for column in profile.columns
            ],
            rows=profile.rows,
            load=profile.load,
            file=profile.file,
            produced=profile.file not in chat_file_names,
            index=chat_files.indexes.get(profile.load),
        )
        for profile in named_apart([*chat_files.uploaded, *written, *chat_files.shared])
    ]
    tables += [
        TableInfo(
            name=name,
            columns=[
                ColumnInfo(column, kind, _few(datasets.sample_values(name, column)))
                for column, kind in datasets.schema(name)
            ],
            rows=datasets.row_count(name),
            load=f"load_dataset({name!r})",
        )
        for name in bundled
    ]
    return Catalogue(
        tables=tables,
        rooms={floor.floor_id: [room.name for room in floor.rectangles] for floor in building.floors},
        floor_names={floor.floor_id: floor.floor_name for floor in building.floors},
        bitmaps=building.bitmap_ids(),
        current_floor=building.floors[0].floor_id,
        bounds={
            floor: (bounds.left, bounds.top, bounds.right, bounds.bottom)
            for floor in building.floor_ids()
            for bounds in [building.bounds(floor)]
        },
        broken=dict(chat_files.broken),
    )


# Characters of what a model is told about the reading of files.
MOST_NOTED = 4_000
_PLAIN = re.compile(r'pd\.read_\w+\("[^"]*"\)')


def reading_notes(files: Mapping[str, FileProfile]) -> list[str]:
    """How code is to load the files that pandas would not read right by itself, a note for each."""
    notes: list[str] = []
    for name, profile in files.items():
        odd = [table for table in profile.tables if not _PLAIN.fullmatch(table.load)]
        if odd:
            loads = "; ".join(f"{quoted(table.name)}: {table.load}" for table in odd)
            notes.append(f"{name} is read by {odd[0].load if len(profile.tables) == 1 else loads}")
        remaining_characters = MOST_NOTED - sum(map(len, notes))
        if remaining_characters < 0:
            return notes[:-1]
    return notes


# A column with more distinct values than this has no values worth naming one by one.
MOST_VALUES = 40


def _few(values: list[str]) -> list[str]:
    return values if len(values) <= MOST_VALUES else []
