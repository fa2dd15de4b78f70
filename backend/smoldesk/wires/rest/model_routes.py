"""HTTP routes of models: list, add, set a key, remove. Responses never contain keys."""

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
    """Model that a chat can choose by `id`. `server` is the name of a discovered server; `state` is current.

    `context` is in tokens, prices in US dollars per million tokens; null if unknown. `structured` if it supports output
    schemas, `ofPage` if a person added it.
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
    """Models, the desk's own first. `mayAdd` if users of this desk may add and remove them."""

    models: list[ModelInfo]
    may_add: bool


class NewModel(Shape):
    """Body of POST /api/models. `model` has the form of SMOLDESK_MODEL; `baseUrl` is the URL before /chat/completions."""

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
    async def index() -> ModelList:
        """List models, with those of local and configured servers, which are queried with a short time limit."""
        infos = [
            ModelInfo.model_validate(model, from_attributes=True) for model in await models.list_models()
        ]
        return ModelList(models=infos, may_add=may_add and not models.choices.builtin_only)

    @routes.post("/models", status_code=201, responses=refusals(409, 502))
    async def add(body: NewModel) -> ModelInfo:
        """Add a model after a test request. If the test fails, the error has its text and nothing is stored."""
        check_permission()
        added = await models.add(body.name, body.model, body.base_url, body.key, body.context)
        return ModelInfo.model_validate(added, from_attributes=True)

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
