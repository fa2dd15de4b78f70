"""Real desks for the scenarios: `smoldesk serve` with the built-in model, each in a process of its own."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ai_sdk.driving import Drive, Version, drive
from tests.ai_sdk.scenarios import Scenario, address_of
from tests.support.desk_server import DeskProcess

EXPIRES_SOON = {"SMOLDESK_TOOL_ASK_TIMEOUT_SECONDS": json.dumps({"process_payment": 4})}


@contextmanager
def serving(folder: Path, env: dict[str, str] | None = None) -> Iterator[str]:
    """A desk's address, http://127.0.0.1:PORT."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = DeskProcess(folder, port, {"SMOLDESK_ALLOW_UNISOLATED": "true"} | (env or {}))
    try:
        process.wait_until_up()
        yield process.url
    finally:
        process.close()


class Player:
    """Plays each scenario once with each version, whoever asks; `desk` gives the address of one with these settings."""

    def __init__(self, node: Path, desk: Callable[[bool], str]) -> None:
        self._node = node
        self._desk = desk
        self._played: dict[tuple[str, Version], Drive] = {}

    def __call__(self, scenario: Scenario, version: Version) -> Drive:
        key = (scenario.name, version)
        if key not in self._played:
            told = scenario.played(self._desk(scenario.expires), version, *_later(scenario))
            self._played[key] = drive(self._node, f"run_{scenario.mode}", told)  # pyright: ignore[reportArgumentType]
        return self._played[key]

    def once(self, mode: str, told: dict[str, Any]) -> Drive:
        """Play something that is no scenario; `query` goes behind the address."""
        address = address_of(self._desk(False), mode) + told.get("query", "")
        return drive(self._node, "run_sse" if mode == "sse" else "run_bidi", told | {"url": address})


def _later(scenario: Scenario) -> list[dict[str, Any]]:
    """After payments one more, of 1 USD: its balance tells which of them were made."""
    if not any(tool == "process_payment" for tool, _ in scenario.states):
        return []
    answers = [{"tool": "process_payment", "approved": True}]
    return [{"text": "Pay 1 USD to Carol", "answers": answers}]
