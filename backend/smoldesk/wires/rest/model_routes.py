"""HTTP routes of models: list, add, set a key or options, remove; hosted providers. Responses never contain keys."""

import asyncio
from importlib.util import find_spec
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import ConfigDict, Field, JsonValue, SecretStr

from smoldesk.agents import DeskAgents
from smoldesk.connections import Models
from smoldesk.connections.models import ModelState
from smoldesk.errors import BadInput, Refused
from smoldesk.messages import Shape
from smoldesk.models.access import revealed
from smoldesk.models.choices import NamedModel
from smoldesk.models.hosted import HOSTED, hosted, hosted_model
from smoldesk.models.options import EFFORTS, MAX_TEMPERATURE, MAX_TOKENS, ModelOptions, options_from
from smoldesk.wires.rest.models import refusals

Key = Annotated[SecretStr, Field(min_length=1, max_length=2_000)]
# Their ranges are in the document alone: ModelOptions checks them.
Temperature = Annotated[float, Field(json_schema_extra={"minimum": 0, "maximum": MAX_TEMPERATURE})]
MaxTokens = Annotated[int, Field(json_schema_extra={"minimum": 1, "maximum": MAX_TOKENS})]
Effort = Annotated[str, Field(max_length=20, json_schema_extra={"enum": [*EFFORTS]})]


class Options(Shape):
    """Options of a model's answers; null and {} if they are not set. Ranges are checked with their own error codes."""

    temperature: Temperature | None = None
    max_tokens: MaxTokens | None = None
    reasoning_effort: Effort | None = None
    extra_body: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])

    def checked(self) -> ModelOptions:
        """Return the options. Raises BadInput with the code `bad_` and the option's name."""
        return options_from(dict(self))


class ModelInfo(Shape):
    """Model that a chat can choose by `id`. `server` is the name of a discovered server; `state` is current.

    `context` is in tokens, prices in US dollars per million tokens; null if unknown. `structured` if it supports output
    schemas, `ofPage` if a person added it. `refused` names what its server does not take: `streaming`, `system`, `tools`,
    else a parameter such as `stop`.
    """

    id: str
    model: str
    state: ModelState
    server: str
    address: str
    context: int | None
    images: bool | None
    structured: bool | None
    input_price: float | None
    output_price: float | None
    of_page: bool
    problem: str
    options: Options
    refused: list[str]


class ModelList(Shape):
    """Models, the desk's own first. `mayAdd` if users of this desk may add and remove them.

    `promptTokens` are what the instructions of the chat's agent take, estimated; null for a program.
    """

    models: list[ModelInfo]
    may_add: bool
    prompt_tokens: int | None


class ProviderInfo(Shape):
    """Hosted provider; `place` names the extra field that it needs, `install` the command without which it cannot be used."""

    name: str
    title: str
    example: str
    key_form: str
    keys_at: str
    place: Literal["", "resource", "region"]
    lists: bool
    install: str


_PROVIDER_FACTS = ProviderInfo.model_fields.keys() - {"name", "install"}


class ProviderList(Shape):
    """Hosted providers, in the order of the page."""

    providers: list[ProviderInfo]


class ProviderModels(Shape):
    """Models that a provider lists; empty if its list does not help."""

    models: list[str]


