"""Models over plain HTTP: listed with how they stand, added, given another key, removed. No answer has a key."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import ConfigDict, Field, SecretStr

from smoldesk.connections import Models
from smoldesk.connections.models import ModelState
from smoldesk.errors import Refused
from smoldesk.messages import Shape
from smoldesk.wires.rest.models import refusals

Key = Annotated[SecretStr, Field(min_length=1, max_length=2_000)]


class ModelInfo(Shape):
    """One model that a chat may choose, by its `id`. `server` offers a found one; `state` is as of now.

    `context` in tokens; prices in US dollars for a million tokens; null: not known. `structured`: it
    answers by a schema. `ofPage`: a person added it.
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


class ModelList(Shape):
    """The desk's own first. `mayAdd`: this desk lets its people add and remove them."""

    models: list[ModelInfo]
    may_add: bool


class NewModel(Shape):
    """Body of POST /api/models. `model` is as SMOLDESK_MODEL takes it; `baseUrl` ends where /chat/completions begins."""

    model_config = ConfigDict(hide_input_in_errors=True)

    name: Annotated[str, Field(min_length=1, max_length=40)]
    model: Annotated[str, Field(min_length=1, max_length=300)]
    base_url: Annotated[str, Field(max_length=2_000)] = ""
    key: Annotated[SecretStr | None, Field(max_length=2_000)] = None
    context: Annotated[int | None, Field(ge=256, le=100_000_000)] = None


class NewKey(Shape):
    """Body of PUT /api/models/{name}/key."""

    model_config = ConfigDict(hide_input_in_errors=True)

    key: Key


def add_model_routes(routes: APIRouter, models: Models, private: bool) -> None:
    """Put the routes of this module on the router of /api."""
    may_add = models.from_page and private

    def check_permission() -> None:
        if not may_add:
            raise Refused(
                "Users of this desk cannot change its models.",
                "Its operator defines them in agents.toml, or sets SMOLDESK_MODELS=page and a token.",
            )

    @routes.get("/models")
    async def index() -> ModelList:
        """Servers of this machine and of the settings are asked what they offer, each for a moment at most."""
        infos = [
            ModelInfo.model_validate(model, from_attributes=True) for model in await models.list_models()
        ]
        return ModelList(models=infos, may_add=may_add and not models.choices.builtin_only)

    @routes.post("/models", status_code=201, responses=refusals(409, 502))
    async def add(body: NewModel) -> ModelInfo:
        """It is asked for its first word at once; what fails there is told in words, and nothing is kept."""
        check_permission()
        added = await models.add(body.name, body.model, body.base_url, body.key, body.context)
        return ModelInfo.model_validate(added, from_attributes=True)

    @routes.put("/models/{name}/key", responses=refusals(404, 409, 502))
    async def set_key(name: str, body: NewKey) -> ModelInfo:
        """Tried as a new model is; the one it has is overwritten."""
        check_permission()
        return ModelInfo.model_validate(await models.set_key(name, body.key), from_attributes=True)

    @routes.delete("/models/{name}", status_code=204, responses=refusals(404))
    async def remove(name: str) -> Response:
        check_permission()
        await models.remove(name)
        return Response(status_code=204)
