"""Objects in a bucket (S3 and what speaks its protocol, Google Cloud, Azure) by obstore, for servers without a shared disk.

Credentials, region and endpoint come from the variables that each provider's own tools read, such as AWS_ACCESS_KEY_ID
and AWS_ENDPOINT_URL.
"""

import itertools
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from smoldesk.errors import DeskError

# Seconds for one request, and for its connection; a failed request is tried again RETRIES times.
REQUEST_SECONDS, CONNECT_SECONDS = 300, 5
RETRIES = 3
# Seconds in which the store must answer to count as ready.
PROBE_SECONDS = 2
# Bytes per part of a large object, and per read of one.
PART = 8 << 20
# Seconds for a range of an object that code reads, which is tried again once.
RANGE_SECONDS = 20
SCHEMES = ("s3://", "gs://", "az://", "azure://")
# Answers that have the same meaning in all stores, by their status.
_MEANINGS = {
    "401": "The store does not know these credentials.",
    "403": "The store denied access.",
    "404": "There is no such bucket.",
}

REFUSALS = frozenset(_MEANINGS.values())


@dataclass(frozen=True)
class ObjectFacts:
    """Facts about an object: its key below the prefix of the URL, its bytes, the tag of its content, and when it was
    written, in seconds.
    """

    key: str
    size: int
    tag: str
    changed: float


