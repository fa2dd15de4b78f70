"""Agents that the command line names: files, folders of agent.save(), what is refused, and that nothing else loads one."""

import contextlib
import io
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
from smolagents import CodeAgent, OpenAIModel, ToolCallingAgent

from smoldesk.agents.supplied.agent_files import load_agent
from smoldesk.cli import main as cli
from smoldesk.errors import BadInput
from tests.support.desk_server import SERVING, DeskProcess
from tests.support.openai_server import OpenAIServer, Says
from tests.support.own_agents import environment, search, write
from tests.support.servers import free_port
from tests.support.warm import ROOT, started
from tests.support.ws_client import WsClient

HEAD = """
from smolagents import CodeAgent, tool
from tests.support.scripted_model import ScriptedModel, code

model = ScriptedModel([code("final_answer('from the file')")])
"""
AGENT = HEAD + "agent = CodeAgent(tools=[], model=model, name='filed')\n"


def load(spec: object, seconds: float = 30) -> tuple[Any, str]:
    return load_agent(str(spec), Path("/nowhere/data"), seconds)


def test_the_one_agent_of_a_file_is_found_also_beside_those_that_it_manages(tmp_path: Path) -> None:
    text = HEAD + (
        "web = CodeAgent(tools=[], model=model, name='web', description='d')\n"
        "boss = CodeAgent(tools=[], model=model, name='boss', managed_agents=[web])\nagain = boss\n"
    )
    agent, name = load(write(tmp_path, "team.py", text))
    assert isinstance(agent, CodeAgent)
    assert (agent.name, name) == ("boss", "team")


@pytest.mark.parametrize("head", ["def make_agent():", "def team() -> CodeAgent:"])
def test_a_function_that_makes_an_agent_is_found_by_its_name_or_annotation(tmp_path: Path, head: str) -> None:
    text = HEAD + f"def other(): ...\n{head}\n    return CodeAgent(tools=[], model=model, name='made')\n"
    make, _ = load(write(tmp_path, "maker.py", text))
    assert make().name == "made"


def test_a_name_chooses_among_several_agents(tmp_path: Path) -> None:
    file = write(tmp_path, "two.py", AGENT + "other = CodeAgent(tools=[], model=model, name='second')\n")
    with pytest.raises(BadInput, match=r"two\.py defines several agents: agent, other\..*two\.py:agent"):
        load(file)
    agent, _ = load(f"{file}:other")
    assert isinstance(agent, CodeAgent)
    assert agent.name == "second"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("notes.txt", "hello", r"notes\.txt is not a Python file\."),
        ("missing.py", None, r"missing\.py is not a Python file\."),
        ("broken.py", "x = 1\ndef f(:\n", r"broken\.py:2 cannot be loaded: SyntaxError"),
        (
            "raises.py",
            "x = 1\n\nraise ValueError('no key')\n",
            r"raises\.py:3 cannot be loaded: ValueError: no key",
        ),
        ("leaves.py", "import sys\nsys.exit('bye')\n", r"leaves\.py:2 cannot be loaded: SystemExit: bye"),
        ("empty.py", "x = 1\n", r"empty\.py defines no agent\."),
        ("binary.py", "\x00\x01", r"binary\.py cannot be loaded"),
        (
            "tool.py",
            HEAD + "class T:\n    pass\nbad = CodeAgent(tools=[T()], model=model)\n",
            r"AssertionError",
        ),
        ("name.py:nobody", AGENT, r"name\.py has nothing of the name 'nobody'\."),
        ("value.py:model_id", AGENT + "model_id = 'x'\n", r"has no agent and no function under 'model_id'"),
    ],
)
def test_a_file_without_a_usable_agent_is_a_clear_error(
    tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        write(tmp_path, name.partition(":")[0], text)
    with pytest.raises(BadInput, match=message):
        load(tmp_path / name)


def test_a_file_that_never_returns_is_left_after_its_time_with_a_hint(tmp_path: Path) -> None:
    file = write(tmp_path, "slow.py", "import threading\nthreading.Event().wait(100)\n")
    with pytest.raises(BadInput, match=r"slow\.py was not loaded within 0\.2 s.*__main__"):
        load(file, seconds=0.2)


def test_a_file_that_launches_itself_is_told_how_to_be_served(tmp_path: Path) -> None:
    file = write(tmp_path, "self.py", AGENT + "from smoldesk import DeskUI\nDeskUI(agent).launch()\n")
    with pytest.raises(BadInput, match="launches itself"):
        load(file)


def test_a_file_of_the_data_directory_is_refused_whatever_its_name(tmp_path: Path) -> None:
    chat = tmp_path / "data" / "chats" / "c_1"
    chat.mkdir(parents=True)
    file = write(chat, "my_agent.py", "raise AssertionError('it ran')\n")
    link = tmp_path / "link.py"
    link.symlink_to(file)
    for path in (file, chat, link):
        with pytest.raises(BadInput, match="is in the data directory"):
            load_agent(str(path), tmp_path / "data", 30)


def saved(folder: Path) -> Path:
    model = OpenAIModel("tiny", api_key="sk-of-the-test")
    with contextlib.redirect_stdout(io.StringIO()):
        ToolCallingAgent(tools=[search], model=model, name="keeper", max_steps=3).save(folder)
    return folder


def test_a_saved_folder_makes_an_agent_for_each_chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    make, name = load(saved(tmp_path / "kept"))
    first, second = make(), make()
    assert (name, first.name, first.max_steps) == ("kept", "keeper", 3)
    assert first is not second
    assert sorted(first.tools) == ["final_answer", "search"]


def test_a_folder_that_was_not_saved_or_has_another_class_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"has no readable agent\.json"):
        load(tmp_path)
    write(tmp_path, "agent.json", '{"class": "Polite"}')
    with pytest.raises(BadInput, match="'Polite', which smolagents does not load"):
        load(tmp_path)


