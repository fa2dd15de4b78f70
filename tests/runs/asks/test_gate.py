"""What passes the gate of a run: how far an answer reaches, and what needs none."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, cast

import pytest
from pydantic import JsonValue

from smoldesk.agents import DeskAgents
from smoldesk.chats import Policies
from smoldesk.errors import BadInput, NotFound
from smoldesk.events import Ask, AskClosed, PolicySet
from smoldesk.runs.asks import AskRules, gate
from smoldesk.store.asks import Answer
from tests.runs.asks.conftest import Agent, pays, play
from tests.runs.conftest import Bench, BenchRuns
from tests.support.aio import run_async
from tests.support.tools import Noting, Paying

YES = Answer(True)
UNTIL = "User denied the tool call"


class OncePaying(Paying):
    name = "pay_once"
    approval: ClassVar[Literal["never", "once", "always"]] = "once"


class Careful(Paying):
    """Knows beforehand that nobody is paid with a lemon, and that looking costs nothing."""

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        if arguments["word"] == "lemon":
            raise BadInput("Nobody is paid with a lemon.", "Expected bread.")

    def reads_only(self, arguments: Mapping[str, JsonValue]) -> bool:
        return arguments["word"] == "look"


def never_asked(ask: Ask) -> Answer | None:
    raise AssertionError(f"asked about {ask.arguments}")


def test_all_asks_of_a_step_are_open_before_the_first_call_runs(bench: Bench) -> None:
    agent = Agent(
        [[(Paying([]), {"word": "a"}), (Noting([]), {"word": "free"}), (Paying([]), {"word": "b"})]]
    )
    report = play(bench.open(agent), lambda _: YES)
    assert agent.judged == ["0.1 {'word': 'free'}", "0.0 {'word': 'a'}", "0.2 {'word': 'b'}"]
    assert report.kinds() == [
        *("run_queued", "run_started", "ask_opened", "ask_opened"),
        *("run_waiting", "ask_closed", "run_resumed"),
        *("run_waiting", "ask_closed", "run_resumed"),
        "run_finished",
    ]


def test_a_call_runs_when_its_own_ask_closes_whatever_waits_before_it(bench: Bench) -> None:
    agent = Agent([pays("a", "b")])
    order = iter(["b", "a"])
    expected: list[str] = [next(order)]

    def second_first(ask: Ask) -> Answer | None:
        if ask.arguments["word"] != expected[0]:
            return None
        expected[:] = [next(order, "")]
        return YES

    play(bench.open(agent), second_first)
    assert agent.judged == ["0.1 {'word': 'b'}", "0.0 {'word': 'a'}"]


def test_answers_given_at_once_leave_nothing_to_wait_for(bench: Bench) -> None:
    agent = Agent([pays("a", "b", "c")])
    report = play(bench.open(agent), lambda ask: Answer(ask.arguments["word"] != "b"), together=True)
    assert report.kinds().count("run_waiting") == 1
    assert agent.judged == ["0.0 {'word': 'a'}", f"0.1 ToolDenied: {UNTIL}", "0.2 {'word': 'c'}"]


@pytest.mark.parametrize("granted", [True, False])
def test_an_answer_for_the_step_reaches_the_rest_of_it_and_no_further(bench: Bench, granted: bool) -> None:
    agent = Agent([pays("a", "b"), pays("c")])
    requests: list[Any] = []

    def first_for_the_step(ask: Ask) -> Answer:
        requests.append(ask.arguments["word"])
        return Answer(granted, reason="" if granted else "enough", scope="step")

    report = play(bench.open(agent), first_for_the_step)
    assert requests == ["a", "c"]
    closed = [stored.event for stored in report.events if isinstance(stored.event, AskClosed)]
    assert [(end.granted, end.by, end.scope) for end in closed] == [
        (granted, "person", "step"),
        (granted, "policy", "step"),
        (granted, "person", "step"),
    ]
    text = [f"{{'word': '{word}'}}" if granted else f"ToolDenied: {UNTIL}: enough" for word in "abc"]
    assert agent.judged == [f"0.0 {text[0]}", f"0.1 {text[1]}", f"1.0 {text[2]}"]


def test_calls_one_after_the_other_are_let_through_for_the_rest_of_the_step(bench: Bench) -> None:
    """As a loop in code makes them: each is judged alone."""

    def loops(message: str, ctx: Any) -> str:
        for word in "abc":
            judged.extend(str(item.arguments) for item in ctx.gate.passed(calls(word)))
        return "done"

    def calls(word: str) -> list[Any]:
        from smoldesk.tools.gate import PendingCall

        return [PendingCall(f"call-{word}", Paying([]), {"word": word}, line=4, source="pay(word)")]

    judged: list[str] = []
    report = play(bench.open(loops), lambda _: Answer(True, scope="step"))
    assert judged == ["{'word': 'a'}", "{'word': 'b'}", "{'word': 'c'}"]
    assert report.kinds().count("ask_opened") == 1
    assert [
        (record.answer and record.answer.by, record.ask.calls_from_line) for record in report.records()
    ] == [
        ("person", 1),
        ("policy", 2),
        ("policy", 3),
    ]


def policies_of(runs: BenchRuns) -> Policies:
    return Policies(runs.store, cast("DeskAgents", runs.agents))


def test_what_a_chat_allows_is_an_event_and_can_be_taken_back(bench: Bench) -> None:
    agent = Agent([pays("a")])
    runs = bench.open(agent)
    report = play(runs, lambda _: Answer(True, scope="chat"))
    matching_events = [stored for stored in report.events if isinstance(stored.event, PolicySet)]
    assert [(stored.event, stored.run_id) for stored in matching_events] == [
        (PolicySet(tool="pay", policy="allow"), None)
    ]

    again = play(runs, never_asked, report.chat_id)
    assert "ask_opened" not in again.kinds()
    assert [record.answer for record in again.records()[1:]] == [Answer(True, scope="chat", by="policy")]

    run_async(policies_of(runs).set(report.chat_id, "pay", "ask"))
    run_async(policies_of(runs).set(report.chat_id, "pay", "ask"))  # said already: no second event
    last = play(runs, lambda _: YES, report.chat_id)
    assert "ask_opened" in last.kinds()
    kinds = [stored.event.type for stored in runs.store.events(report.chat_id)]
    assert kinds.count("policy_set") == 2


def test_what_one_chat_allows_another_does_not(bench: Bench) -> None:
    runs = bench.open(Agent([pays("a")]))
    play(runs, lambda _: Answer(True, scope="chat"))
    assert play(runs, lambda _: YES).kinds().count("ask_opened") == 1


def test_only_a_tool_that_asks_can_be_allowed_and_only_in_a_chat_that_is(bench: Bench) -> None:
    runs = bench.open(Agent([]))
    chat_id = play(runs, never_asked).chat_id
    with pytest.raises(NotFound, match="Tools that ask: pay"):
        run_async(policies_of(runs).set(chat_id, "dance", "allow"))
    with pytest.raises(NotFound):
        run_async(policies_of(runs).set("c_none", "pay", "allow"))


def test_a_tool_that_asks_once_asks_once_a_run(bench: Bench) -> None:
    tool = OncePaying([])
    agent = Agent([pays("a", "b", tool=tool), pays("c", tool=tool)])
    runs = bench.open(agent)
    report = play(runs, lambda _: YES)
    assert report.kinds().count("run_waiting") == 1
    assert len(agent.judged) == 3
    assert play(runs, lambda _: YES, report.chat_id).kinds().count("run_waiting") == 1


def test_a_denied_tool_that_asks_once_asks_again(bench: Bench) -> None:
    tool = OncePaying([])
    agent = Agent([pays("a", tool=tool), pays("b", tool=tool)])
    report = play(bench.open(agent), lambda ask: Answer(ask.arguments["word"] == "b"))
    assert agent.judged == [f"0.0 ToolDenied: {UNTIL}", "1.0 {'word': 'b'}"]
    assert report.kinds().count("run_waiting") == 2


def test_nobody_is_asked_about_what_cannot_work_or_only_reads(bench: Bench) -> None:
    agent = Agent([pays("lemon", "look", tool=Careful([]))])
    report = play(bench.open(agent), never_asked)
    assert "ask_opened" not in report.kinds()
    assert agent.judged[0].startswith("0.0 BadInput: Nobody is paid with a lemon.")
    assert agent.judged[1] == "0.1 {'word': 'look'}"


def test_edited_arguments_are_checked_as_well(bench: Bench) -> None:
    agent = Agent([pays("bread", tool=Careful([]))])
    with pytest.raises(BadInput, match=r"Nobody is paid with a lemon\..*The call of pay still waits"):
        play(bench.open(agent), lambda _: Answer(True, {"word": "lemon"}))
    assert agent.judged == []


class Anything(Paying):
    """Pays for whatever it is given."""

    inputs: ClassVar = {"word": {"type": "any", "description": "anything"}}

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        if arguments["word"] == "crash":
            raise KeyError("a bug in a check")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("x" * 5_000_000, "BadInput: The arguments have 5,000,012 characters"),
        (["x" * 40_000, "y" * 40_000], "Expected at most 65,536"),
        (float("nan"), "are not valid JSON"),
        ("\ud83d", "half a character"),
        ({"accounts": [1, -(2**53)]}, "too large to be shown"),
        ("crash", "KeyError: 'a bug in a check'"),
    ],
    ids=["5 MB", "80 kB", "not a number", "half a character", "rounded by browsers", "a bug"],
)
def test_nobody_is_asked_about_what_no_card_can_show(bench: Bench, word: JsonValue, message: str) -> None:
    agent = Agent([[(Anything([]), {"word": word})], pays("bread")])
    report = play(bench.open(agent), lambda _: YES)
    assert message in agent.judged[0]
    assert agent.judged[1:] == ["1.0 {'word': 'bread'}"], "and the run went on"
    assert [ask.arguments for ask in report.asks()] == [{"word": "bread"}]
    assert len(report.records()) == 1


def test_a_chat_that_allows_a_tool_keeps_no_record_of_any_length(bench: Bench) -> None:
    agent = Agent([pays("a")])
    runs = bench.open(agent)
    chat_id = play(runs, lambda _: Answer(True, scope="chat")).chat_id
    agent.steps = [pays("x" * 5_000_000)]
    play(runs, never_asked, chat_id)
    assert "BadInput: The arguments have" in agent.judged[-1]


def test_so_many_asks_are_open_at_once_and_the_calls_beyond_them_fail(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gate.MAX_OPEN == 100
    monkeypatch.setattr(gate, "MAX_OPEN", 20)
    agent = Agent([pays(*(str(number) for number in range(40)))])
    report = play(bench.open(agent), lambda _: Answer(True, scope="step"))
    assert len(report.asks()) == 20
    assert sum("More than 20 calls already wait" in message for message in agent.judged) == 20
    assert sum("{'word'" in message for message in agent.judged) == 20


@pytest.mark.parametrize(
    ("approval", "asks"), [("never", 0), ("once", 1), ("always", 2)], ids=["never", "once", "always"]
)
def test_the_operators_word_comes_before_the_tools(
    bench: Bench, approval: Literal["never", "once", "always"], asks: int
) -> None:
    agent = Agent([pays("look", tool=Careful([])), pays("bread", tool=Careful([]))])
    runs = bench.open(agent, ask_rules=AskRules(approval={"pay": approval}))
    assert play(runs, lambda _: YES).kinds().count("ask_opened") == asks


def test_each_tool_may_have_a_time_out_of_its_own(bench: Bench) -> None:
    agent = Agent([pays("a"), pays("b", tool=OncePaying([]))])
    rules = AskRules(seconds=600, tool_seconds={"pay_once": 0.3})
    report = play(bench.open(agent, ask_rules=rules), lambda ask: YES if ask.tool == "pay" else None)
    assert agent.judged[1] == "1.0 ToolDenied: Approval request timed out"
    first, second = report.asks()
    assert (first.expires_at - second.expires_at).total_seconds() > 500
