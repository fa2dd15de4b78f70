"""The wheel: built from this tree, installed into an environment that has nothing else of ours, used in an empty folder.

What smoldesk depends on comes from the environment the tests run in, through a .pth file: nothing is fetched. smoldesk
itself comes from the wheel alone, for such a file does not follow that environment's own (the editable install).
"""

import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.desk_page import DeskPage
from tests.support.warm import ROOT, clean_environment

STARTS_WITHIN = 60
PATIENCE = 60_000

SCRIPT = """\
from smolagents import CodeAgent
from smoldesk import SandboxExecutor
from somebodys_model import SomebodysModel
with_agent = CodeAgent(tools=[], model=SomebodysModel(), executor=SandboxExecutor())
print("it says", with_agent.run("How much is six times seven?"))
"""

SOMEBODYS_MODEL = '''\
from smolagents.models import ChatMessage, MessageRole, Model


class SomebodysModel(Model):
    """Always writes the same line."""

    def generate(self, messages, **options):
        line = "import os; final_answer([6 * 7, os.getcwd()])"
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\\n{line}\\n</code>")
'''


class Environment:
    """A virtual environment with the wheel in it, and an empty folder to work in."""

    def __init__(self, root: Path) -> None:
        self.python = root / "venv" / "bin" / "python"
        self.command = self.python.with_name("smoldesk")
        self.folder = root / "empty"
        self.folder.mkdir()

    def run(self, *line: str | Path) -> subprocess.CompletedProcess[str]:
        """A command in the empty folder, with nothing of the checkout in its environment."""
        return subprocess.run(
            line,
            cwd=self.folder,
            env=clean_environment() | {"PYTHONPATH": ""},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("smoldesk-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel as pip installs it, elsewhere."""
    root = tmp_path_factory.mktemp("elsewhere")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / "venv"], check=True)
    environment = Environment(root)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        environment.python,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
    ]
    done = subprocess.run([*pip, wheel], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    packages = next((root / "venv").glob("lib/python*/site-packages"))
    ours = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "dependencies.pth").write_text("\n".join(ours))
    return environment


def test_a_wheel_carries_every_file_of_the_package_and_what_it_serves_and_nothing_else(wheel: Path) -> None:
    places = {
        "backend/smoldesk": "smoldesk",
        "backend/bitmaps": "smoldesk/_assets/bitmaps",
        "backend/data": "smoldesk/_assets/data",
        "frontend": "smoldesk/_assets/frontend",
    }
    expected = {
        f"{there}/{file.relative_to(ROOT / here).as_posix()}"
        for here, there in places.items()
        for file in (ROOT / here).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    carried = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    assert carried == expected


def test_smoldesk_comes_from_the_wheel_alone(installed: Environment) -> None:
    done = installed.run(installed.python, "-c", "import smoldesk; print(smoldesk.__file__)")

    assert done.stdout.startswith(str(installed.python.parent.parent)), done.stdout + done.stderr


@pytest.mark.browser
def test_served_in_an_empty_folder_it_answers_the_first_question_in_a_browser(
    installed: Environment, browser: Browser, free_port: int
) -> None:
    log = installed.folder.parent / "log.txt"
    url = f"http://127.0.0.1:{free_port}"
    with log.open("wb") as output:
        desk = subprocess.Popen(
            [installed.command, "serve", "--port", str(free_port)],
            cwd=installed.folder,
            env=clean_environment() | {"PYTHONPATH": ""},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        wait_until_up(url, desk, log)
        page = DeskPage(browser.new_page(locale="en-GB"), url)
        page.page.set_default_timeout(PATIENCE)
        page.open()
        turn = page.say("Load the Titanic dataset and show me basic statistics")
        expect(turn).to_have_attribute("data-state", "finished", timeout=PATIENCE)

        expect(turn.locator(".answer")).to_contain_text("891")
        page.see_image()
        page.see_map(floor="1F")
        assert page.unforgiven() == []
        page.page.close()
    finally:
        desk.terminate()
        assert desk.wait(20) == 0, log.read_text()
    assert [entry.name for entry in installed.folder.iterdir()] == ["smoldesk-data"]


def wait_until_up(url: str, desk: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(STARTS_WITHIN * 10):
        assert desk.poll() is None, log.read_text()
        try:
            if httpx.get(f"{url}/healthz", timeout=0.1).status_code == 200:
                return
        except httpx.TransportError:
            pass
    raise AssertionError(f"the desk did not come up: {log.read_text()}")


def test_five_lines_of_somebodys_script_run_their_agents_code_in_the_jail(installed: Environment) -> None:
    script = installed.folder.parent / "script.py"
    script.write_text(SCRIPT)
    script.with_name("somebodys_model.py").write_text(SOMEBODYS_MODEL)

    done = installed.run(installed.python, script)

    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()[-1]
    assert said.startswith("it says [42, ")
    assert str(installed.folder) not in said
    assert len(SCRIPT.splitlines()) == 5
