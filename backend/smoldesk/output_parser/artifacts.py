"""Artifacts of free text: text, code, files, data and errors, in the order of the text.

The artifacts are small frozen values without knowledge of any wire; each wire encodes them in its own format.
`ArtifactWriter` buffers the output of a scanner: texts whose trailing blank space is pending, artifacts, and the lines of
an open block.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

_MEDIA_TYPES = {
    "python": "text/x-python",
    "py": "text/x-python",
    "javascript": "text/javascript",
    "js": "text/javascript",
    "typescript": "text/typescript",
    "ts": "text/typescript",
    "json": "application/json",
    "yaml": "text/yaml",
    "html": "text/html",
    "css": "text/css",
    "sql": "text/x-sql",
    "bash": "text/x-shellscript",
    "sh": "text/x-shellscript",
    "shell": "text/x-shellscript",
    "markdown": "text/markdown",
}


@dataclass(frozen=True, slots=True)
class TextArtifact:
    """Prose, stripped of blank space at both ends."""

    content: str
    type: Literal["text"] = field(default="text", init=False)


@dataclass(frozen=True, slots=True)
class CodeArtifact:
    """Content of a fenced block, without its fences.

    `incomplete` is set if the closing fence is missing, or if the content is one part of a block longer than MAX_BLOCK.
    """

    content: str
    language: str = "text"
    incomplete: bool = False
    type: Literal["code"] = field(default="code", init=False)

    @property
    def media_type(self) -> str:
        """Media type of the language; text/plain for an unknown one."""
        return _MEDIA_TYPES.get(self.language.lower(), "text/plain")


@dataclass(frozen=True, slots=True)
class FileArtifact:
    """File that the text reports as created or written; its existence is not checked."""

    path: str
    type: Literal["file"] = field(default="file", init=False)


@dataclass(frozen=True, slots=True)
class JsonArtifact:
    """Data as plain Python values that JSON can represent; `content` is the source text."""

    data: JsonValue
    content: str
    type: Literal["json"] = field(default="json", init=False)


@dataclass(frozen=True, slots=True)
class ErrorArtifact:
    """Complete traceback, with `name` and `message` of its last exception; both are empty if the text ends before it."""

    content: str
    name: str = ""
    message: str = ""
    type: Literal["error"] = field(default="error", init=False)


Artifact = TextArtifact | CodeArtifact | FileArtifact | JsonArtifact | ErrorArtifact


def joined(artifacts: Iterable[Artifact]) -> list[Artifact]:
    """Merge neighbouring texts, so that the artifacts of a stream equal those of a batch."""
    merged: list[Artifact] = []
    texts: list[str] = []
    for artifact in artifacts:
        if isinstance(artifact, TextArtifact):
            texts.append(artifact.content)
            continue
        if texts:
            merged.append(TextArtifact("".join(texts)))
            texts = []
        merged.append(artifact)
    return [*merged, TextArtifact("".join(texts))] if texts else merged


# Maximum characters of blank space between two pieces of text; the excess is dropped.
# A stream of blank lines would grow the buffer without limit.
MAX_BLANK = 1_000


class ArtifactWriter:
    """Ordered buffer of artifacts; trims the texts between them, regardless of how they are split into pieces."""

    def _begin(self) -> None:
        self._block: list[str] = []
        self._block_size = 0
        self._artifacts: list[Artifact] = []
        self._texts: list[str] = []
        self._text_started = False
        self._blank = ""

    def _add_text(self, piece: str) -> None:
        """Add text; hold blank space at its end back until more text follows."""
        if not self._text_started:
            piece = piece.lstrip()
            if not piece:
                return
            self._text_started = True
        body = piece.rstrip()
        if body:
            if self._blank:
                self._texts.append(self._blank)
            self._texts.append(body)
            self._blank = piece[len(body) : len(body) + MAX_BLANK]
        elif len(self._blank) < MAX_BLANK:
            self._blank = (self._blank + piece)[:MAX_BLANK]

    def _add_artifact(self, artifact: Artifact) -> None:
        self._flush_text()
        self._text_started, self._blank = False, ""
        self._artifacts.append(artifact)

    def _buffer_text(self, text: str) -> None:
        self._block.append(text)
        self._block_size += len(text)

    def _take_buffer(self) -> str:
        text = "".join(self._block)
        self._block, self._block_size = [], 0
        return text

    def _flush_text(self) -> None:
        if self._texts:
            self._artifacts.append(TextArtifact("".join(self._texts)))
            self._texts = []

    def _drain_artifacts(self) -> list[Artifact]:
        self._flush_text()
        artifacts, self._artifacts = self._artifacts, []
        return artifacts
