"""The demo tools in a real desk, for both kinds of agents: what is paid, what is not, and what the model is told of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from smoldesk.store.tables import PaymentRow
from smoldesk.store.wallet import ChatWallet
from smoldesk.tools.demo import demo_tools
from smoldesk.tools.demo.payment import ProcessPayment
from smoldesk.tools.policy import DeskTool
from tests.agents.wrapper.conftest import Scene, Talk, talk_in
from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, Reply, ScriptedModel, code, text_of
from tests.support.ws_client import Message, of_type

PAY_BOTH = "process_payment('Alice', 30, 'USD')", "process_payment('Bob', 40, 'USD')"
CALLS = Calls(
    ("process_payment", {"recipient": "Alice", "amount": 30, "currency": "USD"}),
    ("process_payment", {"recipient": "Bob", "amount": 40, "currency": "USD"}),
)
DONE = Calls(("final_answer", {"answer": "done"}))


class Watched(ProcessPayment):
    """Counts how often its code is entered."""

    entered: list[str]

    def run_call(self, call_id: str, arguments: dict[str, Any]) -> Any:
        self.entered.append(str(arguments["recipient"]))
        return super().run_call(call_id, arguments)


class PayingScene(Scene):
    """A desk with the demo tools, each chat with its real wallet; `entered` is which payments began."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.entered: list[str] = []

    def tools(self, folder: Path) -> list[DeskTool]:  # pyright: ignore[reportIncompatibleMethodOverride]
        _, *other_tools = demo_tools(None)
        store = self.live.desk.store if hasattr(self, "live") else None
        payment = Watched(ChatWallet(store, folder.name) if store else None)
        payment.entered = self.entered
        return [payment, *other_tools]

    def pays_both(self) -> ScriptedModel:
        """A step that pays Alice and Bob, then an answer."""
        self.entered.clear()
        if self.kind != "code":
            return self.script(CALLS, DONE)
        guarded = "\n".join(
            f"try:\n    print({call})\nexcept ToolDenied as no:\n    print('{name} got nothing:', no)"
            for name, call in zip(("Alice", "Bob"), PAY_BOTH, strict=True)
        )
        return self.script(code(guarded), code("final_answer('done')"))

    def calls(self, tool: str, **arguments: Any) -> ScriptedModel:
        """A step that calls one tool, then an answer."""
        keywords = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        first: Reply = Calls((tool, arguments)) if self.kind != "code" else code(f"print({tool}({keywords}))")
        return self.script(first, DONE if self.kind != "code" else code("final_answer('done')"))

    def paid(self, chat_id: str) -> list[tuple[str, int]]:
        """The payments of a chat, by its table."""
        query = select(PaymentRow.recipient, PaymentRow.amount).where(PaymentRow.chat_id == chat_id)
        query = query.order_by(PaymentRow.made_at)
        return self.live.desk.store.read(lambda c: [(row[0], row[1]) for row in c.execute(query)])


KINDS = {
    "code": {},
    "together": {"agent": "tools"},
    "one_by_one": {"agent": "tools", "tool_calls": "one_by_one"},
}


@pytest.fixture(scope="module", params=KINDS)
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PayingScene]:
    scene = PayingScene("code" if request.param == "code" else "tools")
    folder = tmp_path_factory.mktemp(request.param)
    options: dict[str, Any] = KINDS[request.param]
    with live_desk(folder, lambda: scene.model, scene.tools, max_steps=4, **options) as scene.live:
        yield scene


@pytest.fixture
def talk(scene: PayingScene) -> Iterator[Talk]:
    yield from talk_in(scene)


def open_ask(talk: Talk, kind: str) -> Message:
    """The next ask, which is of this kind."""
    ask = talk.client.until("ask")
    assert ask["content"]["kind"] == kind
    return ask


def answered(talk: Talk, verdicts: dict[str, Any]) -> list[Message]:
    """Answer each approval as it comes, by its recipient: True, or the reason of a denial. To the end of the run."""
    for _ in verdicts:
        ask = open_ask(talk, "approval")
        verdict = verdicts[ask["content"]["arguments"]["recipient"]]
        talk.answer(ask, verdict is True, **({} if verdict is True else {"reason": verdict}))
    return talk.client.until_closed()


def observation_in(model: ScriptedModel) -> str:
    """What the model observed of its first step."""
    return text_of(model.seen[1]).rpartition("Observation")[2]


@pytest.mark.parametrize(
    ("verdicts", "paid", "balance"),
    [
        ({"Alice": True, "Bob": "not him"}, [("Alice", 3_000)], "970"),
        ({"Alice": "not her", "Bob": True}, [("Bob", 4_000)], "960"),
        ({"Alice": True, "Bob": True}, [("Alice", 3_000), ("Bob", 4_000)], "930"),
        ({"Alice": "no", "Bob": "no"}, [], None),
    ],
)
def test_the_model_knows_which_of_two_payments_was_made(
    scene: PayingScene, talk: Talk, verdicts: dict[str, Any], paid: list[tuple[str, int]], balance: str | None
) -> None:
    model = scene.pays_both()
    talk.client.say("pay both")
    assert answered(talk, verdicts)[-1]["content"]["state"] == "finished"
    assert sorted(scene.paid(talk.chat_id)) == paid
    assert sorted(scene.entered) == [name for name, _ in paid]
    observation = observation_in(model)
    for name, verdict in verdicts.items():
        if verdict is True:
            assert f"'recipient': '{name}'" in observation
        else:
            assert f"'recipient': '{name}'" not in observation
            assert f"User denied the tool call: {verdict}" in observation
    assert observation.count("'success': True") == len(paid)
    assert observation.count("User denied the tool call") == 2 - len(paid)
    if balance:
        assert f"'wallet_balance': {balance}" in observation


