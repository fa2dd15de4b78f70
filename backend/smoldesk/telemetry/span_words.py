"""Words of the conventions for what the desk calls otherwise: providers, and what went wrong."""

import re

PROVIDERS = {
    "builtin": "smoldesk",
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "moonshot": "moonshot_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}
"""Providers whose name is another one in the conventions."""
IN_PROCESS = {"smoldesk", "transformers"}
OTHER = "_OTHER"
FAULT = re.compile(r"[A-Z][A-Za-z]{2,60}(?:Error|Exception|Denied|Failed|Fault)\b")


def provider_of(model_id: str) -> str:
    """Who a model is of, by its id in the settings."""
    provider, _, name = model_id.partition(":")
    provider = name.partition("/")[0] if provider == "litellm" else provider
    return PROVIDERS.get(provider, provider) or PROVIDERS["builtin"]


def fault_of(words: str) -> str:
    """A word for what went wrong that holds nothing anybody said: the class that the words begin with."""
    found = FAULT.match(words)
    return words if words == "stopped" else found[0] if found else OTHER
