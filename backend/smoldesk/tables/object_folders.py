"""Read-only folders of the operator in a bucket: the desk lists them and reads ranges for code in jailed children.

Credentials stay in this process. Code names an object by its URL, and the version that the listing had; a range of any
other content is refused.
"""

import base64
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from typing import TypeVar, cast
from urllib.parse import urlsplit

from pydantic import JsonValue

from smoldesk.errors import BadInput, DeskError
from smoldesk.stopping import StopFlag
from smoldesk.store.objects import REFUSALS, SCHEMES, ObjectChanged, ObjectFacts, Objects, StoreUnavailable
from smoldesk.tables.inside.bucket_files import MAX_RANGE
from smoldesk.tables.inside.folder_files import Stamp

T = TypeVar("T")
SETTING = "--data (or SMOLDESK_DATA_FOLDERS)"
# Seconds after which a listing is made again, when it is next needed.
LISTED_SECONDS = 10.0
# The same, for code that names an object which is not in the list.
UNKNOWN_SECONDS = 1.0
# Seconds for which a caller waits for a new listing, and then takes the one before.
PATIENCE = 2.0
MAX_LISTED, MAX_NAME = 10_000, 900
# Requests to one folder at once; further ones wait.
AT_ONCE = 4
POLL_SECONDS = 0.1
log = logging.getLogger(__name__)


class ObjectFolder:
    """One folder in a bucket. Methods block."""

    def __init__(self, url: str) -> None:
        """Open a folder and list it. Raises BadInput for an address that cannot be used."""
        self.url = _checked(url)
        try:
            self._objects = Objects(self.url, SETTING)
        except DeskError as fault:
            raise BadInput(fault.message, fault.hint, code="bad_settings") from None
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._listing: dict[str, ObjectFacts] = {}
        self._refreshed = float("-inf")
        self._refresh: Future[None] = Future()
        self._refresh.set_result(None)
        self.problem = ""
        """The reason why the last listing failed; the one before stays in use."""

    def check(self) -> None:
        """List the folder. Raises BadInput if the store refuses; one that does not answer may do so later."""
        self.listing()
        if self.problem in REFUSALS:
            raise BadInput(
                f"The folder {self.url} of {SETTING} cannot be read: {self.problem}",
                "Expected a bucket that exists, and credentials that may list and read it.",
                code="bad_settings",
            )

    def listing(
        self, seconds: float | None = None, patience: float | None = None
    ) -> Mapping[str, ObjectFacts]:
        """Return the first MAX_LISTED objects by their URL; the list is at most `seconds` old, by default LISTED_SECONDS.
        A new one is waited for up to `patience` seconds, by default PATIENCE; then the one before is returned.
        """
        with self._turn:
            now = time.monotonic()
            if self._refresh.done() and now - self._refreshed > (
                LISTED_SECONDS if seconds is None else seconds
            ):
                self._refresh, self._refreshed = _started(self._list), now
            refresh, left = (
                self._refresh,
                self._refreshed - now + (PATIENCE if patience is None else patience),
            )
        wait([refresh], max(0.0, left))
        return self._listing

    def _list(self) -> None:
        before = self.problem
        try:
            facts = self._objects.first(MAX_LISTED)
        except StoreUnavailable as fault:
            self.problem = fault.reason
            if self.problem != before:
                log.warning("a folder of --data could not be listed: %s", self.problem)
            return
        self.problem = ""
        self._listing = {
            url: item
            for item in facts
            if (url := f"{self.url}/{item.key}").isprintable() and len(url) <= MAX_NAME
        }

    def read(self, facts: ObjectFacts, offset: int, length: int, stop: StopFlag) -> bytes:
        """Return a range of an object. Raises ObjectChanged, StoreUnavailable, Stopped."""
        while not self._places.acquire(timeout=POLL_SECONDS):
            stop.check()

        def read_range() -> bytes:
            try:
                return self._objects.read_range(facts, offset, offset + length)
            finally:
                self._places.release()

        work = _started(read_range)
        while not wait([work], POLL_SECONDS).done:
            stop.check()  # which does not wait for the store
        return work.result()

    def forget(self) -> None:
        """Have the next listing made anew."""
        self._refreshed = float("-inf")


class ObjectFolders:
    """All folders in buckets, and the door through which code in children reads them."""

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
        for seconds in (LISTED_SECONDS, UNKNOWN_SECONDS):
            for folder in self._folders:
                if url.startswith(f"{folder.url}/") and (facts := folder.listing(seconds).get(url)):
                    return folder, facts
        why = f" ({'; '.join(problems)})" if (problems := self.problem_lines()) else ""
        raise FileNotFoundError(f"the desk has no object {url[:200]!r}{why}")


def version_of(facts: ObjectFacts) -> int:
    """Return a number for the content of an object."""
    text = f"{facts.tag} {facts.changed if not facts.tag else ''}"
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in {scheme[:-3] for scheme in SCHEMES} and parts.hostname == parts.netloc
    except ValueError:
        is_plain = False
        parts = urlsplit("")
    if not is_plain or not parts.netloc or parts.query or parts.fragment or not url.isprintable():
        raise BadInput(
            f"{SETTING} has an invalid address of a folder in a bucket.",
            "Expected a folder of this machine, or a URL such as s3://bucket/folder without credentials in it; it "
            f"may begin with {', '.join(SCHEMES)}.",
            code="bad_settings",
        )
    return url.rstrip("/")


def _started(function: Callable[[], T]) -> "Future[T]":
    """Call a function on a thread that a store which hangs cannot keep from ending with the process."""
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(function())
        except BaseException as fault:  # for who waits
            future.set_exception(fault)

    threading.Thread(target=work, name="object-store", daemon=True).start()
    return future
