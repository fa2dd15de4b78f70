"""Faults as this wire tells them: `{"detail": words}` under the status that fits."""

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.logs import log_refusal
from smoldesk.wires.http_errors import STATUS_BY_CODE, RefusingRoute, status_of
from smoldesk.wires.tasks.models import Malformed

BY_CODE = {
    **{code: status for code, status in STATUS_BY_CODE.items() if status in (503, 507)},
    "too_large": 413,
    "empty_file": 422,
    "bad_answer": 422,
    "not_an_object": 422,
    "not_waiting": 400,
    "run_closed": 400,
    "not_taken": 502,
}


class TaskRoute(RefusingRoute):
    """A route whose refusals have this wire's form."""

    def refused(self, fault: DeskError | RequestValidationError) -> JSONResponse:
        if isinstance(fault, DeskError):
            status = 422 if isinstance(fault, Malformed) else status_of(fault, BY_CODE)
            return _refused(status, fault.code, str(fault))
        first = fault.errors()[0]
        return _refused(422, "bad_input", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")


def task_not_found() -> NotFound:
    """Return the error for an unknown task."""
    return NotFound("Task not found")


def not_waiting() -> Conflict:
    """Return the error for an input without an open question."""
    return Conflict("Task is not waiting for input", code="not_waiting")


def input_rejected(why: str) -> DeskError:
    """Return the error for an input that the program did not accept."""
    return DeskError("The program did not take the input.", why, code="not_taken")


def _refused(status: int, code: str, message: str) -> JSONResponse:
    if status < 500:
        log_refusal(code, status=status)
    return JSONResponse({"detail": message}, status_code=status)
