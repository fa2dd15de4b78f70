"""The model as smolagents sees it: messages in, prose and code or tool calls out."""

import ast
import json
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from smolagents import CodeAgent, Tool, ToolCallingAgent
from smolagents.local_python_executor import CodeOutput, PythonExecutor
from smolagents.models import ChatMessage, MessageRole, agglomerate_stream_deltas

from smoldesk.analyst.catalogue import Catalogue, TableInfo
from smoldesk.analyst.cell import inside, literal
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.model import BuiltinModel
from smoldesk.analyst.query import Condition
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.talk import UserTurn
from tests.analyst.desk import Desk, messages


class PlainExecutor(PythonExecutor):
    """smolagents' executor interface over exec; `final_answer` ends the cell."""

    def __init__(self, fails: str = "") -> None:
        self.tools: dict[str, Any] = {}
        self.fails = fails
        self.runs = 0

    def send_tools(self, tools: dict[str, Any]) -> None:
        self.tools = tools

    def send_variables(self, variables: dict[str, Any]) -> None:
        pass

    def __call__(self, code_action: str) -> CodeOutput:
        self.runs += 1
        if self.fails and self.runs == 1:
            raise RuntimeError(self.fails)
        answers: list[str] = []

        class Done(BaseException):
            pass

        def final_answer(answer: str) -> None:
            answers.append(answer)
            raise Done

        try:
            exec(code_action, {**self.tools, "final_answer": final_answer})
        except Done:
            return CodeOutput(output=answers[0], logs="", is_final_answer=True)
        return CodeOutput(output=None, logs="", is_final_answer=False)


class Recorder(Tool):
    """A map tool that remembers its calls."""

    skip_forward_signature_validation = True
    output_type = "string"
    description = "Draws."

    def __init__(self, name: str, *arguments: str) -> None:
        self.name = name
        self.inputs = {
            argument: {"type": "string", "description": argument, "nullable": True} for argument in arguments
        }
        self.requests: list[dict[str, Any]] = []
        super().__init__()

    def forward(self, **arguments: Any) -> str:
        self.requests.append(arguments)
        return "done"


def map_tools() -> dict[str, Recorder]:
    tools = [
        Recorder("draw_arrow", "room_name", "direction"),
        Recorder(
            "show_map", "floor_id", "highlight_rooms", "room_colors", "bitmap_overlays", "text_overlays"
        ),
        Recorder("clear_map"),
    ]
    return {tool.name: tool for tool in tools}


def test_a_code_agent_answers_in_one_step(desk: Desk) -> None:
    tools = map_tools()
    agent = CodeAgent(list(tools.values()), desk.model, executor=PlainExecutor(), verbosity_level=-1)
    answer = str(agent.run("Kitchenに左矢印を表示して"))
    assert "Kitchen" in answer
    assert tools["draw_arrow"].requests == [{"room_name": "Kitchen", "direction": "left"}]
    assert len(agent.memory.steps) == 2


def test_whole_figures_are_said_without_decimals(tmp_path: Path) -> None:
    desk = Desk(
        tmp_path,
        sold=pd.DataFrame({"shop": ["a", "a", "b"], "units": [12_000, 345, 7], "price": [1.5, 2.25, 3]}),
    )
    assert "a (12,345)" in desk.ask("total units by shop").answer
    assert "b (3.00)" in desk.ask("average price by shop").answer  # as 1.88 has in the same list
    assert "6.75" in desk.ask("total price in sold").answer
    desk = Desk(tmp_path, drinks=pd.DataFrame({"alcohol": [13.0, 13.0012]}))
    assert "13.00." in desk.ask("average alcohol").answer  # not 13, which it is not


def test_failing_code_is_owned_up_to_and_not_tried_again(desk: Desk) -> None:
    executor = PlainExecutor(fails="KeyError: no such thing")
    agent = CodeAgent(list(map_tools().values()), desk.model, executor=executor, verbosity_level=-1)
    answer = str(agent.run("Highlight Kitchen in red"))
    assert "failed" in answer and "KeyError" not in answer and "retry" not in answer
    assert executor.runs == 2


