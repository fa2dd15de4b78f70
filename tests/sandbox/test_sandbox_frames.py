"""A child that lies: whatever bytes it sends, its cell ends with a clear error and nothing else is affected.

The rogue is a program of ours in the child's place: it speaks the protocol until the cell's code, which it
runs with `raw` (bytes), `send` (one frame) and `cell` (the secret name) at hand.
"""

import dataclasses
import json
import os
import random
import struct
import sys

import pytest
from conftest import Desk
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from smoldesk.errors import NotFound
from smoldesk.folders import open_inside, size_inside
from smoldesk.sandbox.cell import CellTable, ProducedFile
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.frames import (
    MAX_FRAME,
    BadFrame,
    FrameReader,
    encode,
    parse,
)

ROGUE = """
import json, socket, struct, sys, time, os
sock = socket.socket(fileno=int(sys.argv[1]))
def raw(data): sock.sendall(data)
def send(frame): body = json.dumps(frame).encode(); raw(struct.pack('>I', len(body)) + body)
def read(n):
    data = b''
    while len(data) < n:
        part = sock.recv(n - len(data))
        if not part: sys.exit()
        data += part
    return data
def receive(): return json.loads(read(struct.unpack('>I', read(4))[0]))
send({'type': 'ready'})
while True:
    frame = receive()
    if frame['type'] == 'cell':
        cell = frame['cell']
        def of(type, **more): send({'type': type, 'cell': cell, **more})
        def work(state, percent):
            of('work', id=1, name='sql', query='q', line=1, state=state, percent=percent, words='')
        def done(output=None): of('done', output=output, value=None, parts=[], error=None)
        exec(frame['code'], globals())
"""


@pytest.fixture(scope="module")
def rogues():
    command = [sys.executable, "-I", "-c", ROGUE, "{fd}"]
    children = Children(preload=(), max_children=2, cell_seconds=30, grace_seconds=0.3, command=command)
    yield children
    children.close()


@pytest.fixture
def rogue(rogues, tmp_path):
    desk = Desk(rogues, str(tmp_path), tmp_path)
    yield desk
    desk.close()
    rogues.drop(desk.chat_id, "the test is over")


def test_the_rogue_can_also_behave(rogue):
    assert rogue.run("of('printed', text='hello'); done('fine')").output == "fine"
    assert rogue.executor.last.printed == "hello"


