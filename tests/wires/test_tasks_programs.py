"""Interactive programs as tasks, over real HTTP: their questions are asked and answered, and their end is the task's."""

import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from smoldesk.agents.terminal.foreground import CALLS
from tests.support.asking_programs import write_agents
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.task_client import ENDS, TaskClient

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux" or not CALLS, reason="only Linux tells that a program waits"),
]

Asked = tuple[str, str]


def needs(*names: str) -> pytest.MarkDecorator:
    missing = [name for name in names if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not on this machine: {', '.join(missing)}")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """Profiles as a newcomer writes them: a command and nothing else."""
    folder = tmp_path_factory.mktemp("desk")
    write_agents(folder)
    with live_desk(folder) as live:
        yield live


def shown_by(artifact: dict[str, Any]) -> str:
    part = artifact["parts"][0]
    return str(part.get("text", part.get("data")))


class Talk:
    """A chat with one program: messages, the questions that follow, the answers."""

    def __init__(self, client: TaskClient, agent: str) -> None:
        self._client = client
        self._place: dict[str, Any] = {"agent": agent}

    def say(self, message: str, *answers: str) -> tuple[list[Asked], str]:
        """Return what was asked and what the completed task shows."""
        task = self._client.send(message, **self._place)
        self._place["contextId"] = task["contextId"]
        asked: list[Asked] = []
        for answer in answers:
            task = self._until_next(task["id"], len(asked) + 1)
            assert task["status"]["state"] == "input_required", (asked, task)
            question = task["status"]["message"]
            asked.append((question["type"], question["prompt"].splitlines()[-1].strip()))
            assert self._client.give(task["id"], answer).status_code == 200
        task = self._until_next(task["id"], len(asked) + 1)
        assert task["status"]["state"] == "completed", (asked, task)
        return asked, "\n".join(map(shown_by, task["artifacts"]))

    def _until_next(self, task_id: str, number: int) -> dict[str, Any]:
        """Return the task when it asks for the n-th time, or has ended."""
        questions = 0
        with self._client.stream("GET", f"/tasks/{task_id}/subscribe") as events:
            for event in events:
                state = event.json["state"] if event.event == "status" else ""
                questions += state == "input_required"
                if questions == number or state in ENDS:
                    break
        return self._client.get(task_id)


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[TaskClient]:
    with TaskClient(desk.url) as opened:
        yield opened


def test_an_input_field_gets_the_answer_in_place_of_its_default(client: TaskClient) -> None:
    asked, shown = Talk(client, "fields").say("make it", "app1", "slug1")
    assert asked == [("text", "? What is the project called?"), ("text", "? Slug")]
    assert "RESULT app1 slug1" in shown
    assert "RESULT demo slug1" in Talk(client, "fields").say("make it", "", "slug1")[1]


def test_a_key_that_is_enough_answers_one_question(client: TaskClient) -> None:
    asked, shown = Talk(client, "keys").say("go", "y", "y")
    assert [prompt for _, prompt in asked] == ["Create it? (y/N)", "Overwrite it? (y/N)"]
    assert "RESULT y y" in shown


def test_a_choice_of_a_full_screen_menu_is_chosen(client: TaskClient) -> None:
    asked, shown = Talk(client, "menu").say("go", "Rust")
    assert asked == [("selection", "Rust")] and "RESULT Rust" in shown


@needs("npm")
def test_npm_init_asks_all_and_is_completed(client: TaskClient) -> None:
    answers = ["mypkg", "", "What it does", "", "", "", "", "", "", "", "yes"]
    asked, shown = Talk(client, "npm").say("make it", *answers)
    assert asked[-1] == ("confirmation", "Is this OK? (yes)") and "mypkg" in shown


@pytest.mark.parametrize(
    ("agent", "messages", "result"),
    [
        pytest.param("sqlite", ["create table t (a);", "select 1,", "2;"], "1|2", marks=needs("sqlite3")),
        pytest.param("bc", ["x = 5", "x * 2"], "10", marks=needs("bc")),
        ("python", ["x = 5", "breakpoint()", "p x * 2"], "10"),
        ("ipython", ["x = 5", "x * 2"], "Out[2]: 10"),
    ],
)
def test_an_interpreter_is_ready_after_each_message(
    client: TaskClient, agent: str, messages: list[str], result: str
) -> None:
    talk = Talk(client, agent)
    shown = [talk.say(message) for message in messages]
    assert all(asked == [] for asked, _ in shown)
    assert result in shown[-1][1]


@needs("git", "vi")
def test_git_rebase_opens_an_editor_whose_commands_are_the_answers(client: TaskClient) -> None:
    talk = Talk(client, "shell")
    commits = "; ".join(f"echo {name} > {name}; git add {name}; git commit -qm {name}" for name in "abc")
    talk.say(f"git init -q .; git config user.email a@example.org; git config user.name a; {commits}")
    asked, _ = talk.say("EDITOR=vi git rebase -i HEAD~2", ":%s/^pick \\(.* c\\)$/drop \\1/", ":wq")
    assert [kind for kind, _ in asked] == ["text", "text"]
    assert talk.say("git log --format=%s")[1].split() == ["b", "a"]


@needs("git")
def test_git_add_asks_for_each_piece(client: TaskClient) -> None:
    talk = Talk(client, "shell")
    talk.say("git init -q .; git config user.email a@example.org; git config user.name a")
    talk.say("echo 1 > f; git add f; git commit -qm a; echo 2 >> f")
    [(kind, _)], _ = talk.say("git add -p", "y")
    assert kind == "selection" and "1 file changed" in talk.say("git diff --cached --stat")[1]


def test_a_program_that_reads_without_a_prompt_requires_input(client: TaskClient) -> None:
    asked, shown = Talk(client, "shell").say("echo before; read x; echo got $x", "it")
    assert asked == [("text", "before")] and shown.endswith("got it")
