"""SandboxExecutor in smolagents itself: a real CodeAgent, a scripted model, nothing else of the desk."""

import time
from pathlib import Path

import pytest
from smolagents import CodeAgent, Tool
from smolagents.local_python_executor import LocalPythonExecutor
from smolagents.models import ChatMessage, MessageRole, Model
from smolagents.monitoring import LogLevel

from smoldesk import SandboxExecutor


class Script(Model):
    """Answers with one cell after the other; remembers what it was shown."""

    def __init__(self, *cells):
        super().__init__(model_id="script")
        self.cells = list(cells)
        self.seen = []

    def generate(self, messages, stop_sequences=None, **_kwargs):  # pyright: ignore[reportIncompatibleMethodOverride]
        self.seen.append(str([message.content for message in messages]))
        text = f"Thought.\n<code>\n{self.cells.pop(0)}\n</code>"
        return ChatMessage(role=MessageRole.ASSISTANT, content=text)


class Temperature(Tool):
    name = "temperature"
    description = "Temperature of a room in degrees Celsius."
    inputs = {  # noqa: RUF012 - smolagents wants it like this
        "room": {"type": "string", "description": "the room"},
        "day": {"type": "string", "description": "ISO date", "nullable": True},
    }
    output_type = "number"

    def forward(self, room: str, day: str | None = None) -> float:
        if room != "Kitchen":
            raise LookupError(f"no room {room}")
        return 21.5 if day is None else 19.0


@pytest.fixture
def agent_of():
    agents = []

    def make(model, tools=(), **kwargs):
        executor = SandboxExecutor(preload=())
        agents.append(
            CodeAgent(
                tools=list(tools), model=model, executor=executor, verbosity_level=LogLevel.OFF, **kwargs
            )
        )
        return agents[-1]

    yield make
    for agent in agents:
        agent.cleanup()


def test_an_agent_runs_code_calls_tools_and_answers(agent_of):
    model = Script(
        "t = temperature('Kitchen')\nprint('got', t)", "final_answer(t + temperature('Kitchen', day='x'))"
    )
    agent = agent_of(model, [Temperature()])
    assert agent.run("How warm is the kitchen?") == 40.5
    assert "Execution logs:\\ngot 21.5" in model.seen[1]


def test_the_model_reads_its_error_and_what_was_printed(agent_of):
    model = Script("print('so far')\ntemperature('Attic')", "final_answer('sorry')")
    assert agent_of(model, [Temperature()]).run("How warm is the attic?") == "sorry"
    assert "LookupError: no room Attic" in model.seen[1]
    assert "line 2: temperature('Attic')" in model.seen[1]
    assert "so far" in model.seen[1]


def test_variables_of_a_run_are_there_in_the_next(agent_of):
    agent = agent_of(Script("x = limit * 2\nfinal_answer(x)", "final_answer(x + 1)"))
    assert agent.run("first", additional_args={"limit": 21}) == 42
    assert agent.run("second", reset=False) == 43


def test_a_variable_that_cannot_be_sent_is_named(agent_of):
    with pytest.raises(TypeError, match="variable 'thing': a object cannot be passed"):
        agent_of(Script()).run("go", additional_args={"thing": object()})


def test_a_managed_agent_is_called_like_a_tool(agent_of):
    inner = CodeAgent(
        tools=[],
        model=Script("final_answer('from inside')"),
        name="helper",
        description="Helps.",
        verbosity_level=LogLevel.OFF,
    )
    agent = agent_of(Script("final_answer(helper('please').count('from inside'))"), managed_agents=[inner])
    assert agent.run("ask the helper") == 1


def test_the_first_of_two_answers_counts_for_the_agent_too(agent_of):
    model = Script("try:\n    final_answer('first')\nexcept:\n    pass\nfinal_answer('second')")
    assert agent_of(model).run("go") == "first"


def test_the_temporary_folder_and_the_child_are_gone_after_cleanup():
    executor = SandboxExecutor(preload=())
    folder = Path(executor("import os\nos.getcwd()").output)
    executor("open('x', 'w').write('y')")
    assert folder.exists()
    executor.cleanup()
    executor.cleanup()
    assert not folder.exists()


def test_code_runs_at_the_speed_of_python(agent_of):
    """The interpreter of smolagents is some 100 times slower, so asking for 10 times leaves room."""
    loop = "total = 0\nfor i in range({n}):\n    total += i * i\ntotal"

    def seconds(executor, n):
        executor.send_tools({})
        started = time.perf_counter()
        executor(loop.format(n=n))
        return (time.perf_counter() - started) / n

    ours = SandboxExecutor(preload=())
    ours("1")
    try:
        assert seconds(ours, 400_000) * 10 < seconds(LocalPythonExecutor([]), 20_000)
    finally:
        ours.cleanup()
