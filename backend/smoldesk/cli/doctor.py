"""`smoldesk doctor`: what works here, what does not, and what to do about it."""

import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from smoldesk.app import wires_of
from smoldesk.charts import picture_of
from smoldesk.charts.vega_program import PACKAGE, installed
from smoldesk.cli.agents import findings
from smoldesk.cli.deep_checks import deep_findings
from smoldesk.cli.finding import Finding, print_finding
from smoldesk.desk import Desk, build_desk
from smoldesk.desk.from_settings import external_tools
from smoldesk.errors import DeskError
from smoldesk.models import check_plugins
from smoldesk.sandbox.executors import NODES
from smoldesk.settings import Settings
from smoldesk.telemetry import describe_signals
from smoldesk.wires.security import check_bind

# Maximum wait for the first piece of a model's answer.
MODEL_SECONDS = 30.0


def deep_doctor(settings: Settings, as_json: bool, backup: Path | None) -> int:
    """Check all data and print a line for each finding, or one JSON object for all; 0 when there is no fault."""
    findings: list[Finding] = []
    for finding in deep_findings(settings, backup):
        findings.append(finding)
        if not as_json:
            print_finding(finding)
    return _finished(findings, as_json)


def doctor(settings: Settings, as_json: bool = False) -> int:
    """Try each part and print a line for it, or one JSON object for all; 0 when all of them work."""
    findings: list[Finding] = []

    def check(name: str, attempt: Callable[[], str]) -> None:
        finding = _tried(name, attempt)
        findings.append(finding)
        if not as_json:
            print_finding(finding)

    with ExitStack() as stack:
        desk = _DoctorDesk(settings, stack)
        check("Python", platform.python_version)
        check("address", lambda: _address(settings))
        check("data directory and database", desk.open_configured)
        check("settings of individual tools", lambda: desk.any().check_tool_settings())
        check("wires", lambda: _wires(settings))
        check("model providers from packages", lambda: ", ".join(check_plugins()) or "none")
        check("tools from files and packages", lambda: _tools(settings))
        check("agents", lambda: _agents(settings))
        check("telemetry", lambda: describe_signals(os.environ))
        check("code in a child process", lambda: _child(desk.any()))
        if settings.executor == NODES:
            check("nodes", lambda: _nodes(settings))
        check("charts", _charts)
        check(f"model {settings.model}", lambda: desk.any().agents.try_model(MODEL_SECONDS))
    return _finished(findings, as_json)


def _finished(findings: Sequence[Finding], as_json: bool) -> int:
    if as_json:
        sys.stdout.write(json.dumps([asdict(finding) for finding in findings]) + "\n")
    return 0 if all(finding.ok for finding in findings) else 1


class _DoctorDesk:
    """One desk for all checks: the configured one, or one in a temporary folder when that cannot be had."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        self._settings = settings
        self._stack = stack
        self._desk: Desk | None = None

    def open_configured(self) -> str:
        """Open the configured data directory and database."""
        self._keep(build_desk(self._settings))
        return str(self._settings.data_dir)

    def any(self) -> Desk:
        """Return the desk for the remaining checks. Raises DeskError if none can be built."""
        if self._desk is None:
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="smoldesk-")))
            other = self._settings.model_copy(
                update={
                    "data_dir": folder,
                    "database_url": "",
                    "agent": "",
                    "tool_files": [],
                    "data_folders": [],
                }
            )
            self._keep(build_desk(other))
        assert self._desk is not None
        return self._desk

    def _keep(self, desk: Desk) -> None:
        self._desk = desk
        self._stack.callback(desk.close)


def _tried(name: str, attempt: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, attempt())
    except DeskError as fault:
        return Finding(name, False, str(fault), fault.code)


def _address(settings: Settings) -> str:
    check_bind(settings.host, settings.token)
    return f"{settings.host}:{settings.port}, {'with' if settings.token else 'no'} token"


def _wires(settings: Settings) -> str:
    return ", ".join(wire.name for wire in wires_of(settings))


def _tools(settings: Settings) -> str:
    return ", ".join(tool.name for tool in external_tools(settings)) or "none"


def _agents(settings: Settings) -> str:
    results = findings(
        settings.data_dir.absolute(), settings, "builtin"
    )  # the desk's own model is a check of its own
    wrong = [line for well, line in results if not well]
    if wrong:
        raise DeskError("".join(f"\n      - {line}" for line in wrong), code="bad_agents")
    return ", ".join(line for _, line in results)


def _nodes(settings: Settings) -> str:
    """Return the machines that may connect; /healthz of the running desk names those that are connected."""
    from smoldesk.nodes.membership import Membership

    members = Membership(settings.data_dir.absolute()).members()
    ends = {
        member.name: member.expires
        for member in members
        if not member.revoked and member.expires > time.time()
    }
    days = {name: int((end - time.time()) / 86_400) for name, end in ends.items()}
    return (
        ", ".join(f"{name} (certificate for {count} days)" for name, count in days.items())
        or "none has joined"
    )


def _charts() -> str:
    """Draw the smallest one, as every chart is drawn."""
    label = f"{PACKAGE} {installed()}"
    picture = picture_of(
        '{"data": {"values": [{"a": 1}]}, "mark": "point", "encoding": {"x": {"field": "a"}}}'
    )
    return f"{label}, a test image of {picture.width} by {picture.height} pixels"


def _child(desk: Desk) -> str:
    report = desk.agents.info().isolation
    output = desk.agents.try_code("1 + 1")
    return f"1 + 1 = {output}; {report.label}" + "".join(f"\n      - {reason}" for reason in report.reasons)