def test_follow_ups_work_through_an_agents_memory(desk: Desk) -> None:
    tools = map_tools()
    agent = CodeAgent(list(tools.values()), desk.model, executor=PlainExecutor(), verbosity_level=-1)
    agent.run("Highlight Room1 in red")
    agent.run("now in blue", reset=False)
    assert tools["show_map"].requests[1]["room_colors"] == "#0066FF"


def test_a_tool_calling_agent_draws_and_then_answers(desk: Desk) -> None:
    tools = map_tools()
    agent = ToolCallingAgent(list(tools.values()), desk.model, verbosity_level=-1)
    answer = str(agent.run("Show an up arrow in Room1 with the text 'Exit'"))
    assert tools["show_map"].requests == [
        {"floor_id": "1F", "bitmap_overlays": "arrow_up:Room1", "text_overlays": "Exit:Room1"}
    ]
    assert "Room1" in answer


@pytest.mark.parametrize("observed", ["Error: no such point", "show_map: Error: no such point"])
def test_a_tools_error_is_told_with_or_without_the_tools_name(desk: Desk, observed: str) -> None:
    reports = [
        *messages("put the text 'Hi' at 9999,9999"),
        ChatMessage(MessageRole.TOOL_RESPONSE, f"Observation:\n{observed}"),
    ]
    (call,) = desk.model.generate(reports, tools_to_call_from=list(map_tools().values())).tool_calls or []
    arguments = cast("dict[str, str]", call.function.arguments)
    assert call.function.name == "final_answer" and "no such point" in arguments["answer"]


def test_a_tool_calling_agent_says_that_data_needs_the_code_agent(desk: Desk) -> None:
    agent = ToolCallingAgent(list(map_tools().values()), desk.model, verbosity_level=-1)
    assert "code agent" in str(agent.run("average temperature per room"))
    assert "salary" in str(agent.run("average salary per room"))


def test_a_stream_is_the_same_reply_in_pieces_with_its_tokens_once(desk: Desk) -> None:
    report = messages("average temperature per room")
    complete = desk.model.generate(report)
    deltas = list(desk.model.generate_stream(report))
    joined = agglomerate_stream_deltas(deltas)
    assert joined.content == complete.content
    assert joined.token_usage == complete.token_usage
    assert sum(delta.token_usage is not None for delta in deltas) == 1
    assert len(deltas) > 20


def test_streamed_tool_calls_carry_their_arguments(desk: Desk) -> None:
    tools = list(map_tools().values())
    joined = agglomerate_stream_deltas(
        list(desk.model.generate_stream(messages("Kitchenに左矢印を表示して"), tools_to_call_from=tools))
    )
    (call,) = joined.tool_calls or []
    assert call.function.name == "draw_arrow"
    assert json.loads(str(call.function.arguments)) == {"room_name": "Kitchen", "direction": "left"}


def test_structured_output_is_json_with_thought_and_code(desk: Desk) -> None:
    reply = desk.model.generate(
        messages("plot a sine wave"), response_format=cast(Any, {"type": "json_schema"})
    )
    content = json.loads(str(reply.content))
    assert set(content) == {"thought", "code"}
    ast.parse(content["code"])


def test_string_contents_and_missing_task_marks_are_understood(desk: Desk) -> None:
    reply = desk.model.generate([ChatMessage(MessageRole.USER, "average temperature per room")])
    assert 'groupby("roomname")' in str(reply.content)


def test_no_tables_is_said() -> None:
    model = BuiltinModel(Catalogue([], {}, {}, [], ""))
    for request in ("average age", "what datasets are there", "hello", "show the map", ""):
        ast.parse(code_of(str(model.generate(messages(request)).content)))
    assert "Upload" in str(model.generate(messages("average age by class")).content)


def test_a_load_statement_is_used_as_it_stands(desk: Desk) -> None:
    table = desk.catalogue.tables[0]
    load = "import pandas as pd\npeople = pd.read_csv('people.csv')"
    model = BuiltinModel(Catalogue([TableInfo("people", table.columns, 5, load)], {}, {}, [], ""))
    code = code_of(str(model.generate(messages("average age by class")).content))
    assert code.count("import pandas") == 1 and 'data.groupby("class")["age"].mean()' in code


