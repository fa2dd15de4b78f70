"""Random and mutated frames against the host's side of a cell: it never crashes, hangs, or is fooled."""

import copy
import json
import random
import socket
import struct
from types import SimpleNamespace

import pytest

from smoldesk.errors import Stopped
from smoldesk.sandbox.cell_run import CellRun
from smoldesk.sandbox.child import Child
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.process import ChildProcess
from smoldesk.sandbox.slots import Slot, Slots
from smoldesk.stopping import StopFlag
from tests.sandbox.conftest import ScriptedHost

TEMPLATES = [
    {"type": "ready"},
    {"type": "printed", "cell": "@", "text": "hello"},
    {"type": "call", "cell": "@", "id": 1, "tool": "granted", "args": [1], "kwargs": {"x": None}, "line": 1},
    {"type": "call", "cell": "@", "id": 1, "tool": "secret", "args": [], "kwargs": {}, "line": None},
    {"type": "shown", "cell": "@", "item": {"kind": "file", "path": "../outside.txt", "size": 1}},
    {"type": "shown", "cell": "@", "item": {"kind": "figure", "path": "inside.txt", "size": 1}},
    {
        "type": "shown",
        "cell": "@",
        "item": {
            "kind": "table",
            "name": "t",
            "path": "/etc/passwd",
            "columns": [],
            "rows": [],
            "row_count": 0,
        },
    },
    {"type": "answer", "cell": "@", "output": "42", "value": 42, "parts": []},
    {
        "type": "answer",
        "cell": "@",
        "output": "42",
        "value": None,
        "parts": [{"kind": "item", "caption": "", "text": "", "item": 10**5, "value": None}],
    },
    {"type": "done", "cell": "@", "output": None, "value": None, "parts": [], "error": None},
    {
        "type": "done",
        "cell": "@",
        "output": None,
        "value": None,
        "parts": [],
        "error": {"name": "E", "message": "m", "traceback": "t", "line": 1},
    },
]
WORTHS = [
    None,
    True,
    -1,
    2**70,
    1e308,
    "",
    "\0",
    "../..",
    "x" * 5000,
    [],
    {},
    [[[]]],
    {"type": "done"},
    "\ud800",
]


class Silent:
    """A handle of a process that is only a socket; it has ended when that is closed."""

    pid = 0

    def __init__(self, peer):
        self._peer = peer

    def ended(self):
        return self._peer.fileno() < 0

    def wait(self, _seconds):
        return 0

    def signal(self, _number):
        return

    kill = close = lambda self: None

    def complaint(self):
        return ""


def mutated(rng, frame):
    """A frame with something in it replaced, removed, added or broken, as bytes."""
    frame = json.loads(json.dumps(frame))
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        place = frame
        while isinstance(place.get("item"), dict) and rng.random() < 0.6:
            place = place["item"]
        key = rng.choice([*place, "extra", "type", "cell"])
        if rng.random() < 0.2:
            place.pop(key, None)
        else:
            place[key] = copy.deepcopy(rng.choice(WORTHS))
    body = json.dumps(frame).encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        body = bytearray(body)
        for _ in range(rng.randint(1, 8)):
            body[rng.randrange(len(body))] = rng.randrange(256)
    length = len(body) if rng.random() < 0.9 else rng.choice([0, 1, 2**31, 2**32 - 1, len(body) + 3])
    return struct.pack(">I", length) + bytes(body)


def talk(rng, folder, frames):
    """One cell whose child says these frames; returns (the cell's result, what the host was asked)."""
    ours, peer = socket.socketpair()
    host, stop = ScriptedHost(answers={"granted": lambda _request: {"kind": "json", "value": 1}}), StopFlag()
    handle = Silent(peer)
    process = ChildProcess(handle, ours)  # pyright: ignore[reportArgumentType]
    process.ready = True
    ended = []
    child = Child(
        "chat",
        folder,
        take=lambda _child: process,
        gone=lambda _child, reason: ended.append(reason),
        cell_seconds=30,
        grace_seconds=1,
        limits=Limits(),
        site=SimpleNamespace(slots=Slots(1)),  # pyright: ignore[reportArgumentType]
    )
    child.process = process
    place = Slot(child.slots, stop, host.printed)
    run = CellRun(child, process, host, stop, frozenset({"granted"}), place)
    run._cell = "@"
    for frame in frames:
        peer.sendall(mutated(rng, frame) if rng.random() < 0.7 else random_bytes(rng))
    peer.shutdown(socket.SHUT_WR)
    try:
        with place, child.busy:
            return run.run("granted()"), host
    except Stopped:
        raise AssertionError("nobody asked for a stop") from None
    finally:
        for sock in (ours, peer):
            sock.close()
        stop.close()


def random_bytes(rng):
    return rng.randbytes(rng.randint(1, 40))


def fuzz(seed, count, folder):
    rng = random.Random(seed)
    (folder / "inside.txt").write_text("x")
    (folder.parent / "outside.txt").write_text("secret")
    sent = 0
    while sent < count:
        frames = [rng.choice(TEMPLATES) for _ in range(rng.randint(1, 4))]
        sent += len(frames)
        result, host = talk(rng, folder, frames)
        assert {request.tool for request in host.requests} <= {"granted"}
        assert all(item.path == "inside.txt" for item in result.output_items)
        assert result.error is not None or result.variables_intact or result.is_final_answer


def test_two_thousand_frames_neither_crash_nor_fool_the_host(tmp_path):
    (tmp_path / "chat").mkdir()
    fuzz(20, 2_000, tmp_path / "chat")


@pytest.mark.slow
def test_a_hundred_thousand_frames_neither_crash_nor_fool_the_host(tmp_path):
    (tmp_path / "chat").mkdir()
    for seed in range(50):
        fuzz(seed, 2_000, tmp_path / "chat")
