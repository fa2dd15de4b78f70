"""Agents written into agents.toml: beside what is there, whole or not at all."""

import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from smoldesk.agents.add_entry import add_agent
from smoldesk.agents.entries import BUILT_IN
from smoldesk.agents.read_entries import load_agents
from smoldesk.errors import BadInput, Conflict

COMMENTED = """# our agents
[agents.reader]   # reads
kind = "code"
tools = [ "show_map" ] # only this

[agents.reader2]
kind = "tools"
"""


def test_the_first_agent_makes_the_file_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    path = add_agent(folder, "helper", {"kind": "terminal", "profile": "demo", "description": '案内 "x"'})
    assert tomllib.loads(path.read_text()) == {
        "agents": {"helper": {"kind": "terminal", "profile": "demo", "description": '案内 "x"'}}
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in folder.iterdir()] == ["agents.toml"]


@pytest.mark.parametrize("default", [False, True])
def test_what_people_wrote_stays(tmp_path: Path, default: bool) -> None:
    path = tmp_path / "agents.toml"
    path.write_text(COMMENTED)
    path.chmod(0o640)
    add_agent(tmp_path, "third", {"kind": "code", "tools": ["sql_engine"]}, default)
    text = path.read_text()
    assert COMMENTED.strip() in text
    agents = load_agents(tmp_path)
    assert list(agents.entries)[len(BUILT_IN) :] == ["reader", "reader2", "third"]
    assert agents.get("third").tools == ("sql_engine",)
    assert agents.default == ("third" if default else "code")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_default_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text('default = "demo" # for now\n')
    add_agent(tmp_path, "second", {"kind": "code"}, default=True)
    add_agent(tmp_path, "third", {"kind": "code"})
    assert load_agents(tmp_path).default == "second"
    assert "# for now" in (tmp_path / "agents.toml").read_text()


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("Bad", {"kind": "code"}, "a-z"),
        ("", {"kind": "code"}, "a-z"),
        ("x]\n[agents.y", {"kind": "code"}, "a-z"),
        ("x", {"kind": "code", "model": "somebody"}, "openai:NAME"),
        ("x", {"kind": "terminal", "profile": "poet"}, "no profile 'poet'"),
        ("x", {"kind": "terminal"}, "profile"),
        ("x", {"kind": "terminal", "profile": "demo", "tools": ["a"]}, "no such key"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(
    tmp_path: Path, name: str, values: dict[str, Any], expected: str
) -> None:
    with pytest.raises(BadInput, match=expected):
        add_agent(tmp_path, name, values)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["code", "demo", "mine"])
def test_a_name_that_is_taken_is_refused(tmp_path: Path, name: str) -> None:
    add_agent(tmp_path, "mine", {"kind": "code"})
    before = (tmp_path / "agents.toml").read_text()
    with pytest.raises(Conflict, match="already") as refused:
        add_agent(tmp_path, name, {"kind": "code"})
    assert refused.value.code == "agent_exists"
    assert (tmp_path / "agents.toml").read_text() == before


def test_a_file_with_mistakes_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text("[agents.b]\n")
    with pytest.raises(BadInput, match="'b', key 'kind'"):
        add_agent(tmp_path, "x", {"kind": "code"})
    assert (tmp_path / "agents.toml").read_text() == "[agents.b]\n"
