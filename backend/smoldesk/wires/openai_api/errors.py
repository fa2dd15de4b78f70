"""Faults as this protocol tells them: {"error": {"message", "type", "param", "code"}} under the status that fits."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from smoldesk.errors import DeskError
from smoldesk.logs import log_refusal
from smoldesk.wires.http_errors import STATUS_BY_CODE, RefusingRoute, status_of
from smoldesk.wires.openai_api.models import AnswerEnd, BadParameter, Object

log = logging.getLogger(__name__)

BY_CODE = {
    **{code: status for code, status in STATUS_BY_CODE.items() if status in (503, 507)},
    "too_large": 413,
    "chat_full": 413,
    "queue_full": 429,
    "run_cancelled": 409,
}
# The protocol's clients repeat requests that failed with 409 or 5xx, which would start a second run.
NO_RETRY = {"x-should-retry": "false"}


class OpenAIRoute(RefusingRoute):
    """Route whose errors have this wire's form, also unexpected ones."""

    def refused(self, fault: DeskError | RequestValidationError) -> Response:
        if isinstance(fault, RequestValidationError):
            first = fault.errors()[0]
            fault = BadParameter(str(first["loc"][-1]), f"{first['msg']}.")
        return refused(fault)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handler(request)
            except (HTTPException, ClientDisconnect):
                raise
            except Exception:
                log.exception("a request failed")
                message = ("An internal error occurred.", "The server's log has the details.")
                return refused(DeskError(*message, code="internal_error"))

        return handled


class RunBroke(DeskError):
    """A run that ended without an answer."""

    def __init__(self, end: AnswerEnd) -> None:
        super().__init__(end.message, code=end.code)


def error_of(code: str, message: str, status: int = 500, param: str | None = None) -> Object:
    """Return the object of an error."""
    kind = (
        "server_error" if status >= 500 else "rate_limit_error" if status == 429 else "invalid_request_error"
    )
    return {"message": message, "type": kind, "param": param, "code": code}


def refused(fault: DeskError) -> JSONResponse:
    """Return an error as a response."""
    status = status_of(fault, BY_CODE)
    if status < 500:
        log_refusal(fault.code, status=status)
    error = error_of(fault.code, str(fault), status, getattr(fault, "param", None))
    return JSONResponse({"error": error}, status, headers=None if status == 429 else NO_RETRY)
