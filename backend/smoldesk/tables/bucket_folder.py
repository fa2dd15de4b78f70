"""A read-only folder of the operator in a bucket: listed when needed, and read by ranges of a stated version."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from typing import TypeVar
from urllib.parse import urlsplit

from smoldesk.errors import BadInput, DeskError
from smoldesk.stopping import StopFlag
from smoldesk.store.objects import REFUSALS, SCHEMES, ObjectFacts, Objects, StoreUnavailable

T = TypeVar("T")
SETTING = "--data (or SMOLDESK_DATA_FOLDERS)"
# Seconds after which a listing is made again, when it is next needed.
LISTED_SECONDS = 10.0
# The same, for code that names an object which is not in the list.
UNKNOWN_SECONDS = 1.0
# Seconds after a failed read in which nothing is read ahead of a question.
AWAY_SECONDS = 60.0
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
        self._read_failed = float("-inf")

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
            except StoreUnavailable:
                self._read_failed = time.monotonic()
                raise
            finally:
                self._places.release()

        work = _started(read_range)
        while not wait([work], POLL_SECONDS).done:
            stop.check()  # which does not wait for the store
        return work.result()

    @property
    def is_away(self) -> bool:
        """Whether the store failed lately: what can wait should not be read."""
        return bool(self.problem) or time.monotonic() - self._read_failed < AWAY_SECONDS

    def forget(self) -> None:
        """Have the next listing made anew."""
        self._refreshed = float("-inf")


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
