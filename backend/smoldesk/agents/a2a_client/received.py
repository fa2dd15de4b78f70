"""Files that an agent elsewhere sent with its answer: into the chat, within bounds, and only from where it may be reached."""

import asyncio

import httpx

from smoldesk.agents.a2a_client.bounded import Meter, body_of, client_of
from smoldesk.agents.a2a_client.client import in_own_loop
from smoldesk.agents.a2a_client.entries import Peer, Peers, origin_of
from smoldesk.agents.a2a_client.errors import AgentFailed
from smoldesk.agents.a2a_client.parts import SentFile
from smoldesk.agents.a2a_client.remote_task import Work
from smoldesk.errors import DeskError
from smoldesk.tools.run_context import ToolContext

MOST_FILES = 20


def keep_files(work: Work, peer: Peer, peers: Peers, context: ToolContext) -> str:
    """The answer of finished work, with a line for each file: put into the chat, or why not. Raises Stopped."""
    files = work.files()
    lines = [_kept(file, peer, peers, context) for file in files[:MOST_FILES]]
    if len(files) > MOST_FILES:
        lines.append(f"({len(files) - MOST_FILES} more files were not taken)")
    return "\n\n".join(text for text in (work.answer(), "\n".join(lines)) if text)


def _kept(file: SentFile, peer: Peer, peers: Peers, context: ToolContext) -> str:
    content = file.content
    if content is None:
        if not _is_reachable(file.url, peer):
            return f"Link: {file.url[:2000]}"
        try:
            content = in_own_loop(lambda: _fetched(file, peer, peers), context.stop)
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
