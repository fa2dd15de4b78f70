"""Discovery of models on servers of this machine or network: Ollama, llama.cpp, LM Studio, vLLM, and others with an
OpenAI API.

A server gets a few short requests at once, each limited in time and size; one that does not answer, or answers
otherwise, offers no models. Answers are untrusted data: names are shown, lengths are numbers, other values are
ignored.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from smoldesk.http_client.address_checks import is_loopback

if TYPE_CHECKING:
    import httpx

# Default addresses of such servers, by name.
USUAL: Mapping[str, str] = {
    "ollama": "http://127.0.0.1:11434/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
    "lmstudio": "http://127.0.0.1:1234/v1",
    "vllm": "http://127.0.0.1:8000/v1",
}
# Time limit of all requests to one server together.
SECONDS = 1.5
MAX_BYTES = 500_000
# The same of a provider's list, which a person waits for: OpenRouter's has 400 models with descriptions.
PROVIDER_SECONDS, PROVIDER_BYTES = 10.0, 5_000_000
_NO_CHAT = re.compile(
    r"embed|whisper|tts|transcri|dall-e|image|imagen|veo|sora|moderation|realtime|audio|speech|rerank|ocr"
)
# Maximum models of one server.
MAX_MODELS = 60
# Models of an Ollama whose details are requested one by one.
MAX_DETAIL_REQUESTS = 20
LONGEST_NAME = 200
# `owned_by` of a desk's own models: a desk does not offer the agents of desks as models.
OURS = "smoldesk"
# `owned_by` of the models of llama.cpp's server.
LLAMACPP = "llamacpp"
_CONTEXT = re.compile(r"^num_ctx\s+(\d{2,9})$", re.MULTILINE)


@dataclass(frozen=True)
class DiscoveredModel:
    """A model that a server lists. `context` in tokens; None: it does not say. `images`: whether it takes pictures.

    `reports_progress`: its server can report the progress of a prompt, as llama.cpp's does.
    """

    name: str
    context: int | None = None
    images: bool | None = None
    reports_progress: bool = False


class _NoAnswer(Exception):
    """Nothing that such a server would say."""


async def names_at(address: str, key: str) -> list[str]:
    """Return the names of a provider's models that look as if they answer chats. Raises as `models_at`."""
    async with _requests(
        key, PROVIDER_SECONDS, trust_env=not is_loopback(urlsplit(address).hostname or "")
    ) as client:
        entries = _list(await _get(client, f"{address}/models", limit=PROVIDER_BYTES), "data")
    names = [_name(entry.get("id")).removeprefix("models/") for entry in entries]  # Gemini's prefix
    return sorted({name for name in names if name and not _NO_CHAT.search(name)})


async def models_at(address: str, key: str | None = None) -> list[DiscoveredModel]:
    """Return the models of a server whose OpenAI-compatible `address` ends where /models starts.

    Raises ConnectionError if it does not answer, PermissionError if it refuses the key.
    """
    async with _requests(key, SECONDS) as client:
        return await _list_models(client, address.rstrip("/"))


@contextlib.asynccontextmanager
async def _requests(
    key: str | None, seconds: float, trust_env: bool = False
) -> "AsyncGenerator[httpx.AsyncClient]":
    """Yield a client for requests of `seconds` together; with `trust_env` by the proxy of the environment.

    Raises ConnectionError for an error of the server.
    """
    if key and not key.isascii():  # no header can have it
        raise PermissionError
    httpx = await asyncio.to_thread(_library)
    authorities = await asyncio.to_thread(
        _authorities
    )  # before the clock: reading them takes long on a busy machine
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
    try:
        async with (
            asyncio.timeout(seconds),
            httpx.AsyncClient(
                headers=headers, timeout=seconds, trust_env=trust_env, verify=authorities
            ) as client,
        ):
            yield client
    except (TimeoutError, _NoAnswer, httpx.HTTPError, httpx.InvalidURL):
        raise ConnectionError from None


def _library() -> Any:
    """Not at the start of the desk, which does without."""
    import httpx

    return httpx


def _authorities() -> Any:
    from smoldesk.http_client.outgoing import authorities

    return authorities()


async def _list_models(client: "httpx.AsyncClient", address: str) -> list[DiscoveredModel]:
    entries = [
        entry for entry in _list(await _get(client, f"{address}/models"), "data") if _name(entry.get("id"))
    ]
    names = [_name(entry.get("id")) for entry in entries][:MAX_MODELS]
    owners = {str(entry.get("owned_by", "")) for entry in entries}
    if OURS in owners:
        return []
    root = address.removesuffix("/v1")
    facts = {_name(entry.get("id")): _of_entry(entry) for entry in entries}
    details: Mapping[str, DiscoveredModel | None] = {}
    if owners == {LLAMACPP}:
        details = await _of_llamacpp(client, root, names)
    elif "vllm" not in owners:
        details = await _of_lmstudio(client, root) or await _of_ollama(client, root, names)
    models = [details.get(name, facts[name]) for name in names]
    return [entry for entry in models if entry is not None]


