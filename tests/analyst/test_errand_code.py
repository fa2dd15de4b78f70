"""The code written for errands, really run: what is called, and what is said of denials and errors."""

import contextlib
from typing import Any

import pytest
from smolagents.models import ChatMessage, MessageRole

from smoldesk.analyst.units import is_japanese
from smoldesk.tools.gate import ToolDenied
from tests.analyst.desk import Desk, messages
from tests.analyst.errand_tools import Calls, ProcessPayment, errand_tools

NO = ToolDenied("User denied the tool call: too much")
LATE = ToolDenied("Approval request timed out")


class Answered(BaseException):
    """Raised by final_answer, which ends a cell at once."""


def talk(desk: Desk, request: str) -> list[ChatMessage]:
    """The messages of a CodeAgent that has the four tools."""
    report = messages(request)
    prompt = "You have these:\n" + "\n".join(tool.to_code_prompt() for tool in errand_tools([]))
    return [ChatMessage(MessageRole.SYSTEM, prompt), *report[1:]]


def run(desk: Desk, request: str, faults: dict[str, Exception] | None = None) -> tuple[str, Calls, str]:
    """The answer, the calls the tools got, and the code."""
    reply = str(desk.model.generate(talk(desk, request)).content)
    code = reply.partition("<code>\n")[2].removesuffix("\n</code>")
    ran: Calls = []
    lines: list[str] = []

    def final_answer(text: str) -> None:
        lines.append(text)
        raise Answered

    space: dict[str, Any] = {tool.name: tool.forward for tool in errand_tools(ran, faults)}
    space |= {"final_answer": final_answer, "ToolDenied": ToolDenied}
    with contextlib.suppress(Answered):
        exec(compile(code, "<cell>", "exec"), space)
    return lines[0], ran, code


def test_payments_are_made_and_told_with_what_is_left(desk: Desk) -> None:
    answer, ran, code = run(desk, "Pay 30 USD to Alice and 12.50 euros to Bob for lunch")
    assert ran == [
        ("process_payment", {"recipient": "Alice", "amount": 30, "currency": "USD"}),
        ("process_payment", {"recipient": "Bob", "amount": 12.5, "currency": "EUR", "description": "lunch"}),
    ]
    assert answer.splitlines() == [
        "- Paid 30 USD to Alice (transaction tx-1). The wallet has 970 USD left.",
        "- Paid 12.5 EUR to Bob (transaction tx-2). The wallet has 957.5 EUR left.",
    ]
    assert code.count("except ToolDenied as denial:") == 2
    assert max(map(len, code.splitlines())) <= 110


def test_a_denied_payment_is_told_with_its_reason_and_the_next_is_still_made(desk: Desk) -> None:
    answer, ran, _ = run(desk, "Pay 30 USD to Alice and 40 USD to Bob", {"Alice": NO})
    assert [arguments["recipient"] for _, arguments in ran] == ["Alice", "Bob"]
    no, yes = answer.splitlines()
    assert (
        "not approved" in no
        and "30 USD to Alice" in no
        and no.endswith("User denied the tool call: too much")
    )
    assert yes.startswith("- Paid 40 USD to Bob")


def test_a_failed_payment_is_told_with_the_error_and_not_as_paid(desk: Desk) -> None:
    answer, ran, _ = run(desk, "pay $20 to Carol", {"Carol": ValueError("Insufficient funds: 5 left")})
    assert len(ran) == 1
    assert answer == "This failed: the payment of 20 USD to Carol. Insufficient funds: 5 left"


