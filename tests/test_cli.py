"""The `smoldesk` command as a person types it: real processes, exit codes, and what is said where."""

import importlib.util
import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import httpx2
import pytest

from smoldesk.cli import open_files
from smoldesk.sandbox.isolation import jail_here
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.support.commands import BUSY, Outcome, run_command
from tests.support.desk_server import ROOT, live_desk
from tests.support.model_servers import listed
from tests.support.openai_server import Fails, OpenAIServer, Reply, Says, Seen, Stalls
from tests.support.scripted_model import code
from tests.support.warm import clean_environment

pytestmark = pytest.mark.long

KEY = "sk-live-77aa0c5be1d94f"
TOKEN = "correct-horse-battery-staple"


class Terminal:
    """A shell of one's own: an empty folder, no settings but those given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def env(self, settings: dict[str, str]) -> dict[str, str]:
        """`browser` is the one variable among them that is not ours."""
        inputs = {f"SMOLDESK_{name.upper()}": value for name, value in settings.items()}
        inputs = {name.replace("SMOLDESK_BROWSER", "BROWSER"): value for name, value in inputs.items()}
        return clean_environment() | {"PYTHONPATH": str(ROOT), "SMOLDESK_SANDBOX_PRELOAD": "[]"} | inputs

    def start(self, *arguments: str, **settings: str) -> "subprocess.Popen[str]":
        """A command as a shell starts it: with everything still to be imported."""
        return subprocess.Popen(
            [sys.executable, "-m", "smoldesk.cli.main", *arguments],
            cwd=self.folder,
            env=self.env(settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # a suite that was started in the background has its Ctrl+C ignored, and so would what it starts
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def type(self, *arguments: str, **settings: str) -> Outcome:
        """Such a command to its end; `settings` by their names without SMOLDESK_."""
        process = self.start(*arguments, **settings)
        try:
            out, err = process.communicate(timeout=BUSY)
        finally:
            process.kill()
        return Outcome(process.returncode, out, err)

    def run(self, *arguments: str, **settings: str) -> Outcome:
        """The same in a process that has its imports behind it, as its children have. What a cold start could break,
        some tests `type`."""
        return run_command(*arguments, cwd=self.folder, env=self.env(settings))


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    folder = tmp_path / "here"
    folder.mkdir()
    return Terminal(folder)


def no_traceback(outcome: Outcome) -> None:
    assert "Traceback" not in outcome.err + outcome.out


# --- run ------------------------------------------------------------------------------------------------------


def test_run_prints_the_answer_and_leaves_nothing_behind(terminal: Terminal) -> None:
    outcome = terminal.type("run", "How many rows are in measurement?")
    assert outcome.code == 0, outcome.err
    assert "6,720" in outcome.out.replace("6720", "6,720")
    assert list(terminal.folder.iterdir()) == []
    libraries = [line for line in outcome.err.splitlines() if " INFO " in line and " smoldesk." not in line]
    assert libraries == []


def test_run_as_json_gives_a_message_a_line_up_to_the_closing_one(terminal: Terminal) -> None:
    outcome = terminal.run("run", "--json", "How many rows are in measurement?")
    assert outcome.code == 0, outcome.err
    lines = outcome.lines
    assert lines[0] == lines[0] | {"type": "user_message", "content": "How many rows are in measurement?"}
    closing = lines[-1]["content"]
    assert isinstance(closing, dict)
    assert closing["state"] == "finished"
    assert "6" in closing["text"]
    assert [line["seq"] for line in lines] == sorted(line["seq"] for line in lines)  # pyright: ignore
    assert {"debug", "code", "text", "delta"} <= {line["type"] for line in lines}


class Scripted:
    """A provider that says what it is told, and the settings that lead to it."""

    def __init__(self, *replies: Says | Fails) -> None:
        self.server = OpenAIServer(replies)

    def settings(self, **more: str) -> dict[str, str]:
        return {
            "model": "openai:scripted",
            "openai_base_url": self.server.base_url,
            "openai_api_key": KEY,
            "allow_unisolated": "true",
            "model_retries": "0",
        } | more


def test_a_given_file_is_in_the_folder_under_its_own_name(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "sales 売上.csv").write_text("a,b\n1,2\n")
    (tmp_path / "elsewhere").mkdir()
    twin = tmp_path / "elsewhere" / "sales 売上.csv"
    twin.write_text("a\n9\n")
    link = tmp_path / "link.csv"
    link.symlink_to(twin)
    body = "import os\nprint(sorted(os.listdir()))\nfinal_answer(open('sales 売上.csv').read())"
    script = Scripted(Says(code(body)))
    files = [str(tmp_path / "sales 売上.csv"), str(twin), str(link)]
    with script.server:
        arguments = [word for file in files for word in ("--file", file)]
        outcome = terminal.run("run", "Look at it", *arguments, **script.settings())
    assert outcome.code == 0, outcome.err
    assert "['link.csv', 'sales 売上 (2).csv', 'sales 売上.csv']" in outcome.out
    assert outcome.out.rstrip().endswith("a,b\n1,2")
    assert list(terminal.folder.iterdir()) == []


def test_what_is_wrong_with_a_given_file_is_said(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "計画.json").write_text('{"a": [1,\n {"b": }]}')
    outcome = terminal.run("run", "Hello", "--file", str(tmp_path / "計画.json"))
    assert outcome.code == 0, outcome.err
    assert "計画.json: Line 2, column 8: Expected a value" in outcome.err


@pytest.mark.parametrize("name", ["missing.csv", ".", "../here"])
def test_a_file_that_is_none_is_refused_by_name(terminal: Terminal, name: str) -> None:
    outcome = terminal.run("run", "x", "--file", name)
    assert outcome.code == 2
    assert name in outcome.err
    no_traceback(outcome)


@pytest.mark.parametrize("as_json", [False, True])
def test_what_the_code_draws_and_saves_is_copied_here_and_replaces_nothing(
    terminal: Terminal, as_json: bool
) -> None:
    (terminal.folder / "numbers.csv").write_text("mine")
    body = (
        "import matplotlib.pyplot as plt, os\nplt.plot([1, 2])\nsave_data({'a': [1, 2]}, 'numbers')\n"
        "os.mkdir('deep')\nopen('deep/notes.txt', 'w').write('hi')\nfinal_answer('done')"
    )
    script = Scripted(Says(code(body)))
    with script.server:
        outcome = terminal.run("run", "go", *["--json"][: int(as_json)], **script.settings())
    assert outcome.code == 0, outcome.err
    here = {path.name: path.read_bytes() for path in terminal.folder.iterdir()}
    assert here["numbers.csv"] == b"mine"
    assert here["numbers (2).csv"].split() == [b"a", b"1", b"2"]
    assert here["notes.txt"] == b"hi"
    figures = [name for name, data in here.items() if data.startswith(b"\x89PNG")]
    assert len(figures) == 1
    if as_json:
        saved = {line["savedAs"] for line in outcome.lines if "savedAs" in line}
        assert saved == {"numbers (2).csv", "notes.txt", *figures}
    else:
        assert f"saved: {figures[0]}" in outcome.out


def test_a_failing_model_exits_1_and_says_why(terminal: Terminal) -> None:
    script = Scripted(Fails(500, "on fire"))
    with script.server:
        outcome = terminal.run("run", "x", **script.settings())
    assert outcome.code == 1
    assert "on fire" in outcome.err
    no_traceback(outcome)


def test_a_refused_key_exits_1_and_is_not_repeated(terminal: Terminal) -> None:
    script = Scripted(Fails(401, "Incorrect API key: {key}"))
    with script.server:
        outcome = terminal.run("run", "--json", "x", **script.settings(log_level="DEBUG"))
    assert outcome.code == 1
    assert "SMOLDESK_OPENAI_API_KEY" in outcome.out
    assert KEY not in outcome.out + outcome.err
    no_traceback(outcome)


def test_ctrl_c_ends_a_run_without_a_traceback(terminal: Terminal) -> None:
    script = Scripted(Says(code("print('begun')\nwhile True:\n    pass")))
    with script.server:
        process = terminal.start("run", "loop", **script.settings())
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.strip() == "begun":
                    break
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=BUSY)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in err


def test_options_win_over_variables_and_the_env_file_and_a_data_dir_is_kept(terminal: Terminal) -> None:
    (terminal.folder / ".env").write_text("SMOLDESK_MODEL=nobody\nSMOLDESK_DATA_DIR=elsewhere\n")
    question = "How many rows are in titanic?"
    outcome = terminal.run("run", "--model", "builtin", "--data-dir", "kept", question, model="somebody")
    assert outcome.code == 0, outcome.err
    assert "891" in outcome.out
    assert sorted(path.name for path in terminal.folder.iterdir()) == [".env", "kept"]
    assert len(list((terminal.folder / "kept" / "chats").iterdir())) == 1


# --- settings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"port": "many"}, "SMOLDESK_PORT"),
        ({"port": "70000"}, "SMOLDESK_PORT"),
        ({"agent": "poet"}, "SMOLDESK_AGENT"),
        ({"max_steps": "0"}, "SMOLDESK_MAX_STEPS"),
        ({"model_timeout_seconds": "soon"}, "SMOLDESK_MODEL_TIMEOUT_SECONDS"),
        ({"allowed_origins": "https://app.example.org"}, "SMOLDESK_ALLOWED_ORIGINS"),
        ({"allowed_origins": '["no origin"]', "token": TOKEN}, "SMOLDESK_ALLOWED_ORIGINS"),
        ({"allowed_hosts": '["http://x/y"]'}, "SMOLDESK_ALLOWED_HOSTS"),
        ({"database_url": f"nonsense://me:{KEY}@host/x"}, "SMOLDESK_DATABASE_URL"),
        ({"database_url": f"postgresql+nodriver://me:{KEY}@host/x"}, "SMOLDESK_DATABASE_URL"),
        ({"database_url": KEY}, "SMOLDESK_DATABASE_URL"),
        ({"log_level": KEY}, "SMOLDESK_LOG_LEVEL"),
        ({"sandbox_preload": KEY}, "SMOLDESK_SANDBOX_PRELOAD"),
        ({"max_runs": KEY, "port": KEY}, "SMOLDESK_MAX_RUNS"),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
)
def test_bad_settings_exit_2_naming_the_variable_and_never_a_secret(
    terminal: Terminal, settings: dict[str, str], named: str
) -> None:
    outcome = terminal.run("serve", **({"port": "0"} | settings | {"openai_api_key": KEY}))
    assert outcome.code == 2, outcome.err
    assert named in outcome.err
    assert outcome.err.startswith("smoldesk: ")
    assert KEY not in outcome.err + outcome.out
    assert TOKEN not in outcome.err + outcome.out
    no_traceback(outcome)


def test_a_wrong_env_file_is_named(terminal: Terminal) -> None:
    (terminal.folder / ".env").write_bytes(b"SMOLDESK_TOKEN=\xff\xfe")
    outcome = terminal.run("serve", port="0")
    assert outcome.code == 2
    assert ".env" in outcome.err
    no_traceback(outcome)


def test_an_address_for_others_wants_a_token(terminal: Terminal) -> None:
    outcome = terminal.type("serve", "--host", "0.0.0.0", "--port", "0")
    assert outcome.code == 2
    assert "SMOLDESK_TOKEN" in outcome.err
    assert not (terminal.folder / "smoldesk-data").exists()


def test_a_real_model_without_isolation_wants_the_operators_word(terminal: Terminal) -> None:
    for command in (["serve", "--port", "0"], ["run", "x"]):
        outcome = terminal.run(*command, model="openai:gpt", openai_api_key=KEY, executor="ast")
        assert outcome.code == 2
        assert "SMOLDESK_ALLOW_UNISOLATED" in outcome.err
        assert KEY not in outcome.err


def test_an_agent_that_is_not_in_the_list_is_refused_with_the_list(terminal: Terminal) -> None:
    outcome = terminal.run("serve", "--agent", "x")
    assert outcome.code == 2
    assert "'x'" in outcome.err and "code, tools, demo" in outcome.err
    no_traceback(outcome)


@pytest.mark.parametrize("arguments", [[], ["dance"], ["run"], ["serve", "--port", "x"], ["agents", "dance"]])
def test_wrong_usage_exits_2_with_the_usage(terminal: Terminal, arguments: list[str]) -> None:
    outcome = terminal.run(*arguments)
    assert outcome.code == 2
    assert "usage: smoldesk" in outcome.err
    no_traceback(outcome)


# --- the data directory ---------------------------------------------------------------------------------------------


def test_a_data_dir_that_a_server_uses_is_refused(terminal: Terminal) -> None:
    used = DataDir(terminal.folder / "data")
    used.claim()
    try:
        for command in (["run", "x"], ["serve", "--port", "0"]):
            outcome = terminal.run(*command, "--data-dir", "data")
            assert outcome.code == 2
            assert "Another smoldesk uses the data directory 'data'" in outcome.err
            no_traceback(outcome)
    finally:
        used.release()


def test_a_data_dir_that_is_none_is_said(terminal: Terminal) -> None:
    (terminal.folder / "file").write_text("")
    outcome = terminal.run("run", "x", "--data-dir", "file")
    assert outcome.code == 2
    assert "--data-dir" in outcome.err
    no_traceback(outcome)


def test_a_broken_database_is_said(terminal: Terminal) -> None:
    (terminal.folder / "data").mkdir()
    (terminal.folder / "data" / "smoldesk.db").write_bytes(b"this is no database" * 100)
    outcome = terminal.type("run", "x", "--data-dir", "data")
    assert outcome.code == 2
    assert "smoldesk.db" in outcome.err
    no_traceback(outcome)


def test_a_database_of_a_later_version_is_left_alone(terminal: Terminal) -> None:
    Store.open(DataDir(terminal.folder / "data")).close()
    with sqlite3.connect(terminal.folder / "data" / "smoldesk.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    outcome = terminal.run("run", "x", "--data-dir", "data")
    assert outcome.code == 2
    assert "another version" in outcome.err
    no_traceback(outcome)


# --- doctor -------------------------------------------------------------------------------------------------------


def test_doctor_finds_nothing_wrong_on_a_fresh_machine(terminal: Terminal) -> None:
    outcome = terminal.type("doctor")
    assert outcome.code == 0, outcome.out + outcome.err
    lines = [line for line in outcome.out.splitlines() if not line.startswith(" ")]
    assert len(lines) >= 5
    assert all(line.startswith("ok    ") for line in lines)
    assert "1 + 1 = 2" in outcome.out
    report = jail_here(terminal.folder).report()
    assert f"1 + 1 = 2; {report.label}" in outcome.out
    assert all(reason in outcome.out for reason in report.reasons)


def test_doctor_tries_the_model_and_exits_1_when_it_fails(terminal: Terminal) -> None:
    script = Scripted(Fails(401, "Incorrect API key: {key}"))
    with script.server:
        outcome = terminal.run("doctor", **script.settings())
    assert outcome.code == 1
    failed = [line for line in outcome.out.splitlines() if line.startswith("FAIL")]
    assert len(failed) == 1
    assert "model openai:scripted" in failed[0]
    assert "SMOLDESK_OPENAI_API_KEY" in failed[0]
    assert KEY not in outcome.out + outcome.err
    no_traceback(outcome)


def test_doctor_says_what_is_wrong_with_each_part_and_goes_on(terminal: Terminal) -> None:
    (terminal.folder / "file").write_text("")
    outcome = terminal.run("doctor", "--data-dir", "file", host="0.0.0.0")
    assert outcome.code == 1
    assert "FAIL  address" in outcome.out
    assert "FAIL  data directory" in outcome.out
    assert outcome.out.startswith("ok    Python")
    no_traceback(outcome)


def test_doctor_names_a_tool_that_the_settings_misspell(terminal: Terminal) -> None:
    outcome = terminal.run("doctor", tool_approval='{"proces_payment": "never", "save_data": "once"}')
    assert outcome.code == 1
    assert (
        "FAIL  settings of individual tools: The settings name tools that this desk does not have"
        in outcome.out
    )
    assert "proces_payment. Expected of:" in outcome.out
    no_traceback(outcome)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Fails(404, "no such model"), "model_unknown"),
        (Stalls(), "model_timeout"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_doctor_says_which_way_the_model_fails(terminal: Terminal, reply: Says | Fails, code: str) -> None:
    script = Scripted(reply)
    with script.server:
        outcome = terminal.run("doctor", "--json", **script.settings(model_timeout_seconds="1"))
    assert outcome.code == 1
    findings = json.loads(outcome.out)
    assert [(finding["ok"], finding["code"]) for finding in findings] == [(True, None)] * 11 + [(False, code)]
    assert KEY not in outcome.out + outcome.err
    no_traceback(outcome)


def test_doctor_names_a_wire_that_there_is_not(terminal: Terminal) -> None:
    assert "ok    wires: mcp, four_pane," in terminal.run("doctor").out
    outcome = terminal.run("doctor", wires='["rest", "telex"]')
    assert outcome.code == 1
    assert "FAIL  wires: SMOLDESK_WIRES names unknown wires: telex." in outcome.out


def test_serve_refuses_a_wire_that_there_is_not(terminal: Terminal) -> None:
    outcome = terminal.run("serve", wires='["telex"]')
    assert outcome.code == 2
    assert "telex" in outcome.err and "four_pane" in outcome.err


def test_doctor_tells_the_agents_and_what_keeps_one_from_working(terminal: Terminal) -> None:
    assert "ok    agents: code, tools, demo" in terminal.run("doctor").out
    (terminal.folder / "smoldesk-data" / "agents.toml").write_text(
        '[agents.a]\nkind = "poet"\n[agents.b]\nkind = "terminal"\nprofile = "b.yaml"\n'
    )
    (terminal.folder / "smoldesk-data" / "b.yaml").write_text("command: no-such-program-here\n")
    outcome = terminal.run("doctor")
    assert outcome.code == 1
    assert "FAIL  agents" in outcome.out
    assert "agents.toml, agent 'a', key 'kind'" in outcome.out
    assert "no-such-program-here" in outcome.out
    assert "1 + 1 = 2" in outcome.out  # the rest is tried all the same
    no_traceback(outcome)


def test_doctor_hangs_up_after_the_models_first_word(terminal: Terminal) -> None:
    script = Scripted(Stalls("Hello"))
    with script.server:
        outcome = terminal.run("doctor", **script.settings(model_timeout_seconds="300"))
    assert outcome.code == 0, outcome.out
    assert "its first word came after" in outcome.out


def test_doctor_names_what_the_models_server_does_not_take(terminal: Terminal) -> None:
    def strict(seen: Seen) -> Reply:
        if seen.body["messages"][0]["role"] == "system":
            return Fails(400, "System role not supported")
        for name in ("stop", "stream_options"):
            if name in seen.body:
                return Fails(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        return Says("Hello")

    with OpenAIServer(strict) as server:
        outcome = terminal.run("doctor", model="openai:scripted", openai_base_url=server.base_url)
    assert outcome.code == 0, outcome.out
    assert "; it does not take: system, stop, stream_options" in outcome.out


def test_doctor_compares_the_models_window_with_the_instructions(terminal: Terminal) -> None:
    offers = {"/v1/models": listed("vllm", "narrow", max_model_len=1024)}
    with OpenAIServer([Says("Hello")], offers) as server:
        outcome = terminal.run("doctor", model="openai:narrow", openai_base_url=server.base_url)
    assert outcome.code == 1
    assert "its window has 1,024 tokens, but the instructions of the agent take about " in outcome.out


def test_doctor_names_the_extra_that_is_missing(terminal: Terminal) -> None:
    if importlib.util.find_spec("torch") is not None:
        pytest.skip("torch is installed here")
    outcome = terminal.run("doctor", model="transformers:some/model", allow_unisolated="true")
    assert outcome.code == 1
    assert "pip install -e '.[transformers]'" in outcome.out
    no_traceback(outcome)


# --- open -----------------------------------------------------------------------------------------------------


def sales(terminal: Terminal) -> Path:
    file = terminal.folder / "売上.csv"
    file.write_text("region,units\nnorth,3\n")
    return file


def files_of(address: str) -> list[str]:
    """The files of the chat that an address of the page shows."""
    url, _, chat = address.strip().partition("/#chat=")
    files = httpx.get(f"{url}/api/chats/{chat}/files", timeout=BUSY).json()["files"]
    return [file["name"] for file in files]


def test_open_puts_files_into_a_new_chat_of_the_desk_that_runs_and_shows_it(terminal: Terminal) -> None:
    browser = terminal.folder / "browser.sh"
    browser.write_text('#!/bin/sh\necho "$1" > shown.txt\n')
    browser.chmod(0o755)
    (terminal.folder / "broken.csv").write_text("a,b\n1,2\n3,4,5\n")
    data = terminal.folder / "data"
    with live_desk(data):
        opened = terminal.run(
            "open", sales(terminal).name, "broken.csv", "--data-dir", "data", browser=f"{browser} %s"
        )
        assert opened.code == 0, opened.err
        assert files_of(opened.out) == ["売上.csv", "broken.csv"]
    assert "broken.csv: Line 3" in opened.err
    assert (terminal.folder / "shown.txt").read_text() == opened.out


def test_open_starts_a_desk_where_none_runs(terminal: Terminal) -> None:
    process = terminal.start("open", sales(terminal).name, "--no-browser", "--port", "0")
    try:
        assert process.stdout is not None
        assert files_of(process.stdout.readline()) == ["売上.csv"]
        process.send_signal(signal.SIGINT)
        assert process.wait(BUSY) == 0
    finally:
        process.kill()


def test_open_says_what_is_refused_and_leaves_no_desk_behind(terminal: Terminal) -> None:
    gone = terminal.run("open", "gone.csv")
    assert (gone.code, gone.out) == (2, "")
    assert "There is no file gone.csv." in gone.err
    large = terminal.run(
        "open", sales(terminal).name, "--no-browser", "--port", "0", upload_limit_mb="0.00001"
    )
    assert (large.code, large.out) == (2, "")
    assert "The file is larger than 10 bytes." in large.err
    no_traceback(large)


def test_an_answer_that_breaks_off_while_the_file_is_read_is_asked_for_again(tmp_path: Path) -> None:
    lines: list[str] = []
    (tmp_path / "a.csv").write_text("a\n1")
    sending = {"state": "sending", "offset": 3, "bytes": 3}

    def desk(request: httpx2.Request) -> httpx2.Response:
        if request.method != "GET":
            headers = {"Location": "/api/chats/c/uploads/u", "Upload-Offset": "3"}
            return httpx2.Response(201 if request.method == "POST" else 204, headers=headers)
        lines.append(request.method)
        if len(lines) == 1:
            raise httpx2.ReadTimeout("nothing came")
        return httpx2.Response(200, json=sending if len(lines) == 2 else {"state": "ready", "problems": []})

    with httpx2.Client(transport=httpx2.MockTransport(desk), base_url="http://desk") as client:
        report = open_files.send_file(client, "c", tmp_path / "a.csv")
    assert (report["state"], lines) == ("ready", ["GET"] * 3)
