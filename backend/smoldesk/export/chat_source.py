"""Source of all documents: one chat as it was when the export started."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from sqlalchemy import Connection

from smoldesk.assets import DATA
from smoldesk.buildings.building import Building
from smoldesk.chats import Buildings, ChatInfo, StoredFile
from smoldesk.errors import BadInput, NotFound
from smoldesk.events import ChartChanged, ReadingKept, RunQueued, StoredEvent, VersionShown
from smoldesk.export.map_svg import MapState
from smoldesk.export.turns import LaterChoices, Turn, input_files, turns_of
from smoldesk.folders import checked_name
from smoldesk.store import buildings, chats, event_log, files, run_rows
from smoldesk.store.store import Store
from smoldesk.tools.datasets import Datasets

PICTURES = ("png", "jpg", "jpeg", "gif", "bmp", "webp", "svg")


@dataclass(frozen=True)
class InputFile:
    """File that code reads: its name in the chat's folder, its path (None if deleted) and its hash ("" if unknown)."""

    name: str
    path: Path | None
    size: int = 0
    sha256: str = ""


class ChatSource:
    """Snapshot of one chat up to a seq. Blocks on the database. Raises NotFound."""

    def __init__(self, store: Store, buildings: Buildings, chat_id: str) -> None:
        self._store = store
        self._buildings = buildings
        self.written_at = datetime.now(UTC)

        def read_chat(connection: Connection) -> tuple[ChatInfo, int, list[StoredFile]]:
            open_runs = len(run_rows.open_runs(connection, chat_id))
            return chats.get_chat(connection, chat_id), open_runs, files.all_files(connection, chat_id)

        self.chat, self.open_runs, stored_files = store.read(read_chat)
        self._files = {file.id: file for file in stored_files}
        self._captions: Counter[str] = Counter()

    @property
    def title(self) -> str:
        return self.chat.title or "Chat"

    def distinct(self, caption: str) -> str:
        """Return a caption that nothing else in the document of this source has: numbered from the second one on."""
        self._captions[caption] += 1
        number = self._captions[caption]
        return caption if number == 1 else f"{caption} ({number})"

    def events(self, types: Sequence[str] | None = None, run_id: str | None = None) -> Iterator[StoredEvent]:
        """Yield the events, or those of some types or of one run, with one page in memory at a time."""
        after = 0
        while page := self._store.events(self.chat.id, after, types=types, run_id=run_id):
            for stored in page:
                if stored.seq > self.chat.last_seq:
                    return
                yield stored
            after = page[-1].seq
        if after < self.chat.last_seq and types is None and run_id is None:
            raise chats.no_such_chat(self.chat.id)  # deleted during the export

    def turns(self) -> Iterator[Turn]:
        return turns_of(self.events(), self._choices)

    def shown_turns(self) -> Iterator[Turn]:
        """Yield the turns as the page shows them: of each turn's versions the shown one, in the place of the first."""
        others = {run for runs, _ in self._versions.values() for run in runs[1:]}
        for turn in self.turns():
            if turn.run_id in others:
                continue
            runs, shown = self._versions.get(turn.run_id, ([], turn.run_id))
            if shown != turn.run_id:
                [turn] = turns_of(self.events(run_id=shown), self._choices)
            if runs:
                place = f"Answer {runs.index(shown) + 1} of {len(runs)} to this message."
                turn.note = f"{place} {turn.note}".strip()
            yield turn

    @cached_property
    def _versions(self) -> dict[str, tuple[list[str], str]]:
        """Runs of each turn that was answered again, oldest first, and the shown one, by the first run."""
        first_runs: dict[str, str] = {}
        shown: dict[str, str] = {}
        for stored in self.events(["run_queued", "version_shown"]):
            if isinstance(stored.event, VersionShown):
                run_id = stored.event.run_id
            elif isinstance(stored.event, RunQueued) and stored.run_id is not None:
                run_id, first = stored.run_id, stored.event.version_of or stored.run_id
                first_runs[run_id] = first if first_runs.get(first) == first else run_id
            else:
                continue
            if (first := first_runs.get(run_id)) is not None:
                shown[first] = run_id
        groups: dict[str, list[str]] = defaultdict(list)
        for run, first in first_runs.items():
            groups[first].append(run)
        return {first: (runs, shown[first]) for first, runs in groups.items() if len(runs) > 1}

    @cached_property
    def _choices(self) -> LaterChoices:
        """Readings that persons kept, and changes of charts."""

        def read_choices(connection: Connection) -> LaterChoices:
            types = ["reading_kept", "chart_changed"]
            events = list(event_log.events_up_to(connection, self.chat.id, types, self.chat.last_seq))
            kept = {event.run_id: event.index for event in events if isinstance(event, ReadingKept)}
            changes = [event for event in events if isinstance(event, ChartChanged)]
            charts = {change.spec_id: change.chart for change in changes}
            return LaterChoices(
                kept, charts, {each.code_seq: each.code.content for each in changes if each.code}
            )

        return self._store.read(read_choices)

    def empty_map(self, seq: int) -> MapState:
        """Return the map without drawings, of the building that the chat showed at `seq`."""
        building = self._buildings.at(self.chat.id, seq)
        return MapState(building, self._floor_images(building))

    def _floor_images(self, building: Building) -> dict[str, Path]:
        """Return the images of a building's floors by name."""
        building_id = building.definition.building_id
        if building_id is None:
            return {floor.floor_image: DATA / "floors" / floor.floor_image for floor in building.floors}
        try:
            images = self._store.read(lambda connection: buildings.images_of(connection, building_id))
        except NotFound:  # deleted during the export
            return {}
        return {name: self._store.files.fetch(image.file_id) for name, image in images.items()}

    def path(self, file_id: str) -> Path | None:
        """Return the path of a file of this chat; None for another chat's file or a deleted one."""
        if file_id not in self._files:
            return None
        path = self._store.files.fetch(file_id)
        return path if path.is_file() else None

    @cached_property
    def inputs(self) -> list[InputFile]:
        """Files that people added to the chat, and the bundled tables that its code names."""
        inputs = [(name, self.path(file.file_id)) for name, file in input_files(self.events()).items()]
        named = {
            name for turn in self.turns() for step in turn.steps for name in _datasets_in(step.code or "")
        }
        datasets = Datasets.bundled()
        inputs += [(f"{name}.csv", datasets.path(name)) for name in sorted(named)]
        return [hashed(name, path) for name, path in dict(inputs).items() if _is_plain(name)]


def _is_plain(name: str) -> bool:
    """Check whether a file of this name may be written beside a notebook."""
    try:
        return checked_name(name) == name
    except BadInput:
        return False


def _datasets_in(code: str) -> Iterator[str]:
    """Yield the bundled tables that code loads or names in SQL."""
    if "load_dataset" in code or "sql" in code:
        identifiers = {word.lower() for word in re.findall(r"\w+", code)}
        yield from (name for name in Datasets.bundled().names() if name.lower() in identifiers)


def hashed(name: str, path: Path | None) -> InputFile:
    """Return an input file with the size and hash of its bytes."""
    if path is None:
        return InputFile(name, None)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return InputFile(name, path, file.tell(), digest)
