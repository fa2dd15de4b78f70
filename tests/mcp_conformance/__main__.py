"""Brings the suite (npm, into the user's cache folder), serves a desk with its fixtures, runs it; the exit code is the suite's.

`python -m tests.mcp_conformance [options of the suite]`, by default `--suite all` for each generation of the protocol.
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from scripts.node import CannotHave, find_node
from smoldesk.app import WIRES, create_app
from smoldesk.desk import build_desk
from smoldesk.wires.mcp.routes import McpWire
from tests import node_support
from tests.mcp_conformance import asking, contents
from tests.support.desk_server import live_desk, settings_for

HERE = Path(__file__).parent
BASELINE = HERE / "expected_failures.yml"
PACKAGES = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "smoldesk" / "mcp-conformance"
SUITE = PACKAGES / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


def extend(server: MCPServer) -> None:
    """Everything the suite expects of a server under fixed names."""
    contents.install(server)
    asking.install(server)


def bring() -> str:
    """Install the suite once; the reason when that cannot be."""
    PACKAGES.mkdir(parents=True, exist_ok=True)
    text = (HERE / "package.json").read_text()
    if not (PACKAGES / "package.json").exists() or (PACKAGES / "package.json").read_text() != text:
        (PACKAGES / "package.json").write_text(text)
    if node_support.is_installed(PACKAGES):
        return ""
    try:
        return node_support.install(find_node(), PACKAGES)
    except CannotHave as missing:
        return str(missing)


def run(options: list[str]) -> int:
    """Serve, and run the suite against it."""
    with tempfile.TemporaryDirectory() as folder:
        desk = build_desk(settings_for(Path(folder)))
        wires = [partial(McpWire, extend=extend) if wire is McpWire else wire for wire in WIRES]
        app = create_app(desk.settings, desk, wires)
        with live_desk(Path(folder), desk=desk, app=app) as live:
            command = [find_node().node, str(SUITE), "server", "--url", f"{live.url}/mcp", *options]
            return subprocess.run([*command, "--expected-failures", str(BASELINE)], check=False).returncode


def main() -> int:
    if reason := bring():
        print(f"The suite cannot be had: {reason}", file=sys.stderr)  # noqa: T201
        return 2
    return run(sys.argv[1:] or ["--suite", "all"])


if __name__ == "__main__":
    sys.exit(main())
