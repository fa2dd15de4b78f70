"""Quick tests: those that start no process, browser or server. `pytest --quick` runs them alone, as `make quick` does.

The choice is read from the code: a test is not quick if it or a fixture of it reaches one of `STARTERS` through what is
written in `tests/`. What starts by way of the desk's own code cannot be read so: such a test is marked `starts`. Nor is
a test quick that takes seconds by itself, which is marked `long`.
A guard holds the choice: a quick test that starts a process or takes a port fails at that line.
"""

import inspect
import os
import sys
import threading
from collections.abc import Generator, Iterator
from functools import cache, cached_property, partial
from itertools import compress
from operator import not_
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

STARTERS = {
    "subprocess",
    "socket.create_server",
    "socketserver",
    "http.server",
    "uvicorn",
    "uvicorn.server",
    "websockets.sync.server",
    "grpc",
    "playwright.sync_api",
    "playwright.sync_api._generated",
    "smoldesk.agents.terminal.pool.Programs",
    "smoldesk.agents.terminal.program.Program",
    "smoldesk.charts.pictures.picture_of",
    "smoldesk.cli.server",
    "smoldesk.desk.desk.build_desk",
    "smoldesk.sandbox.children.Children",
    "smoldesk.sandbox.executor.SandboxExecutor",
    "smoldesk.tables.folder_tables.ChatTables",
    "smoldesk.tables.open_tables.OpenTables",
    "smoldesk.tools.mcp_servers.servers.McpServers",
    "smoldesk.tools.sql_engine.run_query",
    "tests.support.postgres.TestPostgres",
}
"""Modules, and functions and classes by module and name, that start a process or a server."""

QUICK = {
    "tests.support.inside_desk.inside_desk",
    "tests.support.warm_children.cold_children",
    "tests.support.warm_children.warm_children",
}
"""Functions of the tests that name a starter and start nothing."""

EVENTS = {
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.system",
    "pty.spawn",
    "socket.bind",
    "subprocess.Popen",
}
"""Python's audit events of a process that starts and of a port that is taken."""


FIXTURE = type(pytest.fixture(lambda: None))

# --- the choice ---------------------------------------------------------------------------------------------------


def _plain(thing: Any) -> Any:
    """The function behind decorators, a fixture, a method, a partial or a property; of a property's test, what it tries."""
    if isinstance(thing, partial):
        return _plain(thing.func)
    if isinstance(thing, property):
        return thing.fget
    if inspect.ismethod(thing) or isinstance(thing, staticmethod | classmethod):
        return thing.__func__
    attributes = getattr(thing, "__dict__", {})
    if "hypothesis" in attributes and hasattr(thing.hypothesis, "inner_test"):
        return _plain(thing.hypothesis.inner_test)
    return _plain(attributes["__wrapped__"]) if "__wrapped__" in attributes else thing


