"""What a model's provider can do wrong, said in one way: a stable code, a sentence, and what to do next.

`translate` finds the real cause inside whatever smolagents wrapped around it. Words of the provider are passed on
where they help, shortened and with the key taken out. openai is looked up only when it is loaded already: an error
of its own cannot exist before.

    model_auth          the key is missing, wrong or not allowed here
    model_rate_limited  too many requests, or the quota is used up, also after trying again
    model_timeout       no answer, or a stream that fell silent
    model_unavailable   the provider failed (5xx), also after trying again
    model_unknown       the provider has no model of that name, or no such address
    model_unreachable   no connection, or it broke
    model_refused       the request was not accepted, such as a conversation too long for the model
    model_error         anything else: an answer that makes no sense
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, cast

from pydantic import SecretStr

from backend.errors import DeskError, ModelFault, Stopped

WORDS_LIMIT = 300
"""Characters of a provider's own message that are passed on."""

_LOOKS_LIKE_A_KEY = re.compile(r"(?i)\b(?:sk|pk|key|api)-[A-Za-z0-9_*.\-]{6,}|\bbearer\s+[^\s\"',]+")


def translate(error: Exception, secret: SecretStr | None = None) -> ModelFault | Stopped:
    """The fault behind `error`, which may be wrapped; `secret` never appears in it.

    A ModelFault or Stopped found on the way is returned as it is, so translating twice changes nothing.
    """
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ModelFault | Stopped):
            return cause
    openai, httpx2 = sys.modules.get("openai"), sys.modules.get("httpx2")
    for cause in causes:
        if openai is not None and isinstance(cause, openai.OpenAIError):
            return _of_openai(openai, cause, secret)
        # openai lets these through when the body of an error breaks off
        if httpx2 is not None and isinstance(cause, httpx2.TimeoutException):
            return _silent()
        if httpx2 is not None and isinstance(cause, httpx2.TransportError):
            return _cut_off()
    for cause in causes:
        if isinstance(cause, DeskError):
            return ModelFault(cause.message, cause.hint, cause.code)
        if isinstance(cause, json.JSONDecodeError | UnicodeDecodeError):
            return ModelFault(
                "The model's server sent something that is not JSON.", _CHECK_URL, "model_error"
            )
    return ModelFault(
        "The model failed.", scrub(f"{type(causes[-1]).__name__}: {causes[-1]}", secret), "model_error"
    )


def scrub(text: str, secret: SecretStr | None) -> str:
    """`text` on one line, shortened, without the key and without anything that looks like one."""
    value = secret.get_secret_value() if secret is not None else ""
    if value:
        text = text.replace(value, "[key]")
    text = " ".join(_LOOKS_LIKE_A_KEY.sub("[key]", text).split())
    return text if len(text) <= WORDS_LIMIT else text[: WORDS_LIMIT - 1] + "…"


def seconds_asked(error: BaseException) -> float | None:
    """How long the provider asks to wait before the next try (Retry-After), in seconds; None when it does not say."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    return None


_CHECK_URL = "Check SMOLDESK_OPENAI_BASE_URL: it should end where /chat/completions begins."
_TOO_LONG = (
    "context_length",
    "context length",
    "maximum context",
    "too many tokens",
    "too long",
    "context window",
)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """`error`, what it was raised from, and so on to the root; a chain that bites its tail ends."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)


def _of_openai(openai: Any, error: BaseException, secret: SecretStr | None) -> ModelFault:
    """The fault for one of openai's exceptions; the narrowest class decides."""
    words = scrub(_own_words(error), secret)
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return ModelFault(
            "The model's provider did not accept the key.",
            "Check SMOLDESK_OPENAI_API_KEY, and that this key may use this model.",
            "model_auth",
        )
    if isinstance(error, openai.RateLimitError):
        return _of_rate_limit(error, words)
    if isinstance(error, openai.APITimeoutError):
        return _silent()
    if isinstance(error, openai.APIConnectionError):
        return _cut_off()
    if isinstance(error, openai.NotFoundError):
        return ModelFault(
            "The model's server does not know this model or address.",
            f"It said: {words} Check SMOLDESK_MODEL and SMOLDESK_OPENAI_BASE_URL.",
            "model_unknown",
        )
    if isinstance(error, openai.APIResponseValidationError):
        return ModelFault("The model's server sent an answer of the wrong shape.", _CHECK_URL, "model_error")
    if isinstance(error, openai.APIStatusError):
        return _of_status(cast(int, getattr(error, "status_code", 0)), words)
    if isinstance(
        error, openai.APIError
    ):  # an error object inside a stream: the status went out as 200 long before
        return _of_words(words)
    return ModelFault("The model failed.", words, "model_error")


def _silent() -> ModelFault:
    return ModelFault(
        "The model stopped answering.",
        "Try again; if it is only slow, raise SMOLDESK_MODEL_TIMEOUT_SECONDS.",
        "model_timeout",
    )


def _cut_off() -> ModelFault:
    return ModelFault(
        "The model's server cannot be reached, or the connection broke.",
        "Check that it is running, SMOLDESK_OPENAI_BASE_URL, and the network.",
        "model_unreachable",
    )


def _of_rate_limit(error: BaseException, words: str) -> ModelFault:
    wait = seconds_asked(error)
    advice = f"Try again in {wait:.0f} seconds." if wait else "Wait a little, then try again."
    if "quota" in f"{getattr(error, 'code', '')} {words}".lower():
        advice = "The account's quota seems to be used up."
    return ModelFault(
        "The model's provider limits how often it is asked.",
        f"{advice} It said: {words}",
        "model_rate_limited",
    )


def _of_status(status: int, words: str) -> ModelFault:
    if status >= 500 or status in (408, 409):
        return ModelFault(
            f"The model's server failed (HTTP {status}).",
            f"Try again later. It said: {words}",
            "model_unavailable",
        )
    return _refused(words)


def _of_words(words: str) -> ModelFault:
    if "rate limit" in words.lower():
        return ModelFault(
            "The model's provider limits how often it is asked.", f"It said: {words}", "model_rate_limited"
        )
    if _is_too_long(words):
        return _refused(words)
    return ModelFault(
        "The model's server failed while it answered.", f"It said: {words}", "model_unavailable"
    )


def _refused(words: str) -> ModelFault:
    if _is_too_long(words):
        return ModelFault(
            "The conversation is too long for this model.",
            f"Start a new chat, or lower SMOLDESK_MEMORY_RUNS. It said: {words}",
            "model_refused",
        )
    return ModelFault("The model's server refused the request.", f"It said: {words}", "model_refused")


def _is_too_long(words: str) -> bool:
    return any(sign in words.lower() for sign in _TOO_LONG)


def _own_words(error: BaseException) -> str:
    """The provider's message out of the error's body, else openai's rendering of it."""
    body: object = getattr(error, "body", None)
    if isinstance(body, dict):
        for holder in (cast("dict[str, object]", body), cast("dict[str, object]", body).get("error")):
            if isinstance(holder, dict):
                message = cast("dict[str, object]", holder).get("message")
                if isinstance(message, str) and message.strip():
                    code = cast("dict[str, object]", holder).get("code")
                    return f"{message} ({code})" if isinstance(code, str) and code not in message else message
    return str(error) or type(error).__name__
