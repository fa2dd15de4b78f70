"""Models of the desk as people see them: the list, whether each answers, adding and removing with the permission to.

A key is sealed in the database and in the server's memory only: no error, event, log or answer contains it. Servers
are asked for their models only when a client opens the list.
"""

import asyncio
import json
import logging
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pydantic import SecretStr

from smoldesk.connections.synced_rows import SyncedRows
from smoldesk.errors import BadInput, Conflict, ModelFault, NotFound, Refused
from smoldesk.models import build_model, close_model, first_word
from smoldesk.models.access import customary, revealed
from smoldesk.models.capabilities import Capability
from smoldesk.models.choices import (
    BUILTIN,
    ModelChoices,
    NamedModel,
    ResolvedModel,
    check_address,
    check_named,
    check_of_page,
)
from smoldesk.models.discovery import models_at, names_at
from smoldesk.models.hosted import hosted, provider_at
from smoldesk.models.options import NO_OPTIONS, ModelOptions, options_from
from smoldesk.store import named_models
from smoldesk.store.named_models import StoredModel, model_name_conflict
from smoldesk.store.sealing import CannotUnseal, Seal
from smoldesk.store.store import Store

if TYPE_CHECKING:
    from smolagents import Model

log = logging.getLogger(__name__)

ModelState = Literal["answers", "silent", "needs_key", "key_refused", "unknown"]
# Requests within this time of another get the same list.
CACHE_SECONDS = 2.0
TRIAL_SECONDS = 30.0
_OTHER_KEY = "Its key was sealed with another key file: enter it again."


@dataclass(frozen=True)
class ModelStatus:
    """One model. `id` is what a chat chooses it by, `server` that of a found one; `state` is as of now.

    Prices are US dollars for a million tokens. `of_page`: a person added it, and may remove it.
    """

    id: str
    model: str
    state: ModelState
    server: str = ""
    address: str = ""
    context: int | None = None
    images: bool | None = None
    structured: bool | None = None
    input_price: float | None = None
    output_price: float | None = None
    of_page: bool = False
    problem: str = ""
    options: ModelOptions = NO_OPTIONS
    capability: Capability = field(default_factory=Capability, repr=False, compare=False)

    @property
    def refused(self) -> tuple[str, ...]:
        """Features of requests that its server does not take, as of now."""
        return self.capability.refused