class Serving(DeskProcess):
    """`smoldesk serve AGENT` in a process of its own."""

    def __init__(self, spec: Path, folder: Path, **env: str) -> None:
        port = free_port()
        self.url, self.ws_url = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}/ws"
        self._output, self._errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self.process = started(
            SERVING,
            ["serve", str(spec), "--port", str(port), "--data-dir", str(folder)],
            cwd=ROOT,
            env=environment() | env,
            stdout=self._output,
            stderr=self._errors,
        )


@contextlib.contextmanager
def serving(spec: Path, folder: Path, **env: str) -> Generator[Serving]:
    process = Serving(spec, folder, **env)
    try:
        process.wait_until_up()
        yield process
    finally:
        process.close()


@pytest.mark.starts
def test_serve_with_a_file_answers_with_its_agent_and_says_what_it_is(tmp_path: Path) -> None:
    with serving(write(tmp_path, "my_agent.py", AGENT), tmp_path / "data") as process:
        with WsClient(process.ws_url) as client:
            client.hello()
            assert client.ask("go")[-1]["content"]["text"] == "from the file"
        output = process.output()
        assert f"smoldesk serves {process.url}\nagent: filed (CodeAgent, model scripted" in output
        assert "run in this process, with the rights of the user" in output


@pytest.mark.starts
def test_serve_with_a_saved_folder_asks_the_model_that_was_saved(tmp_path: Path) -> None:
    answer = Says('{"name": "final_answer", "arguments": {"answer": "from the folder"}}')
    with OpenAIServer([answer, answer]) as server:
        folder = saved(tmp_path / "kept")
        # smolagents saves neither the address nor the key of a model
        env = {"OPENAI_API_KEY": "sk-of-the-test", "OPENAI_BASE_URL": server.base_url}
        with serving(folder, tmp_path / "data", **env) as process, WsClient(process.ws_url) as client:
            client.hello()
            assert client.ask("go")[-1]["content"]["text"] == "from the folder"


@pytest.mark.starts
def test_neither_page_nor_api_nor_a_chats_folder_can_load_an_agent(tmp_path: Path) -> None:
    """A file that would leave a mark is offered in every way that a client has."""
    mark = tmp_path / "mark"
    evil = f"open({str(mark)!r}, 'w').close()\n" + AGENT
    data = tmp_path / "data"
    with serving(write(tmp_path, "my_agent.py", AGENT), data) as process, WsClient(process.ws_url) as client:
        chat = client.hello()
        upload = httpx.post(
            f"{process.url}/api/chats/{chat}/files", files={"file": ("my_agent.py", evil)}, timeout=30
        )
        assert upload.status_code in (200, 201), upload.text
        stored = data / "chats" / chat / "my_agent.py"
        assert stored.read_text() == evil
        for name in ("my_agent.py", str(stored), f"{stored}:agent", str(stored.parent)):
            assert httpx.patch(f"{process.url}/api/chats/{chat}", json={"agent": name}).status_code == 404
            assert httpx.post(f"{process.url}/api/chats", json={"agent": name}).status_code == 404
            body = {"model": name, "messages": [{"role": "user", "content": "go"}]}
            assert httpx.post(f"{process.url}/v1/chat/completions", json=body, timeout=30).status_code >= 400
        assert client.ask("load my_agent.py")[-1]["content"]["text"] == "from the file"
    assert not mark.exists()


@pytest.mark.parametrize("name", ["empty.py", "missing.py"])
def test_serve_ends_with_the_reason_before_it_takes_a_port_or_a_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], logged_as_before: None, name: str
) -> None:
    write(tmp_path, "empty.py", "")
    data = tmp_path / "data"
    assert cli.main(["serve", str(tmp_path / name), "--data-dir", str(data), "--port", "0"]) == 2
    assert f"smoldesk: {tmp_path / name}" in capsys.readouterr().err
    assert not data.exists()
