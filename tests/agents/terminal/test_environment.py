"""What a program gets to know, and which file it is."""

from pathlib import Path

import pytest

from smoldesk.agents.terminal.child import environment, executable
from smoldesk.agents.terminal.processes import MARK
from smoldesk.errors import DeskError
from tests.support.terminals import profile

SERVER = {
    "PATH": "/bin",
    "HOME": "/home/x",
    "LC_TIME": "C",
    "TERM": "dumb",
    "SMOLDESK_TOKEN": "t",
    "OPENAI_API_KEY": "k",
    "WANTED": "w",
    "LD_PRELOAD": "x",
}


def test_nothing_of_the_server_is_handed_down_but_what_is_named() -> None:
    made = profile(command="x", env={"OWN": "1"}, env_from=("WANTED", "MISSING"))
    assert environment(made, "m", SERVER) == {
        "PATH": "/bin",
        "HOME": "/home/x",
        "LC_TIME": "C",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "WANTED": "w",
        "OWN": "1",
        MARK: "m",
    }


def test_a_profile_has_the_last_word_but_for_the_mark() -> None:
    found = environment(profile(command="x", env={"TERM": "vt100", MARK: "other"}), "m", SERVER)
    assert (found["TERM"], found[MARK]) == ("vt100", "m")


def test_a_program_is_found_on_its_own_path(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert executable("tool", {"PATH": str(tmp_path)}, Path("/")) == str(tool)
    assert executable(str(tool), {}, Path("/")) == str(tool)
    assert executable("./tool", {}, tmp_path) == str(tool)


@pytest.mark.parametrize("command", ["no-such-program", "/no/such/program"])
def test_a_missing_one_is_named(command: str) -> None:
    with pytest.raises(DeskError, match=command) as fault:
        executable(command, {"PATH": "/bin"}, Path("/"))
    assert fault.value.code == "program_missing"


@pytest.mark.parametrize("command", ["tool", "./tool"])
def test_one_that_may_not_be_executed_is_told_apart(tmp_path: Path, command: str) -> None:
    (tmp_path / "tool").write_text("text")
    with pytest.raises(DeskError, match="may not be executed") as fault:
        executable(command, {"PATH": str(tmp_path)}, tmp_path)
    assert fault.value.code == "program_failed"
