"""`smoldesk exam` as a person types it, against a real server of the OpenAI API whose model answers by fixed code."""

import json
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run_command
from tests.support.desk_server import ROOT, SERVING
from tests.support.openai_server import Fails, OpenAIServer, Reply, Says, Seen, Stalls
from tests.support.warm import clean_environment

QUESTIONS = [
    {"id": "one", "language": "en", "question": "What is one?", "expect": {"number": 1}, "tags": ["small"]},
    {"id": "two", "language": "ja", "question": "二は？", "expect": {"number": 2}, "tags": ["small"]},
    {"id": "three", "language": "en", "question": "What is three?", "expect": {"number": 3}},
]
ANSWERS = {"What is one?": "1", "二は？": "'2です'", "What is three?": "'four: 4'"}


def reply(received: Seen) -> Reply:
    text = json.dumps(received.body["messages"], ensure_ascii=False)
    answer = next(code for question, code in ANSWERS.items() if question in text)
    return Says(f"<code>final_answer({answer})</code>")


class Shell:
    """An empty folder with the questions, and a desk whose model is at a server."""

    def __init__(self, folder: Path, server: OpenAIServer) -> None:
        self.folder = folder
        (folder / "my.jsonl").write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS))
        settings = {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "sk-test",
            "MODEL_RETRIES": "0",
            "SANDBOX_PRELOAD": "[]",
            "FIND_MODELS": "false",
            "ALLOW_UNISOLATED": "true",
        }
        self.env = clean_environment() | {"PYTHONPATH": str(ROOT)}
        self.env |= {f"SMOLDESK_{name}": value for name, value in settings.items()}

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start an exam as a shell does, with everything still to be imported."""
        return subprocess.Popen(
            [sys.executable, "-c", SERVING, "exam", *arguments],
            cwd=self.folder,
            env=self.env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # a shell's background job ignores Ctrl-C, and so would this program
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )

    def exam(self, *arguments: str, model: str = "openai:fixed") -> tuple[int, str, str]:
        outcome = run_command("exam", model, *arguments, cwd=self.folder, env=self.env)
        return outcome.code, outcome.out, outcome.err

    def results(self, name: str = "exam-openai-fixed.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()[1:]]


MY = ("--questions", "my.jsonl", "--yes")


def test_an_exam_counts_right_and_wrong_answers_in_a_table_and_as_json(tmp_path: Path) -> None:
    with OpenAIServer(reply) as server:
        shell = Shell(tmp_path, server)
        code, out, err = shell.exam(*MY, "--json", "out.json")
    assert code == 0, err
    assert "3 questions, about 9 calls" in out and "price unknown" in out
    assert re.search(r"1/3 right +one", out) and re.search(r"3/3 wrong +three", out)
    assert "number: expected 3 within 0; got 4" in out
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["complete"] is True and report["model"] == "openai:fixed"
    total = report["totals"]["all"]
    assert (total["right"], total["wrong"], total["calls"], total["steps"]) == (2, 1, 3, 3)
    assert (total["input_tokens"], total["output_tokens"], total["cost"]) == (33, 3, None)
    assert report["totals"]["ja"]["right"] == 1 and report["totals"]["small"]["questions"] == 2
    assert [result["verdict"] for result in shell.results()] == ["right", "right", "wrong"]


def test_an_unknown_price_needs_a_yes_and_another_exam_is_not_overwritten(tmp_path: Path) -> None:
    with OpenAIServer(reply) as server:
        shell = Shell(tmp_path, server)
        code, out, err = shell.exam("--questions", "my.jsonl")
        assert code == 2 and "price" in err and "--yes" in err and "price unknown" in out
        assert server.requests == [] and not (tmp_path / "exam-openai-fixed.jsonl").exists()
        assert shell.exam(*MY)[0] == 0
        code, _, err = shell.exam(*MY)
        assert code == 2 and "--resume" in err
        code, _, err = shell.exam(*MY, "--resume", "--agent", "tools")
        assert code == 2 and "its agent is 'code', expected 'tools'" in err
        code, _, err = shell.exam(*MY, "--resume", "--results", "none.jsonl")
        assert code == 2 and "not a results file" in err


@pytest.mark.parametrize("calls", ["0", "2"])
def test_a_budget_of_calls_stops_before_the_next_call_and_resumes(tmp_path: Path, calls: str) -> None:
    with OpenAIServer(reply) as server:
        shell = Shell(tmp_path, server)
        code, _, err = shell.exam(*MY, "--max-calls", calls)
        assert code == 3 and f"all {calls} calls are used" in err
        assert f"{3 - int(calls)} questions are left" in err
        assert len(server.requests) == len(shell.results()) == int(calls)
        assert shell.exam(*MY, "--resume")[0] == 0
        assert len(server.requests) == 3
    assert [result["id"] for result in shell.results()] == ["one", "two", "three"]


def test_a_budget_of_no_dollars_allows_no_call_of_a_model_that_may_cost(tmp_path: Path) -> None:
    with OpenAIServer(reply) as server:
        shell = Shell(tmp_path, server)
        assert shell.exam(*MY, "--budget-usd", "0")[0] == 3
        assert server.requests == []
        assert shell.exam("--questions", "my.jsonl", "--budget-usd", "0", model="builtin")[0] == 0


def test_an_exam_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    def slow(received: Seen) -> Reply:
        return Stalls("<code>") if "What is three?" in json.dumps(received.body) else reply(received)

    with OpenAIServer(slow) as server:
        shell = Shell(tmp_path, server)
        process = shell.start("openai:fixed", *MY)
        assert server.stalled.wait(120)
        process.kill()
        process.communicate(timeout=60)
    with (tmp_path / "exam-openai-fixed.jsonl").open("a") as file:
        file.write('{"id": "three", "verd')  # a line that was being written
    with OpenAIServer(reply) as server:
        shell.env["SMOLDESK_OPENAI_BASE_URL"] = server.base_url
        code, out, err = shell.exam(*MY, "--resume")
        assert code == 0, err
        assert len(server.requests) == 1 and "3/3 wrong" in out
    assert [result["id"] for result in shell.results()] == ["one", "two", "three"]


def test_ctrl_c_stops_the_run_and_leaves_the_rest_for_later(tmp_path: Path) -> None:
    with OpenAIServer(lambda received: Stalls("<code>")) as server:
        shell = Shell(tmp_path, server)
        process = shell.start("openai:fixed", *MY)
        assert server.stalled.wait(120)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130 and "3 questions are left" in err and "Traceback" not in err


def test_a_model_that_never_answers_fails_at_the_time_limit(tmp_path: Path) -> None:
    def reply_late(received: Seen) -> Reply:
        return Stalls("<code>") if "What is one?" in json.dumps(received.body) else reply(received)

    with OpenAIServer(reply_late) as server:
        shell = Shell(tmp_path, server)
        code, out, err = shell.exam(*MY, "--time-limit", "4")
    assert code == 0, err
    assert re.search(r"1/3 failed +one .*time limit was reached", out) and re.search(r"2/3 right +two", out)


def test_a_model_that_cannot_be_used_ends_the_exam_at_once(tmp_path: Path) -> None:
    with OpenAIServer(lambda received: Fails(401, "no such key")) as server:
        shell = Shell(tmp_path, server)
        code, _, err = shell.exam(*MY)
        assert code == 1 and "key" in err and "3 questions are left" in err
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nothing"], "There is no model 'nothing' here."),
        (["builtin", "--questions", "gone.jsonl"], "cannot be read"),
        (["builtin", "--agent", "nobody"], "nobody"),
        (["builtin", "--agent", "shell"], "program in a terminal"),
        (["builtin", "--max-calls", "-1"], "invalid call_count value"),
        (["builtin", "--budget-usd", "nan"], "invalid budget value"),
    ],
)
def test_a_wrong_call_is_explained(tmp_path: Path, arguments: list[str], reason: str) -> None:
    with OpenAIServer(reply) as server:
        shell = Shell(tmp_path, server)
        (tmp_path / "smoldesk-data").mkdir()
        (tmp_path / "smoldesk-data" / "agents.toml").write_text(
            '[agents.shell]\nkind = "terminal"\nprofile = "claude"\n'
        )
        code, _, err = shell.exam(*arguments[1:], model=arguments[0])
    assert code == 2 and reason in err, err


def test_a_named_model_files_and_earlier_messages(tmp_path: Path) -> None:
    def follow_up(received: Seen) -> Reply:
        text = json.dumps(received.body["messages"])
        if "And the last?" not in text:
            return Says("<code>rows = open('s.csv').read().split()\nfinal_answer('read')</code>")
        return Says("<code>final_answer(int(rows[-1]))</code>")

    with OpenAIServer(follow_up) as server:
        shell = Shell(tmp_path, server)
        (tmp_path / "s.csv").write_text("a\n1\n7\n")
        line = {"id": "q", "language": "en", "question": "And the last?", "expect": {"number": 7}}
        line |= {"files": ["s.csv"], "setup": ["Read the file."]}
        (tmp_path / "my.jsonl").write_text(json.dumps(line))
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "agents.toml").write_text(
            f'[models.big]\nmodel = "openai:big-1"\nbase_url = "{server.base_url}"\n'
        )
        code, out, err = shell.exam(*MY, "--data-dir", "data", model="big")
        assert code == 0, err
        assert "1/1 right" in out and server.requests[-1].body["model"] == "big-1"
        assert server.requests[-1].key == "none"


def test_a_model_of_a_server_is_named_by_both(tmp_path: Path) -> None:
    with OpenAIServer(reply) as server:
        shell = Shell(tmp_path, server)
        shell.env["SMOLDESK_MODEL_SERVERS"] = json.dumps({"near": server.base_url})
        code, out, err = shell.exam(*MY, model="near/llama3.2:3b")
        assert code == 0, err
        assert "near/llama3.2:3b with the agent code" in out
        assert server.requests[-1].body["model"] == "llama3.2:3b"
    assert len(shell.results("exam-near-llama3.2-3b.jsonl")) == 3


@pytest.mark.slow  # 30 questions
def test_the_built_in_analyst_takes_the_bundled_exam(tmp_path: Path) -> None:
    with OpenAIServer(reply) as server:
        code, out, err = Shell(tmp_path, server).exam(model="builtin")
        assert code == 0, err
        assert server.requests == []
    results = Shell(tmp_path, server).results("exam-builtin.jsonl")
    assert len(results) == 30 and {result["verdict"] for result in results} >= {"right", "unanswered"}
    assert "0.0000" in out
    assert " INFO " not in err, "no log line stands between the questions"
