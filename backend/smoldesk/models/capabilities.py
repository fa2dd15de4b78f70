"""Features that a model on a server does not take, learned from refusals, and the table that recognises a refusal.

`refusal_in` reads the provider's error: first its `param` and `code`, then its words. A refused feature is remembered
per address and model for the life of the desk. `adaptation` changes the requests.
"""

import re
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from smoldesk.models.overflow import overflow_in
from smoldesk.models.provider_reports import Report, reports_of, status_of

# Models whose refusals are remembered; the oldest entry goes first.
MAX_MODELS = 500
# Seconds that a learned window counts.
WINDOW_SECONDS = 1_800.0
STREAMING, SYSTEM, TOOLS, SCHEMA = "streaming", "system", "tools", "response_format"


@dataclass(frozen=True)
class Refusal:
    """A row of the table: a feature, the parameters that request it, and the words of servers that refuse it."""

    feature: str
    parameters: tuple[str, ...]
    phrases: re.Pattern[str] | None = None


def _row(feature: str, parameters: tuple[str, ...], phrases: str = "") -> Refusal:
    return Refusal(feature, parameters, re.compile(phrases, re.IGNORECASE) if phrases else None)


# Parameters that are not listed are refused by `param` or by the common words below, and left out.
REFUSALS = (
    # OpenAI o1, o3 without a verified organisation: param "stream" (openai/openai-python issues, pal-mcp-server #134)
    _row(STREAMING, ("stream",), r"verified to stream|streaming is not supported|does not support streaming"),
    # Gemma's template through vLLM, sglang, llama.cpp (huggingface/chat-ui #1386); OpenAI o1-mini: param
    # "messages[0].role"; Gemma at Google's API (rig #788)
    _row(
        SYSTEM,
        ("messages[0].role",),
        r"system role (?:is )?not supported|does not support 'system'|developer instruction is not enabled",
    ),
    # Ollama (ollama #11131), DeepSeek (vercel/ai #4727), vLLM without a parser (vllm #9986), OpenRouter (fast-agent #122)
    _row(
        TOOLS,
        ("tools",),
        r"does not support (?:tools|function calling)|--enable-auto-tool-choice|endpoints found that support tool use",
    ),
    # DeepSeek's thinking mode (Kode-CLI #182), OpenRouter (zed #36094)
    _row(
        "tool_choice", ("tool_choice",), r"does not support this tool_choice|the provided 'tool_choice' value"
    ),
    # DeepSeek (llm-exe #662), LM Studio (lmstudio-bug-tracker #307), Groq (deep-research #127), xAI (litellm #6610),
    # and llama.cpp's and vLLM's grammars: providers have no common code for it
    _row(
        SCHEMA,
        ("response_format",),
        r"response[_ ]?format|json[_ ]schema|structured[_ ]output|guided|grammar",
    ),
    # Anthropic takes one of both (chatbox #2670)
    _row("top_p", ("top_p",), r"`top_p` cannot both be specified"),
)
# OpenAI (smolagents #1671), Azure (gpt-pilot #1022), xAI old and new (smolagents #1765, opencodex #5278), Anthropic
# (pr-agent #2456): the name of the parameter stands beside the refusal.
_NAMED = re.compile(
    r"unsupported (?:parameter|value): ['\"`]?(?P<a>[\w.\[\]]+)"
    r"|unrecognized (?:request )?arguments? supplied: (?P<b>\w+)"
    r"|argument not supported on this model: (?P<c>\w+)"
    r"|does not support (?:the )?parameter:? ['\"`]?(?P<d>\w+)"
    r"|['\"`]?(?P<e>\w+)['\"`]? (?:parameter )?is (?:deprecated|unsupported|not supported)"
    r"|['\"`](?P<f>\w+)['\"`] does not support",
    re.IGNORECASE,
)
# A `param` alone may also mean a wrong value: "max_tokens is too large".
_UNSUPPORTED = re.compile(
    r"unsupported|not support|unrecognized|unknown|unexpected|extra_forbidden|not permitted|deprecated|unavailable",
    re.IGNORECASE,
)
# Statuses that a refused parameter has: OpenRouter answers 404, servers whose template raises answer 500.
_STATUSES = (0, 400, 404, 422, 500, 501)


