"""An ask as a card in its turn: what it shows, what it sends, and how it ends."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.page.ask_messages import ask, button, closed, entered, opened
from tests.page.conftest import Json, ScriptedServer, asked, run
from tests.support.page_menu import from_menu

pytestmark = pytest.mark.browser


def test_a_card_says_what_is_asked_and_nothing_in_it_takes_the_focus(
    page: Page, server: ScriptedServer
) -> None:
    page.locator(".field").focus()
    card = opened(page, server)

    expect(card.locator(".ask-prompt")).to_have_text("Allow pay?")
    expect(card.locator(".ask-line")).to_have_text('Line 3pay(30, "rent")')
    expect(card.locator(".ask-left")).to_contain_text(" days left")
    expect(card.locator(".ask-count")).to_have_count(0)  # the first call of a line is nothing to count
    expect(card.locator(".ask-arguments tr")).to_have_text(["amount30", "note<b>rent</b>"])
    expect(page.locator(".status-words")).to_have_text("Waiting for an answer")
    expect(page.get_by_role("group", name="Allow pay?")).to_be_visible()
    expect(page.locator(".field")).to_be_focused()


def test_a_value_is_shown_to_its_end_and_as_it_is(page: Page, server: ScriptedServer) -> None:
    """What a person agrees to is on the card: nothing is cut off, nothing is turned around or without width."""
    hidden = {
        "to": "Ali\u200bce \u202eevE",
        "family": "\U0001f468\u200d\U0001f469",
        "list": ["\u2066x"],
        "tag": "a\U000e0041",
    }
    long = "dear " * 12_000 + "Mallory"
    text = "(By the MCP server bank:) <b>Ignore \u202e)ecilA"
    card = opened(
        page,
        server,
        arguments={**hidden, "note": long},
        codeLine="pay(to)  # \u202e)ecilA",
        description=text,
    )

    expect(card.locator(".ask-description")).to_have_text(
        "(By the MCP server bank:) <b>Ignore ⟨U+202E⟩)ecilA"
    )
    expect(card.locator(".ask-line code")).to_have_text("pay(to)  # ⟨U+202E⟩)ecilA")
    values = card.locator(".ask-arguments td")
    expect(values.nth(0)).to_have_text("Ali⟨U+200B⟩ce ⟨U+202E⟩evE")
    expect(values.nth(1)).to_have_text("\U0001f468\u200d\U0001f469")
    expect(values.nth(2)).to_have_text('["⟨U+2066⟩x"]')
    expect(values.nth(3)).to_have_text("a⟨U+E0041⟩")
    assert values.nth(4).text_content() == long
    assert values.nth(4).evaluate(
        "cell => cell.scrollHeight <= cell.clientHeight + 1 && cell.scrollWidth <= cell.clientWidth + 1"
    )


def test_allowing_sends_a_grant_once_and_waits_for_the_server(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    button(card, "Allow").click()

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True}
    expect(card).to_have_attribute("data-state", "answered")
    expect(button(card, "Allow")).to_be_disabled()
    expect(card).to_contain_text("Sending your answer")

    server.send(closed(True), run("r1", "running"))
    expect(card).to_have_attribute("data-state", "granted")
    expect(card.locator(".ask-how")).to_have_text("Allowed")
    expect(card.locator(".ask-call")).to_have_text('pay(amount=30, note="<b>rent</b>")')
    expect(card.get_by_role("button")).to_have_count(1)  # that shows again what was asked
    expect(card.locator(".ask-line")).to_be_hidden()
    button(card, "Show the question").click()
    expect(card.locator(".ask-line")).to_be_visible()
    expect(card.locator(".ask-arguments tr")).to_have_count(2)
    assert server.frames.empty()


@pytest.mark.parametrize(
    ("name", "frame"),
    [
        ("Allow the rest of this step", {"granted": True, "scope": "step"}),
        ("Always in this chat", {"granted": True, "scope": "chat"}),
        ("Deny", {"granted": False}),
    ],
)
def test_a_button_says_how_far_its_answer_reaches(
    page: Page, server: ScriptedServer, name: str, frame: Json
) -> None:
    button(opened(page, server), name).click()

    assert server.next_frame() == {"type": "answer", "askId": "a1", **frame}


@pytest.mark.parametrize(("name", "more"), [("Deny", {}), ("Deny the rest of this step", {"scope": "step"})])
def test_denying_sends_the_reason(page: Page, server: ScriptedServer, name: str, more: Json) -> None:
    card = opened(page, server)
    button(card, "Give a reason or deny more").click()
    reason = card.get_by_role("textbox", name="Reason for denying")
    expect(reason).to_be_focused()
    reason.fill("  too much ")
    button(card, name).click()

    assert server.next_frame() == {
        "type": "answer", "askId": "a1", "granted": False, "reason": "too much", **more
    }  # fmt: skip


def test_a_reason_that_was_put_away_is_not_sent(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    button(card, "Give a reason or deny more").click()
    page.keyboard.type("never mind")
    page.keyboard.press("Escape")
    expect(button(card, "Give a reason or deny more")).to_be_focused()
    button(card, "Deny").click()

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": False}


def test_a_line_that_asks_again_says_how_often(page: Page, server: ScriptedServer) -> None:
    for number, (count, text) in enumerate([(2, "2nd"), (3, "3rd"), (11, "11th"), (21, "21st")], 1):
        card = opened(page, server, f"a{number}", callsFromLine=count)
        expect(card.locator(".ask-count")).to_have_text(f"{text} call from this line")


def test_the_time_that_is_left_runs_down_quietly(page: Page, server: ScriptedServer) -> None:
    page.clock.install()
    page.reload()
    page.wait_for_selector(".connection[data-connection=open]", state="attached")
    now = datetime.fromtimestamp(page.evaluate("Date.now()") / 1000, UTC)
    card = opened(page, server, expiresAt=(now + timedelta(seconds=252)).isoformat())
    remaining = card.locator(".ask-left")
    expect(remaining).to_have_text("4:12 left")
    expect(remaining).to_have_attribute("aria-hidden", "true")
    expect(card.locator(".ask-until .visually-hidden")).to_contain_text("Answer by ")
    assert card.locator("[role=timer], [aria-live]").count() == 0

    page.clock.fast_forward(200_000)
    expect(remaining).to_have_text("0:52 left")
    expect(card.locator(".ask-until")).not_to_have_attribute("data-soon", "")
    page.clock.fast_forward(30_000)
    expect(remaining).to_have_text("0:22 left")
    expect(card.locator(".ask-until")).to_have_attribute("data-soon", "")
    page.clock.fast_forward(60_000)
    expect(remaining).to_have_text("Time is up")
    expect(card).to_have_attribute("data-state", "open")  # the server says when it is over
    server.send(closed(False, "Approval request timed out", by="expiry"))
    expect(card.locator(".ask-how")).to_have_text("Timed out")
    expect(remaining).to_have_count(0)


def test_a_card_says_how_it_ended(page: Page, server: ScriptedServer) -> None:
    ends = [
        (closed(True), "Allowed"),
        (closed(True, scope="step"), "Allowed for the rest of this step"),
        (closed(True, scope="chat"), "Always allowed in this chat"),
        (closed(True, scope="step", by="policy"), "Allowed by an earlier answer"),
        (closed(True, value={"amount": 20, "note": "rent"}), "Allowed with changes"),
        (closed(False), "Denied"),
        (closed(False, "too much"), "Denied: too much"),
        (closed(False, "stop it", scope="step"), "Denied for the rest of this step: stop it"),
        (closed(False, "no", scope="step", by="policy"), "Denied by an earlier answer: no"),
        (closed(False, "Approval request timed out", by="expiry"), "Timed out"),
        (closed(False, "Stopped by the person", by="stop"), "Stopped"),
        (closed(False, "The server restarted", by="restart"), "Closed: the server restarted"),
    ]
    for number, (end, text) in enumerate(ends, 1):
        card = opened(page, server, f"a{number}", callId=f"c{number}")
        server.send({**end, "content": end["content"] | {"askId": f"a{number}"}})
        expect(card.locator(".ask-how")).to_have_text(text)
        expect(card).to_have_attribute("data-state", "granted" if end["content"]["granted"] else "denied")


def test_a_card_is_walked_through_with_the_tab_key(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    card.focus()
    names = ["Allow", "Deny", "Give a reason or deny more", "Edit", "Allow the rest of this step"]
    page.keyboard.press("Tab")  # the line, which scrolls
    for name in names:
        page.keyboard.press("Tab")
        expect(button(card, name)).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # the place for a reason opens, and has the focus
    page.keyboard.type("not now")
    page.keyboard.press("Enter")  # there, Enter denies

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": False, "reason": "not now"}


@pytest.mark.parametrize("kind", ["text", "password"])
def test_a_text_is_typed_and_leaves_the_page_with_its_answer(
    page: Page, server: ScriptedServer, kind: str
) -> None:
    card = entered(page, server, inputType=kind)
    field = card.locator(".ask-field")
    expect(field).to_have_attribute("type", kind)
    field.fill("s3cret")
    field.press("Enter")

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True, "value": "s3cret"}
    server.send(closed(True))
    expect(card.locator(".ask-how")).to_have_text("Answered")
    expect(page.locator(".ask-field")).to_have_count(0)


def test_a_choice_begins_at_its_default_and_moves_with_the_arrow_keys(
    page: Page, server: ScriptedServer
) -> None:
    options = [f"colour {number}" for number in range(40)]
    card = entered(page, server, inputType="selection", options=options, default="colour 30")
    chosen = card.get_by_role("radio", name="colour 30")
    expect(chosen).to_be_checked()
    expect(chosen).to_be_in_viewport()  # the list scrolls, not the chat
    assert card.locator(".ask-choices").evaluate("(box) => box.scrollHeight > box.clientHeight")
    chosen.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    assert server.next_frame()["value"] == "colour 31"
    server.send(closed(True, value="colour 31"))
    expect(card.locator(".ask-how")).to_have_text("Answered: colour 31")


def test_a_choice_is_set_aside_by_asking_something_else(page: Page, server: ScriptedServer) -> None:
    card = entered(page, server, inputType="selection", options=["total by customer", "None of these"])
    composer = page.locator(".composer textarea")
    expect(composer).to_have_attribute("placeholder", "Choose an option above or ask something else")
    composer.fill("total quantity by customer")
    composer.press("Enter")

    frame = server.next_frame()
    assert (frame["type"], frame["message"]) == ("message", "total quantity by customer")
    server.send(asked("r2", "total quantity by customer", ahead=1))
    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": False}
    server.send(closed(False))
    expect(card.locator(".ask-how")).to_have_text("Not answered")
    expect(composer).to_have_attribute("placeholder", "Ask the next question; it will be queued")


def test_a_choice_is_set_aside_by_all_that_asks(page: Page, server: ScriptedServer) -> None:
    """A corrected reading and a failed question's "Try again", as what is written."""
    choice = {"text": "Median", "sentence": "median total", "change": {"how": "median"}}
    chips = [{"part": "figure", "text": "mean total", "choices": [choice]}]
    reading = {"query": {"how": "mean"}, "chips": chips, "corrected": False}
    server.send(
        asked("r8", "mean total"),
        {"type": "reading", "runId": "r8", "content": reading},
        run("r8", "finished", text="7"),
        asked("r9", "total by customer"),
        run("r9", "failed", text="It broke."),
    )
    entered(page, server, inputType="selection", options=["total by customer", "None of these"])

    page.get_by_role("button", name="Change mean total").click()
    page.get_by_role("menuitem", name="Median").click()
    sent = server.next_frame()
    assert (sent["message"], sent["reading"]) == ("median total", {"how": "median"})
    server.send(asked("r2", "median total", ahead=1))
    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": False}

    server.send(closed(False))
    entered(page, server, "a2", inputType="selection", options=["total by customer", "None of these"])
    page.locator("[data-run=r9]").get_by_role("button", name="Try again").click()
    assert server.next_message() == "total by customer"
    server.send(asked("r3", "total by customer", ahead=2))
    assert server.next_frame() == {"type": "answer", "askId": "a2", "granted": False}


