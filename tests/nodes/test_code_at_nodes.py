"""Code of chats at nodes: two agents on this machine, each a process of its own, and a desk that uses both."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.sandbox.children import Children
from smoldesk.sandbox.isolation import Isolation
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.process import ChildProcess
from smoldesk.sandbox.slots import Slots
from smoldesk.tables.inside.bucket_files import SERVICE
from smoldesk.tables.object_folders import ObjectFolders
from tests.sandbox.conftest import Desk
from tests.support.node_agent import NodeDesk, running
from tests.support.odd_store import odd_store
from tests.support.waiting import come_true

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")
LIMITS = Limits(folder=4 * MIB, files=50)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeDesk]:
    folder = tmp_path_factory.mktemp("nodes")
    folder.chmod(0o755)
    nodes = NodeDesk(folder, LIMITS)
    with running(nodes.agent("north"), nodes.agent("south")):
        nodes.wait_for("north", "south")
        yield nodes
        nodes.close()


@pytest.fixture(scope="module")
def children(nodes: NodeDesk) -> Iterator[Children]:
    children = Children(preload=(), limits=LIMITS, cell_seconds=30, grace_seconds=0.3, nodes=nodes.listener)
    yield children
    children.close()


@pytest.fixture
def chat(children: Children, tmp_path: Path) -> Iterator[Desk]:
    chat = Desk(children, str(tmp_path), tmp_path)
    yield chat
    chat.close()
    children.drop(chat.chat_id, "the test is over")


def test_files_reach_the_node_before_a_cell_and_come_back_after_it(chat: Desk, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "in.csv").write_text("a\n1\n")
    (tmp_path / "old.txt").write_text("old")
    first = chat.run(
        "text = open('deep/in.csv').read()\nopen('out.txt', 'w').write(text * 2)\nimport os\nos.remove('old.txt')"
    )
    assert first.error is None
    assert (tmp_path / "out.txt").read_text() == "a\n1\na\n1\n"
    assert not (tmp_path / "old.txt").exists()
    (tmp_path / "out.txt").write_text("changed here")
    assert chat.run("open('out.txt').read() + text").output == "changed herea\n1\n"
    assert chat.children.site(chat.chat_id).name in ("north", "south")


def test_a_tool_reads_what_the_cell_wrote_and_the_cell_what_the_tool_wrote(
    chat: Desk, tmp_path: Path
) -> None:
    def double(_request: object) -> int:
        text = (tmp_path / "asked.txt").read_text()
        (tmp_path / "answer.txt").write_text(text * 2)
        return len(text)

    chat.tool("double", double)
    code = "open('asked.txt', 'w').write('ab')\nn = double()\nf'{n} {open(\"answer.txt\").read()}'"
    assert chat.run(code).output == "2 abab"


def test_a_cell_at_a_node_reads_an_object_through_the_desk(nodes: NodeDesk, tmp_path: Path) -> None:
    with odd_store() as store:
        store.objects["sales.csv"] = b"region,units\nnorth,3\n"
        folders = ObjectFolders(["s3://bucket/data"])
        children = Children(preload=(), nodes=nodes.listener, services={SERVICE: folders.serve})
        chat = Desk(children, str(tmp_path), tmp_path)
        code = "import fsspec\nfsspec.open('s3://bucket/data/sales.csv', 'rt').open().read()"
        assert chat.run(code).output == "region,units\nnorth,3\n"
        assert children.site(chat.chat_id).name in ("north", "south")
        assert chat.run("import os\n[name for name in os.environ if 'AWS' in name]").output == "[]"
        chat.close()
        children.drop(chat.chat_id, "the test is over")


def test_a_stop_keeps_variables_and_a_process_that_ignores_it_is_killed_with_its_files_kept(
    chat: Desk, tmp_path: Path
) -> None:
    chat.run("x = 42")
    chat.host.on_print = lambda _text: chat.stop.set("enough")
    assert chat.run("import time\nprint('now', flush=True)\ntime.sleep(30)").stopped
    chat = chat.again()
    assert chat.run("x").output == "42"
    chat.host.on_print = lambda _text: chat.stop.set("enough")
    code = (
        "open('kept.txt', 'w').write('kept')\nprint('now', flush=True)\n"
        "while True:\n    try:\n        time.sleep(9)\n    except BaseException: pass"
    )
    result = chat.run(code)
    assert result.stopped and not result.variables_intact
    assert (tmp_path / "kept.txt").read_text() == "kept"
    chat.close()


def test_a_folder_that_is_far_too_full_ends_the_cell_and_its_files_never_arrive(
    chat: Desk, tmp_path: Path
) -> None:
    result = chat.run("for n in range(12):\n    open(f'{n}.bin', 'wb').write(bytes(1 << 20))")
    assert result.error is not None and result.error.code == "folder_full"
    assert [*tmp_path.iterdir()] == []
    assert chat.run("1 + 1").output == "2"


@pytest.mark.parametrize(
    "code",
    [
        "open('{outside}/secret.txt').read()",
        "open('{node}/node.pem').read()",
        "import os\nos.stat('{outside}/nodes/authority.key')",
        "import socket\nsocket.create_connection(('127.0.0.1', {port}), 1)",
        "import os\nos.fork()",
        "import os\nos.kill(1 if os.getpid() != 1 else os.getppid(), 9) or os.symlink('{outside}', 'link')",
    ],
)
def test_attacks_on_the_node_fail(chat: Desk, nodes: NodeDesk, code: str) -> None:
    (nodes.folder / "secret.txt").write_text("secret")
    name = chat.children.site(chat.chat_id).name
    filled = code.format(outside=nodes.folder, node=nodes.folder / name, port=nodes.listener.port)
    result = chat.run(filled)
    assert result.error is not None
    assert chat.again().run("1 + 1").output == "2"


def test_chats_go_to_the_node_with_the_fewest_children(children: Children, tmp_path: Path) -> None:
    chats = [
        Desk(children, f"{tmp_path}-{n}", tmp_path / str(n))
        for n in range(4)
        if not (tmp_path / str(n)).mkdir()
    ]
    names = [children.site(chat.chat_id).name for chat in chats]
    assert sorted(names) == ["north", "north", "south", "south"]
    for chat in chats:
        chat.close()
        children.drop(chat.chat_id, "the test is over")


def test_an_agent_that_stays_at_the_desk_takes_its_chat_back(children: Children, tmp_path: Path) -> None:
    (tmp_path / "chat").mkdir()
    chat = Desk(children, "chat", tmp_path / "chat")
    chat.run("x = 1")
    assert children.site("chat").name and sum(count for _, count in children.nodes_in_use()) == 1
    children.child("chat", tmp_path / "chat", only_here=True)
    assert children.site("chat").name == "" and getattr(children.lost("chat"), "code", "") == "desk"
    assert chat.run("'x' in globals()").output == "False" and children.site("chat").name == ""
    chat.close()
    children.drop("chat", "the test is over")


class NodeThatIsLostAtTheFirstRequest:
    """A site, and all nodes of its desk."""

    name = "brief"
    max_children = 4

    def __init__(self) -> None:
        self.slots = Slots(1)
        self.is_lost = False

    def sites(self) -> list[Any]:
        return [] if self.is_lost else [self]

    def start(self) -> ChildProcess:
        self.is_lost = True
        raise OSError("the node brief was lost")

    def is_short_of_memory(self) -> bool:
        return False

    def report(self) -> Isolation:
        return Isolation(True, "isolated", [])

    def close(self) -> None: ...


def test_a_node_that_is_lost_at_the_request_costs_no_cell(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    children = Children(preload=(), nodes=NodeThatIsLostAtTheFirstRequest())
    (tmp_path / "chat").mkdir()
    chat = Desk(children, "chat", tmp_path / "chat")
    assert chat.run("1 + 1").output == "2" and children.site("chat").name == ""
    chat.close()
    children.close()


def test_a_killed_node_is_reported_and_the_chat_goes_on_elsewhere(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    nodes = NodeDesk(tmp_path / "desk")
    one, other = nodes.agent("one"), nodes.agent("other")
    with running(one, other):
        nodes.wait_for("one", "other")
        children = Children(preload=(), nodes=nodes.listener)
        (tmp_path / "chat").mkdir()
        chat = Desk(children, "chat", tmp_path / "chat")
        chat.run("x = 1")
        victim = {"one": one, "other": other}[children.site("chat").name]
        survivor = {"one": "other", "other": "one"}[children.site("chat").name]
        chat.host.on_print = lambda _text: victim.kill()
        result = chat.run("import time\nprint('now', flush=True)\ntime.sleep(30)")
        assert result.error is not None and "was lost" in result.error.message
        assert getattr(children.lost("chat"), "code", "") == "node"
        nodes.wait_for(survivor)
        assert chat.run("'x' in globals()").output == "False"
        assert children.site("chat").name == survivor
        {"one": one, "other": other}[survivor].kill()
        come_true(lambda: not children.alive("chat"))
        assert chat.run("1 + 1").output == "2"
        assert children.site("chat").name == ""
        chat.close()
        children.close()
        nodes.close()
