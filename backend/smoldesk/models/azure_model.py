"""Azure OpenAI: the same client and faults as OpenAI, with a deployment where a model's name would stand."""

import openai
from pydantic import SecretStr

from smoldesk.errors import BadInput
from smoldesk.models.access import (
    AZURE,
    Access,
    customary,
    revealed,
)
from smoldesk.models.openai_model import StoppableOpenAIModel


class StoppableAzureModel(StoppableOpenAIModel):
    """One run's connection to a deployment."""

    def __init__(
        self,
        deployment: str,
        *,
        key: SecretStr,
        endpoint: str,
        api_version: str,
        timeout: float,
        retries: int,
    ) -> None:
        self._api_version = api_version
        super().__init__(
            deployment, key=key, base_url=endpoint, timeout=timeout, retries=retries, names=AZURE
        )

    def create_client(self) -> openai.AzureOpenAI:
        """The real client. Called by smolagents' constructor."""
        return openai.AzureOpenAI(
            api_key=revealed(self._key),
            azure_endpoint=self._base_url,
            api_version=self._api_version,
            **self.client_options(),
        )


def azure_model(deployment: str, access: Access) -> StoppableAzureModel:
    """The deployment at the endpoint; raises BadInput naming what is not set."""
    key = access.azure_api_key or customary("AZURE_OPENAI_API_KEY")
    endpoint = access.azure_endpoint or revealed(customary("AZURE_OPENAI_ENDPOINT"))
    version = access.azure_api_version or revealed(customary("OPENAI_API_VERSION"))
    if key is None or not endpoint or not version:
        wanted = {"SMOLDESK_AZURE_API_KEY": key, "SMOLDESK_AZURE_ENDPOINT": endpoint}
        missing = [
            name for name, value in (wanted | {"SMOLDESK_AZURE_API_VERSION": version}).items() if not value
        ]
        raise BadInput(
            f'The model "azure:{deployment}" needs a key, an endpoint and an API version.',
            f"Set {', '.join(missing)}.",
            "model_auth",
        )
    return StoppableAzureModel(
        deployment,
        key=key,
        endpoint=endpoint,
        api_version=version,
        timeout=access.timeout,
        retries=access.retries,
    )
