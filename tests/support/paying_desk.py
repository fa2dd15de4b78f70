"""`smoldesk serve` in a process of its own, with the real tools and a model that pays what the person says: "pay 30".

Use: DeskProcess(folder, port, {"SMOLDESK_AGENT": "demo-tools"}, code=SERVING).
"""

import re

from smolagents.models import ChatMessage

from smoldesk.cli import main as cli
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from tests.support.scripted_model import Calls, ScriptedModel, text_of

SERVING = "import sys; from tests.support.paying_desk import main; sys.exit(main(sys.argv[1:]))"


def pay(messages: list[ChatMessage]) -> Calls:
    """The payment that was asked for last."""
    amount = int(re.findall(r"pay (\d+)", text_of(messages))[-1])
    return Calls(("process_payment", {"recipient": "Alice", "amount": amount, "currency": "USD"}))


def main(arguments: list[str]) -> int:
    settings = cli.read_settings(cli.parser().parse_args(arguments))
    done = Calls(("final_answer", {"answer": "paid"}))
    build_server(build_desk(settings, lambda: ScriptedModel([pay, done]))).run()
    return 0