def test_what_was_paid_is_what_the_tool_says_not_what_was_asked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person may edit the arguments before they allow the call."""
    edited = {
        "recipient": "Al",
        "amount": 5,
        "currency": "EUR",
        "transaction_id": "t",
        "wallet_balance": 995.0,
    }

    def result(_: ProcessPayment, **arguments: Any) -> dict[str, Any]:
        return edited

    monkeypatch.setattr(ProcessPayment, "result", result)
    assert (
        run(desk, "pay $20 to Carol")[0] == "Paid 5 EUR to Al (transaction t). The wallet has 995 EUR left."
    )


def test_japanese_payments_are_told_in_japanese(desk: Desk) -> None:
    answer, ran, _ = run(desk, "アリスに3000円、ボブに40ドル送金して", {"ボブ": LATE})
    assert [tuple(arguments.values()) for _, arguments in ran] == [
        ("アリス", 3000, "JPY"),
        ("ボブ", 40, "USD"),
    ]
    paid, late = answer.splitlines()
    assert paid == "- アリスに3,000 JPYを支払いました（取引番号：tx-1）。ウォレットの残高は-2,000 JPYです。"
    assert "ボブへの40 USDの支払い" in late and "承認されなかった" in late and "timed out" in late


OTHERS: list[tuple[str, tuple[str, dict[str, Any]], list[str]]] = [
    ("Where am I?", ("get_location", {}), ["35.68120", "139.76710", "25 m"]),
    ("今どこ？", ("get_location", {}), ["35.68120", "139.76710", "25 m"]),
    ("play track 2", ("change_bgm", {"track": 2}), ["track 2"]),
    ("音楽を止めて", ("change_bgm", {"track": 0}), ["停止しました"]),
    (
        "What's the weather in Tokyo?",
        ("get_weather", {"location": "Tokyo"}),
        ["Tokyo", "few clouds", "18.5 °C", "wind 3.4 m/s", "not from a live reading"],
    ),
    (
        "東京の天気は？",
        ("get_weather", {"location": "東京"}),
        ["東京", "18.5 °C", "湿度61%", "実況ではなく"],
    ),
]


@pytest.mark.parametrize(("request_", "call", "message"), OTHERS)
def test_the_other_tools_are_called_and_their_results_told(
    desk: Desk, request_: str, call: tuple[str, dict[str, Any]], message: list[str]
) -> None:
    answer, ran, _ = run(desk, request_)
    assert ran == [call]
    assert all(part in answer for part in message)
    assert is_japanese(answer) == is_japanese(request_)


@pytest.mark.parametrize("request_", ["Where am I?", "現在地は？"])
def test_a_location_that_was_refused_is_not_made_up(desk: Desk, request_: str) -> None:
    answer, ran, _ = run(desk, request_, {"": ToolDenied("User denied the tool call")})
    assert len(ran) == 1
    assert "User denied the tool call" in answer and "35" not in answer


def test_an_unknown_city_is_passed_as_written_and_its_error_told(desk: Desk) -> None:
    fault = ValueError("There is no weather for 'Atlantis'; there is for Tokyo")
    answer, ran, _ = run(desk, "weather in Atlantis and Tokyo", {"Atlantis": fault})
    assert [arguments["location"] for _, arguments in ran] == ["Atlantis", "Tokyo"]
    assert str(fault) in answer and "Tokyo: few clouds" in answer


def test_several_errands_are_run_in_order_and_each_is_told(desk: Desk) -> None:
    answer, ran, _ = run(
        desk, "What's the weather in Tokyo, pay 10 USD to Bob and stop the music", {"Bob": NO}
    )
    assert [name for name, _ in ran] == ["get_weather", "process_payment", "change_bgm"]
    assert [line[:6] for line in answer.splitlines()] == ["- Toky", "- Not ", "- The "]


@pytest.mark.parametrize(
    "name",
    ["</code>", '"); import os; os.abort(); ("', "{wallet}", "\\", "a'b"],
)
def test_a_name_stays_a_name_in_the_code(desk: Desk, name: str) -> None:
    answer, ran, code = run(desk, f"Pay 30 USD to “{name}”", {name: NO})
    assert [arguments["recipient"] for _, arguments in ran] == [name]
    assert "</code>" not in code and name in answer


@pytest.mark.parametrize("request_", ["Pay 30 USD to Alice", "東京の天気は？"])
def test_without_the_tool_nothing_is_called_and_that_is_said(desk: Desk, request_: str) -> None:
    received = desk.ask(request_)
    assert "process_payment(" not in received.code and "get_weather(" not in received.code
    assert "process_payment" in received.answer or "get_weather" in received.answer
    assert is_japanese(received.answer) == is_japanese(request_)


@pytest.mark.parametrize(("request_", "sample"), [("help", "Where am I?"), ("何ができますか？", "今どこ？")])
def test_help_names_errands_only_where_there_are_tools_for_them(
    desk: Desk, request_: str, sample: str
) -> None:
    with_tools = str(desk.model.generate(talk(desk, request_)).content)
    assert sample in with_tools
    assert sample not in desk.ask(request_).answer
