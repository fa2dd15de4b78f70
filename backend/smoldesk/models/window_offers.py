"""Offers for a prompt that is longer than the model's window: other models, a shorter agent, a larger window."""

from collections.abc import Callable

from smoldesk.errors import DeskError, ModelFault
from smoldesk.models.choices import BUILTIN, ModelChoices

# Models that an error names at most.
MAX_OFFERS = 3
# The agent with the shortest prompt.
SMALL = "small"
# How a window is enlarged, by the names of servers that the desk searches.
_SETTINGS = {
    "ollama": "OLLAMA_CONTEXT_LENGTH={n}",
    "llamacpp": "-c {n}",
    "lmstudio": "Context Length {n}",
    "vllm": "--max-model-len {n}",
}


class PromptTooLong(ModelFault):
    """A prompt that was not sent, because it cannot fit into the model's window."""

    code = "prompt_too_long"


def larger_window(needed: int) -> int:
    """Return a window for a prompt, its answer and some steps: a power of two."""
    return 1 << max(13, (needed + needed // 2).bit_length())


class WindowOffers:
    """Offers for the choice of a model, in a chat with an agent."""

    def __init__(
        self, choices: ModelChoices, choice: str, agent: str, agents: Callable[[], list[str]]
    ) -> None:
        self._choices = choices
        self._choice = choice
        self._agent = agent
        self._agents = agents

    def fault(self, needed: int, window: int) -> PromptTooLong:
        """Return the error for a prompt of `needed` tokens, with what would fit."""
        rounded = max(round(needed, -2), window + 1)
        models = ", ".join(self._models(needed))
        agent = SMALL if SMALL in self._agents() and self._agent != SMALL else ""
        setting = self._setting(needed)
        offers = [
            f"Choose a model with a larger window: {models}." if models else "",
            f"The agent {agent!r} has a shorter prompt." if agent else "",
            f"Or start the model's server with a larger window: {setting}." if setting else "",
        ]
        fault = PromptTooLong(
            f"The prompt was not sent: it needs about {rounded:,} tokens, and the model's window has {window:,}.",
            " ".join(offer for offer in offers if offer) or "Choose a model with a larger window.",
        )
        fault.facts = {
            "needed": rounded,
            "window": window,
            "models": models,
            "agent": agent,
            "setting": setting,
        }
        return fault

    def _models(self, needed: int) -> list[str]:
        """Return choices whose known window has room for the prompt and an answer."""
        names: list[str] = []
        for name in self._choices.known():
            try:
                context = self._choices.resolve(name).context
            except DeskError:  # it cannot be used
                continue
            if (
                name not in (self._choice, BUILTIN)
                and context is not None
                and context >= needed + needed // 3
            ):
                names.append(name)
        return names[:MAX_OFFERS]

    def _setting(self, needed: int) -> str:
        """Return the setting of the model's server, if it is one of a person's own."""
        server, slash, _ = self._choice.partition("/")
        form = _SETTINGS.get(server) if slash else None
        if form is not None:
            return form.format(n=larger_window(needed))
        try:
            resolved = self._choices.resolve(self._choice)
        except DeskError:
            return ""
        if not resolved.access.openai_base_url or not resolved.model.startswith("openai:"):
            return ""
        n = larger_window(needed)
        return f"{_SETTINGS['ollama'].format(n=n)} (Ollama), {_SETTINGS['llamacpp'].format(n=n)} (llama.cpp)"
