"""The A2A library takes a second to import: a desk that lists agents elsewhere, and offers to ask them, does without it."""

import subprocess
import sys

from tests.support.desk_server import ROOT

OFFERS = """
import sys
from smoldesk.app import create_app
from smoldesk.agents.a2a_client import Peer, Peers
from smoldesk.agents.a2a_client.tool import AskAgent
AskAgent(Peers({"maps": Peer("maps", "http://127.0.0.1:9/card")})).check({"name": "maps", "message": "x"})
print(sorted(name for name in sys.modules if name.split(".")[0] in ("a2a", "google", "grpc")))
"""


def test_nothing_of_a2a_is_imported_before_somebody_is_asked() -> None:
    ran = subprocess.run([sys.executable, "-c", OFFERS], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
