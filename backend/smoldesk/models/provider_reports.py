"""Statements of a provider's error: message, parameter and code, from the different bodies of different servers.

OpenAI nests `{"error": {...}}`, Gemini sends a list, LM Studio a string, FastAPI `{"detail": [{"loc": ...}]}`, and
gateways such as OpenRouter put the JSON of the server behind them into a string. Fields that repeat the request
(`input` of a validation error) are not read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

# Bounds of what is read of one error.
MAX_TEXT, MAX_JSON_TEXT, MAX_DEPTH, MAX_ITEMS = 2_000, 50_000, 6, 20
_NESTED = ("error", "message", "detail", "msg", "errors", "metadata", "raw", "body")


@dataclass(frozen=True)
class Report:
    """One statement of an error. `parameter` is the field of the request that it names, `code` has the type after a space."""

    message: str
    parameter: str = ""
    code: str = ""
    prompt_tokens: int | None = None
    window: int | None = None


def reports_of(error: BaseException) -> list[Report]:
    """Return the statements of an error of openai's client or LiteLLM, else its own text."""
    body: object = getattr(error, "body", None)
    return list(_reports(body if body else str(error), 0))


def status_of(error: BaseException) -> int:
    """Return the HTTP status of an error, 0 without one."""
    status: object = getattr(error, "status_code", None)
    return status if isinstance(status, int) else 0


def _reports(value: object, depth: int) -> Iterator[Report]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, str):
        yield from _of_text(value, depth)
    elif isinstance(value, list):
        for item in cast("list[object]", value)[:MAX_ITEMS]:
            yield from _reports(item, depth + 1)
    elif isinstance(value, dict):
        yield from _of_fields(cast("dict[str, Any]", value), depth)


def _of_fields(fields: dict[str, Any], depth: int) -> Iterator[Report]:
    message = next(
        (fields[key] for key in ("message", "msg", "error") if isinstance(fields.get(key), str)), ""
    )
    # llama.cpp's field for the window, and for the tokens of the refused prompt
    counts = {"prompt_tokens": _count(fields.get("n_prompt_tokens")), "window": _count(fields.get("n_ctx"))}
    code, kind = (fields[key] if isinstance(fields.get(key), str) else "" for key in ("code", "type"))
    yield Report(message[:MAX_TEXT], _parameter(fields), f"{code} {kind}"[:MAX_TEXT], **counts)
    for key in _NESTED:
        if key in fields:
            yield from _reports(fields[key], depth + 1)


def _of_text(text: str, depth: int) -> Iterator[Report]:
    """Read the JSON that a gateway or LiteLLM put into a message, else the text itself."""
    start = text.find("{")
    if start >= 0 and len(text) <= MAX_JSON_TEXT:
        try:
            value, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            pass
        else:
            yield from _reports(value, depth + 1)
    yield Report(text[:MAX_TEXT])


def _parameter(fields: dict[str, Any]) -> str:
    """Return the parameter that `param` names, or the `loc` of a validation error."""
    if isinstance(fields.get("param"), str):
        return fields["param"][:MAX_TEXT]
    loc: object = fields.get("loc")
    if not isinstance(loc, list):
        return ""
    parts = [str(part) for part in cast("list[object]", loc) if part != "body"]
    return ".".join(parts)[:MAX_TEXT]


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None
