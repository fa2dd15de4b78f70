"""`smoldesk run "question"`: one answer in a terminal, without a server."""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from smoldesk.agents import load_agents
from smoldesk.cli.transcript import JsonTranscript, TextTranscript, Transcript
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import BadInput
from smoldesk.events import (
    RunCancelled,
    RunFailed,
    RunFinished,
    StoredEvent,
)
from smoldesk.runs import RunOptions
from smoldesk.settings import Settings


def run(settings: Settings, question: str, paths: Sequence[Path], as_json: bool, keep: bool) -> int:
    """Ask one question in a new chat; 0 when it was answered, 1 when the run failed or was stopped.

    Prints the answer as text, or each message as a line of JSON. What the code draws and saves is copied to the
    current folder. Without `keep` data directory and database are temporary ones. Raises DeskError for what cannot begin.
    """
    listed = load_agents(
        settings.data_dir.absolute()
    )  # of the desk's own data directory, also if another is used below
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as temporary:
        if not keep:
            settings = settings.with_own_storage(Path(temporary))
        desk = build_desk(settings, agent_list=listed)
        try:
            desk.open()
            transcript = (JsonTranscript if as_json else TextTranscript)(desk.files, Path.cwd())
            return asyncio.run(ask(desk, question, paths, transcript))
        finally:
            desk.close()


async def give(desk: Desk, chat_id: str, path: Path) -> str:
    """Copy a file into the chat, and report on stderr the problems of a table file. Return its name there.

    Raises BadInput or NotFound.
    """
    source = await asyncio.to_thread(
        path.resolve
    )  # the person's own link is followed, unlike one that code made
    if not await asyncio.to_thread(source.is_file):
        raise BadInput(f"There is no file {path}.", "Give the path of a file that exists.")
    name, profile = await desk.uploads.add(chat_id, source, path.name)
    for problem in profile.problems if profile is not None else ():
        sys.stderr.write(f"{name}: {problem.line}\n")
    return name


async def ask(desk: Desk, question: str, paths: Sequence[Path], transcript: Transcript) -> int:
    """Send the question in a new chat and write down what comes, up to the end of its run; the exit code."""
    chat_id = (await desk.chats.create()).id
    names = [await give(desk, chat_id, path) for path in paths]
    await desk.runs.start(chat_id, question, RunOptions(attachments=names or None))
    async for batch in desk.runs.follow(chat_id):
        for item in batch:
            if isinstance(item, StoredEvent):
                transcript.write(item)
                if isinstance(item.event, RunFinished | RunFailed | RunCancelled):
                    return 0 if isinstance(item.event, RunFinished) else 1
    return 1
