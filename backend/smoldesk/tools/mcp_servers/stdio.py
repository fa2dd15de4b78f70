"""MCP over the standard input and output of a program: the SDK's messages, with limits that its own transport lacks.

A line over the limit is discarded as it arrives, and its call answered with an error; lines that are not MCP are
skipped and remembered for error texts, as is the end of standard error.
"""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from smoldesk.sandbox.jail.places import PROGRAMS
from smoldesk.sandbox.jailed_command import JailedProgram, start_jailed
from smoldesk.sandbox.program_watch import EVERY_SECONDS, ProgramWatch
from smoldesk.tools.mcp_servers.entries import ServerEntry
from smoldesk.tools.mcp_servers.failures import McpFailed
from smoldesk.tools.mcp_servers.program_options import ProgramOptions

# Maximum bytes of one message.
MAX_BYTES = 32 * 1024 * 1024
# Error code in place of a message that was too large.
TOO_LARGE = -32099
MAX_ERROR_BYTES = 2_000
READ = 1 << 16
# Seconds for a program to exit after its input is closed.
ENDS = 2.0
GROUP_ENDS = 1.0
_ID_FIRST = re.compile(rb'\A\s*\{"jsonrpc":\s*"2\.0",\s*"id":\s*(\d+),')
_ID_LAST = re.compile(rb'"id":\s*(\d+)\s*\}\s*\Z')
# A line such as `Error: Cannot find module ...`: further lines may follow, such as the runtime's version.
_NAMES_ONE = re.compile(r"(?:[\w.]*(?:Error|Exception)|error|fatal)\b.*: ?\S", re.IGNORECASE)
PASSED_ON = ("LANG", "TZ")


