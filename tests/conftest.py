"""What every test may ask for: a free port, a browser, a Node, a PostgreSQL, the transformers extra.

The suite's last lines name what could not be had, each test of a browser that needed a second try, with its failure
(more than a few fail the suite), and, where several processes share it, the folders that took longest.
"""

import gc

gc.disable()  # until all tests are collected: looking through what imports make took half a second of each process

import atexit
import inspect
import logging
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import certifi
import httpx
import pytest
from hypothesis import HealthCheck, settings

from smoldesk.logs.lines import UVICORN
from tests import browser_support, node_support
from tests.support import servers
from tests.support.kept_adapters import keep_adapters
from tests.support.kept_charts import kept_charts
from tests.support.kept_statements import keep_statements
from tests.support.kept_tables import keep_tables
from tests.support.postgres import CannotHave, TestPostgres
from tests.support.rewritten import keep_compiled
from tests.support.warm_children import cold_children as begun_the_long_way
from tests.support.warm_children import warm_children
from tests.support.warm_helper import collect_seldom

pytest_plugins = ["tests.support.quick"]

SECOND_TRIES = 10
"""As many as a busy machine may ask for, of some 850 tests; more are a fault of theirs or the desk's."""
SLOWEST = 10
"""Folders that the last lines name."""

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# no test is one of speed: on a busy machine an example may take its time, to be made and to be tried
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
for part in ("connect", "read", "write", "pool"):  # and so may an answer: the clients' own patience is 5 s
    setattr(inspect.signature(httpx.get).parameters["timeout"].default, part, 60.0)

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = (
    "True"  # as the desk sets it: a test that imports LiteLLM first downloads nothing
)


def trust_one_authority() -> None:
    """Every client of a desk, here and in child processes, trusts one authority, not the world's: no test leaves this machine,
    and reading them all is 35 ms of each `httpx.get`."""
    if "PYTEST_XDIST_WORKER" not in os.environ:  # such a process has it of the one that started it
        first, end, _ = Path(certifi.where()).read_text().partition("-----END CERTIFICATE-----\n")
        number, name = tempfile.mkstemp(suffix=".pem", prefix="one-authority-")
        with os.fdopen(number, "w") as file:
            file.write(first + end)
        os.environ["SSL_CERT_FILE"] = name
        atexit.register(os.unlink, name)


trust_one_authority()


@pytest.fixture(scope="session", autouse=True)
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Processes of the sandbox are forks of one that has imported what they need; apps share what FastAPI makes of types,
    and new databases their tables and compiled statements; all processes of the run share charts."""
    keep_adapters()
    keep_statements()
    keep_tables(tmp_path_factory.mktemp("tables"))
    folder = tmp_path_factory.getbasetemp()
    charts = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "charts-of-the-run"
    charts.mkdir(exist_ok=True)
    with warm_children(), kept_charts(charts):
        yield


@pytest.fixture(scope="module")
def cold_children() -> Iterator[None]:
    """For a file of tests about such processes themselves: each imports what it needs, as outside of tests."""
    with begun_the_long_way():
        yield


@pytest.fixture
def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listened on a moment ago."""
    return servers.free_port()


@pytest.fixture
def logged_as_before() -> Iterator[None]:
    """For tests that run the program itself: its log goes to a stream that ends with the test, so nobody writes there later."""
    root = logging.getLogger()
    handlers = list(root.handlers)
    levels = {log: log.level for log in (root, *map(logging.getLogger, ("smoldesk", *UVICORN)))}
    yield
    root.handlers = handlers
    for log, level in levels.items():
        log.setLevel(level)


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The Chromium to drive. Whoever asks for it is marked `browser`, and skipped where there is none."""
    result = browser_support.find()
    assert result is not None, "such a test is skipped where there is no browser"
    return result


@pytest.fixture(scope="session")
def node_path() -> Path:
    """The node that runs the real AI SDK packages. Whoever asks for it is skipped where there is none."""
    result = node_support.find()
    assert result is not None, "such a test is skipped where there is none"
    return result


@pytest.fixture(scope="session")
def launch(chromium_path: Path) -> "Iterator[Callable[..., Browser]]":
    """Launches Chromium with these flags beside the usual ones."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield lambda *flags: playwright.chromium.launch(
            executable_path=str(chromium_path), args=[*browser_support.FLAGS, *flags]
        )


