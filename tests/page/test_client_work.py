"""Work for the browser, without a server: who does it, how often, and what is answered."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Json, ScriptedServer, asked, run
from tests.page.test_asks import ask, closed

pytestmark = pytest.mark.browser

DESK = """
    const { ClientWork } = await import("/static/js/asks/client-work.js");
    const { Bus } = await import("/static/js/core/bus.js");
    const { Refusal } = await import("/static/js/core/api.js");
    const open = new Set(["a1"]);
    const said = [];
    const faults = [];
    const server = {
        askIsOpen: async (chatId, askId) => { said.push(`open? ${chatId} ${askId}`); return open.has(askId); },
        answerAsk: async (askId, how) => {
            if (faults.length) throw faults.shift();
            if (!open.delete(askId)) throw new Refusal("answered already", 409);
            said.push(`answered ${JSON.stringify(how)}`);
        },
    };
    const tab = (tool) => {
        const bus = new Bus();
        const work = new ClientWork({ bus, server, tools: { see: tool } });
        bus.emit("message", { type: "chat", content: { chatId: "c1" } });
        return { bus, idle: async () => { while (work.jobs.size) await new Promise((go) => setTimeout(go, 10)); } };
    };
    const given = { kind: "client_tool", arguments: { of: 1 } };
    const ask = (askId = "a1", tool = "see") => ({ type: "ask", content: { askId, tool, ...given } });
    const closed = { type: "ask_closed", content: { askId: "a1" } };
    const seen = async (given) => {
        said.push(`did ${JSON.stringify(given)}`);
        return { granted: true, value: 7, begin: () => said.push("began") };
    };
"""


def scenario(page: Page, body: str) -> Any:
    return page.evaluate(f"async () => {{ {DESK} {body} }}")


def test_it_asks_whether_the_ask_is_open_does_it_answers_and_begins(blank: Page) -> None:
    message = scenario(
        blank, "const { bus, idle } = tab(seen); bus.emit('message', ask()); await idle(); return said;"
    )
    assert message == ["open? c1 a1", 'did {"of":1}', 'answered {"granted":true,"value":7}', "began"]


def test_what_is_closed_or_not_ours_is_never_begun(blank: Page) -> None:
    bodies = {
        "closed in a replay": "bus.emit('message', ask()); bus.emit('message', closed);",
        "closed by the server's word": "open.clear(); bus.emit('message', ask());",
        "unknown here": "bus.emit('message', ask('a1', 'dance'));",
        "no work": "bus.emit('message', { ...ask(), content: { ...ask().content, kind: 'approval' } });",
    }
    for why, body in bodies.items():
        message = scenario(blank, f"const {{ bus, idle }} = tab(seen); {body} await idle(); return said;")
        assert [line for line in message if not line.startswith("open?")] == [], why


def test_a_network_that_fails_is_tried_again_and_the_work_is_not_done_twice(blank: Page) -> None:
    message = scenario(
        blank,
        """faults.push(new TypeError("no answer"), new Refusal("closing", 503));
        const { bus, idle } = tab(seen); bus.emit("message", ask()); await idle(); return said;""",
    )
    assert message == ["open? c1 a1", 'did {"of":1}', 'answered {"granted":true,"value":7}', "began"]


def test_an_answer_that_does_not_count_begins_nothing(blank: Page) -> None:
    message = scenario(
        blank,
        """const late = async (given) => { open.clear(); return seen(given); };
        const { bus, idle } = tab(late); bus.emit("message", ask()); await idle(); return said;""",
    )
    assert message == ["open? c1 a1", 'did {"of":1}']


def test_a_hidden_tab_lets_a_visible_one_go_first(blank: Page) -> None:
    message = scenario(
        blank,
        """let hidden = true;
        Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
        const named = (name) => async (given) => { said.push(name); return seen(given); };
        const [behind, front] = [tab(named("behind")), tab(named("front"))];
        behind.bus.emit("message", ask());
        hidden = false;
        front.bus.emit("message", ask());
        await front.idle(); await behind.idle();
        return said.filter((line) => line === "front" || line === "behind");""",
    )
    assert message == ["front"]


LOCATION = """async ([code, secure, absent]) => {
    const { readLocation } = await import("/static/js/asks/client-location.js");
    const asked = [];
    const geolocation = { getCurrentPosition: (found, failed, how) => {
        asked.push(how);
        if (code === 0) found({ coords: { latitude: 35.5, longitude: 139.25, accuracy: 12, altitude: 3 } });
        else failed({ code });
    } };
    return [await readLocation(absent ? null : geolocation, secure), asked];
}"""


def test_a_position_is_asked_for_afresh_and_told_without_more(blank: Page) -> None:
    outcome, requested = blank.evaluate(LOCATION, [0, True, False])
    assert outcome == {"granted": True, "value": {"latitude": 35.5, "longitude": 139.25, "accuracy": 12}}
    assert requested == [{"enableHighAccuracy": True, "timeout": 20_000, "maximumAge": 0}]


def test_every_way_without_a_position_has_its_reason(blank: Page) -> None:
    reasons = {
        (1, True, False): "The browser refused to tell its location",
        (2, True, False): "The browser could not find out its location",
        (3, True, False): "The browser did not find out its location within 20 s",
        (0, True, True): "This browser cannot tell its location",
        (0, False, False): "The browser tells its location to secure pages only (https or localhost)",
    }
    for inputs, reason in reasons.items():
        outcome, _ = blank.evaluate(LOCATION, [*inputs])
        assert outcome == {"granted": False, "reason": reason}


def work(tool: str, **arguments: Any) -> Json:
    return ask("w1", kind="client_tool", tool=tool, arguments=arguments, prompt="", codeLine=None)


@pytest.mark.parametrize(
    ("tool", "open_words", "end", "end_words"),
    [
        (
            "get_location",
            "Requesting the location from the browser",
            closed(True, ask_id="w1"),
            "Location received from the browser",
        ),
        (
            "get_location",
            "Requesting the location from the browser",
            closed(False, "The browser refused to tell its location", "w1"),
            "Location not available: the browser denied access to the location",
        ),
        ("change_bgm", "Changing the music to Rain", closed(True, ask_id="w1"), "Music changed to Rain"),
        (
            "wave",
            "This page does not support the tool wave; another client may run it",
            closed(False, "no hands", "w1"),
            "No client ran wave: no hands",
        ),
    ],
)
def test_a_line_in_the_turn_says_what_is_asked_and_how_it_ended(
    page: Page, server: ScriptedServer, tool: str, open_words: str, end: Json, end_words: str
) -> None:
    # the work itself finds no server here that would call the ask open
    inputs = {"track": 2} if tool == "change_bgm" else {}
    server.send(asked("r1", "Go"), run("r1", "running", step=1), work(tool, **inputs), run("r1", "waiting"))
    line = page.locator("[data-run=r1] .client-work")
    expect(line).to_have_text(open_words)
    expect(line).to_have_attribute("role", "status")
    expect(page.locator("[data-run=r1] .ask")).to_have_count(0)
    waits = "Waiting for an answer" if tool == "wave" else "Waiting for the browser"
    expect(page.locator("[data-run=r1] .status-words")).to_have_text(waits)
    server.send(end)
    expect(line).to_have_text(end_words)
