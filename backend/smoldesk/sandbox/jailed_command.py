"""Foreign programs: started in a jail, and used over their standard input and output."""

import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from smoldesk.sandbox.environment import CHILD_PACKAGES, MAIN
from smoldesk.sandbox.isolation import Jail
from smoldesk.sandbox.limits import PROGRAM_LIMITS, Limits

# Bytes of a start description: as many as a pipe buffers without a reader.
LARGEST = 60_000


@dataclass(frozen=True)
class JailedProgram:
    """Program to start: `argv` begins with an absolute path, and `environment` is complete.

    `folder` is its own; `readable` and `writable` are granted besides, `hidden` is invisible even within these. With
    `network` it may connect by TCP, except to the ports in `closed`.
    """

    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    readable: Sequence[Path] = ()
    writable: Sequence[Path] = ()
    hidden: Sequence[Path] = ()
    network: bool = False
    closed: Collection[int] = ()
    limits: Limits = PROGRAM_LIMITS


def start_jailed(program: JailedProgram, jail: Jail) -> "subprocess.Popen[bytes]":
    """Begun by the thread whose end shall be the program's; in a session of its own. OSError, ValueError for one too long."""
    request = json.dumps(
        {
            "plan": jail.plan,
            "argv": list(program.argv),
            "environment": dict(program.environment),
            "folder": os.path.realpath(program.folder),
            "readable": [str(path) for path in program.readable],
            "writable": [str(path) for path in program.writable],
            "hidden": [str(path) for path in program.hidden],
            "network": program.network,
            "closed": sorted(program.closed),
            "limits": program.limits.of_process(),
        }
    ).encode()
    if len(request) > LARGEST:
        raise ValueError("its arguments and its environment are too long")
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb"), os.fdopen(writer, "wb") as pipe:
        pipe.write(request)
        pipe.close()
        config = {"role": "exec", "parent": os.getpid(), "packages": CHILD_PACKAGES, "fd": reader}
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(MAIN), json.dumps(config)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={},
            cwd="/",
            pass_fds=(reader,),
            start_new_session=True,
            bufsize=0,
        )
