"""The models a chat may choose: the desk's own, those with a name, and those that servers offer.

A choice is a text, kept with the chat. It is the id of a model that the settings or an agent name (`builtin`,
`openai:gpt-5`), a name of agents.toml or of the page (`big`), or a server's name and its model's (`ollama/llama3.2`). So no
choice leads anywhere but to addresses that the operator, or a person with the right to, has named.
"""

import asyncio
import contextlib
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from smoldesk.errors import BadInput, NotFound, Refused
from smoldesk.logs import hide_from_now_on
from smoldesk.models import check_model_id
from smoldesk.models.access import Access, Names, revealed
from smoldesk.models.capabilities import SCHEMA, Capability
from smoldesk.models.discovery import LONGEST_NAME, DiscoveredModel, models_at
from smoldesk.models.hosted import priced_as, provider_at
from smoldesk.models.options import NO_OPTIONS, ModelOptions
from smoldesk.models.prices import UNPRICED, PricedModel, priced

MODEL_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
NAME_FORM = "1 to 40 of a-z, 0-9, _ and -, not beginning with _ or -"
BUILTIN = "builtin"
# Settings of the desk's own model alone.
OF_THE_DESKS_MODEL = {"model", "model_context"}
WITHOUT_SCHEMA = (BUILTIN, "transformers:")
NO_KEY = "none"
# Providers of LiteLLM that use only the given key, and no login of this machine.
KEY_ALONE = (
    *("openai", "anthropic", "ollama", "ollama_chat", "hosted_vllm", "litellm_proxy"),
    *("mistral", "gemini", "groq", "openrouter", "deepseek"),
)


@dataclass(frozen=True)
class NamedModel:
    """A model with a name of its own. `model` is an id as SMOLDESK_MODEL takes it.

    Without `key` and `base_url` it is reached as the settings say; with either, neither of theirs is used. `context` in
    tokens. `structured`: whether it answers by a schema. `of_page`: a person added it; `problem` says why it cannot be
    used, if so.
    """

    name: str
    model: str
    base_url: str = ""
    key: SecretStr | None = field(default=None, repr=False)
    context: int | None = None
    images: bool | None = None
    structured: bool | None = None
    of_page: bool = False
    problem: str = ""
    options: ModelOptions = NO_OPTIONS

    def access(self, base: Access) -> Access:
        """Return the access to the model. A key is sent to no other address than its own."""
        where = "the page" if self.of_page else f"[models.{self.name}]"
        names = Names(
            key=f"the key of {self.name!r} in {where}" if revealed(self.key) else "",
            address=f"its address in {where}" if self.base_url else "",
            model=f"its model in {where}",
        )
        known = base.settings - OF_THE_DESKS_MODEL
        if not self.base_url and revealed(self.key) is None:
            return replace(base, names=names, options=self.options, settings=known)
        settings: dict[str, Any] = {
            "names": names,
            "settings": known,
            "options": self.options,
            "openai_api_key": None,
            "openai_base_url": "",
            "litellm_api_key": None,
        }
        settings |= {"litellm_base_url": "", "hf_token": None}
        provider = self.model.partition(":")[0]
        if provider == "transformers":
            settings["hf_token"] = self.key
        else:
            settings |= {f"{provider}_api_key": self.key, f"{provider}_base_url": self.base_url}
        if provider == "litellm" and revealed(self.key) is None:
            settings["litellm_api_key"] = SecretStr(
                NO_KEY
            )  # else LiteLLM sends the provider's own of the environment
        return replace(base, **{name: value for name, value in settings.items() if hasattr(base, name)})


@dataclass(frozen=True)
class ResolvedModel:
    """Model of a choice; `context` in tokens, `images` and `structured` if known."""

    model: str
    access: Access
    context: int | None = None
    images: bool | None = None
    price: PricedModel = UNPRICED
    structured: bool | None = None

    @property
    def capability(self) -> Capability:
        """Features that its server refused."""
        return self.access.capability(self.model)


