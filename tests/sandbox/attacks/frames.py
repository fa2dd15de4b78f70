"""Our own frames and tools: lies to the host, in its own language."""

from pathlib import Path

from tests.sandbox.attacks.attack import Attack, called_ungranted, host_hurt, leaked, shown_outside

REPOSITORY = Path(__file__).parents[3]

SPEAK = """
import json, struct, gc
def cell_name():
    for o in gc.get_objects():
        if type(o).__name__ == "Cells": return o._cell
def say(frame, raw=None):
    body = raw if raw is not None else json.dumps(frame).encode()
    os.write(3, struct.pack(">I", len(body)) + body)
me = cell_name()
"""


def frame(name: str, tries: str, code: str, judge, bomb: bool = False) -> Attack:
    return Attack(f"frame_{name}", tries, SPEAK + code, judge, bomb=bomb, wrecker=True)


def call_of(tool: str, cell: str = "me") -> str:
    return f"say({{'type': 'call', 'cell': {cell}, 'id': 1, 'tool': '{tool}', 'args': [], 'kwargs': {{}}, 'line': None}})\n"


ATTACKS = [
    frame("ungranted_tool", "call a tool nobody granted", call_of("ungranted"), called_ungranted),
    frame("private_method", "call the host's own methods", call_of("__class__"), called_ungranted),
    frame("final_answer_as_tool", "have the host run final_answer", call_of("final_answer"), called_ungranted),
    frame("stolen_cell", "speak for another cell", call_of("ungranted", "'another'"), called_ungranted),
    frame("by_proxy", "turn a granted proxy into another tool", (
        "granted.__name__ = 'ungranted'\nfor c in granted.__closure__:\n"
        "    if c.cell_contents == 'granted': c.cell_contents = 'ungranted'\ngranted()"
    ), called_ungranted),
    frame("shown_secret", "show a file outside", (
        "say({'type': 'shown', 'cell': me, 'item': {'kind': 'file', 'path': '../outside/secret.txt', 'size': 1}})"
    ), shown_outside),
    frame("shown_absolute", "show a file by its full path", (
        "say({'type': 'shown', 'cell': me, 'item': {'kind': 'figure', 'path': '@SECRET@', 'size': 1}})"
    ), shown_outside),
    frame("shown_through_link", "show a file through a link", (
        "os.symlink('@OUTSIDE@', 'way')\n"
        "say({'type': 'shown', 'cell': me, 'item': {'kind': 'file', 'path': 'way/secret.txt', 'size': 1}})"
    ), shown_outside),
    frame("shown_fifo", "show a pipe, so that the host waits for a writer", (
        "os.mkfifo('p')\nsay({'type': 'shown', 'cell': me, 'item': {'kind': 'file', 'path': 'p', 'size': 1}})"
    ), host_hurt),
    frame("table_elsewhere", "a table whose rows are a file outside", (
        "say({'type': 'shown', 'cell': me, 'item': {'kind': 'table', 'name': 't', 'path': '../outside/secret.txt',"
        " 'columns': [], 'rows': [], 'row_count': 0}})"
    ), shown_outside),
    frame("giant_length", "announce four gigabytes", "os.write(3, b'\\xff\\xff\\xff\\xff'); os.write(3, b'x' * 9999)", host_hurt),
    frame("never_finished", "begin a frame and never end it", "os.write(3, b'\\0\\1\\0\\0{'); import time\nwhile True: time.sleep(1)", host_hurt, True),
    frame("deep_json", "JSON nested a million times", "say(None, b'[' * 10**6)", host_hurt),
    frame("deep_objects", "objects nested deeper than the stack", "say(None, b'{\"a\":' * 10**5)", host_hurt),
    frame("giant_number", "a number with ten million digits", "say(None, b'1' * 10**7)", host_hurt),
    frame("bad_utf8", "text that is none", "say(None, bytes(range(256)) * 100)", host_hurt),
    frame("pickle", "something to unpickle", (
        "import pickle\nclass P:\n    def __reduce__(self): return (os.system, ('echo @WON@ > @OUTSIDE@/pwned',))\n"
        "say(None, pickle.dumps(P()))"
    ), lambda trial: (trial.world.outside / "pwned").exists()),
    frame("answer_pickle", "an object whose reading runs code", (
        "class P:\n    def __reduce__(self): return (os.system, ('echo @WON@ > @OUTSIDE@/pwned',))\nfinal_answer(P())"
    ), lambda trial: (trial.world.outside / "pwned").exists()),
    frame("flood_of_frames", "as many frames as fit", (
        "while True: say({'type': 'printed', 'cell': me, 'text': 'x' * 60000})"
    ), host_hurt, True),
    frame("flood_of_calls", "call a granted tool for ever", "while True: granted()", host_hurt, True),
    frame("flood_of_shown", "show a file for ever", (
        "open('a', 'w').close()\nwhile True: say({'type': 'shown', 'cell': me, 'item': {'kind': 'file', 'path': 'a', 'size': 1}})"
    ), host_hurt, True),
    frame("done_then_on", "say done, and go on speaking", (
        "say({'type': 'done', 'cell': me, 'output': None, 'value': None, 'parts': [], 'error': None})\n" + call_of("ungranted")
    ), called_ungranted),
    frame("descriptor_to_host", "hand the host a descriptor with a frame", (
        "import socket, array\ns = socket.socket(fileno=os.dup(3))\n"
        "s.sendmsg([b'\\0\\0\\0\\2{}'], [(1, 1, array.array('i', [0] * 200))])"
    ), host_hurt),
    frame("shut_the_socket", "close the line and stay", "import socket, time\nsocket.socket(fileno=3).shutdown(2)\nwhile True: time.sleep(1)", host_hurt, True),
    frame("monkeypatched_json", "replace json in the child", "import json\njson.loads = lambda *_: {'type': 'x'}\ngranted()", called_ungranted),
    frame("arguments_as_code", "arguments that pretend to be code", "granted(__import__='os')\nprint(open('@SECRET@').read())", leaked),
    frame("paths_in_errors", "read the server's paths from an error", "granted(1, 2, 3)",
          lambda trial: str(REPOSITORY) in trial.said),
]  # fmt: skip
