"""The conversations view, in a real browser on a real desk, while agents really talk."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.page.conftest import forget
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import from_menu
from tests.support.talking_desk import Agent, Talks, talking_desk
from tests.support.waiting import PATIENCE, see

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

MARKUP = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>**b** &amp;'
HIDE = """(state) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
TURNED = "pay\u202e001 \u2066x"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with talking_desk(tmp_path_factory.mktemp("desk")) as live:
        yield live


@pytest.fixture
def page(context: BrowserContext, desk: LiveDesk) -> Iterator[Page]:
    """The page with nothing remembered. Faults of its scripts, and what its policy stops, fail the test."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
    page.goto(desk.url)
    page.wait_for_selector(".connection[data-connection=open]", state="attached")
    yield page
    page.close()
    forget(context, desk.url)
    assert faults == []


@pytest.fixture
def talks(desk: LiveDesk) -> Iterator[Talks]:
    talks = Talks(desk)
    yield talks
    talks.http.delete(f"/projects/{talks.id}")
    talks.http.close()


@pytest.fixture
def pair(talks: Talks) -> tuple[Agent, Agent]:
    return talks.agent("Planner"), talks.agent("Reviewer")


def show(page: Page, talks: Talks, conversation: str | None = None) -> None:
    """Follow a link to a project, or to a conversation."""
    link = f"#conversations={talks.id}" + (f"&conversation={conversation}" if conversation else "")
    page.evaluate("(link) => { location.hash = link; }", link)
    expect(page.locator(".project-button")).to_contain_text("Quarterly report")


def lanes(page: Page) -> list[tuple[str, str]]:
    """What is shown: (lane, words)."""
    return [
        (line.get_attribute("data-lane") or "", line.locator(".lane-text").inner_text())
        for line in page.locator(".lane-line").all()
    ]


# --- watching ----------------------------------------------------------------------------------------------------


def test_what_begins_before_the_list_is_followed_is_in_it(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    def begin_first(route: Route) -> None:
        pair[0].start(pair[1], "早いもの")
        route.continue_()

    page.route("**/api/projects/*/events", begin_first, times=1)
    show(page, talks)
    expect(page.locator("[data-conversation]")).to_contain_text("早いもの")


def test_a_talk_shows_in_two_lanes_as_it_happens(page: Page, talks: Talks, pair: tuple[Agent, Agent]) -> None:
    planner, reviewer = pair
    show(page, talks)
    conversation = planner.start(reviewer, "しりとり")
    line = page.locator(f"[data-conversation={conversation}]")
    expect(line).to_contain_text("しりとり")
    expect(line.locator(".talk-state")).to_have_text("Waiting")
    line.click()
    expect(page.locator(".talk-purpose")).to_have_text("しりとり")
    expect(page.locator(".talk-note:visible")).to_have_text("Waiting for Reviewer to join.")

    reviewer.hear()
    expect(page.locator(".talk-head .talk-state")).to_have_text("Active")
    messages = [
        ("りんご", "ごりら"),
        ("らっぱ", "ぱんだ"),
        ("だちょう", "うさぎ"),
        ("ぎんこう", "うま"),
        ("まくら", "らいおん"),
    ]
    for left, right in messages:
        planner.say(reviewer, left)
        reviewer.say(planner, right)
    expected = [turn for left, right in messages for turn in (("left", left), ("right", right))]
    see(page, lambda: lanes(page), expected)
    expect(page.locator(".lane-name")).to_have_text(["Planner", "Reviewer"])

    planner.end()
    expect(page.locator(".talk-head .talk-state")).to_have_text("Ending")
    expect(page.locator(".talk-end")).to_be_disabled()
    reviewer.hear()
    expect(page.locator(".talk-head .talk-state")).to_have_text("Ended")
    expect(page.locator(".talk-note:visible")).to_contain_text("Planner ended it.")
    expect(page.locator(".talk-end")).to_be_hidden()
    expect(line.locator(".talk-state")).to_have_text("Ended")
    expect(line).to_contain_text("10 messages")


def test_a_reload_shows_the_same_conversation(page: Page, talks: Talks, pair: tuple[Agent, Agent]) -> None:
    conversation = talks.conversation(*pair, "first", "a", "b")
    talks.post(f"/conversations/{conversation}/end")
    talks.conversation(*pair, "second", "c")
    show(page, talks, conversation)
    expect(page.locator(".talk-purpose")).to_have_text("first")
    page.reload()

    expect(page.locator(".talk-purpose")).to_have_text("first")
    see(page, lambda: lanes(page), [("left", "a"), ("right", "b")])
    expect(page.locator(".talk-note:visible")).to_contain_text("A person ended it on this page.")
    expect(page.locator("[aria-current=true]")).to_have_attribute("data-conversation", conversation)


def test_a_long_talk_is_read_from_its_end_and_backwards(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    conversation = talks.conversation(*pair, "counting", *(f"word {at}" for at in range(130)))
    show(page, talks, conversation)
    expect(page.locator(".lane-line")).to_have_count(100)
    expect(page.locator(".lane-line").last).to_be_in_viewport()
    page.get_by_role("button", name="Show earlier messages").click()

    expect(page.locator(".lane-line")).to_have_count(130)
    assert [lane for _, lane in lanes(page)] == [f"word {at}" for at in range(130)]
    expect(page.locator(".talk-earlier")).to_be_hidden()


def test_what_was_missed_while_the_page_was_hidden_is_there_after(
    page: Page, talks: Talks, pair: tuple[Agent, Agent], desk: LiveDesk
) -> None:
    conversation = talks.conversation(*pair, "work", "a")
    show(page, talks, conversation)
    see(page, lambda: lanes(page), [("left", "a")])
    page.evaluate(HIDE, "hidden")
    see(page, lambda: [desk.desk.conversations.followers(id) for id in (talks.id, conversation)], [0, 0])
    pair[1].say(pair[0], "b")
    page.evaluate(HIDE, "visible")

    see(page, lambda: lanes(page), [("left", "a"), ("right", "b")])


def test_the_list_shows_only_what_goes_on_when_asked(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    over = talks.conversation(*pair, "over")
    talks.post(f"/conversations/{over}/end")
    live = talks.conversation(*pair, "live")
    show(page, talks)
    expect(page.locator(".talk-line")).to_have_count(2)
    page.get_by_role("button", name="Ongoing").click()

    expect(page.locator(".talk-line")).to_have_count(1)
    expect(page.locator(".talk-line")).to_have_attribute("data-conversation", live)
    page.get_by_role("button", name="All", exact=True).click()
    expect(page.locator(".talk-line")).to_have_count(2)


# --- ending ------------------------------------------------------------------------------------------------------


def test_a_person_ends_it_after_a_question(page: Page, talks: Talks, pair: tuple[Agent, Agent]) -> None:
    conversation = talks.conversation(*pair, "forever", "a")
    show(page, talks, conversation)
    page.locator(".talk-end").click()
    sheet = page.get_by_role("dialog", name="End this conversation?")
    expect(sheet.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    assert talks.get(f"/conversations/{conversation}")["conversation"]["state"] == "active"

    page.locator(".talk-end").click()
    sheet.get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".talk-head .talk-state")).to_have_text("Ended")
    expect(page.locator(".talk-note:visible")).to_contain_text("A person ended it on this page.")
    assert [agent.hear() for agent in pair] == ["conversation_ended", "conversation_ended"]


def test_what_another_ended_meanwhile_is_not_ended_twice(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    conversation = talks.conversation(*pair, "forever", "a")
    show(page, talks, conversation)
    page.locator(".talk-end").click()
    talks.post(f"/conversations/{conversation}/end")
    page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()

    expect(page.locator(".sheet-fault")).to_have_text("This conversation has ended.")


def test_nobody_can_write_in_the_view(page: Page, talks: Talks, pair: tuple[Agent, Agent]) -> None:
    show(page, talks, talks.conversation(*pair, "private", "a"))
    expect(page.locator(".lane-line")).to_have_count(1)

    expect(page.locator(".talk :is(input, textarea, select, [contenteditable])")).to_have_count(0)
    page.keyboard.type("forged")
    page.keyboard.press("Enter")
    assert lanes(page) == [("left", "a")]


# --- text stays text ---------------------------------------------------------------------------------------------


def test_markup_in_names_purposes_and_messages_stays_text(page: Page, talks: Talks) -> None:
    one, other = talks.agent(MARKUP), talks.agent(TURNED)
    conversation = talks.conversation(one, other, MARKUP, MARKUP, "line\n  two\t\u202eevil")
    show(page, talks, conversation)
    see(page, lambda: lanes(page), [("left", MARKUP), ("right", "line\n  two\t⟨U+202E⟩evil")])
    expect(page.locator(".talk-purpose")).to_have_text(MARKUP)
    expect(page.locator(f"[data-conversation={conversation}] .talk-about")).to_have_text(MARKUP)
    expect(page.locator(".lane-name").first).to_have_text(MARKUP)
    expect(page.locator(".lane-name").last).to_have_text("pay⟨U+202E⟩001 ⟨U+2066⟩x")
    expect(page.locator(f"[data-member={one.id}] .talk-name")).to_have_text(MARKUP)
    page.locator(".talk-end").click()
    expect(page.get_by_role("dialog")).to_contain_text(MARKUP)
    page.keyboard.press("Escape")
    page.locator(f"[data-member={one.id}]").hover()
    page.locator(f"[data-member={one.id}]").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("dialog")).to_contain_text(MARKUP)

    assert page.evaluate("window.hit") is None
    assert page.locator(":is(.talk, .sheet) :is(img, script, strong, b)").count() == 0


def test_a_very_long_message_is_folded_and_opened(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    long = "あ" * 20_000
    show(page, talks, talks.conversation(*pair, None, long, "x" * 60_000))
    first = page.locator(".lane-line").first
    expect(first.locator(".lane-text")).to_have_text("あ" * 1500)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    first.get_by_role("button", name="Show all").click()
    expect(first.locator(".lane-text")).to_have_text(long)
    expect(page.locator(".talk-purpose")).to_have_text("No purpose given")


# --- projects and agents -----------------------------------------------------------------------------------------


def test_the_first_project_and_agent_are_made_on_the_page(page: Page, desk: LiveDesk) -> None:
    for project in Talks(desk, "to count").get("/projects")["projects"]:
        Talks(desk, "x").http.delete(f"/projects/{project['id']}")
    with_none = Talks(desk, "last")
    for project in with_none.get("/projects")["projects"]:
        with_none.http.delete(f"/projects/{project['id']}")
    from_menu(page, "Conversations between agents")
    expect(page.get_by_role("heading", name="Watch agents talk")).to_be_visible()
    page.locator(".talk-welcome").get_by_role("button", name="New project").click()
    page.keyboard.press("Enter")
    expect(page.locator(".sheet-fault")).to_have_text("Enter a name.")
    page.keyboard.type("  Office <b>plan</b> ")
    page.keyboard.press("Enter")
    expect(page.locator(".project-button")).to_contain_text("Office <b>plan</b>")
    expect(page.locator(".talk-welcome")).to_contain_text(f"{desk.url}/mcp")

    page.route("**/api/agents", lambda _: None)  # the desk's own agents are not waited for
    page.locator(".talk-welcome").get_by_role("button", name="Add an agent").click()
    page.keyboard.type("Planner")
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name="Planner can join now")
    expect(sheet).to_be_visible()
    facts = dict(
        zip(sheet.locator("dt").all_inner_texts(), sheet.locator("code").all_inner_texts(), strict=True)
    )
    assert facts["MCP address"] == f"{desk.url}/mcp"
    passkey = facts["Passkey"]
    assert len(passkey) >= 24
    sheet.get_by_role("button", name="Copy Passkey").click()
    expect(sheet.get_by_role("status").first).to_have_text("Copied")
    sheet.get_by_role("button", name="Done").click()
    expect(page.locator(".talk-member")).to_contain_text(["Planner"])
    expect(page.locator("code", has_text=passkey)).to_have_count(0)  # the sheet fades
    assert passkey not in page.content()
    assert passkey not in page.evaluate("JSON.stringify([localStorage, sessionStorage, location.href])")
    [project] = with_none.get("/projects")["projects"]
    assert facts["project_id"] == project["id"]
    [member] = with_none.get(f"/projects/{project['id']}")["members"]
    assert (member["id"], member["kind"]) == (facts["agent_id"], "ai")


def test_an_agent_that_is_removed_ends_its_talk(page: Page, talks: Talks, pair: tuple[Agent, Agent]) -> None:
    show(page, talks, talks.conversation(*pair, "work", "a"))
    member = page.locator(f"[data-member={pair[1].id}]")
    member.hover()
    member.get_by_role("button", name="Remove Reviewer").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()

    expect(page.locator(".talk-member")).to_have_count(1)
    expect(page.locator(".talk-head .talk-state")).to_have_text("Ended")
    expect(page.locator(".talk-note:visible")).to_contain_text("an agent was removed")
    see(page, lambda: lanes(page), [("left", "a")])


def test_a_project_that_was_removed_gives_way_to_another(page: Page, talks: Talks, desk: LiveDesk) -> None:
    second = Talks(desk, "Second")
    show(page, talks)
    page.locator(".project-button").click()
    page.get_by_role("menuitemradio", name=re.compile("Second")).click()
    expect(page.locator(".project-button")).to_contain_text("Second")
    page.locator(".project-button").click()
    page.get_by_role("menuitem", name="Remove this project").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()

    expect(page.locator(".project-button")).not_to_contain_text("Second")
    assert second.http.get(f"/projects/{second.id}").status_code == 404


def test_a_link_to_another_project_leaves_the_conversation_of_this_one(
    page: Page, talks: Talks, pair: tuple[Agent, Agent], desk: LiveDesk
) -> None:
    show(page, talks, talks.conversation(*pair, "work", "a"))
    expect(page.locator(".talk-purpose")).to_have_text("work")
    second = Talks(desk, "Second")
    page.evaluate("(id) => { location.hash = `conversations=${id}`; }", second.id)

    expect(page.locator(".project-button")).to_contain_text("Second")
    expect(page.locator(".talk-welcome")).to_contain_text(second.id)
    expect(page.locator(".talk-transcript")).to_be_hidden()
    second.http.delete(f"/projects/{second.id}")


def test_a_project_that_somebody_else_removes_gives_way(page: Page, talks: Talks, desk: LiveDesk) -> None:
    second = Talks(desk, "Second")
    show(page, talks)
    page.evaluate("(id) => { location.hash = `conversations=${id}`; }", second.id)
    expect(page.locator(".project-button")).to_contain_text("Second")
    second.http.delete(f"/projects/{second.id}")

    expect(page.locator(".project-button")).not_to_contain_text("Second")
    expect(page.locator(".talk-fault")).to_be_hidden()


def test_an_agent_that_is_added_elsewhere_shows(page: Page, talks: Talks, pair: tuple[Agent, Agent]) -> None:
    show(page, talks)
    expect(page.locator(".talk-member")).to_have_count(2)
    talks.agent("Writer")
    expect(page.locator(".talk-member")).to_contain_text(["Planner", "Reviewer", "Writer"])


# --- the view itself ---------------------------------------------------------------------------------------------


def test_the_view_is_opened_walked_and_left_by_key(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    first = talks.conversation(*pair, "first")
    talks.post(f"/conversations/{first}/end")
    second = talks.conversation(*pair, "second")
    show(page, talks)
    page.keyboard.press("Escape")
    expect(page.locator(".talk")).to_be_hidden()
    expect(page.locator(".desk")).to_be_visible()
    assert "conversations" not in page.evaluate("location.hash")
    page.keyboard.press("c")
    expect(page.locator(".talk")).to_be_visible()  # what is hidden takes no focus
    expect(page.locator(".talk-line")).to_have_count(2)
    page.locator(f"[data-conversation={second}]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".talk-purpose")).to_have_text("first")
    expect(page.locator(f"[data-conversation={first}]")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator(".desk")).to_be_visible()
    expect(page.locator(".talk")).to_be_hidden()


def test_a_conversation_that_is_not_there_is_said(page: Page, talks: Talks) -> None:
    page.evaluate("location.hash = '#conversation=conv_nothing'")
    expect(page.locator(".talk-fault")).to_contain_text("There is no conversation 'conv_nothing'")


def test_the_view_speaks_japanese(page: Page, talks: Talks, pair: tuple[Agent, Agent]) -> None:
    show(page, talks, talks.conversation(*pair, None, "a"))
    expect(page.locator(".lane-line")).to_have_count(1)
    from_menu(page, "日本語で表示")

    expect(page.locator(".talk-title")).to_have_text("会話")
    expect(page.locator(".talk-head .talk-state")).to_have_text("会話中")
    expect(page.locator(".talk-purpose")).to_have_text("目的の指定なし")
    text = page.locator(".talk").inner_text()
    assert not re.search(r"\btalk\.\w+", text)
    assert "messages" not in text
    expect(page.locator(".lane-line")).to_have_count(1)


def test_a_narrow_screen_shows_the_list_then_what_is_said(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    conversation = talks.conversation(*pair, "x" * 300, "y" * 400)
    line = page.locator(f"[data-conversation={conversation}]")
    overflow = """() => [...document.querySelectorAll("body, .top-bar, .talk-log, .talk-head, .talk-scroll")]
      .filter((box) => box.clientWidth && box.scrollWidth > box.clientWidth).map((box) => box.className)"""
    for wide in (320, 390, 1024):
        page.set_viewport_size({"width": wide, "height": 844})
        show(page, talks)
        line.click()
        expect(page.locator(".lane-text")).to_be_visible()
        see(page, lambda: page.evaluate(overflow), [])
        if wide < 900:
            expect(line).to_be_hidden()
            page.get_by_role("button", name="Back to the list").click()
            expect(line).to_be_visible()
            see(page, lambda: page.evaluate(overflow), [])
    page.set_viewport_size({"width": 1440, "height": 900})


REDUCE = """async (facts) => {
    const { initialTalk, reduceTalk } = await import("/static/js/conversations/state.js");
    return facts.reduce(reduceTalk, initialTalk());
}"""


def test_the_state_takes_each_message_once_and_only_its_own(blank: Page) -> None:
    def message(seq: int, id: str = "c2") -> dict[str, object]:
        return {"type": "said", "id": id, "message": {"seq": seq, "content": str(seq), "createdAt": seq}}

    def facts(id: str, state: str = "active") -> dict[str, object]:
        return {"id": id, "projectId": "p", "state": state, "createdAt": int(id[1:])}

    def page_of(*seqs: int, earlier: bool = False) -> dict[str, object]:
        messages = [message(seq)["message"] for seq in seqs]
        return {"conversation": facts("c2"), "messages": messages, "earlier": earlier, "later": False}

    state = blank.evaluate(
        REDUCE,
        [
            {"type": "project", "project": {"id": "p", "members": []}},
            {"type": "listed", "page": {"conversations": [facts("c1")], "more": False}, "further": False},
            {"type": "select", "id": "c2"},
            {"type": "transcript", "transcript": page_of(5, 6, earlier=True)},
            *[message(6), message(7), message(7), message(8, "c1"), message(2)],
            {"type": "earlier", "transcript": page_of(3, 4, 5)},
            {"type": "changed", "conversation": facts("c3")},
            {"type": "changed", "conversation": {**facts("c9"), "projectId": "other"}},
            {"type": "changed", "conversation": facts("c2", "ended")},
            {"type": "nobody knows this"},
        ],
    )
    assert [message["seq"] for message in state["transcript"]["messages"]] == [3, 4, 5, 6, 7]
    assert state["transcript"]["conversation"]["state"] == "ended"
    assert [item["id"] for item in state["list"]] == ["c3", "c2", "c1"]
    assert state["transcript"]["earlier"] is False


def test_a_conversation_opened_while_the_list_is_read_again_stays_open(
    page: Page, talks: Talks, pair: tuple[Agent, Agent]
) -> None:
    first = talks.conversation(*pair, "first")
    talks.post(f"/conversations/{first}/end")
    talks.conversation(*pair, "second")
    show(page, talks)
    expect(page.locator(".talk-purpose")).to_have_text("second")
    page.keyboard.press("Escape")
    locked: list[Route] = []
    page.route(re.compile(r"/conversations\?"), lambda route: locked.append(route))
    page.keyboard.press("c")
    page.locator(f"[data-conversation={first}]").click()
    expect(page.locator(".talk-purpose")).to_have_text("first")
    expect(page.locator(".talk-line")).to_have_count(2)
    with page.expect_request(
        re.compile(r"/projects/[^/]+/events")
    ):  # which follows the list, once it is read
        locked.pop().continue_()
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(page.locator(".talk-purpose")).to_have_text("first")