class ModelChoices:
    """Every model of one desk, by what a chat calls it. Thread-safe."""

    def __init__(
        self,
        configured: Sequence[str],
        access: Access,
        named: Mapping[str, NamedModel] | None = None,
        servers: Mapping[str, str] | None = None,
        context: int | None = None,
        builtin_only: Callable[[], bool] = lambda: False,
    ) -> None:
        """`own` are ids that the settings and the agents name, the desk's own first; `context` is that one's window.

        `servers` are names and addresses; `builtin_only`: code is not isolated here, so that no other model may write it.
        """
        self.configured = tuple(dict.fromkeys([*configured, BUILTIN]))
        self.servers = dict(servers or {})
        self.access = access
        self._context = context
        self._builtin_only = builtin_only
        self._named = dict(named or {})
        for model in self._named.values():
            hide_from_now_on(model.key)
        self._discovered: dict[str, dict[str, DiscoveredModel]] = {}
        self._lock = threading.Lock()
        self.refresh: Callable[[], object] = lambda: None
        """Called before a run uses a model, so that one that another server removed is refused. Not on the event loop."""

    @property
    def named(self) -> list[NamedModel]:
        """The named models, those of agents.toml first."""
        with self._lock:
            return list(self._named.values())

    @property
    def builtin_only(self) -> bool:
        return self._builtin_only()

    def add(self, model: NamedModel) -> None:
        """Add a named model; its key is hidden in logs and stored prompts."""
        hide_from_now_on(model.key)
        with self._lock:
            self._named[model.name] = model

    def remove(self, name: str) -> None:
        """Forget one; there need be none."""
        with self._lock:
            self._named.pop(name, None)

    def note_discovered(self, server: str, models: Sequence[DiscoveredModel]) -> None:
        """Remember what a server said of its models."""
        self._discovered[server] = {model.name: model for model in models}

    def known(self) -> list[str]:
        """Return the choices of the desk and those that servers listed, except the ones it may not use now."""
        if self.builtin_only:
            return [BUILTIN]
        found = [f"{server}/{name}" for server, models in self._discovered.items() for name in models]
        return [*self.configured, *(model.name for model in self.named), *found]

    def learn(self, choice: str) -> None:
        """Have the server of a choice tell of its models, if it has not since the start. Not on the event loop."""
        self.refresh()
        server, slash, name = choice.partition("/")
        if (
            not slash
            or server not in self.servers
            or choice in self.configured
            or name in self._discovered.get(server, {})
        ):
            return
        with contextlib.suppress(ConnectionError, PermissionError):  # its answer will say what is wrong
            self.note_discovered(server, asyncio.run(models_at(self.servers[server])))

    def check_window(self, choice: str) -> None:
        """Ask the server of a choice again if a small window was learned: it may have been restarted. Not on the event loop."""
        capability = self.resolve(choice).capability
        if capability.window is not None and (self.reported_window(choice) or 0) > capability.window:
            capability.forget_window()

    def reported_window(self, choice: str) -> int | None:
        """Ask a server of one's own for the window of a model. Not on the event loop."""
        resolved = self.resolve(choice)
        address = resolved.access.openai_base_url
        if not address or provider_at(address) or not resolved.model.startswith("openai:"):
            return None
        name = resolved.model.partition(":")[2]
        try:
            models = asyncio.run(models_at(address, revealed(resolved.access.openai_api_key)))
        except (ConnectionError, PermissionError):
            return None
        return next((model.context for model in models if model.name == name), None)

    def check(self, choice: str) -> None:
        """Raise NotFound for an unknown choice, Refused for a forbidden one."""
        if choice != BUILTIN and self.builtin_only:
            raise Refused(
                "Code written by this model would run on this machine without isolation.",
                "Only the built-in analyst may be chosen, unless SMOLDESK_ALLOW_UNISOLATED=true is set.",
                code="not_isolated",
            )
        server, slash, model = choice.partition("/")
        if choice in self.configured or choice in self._named:
            return
        if slash and server in self.servers and 0 < len(model) <= LONGEST_NAME and model.isprintable():
            return
        choices_text = ", ".join(
            [
                *self.configured,
                *(model.name for model in self.named),
                *(f"{server}/…" for server in self.servers),
            ]
        )
        raise NotFound(
            f"There is no model {choice[:80]!r} here.", f"Models: {choices_text}.", code="unknown_model"
        )

    def resolve(self, choice: str) -> ResolvedModel:
        """Return the model of a choice. Raises as `check`, and BadInput for one that cannot be used."""
        resolved = self._resolve(choice)
        capability = resolved.capability
        if SCHEMA in capability.refused or resolved.model.startswith(WITHOUT_SCHEMA):
            resolved = replace(resolved, structured=False)
        return replace(resolved, context=capability.window) if capability.window else resolved

    def _resolve(self, choice: str) -> ResolvedModel:
        self.check(choice)
        if choice in self.configured:
            price = priced(priced_name(choice, self.access))
            access, context = self.access, price.context
            if choice == self.configured[0]:
                context = self._context or context
            else:  # an agent names it
                access = replace(access, settings=access.settings - OF_THE_DESKS_MODEL)
            return ResolvedModel(choice, access, context, price.images, price, price.structured)
        with self._lock:
            named = self._named.get(choice)
        if named is not None:
            if named.problem:
                raise BadInput(f"The model {choice!r} cannot be used. {named.problem}", code="model_auth")
            access = named.access(self.access)
            price = priced(priced_name(named.model, access))
            images = price.images if named.images is None else named.images
            structured = price.structured if named.structured is None else named.structured
            return ResolvedModel(
                named.model, access, named.context or price.context, images, price, structured
            )
        server, _, name = choice.partition("/")
        facts = self._discovered.get(server, {}).get(name, DiscoveredModel(name))
        resolved = ResolvedModel(f"openai:{name}", self._at(server), facts.context, facts.images)
        resolved.capability.reports_progress |= facts.reports_progress
        return resolved

    def _at(self, server: str) -> Access:
        address = self.servers[server]
        names = Names(
            f"whether the server {server!r} wants a key: add its model in the page",
            f"the address of {server!r} in SMOLDESK_MODEL_SERVERS"
            if "model_servers" in self.access.settings
            else f"its address {address}",
            "the model that was chosen",
        )
        settings = self.access.settings - OF_THE_DESKS_MODEL
        return replace(
            self.access, openai_api_key=None, openai_base_url=address, names=names, settings=settings
        )