class RunningProgram:
    """Running program of a server. `junk` and `complaint` are its output that is not MCP."""

    def __init__(self, entry: ServerEntry, folder: Path, options: ProgramOptions) -> None:
        """Start it. To be made by the thread that owns the server. Raises McpFailed if it cannot be started."""
        data, jail = options.data, options.jail
        argv, visible = command_of(entry)
        if any(
            data.resolve() in (path, *path.parents)
            for path in map(Path, (*visible, *map(os.path.realpath, visible)))
        ):
            raise McpFailed("Its program is in a folder of the desk's own data.", "Install it elsewhere.")
        variables = _environment(entry, folder, argv[0])
        readable = [*map(Path, (*entry.readable, *visible))]
        writable = [*map(Path, entry.writable)]
        network = entry.network, options.closed()
        program = JailedProgram(argv, variables, folder, readable, writable, [data], *network, options.limits)
        try:
            self.process = start_jailed(program, jail)
        except (OSError, ValueError) as fault:
            raise McpFailed(f"Its program could not be started: {fault}.") from fault
        self.junk = ""
        self.valid = 0
        self.excess = ""
        """The limit for which it was ended."""
        self.watch = ProgramWatch(self.process.pid, folder, options.limits)
        self._complaint = bytearray()
        self.unseen = (
            hidden_path_message(entry, [*readable, *writable, folder]) if jail.plan is not None else ""
        )
        self._secrets = entry.secrets()

    @property
    def complaint(self) -> str:
        """The last lines of its standard error, without the values of its environment."""
        text = self._complaint.decode("utf-8", "replace").strip()
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return text

    def describe_output(self) -> str:
        """Return its output that is not MCP: the last line of stderr that names an error, else the last; the first of
        stdout.
        """
        lines = self.complaint.splitlines() or [""]
        last = next((line for line in reversed(lines) if _NAMES_ONE.match(line)), lines[-1])[:300]
        junk = f"it wrote {self.junk!r}, which is not MCP" if self.junk and not self.valid else ""
        return "; ".join(filter(None, (last, junk)))

    async def has_ended(self) -> bool:
        """Return whether it ended by itself: its output closes a little before."""
        # The pipe closes before the process can be reaped, so an exit code may be missing for a moment.
        for _ in range(20):
            if self.process.poll() is not None:
                return True
            await asyncio.sleep(0.02)
        return False

    def how_it_ended(self) -> str:
        """In words, with what it said."""
        code = self.process.poll()
        how = "it closed its output" if code is None else f"exit code {code}"
        return ": ".join(filter(None, (self.excess or how, self.describe_output())))

    @asynccontextmanager
    async def streams(self) -> AsyncGenerator[tuple[Any, Any]]:
        """Yield the SDK's message streams; at the end the program is terminated in any case."""
        # No buffer: a session that does not read stops the reading of the pipe, and so the program's writing.
        to_session, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, from_session = anyio.create_memory_object_stream[SessionMessage](0)
        loop = asyncio.get_running_loop()
        output, transports = asyncio.StreamReader(limit=READ), list[asyncio.BaseTransport]()
        errors = asyncio.StreamReader(limit=READ)
        for reader, pipe in ((output, self.process.stdout), (errors, self.process.stderr)):
            made, _ = await loop.connect_read_pipe(
                lambda reader=reader: asyncio.StreamReaderProtocol(reader), pipe
            )
            transports.append(made)
        writing, protocol = await loop.connect_write_pipe(
            asyncio.streams.FlowControlMixin, self.process.stdin
        )
        transports.append(writing)
        writer = asyncio.StreamWriter(writing, protocol, None, loop)
        tasks = [
            asyncio.create_task(self._read(output, to_session)),
            asyncio.create_task(self._write(writer, from_session)),
            asyncio.create_task(self._listen(errors)),
            asyncio.create_task(self._hold()),
        ]
        try:
            yield incoming, outgoing
        finally:
            writer.close()
            # Shielded, since a cancelled session must still leave no process behind.
            await asyncio.shield(self._end())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for transport in transports:
                transport.close()
            for stream in (to_session, incoming, outgoing, from_session):
                stream.close()

    async def _read(self, output: asyncio.StreamReader, session: Any) -> None:
        line, dropped, ends = bytearray(), 0, b""
        async with session:
            while piece := await output.read(READ):
                *lines, partial = piece.split(b"\n")
                for part in lines:
                    if dropped or len(line) + len(part) > MAX_BYTES:
                        # The id of the call stands near the start or the end of a message, so 100 bytes of each are enough to
                        # answer the call instead of leaving it to its time-out.
                        await session.send(_too_large(ends or bytes(line[:100]), (bytes(line) + part)[-100:]))
                    else:
                        line += part
                        await self._take(bytes(line), session)
                    line, dropped, ends = bytearray(), 0, b""
                line += partial
                if len(line) > MAX_BYTES or dropped:
                    ends = ends or bytes(line[:100])
                    dropped += len(line)
                    # The line is not stored beyond its limit, however long it gets.
                    del line[:-100]

    async def _take(self, line: bytes, session: Any) -> None:
        if not line.strip():
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            # Many programs print a banner to standard output before they speak MCP.
            self.junk = self.junk or line[:60].decode("ascii", "replace").replace("\ufffd", "?")
            return
        self.valid += 1
        await session.send(SessionMessage(message))

    async def _write(self, writer: asyncio.StreamWriter, session: Any) -> None:
        with contextlib.suppress(OSError, RuntimeError):
            async for message in session:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                writer.write(text.encode() + b"\n")
                await writer.drain()

    async def _listen(self, errors: asyncio.StreamReader) -> None:
        while piece := await errors.read(READ):
            self._complaint += piece
            # The end counts: a traceback has its error in the last line.
            del self._complaint[:-MAX_ERROR_BYTES]

    async def _hold(self) -> None:
        """End it when it takes more than its limits."""
        while not self.excess:
            await asyncio.sleep(EVERY_SECONDS)
            self.excess = self.watch.excess()
        self.process.terminate()

    async def _end(self) -> None:
        """Wait a moment for its own end, then end it and its descendants."""
        for _ in range(round(ENDS / 0.02)):
            if self.process.poll() is not None:
                break
            await asyncio.sleep(0.02)
        self.process.terminate()  # its waiting parent also ends its descendants, including those that left its group
        for _ in range(round(GROUP_ENDS / 0.02)):
            if self.process.poll() is not None:
                return
            await asyncio.sleep(0.02)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            # Last resort, for a waiting process that does not react; its group is all that is known from here.
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDS)


