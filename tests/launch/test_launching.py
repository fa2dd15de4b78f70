"""DeskUI().launch(): GradioUI's arguments, ports, start-up output, uploads, the frame's origins, and a script that blocks."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from smolagents import CodeAgent, Tool, ToolCallingAgent
from smolagents.local_python_executor import PythonExecutor
from smolagents.remote_executors import RemotePythonExecutor

from smoldesk import DeskUI
from smoldesk.agents.supplied.agent_features import describe
from smoldesk.agents.supplied.agent_source import AgentSource
from smoldesk.errors import BadInput, Refused
from smoldesk.launch.desk_ui import free_port
from smoldesk.wires.security import CONTENT_SECURITY_POLICY
from tests.support.own_agents import OwnChat, environment, scripted, search, served, write
from tests.support.scripted_model import code, text_of
from tests.support.warm import ROOT

LAB = "http://localhost:8888"


def idle_agent() -> CodeAgent:
    return CodeAgent(tools=[search], model=scripted(code("final_answer('ok')")), name="idler")


def test_sharing_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="everyone with the public link"):
        DeskUI(idle_agent(), data_dir=tmp_path / "data").launch(share=True)
    with pytest.raises(BadInput, match="SMOLDESK_TOKEN"):
        DeskUI(idle_agent(), data_dir=tmp_path / "data").launch(auth=("a", "b"))
    assert not (tmp_path / "data").exists()


def test_an_address_of_the_network_needs_a_token(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="without a token"):
        DeskUI(idle_agent(), data_dir=tmp_path / "data").launch(server_name="0.0.0.0")
    assert not (tmp_path / "data").exists()


@pytest.mark.starts
def test_the_next_free_port_is_taken_but_a_chosen_one_is_exact(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        assert free_port("127.0.0.1", port) > port
        ui = DeskUI(idle_agent(), data_dir=tmp_path)
        with pytest.raises(BadInput, match=f"cannot listen on port {port}"):
            ui.launch(server_port=port, prevent_thread_lock=True, quiet=True)
    with served(idle_agent(), tmp_path):  # the data directory was given back
        pass


@pytest.mark.starts
def test_start_up_output_names_agent_tools_code_chats_rights_and_what_has_no_meaning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLDESK_ALLOW_UNISOLATED", "true")
    ui = DeskUI(idle_agent(), data_dir=tmp_path, approvals={"search": "once"})
    with ui.launch(server_port=0, prevent_thread_lock=True, favicon_path="x.ico"):
        lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("smoldesk serves http://127.0.0.1:")
    assert lines[1] == "agent: idler (CodeAgent, model scripted, at most 20 steps)"
    assert lines[2] == "tools: search (asks once a run)"
    assert lines[3].startswith("code: runs in the sandbox, without network; it may import: collections,")
    assert lines[4] == "chats: each gets a copy of the agent; the model is shared"
    assert lines[5].startswith(
        "rights: its tools, callbacks and checks run in this process, with the rights of"
    )
    assert lines[6] == "not supported: favicon_path: no meaning here"


class Elsewhere(RemotePythonExecutor):
    """A remote executor that never runs."""

    def __init__(self) -> None:
        PythonExecutor.__init__(self)


def test_every_option_without_effect_is_listed() -> None:
    web = ToolCallingAgent([], scripted("x"), name="web", description="d", max_tool_threads=4)
    agent = CodeAgent(
        tools=[],
        model=scripted("x"),
        managed_agents=[web],
        max_print_outputs_length=10,
        executor_kwargs={"timeout_seconds": 3},
        return_full_result=True,
    )
    agent.state["handle"] = object()
    [line] = [line for line in describe(AgentSource(agent), "x") if line.startswith("not supported")]
    for option in ("max_print", "timeout_seconds", "return_full", "web: max_tool_threads", "state['handle']"):
        assert option in line
    remote = AgentSource(CodeAgent(tools=[search], model=scripted("x"), executor=Elsewhere()))
    lines = describe(remote, "x")
    assert lines[2] == "code: runs in the agent's own Elsewhere, with its tools, which run without approval"
    assert lines[3].startswith("chats: one chat only, because this agent cannot be copied; pass a function")


class Reader(Tool):
    """A tool that reads a file of this machine."""

    name = "read"
    description = "Reads a file."
    inputs = {"path": {"type": "string", "description": "its path"}}  # noqa: RUF012
    output_type = "string"

    def forward(self, path: str) -> str:
        return Path(path).read_text()


@pytest.mark.starts
def test_uploads_are_where_the_agents_tools_read_them_each_chat_apart(tmp_path: Path) -> None:
    folder = tmp_path / "uploads"
    model = scripted(code("final_answer('seen')"))
    agent = CodeAgent(tools=[Reader()], model=model)
    with served(agent, tmp_path / "data", file_upload_folder=folder) as ui, OwnChat(ui) as chat:
        path = folder / chat.chat_id / "my_notes_.txt"
        model.replies[:] = [code(f"final_answer(read({str(path)!r}))")]
        ui.source.approvals["read"] = "never"
        file = {"file": ("my notes!.txt", "from Ada")}
        httpx.post(f"{chat.url}/api/chats/{chat.chat_id}/files", files=file, timeout=30).raise_for_status()
        assert chat.answer("what is in my notes!.txt?") == "from Ada"
        assert f"You have been provided with these files: ['{path}']" in text_of(model.seen[-1])


@pytest.mark.starts
def test_only_the_page_may_be_framed_and_only_by_the_origins_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLDESK_ALLOW_UNISOLATED", "true")
    ui = DeskUI(idle_agent(), data_dir=tmp_path)
    with ui.launch(server_port=0, prevent_thread_lock=True, quiet=True, frame_origins=[LAB]):
        framed = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {LAB}")
        assert httpx.get(f"{ui.address}/").headers["content-security-policy"] == framed
        for path in ("/api/chats", "/api/agents", "/nowhere"):
            assert (
                httpx.get(f"{ui.address}{path}").headers["content-security-policy"] == CONTENT_SECURITY_POLICY
            )
    with served(idle_agent(), tmp_path) as ui:
        assert httpx.get(f"{ui.address}/").headers["content-security-policy"] == CONTENT_SECURITY_POLICY


@pytest.mark.parametrize(
    "origin", ["*", "localhost:8888", "http://a.example/x", "'self'", "http://a b", "data:x"]
)
def test_an_origin_that_is_none_is_refused(tmp_path: Path, origin: str) -> None:
    with pytest.raises(BadInput, match="is not an origin of a web page"):
        DeskUI(idle_agent(), data_dir=tmp_path / "data").launch(
            frame_origins=[origin], server_port=0, prevent_thread_lock=True
        )
    assert not (tmp_path / "data" / "lock").exists()


SCRIPT = """
from smolagents import CodeAgent
from tests.support.scripted_model import ScriptedModel, code
from smoldesk import DeskUI

agent = CodeAgent(tools=[], model=ScriptedModel([code("final_answer('scripted')")]))
DeskUI(agent, data_dir={data!r}).launch()
print("ended")
"""


@pytest.mark.starts
def test_a_script_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    script = write(tmp_path, "app.py", SCRIPT.format(data=str(tmp_path / "data")))
    env = environment() | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        assert httpx.get(f"{address}/healthz", timeout=30).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().endswith("ended\n")
        assert process.wait(30) == 0


def until_closed(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return
        time.sleep(0.05)
    raise AssertionError("somebody still listens")
