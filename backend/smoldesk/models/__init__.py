"""From a model id to a smolagents Model that can be stopped and whose faults read the same for every provider.

`build_model` is called once per run: each run has a client, and so a connection, of its own, which `close_model`
ends from any thread. Faults of providers become ModelFault in `errors`; waiting and trying again is `retries`; what
each provider needs is `access`. PROVIDERS is the registry: a provider's module is imported when first used, as is
smolagents itself. Other packages add theirs through entry points of `smoldesk.models`; spec/guides/add_a_provider.md
goes through the steps.
"""

import importlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from smoldesk.errors import BadInput, DeskError, ModelFault
from smoldesk.models.access import Access
from smoldesk.models.errors import translate
from smoldesk.plugins import load_group, names_in

if TYPE_CHECKING:
    from smolagents import Model

__all__ = [
    "Access",
    "Closable",
    "build_model",
    "check_model_id",
    "check_plugins",
    "close_model",
    "first_word",
    "translate",
]

GROUP = "smoldesk.models"
# Builds the model of a name, for one run. Raises BadInput for unusable settings.
BuildModel = Callable[[str, Access], "Model"]


@dataclass(frozen=True)
class Provider:
    """`form`: how its models are written. `module`: has a BuildModel called `build`."""

    form: str
    module: str


PROVIDERS = {
    "openai": Provider("openai:NAME", "smoldesk.models.openai_model"),
    "litellm": Provider("litellm:PROVIDER/MODEL", "smoldesk.models.litellm_model"),
    "transformers": Provider("transformers:PATH-OR-ID", "smoldesk.models.transformers_model"),
}

# Prefixes of version 0.1 for providers behind LiteLLM: their current form, and the variables LiteLLM reads.
THROUGH_LITELLM = {
    "azure": ("litellm:azure/DEPLOYMENT", "AZURE_API_KEY, AZURE_API_BASE and AZURE_API_VERSION"),
    "hf": ("litellm:huggingface/PROVIDER/ORG/MODEL", "HF_TOKEN"),
    "bedrock": ("litellm:bedrock/MODEL-ID", "AWS_REGION_NAME and AWS keys or a profile"),
}


@runtime_checkable
class Closable(Protocol):
    """A model whose calls can be ended from another thread."""

    def close(self) -> None:
        """End the call under way and refuse later ones; safe from any thread, at any time, more than once."""
        ...


def build_model(model_id: str, access: Access, builtin: Callable[[], "Model"]) -> "Model":
    """Build the model that `model_id` names, for one run.

    Raises BadInput with code model_unknown, model_auth or model_extra_missing if the settings cannot work, bad_plugin
    for another package's provider that cannot be loaded, and ModelFault for an error of a provider's library.
    """
    provider, name = check_model_id(model_id)
    if provider == "builtin":
        return builtin()
    if provider in PROVIDERS:
        return importlib.import_module(PROVIDERS[provider].module).build(name, access)
    return _plugin_builder(provider)(name, access)


def check_model_id(model_id: str) -> tuple[str, str]:
    """Return (provider, name) of a model id. Raises BadInput with code model_unknown for an invalid one."""
    provider, colon, name = model_id.strip().partition(":")
    name = name.strip()
    if provider == "builtin" and not colon:
        return provider, name
    if provider in THROUGH_LITELLM and colon:
        form, reads = THROUGH_LITELLM[provider]
        raise BadInput(
            f'The model "{model_id}" is reached through LiteLLM.',
            f"Write {form}; it reads {reads}.",
            "model_unknown",
        )
    if not colon or (provider not in PROVIDERS and provider not in names_in(GROUP)):
        raise BadInput(f'The model "{model_id}" is not one this desk knows.', supported(), "model_unknown")
    if not name:
        form = PROVIDERS[provider].form if provider in PROVIDERS else f"{provider}:NAME"
        raise BadInput(f'The model id "{model_id}" names no model.', f"Write {form}.", "model_unknown")
    return provider, name


def supported() -> str:
    """Return a sentence with the supported forms of model ids."""
    forms = [provider.form for provider in PROVIDERS.values()] + [f"{name}:NAME" for name in names_in(GROUP)]
    return f'Supported: "builtin" (offline, no key), {", ".join(forms)}.'


def check_plugins() -> list[str]:
    """Load the providers of other packages once. Raises BadInput (bad_plugin) with the name and the reason."""
    plugins = load_group(GROUP)
    for plugin in plugins:
        if plugin.name in PROVIDERS or plugin.name in {"builtin", *THROUGH_LITELLM}:
            problem = f"is called {plugin.name!r}, as one of the desk's own is"
        elif not callable(plugin.loaded):
            problem = "cannot be called"
        else:
            continue
        raise BadInput(
            f"The model provider {plugin.name!r} from {plugin.where} {problem}.",
            "Expected a function (name, access) that returns a smolagents Model; repair that package, or uninstall it.",
            code="bad_plugin",
        )
    return [plugin.name for plugin in plugins]


def _plugin_builder(provider: str) -> BuildModel:
    check_plugins()
    [plugin] = load_group(GROUP, [provider])
    return cast("BuildModel", plugin.loaded)


def close_model(model: object) -> None:
    """End what `model` is doing, if possible; a model without a connection is left alone."""
    if isinstance(model, Closable):
        model.close()


INSTRUCTIONS = "Answer in one word."
PROMPT = "New task:\nhello"
# A stop sequence of every smolagents agent.
STOP = ["Observation:"]


def first_word(model: "Model", seconds: float) -> None:
    """Wait for the first piece of an answer, `seconds` at most, and hang up; raises DeskError with what is wrong.

    The request has what an agent sends: instructions, stop sequences, a stream.
    Not by a limit on tokens: providers disagree on what that is called, and some refuse the other's word.
    """
    outcome: queue.SimpleQueue[DeskError | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            _begin(model)
        except DeskError as fault:
            outcome.put(fault)
        except Exception as error:  # a provider's client may raise anything; the desk translates it
            outcome.put(translate(error))
        else:
            outcome.put(None)

    threading.Thread(target=ask, name="model-trial", daemon=True).start()
    try:
        fault = outcome.get(timeout=seconds)
    except queue.Empty:
        fault = ModelFault(
            f"The model did not respond within {seconds:.0f} seconds.",
            "Try again: some models need longer the first time.",
            "model_timeout",
        )
    if fault is not None:
        raise fault


def _begin(model: "Model") -> None:
    from smolagents.models import ChatMessage, MessageRole

    texts = {MessageRole.SYSTEM: INSTRUCTIONS, MessageRole.USER: PROMPT}
    prompt = [
        ChatMessage(role=role, content=[{"type": "text", "text": text}]) for role, text in texts.items()
    ]
    stream: Any = getattr(model, "generate_stream", None)
    if stream is None:
        model.generate(prompt, stop_sequences=STOP)
        return
    for delta in stream(prompt, stop_sequences=STOP):
        if delta.content or delta.tool_calls:
            return
