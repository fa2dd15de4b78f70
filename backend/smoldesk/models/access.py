"""What it takes to reach each provider: keys, addresses and limits, as the settings give them.

The rule for every provider: a SMOLDESK_* setting that is set counts; one left empty gives way to what is customary
there: OPENAI_API_KEY, HF_TOKEN or a login on this machine, and whatever LiteLLM looks for (ANTHROPIC_API_KEY, AZURE_*,
AWS_*, profiles, ...).
"""

import importlib
import os
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr

from smoldesk.errors import BadInput


@dataclass(frozen=True)
class Names:
    """The settings a fault of this provider points at."""

    key: str = "SMOLDESK_OPENAI_API_KEY"
    address: str = "SMOLDESK_OPENAI_BASE_URL"
    model: str = "SMOLDESK_MODEL"


@dataclass(frozen=True)
class Access:
    """Empty text and None: not set here. `timeout` is the longest silence in seconds, `retries` counts extra tries.

    `names` are what faults point at where the provider's own settings are not meant.
    """

    timeout: float
    retries: int
    openai_api_key: SecretStr | None = None
    openai_base_url: str = ""
    litellm_api_key: SecretStr | None = None
    litellm_base_url: str = ""
    hf_token: SecretStr | None = None
    names: Names | None = None


OPENAI = Names()
LITELLM = Names("SMOLDESK_LITELLM_API_KEY", "SMOLDESK_LITELLM_BASE_URL")
TRANSFORMERS = Names("SMOLDESK_HF_TOKEN", "SMOLDESK_MODEL")


def revealed(secret: SecretStr | None) -> str | None:
    """The text of a secret, for a client library; None when there is none."""
    return secret.get_secret_value() if secret is not None and secret.get_secret_value() else None


def customary(variable: str) -> SecretStr | None:
    """What an operator has set for a provider's other programs, too. The one look at the environment beside Settings."""
    value = os.environ.get(variable, "").strip()
    return SecretStr(value) if value else None


def library(module: str, extra: str, model_id: str) -> Any:
    """A provider's library, imported when first used; raises BadInput naming the extra that brings it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise BadInput(
            f"The model \"{model_id}\" needs an extra: pip install -e '.[{extra}]'",
            f"{missing.name or module} is not installed; that line, in the checkout, brings it.",
            "model_extra_missing",
        ) from None
