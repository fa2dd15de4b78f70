"""Options of a model's answers: temperature, longest answer, reasoning effort, and fields that only its server knows.

They come from agents.toml or a person, so each value is checked; `arguments` puts them into one request. A server that
refuses one is the matter of `capabilities`.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, cast, get_args

from smoldesk.errors import BadInput

# Values of OpenAI's API; other providers take some of them.
ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
EFFORTS: tuple[ReasoningEffort, ...] = get_args(ReasoningEffort)
MAX_TEMPERATURE = 2.0
MAX_TOKENS = 1_000_000
MAX_BODY_BYTES = 10_000
MAX_BODY_DEPTH = 8
# Fields of a request that the desk fills: another value would change what runs, or break the reading of the stream.
DESK_FIELDS = frozenset(
    (
        *("messages", "model", "stream", "stream_options", "stop", "n", "store", "response_format"),
        *("tools", "tool_choice", "functions", "function_call"),
        *("prompt", "input", "extra_body", "extra_headers", "extra_query"),
    )
)
# They have options of their own, which window and page know.
OPTION_FIELDS = frozenset(("temperature", "max_tokens", "max_completion_tokens", "reasoning_effort"))
# At any depth: the body is neither sealed nor hidden, and an address may send a gateway elsewhere.
_CREDENTIAL = re.compile(
    r"(api|access|secret|private)[_-]?key|authorization|bearer|password|secret|credential|cookie"
    r"|(headers?|token|auth)$|(api|base)[_-]?(url|base)|endpoint",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ModelOptions:
    """Options of one model; None and {}: not sent. Raises BadInput with the code `bad_` and the option's name."""

    temperature: float | None = None
    max_tokens: int | None = None
    reasoning_effort: ReasoningEffort | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        for option, (valid, expected) in _FORMS.items():
            value = getattr(self, option)
            if value is not None and not valid(value):
                raise _bad(option, f"is {_short(value)}", f"Expected {expected}.")
        _check_body(self.extra_body)

    def merged(self, overrides: "ModelOptions") -> "ModelOptions":
        """Return these options with those of `overrides` that are set."""
        return replace(self, **overrides.set_options())

    def set_options(self) -> dict[str, Any]:
        """Return the options that are set, by name."""
        values = {option.name: getattr(self, option.name) for option in fields(self)}
        return {name: value for name, value in values.items() if value not in (None, {})}

    def arguments(self, request: Mapping[str, Any], limit: str = "max_tokens") -> dict[str, Any]:
        """Return the arguments of one request with these options; `limit` is the server's name of the longest answer.

        Values of the request itself win; of two limits the lower one.
        """
        arguments = self.set_options() | dict(request)
        limits = [most for most in (self.max_tokens, arguments.pop("max_tokens", None)) if most]
        return arguments | ({limit: min(limits)} if limits else {})


def options_from(values: Mapping[str, Any]) -> ModelOptions:
    """Return the options among the values of a table, a row or a form. Raises BadInput."""
    names = [option.name for option in fields(ModelOptions)]
    return ModelOptions(**{name: values[name] for name in names if values.get(name) is not None})


def _check_body(body: Any) -> None:
    """Raise BadInput unless a body is a JSON object of bounded size that sets no field of the desk."""
    if not isinstance(body, Mapping):
        raise _bad("extra_body", f"is {_short(body)}", 'Expected a JSON object: {"top_k": 40}.')
    body = cast("Mapping[str, Any]", body)
    for name in _names(body):
        if _CREDENTIAL.search(name):
            raise _bad("extra_body", f"has {_short(name)}", "Keys, headers and addresses cannot be set here.")
    for name in DESK_FIELDS & body.keys():
        raise _bad("extra_body", f"has {name!r}", "The desk fills this field itself.")
    for name in OPTION_FIELDS & body.keys():
        raise _bad("extra_body", f"has {name!r}", "Set the option of that name instead.")
    try:
        size = len(json.dumps(dict(body), ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))
    except (TypeError, ValueError):
        raise _bad("extra_body", "is not JSON", "Dates, NaN and Infinity are not.") from None
    if size > MAX_BODY_BYTES:
        raise _bad("extra_body", f"has {size:,} bytes", f"Expected at most {MAX_BODY_BYTES:,}.")


def _names(body: Mapping[str, Any]) -> list[str]:
    """Return the names at every depth, without recursion. Raises BadInput for a body that is too deep."""
    names: list[str] = []
    level: list[Any] = [body]
    for _ in range(MAX_BODY_DEPTH):
        inner: list[Any] = []
        for value in level:
            members: Mapping[Any, Any] = (
                cast("Mapping[Any, Any]", value) if isinstance(value, Mapping) else {}
            )
            names += map(str, members)
            inner += members.values() if isinstance(value, Mapping) else value
        level = [item for item in inner if isinstance(item, Mapping | list)]
        if not level:
            return names
    raise _bad("extra_body", "is nested too deeply", f"Expected at most {MAX_BODY_DEPTH} levels.")


def _bad(option: str, fault: str, expected: str) -> BadInput:
    return BadInput(f"`{option}` {fault}.", expected, code=f"bad_{option}")


def _short(value: Any) -> str:
    return repr(value)[:60] if isinstance(value, str | int | float) else f"of type {type(value).__name__}"


def _is_temperature(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= MAX_TEMPERATURE


def _is_limit(value: Any) -> bool:
    return type(value) is int and 1 <= value <= MAX_TOKENS


# Checks of the options that are one value, and the expectation for the error.
_FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "temperature": (_is_temperature, f"a number from 0 to {MAX_TEMPERATURE:.0f}"),
    "max_tokens": (_is_limit, f"a whole number from 1 to {MAX_TOKENS:,}"),
    "reasoning_effort": (lambda value: value in EFFORTS, f"one of {', '.join(EFFORTS)}"),
}
NO_OPTIONS = ModelOptions()
