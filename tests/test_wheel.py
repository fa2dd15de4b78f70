"""The wheel: built from this tree, installed into an environment that has nothing else of ours, used in an empty folder.

Nothing is fetched but esbuild, which makes the page's bundle.
"""

import gzip
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path, PurePosixPath

import httpx
import pytest
from playwright.sync_api import Browser, expect

from scripts.bundle_page import bundle_checkout
from scripts.node import CannotHave
from smoldesk.assets import FRONTEND
from smoldesk.wires.page_files import PageFiles
from tests.browser.desk_page import DeskPage
from tests.sandbox.test_alone import put_script
from tests.support.installed_wheel import Environment, build_wheel, install
from tests.support.warm import ROOT, clean_environment

STARTS_WITHIN = 60
PATIENCE = 60_000
BUNDLE = "smoldesk/_assets/page/"
NO_NODE = {
    "XDG_CACHE_HOME": "/nowhere",
    "npm_config_registry": "http://127.0.0.1:9",
    "npm_config_fetch_retries": "0",
}
"""An environment in which npm can bring nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The wheel of this tree, and what its build said."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def wheel(built: tuple[Path, str]) -> Path:
    return built[0]


@pytest.fixture(scope="module")
def bundled(built: tuple[Path, str]) -> None:
    """Skips where esbuild cannot be had, which the build then has said."""
    if (text := "The page is not bundled") in built[1]:
        pytest.skip(built[1][built[1].index(text) :].strip())


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel as pip installs it, elsewhere."""
    return install(wheel, tmp_path_factory.mktemp("elsewhere"))


