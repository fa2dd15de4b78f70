"""Agents that talk: many conversations at once, by the service and over /mcp, and again beside 100,000 stored messages."""

import asyncio
import secrets
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy import insert, update

from backend.commands.server import DeskServer, build_server
from backend.conversations import AgentSession, Conversations, passkeys
from backend.conversations.project_rows import take_seqs
from backend.main import Desk
from backend.store.conversation_tables import ConversationMessageRow, MembershipRow
from backend.store.tx import Tx
from bench.desk import closed_desk, open_desk
from bench.report import CannotMeasure, Ratio, Section, median, ms, percentile

GOAL = 1.5
"""Beside a hundred thousand messages a word may take so much longer: indices grow by the logarithm."""
WORD = "りんご"


class Talker(Protocol):
    """One agent, however it is connected."""

    async def say(self, to: str) -> None: ...

    async def wait(self) -> None:
        """Until there is something to do, and fetch it."""
        ...


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


@dataclass
class OverMcp:
    """By the official client, over a socket."""

    client: Any
    token: str

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, {"session_token": self.token, **arguments})
        if result.is_error:
            raise CannotMeasure(f"{tool} was refused: {result.content}")
        return result.structured_content

    async def say(self, to: str) -> None:
        await self._call("send_message", target_agent_id=to, content=WORD)

    async def wait(self) -> None:
        while not (await self._call("get_pending_messages"))["messages"]:
            await self._call("get_next_action", wait_seconds=60)


@dataclass
class Talk:
    """What came out: messages a second, and how long after it began to be said a word was held by who waited for it."""

    seconds: float
    messages: int
    latencies: list[float] = field(default_factory=list[float])

    @property
    def rate(self) -> float:
        return self.messages / self.seconds


async def members(conversations: Conversations, count: int) -> list[tuple[AgentSession, str]]:
    """Agents of one new project, logged in, with their tokens."""
    project = (await conversations.create_project("bench")).id
    made: list[tuple[AgentSession, str]] = []
    for number in range(count):
        member, passkey = await conversations.add_member(project, str(number), "ai")
        login = await conversations.authenticate(member.id, passkey, project)
        made.append((await conversations.session(login.token), login.token))
    return made


async def talk(pairs: list[tuple[tuple[Talker, str], tuple[Talker, str]]], rounds: int) -> Talk:
    """Every pair at once: one says a word, the other waits for it and answers."""
    latencies: list[float] = []

    async def one(first: tuple[Talker, str], second: tuple[Talker, str]) -> None:
        for _ in range(rounds):
            for (speaker, _), (listener, its_id) in ((first, second), (second, first)):
                waiting = asyncio.create_task(listener.wait())
                await asyncio.sleep(0)
                began = time.perf_counter()
                await speaker.say(its_id)
                await waiting
                latencies.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(one(*pair) for pair in pairs))
    return Talk(time.perf_counter() - began, len(latencies), latencies)


async def by_service(desk: Desk, conversations: int, rounds: int) -> Talk:
    made = await members(desk.conversations, 2 * conversations)
    talkers = [(Direct(desk.conversations, session), session.member_id) for session, _ in made]
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


async def connected(url: str, token: str, ready: "asyncio.Future[OverMcp]", done: asyncio.Event) -> None:
    """Hold one connection until everybody is done."""
    from mcp import Client

    try:
        async with Client(url) as client:
            ready.set_result(OverMcp(client, token))
            await done.wait()
    except Exception as fault:
        if not ready.done():
            ready.set_exception(fault)
        raise


async def by_mcp(desk: Desk, conversations: int, rounds: int) -> Talk:
    done = asyncio.Event()
    async with served(desk) as url:
        made = await members(desk.conversations, 2 * conversations)
        ready = [asyncio.get_running_loop().create_future() for _ in made]
        holding = [
            asyncio.create_task(connected(url, token, future, done))
            for (_, token), future in zip(made, ready, strict=True)
        ]
        talkers = [
            (await future, session.member_id) for (session, _), future in zip(made, ready, strict=True)
        ]
        for (one, _), (_, other) in zip(talkers[::2], talkers[1::2], strict=True):
            started = {"session_token": one.token, "target_agent_id": other}
            await one.client.call_tool("start_conversation", started)
        said = await asyncio.gather(
            talk(list(zip(talkers[::2], talkers[1::2], strict=True)), rounds), return_exceptions=True
        )
        done.set()
        broken = [fault for fault in await asyncio.gather(*holding, return_exceptions=True) if fault]
    talked = said[0]
    if isinstance(talked, BaseException):
        raise CannotMeasure(f"a call failed ({talked!r}, {broken[:1]!r})") from talked
    return talked


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


async def words_of_one_pair(desk: Desk, words: int, stored: int) -> list[float]:
    """Seconds of each word of one conversation, sent and fetched, in a project with so many stored messages."""
    (one, _), (two, _) = await members(desk.conversations, 2)
    await asyncio.to_thread(fill, desk, one, two.member_id, stored)
    await desk.conversations.start(one, two.member_id)
    taken: list[float] = []
    for _ in range(words):
        began = time.perf_counter()
        await desk.conversations.send(one, two.member_id, WORD)
        await desk.conversations.next_action(two)
        await desk.conversations.pending(two)
        taken.append(time.perf_counter() - began)
    return taken


def measure(conversations: int = 100, rounds: int = 5, words: int = 300, stored: int = 100_000) -> Section:
    """On SQLite as it is by default; passkeys are hashed cheaply, for logging in is not what is measured."""
    section = Section(
        f"{conversations} conversations at once",
        method=[
            f"each: {rounds} rounds of a word and its answer; who is spoken to waits in get_next_action, then fetches",
            "poll latency: from before a word is sent until who waits for it holds it",
            "over /mcp: the official client, protocol 2026-07-28; client and server share this process",
            f"growth: a word sent, noticed and fetched, {words} times, beside 0 and {stored} stored messages",
        ],
    )
    cost, passkeys.COST = passkeys.COST, 2
    try:
        with open_desk() as desk:
            _add(section, "by the service", asyncio.run(by_service(desk, conversations, rounds)))
            few = asyncio.run(words_of_one_pair(desk, words, 0))
            many = asyncio.run(words_of_one_pair(desk, words, stored))
        with closed_desk(port=0, log_level="WARNING") as desk:
            _add(section, "over /mcp", asyncio.run(by_mcp(desk, conversations, rounds)))
    finally:
        passkeys.COST = cost
    for stored_now, taken in ((0, few), (stored, many)):
        section.figures.append((f"a word beside {stored_now} messages", ms(median(taken))))
    section.ratios.append(
        Ratio(
            f"a word beside {stored} stored messages to beside none",
            ms(median(many)),
            ms(median(few)),
            median(many) / median(few),
            GOAL,
        )
    )
    return section


def _add(section: Section, how: str, said: Talk) -> None:
    p50, p99 = (ms(percentile(said.latencies, share)) for share in (0.5, 0.99))
    section.figures.append((f"{how}, messages", f"{said.rate:.0f}/s ({said.messages} messages)"))
    section.figures.append((f"{how}, poll latency", f"p50 {p50}, p99 {p99}"))
