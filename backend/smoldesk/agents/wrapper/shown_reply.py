"""A reply as it is shown while it streams: pieces of text, code and reasoning."""

from collections.abc import Sequence
from typing import Literal, Protocol

from smoldesk.output_parser.model_text import Piece, ReplySplitter, ThinkSplitter
from smoldesk.output_parser.structured_text import StructuredSplitter

DeltaKind = Literal["text", "code", "reasoning"]


class EmitPiece(Protocol):
    """Logs one piece; with `restart`, what the step has shown so far counts no longer."""

    def __call__(self, kind: DeltaKind, text: str, restart: bool = False) -> None: ...


class ShownReply:
    """Shows one reply. `write` and `end` return its text without the reasoning, which alone the agent gets."""

    def __init__(self, emit: EmitPiece, splitter: ReplySplitter | StructuredSplitter) -> None:
        self.reasoned = False
        self._emit = emit
        self._thinking = ThinkSplitter()
        self._splitter = splitter
        self._written: list[str] = []

    def write_reasoning(self, text: str) -> None:
        """Show reasoning that the server reported as such."""
        if text:
            self.reasoned = True
            self._emit("reasoning", text)

    def write(self, text: str) -> str:
        """Show the next piece."""
        return self._write(self._thinking.feed(text))

    def end(self) -> str:
        """Show what was held back at the end of the reply."""
        text = self._write(self._thinking.flush())
        self._show(self._splitter.flush())
        return text

    def _write(self, parts: Sequence[tuple[str, str]]) -> str:
        texts: list[str] = []
        for kind, text in parts:
            if kind == "reasoning":
                self.write_reasoning(text)
            else:
                texts.append(text)
                self._show(self._splitter.feed(text))
        return "".join(texts)

    def _show(self, pieces: Sequence[Piece]) -> None:
        for kind, text in pieces:
            match kind:
                case "text" | "code":
                    self._written.append(text)
                    self._emit(kind, text)
                case "reasoning":
                    self.write_reasoning(text)
                case "restart":  # the chat template opened the reasoning, which was taken for text
                    self._emit("text", "", restart=True)
                    self.write_reasoning("".join(self._written))
                    self._written = []
                case "call" | "closed":
                    pass  # a call is shown when it is made