@cache
def _of_tests(module: str) -> bool:
    """Modules of the tests, also those in folders without an `__init__.py` (bare names), and the benchmarks they try."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    in_folder = f"{os.sep}tests{os.sep}" in file and "site-packages" not in file
    return in_folder or module.split(".")[0] in ("tests", "bench")


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _references(thing: Any) -> Iterator[Any]:
    """What a function names, or what a class is made of."""
    if isinstance(thing, type):
        yield from thing.__bases__
        yield from vars(thing).values()
    elif isinstance(thing, FunctionType):
        names = {name for code in _codes(thing.__code__) for name in code.co_names}
        expected = [thing.__globals__[name] for name in names if name in thing.__globals__]
        # imports within the function; a plain name like `socket` may be a variable of it
        expected += [
            sys.modules[name] for name in names if name in sys.modules and ("." in name or name in STARTERS)
        ]
        yield from expected
        for module in (value for value in expected if isinstance(value, ModuleType)):
            yield from (vars(module)[name] for name in names if name in vars(module))
        yield from inspect.getclosurevars(thing).nonlocals.values()


@cache
def starts_something(thing: Any) -> bool:
    """Return whether a function or class of the tests reaches one of `STARTERS`."""
    waiting, received = [thing], set[int]()
    while waiting:
        thing = _plain(waiting.pop())
        if id(thing) in received or not (callable(thing) or isinstance(thing, ModuleType)):
            continue
        received.add(id(thing))
        module = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None) or ""
        name = f"{module}.{getattr(thing, '__qualname__', '')}"
        if module in STARTERS or name in STARTERS:
            return True
        if name in QUICK:
            continue
        if not isinstance(thing, ModuleType) and _of_tests(module):
            waiting.extend(_references(thing))
    return False


class Choice:
    """Tells which tests are quick; asked once per test, it reads each function once."""

    def __init__(self) -> None:
        self._conftests = {
            str(file): vars(module)
            for module in list(sys.modules.values())
            if (file := getattr(module, "__file__", None)) and file.endswith("conftest.py")
        }

    def is_quick(self, item: pytest.Item) -> bool:
        if any(item.get_closest_marker(mark) for mark in ("starts", "browser", "long", "slow")):
            return False
        return not any(starts_something(function) for function in self._functions(item))

    def _functions(self, item: pytest.Item) -> Iterator[Any]:
        """A test and its fixtures: each of its class, its file, or the nearest conftest.py that has one of the name."""
        function: Any = getattr(item, "function", None)
        module: Any = getattr(item, "module", None)
        yield function
        places = [vars(module)] + [
            self._conftests[path]
            for folder in item.path.parents
            if (path := str(folder / "conftest.py")) in self._conftests
        ]
        for name in getattr(item, "fixturenames", ()):
            yield next((place[name] for place in places if isinstance(place.get(name), FIXTURE)), None)


# --- the guard ----------------------------------------------------------------------------------------------------


class StartedSomething(RuntimeError):
    """Raised where a quick test starts a process or takes a port."""


class Guard:
    """Refuses what `EVENTS` says while a quick test runs.

    With `--quick` on every thread. In a run of all tests only on the main thread: servers of earlier tests live on others.
    """

    def __init__(self, every_thread: bool) -> None:
        self.every_thread = every_thread
        self.armed = False
        self.starts: list[str] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.armed or event not in EVENTS:
            return
        if self.every_thread or threading.current_thread() is threading.main_thread():
            self.starts.append(f"{event} {arguments[:2]}"[:200])
            raise StartedSomething(
                f"a quick test did {self.starts[-1]}: mark it `starts` (tests/support/quick.py)"
            )


class QuickTests:
    """The plugin: marks, chooses, guards, and says how many tests are quick."""

    def __init__(self, config: pytest.Config) -> None:
        self.alone = bool(config.getoption("quick"))
        self.counts: tuple[int, int] | None = None
        self.guard = Guard(self.alone)
        sys.addaudithook(self.guard)

    @cached_property
    def choice(self) -> Choice:
        """Made when all conftest.py files are known."""
        return Choice()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if not self.alone:
            return  # the guard asks of each test as it begins: of several processes each runs a part of them
        chosen = [self.choice.is_quick(item) for item in items]
        self.counts = sum(chosen), len(items)
        if hasattr(config, "workeroutput"):
            config.workeroutput["quick"] = self.counts  # pyright: ignore[reportAttributeAccessIssue]
        config.hook.pytest_deselected(items=[*compress(items, map(not_, chosen))])
        items[:] = [*compress(items, chosen)]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.guard.starts.clear()
        self.guard.armed = self.alone or self.choice.is_quick(item)
        try:
            return (yield)
        finally:
            self.guard.armed = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Code that catches the guard's refusal does not hide it."""
        if nextitem is None or nextitem.path != item.path:
            self.guard.armed = False  # the last one ends what others share, such as PostgreSQL
        result = yield
        if self.guard.starts:
            raise StartedSomething(f"not quick: {'; '.join(self.guard.starts)}")
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.counts = getattr(node, "workeroutput", {}).get("quick", self.counts)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.alone and self.counts:
            quick, total = self.counts
            terminalreporter.write_line(f"quick tests: {quick} of {total} ({quick / max(total, 1):.0%})")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick", action="store_true", help="only tests that start no process, browser or server"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(QuickTests(config), "quick-tests")
