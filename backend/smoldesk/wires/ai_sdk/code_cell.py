"""The code of one step as a tool part: its input written while the model writes it. Pure."""

import json

from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.models import Chunk

TOOL = "python_interpreter"


class CodeCell:
    """One step's code, from its first character to its run."""

    def __init__(self, run_id: str, step: int) -> None:
        self.call_id = f"{run_id}.step{step}"
        self._code = ""
        self._is_begun = False
        self._is_ready = False

    def write(self, code: str) -> list[Chunk]:
        """A piece of code; once it runs, nothing is added to it."""
        if self._is_ready:
            return []
        begun = self._begun()
        head = "" if self._code else '{"code":"'
        self._code += code
        return [*begun, c.input_delta(self.call_id, head + _inside(code))]

    def ready(self, code: str | None = None) -> list[Chunk]:
        """All of the code is there: as it was written, or as `code` when the step tells it."""
        if self._is_ready:
            return []
        self._is_ready = True
        ended = [c.input_delta(self.call_id, '"}')] if self._code else []
        text = code if code is not None else self._code
        return [*self._begun(), *ended, c.input_available(self.call_id, TOOL, {"code": text})]

    def _begun(self) -> list[Chunk]:
        if self._is_begun:
            return []
        self._is_begun = True
        return [c.input_start(self.call_id, TOOL)]


def _inside(text: str) -> str:
    """A text as it stands between the quotes of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
