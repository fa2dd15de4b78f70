"""Hugging Face's Inference Providers: their router speaks as OpenAI does, and so does every endpoint one may run there.

smolagents' own class shares one client between all threads of a process, so no run could hang up alone.
"""

from typing import Any

from pydantic import SecretStr

from smoldesk.errors import BadInput
from smoldesk.models.access import HF, Access
from smoldesk.models.openai_model import StoppableOpenAIModel

ROUTER = "https://router.huggingface.co/v1"


def hf_model(name: str, access: Access) -> StoppableOpenAIModel:
    """`org/model` or `org/model@provider`, by the router or by an endpoint of one's own; raises BadInput without a token."""
    model, _, provider = name.partition("@")
    token = access.hf_token or _login()
    if token is None and not access.hf_base_url:
        raise BadInput(
            f'The model "hf:{name}" needs a token.',
            "Set SMOLDESK_HF_TOKEN (or HF_TOKEN), or SMOLDESK_HF_BASE_URL for a server that wants none.",
            "model_auth",
        )
    return StoppableOpenAIModel(
        f"{model.strip()}:{provider.strip()}" if provider.strip() else model.strip(),
        key=token,
        base_url=access.hf_base_url or ROUTER,
        timeout=access.timeout,
        retries=access.retries,
        names=HF,
    )


def _login() -> SecretStr | None:
    """The token of HF_TOKEN, or of a login on this machine."""
    import huggingface_hub

    look: Any = huggingface_hub.get_token
    found = look()
    return SecretStr(found) if isinstance(found, str) and found else None