class Models:
    """All models of a desk. `from_page`: the operator lets people add them (SMOLDESK_MODELS)."""

    def __init__(self, store: Store, choices: ModelChoices, seal: Seal, from_page: bool) -> None:
        self.from_page = from_page
        self.choices = choices
        self._store = store
        self._seal = seal
        self._refresh_lock = asyncio.Lock()
        self._cached_statuses: tuple[float, list[ModelStatus]] = (float("-inf"), [])
        self._operators = {model.name for model in choices.named}
        self._rows = SyncedRows(store, named_models.all_models, self._apply)
        choices.refresh = self._rows.check

    @property
    def can_discover(self) -> bool:
        """Whether a server might offer models here that a chat could choose."""
        return bool(self.choices.servers) and not self.choices.builtin_only

    def open(self) -> None:
        """Have those that were added before listed; asks none. Reads the store, so not on the event loop."""
        self._rows.open()

    def _apply(self, old: StoredModel | None, stored: StoredModel | None) -> None:
        """List, change or remove a model, as its row is now."""
        name = stored.name if stored is not None else old.name if old is not None else ""
        if name in self._operators:
            log.warning("the model %s of the page is not used: agents.toml has one with this name", name)
        elif stored is not None:
            self._list(stored)
        else:
            self.choices.remove(name)
        self._cached_statuses = (float("-inf"), [])

    def _list(self, stored: StoredModel) -> None:
        model = NamedModel(stored.name, stored.model, stored.base_url, context=stored.context, of_page=True)
        try:
            model = replace(model, options=options_from(json.loads(stored.options or "{}")))
        except BadInput as fault:  # another version stored them
            log.warning("the model %s is used without its options: %s", stored.name, fault)
        try:
            key = SecretStr(self._seal.unseal(stored.sealed)) if stored.sealed else None
            self.choices.add(replace(model, key=key))
        except CannotUnseal:
            self.choices.add(replace(model, problem=_OTHER_KEY))

    async def list_models(self) -> list[ModelStatus]:
        """Return the desk's own models, then named ones, then those that servers offer; each server is asked now."""
        async with self._refresh_lock:
            if time.monotonic() - self._cached_statuses[0] > CACHE_SECONDS:
                self._cached_statuses = (time.monotonic(), await self._model_statuses())
            return self._cached_statuses[1]

    async def add(self, added: NamedModel) -> ModelStatus:
        """Have a model say its first word, keep and list it. Raises Refused, BadInput, Conflict, ModelFault in words."""
        self._check_right()
        name, model, base_url = added.name, added.model, added.base_url.strip()
        check_named(name, model)
        check_of_page(model, base_url)
        if name in {model.name for model in self.choices.named} or name in self.choices.configured:
            raise model_name_conflict(name)
        added = replace(added, base_url=check_address(base_url) if base_url else "", of_page=True)
        await asyncio.to_thread(self._try, added)
        sealed = await self._sealed(added.key)
        stored = StoredModel(name, model, added.base_url, sealed, added.context, _as_json(added.options))
        await self._store.do(lambda tx: named_models.add_model(tx, stored))
        await asyncio.to_thread(self._rows.refresh)
        return self._of_named(added, "answers")

    async def set_key(self, name: str, key: SecretStr) -> ModelStatus:
        """Return another key for a model that a person added, tried as `add` tries one. Raises also NotFound."""
        changed = replace(await self._of_page(name), key=key, problem="")
        await asyncio.to_thread(self._try, changed)
        sealed = await self._sealed(key)
        if sealed is None or not await self._store.do(lambda tx: named_models.seal_key(tx, name, sealed)):
            raise Conflict(f"The model {name!r} was removed meanwhile.")
        await asyncio.to_thread(self._rows.refresh)
        return self._of_named(changed, "answers")

    async def set_options(self, name: str, options: ModelOptions) -> ModelStatus:
        """Replace the options of a model that a person added, after a test request. Raises also NotFound."""
        changed = replace(await self._of_page(name), options=options)
        self.choices.resolve(name)  # raises for one without its key
        await asyncio.to_thread(self._try, changed)
        text = _as_json(options)
        if not await self._store.do(lambda tx: named_models.set_options(tx, name, text)):
            raise Conflict(f"The model {name!r} was removed meanwhile.")
        await asyncio.to_thread(self._rows.refresh)
        return self._of_named(changed, "answers")

    async def provider_models(self, name: str, key: SecretStr) -> list[str]:
        """List the models of a hosted provider by its key, which is sent to its own address alone.

        Raises Refused, NotFound, and ModelFault if it does not answer or refuses the key.
        """
        self._check_right()
        try:
            provider = hosted(name)
        except BadInput as fault:
            raise NotFound(fault.message, fault.hint, code=fault.code) from None
        try:
            return await names_at(provider.base_url, key.get_secret_value()) if provider.lists else []
        except PermissionError:
            raise ModelFault(f"{provider.title} refused the key.", code="model_auth") from None
        except ConnectionError:
            raise ModelFault(f"{provider.title} sent no list of models.", code="model_unreachable") from None

    async def remove(self, name: str) -> None:
        """Forget a model that a person added, and its key. Raises Refused, NotFound."""
        self._check_right()
        if not await self._store.do(lambda tx: named_models.remove_model(tx, name)):
            raise NotFound(f"No model {name[:60]!r} was added here.", code="unknown_model")
        await asyncio.to_thread(self._rows.refresh)

    async def _of_page(self, name: str) -> NamedModel:
        """Return a model that a person added. Raises Refused, NotFound."""
        self._check_right()
        await asyncio.to_thread(self._rows.check)
        for model in self.choices.named:
            if model.name == name and model.of_page:
                return model
        raise NotFound(f"No model {name[:60]!r} was added here.", code="unknown_model")

    def _check_right(self) -> None:
        if not self.from_page:
            raise Refused(
                "Only the operator of this desk can add models.", "Ask the operator to add it to agents.toml."
            )
        if self.choices.builtin_only:
            self.choices.check("")

    def _try(self, model: NamedModel) -> None:
        access = model.access(self.choices.access)
        access.forget_capability(model.model)  # it may have changed; the trial sends what agents send
        built = build_model(model.model, access, _never)
        try:
            first_word(built, TRIAL_SECONDS)
        finally:
            close_model(built)

    async def _sealed(self, key: SecretStr | None) -> str | None:
        plain = revealed(key)
        return None if plain is None else await asyncio.to_thread(self._seal.seal, plain)

    # --- looking -------------------------------------------------------------------------------------------------------

    async def _model_statuses(self) -> list[ModelStatus]:
        resolved = await asyncio.to_thread(
            lambda: {choice: self._resolved(choice) for choice in self._choice_names()}
        )
        configured_states = asyncio.gather(
            *(self._state(choice, about) for choice, about in resolved.items())
        )
        server_models = asyncio.gather(*(self._at(server) for server in self._servers()))
        named_statuses = [
            self._line(choice, about, state)
            for (choice, about), state in zip(resolved.items(), await configured_states, strict=True)
        ]
        return [*named_statuses, *(line for lines in await server_models for line in lines)]

    def _choice_names(self) -> list[str]:
        if self.choices.builtin_only:
            return [BUILTIN]
        return [*self.choices.configured, *(model.name for model in self.choices.named)]

    def _servers(self) -> list[str]:
        return [] if self.choices.builtin_only else list(self.choices.servers)

    def _resolved(self, choice: str) -> ResolvedModel | None:
        named = next((model for model in self.choices.named if model.name == choice), None)
        return None if named is not None and named.problem else self.choices.resolve(choice)

    def _line(self, choice: str, about: ResolvedModel | None, state: ModelState) -> ModelStatus:
        named = next((model for model in self.choices.named if model.name == choice), None)
        line = ModelStatus(choice, choice, state)
        if about is not None:
            prices = {"input_price": about.price.input_price, "output_price": about.price.output_price}
            takes = {"images": about.images, "structured": about.structured}
            line = replace(
                line,
                model=about.model,
                context=about.context,
                capability=about.capability,
                **takes,
                **prices,
            )
        if state == "needs_key" and not (named and named.base_url):
            line = replace(line, problem="SMOLDESK_OPENAI_API_KEY is not set.")
        if named is None:
            return line
        return replace(
            line,
            model=named.model,
            address=named.base_url,
            of_page=named.of_page,
            options=named.options,
            problem=named.problem or line.problem,
        )

    def _of_named(self, model: NamedModel, state: ModelState) -> ModelStatus:
        return self._line(model.name, self.choices.resolve(model.name), state)

    async def _state(self, choice: str, about: ResolvedModel | None) -> ModelState:
        """Return whether it answers: a server of one's own is asked for its list; a provider elsewhere is not."""
        if about is None:
            return "needs_key"
        provider, _, name = about.model.partition(":")
        if provider == BUILTIN:
            return "answers"
        address = about.access.openai_base_url
        key = revealed(about.access.openai_api_key)
        if provider != "openai":
            return "unknown"
        if provider_at(address):  # it is elsewhere, and counts requests
            return "unknown" if key else "needs_key"
        if not address:
            return "unknown" if key or customary("OPENAI_API_KEY") else "needs_key"
        try:
            offered = await models_at(address, key)
        except PermissionError:
            return "key_refused" if key else "needs_key"
        except ConnectionError:
            return "silent"
        return "answers" if not offered or name in {model.name for model in offered} else "unknown"

    async def _at(self, server: str) -> list[ModelStatus]:
        address = self.choices.servers[server]
        try:
            offered = await models_at(address)
        except (ConnectionError, PermissionError):
            return []
        self.choices.note_discovered(server, offered)
        return [self._of_server(server, address, model.name) for model in offered]

    def _of_server(self, server: str, address: str, name: str) -> ModelStatus:
        choice = f"{server}/{name}"
        line = self._line(choice, self.choices.resolve(choice), "answers")
        return replace(line, model=name, server=server, address=address)


def _as_json(options: ModelOptions) -> str:
    return json.dumps(options.set_options(), ensure_ascii=False)


def _never() -> "Model":
    raise AssertionError("the built-in analyst has a name already")
