"""Faults as this wire tells them: `{"detail": words}` under the status that fits."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from smoldesk.errors import (
    BadInput,
    Conflict,
    DeskError,
    NotFound,
    Refused,
)
from smoldesk.logs import refuse
from smoldesk.wires.tasks.models import Malformed

STATUS: tuple[tuple[type[DeskError], int], ...] = (
    (Malformed, 422),
    (BadInput, 400),
    (NotFound, 404),
    (Refused, 403),
    (Conflict, 409),
)
BY_CODE = {
    "too_large": 413,
    "empty_file": 422,
    "bad_answer": 422,
    "not_an_object": 422,
    "not_waiting": 400,
    "run_closed": 400,
    "not_taken": 502,
}


class TaskRoute(APIRoute):
    """A route whose refusals have this wire's form."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handler(request)
            except DeskError as fault:
                return _refused(_status(fault), fault.code, str(fault))
            except RequestValidationError as fault:
                first = fault.errors()[0]
                return _refused(422, "bad_input", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")

        return handled


def task_not_found() -> NotFound:
    """The refusal of an unknown task."""
    return NotFound("Task not found")


def not_waiting() -> Conflict:
    """The refusal of an input that no question waits for."""
    return Conflict("Task is not waiting for input", code="not_waiting")


def not_taken(why: str) -> DeskError:
    """The refusal of an input that the program did not take."""
    return DeskError("The program did not take the input.", why, code="not_taken")


def _status(fault: DeskError) -> int:
    found = BY_CODE.get(fault.code)
    return found or next((status for kind, status in STATUS if isinstance(fault, kind)), 500)


def _refused(status: int, code: str, words: str) -> JSONResponse:
    if status < 500:
        refuse(code, status=status)
    return JSONResponse({"detail": words}, status_code=status)
