"""Versions of the page: its files under an address with a hash of their content, which browsers cache for good.

`/static/@HASH/js/app.js` is `js/app.js` of the version with that hash. Addresses inside the files are relative, so they
stay within the version. The page (`index.html`) names its entries; all modules that they import are preloaded, so that a
browser requests them at once. Node is not needed: in a wheel the folder has the files of the bundle
(scripts/bundle_page.py). In a checkout it has the modules themselves, and an edit makes a new version; the bundle that
`make run` makes beside it is served instead while it names the hash of these modules.
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
# Files below this size in bytes are not compressed.
_SMALL = 256
# File of a checkout's bundle that has the hash of the modules it was made of.
MADE_OF = ".made-of"
# Suffixes of files that were compressed when the wheel was built, with their encodings.
_PACKED = {".gz": "gzip", ".br": "br"}
_TEXT = ("text/", "image/svg")
# A static import or export of a relative module; not `import()`, and not JSDoc's `@import`.
_IMPORT = re.compile(r"""(?<![@\w.$])(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*)?"(\.{1,2}/[^"]+)\"""")
_ENTRY = re.compile(
    r'<(?:script|link)\b[^>]*\b(?:src|href)="/static/(?P<name>[^"]+\.js)"[^>]*>(?:</script>)?'
)
_PRIORITY = re.compile(r'\s(?:media|fetchpriority)="[^"]*"')


@dataclass(frozen=True)
class PageFile:
    """File of a version: its bytes, and compressed forms by encoding."""

    content: bytes
    media_type: str
    packed: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def encoded(self, accepted: frozenset[str]) -> tuple[bytes, str | None]:
        """Return the smallest accepted form and its encoding. The gzip form is made once and cached."""
        if "br" in accepted and "br" in self.packed:
            return self.packed["br"], "br"
        if "gzip" not in accepted or len(self.content) < _SMALL or not self.media_type.startswith(_TEXT):
            return self.content, None
        if "gzip" not in self.packed:
            # mtime=0 makes the bytes equal on every server, for caches in front of several.
            self.packed["gzip"] = gzip.compress(self.content, mtime=0)
        return self.packed["gzip"], "gzip"


@dataclass(frozen=True)
class PageVersion:
    """Snapshot of the page's files. `index` is index.html with the addresses of this version."""

    hash: str
    index: PageFile
    files: dict[str, PageFile]


class PageFiles:
    """Folder of the page, and the bundle that may have been made of it; `current` detects edits."""

    def __init__(self, folder: Path, bundle: Path | None = None) -> None:
        self.folder, self.bundle = folder, bundle
        self._lock = Lock()
        self._file_stats: tuple[tuple[str, int, int], ...] = ()
        self._version: PageVersion | None = None

    def current(self) -> PageVersion:
        """Return the version in the folder now. Blocks: call it in a thread. Raises KeyError without index.html."""
        # Requests run in several threads: one reads the files, the others wait for its version.
        with self._lock:
            stats = tuple(file_stats(self.folder))
            if self._version is None or stats != self._file_stats:
                modules = read_version(self.folder, [name for name, _, _ in stats])
                self._version, self._file_stats = self._bundled(modules) or modules, stats
            return self._version

    def cached_version(self, version_hash: str) -> PageVersion | None:
        """Return the version that was read last if it has this hash, else None."""
        version = self._version
        return version if version is not None and version.hash == version_hash else None

    def _bundled(self, modules: PageVersion) -> PageVersion | None:
        """Return the bundle of these modules, if one was made."""
        if self.bundle is None or made_of(self.bundle) != modules.hash:
            return None
        return read_version(self.bundle, [name for name, _, _ in file_stats(self.bundle)])


def made_of(bundle: Path) -> str:
    """Return the hash of the modules that a checkout's bundle was made of; empty without a bundle."""
    try:
        return (bundle / MADE_OF).read_text("utf-8")
    except FileNotFoundError:
        return ""


def file_stats(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Yield the name, time of change in ns, and size in bytes of each file of a folder, sorted by path."""
    for path in sorted(folder.rglob("[!.]*")):
        with suppress(FileNotFoundError):  # an editor's temporary file, already deleted
            stat = path.stat()
            if S_ISREG(stat.st_mode):
                yield path.relative_to(folder).as_posix(), stat.st_mtime_ns, stat.st_size


def read_version(folder: Path, names: list[str]) -> PageVersion:
    """Read a version from the files with these names and their compressed forms."""
    contents: dict[str, bytes] = {}
    for name in names:
        with suppress(FileNotFoundError):
            contents[name] = (folder / name).read_bytes()
    digest = hashlib.sha256()
    for name, content in contents.items():
        # Name and length first, so that moving bytes from one file to the next changes the hash.
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
    """Return the precompressed forms of a file by encoding."""
    return {_PACKED[end]: contents[name + end] for end in _PACKED if name + end in contents}


def media_type(name: str) -> str:
    """Return the media type of a file. Scripts have a fixed one: browsers refuse modules with any other type."""
    if name.endswith(".js"):
        return "text/javascript; charset=utf-8"
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed


def with_versioned_urls(index: str, version_hash: str, files: dict[str, PageFile]) -> str:
    """Return index.html with the addresses of this version and a preload link for each imported module."""
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
    """Return the static imports of a module and of its imports, nearest first."""
    imports: dict[str, None] = {}
    queue = [name]
    for module in queue:
        for target in _IMPORT.findall(files[module].content.decode()) if module in files else ():
            path = normpath(PurePosixPath(module).parent / target)
            if path in files and path not in imports and path != name:
                imports[path] = None
                queue.append(path)
    return list(imports)