class NewModel(Shape):
    """Body of POST /api/models. `model` has the form of SMOLDESK_MODEL; `baseUrl` is the URL before /chat/completions.

    With `provider`, `model` is the provider's own name of the model, and address and form come from the desk; `place` is
    its region or resource, if it needs one.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    name: Annotated[str, Field(min_length=1, max_length=40)]
    model: Annotated[str, Field(min_length=1, max_length=300)]
    base_url: Annotated[str, Field(max_length=2_000)] = ""
    key: Annotated[SecretStr | None, Field(max_length=2_000)] = None
    context: Annotated[int | None, Field(ge=256, le=100_000_000)] = None
    provider: Annotated[str, Field(max_length=40)] = ""
    place: Annotated[str, Field(max_length=63)] = ""
    options: Options = Options()

    def named(self) -> NamedModel:
        """Return the model. Raises BadInput for invalid options and for what does not fit its provider."""
        model, base_url = self.model, self.base_url
        if self.provider:
            if base_url or not revealed(self.key):
                raise BadInput(
                    "A model of a provider needs a key, and has its address.",
                    "Leave `baseUrl` out.",
                    code="bad_address" if base_url else "model_auth",
                )
            model, base_url = hosted_model(hosted(self.provider), model, self.place)
        return NamedModel(self.name, model, base_url, self.key, self.context, options=self.options.checked())


class NewKey(Shape):
    """Body of PUT /api/models/{name}/key."""

    model_config = ConfigDict(hide_input_in_errors=True)

    key: Key


def add_model_routes(routes: APIRouter, models: Models, agents: DeskAgents, private: bool) -> None:
    """Add the routes of this module to the router of /api."""
    # Only on a private desk: adding one makes the desk connect to an address that the user chose.
    may_add = models.from_page and private

    def check_permission() -> None:
        if not may_add:
            raise Refused(
                "Users of this desk cannot change its models.",
                "Its operator defines them in agents.toml, or sets SMOLDESK_MODELS=page and a token.",
            )

    @routes.get("/models")
    async def index(chat: Annotated[str | None, Query(max_length=100)] = None) -> ModelList:
        """List models, with those of local and configured servers, which are queried with a short time limit."""
        tokens = await asyncio.to_thread(agents.prompt_tokens, chat)
        infos = [
            ModelInfo.model_validate(model, from_attributes=True) for model in await models.list_models()
        ]
        may_change = may_add and not models.choices.builtin_only
        return ModelList(models=infos, may_add=may_change, prompt_tokens=tokens)

    @routes.post("/models", status_code=201, responses=refusals(409, 502))
    async def add(body: NewModel) -> ModelInfo:
        """Add a model after a test request. If the test fails, the error has its text and nothing is stored."""
        check_permission()
        return ModelInfo.model_validate(await models.add(body.named()), from_attributes=True)

    @routes.get("/model-providers")
    async def providers() -> ProviderList:
        """List the providers whose models need only a name and a key, without asking any of them."""
        missing = "" if find_spec("litellm") else "pip install -e '.[litellm]'"
        infos: list[ProviderInfo] = []
        for name, provider in HOSTED.items():
            facts = {fact: getattr(provider, fact) for fact in _PROVIDER_FACTS}
            install = missing if provider.needs_litellm else ""
            infos.append(ProviderInfo(name=name, install=install, **facts))
        return ProviderList(providers=infos)

    @routes.post("/model-providers/{name}/models", responses=refusals(404, 502))
    async def provider_models(name: str, body: NewKey) -> ProviderModels:
        """List a provider's models. The key is sent to the provider's own address and not stored."""
        check_permission()
        return ProviderModels(models=await models.provider_models(name, body.key))

    @routes.put("/models/{name}/options", responses=refusals(404, 409, 502))
    async def set_options(name: str, body: Options) -> ModelInfo:
        """Replace the options of an added model, after a test request as for a new model."""
        check_permission()
        changed = await models.set_options(name, body.checked())
        return ModelInfo.model_validate(changed, from_attributes=True)

    @routes.put("/models/{name}/key", responses=refusals(404, 409, 502))
    async def set_key(name: str, body: NewKey) -> ModelInfo:
        """Replace the key of a model, after a test request as for a new model."""
        check_permission()
        return ModelInfo.model_validate(await models.set_key(name, body.key), from_attributes=True)

    @routes.delete("/models/{name}", status_code=204, responses=refusals(404))
    async def remove(name: str) -> Response:
        check_permission()
        await models.remove(name)
        return Response(status_code=204)
