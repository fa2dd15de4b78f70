"""`smoldesk serve` in a process of its own, with a model that does what the person says: count, pay, or answer.

Use: DeskProcess(folder, port, env, code=SERVING). Leases are short, so that a server that is killed is missed soon.
"""

from pathlib import Path

from smolagents.models import ChatMessage

from smoldesk.cli import main as cli
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from smoldesk.runs import server_lease
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.tools import Paying

LEASE_SECONDS = 4.0
SERVING = "import sys; from tests.support.scripted_desk import main; sys.exit(main(sys.argv[1:]))"
COUNT = "import time\nfor number in range(400):\n    print('count', number)\n    time.sleep(0.05)\nfinal_answer('counted')"
PAY = "final_answer(pay('bread'))"


def reply(messages: list[ChatMessage]) -> str:
    """What the model says: the last word that the person asked for."""
    text = text_of(messages)
    _, word = max((text.rfind(f"please {word}"), word) for word in ("count", "pay", "answer"))
    return code({"count": COUNT, "pay": PAY, "answer": "final_answer('42')"}[word])


def main(arguments: list[str]) -> int:
    server_lease.LEASE_SECONDS = LEASE_SECONDS
    settings = cli.read_settings(cli.parser().parse_args(arguments))
    desk = build_desk(settings, lambda: ScriptedModel([reply]), tools)
    build_server(desk).run()
    return 0


def tools(folder: Path) -> list[Paying]:
    return [Paying([])]
