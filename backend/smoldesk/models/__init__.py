"""From a model id to a smolagents Model that can be stopped and whose faults read the same for every provider.

`build_model` is called once per run: each run has a client, and so a connection, of its own, which `close_model`
ends from any thread. Faults of providers become ModelFault in `faults`; waiting and trying again is `retries`; what
each provider needs is `access`. Providers are imported when first used, as is smolagents itself: `openai_model` (and
`azure_model`, and Hugging Face's router, which speaks the same), `litellm_model`, `bedrock_model`,
`transformers_model`. To add one, start at `_BUILDERS`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from smoldesk.errors import BadInput
from smoldesk.models.access import Access
from smoldesk.models.errors import translate

if TYPE_CHECKING:
    from smolagents import Model

__all__ = ["Access", "Closable", "build_model", "check_model_id", "close_model", "translate"]

FORMS = {
    "openai": "openai:NAME",
    "azure": "azure:DEPLOYMENT",
    "litellm": "litellm:PROVIDER/MODEL",
    "hf": "hf:ORG/MODEL[@PROVIDER]",
    "bedrock": "bedrock:MODEL-ID",
    "transformers": "transformers:PATH-OR-ID",
}
"""How a model of each provider is written."""

SUPPORTED = f'Supported: "builtin" (offline, no key), {", ".join(FORMS.values())}.'


@runtime_checkable
class Closable(Protocol):
    """A model whose calls can be ended from another thread."""

    def close(self) -> None:
        """End the call under way and refuse later ones; safe from any thread, at any time, more than once."""
        ...


def build_model(model_id: str, access: Access, builtin: Callable[[], "Model"]) -> "Model":
    """The model `model_id` names, for one run.

    Raises BadInput with code model_unknown, model_auth or model_extra_missing when the settings cannot work, and
    ModelFault where a provider's library finds that out.
    """
    provider, name = check_model_id(model_id)
    if provider == "builtin":
        return builtin()
    return _BUILDERS[provider](name, access)


def check_model_id(model_id: str) -> tuple[str, str]:
    """(provider, name) of a model id; raises BadInput with code model_unknown for one that can name no model."""
    provider, colon, name = model_id.strip().partition(":")
    name = name.strip()
    if provider == "builtin" and not colon:
        return provider, name
    if provider not in FORMS or not colon:
        raise BadInput(f'The model "{model_id}" is not one this desk knows.', SUPPORTED, "model_unknown")
    if not name:
        raise BadInput(
            f'The model id "{model_id}" names no model.', f"Write {FORMS[provider]}.", "model_unknown"
        )
    return provider, name


def close_model(model: object) -> None:
    """End whatever `model` is doing, when it can be ended; a model without a connection is left alone."""
    if isinstance(model, Closable):
        model.close()


def _openai(name: str, access: Access) -> "Model":
    from smoldesk.models.openai_model import openai_model

    return openai_model(name, access)


def _azure(name: str, access: Access) -> "Model":
    from smoldesk.models.azure_model import azure_model

    return azure_model(name, access)


def _hf(name: str, access: Access) -> "Model":
    from smoldesk.models.hf_model import hf_model

    return hf_model(name, access)


def _litellm(name: str, access: Access) -> "Model":
    from smoldesk.models.litellm_model import StoppableLiteLLMModel

    return StoppableLiteLLMModel(
        name,
        key=access.litellm_api_key,
        base_url=access.litellm_base_url,
        timeout=access.timeout,
        retries=access.retries,
    )


def _bedrock(name: str, access: Access) -> "Model":
    from smoldesk.models.bedrock_model import StoppableBedrockModel

    return StoppableBedrockModel(name, access)


def _transformers(name: str, access: Access) -> "Model":
    from smoldesk.models.transformers_model import StoppableTransformersModel

    return StoppableTransformersModel(name, token=access.hf_token)


_BUILDERS: dict[str, Callable[[str, Access], "Model"]] = {
    "openai": _openai,
    "azure": _azure,
    "litellm": _litellm,
    "hf": _hf,
    "bedrock": _bedrock,
    "transformers": _transformers,
}
