"""The browser tests drive a real Chromium where there is one, and the suite says why where there is none."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import browser_support

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent


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
    look = (
        "import sys; from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p:\n"
        "    page = p.chromium.launch(executable_path=sys.argv[1], args=['--no-sandbox']).new_page()\n"
        "    page.set_content('<script>document.title = 6 * 7</script>')\n"
        "    print(page.title())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(browser_support.UNPACKED)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stdout.strip() == "42", done.stderr


def test_a_browser_test_gets_a_second_try_that_the_last_lines_tell_of_and_no_other_test_does(
    tmp_path: Path,
) -> None:
    (tmp_path / "test_page.py").write_text(
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
    look = (
        "import sys, pytest; from tests import browser_support as b\n"
        "b.find = lambda: b.Path('chromium')\n"
        "sys.exit(pytest.main(['-p', 'tests.conftest', '-c', 'pyproject.toml', sys.argv[1]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 1
    assert "2 failed, 1 passed" in done.stdout
    assert "page was not ready" in done.stdout
    told = [line.rpartition("::")[2] for line in done.stdout.splitlines() if "was tried once more" in line]
    assert told == ["test_page", "test_broken"]


def test_without_a_browser_the_last_lines_say_what_is_missing_and_why(tmp_path: Path) -> None:
    (tmp_path / "test_page.py").write_text(
        "import pytest\n"
        "@pytest.mark.browser\n"
        "def test_page(): raise AssertionError('this must not run')\n"
        "def test_plain(): pass\n"
    )
    look = (
        "import sys, pytest; from pathlib import Path; from tests import browser_support as b\n"
        "b.find = lambda: None\n"
        "b.REASON = Path(sys.argv[1]) / 'why.txt'; b.REASON.write_text('the network was down')\n"
        "sys.exit(pytest.main(['-p', 'tests.conftest', '-c', 'pyproject.toml', sys.argv[1]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *_, missing, closing = done.stdout.strip().splitlines()
    assert "no Chromium" in missing
    assert "the network was down" in missing
    assert "1 tests skipped" in missing
    assert closing.startswith("1 passed, 1 skipped")