def _too_large(first: bytes, last: bytes) -> SessionMessage | Exception:
    """Return an error in place of a discarded message, for the call that it answers, if its id can be seen."""
    match = _ID_FIRST.search(first) or _ID_LAST.search(last)
    message = f"the result has more than {MAX_BYTES // 1024**2} MB and was not taken"
    if match is None:
        return ValueError(message)
    error = types.ErrorData(code=TOO_LARGE, message=message)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=int(match[1]), error=error))


def command_of(entry: ServerEntry) -> tuple[list[str], list[str]]:
    """Return its command line with the program's full path, and the folders in which that program lies. Raises McpFailed."""
    program = shutil.which(entry.command)
    if program is None:
        raise McpFailed(
            f"There is no program {entry.command[:200]!r}.",
            "Install it, or give the full path of an executable file.",
        )
    path = str(Path(program).absolute())
    return [path, *entry.args], sorted(
        {folder for program_path in (path, os.path.realpath(path)) for folder in _home_of(program_path)}
    )


def hidden_path_message(entry: ServerEntry, visible_paths: Collection[Path]) -> str:
    """Words on a path among its arguments that its jail does not show it, there or not; empty where there is none."""
    visible = (*map(Path, (*PROGRAMS, "/dev", "/proc")), *visible_paths)
    for arg in map(Path, entry.args):
        if arg.is_absolute() and not any(arg.is_relative_to(folder) for folder in visible):
            return f" Its jail does not have {arg}: name it under readable or writable in agents.toml."
    return ""


def _home_of(program: str) -> list[str]:
    """Return the folders to read for a program: all of a Python environment or a Node installation, else the file alone."""
    above = Path(program).parent.parent
    # A virtual environment links to the interpreter of its base installation, which the jail must show, too.
    if (above / "pyvenv.cfg").is_file():
        config = (above / "pyvenv.cfg").read_text("utf-8", "replace")
        homes = [line.partition("=")[2].strip() for line in config.splitlines() if line.startswith("home")]
        bases = {Path(home).parent for home in homes if home} | {
            Path(os.path.realpath(program)).parent.parent
        }
        return [str(above), *(str(base) for base in bases if _has_python(base))]
    return [str(above)] if (above / "lib" / "node_modules").is_dir() or _has_python(above) else [program]


def _has_python(folder: Path) -> bool:
    return any(folder.glob("lib*/python3*/os.py"))


def _environment(entry: ServerEntry, folder: Path, program: str) -> Mapping[str, str]:
    """Return all that it gets: nothing of the desk's but the language and the time zone."""
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    path = f"{Path(program).parent}{os.pathsep}/usr/local/bin:/usr/bin:/bin"
    return {
        "PATH": path,
        "HOME": str(folder),
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        **environment,
        **entry.env,
    }


@asynccontextmanager
async def watched(streams: Any, ended: Callable[[], None]) -> AsyncGenerator[Any]:
    """Yield the streams of a transport, and report their end."""
    async with streams as (incoming, outgoing):
        passed, read = anyio.create_memory_object_stream[Any](0)

        async def pump() -> None:
            async with passed:
                async for message in incoming:
                    await passed.send(message)
            ended()

        # The SDK's client does not report that its transport ended while no call is open.
        task = asyncio.create_task(pump())
        try:
            yield read, outgoing
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            read.close()