def code_of(reply: str) -> str:
    start, end = reply.index("<code>\n") + 7, reply.rindex("\n</code>")
    assert reply.count("<code>") == reply.count("</code>") == 1
    return reply[start:end]


WORDS = st.sampled_from(
    [" ".join(phrase) for phrase in sorted(lexicon().meanings)]
    + ["age", "class", "Temperature", "roomname", "date", "women", "Kitchen", "Room1", "1F", "B1", "titanic"]
    + [
        "measurement",
        "survived",
        "5",
        "20",
        "red",
        "person",
        "'x'",
        "(1, 2)",
        "の",
        "は",
        "年齢",
        "温度",
        "部屋",
        "生存",
    ]
)


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(WORDS, max_size=9).map(" ".join),
        st.lists(WORDS, max_size=9).map("".join),
    )
)
def test_any_text_gives_code_that_compiles(text: str) -> None:
    reply = str(FUZZED.generate(messages("average temperature per room", text)).content)
    compile(code_of(reply), "<cell>", "exec")


FUZZED_DESK = Desk()
FUZZED = FUZZED_DESK.model


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_a_literal_reads_back_and_holds_no_code_tag(text: str) -> None:
    for nasty in (text, text + "</code>" + text, '"""\\' + text):
        written = literal(nasty)
        assert ast.literal_eval(written) == nasty
        assert "</code>" not in written and len(written.splitlines()) == 1


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_text_in_an_fstring_comes_out_as_it_went_in(text: str) -> None:
    body = f"{inside(text)}{{number:.1f}}{inside(text)}"
    assert eval(f'f"{body}"', {"number": 2.25}) == f"{text}2.2{text}"


@pytest.mark.parametrize(
    "request_",
    [
        """put the text "</code>" in Room1""",
        'put the text "x\'); import os" in Room1',
        "put the text '{room}' in Room1",
    ],
)
def test_text_of_a_request_stays_text(desk: Desk, request_: str) -> None:
    received = desk.ask(request_)
    assert received.tool("show_map")["text_overlays"].endswith(":Room1")


KNOWN_WORDS = """
age class sex fare women alone room Kitchen date titanic passengers by per average plot median save 5 20
over highest top correlation histogram scatter share missing daily survived
部屋ごと 平均 温度 生存率 保存
"""
PHRASES = [
    "how many",
    "by class",
    "per room",
    "per day",
    "first class",
    "older than 30",
    "over time",
    "box plot",
]
KNOWN = st.sampled_from([*KNOWN_WORDS.split(), *PHRASES])


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(st.lists(KNOWN, min_size=1, max_size=6).map(" ".join), st.booleans())
@example("average class first class", False)
@example("class histogram", False)
@example("age average age 部屋ごと", False)
def test_whatever_known_words_are_combined_the_code_runs_to_an_answer(text: str, follows: bool) -> None:
    turns = ["survival rate by class", text] if follows else [text]
    assert FUZZED_DESK.ask(*turns).answer


def test_what_cannot_be_saved_is_said(desk: Desk) -> None:
    received = desk.ask("save the correlation of age and fare as csv")
    assert not received.saved and "did not see what to do" in received.answer


SITES = pd.DataFrame({"site": list("abcab"), "faults": [0, 1, 2, 3, 1], "対策": list("○××○×")})


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("how many sites had at least one fault", Condition("faults", ">=", (1.0,))),
        ("rows where faults is 1 or lower", Condition("faults", "<=", (1.0,))),
        ("対策が×の件数は？", Condition("対策", "==", ("×",))),
        ("対策が○の件数は？", Condition("対策", "==", ("○",))),
    ],
)
def test_a_number_in_words_and_a_mark_as_a_cell_are_conditions(
    tmp_path: Path, request_: str, expected: Condition
) -> None:
    best = read_talk([UserTurn(request_)], Desk(tmp_path, sites=SITES).catalogue).candidates[0].query
    assert best.where == ((expected,),)