def refusal_in(error: BaseException, request: Mapping[str, Any]) -> str | None:
    """Return the feature of `request` that a provider's error refuses; None for an error about something else."""
    if status_of(error) not in _STATUSES:
        return None
    reports = [_without_echo(report, request) for report in reports_of(error)]
    if overflow_in(reports) is not None:
        return None
    features = [feature for report in reports for feature in _by_parameter(report)]
    features += [feature for report in reports for feature in _by_phrases(report, request)]
    return next((feature for feature in features if requests(request, feature)), None)


def requests(request: Mapping[str, Any], feature: str) -> bool:
    """Return whether a request uses a feature."""
    if feature == STREAMING:
        return bool(request.get("stream"))
    if feature == SYSTEM:
        return any(message["role"] == "system" for message in request["messages"])
    if feature in ("messages", "model"):
        return False
    return feature in request or feature in (request.get("extra_body") or {})


def _by_parameter(report: Report) -> Iterable[str]:
    if report.parameter and _UNSUPPORTED.search(f"{report.code} {report.message}"):
        yield _feature_of(report.parameter)


def _by_phrases(report: Report, request: Mapping[str, Any]) -> Iterable[str]:
    for match in _NAMED.finditer(report.message):
        yield _feature_of(next(name for name in match.groups() if name))
    for row in REFUSALS:
        if row.phrases and row.phrases.search(report.message):
            yield row.feature


def _feature_of(parameter: str) -> str:
    """Return the feature of a parameter as servers write it: `messages[0].role`, `response_format.type`, `reasoningEffort`."""
    for row in REFUSALS:
        if parameter in row.parameters:
            return row.feature
    name = re.split(r"[.\[]", parameter, maxsplit=1)[0]
    name = re.sub(r"(?<=[a-z])[A-Z]", lambda match: f"_{match[0].lower()}", name)
    return STREAMING if name == "stream" else name


def _without_echo(report: Report, request: Mapping[str, Any]) -> Report:
    """Remove lines of the prompt that the error repeats: a person's words must switch nothing off."""
    message = report.message
    for line in _lines(request) if len(message) > 20 else ():
        if line in message:
            message = message.replace(line, " ")
    return Report(message, report.parameter, report.code, report.prompt_tokens, report.window)


def _lines(request: Mapping[str, Any]) -> Iterable[str]:
    for message in request["messages"]:
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part.get("text") for part in content or ()]
        for text in parts:
            yield from (line for line in (text or "").splitlines() if len(line) > 12)


class Capability:
    """Refusals of one model of one server, and the window that its errors named. Thread-safe.

    `reports_progress`: the server takes llama.cpp's parameter for the progress of a prompt, which others may refuse.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.refused: tuple[str, ...] = ()
        self._window: tuple[float, int] | None = None
        self.reports_progress = False

    def refuse(self, feature: str) -> None:
        """Remember a refused feature."""
        with self._lock:
            if feature not in self.refused:
                self.refused = (*self.refused, feature)

    @property
    def window(self) -> int | None:
        """Window in tokens; None if nothing is known, or no longer: a server may be restarted with another one."""
        window = self._window
        return window[1] if window and time.monotonic() - window[0] < WINDOW_SECONDS else None

    def learn_window(self, tokens: int) -> None:
        """Remember the window in tokens; a later figure replaces an earlier one."""
        self._window = (time.monotonic(), tokens)

    def forget_window(self) -> None:
        """Forget the window, since the server reports a larger one."""
        self._window = None


class Capabilities:
    """Capabilities of all models of a desk, by address and model id. Thread-safe, bounded, in memory only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: dict[tuple[str, str], Capability] = {}

    def of(self, address: str, model: str) -> Capability:
        """Return what is known of a model; the same object for each call."""
        with self._lock:
            if (address, model) not in self._models and len(self._models) >= MAX_MODELS:
                del self._models[next(iter(self._models))]
            return self._models.setdefault((address, model), Capability())

    def forget(self, address: str, model: str) -> None:
        """Forget a model, which may have changed."""
        with self._lock:
            self._models.pop((address, model), None)
