"""Catalogue of the built-in analyst in a chat: the chat's tables, the bundled ones, and the building."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.agents.room_columns import as_rooms, may_have_rooms
from smoldesk.buildings.building import Building
from smoldesk.tables.models import Column, TableProfile
from smoldesk.tables.table_profiles import named_apart
from smoldesk.tools.datasets import Datasets

if TYPE_CHECKING:
    from smoldesk.analyst.catalogue import Catalogue, TableInfo, ValueIndex


@dataclass(frozen=True)
class ChatFiles:
    """Tables of a chat: uploaded, written by code, and of shared folders; `broken` has the reason why a file has no table.

    `indexes` return the values of a table's columns, by the expression that loads it.
    """

    uploaded: Sequence[TableProfile] = ()
    written: Sequence[TableProfile] = ()
    shared: Sequence[TableProfile] = ()
    broken: Mapping[str, str] = field(default_factory=dict[str, str])
    indexes: "Mapping[str, Callable[[], ValueIndex]]" = field(
        default_factory=dict[str, "Callable[[], ValueIndex]"]
    )


def _have_blanks(profile: TableProfile) -> list[bool]:
    """Return for each column whether cells may be blank; true if they were not all counted or are not read as they are."""
    preview = profile.preview
    counted = [] if preview is None or preview.sampled else [column.blank for column in preview.columns]
    # Other forms are converted cell by cell, and what does not fit becomes blank.
    strict = [column.form in ("", "spaces") or column.form.startswith("%") for column in profile.columns]
    certain = [not blank and exact for blank, exact in zip(counted, strict, strict=False)]
    return [not complete for complete in certain] + [True] * (len(profile.columns) - len(certain))


def table_infos(
    profiles: Sequence[TableProfile],
    building: Building,
    indexes: "Mapping[str, Callable[[], ValueIndex]]",
    chat_file_names: Collection[str],
) -> "list[TableInfo]":
    """Return the analyst's descriptions of tables; those of other files than these were written by code."""
    from smoldesk.analyst.catalogue import ColumnInfo, TableInfo

    return [
        TableInfo(
            name=profile.name,
            columns=[
                as_rooms(
                    ColumnInfo(
                        column.name,
                        column.kind,
                        column.values,
                        column.form,
                        tuple(column.span),
                        column.role,
                        blank,
                        column.step,
                        column.whole,
                        tuple(column.traits),
                        dict(column.explained),
                        column.latest,
                        tuple(column.divisions),
                    ),
                    _numbers(column, indexes.get(profile.load)),
                    building.places,
                )
                for column, blank in zip(profile.columns, _have_blanks(profile), strict=True)
            ],
            rows=profile.rows,
            load=profile.load,
            total_rows=profile.total_rows,
            load_with_totals=profile.load_with_totals,
            file=profile.file,
            produced=profile.file not in chat_file_names,
            index=indexes.get(profile.load),
        )
        for profile in profiles
    ]


def desk_catalogue(building: Building, datasets: Datasets, chat_files: ChatFiles) -> "Catalogue":
    """Return the analyst's catalogue: the chat's own tables, the bundled ones and the building.

    As in SQL, an uploaded or shared table hides a bundled one of its name; a table that code wrote does not.
    """
    from smoldesk.analyst.catalogue import Catalogue, ColumnInfo, TableInfo

    chat_file_names = {table.file for table in [*chat_files.uploaded, *chat_files.shared]}
    chat_table_names = {table.name.casefold() for table in [*chat_files.uploaded, *chat_files.shared]}
    bundled = [name for name in datasets.names() if name.casefold() not in chat_table_names]
    written = [t for t in chat_files.written if t.name not in bundled and Path(t.file).stem not in bundled]
    tables = table_infos(
        named_apart([*chat_files.uploaded, *written, *chat_files.shared]),
        building,
        chat_files.indexes,
        chat_file_names,
    )
    tables += [
        TableInfo(
            name=name,
            columns=[
                ColumnInfo(
                    column,
                    kind,
                    _few(datasets.sample_values(name, column)),
                    has_blanks=datasets.missing_count(name, column) > 0,
                )
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
        bitmaps=building.bitmap_ids,
        current_floor=building.floors[0].floor_id,
        bounds={
            floor: (bounds.left, bounds.top, bounds.right, bounds.bottom)
            for floor in building.floor_ids()
            for bounds in [building.bounds(floor)]
        },
        broken=dict(chat_files.broken),
        places=building.places,
    )


def _numbers(column: Column, index: "Callable[[], ValueIndex] | None") -> Sequence[str]:
    """Return the distinct values of a column of numbers that may be rooms."""
    if column.kind != "number" or not may_have_rooms(column.name):
        return ()
    return column.values or (index().get(column.name, ()) if index else ())


# A column with more distinct values is no category: its values are not listed in the catalogue.
MAX_VALUES = 40


def _few(values: list[str]) -> list[str]:
    return values if len(values) <= MAX_VALUES else []
