"""Read-only folders of the operator in buckets, and the service by which code in jailed children reads them.

Credentials stay in this process. Code names an object by its URL, and the version that the listing had; a range of any
other content is refused.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from smoldesk.stopping import StopFlag
from smoldesk.store.objects import ObjectChanged, ObjectFacts, StoreUnavailable
from smoldesk.tables import bucket_folder
from smoldesk.tables.bucket_folder import ObjectFolder
from smoldesk.tables.inside.bucket_files import MAX_RANGE
from smoldesk.tables.inside.folder_files import Stamp


class ObjectFolders:
    """All folders of one desk; `serve` answers code."""

    def __init__(self, urls: Sequence[str] = ()) -> None:
        """Open the folders. Raises BadInput for one that cannot be used."""
        self._folders = [ObjectFolder(url) for url in urls]
        for folder in self._folders:
            folder.check()

    @property
    def urls(self) -> list[str]:
        return [folder.url for folder in self._folders]

    def stamps(self) -> list[Stamp]:
        """Return all objects by folder and name: URL, size, and a number for the version."""
        return [
            (url, facts.size, version_of(facts))
            for folder in self._folders
            for url, facts in sorted(folder.listing().items())
        ]

    def tables(self) -> list[Stamp]:
        """Return the objects at the top of the folders."""
        return [stamp for stamp in self.stamps() if stamp[0].rpartition("/")[0] in self.urls]

    def stamp_of(self, url: str) -> Sequence[int]:
        """Return size and version of an object as they were last listed; nothing if it is not. Waits for no store."""
        facts = next(
            (item for folder in self._folders if (item := folder.listing(patience=0).get(url))), None
        )
        return (facts.size, version_of(facts)) if facts else ()

    def problems(self) -> list[tuple[str, str]]:
        """Return the folders that could not be listed, each with the reason."""
        return [(folder.url, folder.problem.rstrip(".")) for folder in self._folders if folder.problem]

    def problem_lines(self) -> list[str]:
        return [f"{url}: {problem}" for url, problem in self.problems()]

    def is_away(self, url: str) -> bool:
        """Return whether the store of an object failed lately."""
        return any(folder.is_away for folder in self._folders if url.startswith(f"{folder.url}/"))

    def serve(self, arguments: Mapping[str, JsonValue], stop: StopFlag) -> JsonValue:
        """Answer code in a child, which is untrusted: list objects, find one, or read a range of one.

        Raises built-in exceptions, which the code gets; and Stopped.
        """
        match arguments:
            case {"do": "list"}:
                return {
                    "files": cast("JsonValue", self.stamps()),
                    "tables": cast("JsonValue", self.tables()),
                    "problems": cast("JsonValue", self.problem_lines()),
                }
            case {"do": "find", "url": str(url)}:
                _, facts = self._object(url)
                return [facts.size, version_of(facts)]
            case {
                "do": "read",
                "url": str(url),
                "version": int(version),
                "offset": int(offset),
                "length": int(length),
            }:
                return base64.b64encode(self._range(url, version, offset, length, stop)).decode()
            case _:
                raise ValueError("expected list, find or read, with their arguments")

    def _range(self, url: str, version: int, offset: int, length: int, stop: StopFlag) -> bytes:
        folder, facts = self._object(url)
        if not 0 < length <= MAX_RANGE or not 0 <= offset <= facts.size - length:
            raise ValueError(f"expected a range of at most {MAX_RANGE:,} bytes within {facts.size:,}")
        try:
            if version != version_of(facts):
                raise ObjectChanged
            return folder.read(facts, offset, length, stop)
        except ObjectChanged:
            folder.forget()
            raise OSError(
                f"{url} changed while it was read: run this again to read its new content"
            ) from None
        except StoreUnavailable as fault:
            raise OSError(f"{url} could not be read: {fault.reason.rstrip('.')}") from None

    def _object(self, url: str) -> tuple[ObjectFolder, ObjectFacts]:
        for seconds in (bucket_folder.LISTED_SECONDS, bucket_folder.UNKNOWN_SECONDS):
            for folder in self._folders:
                if url.startswith(f"{folder.url}/") and (facts := folder.listing(seconds).get(url)):
                    return folder, facts
        why = f" ({'; '.join(problems)})" if (problems := self.problem_lines()) else ""
        raise FileNotFoundError(f"the desk has no object {url[:200]!r}{why}")


def version_of(facts: ObjectFacts) -> int:
    """Return a number for the content of an object."""
    text = f"{facts.tag} {facts.changed if not facts.tag else ''}"
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)
