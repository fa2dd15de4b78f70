"""Run a coroutine from a test. Not with asyncio.run: the browser's driver keeps a loop running on the main thread."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """The coroutine's result, from a loop on a thread of its own; what it raised is raised here."""
    return aside(lambda: asyncio.run(coroutine))


def aside(work: Callable[[], T]) -> T:
    """The result of a function that brings a loop of its own, from a thread; what it raised is raised here."""
    results: list[T] = []
    faults: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if faults:
        raise faults[0]
    return results[0]
