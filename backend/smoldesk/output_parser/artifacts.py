"""What free text is made of: text, code, files, data and errors, in the order they stand in it.

Small frozen values that know nothing of wires; each wire says in its own form what they are.
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
