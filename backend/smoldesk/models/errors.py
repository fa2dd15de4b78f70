"""Errors of a model's provider in one form: a stable code, a sentence, and what to do next.

`translate` finds the cause inside smolagents' wrapper. The provider's message is passed on if it helps, shortened and
without the key. openai is used only if it is loaded already: without it, its errors cannot occur.

    model_auth          the key is missing, wrong or not allowed here
    model_no_credit     the account has no credit left
    model_rate_limited  too many requests, also after retries
    model_timeout       no answer, or a stream that stalled
    model_unavailable   the provider failed (5xx), also after retries
    model_unknown       the provider has no model of that name, or no such address
    model_unreachable   no connection, or it broke
    model_too_long      the conversation is longer than the model's window
    model_refused       the request was not accepted
    model_error         anything else: an invalid answer
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from pydantic import SecretStr

from smoldesk.errors import DeskError, ModelFault, Stopped
from smoldesk.models.access import NO_NAMES, Names
from smoldesk.models.overflow import Overflow, overflow_in
from smoldesk.models.provider_reports import reports_of, status_of

# Statuses of servers that refuse a prompt as too long; llama.cpp answered 500 before (ggml-org/llama.cpp #15780).
_OVERFLOW_STATUSES = (0, 400, 413, 422, 500)
# Characters of a provider's own message that are passed on.
MAX_MESSAGE_CHARACTERS = 300

_LOOKS_LIKE_A_KEY = re.compile(r"(?i)\b(?:sk|pk|key|api)-[A-Za-z0-9_*.\-]{6,}|\bbearer\s+[^\s\"',]+")


class TooLong(ModelFault):
    """The provider refused a prompt that is longer than the model's window; `overflow` has the figures it named."""

    code = "model_too_long"

    def __init__(self, overflow: Overflow, said: str, names: Names = NO_NAMES) -> None:
        self.overflow = overflow
        lower = " or ".join(setting for setting in (names.memory, names.context) if setting)
        settings = f" Or lower {lower}, so that old outputs are left out." if lower else ""
        hint = f"Start a new chat, or choose a model with a longer window.{settings} It said: {said}"
        super().__init__("The conversation is too long for this model.", hint)


def translate(error: Exception, *secrets: SecretStr | None, names: Names = NO_NAMES) -> ModelFault | Stopped:
    """Return the error behind `error`, which may be wrapped; it never contains `secrets`, and its hint mentions `names`.

    A ModelFault or Stopped among the causes is returned unchanged, so translating twice changes nothing.
    """
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ModelFault | Stopped):
            return cause
    moved = next((status for status in map(status_of, causes) if 300 <= status < 400), None)
    if moved is not None:  # LiteLLM calls it a lost connection, or a 500
        return ModelFault(
            f"The model's server redirects to another address (HTTP {moved}), which is not followed.",
            _check(names.address),
            "model_error",
        )
    openai, httpx2 = sys.modules.get("openai"), sys.modules.get("httpx2")
    for cause in causes:
        if openai is not None and isinstance(cause, openai.OpenAIError):
            # LiteLLM wraps openai's own errors, and calls a lost connection a 500
            root = [error for error in causes if isinstance(error, openai.OpenAIError)][-1]
            return _of_openai(openai, root, scrub(_provider_message(root), *secrets), names)
        # openai lets these through when the body of an error breaks off
        if httpx2 is not None and isinstance(cause, httpx2.TimeoutException):
            return silent(names)
        if httpx2 is not None and isinstance(cause, httpx2.TransportError):
            return cut_off(names)
    for cause in causes:
        if isinstance(cause, DeskError):
            return ModelFault(cause.message, cause.hint, cause.code)
        if isinstance(cause, json.JSONDecodeError | UnicodeDecodeError):
            return ModelFault(
                "The model's server sent something that is not JSON.", _check_end(names), "model_error"
            )
    return ModelFault(
        "The model failed.", scrub(f"{type(causes[-1]).__name__}: {causes[-1]}", *secrets), "model_error"
    )


def scrub(text: str, *secrets: SecretStr | None) -> str:
    """`text` on one line, shortened, without the keys and without anything that looks like one."""
    for secret in secrets:
        value = secret.get_secret_value() if secret is not None else ""
        if value:
            text = text.replace(value, "[key]")
    text = " ".join(_LOOKS_LIKE_A_KEY.sub("[key]", text).split())
    return text if len(text) <= MAX_MESSAGE_CHARACTERS else text[: MAX_MESSAGE_CHARACTERS - 1] + "…"


def retry_after_seconds(error: BaseException) -> float | None:
    """Return the seconds of the provider's Retry-After header, or None."""
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


_NO_CREDIT = (
    "quota",
    "credit",
    "insufficient balance",
    "insufficient_balance",
    "insufficient funds",
    "billing",
)
_FILTERED = ("content_filter", "content filter", "content_policy", "content management policy", "guardrail")


def _check(*places: str) -> str:
    """Return what to check of the settings that were set; without any, another model is what remains."""
    checks = " and ".join(dict.fromkeys(place for place in places if place))
    return f"Check {checks}." if checks else "Choose another model."


