"""Agents of the desk in conversations with two live desks on one PostgreSQL: one run a turn, and the same bounds for both."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from smoldesk.conversations import desk_member
from smoldesk.conversations.desk_member import DeskMember
from smoldesk.conversations.models import Action
from tests.conversations.test_desk_agents import (
    ENTRIES,
    api,
    begin,
    events,
    project_of,
    reply,
    runs_of,
    talked,
)
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.postgres import TestPostgres
from tests.support.scripted_model import ScriptedModel
from tests.support.waiting import come_true

ON_B: list[str] = []
"""A member whose turns are all taken by the second server, and one whose turns are all taken by the first."""
PERIOD = 2.0
RATE = 4
LIMITS: dict[str, Any] = {"conversation_max_messages": 12, "conversation_runs_per_minute": RATE}


@pytest.fixture(scope="module")
def two_servers(
    tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres
) -> Iterator[tuple[LiveDesk, LiveDesk]]:
    folders: list[Path] = [tmp_path_factory.mktemp(name) for name in ("a", "b")]
    for folder in folders:
        (folder / "agents.toml").write_text(ENTRIES)

    def model() -> ScriptedModel:
        return ScriptedModel([reply])

    servers: list[LiveDesk] = []
    act = DeskMember._act  # pyright: ignore[reportPrivateUsage]

    async def by_turns(self: DeskMember, action: Action) -> None:
        """Some turns are taken by the one, others by the other: as when whoever is first takes them."""
        if self.session.member_id in ON_B:
            at = ON_B.index(self.session.member_id) + 1
        elif action.conversation_id is None:
            at = 0
        else:  # not by the event: a server that is late has a later one for the same turn, and both would leave it
            at = (await servers[0].desk.conversations.conversation(action.conversation_id)).messages // 2
        talk = servers[at % 2].desk.conversations
        if self._talk is talk:  # pyright: ignore[reportPrivateUsage]
            await act(self, action)

    with pytest.MonkeyPatch.context() as patch, postgres.desk_database() as url:
        patch.setattr(desk_member, "PERIOD_SECONDS", PERIOD)
        with (
            live_desk(folders[0], model, database_url=url, **LIMITS) as a,
            live_desk(folders[1], model, database_url=url, **LIMITS) as b,
        ):
            servers += [a, b]
            patch.setattr(DeskMember, "_act", by_turns)
            yield a, b


def waits_at(server: LiveDesk, project: str, *members: dict[str, Any]) -> bool:
    return all(server.desk.conversations.waiting_for(project, member["id"]) for member in members)


def test_a_chain_over_two_servers_ends_where_one_on_one_does(two_servers: tuple[LiveDesk, LiveDesk]) -> None:
    with api(two_servers[0]) as http:
        project, (first, other) = project_of(http, "restless", "restless")
        # A server that comes late begins after what the other one has read, and the patch makes the other leave turns.
        come_true(lambda: all(waits_at(server, project, first, other) for server in two_servers))
        ON_B[:] = [first["id"], other["id"]]
        begin(two_servers[0], project, first["id"], other["id"])

        def refused() -> bool:
            return any(
                "nested conversations are the most" in http.get(f"/chats/{who['chatId']}/events").text
                for who in (first, other)
            )

        come_true(refused, 180)
        conversations = http.get(f"/projects/{project}/conversations").json()["conversations"]
        assert len(conversations) == 11, "the first, and ten that each began in a turn of the one before"


def test_a_member_keeps_its_rate_whoever_takes_its_turns(two_servers: tuple[LiveDesk, LiveDesk]) -> None:
    with api(two_servers[0]) as http:
        project, (first, other) = project_of(http, "parrot", "parrot")
        begin(two_servers[0], project, first["id"], other["id"])
        transcript = talked(http, project)
        assert [message["content"] for message in transcript["messages"]] == ["hello", *["again"] * 11], (
            "each turn once"
        )
        for member in (first, other):
            times = [datetime.fromisoformat(run["at"]).timestamp() for run in runs_of(http, member["chatId"])]
            assert len(times) >= 5
            assert all(
                later - first >= PERIOD * 0.95 for first, later in zip(times, times[RATE:], strict=False)
            )


def test_a_person_at_the_other_server_ends_a_conversation_and_its_run(
    two_servers: tuple[LiveDesk, LiveDesk],
) -> None:
    with api(two_servers[0]) as http, api(two_servers[1]) as other_http:
        project, (first, slow) = project_of(http, "left", "slow")
        conversation = begin(two_servers[0], project, first["id"], slow["id"])
        come_true(lambda: "printed" in http.get(f"/chats/{slow['chatId']}/events").text)
        assert other_http.post(f"/conversations/{conversation}/end").status_code == 200
        ended = come_true(
            lambda: [event for event in events(http, slow) if event["event"]["type"] == "run_cancelled"]
        )
        assert ended[0]["event"]["reason"] == "The conversation is over: person_ended"
