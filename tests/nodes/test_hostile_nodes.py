"""Clients at the port of nodes that have no right to be there, or break the protocol: refused, and others go on."""

import io
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from smoldesk.cli.main import parser, read_settings
from smoldesk.cli.nodes import nodes
from smoldesk.errors import BadInput, DeskError, NotFound, Refused
from smoldesk.nodes import listener, node_process
from smoldesk.nodes.authority import new_request
from smoldesk.nodes.membership import Membership
from smoldesk.nodes.node_agent import Identity
from smoldesk.nodes.secure_stream import SecureStream
from smoldesk.sandbox.children import Children
from tests.sandbox.conftest import Desk
from tests.support.node_agent import NodeDesk, introduce
from tests.support.waiting import come_true

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[NodeDesk]:
    desk = NodeDesk(tmp_path / "desk")
    yield desk
    desk.close()


@pytest.fixture(scope="module")
def bare() -> Iterator[Children]:
    """Replaced: these tests have children of their own."""
    yield None  # pyright: ignore[reportReturnType]


def test_a_token_is_for_one_machine_unless_it_says_more(desk: NodeDesk, tmp_path: Path) -> None:
    once, twice = desk.membership.new_token(1, 1), desk.membership.new_token(2, 1)
    Identity(tmp_path / "a").join(desk.address, once, "a")
    with pytest.raises(Refused, match="has been used"):
        Identity(tmp_path / "b").join(desk.address, once, "b")
    assert not Identity(tmp_path / "b").exists
    for name in ("c", "d"):
        Identity(tmp_path / name).join(desk.address, twice, name)
    assert [member.name for member in desk.membership.members()] == ["a", "c", "d"]


def test_machines_that_join_at_the_same_time_share_the_uses_of_a_token(desk: NodeDesk) -> None:
    token = desk.membership.new_token(3, 1)
    outcomes: list[str] = []

    def join(number: int) -> None:
        membership = Membership(desk.folder) if number % 2 else desk.membership
        try:
            membership.join(token, f"m{number}", new_request("m")[1])
            outcomes.append("joined")
        except Refused as fault:
            outcomes.append(fault.code)

    machines = [threading.Thread(target=join, args=(number,)) for number in range(8)]
    for machine in machines:
        machine.start()
    for machine in machines:
        machine.join(30)
    assert sorted(outcomes) == ["bad_token"] * 5 + ["joined"] * 3


