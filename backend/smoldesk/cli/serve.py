"""`smoldesk serve`: the web app on an address."""

import gc

from smoldesk.app import create_app, wires_of
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from smoldesk.settings import Settings
from smoldesk.wires.security import check_bind


def serve(settings: Settings) -> int:
    """Serve until a signal comes; the exit code. Raises DeskError for settings that cannot be served."""
    check_bind(settings.host, settings.token)
    wires = wires_of(settings)  # before a desk takes its data directory
    desk = build_desk(settings)
    server = build_server(desk, create_app(settings, desk, wires))
    gc.freeze()  # modules and models stay: no later collection looks through them
    gc.enable()
    server.run()
    return 0 if server.started else 1
