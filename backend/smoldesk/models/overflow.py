"""Recognition of a prompt that is longer than the model's window, with the figures that the error names."""

import re
from typing import NamedTuple

from smoldesk.models.provider_reports import Report

# Windows below are a misread number.
SMALLEST_WINDOW = 128


class Overflow(NamedTuple):
    """`needed` tokens and the `window`, where the error names them."""

    needed: int | None = None
    window: int | None = None


_N, _M = r"(?P<needed>\d[\d,]*)", r"(?P<window>\d[\d,]*)"
# The messages of servers; tests/models/test_overflow.py has a complete body of each with its source.
_MESSAGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # llama.cpp since b8000, and Ollama's newer engine, which is its server
        rf"request \({_N} tokens\) exceeds (?:the )?(?:available )?context size \({_M} tokens\)",
        # OpenAI, DeepSeek, vLLM, OpenRouter
        rf"maximum context length is {_M} tokens\D{{1,60}}{_N}",
        rf"maximum context length (?:of|is) {_M}",
        # vLLM's scheduler, TGI
        rf"prompt \({_N} tokens\) is too long and exceeds limit of {_M}",
        # LM Studio, two generations
        rf"keep the first {_N} tokens.{{0,80}}context length of only {_M}",
        rf"n_keep \({_N}\) >= n_ctx \({_M}\)",
        # Anthropic: the prompt alone, and prompt with max_tokens
        rf"prompt is too long: {_N} tokens > {_M} maximum",
        rf"exceed context limit: {_N} \+ \d+ > {_M}",
        # Gemini
        rf"input token count \({_N}\) exceeds the maximum number of tokens allowed \({_M}\)",
        # Mistral
        rf"prompt contains {_N} tokens.{{0,40}}too large for model with {_M} maximum context",
        # Cerebras
        rf"current length is {_N} while limit is {_M}",
    )
)
# Signs without figures: OpenAI's and Groq's code, Responses API, LM Studio, Ollama, LiteLLM.
_SIGNS = re.compile(
    r"context[_ ](?:length|size|window)[_ ]?(?:exceeded|error)|exceed_context_size|contextwindowexceeded|maximum context"
    r"|exceeds? (?:the )?(?:available |max(?:imum)? )?context|exceeds the context window|greater than the context length"
    r"|too many tokens|(?:prompt|input|request|conversation|messages?) (?:is |are )?too long|context[_ ](?:length|window)",
    re.IGNORECASE,
)


def overflow_in(reports: list[Report]) -> Overflow | None:
    """Return the overflow that an error reports, or None for another error."""
    for report in reports:
        if report.window is not None:
            return Overflow(report.prompt_tokens, report.window)
        for pattern in _MESSAGES:
            if match := pattern.search(report.message):
                figures = match.groupdict()
                return Overflow(_number(figures.get("needed")), _window(figures["window"]))
    signs = any(_SIGNS.search(f"{report.code} {report.message}") for report in reports)
    return Overflow() if signs else None


def _number(text: str | None) -> int | None:
    return int(text.replace(",", "")[:9]) if text else None


def _window(text: str) -> int | None:
    window = _number(text)
    return window if window is not None and window >= SMALLEST_WINDOW else None