def test_a_denied_payment_is_never_entered_and_not_tried_again_by_the_desk(
    scene: PayingScene, talk: Talk
) -> None:
    model = scene.calls("process_payment", recipient="Mallory", amount=900, currency="USD")
    scene.entered.clear()
    ask = talk.post("pay")
    talk.answer(ask, False, reason="who is that?")
    talk.client.until_closed()
    assert scene.entered == []
    assert scene.paid(talk.chat_id) == []
    assert "User denied the tool call: who is that?" in observation_in(model)


def test_edited_arguments_are_what_is_paid(scene: PayingScene, talk: Talk) -> None:
    model = scene.calls("process_payment", recipient="Alice", amount=300, currency="USD")
    ask = talk.post("pay")
    talk.answer(ask, True, value={"recipient": "Alice", "amount": 30, "currency": "USD"})
    talk.client.until_closed()
    assert scene.paid(talk.chat_id) == [("Alice", 3_000)]
    assert "'wallet_balance': 970" in observation_in(model)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [({"amount": -5}, "greater than 0"), ({"currency": "DOGE"}, "Expected one of: USD")],
)
def test_nobody_is_asked_about_a_payment_that_could_not_be_made(
    scene: PayingScene, talk: Talk, wrong: dict[str, Any], expected: str
) -> None:
    model = scene.calls("process_payment", **{"recipient": "Alice", "amount": 1, "currency": "USD", **wrong})
    messages = talk.ask("pay")
    assert of_type(messages, "ask") == []
    assert expected in text_of(model.seen[1])
    assert scene.paid(talk.chat_id) == []


def test_insufficient_funds_are_an_error_that_names_the_balance(scene: PayingScene, talk: Talk) -> None:
    model = scene.calls("process_payment", recipient="Alice", amount=1000.01, currency="USD")
    talk.answer(talk.post("pay"), True)
    talk.client.until_closed()
    assert "the wallet has 1,000.00 USD left" in text_of(model.seen[1])
    assert scene.paid(talk.chat_id) == []


def test_each_chat_has_a_wallet_of_its_own(scene: PayingScene) -> None:
    for _ in range(2):
        for talk in talk_in(scene):
            model = scene.calls("process_payment", recipient="Alice", amount=600, currency="USD")
            talk.answer(talk.post("pay"), True)
            talk.client.until_closed()
            assert "'wallet_balance': 400" in observation_in(model)


# --- what the client does ----------------------------------------------------------------------------------------


def test_a_location_is_asked_for_and_told_by_the_client(scene: PayingScene, talk: Talk) -> None:
    model = scene.calls("get_location")
    talk.client.say("where am I?")
    talk.answer(open_ask(talk, "approval"), True)
    position = {"latitude": 35.68, "longitude": 139.77, "accuracy": 20}
    talk.answer(open_ask(talk, "client_tool"), True, value=position)
    talk.client.until_closed()
    assert "{'latitude': 35.68, 'longitude': 139.77, 'accuracy': 20}" in observation_in(model)


def test_no_client_is_asked_for_a_location_that_a_person_refused(scene: PayingScene, talk: Talk) -> None:
    model = scene.calls("get_location")
    talk.client.say("where am I?")
    talk.answer(open_ask(talk, "approval"), False)
    messages = talk.client.until_closed()
    assert [ask for ask in of_type(messages, "ask") if ask["content"]["kind"] == "client_tool"] == []
    assert "User denied the tool call" in text_of(model.seen[1])


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"granted": False, "reason": "The device does not know where it is"}, "does not know where it is"),
        (
            {"granted": True, "value": {"latitude": 99, "longitude": 0, "accuracy": 1}},
            "latitude is out of range",
        ),
        ({"granted": True, "value": "Tokyo"}, "sent no position"),
    ],
)
def test_what_a_client_cannot_tell_is_the_calls_error(
    scene: PayingScene, talk: Talk, sent: dict[str, Any], expected: str
) -> None:
    model = scene.calls("get_location")
    talk.client.say("where am I?")
    talk.answer(open_ask(talk, "approval"), True)
    talk.answer(open_ask(talk, "client_tool"), **sent)
    talk.client.until_closed()
    assert expected in text_of(model.seen[1])


def test_music_is_changed_without_asking_and_only_to_tracks_there_are(scene: PayingScene, talk: Talk) -> None:
    model = scene.calls("change_bgm", track=1)
    ask = talk.post("music")
    assert (ask["content"]["kind"], ask["content"]["arguments"]) == ("client_tool", {"track": 1})
    talk.answer(ask, True, value={"track": 1})
    talk.client.until_closed()
    assert "{'success': True, 'track': 1, 'message': 'The BGM is track 1 (Morning).'}" in observation_in(
        model
    )
    model = scene.calls("change_bgm", track=9)
    messages = talk.ask("music")
    assert of_type(messages, "ask") == []
    assert "Expected 1 Morning, 2 Rain" in text_of(model.seen[1])


def test_the_weather_is_told_without_asking(scene: PayingScene, talk: Talk) -> None:
    model = scene.calls("get_weather", location="東京")
    messages = talk.ask("weather")
    assert of_type(messages, "ask") == []
    assert "'location': '東京', 'temperature': 22.0" in observation_in(model)