def _of_entry(entry: Mapping[str, Any]) -> DiscoveredModel:
    """Return the model of a list's entry: vLLM gives its window, llama.cpp the window of its training."""
    trained = _dict(entry.get("meta")).get("n_ctx_train")
    context = _count(entry.get("max_model_len")) or _count(trained)
    return DiscoveredModel(
        _name(entry.get("id")), context, reports_progress=entry.get("owned_by") == LLAMACPP
    )


async def _of_ollama(
    client: "httpx.AsyncClient", root: str, names: list[str]
) -> dict[str, DiscoveredModel | None]:
    """Return the window of a loaded model, else its configured one, else the largest possible. None: not for chats."""
    running = _dict(await _maybe(_get(client, f"{root}/api/ps")))
    if "models" not in running:
        return {}
    loaded = {
        str(model.get("name")): _count(model.get("context_length")) for model in _list(running, "models")
    }
    documents = await asyncio.gather(
        *(_maybe(_get(client, f"{root}/api/show", {"model": name})) for name in names[:MAX_DETAIL_REQUESTS])
    )
    models_by_name: dict[str, DiscoveredModel | None] = {}
    for name, document in zip(names, map(_dict, documents), strict=False):
        if not document:
            continue
        info = _dict(document.get("model_info"))
        most = next((info[key] for key in info if key.endswith(".context_length")), None)
        chosen = _CONTEXT.search(str(document.get("parameters") or ""))
        context = loaded.get(name) or (int(chosen[1]) if chosen else None) or _count(most)
        can: Any = document.get("capabilities")
        models_by_name[name] = DiscoveredModel(
            name, context, "vision" in can if isinstance(can, list) else None
        )
        if isinstance(can, list) and "completion" not in can:
            models_by_name[name] = None
    return models_by_name


async def _of_llamacpp(
    client: "httpx.AsyncClient", root: str, names: list[str]
) -> dict[str, DiscoveredModel]:
    """Return the single model with the window that the server was started with."""
    props = _dict(await _maybe(_get(client, f"{root}/props")))
    if not props or len(names) != 1:
        return {}
    context = _count(_dict(props.get("default_generation_settings")).get("n_ctx"))
    images = _dict(props.get("modalities")).get("vision")
    takes_images = images if isinstance(images, bool) else None
    return {names[0]: DiscoveredModel(names[0], context, takes_images, reports_progress=True)}


async def _of_lmstudio(client: "httpx.AsyncClient", root: str) -> dict[str, DiscoveredModel | None]:
    """Return the window of a loaded model, the largest possible of others. None: not for chats."""
    models_by_name: dict[str, DiscoveredModel | None] = {}
    for entry in _list(await _maybe(_get(client, f"{root}/api/v0/models")), "data"):
        name = _name(entry.get("id"))
        context = _count(entry.get("loaded_context_length")) or _count(entry.get("max_context_length"))
        is_chat = entry.get("type") in ("llm", "vlm")
        models_by_name[name] = DiscoveredModel(name, context, entry["type"] == "vlm") if is_chat else None
    return models_by_name


async def _get(
    client: "httpx.AsyncClient", url: str, body: Mapping[str, Any] | None = None, limit: int = MAX_BYTES
) -> Any:
    """JSON of a bounded answer."""
    method = "GET" if body is None else "POST"
    async with client.stream(method, url, json=body) as response:
        if response.status_code in (401, 403):
            raise PermissionError
        # a few bytes that unpack to many would be counted too late
        if response.status_code != 200 or response.headers.get("content-encoding", "identity") != "identity":
            raise _NoAnswer
        whole = bytearray()
        async for piece in response.aiter_raw():
            whole += piece
            if len(whole) > limit:
                raise _NoAnswer
    try:
        return json.loads(whole)
    except (ValueError, RecursionError):
        raise _NoAnswer from None


async def _maybe(awaitable: Any) -> Any:
    """Return the answer, or None if this server has no such endpoint."""
    try:
        return await awaitable
    except (_NoAnswer, PermissionError, _library().HTTPError):
        return None


def _dict(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _list(document: Any, key: str) -> list[dict[str, Any]]:
    items: Any = _dict(document).get(key)
    return [_dict(item) for item in items if isinstance(item, dict)] if isinstance(items, list) else []  # pyright: ignore


def _name(value: Any) -> str:
    """Return a name that can be shown and sent back; empty for anything else."""
    if (
        isinstance(value, str)
        and 0 < len(value) <= LONGEST_NAME
        and value.isprintable()
        and value == value.strip()
    ):
        return value
    return ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None
