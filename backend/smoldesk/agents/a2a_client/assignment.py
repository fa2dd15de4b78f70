"""One piece of work for an agent elsewhere, from the message to the answer and its files: followed, asked about, ended."""

import asyncio
import secrets
from datetime import UTC, datetime, timedelta

import httpx
from a2a.types import TaskState

from smoldesk.agents.a2a_client.bounded import Meter, body_of, client_of
from smoldesk.agents.a2a_client.client import Sent, Turn, run_in_new_loop
from smoldesk.agents.a2a_client.entries import AgentFailed, Peer, Peers, origin_of
from smoldesk.agents.a2a_client.parts import SentFile
from smoldesk.agents.a2a_client.remote_task import RemoteTask
from smoldesk.errors import DeskError, Stopped
from smoldesk.events import Ask
from smoldesk.tools.run_context import ToolContext

# Characters of progress that are shown; the answer is not cut by it.
MOST_PROGRESS = 20_000
# Changes of its state that are shown.
MOST_STATES = 500
# Questions of one piece of work that people are asked.
MOST_QUESTIONS = 20
LONGEST_QUESTION = 4_000


class Assignment:
    """Serves one call. Used once, on the run's own thread."""

    def __init__(self, peer: Peer, peers: Peers, context: ToolContext, depth: int) -> None:
        """`depth` is how many agents will stand between a person and that one."""
        self._peer = peer
        self._peers = peers
        self._call = context
        self._depth = depth
        self._work = RemoteTask()
        traceparent = peers.traceparent(context.call_id)
        self._turn = Turn(peer, peers.silence, self._work, self._report_progress, traceparent)
        self._progress_characters = 0
        self._states = 0
        self._last: str | None = None
        self._context = ""

    def run(self, message: str) -> str:
        """The agent's answer in words, with the names of files it sent. Raises AgentFailed, Stopped, BadInput."""
        self._call.settle()
        self._context = self._peers.last_context(self._call.chat_id, self._peer.name) or ""
        sent = Sent(message, self._depth, self._context)
        question_count = 0
        try:
            run_in_new_loop(lambda: self._turn.run(sent), self._call.stop)
            while self._work.is_asking:
                question_count += 1
                if question_count > MOST_QUESTIONS:
                    raise AgentFailed(f"It asks more than {MOST_QUESTIONS} questions.")
                value = self._ask()
                work = self._work
                answer = Sent(value, self._depth, work.context_id, work.task_id, work.question_id)
                run_in_new_loop(lambda answer=answer: self._turn.run(answer), self._call.stop)
            self._check_end()
            return keep_files(self._work, self._peer, self._peers, self._call)
        except BaseException as fault:
            self._end(fault)
            raise

    def _report_progress(self, text: str) -> None:
        """Say what is new, within bounds."""
        state = self._work.progress
        context = self._work.context_id if self._work.context_id != self._context else None
        if context is not None:
            self._context = context
        new = text[: max(0, MOST_PROGRESS - self._progress_characters)]
        self._progress_characters += len(text)
        if new != text:
            new = f"{new}…" if new else ""
        if state != self._last:
            self._states += 1
        is_news = state != self._last and (self._states <= MOST_STATES or self._work.is_over)
        if new or is_news or context is not None:
            self._last = state
            self._call.report_progress(self._peer.name, state, new, context)

    def _ask(self) -> str:
        """Put its question to the people of the chat; the answer. Raises AgentFailed when there is none, Stopped."""
        question = self._work.status_text.strip()[:LONGEST_QUESTION] or "It needs an input."
        options = self._work.options
        answer = self._call.ask(
            Ask(
                id=f"a_{secrets.token_hex(12)}",
                kind="input",
                prompt=f"{self._peer.name}: {question}",
                input_type="selection" if options else "text",
                options=options,
                expires_at=datetime.now(UTC) + timedelta(seconds=self._peers.ask_seconds),
            )
        )
        if not answer.granted or not isinstance(answer.value, str):
            why = "no answer came in time" if answer.by == "expiry" else answer.reason or "nobody answered it"
            raise AgentFailed(f"It asked a question, and {why.rstrip('.')}; its work was cancelled.")
        return answer.value

    def _check_end(self) -> None:
        """Raises AgentFailed for every end but a good one."""
        details = self._work.answer()[:LONGEST_QUESTION] or "it says no more"
        match self._work.state:
            case TaskState.TASK_STATE_COMPLETED:
                return
            case TaskState.TASK_STATE_REJECTED:
                raise AgentFailed(f"It refused the work: {details}")
            case TaskState.TASK_STATE_CANCELED:
                raise AgentFailed(f"It cancelled the work: {details}")
            case TaskState.TASK_STATE_AUTH_REQUIRED:
                raise AgentFailed(
                    f"It wants credentials that it was not given: {details}",
                    f"The desk's operator lists its token as `token_env` of [peers.{self._peer.name}].",
                )
            case _:
                raise AgentFailed(f"It failed: {details}")

    def _end(self, fault: BaseException) -> None:
        """After a fault of ours or theirs: what still runs there is cancelled, and the page knows that it is over."""
        if self._work.task_id and not self._work.is_over:
            run_in_new_loop(self._turn.cancel)
        state = "cancelled" if isinstance(fault, Stopped) else "failed"
        if self._last is not None and not self._work.is_over and not isinstance(fault, Stopped):
            try:
                self._call.report_progress(self._peer.name, state)
            except DeskError:  # the run was closed meanwhile: nothing more is said
                return


MOST_FILES = 20


def keep_files(work: RemoteTask, peer: Peer, peers: Peers, context: ToolContext) -> str:
    """The answer of finished work, with a line for each file: put into the chat, or why not. Raises Stopped."""
    files = work.files()
    lines = [_save_file(file, peer, peers, context) for file in files[:MOST_FILES]]
    if len(files) > MOST_FILES:
        lines.append(f"({len(files) - MOST_FILES} more files were not taken)")
    return "\n\n".join(text for text in (work.answer(), "\n".join(lines)) if text)


def _save_file(file: SentFile, peer: Peer, peers: Peers, context: ToolContext) -> str:
    content = file.content
    if content is None:
        if not _is_reachable(file.url, peer):
            return f"Link: {file.url[:2000]}"
        try:
            content = run_in_new_loop(lambda: _fetched(file, peer, peers), context.stop)
        except TimeoutError:
            return (
                f"Link: {file.url[:2000]} (it could not be read: it did not come within {peers.silence:g} s)"
            )
        except (DeskError, httpx.HTTPError) as fault:
            context.stop.check()
            return f"Link: {file.url[:2000]} (it could not be read: {fault})"
    if len(content) > peers.file_limit:
        return f"({file.name} was not taken: it has more than {peers.file_limit:,} bytes)"
    try:
        return f"Wrote: {context.add_file(file.name, content)}"
    except (DeskError, OSError) as fault:
        return f"({file.name} was not taken: {fault})"


def _is_reachable(url: str, peer: Peer) -> bool:
    try:
        return origin_of(url) in peer.allowed()
    except ValueError:
        return False


async def _fetched(file: SentFile, peer: Peer, peers: Peers) -> bytes:
    async with asyncio.timeout(peers.silence), client_of(peer, peers.silence, Meter()) as client:
        try:
            return (await body_of(client, file.url, peers.file_limit, "The file")).content
        except httpx.InvalidURL as fault:
            raise AgentFailed("That is no web address.") from fault