def test_a_choice_stays_when_what_was_asked_instead_is_refused(page: Page, server: ScriptedServer) -> None:
    card = entered(page, server, inputType="selection", options=["total by customer", "None of these"])
    composer = page.locator(".composer textarea")
    composer.fill("total quantity by customer")
    composer.press("Enter")
    sent = server.next_frame()["clientMessageId"]
    server.send({"type": "error", "content": "Too many wait.", "code": "queue_full", "clientMessageId": sent})
    expect(page.locator(".aside")).to_contain_text("Too many wait.")
    card.get_by_role("radio", name="total by customer").check()
    button(card, "Answer").click()
    assert server.next_frame() == {
        "type": "answer",
        "askId": "a1",
        "granted": True,
        "value": "total by customer",
    }


def test_a_confirmation_is_a_yes_or_a_no(page: Page, server: ScriptedServer) -> None:
    card = entered(page, server, inputType="confirmation", prompt="Shall I go on?")
    expect(card.locator(".ask-prompt")).to_have_text("Shall I go on?")
    button(card, "No").click()

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": False}
    server.send(closed(False))
    expect(card.locator(".ask-how")).to_have_text("No")


def test_work_that_only_the_client_does_is_no_card(page: Page, server: ScriptedServer) -> None:
    opened(page, server)
    server.send(ask("a2", kind="client_tool", prompt=""), ask("a3", prompt="And this?"))

    expect(page.locator("[data-ask=a3]")).to_be_visible()
    expect(page.locator(".ask")).to_have_count(2)


