"""Faults of the desk as this protocol tells them; the SDK gives each binding its form of them."""

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

from backend.errors import BadInput, Conflict, DeskError, NotFound, Refused
from backend.logs import refuse

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


def told(fault: DeskError) -> A2AError:
    """The error of the protocol that a fault is; `code` goes with it as data."""
    kind = BY_CODE.get(fault.code) or next((kind for base, kind in BY_KIND if isinstance(fault, base)), None)
    refuse(fault.code)
    return (kind or InternalError)(message=str(fault), data={"code": fault.code})


@contextmanager
def in_words() -> Generator[None, None, None]:
    """What the desk raises, in this protocol's errors."""
    try:
        yield
    except DeskError as fault:
        raise told(fault) from fault
