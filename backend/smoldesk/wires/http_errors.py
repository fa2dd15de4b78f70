"""HTTP errors of all routes: {"error": {"code", "message", "hint"}} and a status."""

import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount

from smoldesk.chats import STORAGE_FAULTS, cause_of, store_fault
from smoldesk.errors import (
    BadInput,
    Conflict,
    DeskError,
    ModelFault,
    NotFound,
    Refused,
)
from smoldesk.logs import log_refusal
from smoldesk.wires.late_routes import LateRoute

log = logging.getLogger(__name__)

STATUS_BY_CLASS: dict[type[DeskError], int] = {
    BadInput: 400,
    NotFound: 404,
    Refused: 403,
    Conflict: 409,
    ModelFault: 502,
}
# Statuses of codes that are more precise than that of the error's class; 460 is from tus' checksum extension.
STATUS_BY_CODE = {
    "too_large": 413,
    "chat_full": 413,
    "disk_full": 507,
    "upload_silent": 408,
    "wrong_checksum": 460,
    "database_unavailable": 503,
    "database_damaged": 503,
    "data_read_only": 503,
    "store_fault": 503,
    "object_store_away": 503,
    "chat_not_erased": 503,
    "mcp_failed": 503,
    "mcp_not_authorized": 503,
}

METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")


class RefusingRoute(LateRoute):
    """Route whose errors have the form of its wire, made by `refused`."""

    def refused(self, fault: DeskError | RequestValidationError) -> Response:
        raise NotImplementedError

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handler(request)
            except (DeskError, RequestValidationError) as fault:
                return self.refused(fault)
            except STORAGE_FAULTS as fault:
                if not cause_of(fault):
                    raise
                log.error("%s failed (%s)", request.url.path, type(fault).__name__)
                return self.refused(store_fault(fault))

        return handled


def status_of(fault: DeskError, by_code: Mapping[str, int]) -> int:
    """Return the status of an error: by its code, else by its class, else 500."""
    return by_code.get(fault.code) or next(
        (STATUS_BY_CLASS[kind] for kind in STATUS_BY_CLASS if isinstance(fault, kind)), 500
    )


def install_error_handlers(app: FastAPI) -> None:
    """Install handlers that answer every error of an app in this form."""

    @app.exception_handler(DeskError)
    async def desk_error(_: Request, fault: DeskError) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        return refusal(fault)

    async def storage_error(request: Request, fault: Exception) -> JSONResponse:
        if not cause_of(fault):
            raise fault
        log.error("%s %s failed (%s)", request.method, request.url.path, type(fault).__name__)
        return refusal(store_fault(fault))

    for kind in STORAGE_FAULTS:
        app.add_exception_handler(kind, storage_error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, fault: RequestValidationError) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return error(422, "bad_input", f"{where}: {first['msg']}", "See /docs for what is expected.")

    @app.exception_handler(HTTPException)
    async def http(request: Request, fault: HTTPException) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        code = {400: "bad_input", 404: "not_found", 405: "method_not_allowed"}.get(
            fault.status_code, "http_error"
        )
        answer = error(fault.status_code, code, str(fault.detail), "")
        if fault.status_code == 405:
            answer.headers["Allow"] = ", ".join(_allowed(app, request))
        return answer

    @app.exception_handler(Exception)
    async def bug(_: Request, fault: Exception) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        return error(
            500,
            "internal_error",
            "The desk failed with an internal error.",
            "The server's log has the details.",
        )


def _allowed(app: FastAPI, request: Request) -> list[str]:
    """Return the methods of all routes with this path; Starlette's 405 lists those of one route only."""

    def is_accepted(method: str) -> bool:
        scope = {**request.scope, "method": method}
        routes = (route for route in app.router.routes if not isinstance(route, Mount))
        return any(route.matches(scope)[0] is Match.FULL for route in routes)

    return [method for method in METHODS if is_accepted(method)] or [
        "GET",
        "HEAD",
    ]  # the methods of a mounted folder


def refusal(fault: DeskError) -> JSONResponse:
    """Return an error in the form of /api."""
    more = {"notes": [*fault.notes]} if fault.notes else {}
    return error(status_of(fault, STATUS_BY_CODE), fault.code, fault.message, fault.hint, **more)


def error(status: int, code: str, message: str, hint: str, **more: Any) -> JSONResponse:
    """Return an error response in the form of /api, and log it below status 500."""
    if status < 500:
        log_refusal(code, status=status)
    facts = {"code": code, "message": message, "hint": hint, **more}
    return JSONResponse({"error": facts}, status_code=status)
