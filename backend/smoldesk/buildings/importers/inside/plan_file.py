"""Building file as the readers' table sees it: its first bytes, its members if it is a zip, its JSON, its XML root."""

import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from .archives import PlanArchive
from .draft import Unreadable, clipped
from .fields import Fields, expect_object
from .findings import Findings

HEAD_BYTES = 65_536
# Bytes of a JSON or text file that is read as a whole.
MAX_DOCUMENT = 256 * 1024**2
_ROOT = re.compile(rb"<\s*(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")


class PlanFile:
    """A file by its path. Its properties are read when first asked for; they raise Unreadable."""

    def __init__(self, path: Path, findings: Findings) -> None:
        self.path = path
        self.findings = findings
        with path.open("rb") as file:
            self.head = file.read(HEAD_BYTES)

    @property
    def is_zip(self) -> bool:
        return self.head.startswith((b"PK\x03\x04", b"PK\x05\x06"))

    @cached_property
    def archive(self) -> PlanArchive:
        """The zip archive that the file is."""
        return PlanArchive(self.path)

    @cached_property
    def is_json(self) -> bool:
        """True if the file begins as a JSON object or list does, in any of JSON's encodings."""
        start = self.head[:200].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        return start.startswith((b"{", b"["))

    @cached_property
    def top(self) -> Fields:
        """The object of a JSON file."""
        return Fields(parse_json(self.read()), "", self.findings)

    @cached_property
    def xml_root(self) -> str:
        """Local name of the root element of an XML file, else empty."""
        start = self.head.lstrip(b"\xef\xbb\xbf \t\r\n")
        if not start.startswith(b"<"):
            return ""
        plain = re.sub(rb"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>", b"", start, flags=re.DOTALL)
        root = _ROOT.match(plain.lstrip())
        return root[1].decode("ascii") if root else ""

    def read(self) -> bytes:
        """Return all bytes. Raises Unreadable if the file is too large to be read as a whole."""
        size = self.path.stat().st_size
        if size > MAX_DOCUMENT:
            raise Unreadable(
                f"The file has {size // 1024**2:,} MB; at most {MAX_DOCUMENT // 1024**2} MB of this format are "
                "taken. Export one building only."
            )
        return self.path.read_bytes()


def xml_elements(path: Path, tags: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """Yield (local name, element) of each element with one of these tags when it ends, without keeping the document.

    Entities and document types are refused. Raises Unreadable.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        parents: list[Any] = []
        for event, element in iterparse(str(path), events=("start", "end"), forbid_dtd=True):
            if event == "start":
                parents.append(element)
                continue
            parents.pop()
            name = element.tag.rpartition("}")[2]
            if name in tags:
                yield name, element
                if parents:
                    parents[-1].remove(element)
    except ParseError as fault:
        line, column = fault.position
        raise Unreadable(f"The XML is broken at line {line}, column {column}: {fault.msg}.") from None
    except DefusedXmlException:
        raise Unreadable(
            "The XML declares a document type or entities, which are refused. Remove the <!DOCTYPE> part."
        ) from None


def parse_json(data: bytes) -> Any:
    """Return the object of a JSON file; NaN and Infinity stay, so that a finding can name their place.

    Lone surrogates become '?'. Raises Unreadable.
    """
    try:
        text = data.decode(json.detect_encoding(data))
        document = json.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise Unreadable("The JSON is nested too deeply.") from None
    except UnicodeDecodeError as fault:
        raise Unreadable(f"The file is not text: byte {fault.start} is not {fault.encoding}.") from None
    except json.JSONDecodeError as fault:
        _not_json(data, fault)
    except ValueError:
        raise Unreadable("The JSON contains a number that is too large.") from None
    expect_object(document)
    return _repaired(document) if re.search(r"\\u[dD][89a-fA-F]", text) else document


def _not_json(data: bytes, fault: json.JSONDecodeError) -> NoReturn:
    start = data[:200].decode("ascii", "replace").strip()
    beginning = f" It begins with {clipped(start, 30)!r}." if not start.startswith(("{", "[")) else ""
    raise Unreadable(
        f"The file is not JSON: line {fault.lineno}, column {fault.colno}: {fault.msg}.{beginning}"
    ) from None


def _repaired(value: Any) -> Any:
    """Return the same data with lone surrogates replaced; its depth is limited by the parser."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_repaired(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {_repaired(key): _repaired(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value
