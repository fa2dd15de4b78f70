"""What a scanner has read and not given out yet: texts whose blank ends wait, artifacts, the lines of an open block."""

from smoldesk.output_parser.artifacts import Artifact, TextArtifact

MAX_BLANK = 1_000
"""Characters of blank space at the end of a line and in empty lines after it that are kept."""


class ArtifactWriter:
    """Puts artifacts in order: texts between them are trimmed, however many pieces they come in."""

    def _begin(self) -> None:
        self._block: list[str] = []
        self._block_size = 0
        self._artifacts: list[Artifact] = []
        self._texts: list[str] = []
        self._text_begun = False
        self._blank = ""

    def _say(self, piece: str) -> None:
        """Text; blank space at its ends is held back until more text follows."""
        if not self._text_begun:
            piece = piece.lstrip()
            if not piece:
                return
            self._text_begun = True
        body = piece.rstrip()
        if body:
            if self._blank:
                self._texts.append(self._blank)
            self._texts.append(body)
            self._blank = piece[len(body) : len(body) + MAX_BLANK]
        elif len(self._blank) < MAX_BLANK:
            self._blank = (self._blank + piece)[:MAX_BLANK]

    def _give(self, artifact: Artifact) -> None:
        self._say_held()
        self._text_begun, self._blank = False, ""
        self._artifacts.append(artifact)

    def _hold(self, text: str) -> None:
        self._block.append(text)
        self._block_size += len(text)

    def _released(self) -> str:
        text = "".join(self._block)
        self._block, self._block_size = [], 0
        return text

    def _say_held(self) -> None:
        if self._texts:
            self._artifacts.append(TextArtifact("".join(self._texts)))
            self._texts = []

    def _taken(self) -> list[Artifact]:
        self._say_held()
        artifacts, self._artifacts = self._artifacts, []
        return artifacts
