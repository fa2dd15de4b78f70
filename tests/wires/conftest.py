"""What many tests of the wires begin with: servers in processes, an HTTP client of the file's desk, and a chat there.

A test may be a coroutine: it runs on a loop of its own.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, Servers


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = inspect.signature(pyfuncitem.obj).parameters
    run_async(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    with Servers(tmp_path) as servers:
        yield servers


@pytest.fixture
def http(desk: LiveDesk) -> Iterator[httpx.Client]:
    """`desk` is that of the test's own file."""
    with httpx.Client(base_url=desk.url, timeout=100) as client:
        yield client


@pytest.fixture
def chat(http: httpx.Client) -> str:
    return http.post("/api/chats").json()["id"]
