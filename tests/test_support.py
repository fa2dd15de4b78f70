"""What tests stand on: a Chromium, the npm packages, a PostgreSQL; and the suite says why where one of them is missing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, inspect, text

from scripts.node import CannotHave, Node
from tests import axe_support, browser_support, node_support
from tests.support.postgres import TestPostgres
from tests.support.rewritten import keep_rewritten

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent


def suite(folder: Path, tests: str, patch: str) -> "subprocess.CompletedProcess[str]":
    """What pytest says of these tests, in a process of its own in which `patch` ran before."""
    (folder / "test_it.py").write_text(tests)
    options = f"['-p', 'tests.conftest', '-c', 'pyproject.toml', {str(folder)!r}]"
    message = f"import sys, pytest; from pathlib import Path\n{patch}\nsys.exit(pytest.main({options}))\n"
    # a build machine may give each test a second try: what these tests ask is what `make test` gives
    inherited = {name: value for name, value in os.environ.items() if name != "SMOLDESK_SECOND_TRY"}
    return subprocess.run(
        [sys.executable, "-c", message],
        cwd=ROOT,
        env=inherited | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_test_files_are_rewritten_once_for_all_processes(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("def test_one(): assert 1 == 2\n")
    (tmp_path / "helper.py").write_text("assert True\n")
    assert [keep_rewritten(pytestconfig, [tmp_path]) for _ in range(2)] == [1, 0]
    (cached,) = (tmp_path / "__pycache__").iterdir()
    cached.write_bytes(cached.read_bytes().replace(b"test_one", b"test_two"))

    done = suite(tmp_path, file.read_text(), "")

    assert "test_two - assert 1 == 2" in done.stdout, "pytest took what was there"
    file.write_text("def test_three(): assert 1 == 2\n")
    assert keep_rewritten(pytestconfig, [file]) == 1


@pytest.mark.browser
def test_the_browser_runs_a_page_script(browser: "Browser") -> None:
    page = browser.new_page()
    page.set_content("<p id=out></p><script>document.all.out.textContent = 6 * 7</script>")
    assert page.inner_text("#out") == "42"
    page.close()


def test_one_from_the_npm_package_draws_a_page_for_anybody(tmp_path: Path) -> None:
    if (failure := browser_support.by_npm()) and "npm" in failure:
        pytest.skip(f"the npm package could not be brought: {failure}")
    assert failure == ""
    message = (
        "import sys; from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p:\n"
        "    page = p.chromium.launch(executable_path=sys.argv[1], args=['--no-sandbox']).new_page()\n"
        "    page.set_content('<script>document.title = 6 * 7</script>')\n"
        "    print(page.title())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", message, str(browser_support.UNPACKED)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stdout.strip() == "42", done.stderr


def test_a_browser_test_gets_a_second_try_that_the_last_lines_tell_of_and_no_other_test_does(
    tmp_path: Path,
) -> None:
    tests = (
        "import pytest\n"
        "tries = {'page': 0, 'plain': 0}\n"
        "def fails_at_first(name):\n"
        "    tries[name] += 1\n"
        "    assert tries[name] > 1, f'{name} was not ready'\n"
        "@pytest.mark.browser\n"
        "def test_page(): fails_at_first('page')\n"
        "@pytest.mark.browser\n"
        "def test_broken(): raise AssertionError('it is broken')\n"
        "def test_plain(): fails_at_first('plain')\n"
    )
    done = suite(tmp_path, tests, "from tests import browser_support as b; b.find = lambda: Path('chromium')")

    assert done.returncode == 1
    assert "2 failed, 1 passed" in done.stdout
    assert "page was not ready" in done.stdout
    reports = [line.rpartition("::")[2] for line in done.stdout.splitlines() if "was tried once more" in line]
    assert reports == ["test_page", "test_broken"]


def test_each_alias_is_the_pinned_release(node_path: Path) -> None:
    pins = json.loads((node_support.PACKAGES / "package.json").read_text())["dependencies"]
    for alias, pin in pins.items():
        package = node_support.PACKAGES / "node_modules" / alias / "package.json"
        assert json.loads(package.read_text())["version"] == pin.rpartition("@")[2]
    assert subprocess.run([node_path, "--version"], check=True, capture_output=True).stdout.startswith(b"v")


def test_a_changed_package_json_is_installed_again(node_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_support, "wanted", lambda packages: "another package.json")
    assert node_support.find.__wrapped__() is None


def test_a_machine_without_node_leaves_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_node() -> Node:
        raise CannotHave("neither node nor npm was found")

    monkeypatch.setattr(node_support, "find_node", no_node)
    monkeypatch.setattr(node_support, "REASON", tmp_path / "why.txt")
    node_support.bring()
    assert node_support.find.__wrapped__() is None
    assert node_support.reason() == "no AI SDK packages: neither node nor npm was found"


def test_an_npm_that_fails_leaves_its_first_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = "import sys; print('npm error code ENOTFOUND', file=sys.stderr); sys.exit(1)"
    monkeypatch.setattr(
        node_support, "find_node", lambda: Node(sys.executable, [sys.executable, "-c", failing])
    )
    monkeypatch.setattr(node_support, "REASON", tmp_path / "why.txt")
    monkeypatch.setattr(node_support, "is_installed", lambda _packages: False)
    node_support.bring()
    assert node_support.reason() == "no AI SDK packages: npm could not bring them: npm error code ENOTFOUND"


def test_a_database_is_lent_empty_also_when_somebody_had_it_before(postgres: TestPostgres) -> None:
    for _ in range(2):
        with postgres.database() as url:
            engine = create_engine(url)
            assert inspect(engine).get_table_names() == []
            with engine.begin() as connection:
                connection.execute(text("CREATE TABLE left_behind (id int)"))
            # and the engine keeps its connection: it is thrown out


def test_the_server_comes_back_with_its_data(postgres: TestPostgres, postgres_url: str) -> None:
    with create_engine(postgres_url).begin() as connection:
        connection.execute(text("CREATE TABLE kept (id int)"))
    postgres.stop()
    postgres.start()
    assert inspect(create_engine(postgres_url)).get_table_names() == ["kept"]


MISSING = {
    "chromium": (
        "@pytest.mark.browser\ndef test_page(): raise AssertionError('this must not run')\ndef test_plain(): pass\n",
        "from tests import browser_support as b\nb.find, b.REASON = lambda: None, Path({why!r})\n",
        ("no Chromium", "the network was down", "1 tests skipped"),
        "1 passed, 1 skipped",
    ),
    "npm packages": (
        "def test_stream(node_path): raise AssertionError('this must not run')\ndef test_plain(): pass\n",
        "from tests import node_support as n\nn.find, n.REASON = lambda: None, Path({why!r})\n",
        ("no AI SDK packages: the network was down (1 tests skipped)",),
        "1 passed, 1 skipped",
    ),
    "PostgreSQL": (
        "def test_one(postgres_url): raise AssertionError('this must not run')\n"
        "def test_either(database_url): assert database_url == ''\n",
        "from tests.support import postgres\ndef none(folder): raise OSError('no room for it')\npostgres._begun = none\n",
        ("could not be had: no PostgreSQL: OSError: no room for it (2 tests skipped)",),
        "1 passed, 2 skipped",
    ),
}


@pytest.mark.parametrize(("tests", "patch", "message", "end"), MISSING.values(), ids=MISSING)
def test_without_it_the_last_lines_say_what_is_missing_and_why(
    tmp_path: Path, tests: str, patch: str, message: tuple[str, ...], end: str
) -> None:
    why = tmp_path / "why.txt"
    why.write_text("the network was down")
    done = suite(tmp_path, f"import pytest\n{tests}", patch.format(why=str(why)))

    assert done.returncode == 0, done.stdout + done.stderr
    *_, missing, closing = done.stdout.strip().splitlines()
    assert all(terms in missing for terms in message), missing
    assert closing.startswith(end)


def test_an_npm_that_cannot_bring_axe_leaves_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = "import sys; print('npm error code ENOTFOUND', file=sys.stderr); sys.exit(1)"
    (tmp_path / "package.json").write_text("{}")
    monkeypatch.setattr(
        axe_support, "find_node", lambda: Node(sys.executable, [sys.executable, "-c", failing])
    )
    monkeypatch.setattr(axe_support, "PACKAGES", tmp_path)
    monkeypatch.setattr(axe_support, "REASON", tmp_path / "why.txt")
    axe_support.bring()
    assert axe_support.find() is None
    assert axe_support.reason() == "no axe-core: npm could not bring them: npm error code ENOTFOUND"
