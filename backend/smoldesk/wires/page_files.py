"""The page's files as one version of it: under an address with a hash of their content, so that browsers keep them for good.

`/static/@HASH/js/app.js` is `js/app.js` of the version with that hash; addresses inside of files are relative, so they stay
within the version. The page (`index.html`) names its entries; every module that they import is preloaded beside them, however
deep, so that a browser asks for all at once. Nothing here needs Node: in a wheel the folder holds the few files of the
bundle (scripts/bundle_page.py), in a checkout the modules themselves, and an edit makes another version.
"""

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from posixpath import normpath
from stat import S_ISREG
from threading import Lock

_HASH_LETTERS = 16
# Bytes below which a file is not compressed.
_SMALL = 256
# Endings of files that were compressed when the wheel was made, and the encoding each is of.
_PACKED = {".gz": "gzip", ".br": "br"}
_TEXT = ("text/", "image/svg")
# A static import or export of a neighbour; neither `import()` nor `@import` in a comment.
_IMPORT = re.compile(r"""(?<![@\w.$])(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*)?"(\.{1,2}/[^"]+)\"""")
_ENTRY = re.compile(
    r'<(?:script|link)\b[^>]*\b(?:src|href)="/static/(?P<name>[^"]+\.js)"[^>]*>(?:</script>)?'
)
_PRIORITY = re.compile(r'\s(?:media|fetchpriority)="[^"]*"')


@dataclass(frozen=True)
class PageFile:
    """One file of a version: its bytes, and those that were compressed by encoding."""

    content: bytes
    media_type: str
    packed: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def encoded(self, accepted: frozenset[str]) -> tuple[bytes, str | None]:
        """The smallest form that a browser takes, and its encoding; what is compressed here is kept."""
        if "br" in accepted and "br" in self.packed:
            return self.packed["br"], "br"
        if "gzip" not in accepted or len(self.content) < _SMALL or not self.media_type.startswith(_TEXT):
            return self.content, None
        if "gzip" not in self.packed:
            self.packed["gzip"] = gzip.compress(self.content, mtime=0)
        return self.packed["gzip"], "gzip"


@dataclass(frozen=True)
class PageVersion:
    """All files of the page as they were at one moment. `index` is the page itself, with addresses of this version."""

    hash: str
    index: PageFile
    files: dict[str, PageFile]


class PageFiles:
    """The folder of the page; `current` notices edits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = Lock()
        self._file_stats: tuple[tuple[str, int, int], ...] = ()
        self._version: PageVersion | None = None

    def current(self) -> PageVersion:
        """The version that the folder holds now; reads files, so not for the event loop. Raises KeyError without a page."""
        with self._lock:
            stats = tuple(self._stats())
            if self._version is None or stats != self._file_stats:
                self._version = read_version(self.folder, [name for name, _, _ in stats])
                self._file_stats = stats
            return self._version

    def cached_version(self, version_hash: str) -> PageVersion | None:
        """The version with this hash, as long as it was the last one read; None asks for `current`."""
        version = self._version
        return version if version is not None and version.hash == version_hash else None

    def _stats(self) -> Iterator[tuple[str, int, int]]:
        for path in sorted(self.folder.rglob("[!.]*")):
            with suppress(FileNotFoundError):  # an editor's own, gone in between
                stat = path.stat()
                if S_ISREG(stat.st_mode):
                    yield path.relative_to(self.folder).as_posix(), stat.st_mtime_ns, stat.st_size


def read_version(folder: Path, names: list[str]) -> PageVersion:
    """The files with these names, whose compressed forms lie beside them, as a version."""
    contents: dict[str, bytes] = {}
    for name in names:
        with suppress(FileNotFoundError):
            contents[name] = (folder / name).read_bytes()
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    version_hash = digest.hexdigest()[:_HASH_LETTERS]
    files = {
        name: PageFile(content, media_type(name), packed_forms(name, contents))
        for name, content in contents.items()
        if PurePosixPath(name).suffix not in _PACKED
    }
    index = with_versioned_urls(contents["index.html"].decode(), version_hash, files)
    return PageVersion(version_hash, PageFile(index.encode(), media_type("index.html")), files)


def packed_forms(name: str, contents: dict[str, bytes]) -> dict[str, bytes]:
    """What was compressed beforehand of a file, by encoding."""
    return {_PACKED[end]: contents[name + end] for end in _PACKED if name + end in contents}


def media_type(name: str) -> str:
    """The type of a file, whatever this machine says of scripts."""
    if name.endswith(".js"):
        return "text/javascript; charset=utf-8"
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed


def with_versioned_urls(index: str, version_hash: str, files: dict[str, PageFile]) -> str:
    """The page with the addresses of this version, and a preload for each module behind an entry that it names."""
    named = {match["name"] for match in _ENTRY.finditer(index)}

    def with_imports(match: re.Match[str]) -> str:
        priority = "".join(_PRIORITY.findall(match[0]))
        fresh = [name for name in module_imports(match["name"], files) if name not in named]
        named.update(fresh)
        links = (f'<link rel="modulepreload" href="/static/{name}"{priority}>' for name in fresh)
        return "\n    ".join((match[0], *links))

    page = _ENTRY.sub(with_imports, index)
    return page.replace('="/static/', f'="/static/@{version_hash}/')


def module_imports(name: str, files: dict[str, PageFile]) -> list[str]:
    """The modules that one imports, and those that they do, nearest first; what is imported dynamically is left out."""
    imports: dict[str, None] = {}
    queue = [name]
    for module in queue:
        for target in _IMPORT.findall(files[module].content.decode()) if module in files else ():
            path = normpath(PurePosixPath(module).parent / target)
            if path in files and path not in imports and path != name:
                imports[path] = None
                queue.append(path)
    return list(imports)
