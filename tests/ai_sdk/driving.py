"""Runs a driver of tests/ai_sdk/node with a scenario, against real desks, and reads what it printed."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from tests.ai_sdk.scenarios import Scenario, address_of
from tests.node_support import PACKAGES
from tests.support.demo_agents import add_demo_tools
from tests.support.desk_server import Servers

Version = Literal[6, 7]
Chunk = dict[str, Any]
Script = Literal["run", "read_stream", "openai_client"]
SECONDS = 90
"""What drive.mjs gives a scenario that names no limit."""
GRACE_SECONDS = 20
"""What a driver may take beyond its scenario's own limit."""


@dataclass(frozen=True)
class Exchange:
    """One request of the client, and what came for it."""

    request: dict[str, Any]
    events: list[str]
    """As they came, without the empty line."""
    chunks: list[Chunk]
    done: int
    """How many [DONE] (over the stock WebSocket transport: ends) came."""
    ended: bool
    malformed: list[str]
    invalid: list[dict[str, Any]]
    """{index, against, problem} of each chunk that 6.0.0's strict schema, or the driven release's, rejects."""
    status: int | None = None
    headers: dict[str, str] | None = None
    refusal: str | None = None

    @property
    def answers(self) -> bool:
        """Whether the client sent it to answer, rather than to say something new."""
        messages = _messages(self.request)
        return bool(messages) and messages[-1]["role"] == "assistant"

    @property
    def sent_parts(self) -> list[dict[str, Any]]:
        """The parts of the last message the client sent."""
        messages = _messages(self.request)
        return messages[-1].get("parts", []) if messages else []


@dataclass(frozen=True)
class Drive:
    """What a client made of a scenario; `messages` are its UIMessages at the end."""

    version: Version
    chat_id: str
    status: str
    statuses: list[str]
    errors: list[str]
    messages: list[dict[str, Any]]
    exchanges: list[Exchange]
    out_of_band: list[str]
    stopped: str | None
    """Why the driver ended it, if it did."""
    loaded: list[dict[str, Any]] | None = None
    """The messages of the address `history`, as they came."""

    @cached_property
    def turns(self) -> list[list[Exchange]]:
        """The exchanges by what the person said: a turn is one request and the answers that followed it."""
        turns: list[list[Exchange]] = []
        for exchange in self.exchanges:
            if exchange.answers and turns:
                turns[-1].append(exchange)
            else:
                turns.append([exchange])
        return turns

    @property
    def replies(self) -> list[dict[str, Any]]:
        """The assistant's messages."""
        return [message for message in self.messages if message["role"] == "assistant"]

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Every tool part, in order."""
        return [part for reply in self.replies for part in reply["parts"] if is_tool(part)]

    @property
    def states(self) -> list[tuple[str, str]]:
        """Tool and final state of every tool part."""
        return [(tool_name(part), part["state"]) for part in self.calls]


def is_tool(part: dict[str, Any]) -> bool:
    return part["type"].startswith("tool-") or part["type"] == "dynamic-tool"


def tool_name(part: dict[str, Any]) -> str:
    return part.get("toolName") or part["type"].removeprefix("tool-")


def drive(node: Path, scenario: dict[str, Any]) -> Drive:
    """Play a scenario (drive.mjs says what is in one). Raises AssertionError when the driver itself broke."""
    results = run(node, "run", scenario)
    return Drive(
        version=results["version"],
        chat_id=results["chatId"],
        status=results["status"],
        statuses=results["statuses"],
        errors=results["errors"],
        messages=results["messages"],
        exchanges=[Exchange(**exchange) for exchange in results["exchanges"]],
        out_of_band=results["outOfBand"],
        stopped=results["stopped"],
        loaded=results.get("loaded"),
    )


@dataclass(frozen=True)
class Reading:
    """What readUIMessageStream made of recorded responses."""

    message: dict[str, Any] | None
    snapshots: int
    errors: list[str]


def read_streams(
    node: Path, version: Version | Literal["first"], recordings: list[list[str]]
) -> list[Reading]:
    """Feed the raw responses of each recording to readUIMessageStream, one after another; `first` is 6.0.0."""
    results = run(node, "read_stream", {"version": version, "recordings": recordings})
    return [
        Reading(result.get("message"), result["snapshots"], result["errors"])
        for result in results["readings"]
    ]


def run(node: Path, script: Script, arguments: dict[str, Any]) -> dict[str, Any]:
    """The JSON a driver prints for the JSON it is given."""
    done = subprocess.run(
        [node, str(PACKAGES / f"{script}.mjs")],
        input=json.dumps(arguments),
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGES,
        env={name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"},
        timeout=arguments.get("seconds", SECONDS) + GRACE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def _messages(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Of a body, of a flat frame, or of one with `data` around it."""
    return request.get("messages") or request.get("data", {}).get("messages") or []


EXPIRES_SOON = {"SMOLDESK_TOOL_ASK_TIMEOUT_SECONDS": json.dumps({"process_payment": 4})}


@contextmanager
def serving(folder: Path, env: dict[str, str] | None = None) -> Iterator[str]:
    """The address, http://127.0.0.1:PORT, of `smoldesk serve` with the built-in model in a process of its own."""
    add_demo_tools(folder / "data")
    with Servers(folder, **(env or {})) as servers:
        yield servers.start("data").url


class Player:
    """Plays each scenario once with each version, whoever asks; `desk` gives the address of one with these settings."""

    def __init__(self, node: Path, desk: Callable[[bool], str]) -> None:
        self._node = node
        self._desk = desk
        self._played: dict[tuple[str, Version], Drive] = {}

    def __call__(self, scenario: Scenario, version: Version) -> Drive:
        key = (scenario.name, version)
        if key not in self._played:
            parameters = scenario.played(self._desk(scenario.expires), version, *_later(scenario))
            self._played[key] = drive(self._node, parameters)
        return self._played[key]

    def once(self, mode: str, parameters: dict[str, Any]) -> Drive:
        """Play something that is no scenario; `query` goes behind the address, `history` behind that of the chat."""
        desk = self._desk(False)
        address = address_of(desk, mode) + parameters.get("query", "")
        if "history" in parameters:
            parameters = parameters | {
                "history": f"{desk}/stream/{parameters['chatId']}/{parameters['history']}"
            }
        return drive(self._node, parameters | {"url": address})


def _later(scenario: Scenario) -> list[dict[str, Any]]:
    """After payments one more, of 1 USD: its balance tells which of them were made."""
    if not any(tool == "process_payment" for tool, _ in scenario.states):
        return []
    answers = [{"tool": "process_payment", "approved": True}]
    return [{"text": "Pay 1 USD to Carol", "answers": answers}]
