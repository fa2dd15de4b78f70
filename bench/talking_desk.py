"""`python -m bench.talking_desk FOLDER [EXECUTOR]`: a served desk whose runs talk until they are stopped, or compute.

Its port is the first line it prints; it ends when its standard input does.

Who says TALK gets a run that streams a piece 20 times a second; any other message is answered at once. No code runs, so
that what is measured is the server and not the children. With an EXECUTOR, who says COMPUTE gets code that never ends;
any other message meets a model that fails at once: its run needs no processor but for the server's own work.
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from smolagents.models import ChatMessage, ChatMessageStreamDelta, Model

from bench.desk import settings_in
from bench.instant import answered
from bench.processes import serve_until_told
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk

TALK = "talk without end"
PIECES_A_SECOND = 20
COMPUTE = "compute without end"
STEPS = 10_000
"""Interpreted loops are ended by smolagents after a million rounds; the next step goes on."""


class TalkingModel(Model):
    """Answers at once, or never stops."""

    def __init__(self) -> None:
        super().__init__(model_id="talking")

    def generate_stream(
        self, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> Iterator[ChatMessageStreamDelta]:
        while TALK in str(messages[-1].content):
            time.sleep(1 / PIECES_A_SECOND)
            yield ChatMessageStreamDelta(content="and another piece of prose, ")
        yield answered()


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


def serve(folder: Path, make_model: Callable[[], Model], **options: Any) -> None:
    """Serve a desk with this model and these settings until standard input ends."""
    settings = settings_in(folder, port=0, log_level="ERROR", **options)
    serve_until_told(build_server(build_desk(settings, make_model)))


if __name__ == "__main__":
    data, *executor = sys.argv[1:]
    if executor:
        serve(Path(data), ComputingModel, agent="code", executor=executor[0], max_steps=STEPS)
    else:
        serve(Path(data), TalkingModel, agent="tools")
