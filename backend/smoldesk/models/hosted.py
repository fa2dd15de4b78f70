"""Providers that people have keys of: how their models are written, where they answer, and where their keys come from.

An address of this table is complete but for a region or a resource, which is one label of a host name, so a key that is
entered for a provider goes to no other server. Most have an OpenAI-compatible address; LiteLLM is for the others.
"""

import re
from dataclasses import dataclass
from typing import Literal

from smoldesk.errors import BadInput

_PLACE = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"


@dataclass(frozen=True)
class HostedProvider:
    """One provider. `model` is the form of its ids; it or `base_url` contains `{place}` if the provider has several.

    `key_form` shows what a key looks like, `keys_at` is the page with keys or their documentation. `prices` is the prefix
    of its models in LiteLLM's table, None if it has none. `lists`: its list of models has those that answer chats.
    """

    title: str
    example: str
    base_url: str = ""
    model: str = "openai:{model}"
    key_form: str = ""
    keys_at: str = ""
    place: Literal["", "resource", "region"] = ""
    prices: str | None = None
    lists: bool = True

    @property
    def needs_litellm(self) -> bool:
        return self.model.startswith("litellm:")


# Sources: the providers' pages on their OpenAI-compatible APIs. Anthropic calls its own one a means to compare models
# and not for production (platform.claude.com, "OpenAI SDK compatibility"); Bedrock's reaches neither Claude nor Nova.
# Azure's list names models that have no deployment.
HOSTED: dict[str, HostedProvider] = {
    "openai": HostedProvider(
        "OpenAI",
        "gpt-5",
        "https://api.openai.com/v1",
        key_form="sk-…",
        keys_at="https://platform.openai.com/api-keys",
        prices="",
    ),
    "anthropic": HostedProvider(
        "Anthropic",
        "claude-sonnet-4-5",
        model="litellm:anthropic/{model}",
        key_form="sk-ant-…",
        keys_at="https://console.anthropic.com/settings/keys",
        lists=False,
    ),
    "gemini": HostedProvider(
        "Google Gemini",
        "gemini-2.5-flash",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        key_form="AIza…",
        keys_at="https://aistudio.google.com/apikey",
        prices="gemini/",
    ),
    "mistral": HostedProvider(
        "Mistral",
        "mistral-large-latest",
        "https://api.mistral.ai/v1",
        keys_at="https://console.mistral.ai/api-keys",
        prices="mistral/",
    ),
    "deepseek": HostedProvider(
        "DeepSeek",
        "deepseek-chat",
        "https://api.deepseek.com",
        key_form="sk-…",
        keys_at="https://platform.deepseek.com/api_keys",
        prices="deepseek/",
    ),
    "openrouter": HostedProvider(
        "OpenRouter",
        "qwen/qwen3-coder",
        "https://openrouter.ai/api/v1",
        key_form="sk-or-…",
        keys_at="https://openrouter.ai/settings/keys",
        prices="openrouter/",
    ),
    "groq": HostedProvider(
        "Groq",
        "openai/gpt-oss-120b",
        "https://api.groq.com/openai/v1",
        key_form="gsk_…",
        keys_at="https://console.groq.com/keys",
        prices="groq/",
    ),
    "azure": HostedProvider(
        "Azure OpenAI",
        "my-deployment",
        "https://{place}.openai.azure.com/openai/v1",
        keys_at="https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle",
        place="resource",
        lists=False,
    ),
    "bedrock": HostedProvider(
        "Amazon Bedrock",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        model="litellm:bedrock/{place}/{model}",
        keys_at="https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html",
        place="region",
        lists=False,
    ),
    "huggingface": HostedProvider(
        "Hugging Face",
        "Qwen/Qwen3-Coder-480B-A35B-Instruct",
        "https://router.huggingface.co/v1",
        key_form="hf_…",
        keys_at="https://huggingface.co/settings/tokens",
    ),
}


def hosted(name: str) -> HostedProvider:
    """Return a provider. Raises BadInput with the code unknown_provider."""
    if name not in HOSTED:
        raise BadInput(
            f"There is no provider {name[:40]!r}.",
            f"Expected one of {', '.join(HOSTED)}.",
            code="unknown_provider",
        )
    return HOSTED[name]


def hosted_model(provider: HostedProvider, model: str, place: str = "") -> tuple[str, str]:
    """Return the id and the address of a provider's model. Raises BadInput (bad_place) for an invalid region or resource."""
    if (provider.place != "" or place != "") and not re.fullmatch(_PLACE, place):
        raise BadInput(
            f"{place[:60]!r} is not a {provider.place or 'region'} of {provider.title}.",
            "Expected its name alone: small letters, digits and hyphens.",
            code="bad_place",
        )
    return provider.model.format(model=model, place=place), provider.base_url.format(place=place)


def provider_at(base_url: str) -> HostedProvider | None:
    """Return the provider whose address this is, for any region or resource."""
    for provider in HOSTED.values():
        form = re.escape(provider.base_url).replace(re.escape("{place}"), _PLACE)
        if base_url and re.fullmatch(form, base_url):
            return provider
    return None


def priced_as(model: str, base_url: str) -> str | None:
    """Return LiteLLM's name of a model at an OpenAI-compatible address; None for a server without known prices."""
    if not base_url:
        return model
    provider = provider_at(base_url)
    return None if provider is None or provider.prices is None else provider.prices + model