def test_a_wheel_carries_every_file_of_the_package_and_what_it_serves_and_nothing_else(wheel: Path) -> None:
    places = {
        "backend/smoldesk": "smoldesk",
        "backend/bitmaps": "smoldesk/_assets/bitmaps",
        "backend/data": "smoldesk/_assets/data",
        "frontend": "smoldesk/_assets/frontend",
    }
    expected = {
        f"{place}/{file.relative_to(ROOT / here).as_posix()}"
        for here, place in places.items()
        for file in (ROOT / here).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    carried = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    assert {name for name in carried if not name.startswith(BUNDLE)} == expected


@pytest.mark.usefixtures("bundled")
def test_the_bundle_is_compressed_and_holds_what_the_page_names_and_imports(
    wheel: Path, tmp_path: Path
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    version = PageFiles(tmp_path / BUNDLE).current()
    index = version.index.content.decode()

    assert re.findall(r'rel="stylesheet" href="([^"]+)">', index) == [f"/static/@{version.hash}/css/page.css"]
    packed = {name for name, file in version.files.items() if {"gzip", "br"} <= file.packed.keys()}
    assert packed == {name for name in version.files if name.endswith((".js", ".css"))}
    for name in packed:
        file = version.files[name]
        assert gzip.decompress(file.packed["gzip"]) == file.content
    named = {name.partition(f"@{version.hash}/")[2] for name in re.findall(r'(?:href|src)="([^"]+)"', index)}
    late = {
        name
        for name in version.files
        if re.search(
            "apps|buildings|conversations|debug|viewer-|dialog|detail|drawer|drawing|editing|export|replay|report|resumable|rows|sheet|sources|tests|list-|differences|bgm-player|stand|suites|versions|watches|models|mentions|panel|work-|-card|controls|grid|help|ghost-layer|room-menu|"
            "en-|ja-",
            name,
        )
    }
    assert len(late) == 53
    between = set(version.files) - named - late - {"index.html"}
    assert len(between) <= 3 and all(name.startswith("js/chunk-") for name in between), "late parts share few"
    first = b"".join(version.files[name].content for name in named - late)
    assert not any(Path(name).name.encode() in first for name in between), (
        "and the first screen has none of it"
    )
    assert len(named - late) <= 12, "what the parts share is in one file"


def without_esbuild(folder: Path) -> dict[str, str]:
    """An environment in which npm can bring nothing."""
    nowhere = {"npm_config_registry": "http://127.0.0.1:9", "npm_config_fetch_retries": "0"}
    return nowhere | {"XDG_CACHE_HOME": str(folder / "cache"), "npm_config_cache": str(folder / "npm")}


def test_a_wheel_made_without_esbuild_says_so_and_serves_the_modules(tmp_path: Path) -> None:
    wheel, message = build_wheel(tmp_path, **without_esbuild(tmp_path))

    assert "The page is not bundled" in message
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(BUNDLE)]
    folder = PurePosixPath(BUNDLE).with_name("frontend")
    zipfile.ZipFile(wheel).extractall(tmp_path)
    assert "js/map/viewer.js" in PageFiles(tmp_path / folder).current().files


def test_a_release_may_require_the_bundle(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        build_wheel(tmp_path, SMOLDESK_BUNDLE="require", **without_esbuild(tmp_path))
    assert "npm could not bring" in failed.value.stderr


def test_smoldesk_comes_from_the_wheel_alone(installed: Environment) -> None:
    done = installed.run(installed.python, "-c", "import smoldesk; print(smoldesk.__file__)")

    assert done.stdout.startswith(str(installed.python.parent.parent)), done.stdout + done.stderr


@pytest.mark.browser
def test_served_in_an_empty_folder_it_answers_the_first_question_in_a_browser(
    built: tuple[Path, str], installed: Environment, browser: Browser, free_port: int
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
        scripts: list[str] = []
        page.page.on(
            "request", lambda sent: scripts.append(sent.url) if sent.resource_type == "script" else None
        )
        page.open()
        turn = page.say("Load the Titanic dataset and show me basic statistics")
        expect(turn).to_have_attribute("data-state", "finished", timeout=PATIENCE)

        expect(turn.locator(".answer")).to_contain_text("891")
        page.see_image()
        page.see_map(floor="1F")
        expect(turn.locator(".chart-block, .plot-block, figure").first).to_be_visible()
        page.page.locator(".debug-row").first.click()
        expect(page.page.locator(".debug-detail")).to_be_visible()
        page.page.keyboard.press("c")
        expect(page.page.locator("main.talk")).to_be_visible()
        assert page.unforgiven() == []
        if "The page is not bundled" not in built[1]:
            assert len(set(scripts)) < 30, "modules were loaded, not the bundle"
        page.page.close()
    finally:
        desk.terminate()
        assert desk.wait(20) == 0, log.read_text()
    assert [entry.name for entry in installed.folder.iterdir()] == ["smoldesk-data"]


def wait_until_up(url: str, desk: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(STARTS_WITHIN * 10):
        assert desk.poll() is None, log.read_text()
        try:
            if httpx.get(f"{url}/healthz", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"the desk did not come up: {log.read_text()}")


def test_five_lines_of_somebodys_script_run_their_agents_code_in_the_jail(installed: Environment) -> None:
    script = put_script(installed.folder.parent)

    done = installed.run(installed.python, script)

    assert done.returncode == 0, done.stderr
    message = done.stdout.splitlines()[-1]
    assert message.startswith("it says [42, ")
    assert str(installed.folder) not in message


@pytest.mark.starts
def test_make_run_bundles_the_page_once_and_serves_it(tmp_path: Path) -> None:
    try:
        assert bundle_checkout(tmp_path / "run")
    except CannotHave as reason:
        pytest.skip(str(reason))
    assert not bundle_checkout(tmp_path / "run")
    files = PageFiles(FRONTEND, tmp_path / "run").current().files
    assert "br" in files["js/app.js"].packed
    assert "js/map/answers.js" not in files and len(files) < 75
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.starts
def test_a_checkout_without_esbuild_says_that_it_loads_more_slowly(tmp_path: Path) -> None:
    program = """
import pathlib, sys
sys.modules["hatchling"] = None  # make run installs no extra
from scripts import bundle_page
from smoldesk import assets
assets.CHECKOUT_BUNDLE = pathlib.Path(sys.argv[1])
bundle_page.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "run")],
        cwd=ROOT,
        env={**os.environ, **without_esbuild(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "not bundled, so it loads more slowly: npm could not bring esbuild" in done.stderr
    assert not (tmp_path / "run").exists()
