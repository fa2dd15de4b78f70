"""Data of a chat as its agents see it: tables, building, outline, and the files of a message."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.agents.analyst_files import ChatFiles, desk_catalogue, table_infos
from smoldesk.agents.builder_parts import BuilderParts
from smoldesk.agents.chat_outline import OutlineCache
from smoldesk.agents.database_tables import DatabaseTables
from smoldesk.agents.entries import INTERPRETER, AgentEntry
from smoldesk.agents.value_indexes import ValueIndexes
from smoldesk.buildings.building import Building
from smoldesk.stopping import StopFlag
from smoldesk.tables.folder_tables import ChatTables
from smoldesk.tables.shared_folders import KEY, SharedProfiles
from smoldesk.tables.table_profiles import SELECTED, table_files
from smoldesk.tools.datasets import Datasets

if TYPE_CHECKING:
    from smoldesk.agents.wrapper.sent_pictures import SentPictures
    from smoldesk.analyst.catalogue import Catalogue
    from smoldesk.tools.policy import DeskTool


class ChatData:
    """Reader of the chats' data; profiles and outlines are cached."""

    def __init__(self, parts: BuilderParts) -> None:
        self._parts = parts
        self._values = ValueIndexes()
        self._outlines = OutlineCache()
        self._databases = DatabaseTables(parts.databases, parts.profiles)
        self._shared_profiles = SharedProfiles(parts.shared, parts.profiles, parts.data_dir.cache)

    def catalogue(self, chat_id: str) -> "Catalogue":
        """Return the tables and the building of a chat; reads files that have no profile yet."""
        self._parts.folders.reading(chat_id)
        chat_files = self.files(chat_id, StopFlag())
        return desk_catalogue(self._parts.building_of(chat_id), Datasets.bundled(), chat_files)

    def of_selected_rows(self, chat_id: str, stop: StopFlag) -> "Catalogue":
        """Return a catalogue of the rows that a message selects, and of the building; they are stored by then."""
        folder = self._parts.data_dir.chat_folder(chat_id)
        profile = self._parts.profiles.of_files(chat_id, folder, [SELECTED], stop)[SELECTED]
        rows = [table.model_copy(update={"name": "selected rows"}) for table in profile.tables]
        catalogue = desk_catalogue(
            self._parts.building_of(chat_id), Datasets.bundled(), ChatFiles(uploaded=rows)
        )
        return replace(catalogue, tables=[table for table in catalogue.tables if table.file])

    def with_named_tables(
        self, building: Building, stop: StopFlag, catalogue: "Catalogue", texts: Sequence[str]
    ) -> "Catalogue":
        """Return a catalogue with the tables of databases that these texts name."""
        named = self._databases.named(texts, stop)
        tables = table_infos(named.shared, building, named.indexes, {table.file for table in named.shared})
        broken = {**catalogue.broken, **named.broken}
        return replace(catalogue, tables=[*catalogue.tables, *tables], broken=broken)

    def outline(
        self,
        entry: AgentEntry,
        chat_id: str,
        building: Building,
        tools: "Sequence[DeskTool]",
        stop: StopFlag,
    ) -> str:
        """Return the outline of the chat's tables and rooms, as far as the agent's tools reach them."""
        from smoldesk.tools.map import MapTool

        names = {tool.name for tool in tools}
        runs_code = entry.kind == "code" or entry.tools is None or INTERPRETER in entry.tools
        reads_tables = runs_code or "sql_engine" in names
        files = self.files(chat_id, stop) if reads_tables else ChatFiles()
        # a person's own agent was written for its files, not for the desk's tables
        datasets = Datasets.bundled() if reads_tables and entry.source is None else None
        has_map = any(isinstance(tool, MapTool) for tool in tools)
        hints = {
            "list_datasets": "list_datasets() has the bundled tables",
            "list_rooms": "list_rooms() has the rooms",
        }
        hint = "; ".join(
            [*(text for name, text in hints.items() if name in names), "SHOW TABLES in SQL lists all tables"]
        )
        return self._outlines.outline(
            files, building if has_map else None, datasets, "load_dataset" in names, f"{hint}."
        )

    def has_data(self, chat_id: str, building: Building) -> bool:
        """Return whether a chat has files, tables of shared folders, or a building of its own."""
        if building is not self._parts.building_of(None) or self._parts.uploads(chat_id):
            return True
        return bool(table_files(self._parts.data_dir.chat_folder(chat_id))) or not self._parts.shared.is_empty

    def pictures(self, chat_id: str, message: str, attachments: Sequence[str]) -> "SentPictures":
        """Return the pictures that came with a message or that it names."""
        from smoldesk.agents.wrapper.sent_pictures import SentPictures

        return SentPictures.of(
            self._parts.data_dir.chat_folder(chat_id), self.files_of_message(chat_id, message, attachments)
        )

    def files_of_message(self, chat_id: str, message: str, attachments: Sequence[str]) -> list[str]:
        """Return the uploads that came with a message, then those that it names."""
        uploads = self._parts.uploads(chat_id)
        attached = [name for name in attachments if name in uploads]
        return list(dict.fromkeys([*attached, *(name for name in sorted(uploads) if name in message)]))

    def forget(self, chat_id: str) -> None:
        """Drop the cached profiles and values of a chat."""
        self._parts.profiles.forget(chat_id)
        self._values.forget(chat_id)
        self._outlines.clear()

    def tables_of(self, folder: Path) -> ChatTables:
        datasets = Datasets.bundled()
        bundled = [datasets.path(name) for name in datasets.names()]
        return ChatTables(
            folder, self._parts.data_dir.cache, bundled, self._parts.shared, self._parts.folder_room
        )

    def files(self, chat_id: str, stop: StopFlag) -> ChatFiles:
        """Return the tables of a chat's folder, without copies of bundled datasets, and those of shared folders."""
        folder = self._parts.data_dir.chat_folder(chat_id)
        profiles = self._parts.profiles.files(chat_id, folder, stop)
        # most chats have no files: no read of the store or of the folder then
        counted = set(self.tables_of(folder).files()) if profiles else set[str]()
        uploads = self._parts.uploads(chat_id) if profiles else ()
        profiles = {name: profile for name, profile in profiles.items() if name in counted}
        uploaded = [
            table for name, profile in profiles.items() if name in uploads for table in profile.tables
        ]
        written = [
            table for name, profile in profiles.items() if name not in uploads for table in profile.tables
        ]
        broken = {
            name: " ".join(problem.line for problem in profile.problems)
            for name, profile in profiles.items()
            if profile.problems and not profile.tables
        }
        indexes = {
            table.load: partial(self._values.of, chat_id, folder, profile.tables, number)
            for profile in profiles.values()
            for number, table in enumerate(profile.tables)
        }
        shared_files, _ = self._parts.shared.split(counted)
        shared = self._shared_profiles.of(shared_files, stop)
        broken |= dict(self._parts.shared.objects.problems())
        broken |= {
            path: file.profile.problems[0].line
            for path, file in shared.items()
            if not file.profile.tables and file.profile.problems
        }
        indexes |= {
            table.load: partial(
                self._values.of, KEY, self._shared_profiles.scratch, file.profile.tables, number
            )
            for file in shared.values()
            for number, table in enumerate(file.profile.tables)
        }
        tables = [table for file in shared.values() for table in file.tables]
        return ChatFiles(uploaded, written, tables, broken, indexes)
