"""`smoldesk agents list | add | check`, and how a desk starts with a list, as a person types them, isolated or not."""

import json
from pathlib import Path

import pytest

from smoldesk.agents import AgentEntry, AgentList, load_agents
from smoldesk.agents.entries import BUILT_IN
from smoldesk.cli import main as cli
from smoldesk.desk import check_isolation
from smoldesk.errors import BadInput, Refused
from smoldesk.messages import Isolation
from tests.support.aio import aside
from tests.support.desk_server import settings_for
from tests.support.peer_server import peer_server

BROKEN = '[agents.a]\nkind = "poet"\n[agents.b]\nkind = "code"\ntools = ["no_such", "show_map"]\n'

pytestmark = pytest.mark.usefixtures("logged_as_before")


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("SMOLDESK_AGENT", "SMOLDESK_MODEL", "SMOLDESK_DATA_DIR", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def agents(*arguments: str) -> int:
    return cli.main(["agents", *arguments])


def write(text: str) -> None:
    Path("smoldesk-data").mkdir()
    Path("smoldesk-data/agents.toml").write_text(text)


def test_the_list_names_every_agent_and_marks_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        'default = "b"\n[agents.b]\nkind = "code"\ntools = ["show_map"]\n[agents.demo.env]\nKEY = "hidden"\n'
    )
    assert agents("list") == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()] == [
        "code",
        "tools",
        "demo",
        "small",
        "demo-tools",
        "*",
    ]
    assert "* b " in out and "show_map" in out
    assert "hidden" not in out
    assert agents("list", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["default"] == "b"
    assert report["agents"][-1] == {
        "name": "b",
        "kind": "code",
        "description": "",
        "model": "builtin",
        "tools": ["show_map"],
    }


def test_the_settings_name_the_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLDESK_AGENT", "demo")
    assert agents("list") == 0
    assert "* demo" in capsys.readouterr().out


def test_an_agent_is_added_listed_and_found_to_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        agents("add", "plotter", "--tools", "load_dataset, show_map", "--description", "Draws.", "--default")
        == 0
    )
    assert agents("add", "second-demo", "--profile", "demo") == 0
    assert agents("add", "by-schema", "--structured") == 0
    capsys.readouterr()
    assert agents("list") == 0
    out = capsys.readouterr().out
    assert "* plotter" in out and "second-demo  terminal  demo" in out
    assert "by-schema    code      builtin; structured" in out
    assert agents("check") == 0
    assert [line.partition(" (")[0] for line in capsys.readouterr().out.splitlines()] == [
        f"ok    {name}"
        for name in ("code", "tools", "demo", "small", "demo-tools", "plotter", "second-demo", "by-schema")
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["Bad"], "a-z"),
        (["code"], "already"),
        (["x", "--profile", "poet"], "no profile 'poet'"),
        (["x", "--kind", "terminal"], "profile"),
        (["x", "--kind", "tools", "--structured"], "structured"),
        (["x", "--model", "somebody"], "openai:NAME"),
        (["x", "--tools", "show_map,no_such"], "no tool 'no_such'"),
        (["x", "--kind", "code", "--tools", "python_interpreter"], "no tool 'python_interpreter'"),
    ],
)
def test_what_cannot_work_is_not_added(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert agents("add", *arguments) == 2
    assert expected in capsys.readouterr().err
    assert not Path("smoldesk-data/agents.toml").exists()


def test_check_tells_all_mistakes_and_all_agents_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        BROKEN
        + '[agents.c]\nkind = "terminal"\nprofile = "p.yaml"\n[agents.d]\nkind = "code"\nmodel = "openai:x"\n'
    )
    Path("smoldesk-data/p.yaml").write_text("command: no-such-program-here\n")
    assert agents("check") == 1
    lines = capsys.readouterr().out.splitlines()
    failed = [line.removeprefix("FAIL  ") for line in lines if line.startswith("FAIL")]
    assert [line.partition(":")[0] for line in failed] == [
        "agents.toml, agent 'a', key 'kind'",
        "b",
        "c",
        "d",
    ]
    assert "no tool 'no_such'" in failed[1]
    assert "no-such-program-here" in failed[2]
    assert "SMOLDESK_OPENAI_API_KEY" in failed[3]
    assert "ok    code" in lines


