"""Words of a chat's model for others that ask for them during a call: MCP servers, with the person's yes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from smoldesk.stopping import StopFlag

if TYPE_CHECKING:
    from smolagents.models import Model


def sampled(
    make_model: "Callable[[], Model]", messages: Sequence[tuple[str, str]], most_tokens: int, stop: StopFlag
) -> tuple[str, str]:
    """What a model made for this once says to (role, text) messages, and its name. Raises DeskError, Stopped."""
    from smolagents.models import ChatMessage, MessageRole

    from smoldesk.models import close_model, translate

    model = make_model()
    said = [
        ChatMessage(role=MessageRole(role), content=[{"type": "text", "text": text}])
        for role, text in messages
    ]
    try:
        with stop.calling(lambda: close_model(model)):
            reply = model.generate(said, max_tokens=most_tokens)
    except Exception as fault:
        stop.check()
        raise translate(fault) from fault
    finally:
        close_model(model)
    return str(reply.content or ""), model.model_id or ""
