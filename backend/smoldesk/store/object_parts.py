"""Unfinished uploads that any server can go on with: each piece that arrived is an object in a bucket, too."""

import contextlib
from pathlib import Path

from pydantic import ValidationError

from smoldesk.errors import Conflict, NotFound
from smoldesk.store.objects import ObjectFacts, Objects
from smoldesk.store.partial_files import PartialFile, PartialFiles, PartWriter, gone, is_part_id

UPLOADS = "uploads"
FACTS = "facts"
# Most bytes of an object.
PIECE = 8 << 20


class ObjectParts(PartialFiles):
    """Parts on this disk whose facts and pieces are in a bucket, too.

    A piece is named by its offset and written once: of two servers that go on from the same offset, one wins.
    """

    def __init__(self, folder: Path, objects: Objects) -> None:
        super().__init__(folder)
        self._objects = objects

    def begin(self, chat_id: str, name: str, length: int) -> PartialFile:
        part = super().begin(chat_id, name, length)
        try:
            self._send_facts(part.id)
        except BaseException:
            super().discard(part.id)
            raise
        return part

    def refresh(self, part_id: str) -> PartialFile:
        """Return a part with what other servers received of it. Raises NotFound, DeskError."""
        if is_part_id(part_id):
            try:
                self._download(part_id, self._objects.read(_key(part_id, FACTS)))
            except FileNotFoundError:  # another server discarded it
                super().discard(part_id)
        return self.find(part_id)

    def share(self, part_id: str, writer: PartWriter, start: int) -> None:
        """Send the bytes from `start` on. Raises Conflict if another server sent others; these are dropped here."""
        try:
            source = self.path(part_id).open("rb")
        except FileNotFoundError:  # its chat was deleted meanwhile
            raise gone() from None
        with source:
            for offset in range(start, writer.offset, PIECE):
                source.seek(offset)
                content = source.read(min(PIECE, writer.offset - offset))
                if self._objects.put_new(_key(part_id, f"{offset:020d}"), content) is None:
                    writer.cut(offset)
                    raise Conflict(
                        "Another server received other bytes of this upload.",
                        "Get its offset with HEAD, and continue from there.",
                        code="upload_busy",
                    )

    def place(self, part: PartialFile, name: str, stored_id: str) -> None:
        super().place(part, name, stored_id)
        self._send_facts(part.id)

    def finish(self, part: PartialFile, file_id: str) -> None:
        super().finish(part, file_id)
        if self._facts(part.id).exists():
            self._send_facts(part.id)
        self._objects.delete([piece.key for piece in self._pieces(part.id)])

    def discard(self, part_id: str) -> None:
        super().discard(part_id)
        self._objects.delete([facts.key for facts in self._objects.facts(f"{UPLOADS}/{part_id}")])

    def sweep(self, before: float) -> None:
        super().sweep(before)
        by_part: dict[str, list[ObjectFacts]] = {}
        for facts in self._objects.facts(UPLOADS):
            by_part.setdefault(facts.key.split("/")[1], []).append(facts)
        for found in by_part.values():
            if max(facts.changed for facts in found) < before:
                self._objects.delete([facts.key for facts in found])

    # --- of one part -------------------------------------------------------------------------------------------

    def _download(self, part_id: str, facts: bytes) -> None:
        """Store these facts here, and the pieces that this server lacks; send those that the bucket lacks."""
        with contextlib.suppress(ValidationError):
            part = PartialFile.read(facts)
            with contextlib.suppress(NotFound):
                if self.find(part_id).file_id:
                    return
            if not part.file_id and not self.path(part_id).exists():
                self.path(part_id).touch(0o600)
            self._save(part)
            if part.file_id:
                return
        # While a request of this server writes, it has all that came.
        with contextlib.suppress(Conflict), self.writing(part_id) as writer:
            end = 0
            for piece in self._pieces(part_id):
                offset = int(piece.key.rpartition("/")[2])
                end = offset + piece.size
                if offset <= writer.offset < end:
                    writer.cut(offset)
                    writer.write(self._objects.read(piece.key))
            self.share(part_id, writer, end)

    def _pieces(self, part_id: str) -> list[ObjectFacts]:
        """Return the facts of a part's pieces, in their order."""
        found = self._objects.facts(f"{UPLOADS}/{part_id}")
        return sorted(
            (facts for facts in found if not facts.key.endswith(FACTS)), key=lambda facts: facts.key
        )

    def _send_facts(self, part_id: str) -> None:
        self._objects.put(_key(part_id, FACTS), self._facts(part_id).read_bytes())


def _key(part_id: str, name: str) -> str:
    return f"{UPLOADS}/{part_id}/{name}"
