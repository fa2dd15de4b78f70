"""Faults of the desk as this protocol tells them; the SDK gives each binding its form of them."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

from a2a.utils.errors import (
    A2AError,
    ContentTypeNotSupportedError,
    InternalError,
    InvalidParamsError,
    InvalidRequestError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from smoldesk.chats import STORAGE_FAULTS, cause_of, store_fault
from smoldesk.errors import (
    BadInput,
    Conflict,
    DeskError,
    NotFound,
    Refused,
)
from smoldesk.logs import log_refusal

log = logging.getLogger(__name__)

BY_CODE: dict[str, type[A2AError]] = {
    "bad_media_type": ContentTypeNotSupportedError,
    "store_fault": InternalError,
    "not_kept": InternalError,
}
BY_KIND: tuple[tuple[type[DeskError], type[A2AError]], ...] = (
    (BadInput, InvalidParamsError),
    (NotFound, TaskNotFoundError),
    (Conflict, UnsupportedOperationError),
    (Refused, InvalidRequestError),
)


def protocol_error(fault: DeskError) -> A2AError:
    """Return the protocol's error for an error of the desk; `code` is part of its data."""
    kind = BY_CODE.get(fault.code) or next((kind for base, kind in BY_KIND if isinstance(fault, base)), None)
    log_refusal(fault.code)
    return (kind or InternalError)(message=str(fault), data={"code": fault.code})


@contextmanager
def translate_errors() -> Generator[None, None, None]:
    """Translate errors of the desk to this protocol's errors."""
    try:
        yield
    except DeskError as fault:
        raise protocol_error(fault) from fault
    except A2AError:
        raise
    except STORAGE_FAULTS as fault:
        if not cause_of(fault):
            raise _internal_error(fault) from fault
        raise protocol_error(store_fault(fault)) from fault
    except Exception as fault:  # the SDK would show its words to the client, and its own log is silent here
        raise _internal_error(fault) from fault


def _internal_error(fault: Exception) -> InternalError:
    log.error("a request of an agent met a fault", exc_info=fault)
    return InternalError("An internal error occurred. The server's log has the details.")