def test_the_command_prints_a_token_lists_members_and_revokes_them(
    desk: NodeDesk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--data-dir", str(desk.folder)]
    command("token", *place)
    Identity(tmp_path / "a").join(desk.address, capsys.readouterr().out, "a")
    command("revoke", "a", *place)
    command("list", *place)
    assert "a\trevoked\tuntil 20" in capsys.readouterr().out
    with pytest.raises(NotFound, match="No valid node is called 'a'"):
        command("revoke", "a", *place)
    with pytest.raises(BadInput, match="has not joined a desk yet"):
        command("join", "127.0.0.1", "--data-dir", str(tmp_path / "b"))


def command(*arguments: str) -> None:
    """Run `smoldesk node ...`."""
    options = parser().parse_args(["node", *arguments])
    assert nodes(read_settings(options), options) == 0


def test_a_token_that_is_wrong_or_has_expired_lets_nobody_in(desk: NodeDesk, tmp_path: Path) -> None:
    identity = Identity(tmp_path / "a")
    expired = desk.membership.new_token(1, 0)
    forged = f"nt_{'A' * 43}_{desk.membership.authority.fingerprint}"
    with pytest.raises(Refused, match="has expired"):
        identity.join(desk.address, expired, "a")
    with pytest.raises(Refused, match="was not made by this desk"):
        identity.join(desk.address, forged, "a")
    with pytest.raises(BadInput, match="not a join token"):
        identity.join(desk.address, "secret", "a")
    with pytest.raises(BadInput, match="not a name of a node"):
        identity.join(desk.address, forged, "../a")
    with pytest.raises(BadInput, match="signing request"):
        desk.membership.join(desk.membership.new_token(1, 1), "a", "no request")
    assert desk.membership.members() == []


def test_a_token_goes_to_no_other_desk_than_the_one_that_made_it(desk: NodeDesk, tmp_path: Path) -> None:
    other = NodeDesk(tmp_path / "other")
    with pytest.raises(Refused, match="not the desk that made the token"):
        Identity(tmp_path / "a").join(other.address, desk.membership.new_token(1, 1), "a")
    other.close()


@pytest.mark.parametrize("kind", ["of another authority", "expired", "none"])
def test_a_certificate_that_this_desk_did_not_issue_or_that_has_expired_is_refused(
    desk: NodeDesk, tmp_path: Path, kind: str
) -> None:
    certificate: Path | None = None
    if kind == "expired":
        certificate = desk.certificate("late", days=-0.001)
    elif kind != "none":
        other = NodeDesk(tmp_path / "other")
        certificate = other.certificate("stranger")
        other.close()
    if certificate is None:
        assert introduce(desk.connect())["code"] == "node_unknown"
    else:
        with pytest.raises((ssl.SSLError, OSError, EOFError)):
            introduce(desk.connect(certificate))
    assert desk.listener.sites() == []


def test_a_node_of_another_version_or_without_a_jail_is_refused_with_the_reason(desk: NodeDesk) -> None:
    certificate = desk.certificate("old")
    old = introduce(desk.connect(certificate), version="0.1.0")
    assert "The node has version 0.1.0" in old["refused"] and old["code"] == "node_version"
    other = introduce(desk.connect(certificate), protocol=2)
    assert other["code"] == "node_version"
    assert introduce(desk.connect(certificate), isolated=False)["code"] == "not_isolated"
    assert desk.listener.sites() == []


def test_a_revoked_node_is_given_up_at_once_and_refused_afterwards(desk: NodeDesk) -> None:
    certificate = desk.certificate("lent")
    stream = desk.connect(certificate)
    assert "limits" in introduce(stream)
    desk.wait_for("lent")
    desk.membership.revoke("lent")
    desk.wait_for()
    assert introduce(desk.connect(certificate))["code"] == "node_revoked"


def test_joining_again_under_a_name_revokes_the_certificate_before(desk: NodeDesk, tmp_path: Path) -> None:
    old = desk.certificate("machine")
    Identity(tmp_path / "again").join(desk.address, desk.membership.new_token(1, 1), "machine")
    assert introduce(desk.connect(old))["code"] == "node_revoked"


def test_a_certificate_that_ends_soon_is_renewed_without_a_token(desk: NodeDesk) -> None:
    stream = desk.connect(desk.certificate("a"))
    stream.send({"role": "join", "request": new_request("b")[1]})
    assert "CERTIFICATE" in stream.receive(10)["certificate"]
    assert [member.name for member in desk.membership.members()] == ["a", "a"]


def test_renewals_keep_two_certificates_of_a_node(desk: NodeDesk) -> None:
    certificate = desk.certificate("a")
    desk.certificate("b")
    for _ in range(3):
        stream = desk.connect(certificate)
        stream.send({"role": "join", "request": new_request("a")[1]})
        assert "CERTIFICATE" in stream.receive(10)["certificate"]
    assert [member.name for member in desk.membership.members()] == ["a", "b", "a"]
    assert "limits" in introduce(desk.connect(certificate))


@pytest.mark.parametrize(
    "first", [b"", b"GET / HTTP/1.1\r\n\r\n", struct.pack(">I", 5) + b"hello", b"\xff" * 40, b"\0\0\0\x02[]"]
)
def test_garbage_and_silence_hold_up_nobody(desk: NodeDesk, first: bytes) -> None:
    with socket.create_connection(("127.0.0.1", desk.listener.port)) as plain:
        plain.sendall(first)
        stream = desk.connect()
        if first:
            stream.sock.send(first)
        good = desk.connect(desk.certificate("good"))
        assert "limits" in introduce(good)
        desk.wait_for("good")


def test_many_silent_connections_keep_no_node_out(desk: NodeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "MAX_WAITING", 8)
    certificate = desk.certificate("good")
    silent = [socket.create_connection(("127.0.0.1", desk.listener.port)) for _ in range(20)]
    good = desk.connect(certificate)
    assert "limits" in introduce(good)
    desk.wait_for("good")
    for connection in silent:
        connection.close()


WITHOUT_DESCRIPTORS = """
import contextlib, os, resource, socket, sys, time
from pathlib import Path
from smoldesk.nodes.authority import unverified_context
from smoldesk.nodes.listener import NodeListener
from smoldesk.sandbox.limits import Limits
folder = Path(sys.argv[1])
listener = NodeListener(folder, folder, Limits(), [], True)
listener.start("127.0.0.1", 0)
client = socket.socket()
context = unverified_context()
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (client.fileno() + 1, most))
with contextlib.suppress(OSError):
    while True:
        os.dup(0)
client.connect(("127.0.0.1", listener.port))
before = time.process_time()
time.sleep(0.5)
spent = time.process_time() - before
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
print(spent < 0.25, context.wrap_socket(client).version())
"""


def test_a_desk_without_descriptors_waits_for_some_and_answers_then(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_DESCRIPTORS, str(tmp_path)]
    child = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert child.stdout == "True TLSv1.3\n", child.stderr


def test_servers_of_one_desk_that_start_at_once_have_their_own_files(desk: NodeDesk) -> None:
    faults: list[Exception] = []

    def make() -> None:
        try:
            for _ in range(10):
                desk.membership.authority.server_context()
        except (OSError, ValueError) as fault:
            faults.append(fault)

    servers = [threading.Thread(target=make) for _ in range(4)]
    for server in servers:
        server.start()
    for server in servers:
        server.join(30)
    assert not faults


def test_a_node_that_floods_the_desk_with_messages_is_given_up(desk: NodeDesk) -> None:
    stream = desk.connect(desk.certificate("loud"))
    introduce(stream)
    with pytest.raises((OSError, EOFError)):
        for _ in range(1_000):
            stream.send({"beat": False})
            stream.waiting()
    desk.wait_for()


def test_a_silent_node_gets_no_processes_and_is_given_up(desk: NodeDesk) -> None:
    stream = desk.connect(desk.certificate("silent"))
    introduce(stream)
    desk.wait_for("silent")
    desk.wait_for()
    with pytest.raises((OSError, EOFError)):
        while True:
            stream.receive(10)


class FalseNode:
    """A node with a valid certificate whose processes say what `scripts` sends."""

    def __init__(self, desk: NodeDesk, behaviour: Callable[[dict[str, SecureStream]], None] | None) -> None:
        self._desk = desk
        self._certificate = desk.certificate("false")
        self._behaviour = behaviour
        self._control = desk.connect(self._certificate)
        introduce(self._control)
        threading.Thread(target=self._serve, daemon=True).start()
        desk.wait_for("false")

    def _serve(self) -> None:
        try:
            while True:
                self._control.send({"beat": False})
                time.sleep(0.1)
                while (message := self._control.waiting()) is not None:
                    if "fork" in message and self._behaviour is not None:
                        self._behaviour(
                            {role: self._open(role, message["fork"]) for role in node_process.ROLES}
                        )
        except (OSError, EOFError):
            return

    def _open(self, role: str, child: str) -> SecureStream:
        stream = self._desk.connect(self._certificate)
        stream.send({"role": role, "child": child})
        return stream


READY = struct.pack(">I", 16) + b'{"type":"ready"}'


def starts(streams: dict[str, SecureStream]) -> None:
    streams["life"].send({"pid": 1})
    streams["files"].receive(10)  # deliver
    streams["files"].receive(10)  # what is gone
    streams["files"].send({"done": True})


def garbage_frames(streams: dict[str, SecureStream]) -> None:
    starts(streams)
    streams["frames"].sock.send(READY)
    streams["frames"].sock.send(b"\xff\xff\xff\xff garbage")


def garbage_life(streams: dict[str, SecureStream]) -> None:
    starts(streams)
    streams["frames"].sock.send(READY)
    streams["life"].send({"status": "never"})


def garbage_files(streams: dict[str, SecureStream]) -> None:
    streams["files"].send({"file": "../../outside"})
    streams["frames"].sock.send(READY)


def path_outside(streams: dict[str, SecureStream]) -> None:
    one_cell(streams, dict.fromkeys(("../../outside.txt", "/tmp/outside.txt", "inside.txt"), b"x"))


def large_file(streams: dict[str, SecureStream]) -> None:
    one_cell(streams, {"large.bin": bytes(1_000_000)})


def endless_file(streams: dict[str, SecureStream]) -> None:
    one_cell(streams, {})
    # on a thread of its own, as the node has to send beats
    threading.Thread(target=send_without_end, args=(streams["files"],), daemon=True).start()


def send_without_end(files: SecureStream) -> None:
    with suppress(OSError):
        while True:
            files.send({"file": "endless.bin"})
            files.send_file(io.BytesIO(b"x"))
            time.sleep(0.05)


def one_cell(streams: dict[str, SecureStream], contents: dict[str, bytes]) -> None:
    """Answer one cell, whose code wrote these files."""
    starts(streams)
    streams["frames"].sock.send(READY)
    frames = streams["frames"]
    while True:
        frame = frames.receive(10)
        if frame.get("type") == "cell":
            break
    files = streams["files"]
    frames.send(
        {"type": "done", "cell": frame["cell"], "output": "1", "value": 1, "parts": [], "error": None}
    )
    files.receive(10)
    for name, content in contents.items():
        files.send({"file": name})
        files.send_file(io.BytesIO(content))
    if contents:
        files.send({"gone": [], "folder": "fine", "files": 0})


@pytest.mark.parametrize("behaviour", [None, garbage_frames, garbage_life, garbage_files])
def test_a_node_that_answers_garbage_or_nothing_costs_its_chat_one_cell_at_most(
    desk: NodeDesk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    behaviour: Callable[[dict[str, SecureStream]], None] | None,
) -> None:
    monkeypatch.setattr(node_process, "CONNECT_SECONDS", 0.2)
    children = Children(preload=(), nodes=desk.listener)
    (tmp_path / "chat").mkdir()
    FalseNode(desk, behaviour)
    chat = Desk(children, "chat", tmp_path / "chat")
    with suppress(DeskError, AssertionError):  # no process, or one that ended before its cell
        first = chat.run("1 + 1")
        assert first.error is not None or first.output == "2"
    desk.listener.close()
    assert chat.run("1 + 1").output == "2"
    chat.close()
    children.close()


def test_files_of_a_node_stay_in_the_chats_folder(desk: NodeDesk, tmp_path: Path) -> None:
    children = Children(preload=(), nodes=desk.listener)
    (tmp_path / "chat").mkdir()
    FalseNode(desk, path_outside)
    chat = Desk(children, "chat", tmp_path / "chat")
    chat.run("1")
    assert [path.name for path in (tmp_path / "chat").iterdir()] == ["inside.txt"]
    assert not (tmp_path / "outside.txt").exists() and not Path("/tmp/outside.txt").exists()
    chat.close()
    children.close()


def test_stop_ends_a_cell_whose_files_never_end(
    desk: NodeDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_process, "STOP_SECONDS", 0.1)
    children = Children(preload=(), nodes=desk.listener)
    (tmp_path / "chat").mkdir()
    FalseNode(desk, endless_file)
    chat = Desk(children, "chat", tmp_path / "chat")
    ran: list[str] = []
    running = threading.Thread(target=lambda: ran.append(str(chat.run("1").error)), daemon=True)
    running.start()
    come_true(lambda: (tmp_path / "chat" / "endless.bin").exists())
    chat.stop.set("enough")
    running.join(10)
    assert "the exchange of its files with the node false took too long" in ran[0]
    chat.close()
    children.close()


def test_a_full_disk_at_the_desk_ends_the_cell_with_that_reason(desk: NodeDesk, tmp_path: Path) -> None:
    folder = tmp_path / "chat"
    folder.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(folder)]
    if subprocess.run(line, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    children = Children(preload=(), nodes=desk.listener)
    FalseNode(desk, large_file)
    chat = Desk(children, "chat", folder)
    try:
        error = chat.run("1").error
    finally:
        chat.close()
        children.close()
        subprocess.run(["umount", str(folder)], check=True)
    assert error is not None and "the desk has no disk space for its files" in error.message
    assert "what it wrote is lost" in error.message


def test_a_connection_for_a_process_of_another_node_is_closed(desk: NodeDesk, tmp_path: Path) -> None:
    honest = desk.connect(desk.certificate("honest"))
    introduce(honest)
    thief = desk.certificate("thief")
    introduce(desk.connect(thief))
    children = Children(preload=(), nodes=desk.listener)
    (tmp_path / "chat").mkdir()
    Desk(children, "chat", tmp_path / "chat").close()
    come_true(lambda: desk.listener.sites())
    child = honest.receive(10).get("fork")
    stolen = desk.connect(thief)
    stolen.send({"role": "frames", "child": child})
    with pytest.raises((OSError, EOFError)):
        stolen.receive(10)
    children.close()
