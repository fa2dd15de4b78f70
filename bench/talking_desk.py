"""`python -m bench.talking_desk FOLDER`: a served desk whose runs talk until they are stopped.

Its port is the first line it prints; it ends when its standard input does.

Who says TALK gets a run that streams a piece 20 times a second; any other message is answered at once. No code runs, so
that what is measured is the server and not the children.
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCallFunction,
    ChatMessageToolCallStreamDelta,
    Model,
)

from bench.until_told import serve_until_told
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from smoldesk.settings import Settings

TALK = "talk without end"
PIECES_A_SECOND = 20


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
        function = ChatMessageToolCallFunction(name="final_answer", arguments='{"answer": "1"}')
        yield ChatMessageStreamDelta(
            tool_calls=[ChatMessageToolCallStreamDelta(0, "call_0", "function", function)]
        )


def main(folder: Path) -> None:
    serve(folder, TalkingModel, agent="tools")


def serve(folder: Path, make_model: Callable[[], Model], **options: Any) -> None:
    """Serve a desk with this model and these settings until standard input ends."""
    given: dict[str, Any] = {"data_dir": folder, "port": 0, "log_level": "ERROR"} | options
    settings = Settings(_env_file=None, sandbox_preload=[], allow_unisolated=True, **given)  # pyright: ignore
    serve_until_told(build_server(build_desk(settings, make_model)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
