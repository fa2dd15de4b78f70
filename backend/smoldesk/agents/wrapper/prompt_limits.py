"""Limits of a run's prompts: what cannot fit is not sent, and what a server cut off is reported to the person."""

from collections.abc import Callable
from typing import Any

from smolagents.models import ChatMessage

from smoldesk.agents.wrapper.window import Window
from smoldesk.errors import ModelFault
from smoldesk.events import Shown
from smoldesk.messages import Text
from smoldesk.models.capabilities import Capability
from smoldesk.models.errors import TooLong
from smoldesk.models.window_offers import larger_window
from smoldesk.tools.run_context import RunContext

# Makes the error for a prompt of so many tokens and a window of so many.
PromptFault = Callable[[int, int], ModelFault]


def prompt_fault(needed: int, window: int) -> ModelFault:
    """Return the error for a prompt that does not fit, without offers."""
    return ModelFault(
        f"The prompt needs about {needed:,} tokens, the model's window has {window:,}.", "", "prompt_too_long"
    )


class PromptLimits:
    """Fits the prompts of one run into the window, and learns the window from errors and counts."""

    def __init__(
        self,
        window: Window,
        capability: Capability | None = None,
        fault: PromptFault = prompt_fault,
    ) -> None:
        self._window = window
        self._capability = capability or Capability()
        self._fault = fault
        self._reported = False

    def fit(self, messages: list[ChatMessage], tools: Any = None) -> tuple[list[ChatMessage], int]:
        """Return the messages to send, and how many were shortened. Raises ModelFault (prompt_too_long)."""
        sent, shortened_count = self._window.fit(messages, tools)
        needed = self._window.excess()
        if needed is not None and self._window.context is not None:
            raise self._fault(needed, self._window.context)
        return sent, shortened_count

    def learn(self, fault: TooLong) -> bool:
        """Take over the figures of a refused prompt; return whether the next one may be shorter."""
        needed, window = fault.overflow
        if window is None:
            return False
        if needed is not None:
            self._window.calibrate(needed)
        elif window == self._window.context:
            return False
        self._window.resize(window)
        return True

    def check_count(self, tokens: int, ctx: RunContext) -> None:
        """Compare the prompt with the tokens that the model counted: a count that is too low means a cut prompt."""
        window = self._window.window_of_cut_prompt(tokens)
        if window is None:
            self._window.calibrate(tokens)
            return
        self._capability.learn_window(window)
        self._window.resize(window)
        if self._reported:
            return
        self._reported = True
        facts: dict[str, str | int] = {
            "sent": round(self._window.estimate(), -2),
            "read": tokens,
            "window": window,
            "set": larger_window(self._window.estimate()),
        }
        content = (
            "The model's server read only {read:,} of about {sent:,} tokens: it cut off the beginning of the prompt, which has "
            "the agent's instructions, without an error. Its window has {window:,} tokens. With Ollama, set "
            "OLLAMA_CONTEXT_LENGTH={set} and restart it."
        )
        ctx.emit(
            Shown(
                message=Text(content=content.format(**facts), tone="notice", code="prompt_cut", facts=facts)
            )
        )
