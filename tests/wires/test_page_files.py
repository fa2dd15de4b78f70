"""The page's files under the hash of their version: what a browser keeps, what follows an edit, what is refused."""

import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from smoldesk.app import create_app
from smoldesk.assets import FRONTEND
from smoldesk.desk import build_desk
from smoldesk.wires import page
from smoldesk.wires.page_files import MADE_OF, PageFiles, module_imports, read_version
from tests.support.desk_server import LiveDesk, live_desk, settings_for

LINKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:  # the modules, also after `make run` bundled them here
        patch.setattr(page, "CHECKOUT_BUNDLE", folder / "no-bundle")
        with live_desk(folder) as live:
            yield live


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page of a few files."""
    files = {
        "index.html": '<script type="module" src="/static/js/app.js"></script>\n'
        '<link rel="modulepreload" href="/static/js/map.js" media="(min-width: 900px)" fetchpriority="low">\n'
        '<link rel="stylesheet" href="/static/css/page.css">',
        "js/app.js": 'import { a } from "./core/a.js";\nimport("./later.js");\n',
        "js/core/a.js": '/** @import { T } from "../typed.js" */\nexport * from "../b.js";\n',
        "js/b.js": 'import{x as y}from"./core/a.js";import"./c.js";\n',
        "js/c.js": "export const importance = 1;\n",
        "js/map.js": 'import {\n  a,\n} from "./core/a.js";\nimport { d } from "./d.js";\n',
        **{f"js/{name}.js": "export {};\n" for name in ("d", "later", "typed")},
        "css/page.css": "a { color: red }\n" * 100,
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


def test_every_file_the_page_names_is_compressed_and_kept_for_good(desk: LiveDesk) -> None:
    index = httpx.get(f"{desk.url}/", timeout=30)
    assert index.headers["cache-control"] == "no-cache"
    assert index.headers["content-encoding"] == "gzip"
    linked = LINKED.findall(index.text)
    assert len(linked) > 50
    assert len({path.split("/")[2] for path in linked}) == 1, "one version"
    for path in linked:
        answer = httpx.get(desk.url + path, timeout=30)
        assert answer.status_code == 200, path
        assert answer.headers["cache-control"] == "max-age=31536000, immutable"
        assert answer.headers["vary"].startswith("Accept-Encoding")
        plain = re.sub(r"/@[0-9a-f]+/", "/", path)
        again = httpx.get(desk.url + plain, timeout=30)
        assert (again.content, again.headers["cache-control"]) == (answer.content, "no-cache")
        assert answer.headers.get("content-encoding") == ("gzip" if len(answer.content) >= 256 else None)


def test_a_browser_that_has_the_page_gets_its_tag_alone(desk: LiveDesk) -> None:
    first = httpx.get(f"{desk.url}/", timeout=30)
    again = httpx.get(f"{desk.url}/", headers={"if-none-match": first.headers["etag"]}, timeout=30)
    assert (again.status_code, again.content) == (304, b"")
    other = httpx.get(f"{desk.url}/", headers={"if-none-match": 'W/"another"'}, timeout=30)
    assert other.text == first.text


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("", None), ("identity", None), ("gzip;q=0, br", None), ("deflate, GZIP;q=0.5", "gzip"), ("*", None)],
)
def test_what_a_client_cannot_read_is_not_sent_to_it(
    desk: LiveDesk, accepted: str, coding: str | None
) -> None:
    path = next(
        path for path in LINKED.findall(httpx.get(f"{desk.url}/", timeout=30).text) if "app.js" in path
    )
    answer = httpx.get(desk.url + path, headers={"accept-encoding": accepted}, timeout=30)
    assert answer.headers.get("content-encoding") == coding
    assert answer.content == (FRONTEND / "js" / "app.js").read_bytes()


def test_a_file_of_a_version_that_is_gone_is_said_to_be(desk: LiveDesk) -> None:
    for path in ("js/app.js", "js/no-such.js", ""):
        answer = httpx.get(f"{desk.url}/static/@0123456789abcdef/{path}", timeout=30)
        assert answer.status_code == 410, path
        assert "Reload the page" in answer.json()["error"]["message"]
        assert answer.headers["cache-control"] == "no-store"


def test_names_of_no_file_are_refused_within_a_version(desk: LiveDesk) -> None:
    version = LINKED.findall(httpx.get(f"{desk.url}/", timeout=30).text)[0].split("/")[2]
    raw = httpx.Client(base_url=desk.url, timeout=30)
    for path in (
        "js/no-such.js",
        "js",
        "",
        "%2e%2e/%2e%2e/pyproject.toml",
        "js/%2e%2e/%2e%2e/%2e%2e/pyproject.toml",
        "js/app.js%00",
        "/etc/passwd",
        "..%5c..%5cpyproject.toml",
    ):
        answer = raw.get(f"/static/{version}/{path}")
        assert answer.status_code == 404, path
    assert raw.put(f"/static/{version}/js/app.js").status_code == 405
    assert raw.head(f"/static/{version}/js/app.js").status_code == 200


def test_an_edit_makes_another_version_and_the_old_one_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from starlette.testclient import TestClient

    shutil.copytree(FRONTEND, tmp_path / "frontend")
    monkeypatch.setattr(page, "PAGE", tmp_path / "frontend")
    settings = settings_for(tmp_path / "data")
    desk = build_desk(settings)
    try:
        client = TestClient(create_app(settings, desk))
        before = next(path for path in LINKED.findall(client.get("/").text) if "app.js" in path)
        assert client.get(before).status_code == 200
        (tmp_path / "frontend" / "js" / "app.js").write_text("export {}; // edited\n")
        after = next(path for path in LINKED.findall(client.get("/").text) if "app.js" in path)
        assert after != before
        assert client.get(after).text == "export {}; // edited\n"
        assert client.get(before).status_code == 410
    finally:
        desk.close()


def test_a_version_stays_whole_while_its_folder_is_edited(folder: Path) -> None:
    files = PageFiles(folder)
    version = files.current()
    (folder / "js" / "c.js").write_text("export const importance = 2;\n")
    assert files.cached_version(version.hash) is version
    assert version.files["js/c.js"].content == b"export const importance = 1;\n"
    edited = files.current()
    assert edited.hash != version.hash
    assert files.cached_version(version.hash) is None
    (folder / "js" / "c.js").write_text("export const importance = 1;\n")
    assert files.current().hash == version.hash, "the hash is of the content alone"


def test_a_checkouts_bundle_is_sent_until_a_module_is_edited(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bundle = tmp_path_factory.mktemp("bundle")
    (bundle / "index.html").write_text('<script type="module" src="/static/js/app.js"></script>')
    assert "js/b.js" in PageFiles(folder, bundle).current().files, "it does not name its modules"
    (bundle / MADE_OF).write_text(PageFiles(folder).current().hash)
    files = PageFiles(folder, bundle)
    assert set(files.current().files) == {"index.html"}
    (folder / "js" / "c.js").write_text("export const importance = 2;\n")
    assert "js/b.js" in files.current().files


def test_every_module_behind_an_entry_is_preloaded_once_with_its_priority(folder: Path) -> None:
    version = PageFiles(folder).current()
    lines = [
        line.strip()
        for line in version.index.content.decode().replace(f"/@{version.hash}/", "/").splitlines()
    ]
    assert lines == [
        '<script type="module" src="/static/js/app.js"></script>',
        '<link rel="modulepreload" href="/static/js/core/a.js">',
        '<link rel="modulepreload" href="/static/js/b.js">',
        '<link rel="modulepreload" href="/static/js/c.js">',
        '<link rel="modulepreload" href="/static/js/map.js" media="(min-width: 900px)" fetchpriority="low">',
        '<link rel="modulepreload" href="/static/js/d.js" media="(min-width: 900px)" fetchpriority="low">',
        '<link rel="stylesheet" href="/static/css/page.css">',
    ]
    assert module_imports("js/b.js", version.files) == ["js/core/a.js", "js/c.js"], "a circle ends"


def test_what_was_compressed_beforehand_is_sent_as_it_is(folder: Path) -> None:
    (folder / "css" / "page.css.br").write_bytes(b"brotli")
    (folder / "css" / "page.css.gz").write_bytes(gzip.compress(b"ready"))
    files = PageFiles(folder).current().files
    assert "css/page.css.br" not in files
    style = files["css/page.css"]
    assert style.encoded(frozenset({"gzip", "br"})) == (b"brotli", "br")
    assert gzip.decompress(style.encoded(frozenset({"gzip"}))[0]) == b"ready"
    assert style.encoded(frozenset()) == (style.content, None)


def test_a_file_that_goes_away_while_the_page_is_read_leaves_the_rest(folder: Path) -> None:
    (folder / "js" / ".c.js.swp").write_text("an editor's own")
    names = ["index.html", "js/app.js", "js/gone.js"]
    assert set(read_version(folder, names).files) == {"index.html", "js/app.js"}
    assert "js/.c.js.swp" not in PageFiles(folder).current().files