BROKEN = {
    "no JSON": "raw(struct.pack('>I', 5) + b'hello')",
    "no UTF-8": r"raw(struct.pack('>I', 2) + b'\xff\xfe')",
    "no object": "send([1, 2])",
    "an empty frame": "raw(struct.pack('>I', 0))",
    "an oversized frame": "raw(struct.pack('>I', 16 * 1024 * 1024 + 1))",
    "the largest length": "raw(b'\\xff' * 4)",
    "JSON nested 50,000 deep": "b = b'[' * 50_000 + b']' * 50_000; raw(struct.pack('>I', len(b)) + b)",
    "an answer nested deep": (
        'v = \'[\' * 500 + \']\' * 500; b = (\'{"type": "answer", "cell": "\' + cell + \'", "output": "", '
        "\"value\": ' + v + '}').encode(); raw(struct.pack('>I', len(b)) + b)"
    ),
    "NaN": "b = b'{\"type\": NaN}'; raw(struct.pack('>I', len(b)) + b)",
    "a number of 5,000 digits": "b = b'9' * 5000; raw(struct.pack('>I', len(b)) + b)",
    "an unknown type": "of('launch')",
    "no type": "send({'cell': cell})",
    "a second ready": "send({'type': 'ready'})",
    "a frame of another cell": "send({'type': 'printed', 'cell': 'x', 'text': 'hi'})",
    "text that is no text": "of('printed', text=5)",
    "a frame with more than it should hold": "of('printed', text='x', more=1)",
    "more text than one frame may hold": "of('printed', text='x' * 200_000)",
    "an endless flood of text": "while True: of('printed', text='x' * 60_000)",
    "an endless flood of things": "while True: of('shown', item={'kind': 'file', 'path': 'a', 'size': 1})",
    "an id that is no id": "of('call', id='1', tool='ping', args=[], kwargs={}, line=1)",
    "a line that is no line": "of('call', id=1, tool='ping', args=[], kwargs={}, line=-5)",
    "the end of work that never began": "work('finished', 100)",
    "more work done than there is": "work('running', 101)",
    "an endless flood of work": "while True: work('running', 1)",
    "a table with nested cells": (
        "of('shown', item={'kind': 'table', 'name': 't', 'path': 'a', 'columns': [], "
        "'rows': [[[1]]], 'row_count': 1})"
    ),
    "a table with too many rows": (
        "of('shown', item={'kind': 'table', 'name': 't', 'path': 'a', 'columns': [], "
        "'rows': [[]] * 51, 'row_count': 1})"
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_frame_ends_the_child_and_only_that(rogue, name):
    code = BROKEN[name]
    result = rogue.run(f"{code}\ntime.sleep(30)")
    assert result.error.name == "ProtocolError"
    assert "The Python process sent" in str(rogue.raised)
    assert result.variables_intact is False
    assert rogue.run("done('a new child')").output == "a new child"


def test_work_ends_with_its_cell_even_if_that_never_said_so(rogue):
    rogue.run("work('running', 10); done('fine')")
    rogue.run("work('running', 20); sys.exit()")
    assert [(work.state, work.percent) for work in rogue.host.works] == [
        ("running", 10), ("failed", 10), ("running", 20), ("failed", 20),
    ]  # fmt: skip


def test_a_frame_that_never_ends_is_waited_for_until_the_clock_ends(rogue):
    rogue.child.cell_seconds = 0.3
    assert rogue.run("raw(struct.pack('>I', 1000) + b'{'); time.sleep(30)").error.name == "TimeoutError"


def test_the_first_of_many_answers_counts(rogue):
    result = rogue.run("for n in range(5): of('answer', output=str(n), value=n, parts=[])\ndone('other')")
    assert (result.value, result.output, result.is_final_answer) == (0, "0", True)


def test_a_flood_of_answers_does_not_outlast_the_clock(rogue):
    rogue.child.cell_seconds = 0.3
    result = rogue.run("while True: of('answer', output='x', value=None, parts=[])")
    assert (result.output, result.is_final_answer, result.variables_intact) == ("x", True, False)


def test_a_flood_of_calls_does_not_outlast_the_clock(rogue):
    rogue.child.cell_seconds = 0.5
    rogue.tool("ping", lambda _request: None)
    code = "import threading\nread = lambda: [sock.recv(65536) for _ in iter(int, 1)]\n"
    code += "threading.Thread(target=read, daemon=True).start()\nwhile True:\n    "
    code += "of('call', id=1, tool='nothing', args=[], kwargs={}, line=1)"
    assert rogue.run(code).error.name == "TimeoutError"
    assert rogue.host.requests == []


def test_a_child_that_takes_no_reply_is_given_up(rogue, monkeypatch):
    monkeypatch.setattr("smoldesk.sandbox.process.SEND_SECONDS", 0.3)
    rogue.tool("big", lambda _request: "x" * 4_000_000)
    result = rogue.run("of('call', id=1, tool='big', args=[], kwargs={}, line=1); time.sleep(30)")
    assert "did not take" in result.error.message


def test_a_child_that_speaks_after_its_cell_is_replaced(rogue):
    # in one breath: between two, the host may hear the first and stop the child
    both = "real, said = raw, []\nraw = said.append\ndone('first'); done('second')\nraw = real\nraw(b''.join(said))"
    assert rogue.run(both).output == "first"
    assert rogue.run("done('third')").output == "third"
    assert rogue.children.lost(rogue.chat_id) == "the Python process sent data while idle"


def test_the_line_it_claims_leads_to_our_own_text_only(rogue):
    rogue.tool("ping", lambda _request: None)
    rogue.run("of('call', id=1, tool='ping', args=[], kwargs={}, line=999_999); receive(); done()")
    assert (rogue.host.requests[0].line, rogue.host.requests[0].source) == (None, None)


def test_files_outside_the_folder_are_not_reported(rogue):
    (rogue.folder / "mine.txt").write_text("12345")
    (rogue.folder / "link").symlink_to("/etc/passwd")
    (rogue.folder / "up").symlink_to("/etc")
    paths = [
        "/etc/passwd",
        "../x",
        "link",
        "up/passwd",
        "none",
        ".",
        "",
        "a\\0b",
        "mine.txt/",
        "x" * 999,
        "mine.txt",
    ]
    code = "".join(f"of('shown', item={{'kind': 'file', 'path': {path!r}, 'size': -1}})\n" for path in paths)
    code = code.replace("a\\\\0b", "a\\0b")
    assert rogue.run(code + "done()").output_items == [ProducedFile("mine.txt", 5, "file")]


def test_a_table_whose_rows_do_not_fit_is_not_reported(rogue):
    (rogue.folder / "t.parquet").write_text("[1]\n")
    item = {
        "kind": "table",
        "name": "t",
        "path": "t.parquet",
        "row_count": 1,
        "columns": [{"name": "a", "kind": "text", "type": "string", "as_text": True}],
    }
    wrong, right = {**item, "rows": [[1, 2]]}, {**item, "rows": [[1]]}
    code = f"of('shown', item={wrong}); of('shown', item={right}); done()"
    columns: list[dict[str, JsonValue]] = [{"name": "a", "kind": "text", "type": "string", "as_text": True}]
    assert rogue.run(code).output_items == [CellTable("t", "t.parquet", columns, [[1]], 1)]


def test_half_surrogates_from_outside_are_replaced(rogue):
    assert rogue.run("of('printed', text='\\ud800!'); done()").printed == "?!"


# --- the pure parts -----------------------------------------------------------------------------------------


def test_frames_come_out_however_the_stream_is_cut():
    stream = b"".join(encode({"n": n, "text": "é" * n}) for n in range(20))
    for size in (1, 2, 3, 5, 64, len(stream)):
        reader, results = FrameReader(), []
        for start in range(0, len(stream), size):
            reader.feed(stream[start : start + size])
            while (body := reader.next()) is not None:
                results.append(json.loads(body)["n"])
        assert results == list(range(20))
        assert reader.empty


def test_a_length_is_refused_before_anything_is_kept():
    reader = FrameReader()
    reader.feed(struct.pack(">I", MAX_FRAME + 1))
    with pytest.raises(BadFrame):
        reader.next()


PART = {"kind": "data", "caption": "c", "text": "1", "item": -1, "value": {"n": 3}}
VALID = [
    {"type": "ready"},
    {"type": "printed", "cell": "c", "text": "hello"},
    {"type": "call", "cell": "c", "id": 1, "tool": "t", "args": [], "kwargs": {"a": [1, None]}, "line": 3},
    {"type": "answer", "cell": "c", "output": "3", "value": {"n": 3}, "parts": [PART]},
    {"type": "shown", "cell": "c", "item": {"kind": "file", "path": "a.csv", "size": 3}},
    {"type": "done", "cell": "c", "output": None, "value": None, "parts": [], "error": None},
]
ODD = [
    None,
    True,
    -1,
    0,
    2**70,
    1.5,
    1e308,
    "",
    "x" * 2_000,
    "\ud800",
    [],
    [[]],
    {},
    {"kind": "table"},
    "done",
    "ready",
]


def mutated(pick: random.Random) -> bytes:
    """A valid frame with fields replaced, added or removed, then with bytes changed, cut or doubled."""
    frame = dict(pick.choice(VALID))
    for _ in range(pick.randrange(3)):
        key = pick.choice([*frame, "type", "cell", "extra"]) if frame else "type"
        if pick.random() < 0.3:
            frame.pop(key, None)
        else:
            frame[key] = pick.choice(ODD)  # pyright: ignore[reportArgumentType]
    body = bytearray(json.dumps(frame).encode())
    for _ in range(pick.randrange(3)):
        place = pick.randrange(len(body) + 1)
        match pick.randrange(3):
            case 0:
                body[place : place + 1] = pick.randbytes(1)
            case 1:
                body = body[:place]
            case _:
                body = body[:place] + body[place // 2 :]
    return bytes(body)


def test_mutated_frames_are_frames_or_bad_frames():
    """`parse` gives a frame that can be stored and sent on, or raises BadFrame, and nothing else ever."""
    pick = random.Random(20)
    outcomes = {"frame": 0, "bad": 0}
    for _ in range(2_000):
        body = mutated(pick)
        try:
            json.dumps(dataclasses.asdict(parse(body)), ensure_ascii=False).encode("utf-8")
            outcomes["frame"] += 1
        except BadFrame:
            outcomes["bad"] += 1
    assert min(outcomes.values()) > 200


@settings(deadline=None)
@given(name=st.text(max_size=40))
def test_no_name_opens_anything_outside(tmp_path_factory, name):
    folder = tmp_path_factory.getbasetemp() / "names"
    folder.mkdir(exist_ok=True)
    with pytest.raises(NotFound):
        open_inside(folder, name)


def test_a_pipe_or_a_folder_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "real.txt").write_text("abc")
    for name in ("pipe", "folder", "folder/none", "folder/real.txt/x"):
        with pytest.raises(NotFound):
            size_inside(tmp_path, name)
    assert size_inside(tmp_path, "folder/real.txt") == 3