class StoreUnavailable(DeskError):
    """The object store cannot be used; `reason` is a sentence."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        hint = f"{reason} What was stored before is not lost; try again once it answers."
        super().__init__("The object store could not be used.", hint, code="object_store_away")


class ObjectChanged(Exception):
    """An object has another content than before, or is gone."""


class Objects:
    """Objects below one URL. Methods block; they raise StoreUnavailable when the store cannot be used."""

    def __init__(self, url: str, setting: str = "SMOLDESK_FILES_URL") -> None:
        """Open the bucket of a URL, which a setting names. Raises DeskError for a URL that names none, or without the
        extra `objects`.
        """
        if not url.startswith(SCHEMES):
            raise DeskError(
                f"{setting} names no bucket.",
                f"Expected a URL such as s3://bucket/folder; it may begin with {', '.join(SCHEMES)}.",
                code="bad_settings",
            )
        try:
            import obstore
            from obstore.store import from_url
        except ImportError as fault:
            raise DeskError(
                f"{setting} needs the package obstore.",
                "Install smoldesk with its extra objects.",
                code="bad_settings",
            ) from fault
        self._obstore: Any = obstore

        def opened(seconds: int, retries: int) -> Any:
            options: Any = {
                "timeout": f"{seconds}s",
                "connect_timeout": f"{min(seconds, CONNECT_SECONDS)}s",
                "user_agent": "smoldesk",
                # Only for an endpoint whose URL begins with http://.
                "allow_http": True,
            }
            return from_url(url, client_options=options, retry_config={"max_retries": retries})

        try:
            self._store, self._probe = opened(REQUEST_SECONDS, RETRIES), opened(PROBE_SECONDS, 0)
            self._ranges = opened(RANGE_SECONDS, 1)
        except (obstore.exceptions.BaseError, ValueError) as fault:
            raise DeskError(
                f"{setting} cannot be used.",
                f"{_reason(fault)} Expected a URL such as s3://bucket/folder.",
                code="bad_settings",
            ) from None

    def put(self, key: str, content: bytes | IO[bytes]) -> str:
        """Write an object, in parts if it is large; returns the tag of its content."""
        with self._faults(writing=True):
            return _tag(self._obstore.put(self._store, key, content, chunk_size=PART))

    def put_new(self, key: str, content: bytes) -> str | None:
        """Write an object in one request; returns the tag of its content, or None if the key has another content."""
        with self._faults(writing=True):
            try:
                return _tag(self._obstore.put(self._store, key, content, mode="create", use_multipart=False))
            except self._obstore.exceptions.AlreadyExistsError:
                # A first try may have written it, and its answer was lost.
                got = self._obstore.get(self._store, key)
                is_same = got.meta["size"] == len(content) and bytes(got.bytes()) == content
                return _tag(got.meta) if is_same else None

    def read_into(self, key: str, target: IO[bytes]) -> str:
        """Copy an object into a file; returns the tag of its content. Raises FileNotFoundError."""
        with self._faults():
            got = self._obstore.get(self._store, key)
            for chunk in got.stream(min_chunk_size=PART):
                target.write(chunk)
            return _tag(got.meta)

    def read(self, key: str) -> bytes:
        """Return a small object. Raises FileNotFoundError."""
        with self._faults():
            return bytes(self._obstore.get(self._store, key).bytes())

    def read_range(self, facts: ObjectFacts, start: int, end: int) -> bytes:
        """Return bytes of the content that `facts` are of. Raises ObjectChanged."""
        options = {"range": (start, end), **({"if_match": f'"{facts.tag}"'} if facts.tag else {})}
        with self._faults():
            try:
                result = self._obstore.get(self._ranges, facts.key, options=options)
            except (self._obstore.exceptions.PreconditionError, FileNotFoundError):
                raise ObjectChanged from None
            # A store may ignore the condition.
            if (_tag(result.meta), result.meta["size"]) != (facts.tag, facts.size):
                raise ObjectChanged
            data = bytes(result.bytes())
        if len(data) != end - start:
            raise StoreUnavailable(f"It sent {len(data):,} bytes for a range of {end - start:,}.")
        return data

    def facts(self, prefix: str, soon: bool = False) -> list[ObjectFacts]:
        """Return the facts of the objects below a prefix, which is a folder; `soon`: within PROBE_SECONDS for a page."""
        return self._facts(self._probe if soon else self._store, prefix)

    def first(self, most: int) -> list[ObjectFacts]:
        """Return the facts of the first objects, within RANGE_SECONDS for a page."""
        return self._facts(self._ranges, "", most)

    def _facts(self, store: Any, prefix: str, most: int | None = None) -> list[ObjectFacts]:
        with self._faults():
            pages = self._obstore.list(store, prefix, chunk_size=1000)
            return [
                ObjectFacts(item["path"], item["size"], _tag(item), item["last_modified"].timestamp())
                for item in itertools.islice(itertools.chain.from_iterable(pages), most)
            ]

    def delete(self, keys: Sequence[str]) -> None:
        """Delete objects; ignores those that do not exist."""
        if not keys:
            return
        with self._faults():
            try:
                self._obstore.delete(self._store, list(keys))
            except FileNotFoundError:
                return

    def check(self) -> None:
        """Raise DeskError if the store does not answer soon, or refuses this desk."""
        with self._faults():
            for _ in self._obstore.list(self._probe, "check", chunk_size=1):
                return

    @contextmanager
    def _faults(self, writing: bool = False) -> Generator[None]:
        try:
            yield
        except (self._obstore.exceptions.BaseError, FileNotFoundError) as fault:
            # Who reads handles a missing object; a write fails so for a missing bucket.
            if isinstance(fault, FileNotFoundError) and not writing:
                raise
            raise StoreUnavailable(_reason(fault)) from None


def _tag(facts: Any) -> str:
    """Return the tag without quotes: Azure's lists leave them out."""
    return str(facts["e_tag"] or "").strip('"')


def _reason(fault: Exception) -> str:
    """Return the meaning of a fault, or its first line without the address, which may be signed."""
    text = str(fault).strip()
    status = re.search(r"status code: (\d{3})", text)
    if status and status[1] in _MEANINGS:
        return _MEANINGS[status[1]]
    if "error sending request" in text or "timed out" in text:
        return "The store does not answer."
    line = re.sub(r"Error performing .*? - ", "", text.split("\n")[0]).split(" for path")[0].split("http")[0]
    printable = "".join(char if char.isprintable() else "\ufffd" for char in line[:200])
    return printable.strip().rstrip(".:,") + "."
