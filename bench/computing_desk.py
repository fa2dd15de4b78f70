"""`python -m bench.computing_desk FOLDER EXECUTOR`: a served desk where who says COMPUTE gets code that never ends.

Any other message meets a model that fails at once: its run needs no code, so no processor but for the server's own work.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from smolagents.models import ChatMessage, ChatMessageStreamDelta, Model

from bench.talking_desk import serve

COMPUTE = "compute without end"
STEPS = 10_000
"""Interpreted loops are ended by smolagents after a million rounds; the next step goes on."""


class ComputingModel(Model):
    """Writes a loop, or fails."""

    def __init__(self) -> None:
        super().__init__(model_id="computing")

    def generate_stream(
        self, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> Iterator[ChatMessageStreamDelta]:
        if not any(COMPUTE in str(message.content) for message in messages):
            raise RuntimeError("nothing to compute")
        yield ChatMessageStreamDelta(content="I compute.\n<code>\nn = 0\nwhile True:\n    n += 1\n</code>")


if __name__ == "__main__":
    serve(Path(sys.argv[1]), ComputingModel, agent="code", executor=sys.argv[2], max_steps=STEPS)