def _check_end(names: Names) -> str:
    if not names.address:
        return _check()
    return f"Check {names.address}: it should end where /chat/completions begins."


def _causes(error: BaseException) -> Iterator[BaseException]:
    """`error`, what it was raised from, and so on to the root; a chain that bites its tail ends."""
    seen_ids: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen_ids:
        seen_ids.add(id(at))
        yield at
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)


def _of_openai(openai: Any, error: BaseException, message: str, names: Names) -> ModelFault:
    """Return the error for one of openai's exceptions; the narrowest class decides."""
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return no_key(names)
    if isinstance(error, openai.RateLimitError):
        return rate_limited(message, retry_after_seconds(error), str(getattr(error, "code", "")))
    if isinstance(error, openai.APITimeoutError):
        return silent(names)
    if isinstance(error, openai.APIConnectionError):
        return cut_off(names)
    if isinstance(error, openai.NotFoundError):
        return unknown(message, names)
    if isinstance(error, openai.APIResponseValidationError):
        return ModelFault(
            "The model's server sent a response in an unexpected format.", _check_end(names), "model_error"
        )
    status = status_of(error)
    overflow = overflow_in(reports_of(error)) if status in _OVERFLOW_STATUSES else None
    if overflow is not None and not _has_no_credit(message):
        return TooLong(overflow, message, names)
    if status >= 400:  # also LiteLLM's, which is not always an APIStatusError
        return no_key(names) if status in (401, 403) else of_status(status, message)
    if isinstance(
        error, openai.APIError
    ):  # an error object inside a stream: the status went out as 200 long before
        return _from_message(message)
    return ModelFault("The model failed.", message, "model_error")


def no_key(names: Names) -> ModelFault:
    """Return the error for a missing or refused key."""
    return ModelFault(
        "The model's provider did not accept the key.",
        f"Check {names.key}, and that this key may use this model."
        if names.key
        else "Add the model with its key on the page, or choose another model.",
        "model_auth",
    )


def unknown(message: str, names: Names) -> ModelFault:
    """Return the error for a model that the provider does not know."""
    return ModelFault(
        "The model's server does not know this model or address.",
        f"It said: {message} {_check(names.model, names.address)}",
        "model_unknown",
    )


def silent(names: Names) -> ModelFault:
    """Return the error for a model that sent nothing for too long."""
    remedy = f"raise {names.timeout}" if names.timeout else "choose a faster model"
    return ModelFault(
        "The model stopped answering.",
        f"Try again; if it is only slow, {remedy}.",
        "model_timeout",
    )


def cut_off(names: Names) -> ModelFault:
    """Return the error for a broken connection."""
    return ModelFault(
        "The model's server cannot be reached, or the connection broke.",
        f"Check that it is running, {names.address}, and the network."
        if names.address
        else "Check that it is running, and the network.",
        "model_unreachable",
    )


def rate_limited(message: str, wait: float | None = None, code: str = "") -> ModelFault:
    """Return the error for too many requests."""
    advice = f"Try again in {wait:.0f} seconds." if wait else "Wait a little, then try again."
    if _has_no_credit(f"{code} {message}"):
        return no_credit(message)
    return ModelFault(
        "The model's provider limits the number of requests.",
        f"{advice} It said: {message}",
        "model_rate_limited",
    )


def no_credit(message: str) -> ModelFault:
    """Return the error for an account without credit."""
    return ModelFault(
        "The account at the model's provider has no credit left, or its quota is used up.",
        f"Add credit there, or choose another model. It said: {message}",
        "model_no_credit",
    )


def _has_no_credit(message: str) -> bool:
    return any(sign in message.lower() for sign in _NO_CREDIT)


def of_status(status: int, message: str) -> ModelFault:
    """Return the error for an HTTP status of a provider."""
    if status == 402:
        return no_credit(message)
    if status >= 500 or status in (408, 409):
        return ModelFault(
            f"The model's server failed (HTTP {status}).",
            f"Try again later. It said: {message}",
            "model_unavailable",
        )
    return refused(message)


def _from_message(message: str) -> ModelFault:
    if "rate limit" in message.lower():
        return ModelFault(
            "The model's provider limits the number of requests.", f"It said: {message}", "model_rate_limited"
        )
    return ModelFault(
        "The model's server failed while it answered.", f"It said: {message}", "model_unavailable"
    )


def refused(message: str) -> ModelFault:
    """Return the error for a request that the provider refused."""
    if _has_no_credit(message):
        return no_credit(message)
    if any(sign in message.lower() for sign in _FILTERED):
        return ModelFault(
            "The provider's content filter blocked the request.",
            f"Rephrase the question. It said: {message}",
            "model_refused",
        )
    return ModelFault("The model's server refused the request.", f"It said: {message}", "model_refused")


def _provider_message(error: BaseException) -> str:
    """Return the provider's message from the error's body, else openai's rendering of it."""
    for report in reports_of(error):
        if report.message.strip():
            code = report.code.split(" ")[0]
            return f"{report.message} ({code})" if code and code not in report.message else report.message
    return str(error) or type(error).__name__
