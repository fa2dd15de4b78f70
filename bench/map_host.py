"""Serves the two maps that `bench/map.py` measures: this page's map pane, and Leaflet from the npm package."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from bench.report import CannotMeasure
from scripts.check import CannotHave, find_node
from tests import node_support

PAGES = Path(__file__).parent / "map_pages"
FRONTEND = Path(__file__).parents[1] / "frontend"
LEAFLET = PAGES / "node_modules" / "leaflet" / "dist"
FOLDERS = {"/pages/": PAGES, "/static/": FRONTEND, "/leaflet/": LEAFLET}


def bring_leaflet() -> str:
    """Install Leaflet where it is missing; its version. Raises CannotMeasure when npm cannot bring it."""
    if not node_support.is_installed(PAGES):
        try:
            node = find_node()
        except CannotHave as missing:
            raise CannotMeasure(str(missing)) from missing
        if failure := node_support.install(node, PAGES):
            raise CannotMeasure(f"Leaflet: {failure}")
    return node_support.versions(PAGES)["leaflet"]


class Handler(SimpleHTTPRequestHandler):
    """/pages/, /static/ and /leaflet/, each from its folder."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript"}

    def translate_path(self, path: str) -> str:
        for prefix, folder in FOLDERS.items():
            if path.startswith(prefix):
                self.directory = str(folder)
                return super().translate_path("/" + path.removeprefix(prefix))
        return str(PAGES / "none")

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: the report is what counts."""


@contextmanager
def served_maps() -> Iterator[str]:
    """The address of both maps, without the name of one."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(PAGES))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/pages"
        server.shutdown()
