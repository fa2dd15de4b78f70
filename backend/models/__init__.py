"""From a model id to a smolagents Model that can be stopped and whose faults read the same for every provider.

`build_model` is called once per run: each run has a client, and so a connection, of its own, which `close_model`
ends from any thread. Faults of providers become ModelFault in `faults`; waiting and trying again is `retries`;
`openai_model` is the one provider so far and is imported when first used, as is smolagents itself.
To add a provider, start at `build_model`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pydantic import SecretStr

from backend.errors import BadInput
from backend.models.faults import translate

if TYPE_CHECKING:
    from smolagents import Model

__all__ = ["Closable", "build_model", "close_model", "translate"]

SUPPORTED = 'Supported now: "builtin" (offline, no key) and "openai:NAME" (any OpenAI-compatible server).'


@runtime_checkable
class Closable(Protocol):
    """A model whose calls can be ended from another thread."""

    def close(self) -> None:
        """End the call under way and refuse later ones; safe from any thread, at any time, more than once."""
        ...


def build_model(
    model_id: str,
    *,
    openai_api_key: SecretStr | None,
    openai_base_url: str,
    timeout: float,
    retries: int,
    builtin: Callable[[], "Model"],
) -> "Model":
    """The model `model_id` names, for one run.

    `timeout` (seconds) is the longest silence a provider may keep, `retries` how often a call that failed for a
    passing reason is tried again. `openai_base_url` empty means OpenAI itself, which wants a key; any other server
    may go without. Raises BadInput with code model_unknown or model_auth when the settings cannot work.
    """
    provider, _, name = model_id.strip().partition(":")
    match provider, name.strip():
        case "builtin", "" if ":" not in model_id:
            return builtin()
        case "openai", "":
            raise BadInput(
                f'The model id "{model_id}" names no model.',
                "Write openai:NAME, with the provider's name.",
                "model_unknown",
            )
        case "openai", model_name:
            from backend.models.openai_model import StoppableOpenAIModel

            if openai_api_key is None and not openai_base_url:
                raise BadInput(
                    f'The model "{model_id}" needs a key.',
                    "Set SMOLDESK_OPENAI_API_KEY, or SMOLDESK_OPENAI_BASE_URL for a server that wants none.",
                    "model_auth",
                )
            return StoppableOpenAIModel(
                model_name, key=openai_api_key, base_url=openai_base_url, timeout=timeout, retries=retries
            )
        case _:
            raise BadInput(f'The model "{model_id}" is not one this desk knows.', SUPPORTED, "model_unknown")


def close_model(model: object) -> None:
    """End whatever `model` is doing, when it can be ended; a model without a connection is left alone."""
    if isinstance(model, Closable):
        model.close()
