"""Agents that talk: many conversations at once, by the service and over /mcp, and again beside 100,000 stored messages."""

import asyncio
import json
import secrets
import sys
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import insert, update

from bench.conversation_clients import WORD, Talk, talk
from bench.desk import closed_desk, open_desk
from bench.report import CannotMeasure, Section, median, ms, of_times, shares
from smoldesk.cli.server import DeskServer, build_server
from smoldesk.conversations import AgentSession, Conversations, sessions
from smoldesk.conversations.project_rows import take_seqs
from smoldesk.desk import Desk
from smoldesk.store.conversation_tables import ConversationMessageRow, MembershipRow
from smoldesk.store.transaction import Tx

GOAL = 1.5
"""Beside a hundred thousand messages a word may take so much longer: indices grow by the logarithm."""


@dataclass
class Direct:
    """By the service itself."""

    conversations: Conversations
    session: AgentSession

    async def say(self, to: str) -> None:
        await self.conversations.send(self.session, to, WORD)

    async def wait(self) -> None:
        while not await self.conversations.pending(self.session):
            await self.conversations.next_action(self.session, 60)


async def members(conversations: Conversations, count: int) -> list[tuple[AgentSession, str]]:
    """Agents of one new project, logged in, with their tokens."""
    project = (await conversations.create_project("bench")).id
    created: list[tuple[AgentSession, str]] = []
    for number in range(count):
        member, passkey = await conversations.add_member(project, str(number), "ai")
        login = await conversations.authenticate(member.id, passkey, project)
        created.append((await conversations.session(login.token), login.token))
    return created


async def by_service(desk: Desk, conversations: int, rounds: int) -> Talk:
    created = await members(desk.conversations, 2 * conversations)
    talkers = [(Direct(desk.conversations, session), session.member_id) for session, _ in created]
    for (one, _), (_, other) in zip(talkers[::2], talkers[1::2], strict=True):
        await desk.conversations.start(one.session, other)
    return await talk(list(zip(talkers[::2], talkers[1::2], strict=True)), rounds)


@asynccontextmanager
async def served(desk: Desk) -> AsyncGenerator[str]:
    """The address of /mcp of a desk that is served from a thread of this process."""
    server: DeskServer = build_server(desk)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not (server.started and server.port):
        if not thread.is_alive():
            raise CannotMeasure("the server did not start")
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.port}/mcp"
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join)


async def by_mcp(desk: Desk, conversations: int, rounds: int) -> Talk:
    """Served from a thread of this process, to clients in another one: agents never share the server's."""
    async with served(desk) as url:
        created = await members(desk.conversations, 2 * conversations)
        requested = {
            "url": url,
            "agents": [(session.member_id, token) for session, token in created],
            "rounds": rounds,
        }
        clients = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.conversation_clients"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        report, _ = await clients.communicate(json.dumps(requested).encode())
    if clients.returncode:
        raise CannotMeasure(f"the clients failed ({clients.returncode})")
    return Talk(**json.loads(report))


def fill(desk: Desk, session: AgentSession, other: str, count: int) -> None:
    """So many read messages of one conversation, written as they lie after they were sent and fetched."""

    def rows(tx: Tx) -> None:
        last = take_seqs(tx, session.project_id, count)
        values = {"project_id": session.project_id, "from_id": session.member_id, "to_id": other}
        values |= {"conversation_id": None, "content": WORD, "created_at": 0.0}
        messages = [
            {**values, "id": f"msg_{secrets.token_hex(12)}", "seq": last - number} for number in range(count)
        ]
        if messages:
            tx.execute(insert(ConversationMessageRow), messages)
        read = update(MembershipRow).where(MembershipRow.project_id == session.project_id)
        tx.execute(read.values(received_seq=last, read_seq=last))

    desk.store.submit(rows).result()


async def words_of_one_pair(desk: Desk, text: int, stored: int) -> list[float]:
    """Seconds of each word of one conversation, sent and fetched, in a project with so many stored messages."""
    (one, _), (two, _) = await members(desk.conversations, 2)
    await asyncio.to_thread(fill, desk, one, two.member_id, stored)
    await desk.conversations.start(one, two.member_id)
    used: list[float] = []
    for _ in range(text):
        started_at = time.perf_counter()
        await desk.conversations.send(one, two.member_id, WORD)
        await desk.conversations.next_action(two)
        await desk.conversations.pending(two)
        used.append(time.perf_counter() - started_at)
    return used


def measure(conversations: int = 100, rounds: int = 5, text: int = 300, stored: int = 100_000) -> Section:
    """On SQLite as it is by default; passkeys are hashed cheaply, for logging in is not what is measured."""
    section = Section(
        f"{conversations} conversations at once",
        method=[
            f"each: {rounds} rounds of a word and its answer; who is spoken to waits in get_next_action, then fetches",
            "poll latency: from before a word is sent until who waits for it holds it",
            "over /mcp: the official client, protocol 2026-07-28, all clients in one process beside the server's",
            f"growth: a word sent, noticed and fetched, {text} times, beside 0 and {stored} stored messages",
        ],
    )
    cost, sessions.COST = sessions.COST, 2
    try:
        with open_desk() as desk:
            _add(section, "by the service", asyncio.run(by_service(desk, conversations, rounds)))
            few = asyncio.run(words_of_one_pair(desk, text, 0))
            many = asyncio.run(words_of_one_pair(desk, text, stored))
        with closed_desk(port=0, log_level="WARNING") as desk:
            _add(section, "over /mcp", asyncio.run(by_mcp(desk, conversations, rounds)))
    finally:
        sessions.COST = cost
    for stored_now, used in ((0, few), (stored, many)):
        section.figures.append((f"a word beside {stored_now} messages", ms(median(used))))
    name = f"a word beside {stored} stored messages to beside none"
    section.ratios.append(of_times(name, median(many), median(few), GOAL))
    return section


def _add(section: Section, how: str, message: Talk) -> None:
    section.figures.append((f"{how}, messages", f"{message.rate:.0f}/s ({message.messages} messages)"))
    section.figures.append((f"{how}, poll latency", shares(message.latencies)))
