"""`smoldesk doctor`: what works here, what does not, and what to do about it."""

import platform
import sys
from collections.abc import Callable

from backend.errors import DeskError
from backend.main import build_desk
from backend.settings import Settings
from backend.wires.doors import check_bind


def doctor(settings: Settings) -> int:
    """Try each part and print a line for it; 0 when all of them work."""
    results = [
        _try("Python", lambda: platform.python_version()),
        _try("address", lambda: _address(settings)),
        _try("data directory and database", lambda: _data(settings)),
        _try("code in a child process", lambda: _child(settings)),
        _try(f"model {settings.model}", lambda: _model(settings)),
    ]
    return 0 if all(results) else 1


def _try(name: str, check: Callable[[], str]) -> bool:
    try:
        sys.stdout.write(f"ok    {name}: {check()}\n")
    except DeskError as fault:
        sys.stdout.write(f"FAIL  {name}: {fault}\n")
        return False
    return True


def _address(settings: Settings) -> str:
    check_bind(settings.host, settings.token)
    return f"{settings.host}:{settings.port}, {'with' if settings.token else 'no'} token"


def _data(settings: Settings) -> str:
    desk = build_desk(settings)
    desk.store.close()
    desk.data_dir.release()
    return str(settings.data_dir)


def _child(settings: Settings) -> str:
    desk = build_desk(settings)
    try:
        report = desk.agents.info().isolation
        output = desk.agents.try_code("1 + 1")
        return f"1 + 1 = {output}; {report.label}" + "".join(
            f"\n      - {reason}" for reason in report.reasons
        )
    finally:
        desk.close()


def _model(settings: Settings) -> str:
    desk = build_desk(settings)
    try:
        return desk.agents.try_model()
    finally:
        desk.close()
