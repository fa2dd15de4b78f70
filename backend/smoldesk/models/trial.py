"""One word from a model, to see whether it works: the call is hung up on after its first piece."""

import queue
import threading
from typing import TYPE_CHECKING, Any

from smoldesk.errors import DeskError, ModelFault
from smoldesk.models.errors import translate

if TYPE_CHECKING:
    from smolagents import Model

PROMPT = "New task:\nhello"


def first_word(model: "Model", seconds: float) -> None:
    """Wait for the first piece of an answer, `seconds` at most; raises DeskError with what is wrong.

    Not by a limit on tokens: providers disagree on what that is called, and some refuse the other's word.
    """
    outcome: queue.SimpleQueue[DeskError | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            _begin(model)
        except DeskError as fault:
            outcome.put(fault)
        except Exception as error:  # whatever a provider's client raises, in the desk's words
            outcome.put(translate(error))
        else:
            outcome.put(None)

    threading.Thread(target=ask, name="model-trial", daemon=True).start()
    try:
        fault = outcome.get(timeout=seconds)
    except queue.Empty:
        fault = ModelFault(
            f"The model said nothing within {seconds:.0f} seconds.",
            "Try again: some models need longer the first time.",
            "model_timeout",
        )
    if fault is not None:
        raise fault


def _begin(model: "Model") -> None:
    from smolagents.models import ChatMessage, MessageRole

    prompt = [ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": PROMPT}])]
    stream: Any = getattr(model, "generate_stream", None)
    if stream is None:
        model.generate(prompt)
        return
    for delta in stream(prompt):
        if delta.content or delta.tool_calls:
            return