def test_check_says_which_structured_agents_have_a_model_that_takes_no_schema(
    capsys: pytest.CaptureFixture[str],
) -> None:
    structured = 'kind = "code"\nstructured = true\n'
    models = "".join(
        f'[models.{name}]\nmodel = "openai:x"\nbase_url = "http://127.0.0.1:9/v1"\nstructured = {takes}\n'
        for name, takes in (("yes", "true"), ("no", "false"))
    )
    write(
        f"{models}[agents.own]\n{structured}"
        + "".join(f'[agents.{name}]\n{structured}model = "{name}"\n' for name in ("yes", "no"))
        + '[agents.tags]\nkind = "code"\nmodel = "no"\n'
    )
    assert agents("check") == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[1]: "does not support response schemas" in line for line in lines} == (
        dict.fromkeys(["code", "tools", "demo", "demo-tools", "yes", "tags"], False)
        | dict.fromkeys(["small", "own", "no"], True)
    )
    assert "its model 'builtin' does not" in next(line for line in lines if " own " in line)


def test_a_program_without_the_right_to_run_cannot_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    write('[agents.c]\nkind = "terminal"\nprofile = "p.yaml"\n')
    Path("smoldesk-data/p.yaml").write_text(f"command: {program}\n")
    assert agents("check") == 1
    program.chmod(0o755)
    assert agents("check") == 0
    assert "is not executable" in capsys.readouterr().out


def test_a_desk_does_not_start_with_a_broken_list(capsys: pytest.CaptureFixture[str]) -> None:
    write('default = "x"\n' + BROKEN)
    for arguments in (["serve", "--port", "0"], ["run", "hello"]):
        assert cli.main(arguments) == 2
        errors = capsys.readouterr().err
        assert errors.startswith("smoldesk: The list of agents has mistakes:")
        assert "agents.toml, agent 'a', key 'kind'" in errors
        assert "agents.toml, key 'default'" in errors


def test_a_desk_does_not_start_with_an_agent_that_is_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    write('[agents.mine]\nkind = "code"\n')
    assert cli.main(["serve", "--port", "0", "--agent", "poet"]) == 2
    errors = capsys.readouterr().err
    assert "SMOLDESK_AGENT" in errors and "code, tools, demo, small, demo-tools, mine" in errors


def test_agents_elsewhere_are_listed_and_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    with peer_server(bindings=("HTTP+JSON",)) as helper:
        write(helper.toml() + '[peers.gone]\ncard = "http://127.0.0.1:9/card.json"\n')
        assert agents("list") == 0
        assert f"  helper       remote    {helper.card}  Helps." in capsys.readouterr().out
        assert agents("list", "--json") == 0
        report = json.loads(capsys.readouterr().out)["peers"]
        assert report[0] == {"name": "helper", "card": helper.card, "description": "Helps."}
        assert aside(lambda: agents("check")) == 1
        out = capsys.readouterr().out
    assert "ok    helper, remote: 'The helper' by HTTP+JSON, streams" in out
    assert "FAIL  gone, remote: It cannot be reached" in out
    assert helper.seen.messages == [], "nothing is asked of it"


def test_a_mistake_of_one_elsewhere_is_none_of_an_agent_of_that_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("[peers.code]\ncard = 3\n")
    assert aside(lambda: agents("check")) == 1
    out = capsys.readouterr().out
    assert "FAIL  agents.toml, peer 'code', key 'card'" in out
    assert "ok    code\n" in out
    with pytest.raises(BadInput, match="peer 'code'"):
        load_agents(Path("smoldesk-data"))


OPEN = Isolation(isolated=False, label="not isolated")
JAILED = Isolation(isolated=True, label="isolated")


def agent_list(model: str | None) -> AgentList:
    return AgentList({**BUILT_IN, "x": AgentEntry("x", "code", model=model)})


@pytest.mark.parametrize(
    ("model", "isolation", "allowed", "host", "serves"),
    [
        (None, OPEN, False, "127.0.0.1", True),
        ("builtin", OPEN, False, "127.0.0.1", True),
        ("openai:x", OPEN, False, "127.0.0.1", False),
        ("builtin", OPEN, False, "192.0.2.1", False),
        ("openai:x", OPEN, True, "127.0.0.1", True),
        ("openai:x", JAILED, False, "127.0.0.1", True),
    ],
)
def test_an_agent_with_a_model_of_its_own_counts(
    tmp_path: Path, model: str | None, isolation: Isolation, allowed: bool, host: str, serves: bool
) -> None:
    settings = settings_for(tmp_path, allow_unisolated=allowed, host=host)
    if serves:
        check_isolation(settings, agent_list(model), isolation)  # pyright: ignore[reportArgumentType]
    else:
        with pytest.raises(Refused) as refused:
            check_isolation(settings, agent_list(model), isolation)  # pyright: ignore[reportArgumentType]
        assert refused.value.code == "not_isolated"
