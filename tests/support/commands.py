"""Commands of smoldesk in processes that have their imports behind them, as their children have.

A command that starts cold imports for a second and its child for another. What that could break is for tests that start
`sys.executable` themselves.
"""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.desk_server import BORROWING, SERVING
from tests.support.warm import started
from tests.support.warm_children import helper

BUSY = 180
"""Seconds that a command may take on a busy machine."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


def run_command(*arguments: str, cwd: Path, env: Mapping[str, str]) -> Outcome:
    """Run `smoldesk ARGUMENTS` to its end."""
    children = helper().fileno()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = started(
            BORROWING.format(children) + SERVING,
            arguments,
            cwd=cwd,
            env=env,
            stdout=out,
            stderr=err,
            inherited=(children,),
        )
        try:
            code = process.wait(BUSY)
        finally:
            process.kill()
        out.seek(0)
        err.seek(0)
        return Outcome(code, out.read().decode(), err.read().decode())
