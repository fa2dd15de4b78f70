"""Access to the providers: keys, addresses and limits from the settings.

The rule for every provider: a SMOLDESK_* setting that is set counts; an empty one gives way to the provider's
customary variables: OPENAI_API_KEY, HF_TOKEN or a login on this machine, and those that LiteLLM reads
(ANTHROPIC_API_KEY, AZURE_*, AWS_*, profiles, ...).
"""

import importlib
import os
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from smoldesk.errors import BadInput
from smoldesk.models.capabilities import Capabilities, Capability
from smoldesk.models.options import NO_OPTIONS, ModelOptions


@dataclass(frozen=True)
class Names:
    """Settings and entries that the hint of a fault points at; empty: nothing was set, and the hint offers something else."""

    key: str = ""
    address: str = ""
    model: str = ""
    timeout: str = ""
    memory: str = ""
    context: str = ""


NO_NAMES = Names()


@dataclass(frozen=True)
class Access:
    """Empty text and None: not set here. `timeout` is the longest silence in seconds, `retries` counts extra tries.

    `names` are where key, address and model come from if not from settings, and `settings` the settings that were set, of
    those that a hint may name. `options` go with every request; `capabilities` are what the servers of this desk refused.
    """

    timeout: float
    retries: int
    openai_api_key: SecretStr | None = None
    openai_base_url: str = ""
    litellm_api_key: SecretStr | None = None
    litellm_base_url: str = ""
    hf_token: SecretStr | None = None
    names: Names | None = None
    settings: frozenset[str] = frozenset()
    options: ModelOptions = NO_OPTIONS
    capabilities: Capabilities = field(default_factory=Capabilities, repr=False, compare=False)

    def capability(self, model_id: str) -> Capability:
        """Return what is known of a model, such as `openai:gpt-5`, at the address that this access has for it."""
        return self.capabilities.of(self._address(model_id), model_id)

    def forget_capability(self, model_id: str) -> None:
        """Forget what is known of a model, which may have changed."""
        self.capabilities.forget(self._address(model_id), model_id)

    def names_of(self, provider: str) -> Names:
        """Return what the faults of a provider point at: nothing that was never set."""

        def name(setting: str) -> str:
            return f"SMOLDESK_{setting.upper()}" if setting in self.settings else ""

        def access(setting: str) -> str:
            return f"SMOLDESK_{setting.upper()}" if getattr(self, setting, None) else ""

        key = "hf_token" if provider == "transformers" else f"{provider}_api_key"
        place = self.names or NO_NAMES
        return Names(
            key=place.key or access(key),
            address=place.address or access(f"{provider}_base_url"),
            model=place.model or name("model"),
            timeout=name("model_timeout_seconds"),
            memory=name("memory_runs"),
            context=name("model_context"),
        )

    def _address(self, model_id: str) -> str:
        return getattr(self, f"{model_id.partition(':')[0]}_base_url", "")


def revealed(secret: SecretStr | None) -> str | None:
    """Return the text of a secret for a client library, or None."""
    return secret.get_secret_value() if secret is not None and secret.get_secret_value() else None


def customary(variable: str) -> SecretStr | None:
    """Return the value of a provider's customary variable: the only read of the environment besides Settings."""
    value = os.environ.get(variable, "").strip()
    return SecretStr(value) if value else None


def library(module: str, extra: str, model_id: str) -> Any:
    """Import a provider's library on first use. Raises BadInput with the extra that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise BadInput(
            f"The model \"{model_id}\" needs an extra: pip install -e '.[{extra}]'",
            f"{missing.name or module} is not installed; that line, in the checkout, brings it.",
            "model_extra_missing",
        ) from None
