"""What many tests of the wires begin with: a desk whose model is scripted, clients of it, a chat there, servers in processes.

A test may be a coroutine: it runs on a loop of its own.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, Servers, live_desk
from tests.support.inside_desk import InsideDesk, inside_desk
from tests.support.scripted_model import Scripts
from tests.support.ws_client import WsClient


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    parameters = inspect.signature(pyfuncitem.obj).parameters
    run_async(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in parameters}))
    return True


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    with Servers(tmp_path) as servers:
        yield servers


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, scripts: Scripts) -> Iterator[LiveDesk]:
    """One for a file of tests; a file that needs another kind has a fixture of this name."""
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: scripts.model, max_steps=4) as live:
        yield live


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InsideDesk]:
    """A desk for what is refused: its app is called in this process, and its agent says yes."""
    with inside_desk(
        tmp_path_factory.mktemp("inside"), lambda message, ctx: "yes", upload_limit_mb=0.1
    ) as desk:
        yield desk


@pytest.fixture
def inside_http(inside: InsideDesk) -> Iterator[httpx.Client]:
    with inside.client() as client:
        yield client


@pytest.fixture
def inside_chat(inside_http: httpx.Client) -> str:
    return inside_http.post("/api/chats").json()["id"]


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[WsClient]:
    with WsClient(desk.ws_url).greeted() as client:
        yield client


@pytest.fixture
def http(desk: LiveDesk) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=desk.url, timeout=100) as client:
        yield client


@pytest.fixture
def chat(http: httpx.Client) -> str:
    return http.post("/api/chats").json()["id"]
