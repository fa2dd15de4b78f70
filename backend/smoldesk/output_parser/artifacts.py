"""What free text is made of: text, code, files, data and errors, in the order they stand in it.

Small frozen values that know nothing of wires; each wire says in its own form what they are. `ArtifactWriter` is what a
scanner has read and not given out yet: texts whose blank ends wait, artifacts, the lines of an open block.
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
    """Prose, without the blank space at its ends."""

    content: str
    type: Literal["text"] = field(default="text", init=False)


@dataclass(frozen=True, slots=True)
class CodeArtifact:
    """A fenced block without its fences.

    `incomplete`: its closing fence never came, or it is one part of a block longer than MAX_BLOCK.
    """

    content: str
    language: str = "text"
    incomplete: bool = False
    type: Literal["code"] = field(default="code", init=False)

    @property
    def media_type(self) -> str:
        """By the language; text/plain for one that is not known."""
        return _MEDIA_TYPES.get(self.language.lower(), "text/plain")


@dataclass(frozen=True, slots=True)
class FileArtifact:
    """A file that the text says was made or is meant; nobody has looked whether it is there."""

    path: str
    type: Literal["file"] = field(default="file", init=False)


@dataclass(frozen=True, slots=True)
class JsonArtifact:
    """Data, as plain Python values that JSON can carry; `content` is the text it was read from."""

    data: JsonValue
    content: str
    type: Literal["json"] = field(default="json", init=False)


@dataclass(frozen=True, slots=True)
class ErrorArtifact:
    """A traceback, whole; `name` and `message` of the last exception, empty when the text ended before it."""

    content: str
    name: str = ""
    message: str = ""
    type: Literal["error"] = field(default="error", init=False)


Artifact = TextArtifact | CodeArtifact | FileArtifact | JsonArtifact | ErrorArtifact


def joined(artifacts: Iterable[Artifact]) -> list[Artifact]:
    """The same with neighbouring texts joined: what a stream gives early and a batch at once is then equal."""
    found: list[Artifact] = []
    texts: list[str] = []
    for artifact in artifacts:
        if isinstance(artifact, TextArtifact):
            texts.append(artifact.content)
            continue
        if texts:
            found.append(TextArtifact("".join(texts)))
            texts = []
        found.append(artifact)
    return [*found, TextArtifact("".join(texts))] if texts else found


# Characters of blank space at the end of a line and in empty lines after it that are kept.
MAX_BLANK = 1_000


class ArtifactWriter:
    """Puts artifacts in order: texts between them are trimmed, however many pieces they come in."""

    def _begin(self) -> None:
        self._block: list[str] = []
        self._block_size = 0
        self._artifacts: list[Artifact] = []
        self._texts: list[str] = []
        self._text_started = False
        self._blank = ""

    def _add_text(self, piece: str) -> None:
        """Text; blank space at its ends is held back until more text follows."""
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
