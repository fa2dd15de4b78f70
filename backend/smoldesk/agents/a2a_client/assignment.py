"""One task for a remote agent, from the message to the answer and its files."""

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

# Limits of what one call writes into the log. Characters of progress; the answer itself is not cut.
MAX_PROGRESS = 20_000
# Changes of state that are logged; the last one always is.
MAX_STATES = 500
# Questions per task: an agent that keeps asking would hold the run for ever.
MAX_QUESTIONS = 20
# Characters of a question or of a failure's details.
LONGEST_QUESTION = 4_000


class Assignment:
    """Handler of one call. Used once, on the run's own thread."""

    def __init__(self, peer: Peer, peers: Peers, context: ToolContext, depth: int) -> None:
        """Prepare a call; `depth` counts the agents between a person and the remote agent."""
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
        """Return the agent's answer as text, with the names of the files it sent. Raises AgentFailed, Stopped, BadInput."""
        self._call.settle()
        self._context = self._peers.last_context(self._call.chat_id, self._peer.name) or ""
        sent = Sent(message, self._depth, self._context)
        question_count = 0
        try:
            run_in_new_loop(lambda: self._turn.run(sent), self._call.stop)
            while self._work.is_asking:
                question_count += 1
                if question_count > MAX_QUESTIONS:
                    raise AgentFailed(f"The agent asked more than {MAX_QUESTIONS} questions.")
                value = self._ask()
                work = self._work
                answer = Sent(value, self._depth, work.context_id, work.task_id, work.question_id)
                run_in_new_loop(lambda answer=answer: self._turn.run(answer), self._call.stop)
            self._check_end()
            return save_files(self._work, self._peer, self._peers, self._call)
        except BaseException as fault:
            self._end(fault)
            raise

    def _report_progress(self, text: str) -> None:
        state = self._work.progress
        context = self._work.context_id if self._work.context_id != self._context else None
        if context is not None:
            self._context = context
        # The first text beyond the limit ends with an ellipsis, later ones are empty: only changes of state go on.
        new = text[: max(0, MAX_PROGRESS - self._progress_characters)]
        self._progress_characters += len(text)
        if new != text:
            new = f"{new}…" if new else ""
        if state != self._last:
            self._states += 1
        # The last state is reported in any case: the page must not show a finished task as running.
        is_news = state != self._last and (self._states <= MAX_STATES or self._work.is_over)
        if new or is_news or context is not None:
            self._last = state
            self._call.report_progress(self._peer.name, state, new, context)

    def _ask(self) -> str:
        """Ask the people of the chat the agent's question; return the answer. Raises AgentFailed without one, Stopped."""
        question = self._work.status_text.strip()[:LONGEST_QUESTION] or "The agent needs input."
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
            why = (
                "no answer came in time" if answer.by == "expiry" else answer.reason or "it was not answered"
            )
            raise AgentFailed(f"The agent asked a question, and {why.rstrip('.')}; its task was cancelled.")
        return answer.value

    def _check_end(self) -> None:
        """Raise AgentFailed unless the task is completed."""
        details = self._work.answer()[:LONGEST_QUESTION] or "no details given"
        match self._work.state:
            case TaskState.TASK_STATE_COMPLETED:
                return
            case TaskState.TASK_STATE_REJECTED:
                raise AgentFailed(f"The agent refused the task: {details}")
            case TaskState.TASK_STATE_CANCELED:
                raise AgentFailed(f"The agent cancelled the task: {details}")
            case TaskState.TASK_STATE_AUTH_REQUIRED:
                raise AgentFailed(
                    f"The agent requires credentials: {details}",
                    f"Set `token_env` of [peers.{self._peer.name}].",
                )
            case _:
                raise AgentFailed(f"The agent failed: {details}")

    def _end(self, fault: BaseException) -> None:
        """Cancel a task that still runs, and close its progress on the page."""
        if self._work.task_id and not self._work.is_over:
            run_in_new_loop(self._turn.cancel)
        state = "cancelled" if isinstance(fault, Stopped) else "failed"
        if self._last is not None and not self._work.is_over and not isinstance(fault, Stopped):
            try:
                self._call.report_progress(self._peer.name, state)
            except DeskError:  # the run was closed meanwhile and takes no more events
                return


# Per answer; a line of the answer counts the others.
MAX_FILES = 20


def save_files(work: RemoteTask, peer: Peer, peers: Peers, context: ToolContext) -> str:
    """Return the answer of a finished task with a line for each file: its name in the chat, or the reason. Raises Stopped."""
    files = work.files()
    lines = [_save_file(file, peer, peers, context) for file in files[:MAX_FILES]]
    if len(files) > MAX_FILES:
        lines.append(f"({len(files) - MAX_FILES} more files were not accepted)")
    return "\n\n".join(text for text in (work.answer(), "\n".join(lines)) if text)


def _save_file(file: SentFile, peer: Peer, peers: Peers, context: ToolContext) -> str:
    content = file.content
    if content is None:
        # Only the agent's own addresses are fetched: a URL elsewhere could make the desk read its internal network.
        if not _is_reachable(file.url, peer):
            return f"Link: {file.url[:2000]}"
        try:
            content = run_in_new_loop(lambda: _fetch(file, peer, peers), context.stop)
        except TimeoutError:
            return f"Link: {file.url[:2000]} (the file could not be read: no response within {peers.silence:g} s)"
        except (DeskError, httpx.HTTPError) as fault:
            context.stop.check()
            return f"Link: {file.url[:2000]} (the file could not be read: {fault})"
    if len(content) > peers.file_limit:
        return f"({file.name} was not accepted: it has more than {peers.file_limit:,} bytes)"
    try:
        return f"Wrote: {context.add_file(file.name, content)}"
    except (DeskError, OSError) as fault:
        return f"({file.name} was not accepted: {fault})"


def _is_reachable(url: str, peer: Peer) -> bool:
    try:
        return origin_of(url) in peer.allowed()
    except ValueError:
        return False


async def _fetch(file: SentFile, peer: Peer, peers: Peers) -> bytes:
    async with asyncio.timeout(peers.silence), client_of(peer, peers.silence, Meter()) as client:
        try:
            return (await body_of(client, file.url, peers.file_limit, "The file")).content
        except httpx.InvalidURL as fault:
            raise AgentFailed(
                f"The address of the file, {file.url[:200]!r}, is not a web address."
            ) from fault