@pytest.fixture(scope="session")
def browser(launch: "Callable[..., Browser]") -> "Iterator[Browser]":
    """One Chromium for the whole session; open a `new_context` per test."""
    chromium = launch(browser_support.ONE_RENDERER)
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[TestPostgres]:
    """The session's PostgreSQL. Whoever asks for it is skipped where there is none."""
    try:
        server = TestPostgres()
    except CannotHave as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def transformers_extra() -> None:
    """Whoever asks for it is skipped where the extra for models on this machine is not installed."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        pytest.skip(f"the extra smoldesk[transformers] is not installed (no {' and no '.join(missing)})")


@pytest.fixture
def postgres_url(postgres: TestPostgres) -> Iterator[str]:
    """The URL (postgresql+psycopg://...) of an empty database of the test's own."""
    with postgres.database() as url:
        yield url


@pytest.fixture
def postgres_of_a_desk(postgres: TestPostgres) -> Iterator[str]:
    """The URL of a database with a desk's tables, and no row in them."""
    with postgres.desk_database() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.starts)])
def database_url(request: pytest.FixtureRequest) -> str:
    """For tests that hold on both: a URL for SMOLDESK_DATABASE_URL, empty for SQLite in the data directory."""
    return "" if request.param == "sqlite" else request.getfixturevalue("postgres_of_a_desk")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Remove handlers of a test that set up the program's log: a run that ends later would write to a closed stream."""
    root = logging.getLogger()
    root.handlers = [
        item for item in root.handlers if not getattr(getattr(item, "stream", None), "closed", False)
    ]


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        keep_compiled(config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """What was imported and collected stays to the end: the garbage collector need not look at it again and again."""
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        collect_seldom()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        _longest_first(items)
    for item in items:
        if "chromium_path" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    wanting = [item for item in items if item.get_closest_marker("browser")]
    # a real browser on a busy machine; named in the last lines. A build machine gives each test a second try (.ci/run)
    for item in items if os.environ.get("SMOLDESK_SECOND_TRY") == "all" else wanting:
        item.add_marker(pytest.mark.flaky(reruns=1))
    if wanting and browser_support.find() is None:
        _skip(wanting, browser_support.reason())
    driving_node = [item for item in items if "node_path" in getattr(item, "fixturenames", ())]
    if driving_node and node_support.find() is None:
        _skip(driving_node, node_support.reason())


def _longest_first(items: list[pytest.Item]) -> None:
    """Files in the order in which processes take them: none is to be busy with a long one when the others have no more."""
    sizes = Counter(item.path for item in items)
    long = {item.path for item in items if item.get_closest_marker("long")}
    slow = {item.path for item in items if "chromium_path" in getattr(item, "fixturenames", ())}
    order = sorted(sizes, key=lambda path: (path not in long, -sizes[path], path))
    busy, waiting = [path for path in order if path in slow], [path for path in order if path not in slow]
    # a browser takes whole processors, the others mostly wait: side by side they fill them
    place = {path: (number + 1) / len(kind) for kind in (busy, waiting) for number, path in enumerate(kind)}
    items.sort(key=lambda item: (item.path not in long, place[item.path], item.path))


def _skip(items: list[pytest.Item], reason: str) -> None:
    """Skip them all for one reason, which the last lines tell."""
    for item in items:
        item.add_marker(pytest.mark.skip(reason=reason))


def _second_tries(config: pytest.Config) -> list[pytest.TestReport]:
    reporter: pytest.TerminalReporter | None = config.pluginmanager.get_plugin("terminalreporter")
    return reporter.stats.get("rerun", []) if reporter else []


def pytest_sessionfinish(session: pytest.Session) -> None:
    if len(_second_tries(session.config)) > SECOND_TRIES and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """From the reports alone: they come from the processes that ran the tests, whichever those were."""
    reports = terminalreporter.stats.get("skipped", [])
    skipped = Counter(str(report.longrepr[-1]).removeprefix("Skipped: ") for report in reports)
    for reason, count in sorted(skipped.items()):
        terminalreporter.write_line(f"could not be had: {reason} ({count} tests skipped)", yellow=True)
    again = _second_tries(terminalreporter.config)
    for report in again:
        terminalreporter.write_line(f"failed at first, was tried once more: {report.nodeid}", yellow=True)
        terminalreporter.write_line(report.longreprtext)
    if len(again) > SECOND_TRIES:
        terminalreporter.write_line(f"{len(again)} tests needed a second try, {SECOND_TRIES} may", red=True)
    if terminalreporter.config.getoption("numprocesses", None):
        for line in _slowest_folders(terminalreporter.stats):
            terminalreporter.write_line(line)


def _slowest_folders(stats: Mapping[str, Sequence[object]]) -> list[str]:
    """The seconds that the tests of each folder took, begin and end included, added up over all processes."""
    seconds: dict[str, float] = defaultdict(float)
    for report in (report for reports in stats.values() for report in reports):
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0].rpartition("/")[0]] += report.duration
    complete = sum(seconds.values())
    slowest = [
        f"  {took:6.0f} s  {folder}"
        for folder, took in sorted(seconds.items(), key=itemgetter(1), reverse=True)[:SLOWEST]
    ]
    return [f"slowest folders, of {complete:.0f} s in all processes:", *slowest]
