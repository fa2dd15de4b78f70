"""A desk without agents that talk to each other pays nothing for /mcp."""

import subprocess
import sys

LOOK = """
import sys
import smoldesk.cli.main, smoldesk.app, smoldesk.cli.server
print([name for name in ("mcp", "mcp_types", "httpx2") if name in sys.modules])
"""


def test_nothing_of_the_library_is_imported_at_start_up() -> None:
    seen = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"