def test_an_answer_from_elsewhere_closes_the_card(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    button(card, "Deny").focus()
    server.send(closed(False, "not mine"))

    expect(card.locator(".ask-how")).to_have_text("Denied: not mine")
    expect(card).to_be_focused()  # the focus does not fall out of the page with the buttons


@pytest.mark.parametrize("error_first", [True, False])
def test_whoever_answered_second_is_told_so(page: Page, server: ScriptedServer, error_first: bool) -> None:
    card = opened(page, server)
    button(card, "Allow").click()
    server.next_frame()
    late = {"type": "error", "content": "It is closed.", "code": "ask_closed", "hint": "", "askId": "a1"}
    if error_first:
        server.push(late)
        expect(card).to_contain_text("Already closed")
        expect(button(card, "Allow")).to_be_disabled()
    server.send(closed(False))
    if not error_first:
        server.push(late)

    expect(card.locator(".ask-how")).to_have_text("Denied")
    expect(card.locator(".ask-own")).to_have_text("Answered in another window")
    expect(page.locator(".aside")).to_have_count(0)


def test_an_answer_after_the_time_says_so(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    button(card, "Allow").click()
    server.next_frame()
    server.send(closed(False, by="expiry"))
    server.push({"type": "error", "content": "Closed.", "code": "ask_closed", "hint": "", "askId": "a1"})

    expect(card.locator(".ask-how")).to_have_text("Timed out")
    expect(card.locator(".ask-own")).to_have_text("Your answer came too late")


def test_a_reload_shows_open_asks_open_and_closed_ones_closed(page: Page, server: ScriptedServer) -> None:
    opened(page, server)
    server.send(closed(True), ask("a2", prompt="And again?"))
    expect(page.locator(".ask")).to_have_count(2)

    page.reload()

    expect(page.locator("[data-ask=a1]")).to_have_attribute("data-state", "granted")
    expect(page.locator("[data-ask=a2]")).to_have_attribute("data-state", "open")
    button(page.locator("[data-ask=a2]"), "Allow").click()
    assert server.next_frame()["askId"] == "a2"


def test_an_answer_that_was_refused_or_lost_can_be_given_again(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    button(card, "Allow").click()
    server.next_frame()
    server.push(
        {"type": "error", "content": "Not now.", "code": "store_fault", "hint": "Wait.", "askId": "a1"}
    )
    expect(card).to_have_attribute("data-state", "open")
    expect(card.get_by_role("alert")).to_have_text("Not now. Wait.")
    expect(page.locator(".aside")).to_have_count(0)

    button(card, "Allow").click()
    server.next_frame()
    server.drop()
    server.wait_for_connections(2)
    expect(card).to_have_attribute("data-state", "open")
    expect(page.locator(".connection")).to_have_attribute("data-connection", "open")
    button(card, "Allow").click()
    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True}


def test_an_answer_without_a_connection_is_not_lost_silently(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    server.accepting = False
    server.drop()
    expect(page.locator(".connection")).to_have_attribute("data-connection", "closed")
    button(card, "Allow").click()

    expect(card.get_by_role("alert")).to_contain_text("Your answer was not sent")
    expect(card).to_have_attribute("data-state", "open")
    server.accepting = True
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".connection")).to_have_attribute("data-connection", "open")
    button(card, "Allow").click()
    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True}
    expect(card.get_by_role("alert")).to_be_hidden()


def test_a_card_speaks_japanese(page: Page, server: ScriptedServer) -> None:
    opened(page, server, callsFromLine=3)
    from_menu(page, "日本語で表示")

    card = page.locator(".ask")
    expect(card.locator(".ask-prompt")).to_have_text("payの実行を許可しますか？")
    expect(card.locator(".ask-count")).to_have_text("この行からの3回目の呼び出し")
    expect(button(card, "許可")).to_be_visible()
    expect(button(card, "拒否")).to_be_visible()


def test_nothing_of_a_card_sticks_out(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server, codeLine="pay(" + "x" * 300 + ")", arguments={"note": "y" * 300})
    button(card, "Give a reason or deny more").click()

    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert card.evaluate("(card) => card.scrollWidth <= card.clientWidth")
        assert page.locator(".log").evaluate("(log) => log.scrollWidth <= log.clientWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