def priced_name(model_id: str, access: Access) -> str | None:
    """Return a model's name in the table of prices; None without a known price, for example for a private server."""
    provider, _, name = model_id.partition(":")
    if provider == "openai":
        return priced_as(name, access.openai_base_url)
    return name if provider == "litellm" and not access.litellm_base_url else None


def check_address(address: str) -> str:
    """Return an address up to where /chat/completions starts, without a final slash. Raises BadInput."""
    address = address.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
        parts = urlsplit("")
    if not is_one or len(address) > 2_000 or not address.isprintable() or " " in address:
        raise BadInput(
            "This is not the address of a model server.",
            "Expected http:// or https://, up to where /chat/completions begins: http://127.0.0.1:11434/v1.",
            code="bad_address",
        )
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise BadInput(
            "The address contains more than the location of the server.",
            "Enter the key in its own field; omit user name, password, ? and #.",
            code="bad_address",
        )
    return address


def check_of_page(model: str, base_url: str) -> None:
    """Raise BadInput for a model that only the operator may configure, since a person's address would receive secrets."""
    provider, name = check_model_id(model)
    if provider == "transformers":
        raise BadInput(
            "Only the operator can add a model whose weights this machine loads.",
            "Ask the operator to add it to agents.toml, or serve it with Ollama or vLLM.",
            code="bad_name",
        )
    if provider == "litellm" and base_url and name.partition("/")[0] not in KEY_ALONE:
        raise BadInput(
            f"The model {model[:80]!r} cannot have an address here: its server would receive credentials of this machine.",
            f"Leave the address out, or choose litellm: with one of: {', '.join(KEY_ALONE)}.",
            code="bad_address",
        )


def check_named(name: str, model: str) -> None:
    """Raise BadInput for an invalid name or model id."""
    if not MODEL_NAME.fullmatch(name) or name == BUILTIN:
        raise BadInput(f"{name[:60]!r} is not a valid model name.", f"Expected {NAME_FORM}.", code="bad_name")
    provider, _ = check_model_id(model)
    if provider == BUILTIN:
        raise BadInput("The built-in analyst cannot have another name.", "Choose builtin.", code="bad_name")
