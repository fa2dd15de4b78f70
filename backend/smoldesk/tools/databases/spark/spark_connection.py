"""Requests to a Spark Connect server over gRPC, as bytes: sent, bounded, and ended at the server.

A cancelled stream leaves its job running, so an operation has an id, and `Interrupt` names it.
"""

import contextlib
import os
import re
import secrets
import time
import uuid
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from smoldesk.logs import hider
from smoldesk.stopping import StopFlag, ended_by, start_thread
from smoldesk.tools.databases.reasons import why_unreachable
from smoldesk.tools.databases.spark.file_paths import FORBID
from smoldesk.tools.databases.spark.wire import BadEncoding, Value, field, fields, first
from smoldesk.tools.databases.values import CutOff, QueryFailed, Unreachable

if TYPE_CHECKING:
    from sqlalchemy import URL

SERVICE = "/spark.connect.SparkConnectService/"
PORT = 15_002
USER = "smoldesk"
# Bytes of one message of an answer, and of the parts into which Spark 4.1 and later split larger ones.
MAX_MESSAGE, CHUNK = 10_000_000, 4_000_000
# Seconds for a request that runs no job.
SHORT_SECONDS = 10.0
# Seconds that a caller waits for the end of its job, and pauses before each request to end a job.
INTERRUPT_SECONDS, INTERRUPT_DELAYS = 0.5, (0.0, 0.3, 1.0, 3.0)
LOCAL_HOSTS = frozenset(("localhost", "127.0.0.1", "::1"))
NOT_SPARK = "it does not answer as Spark Connect does"
# Fields of ExecutePlanResponse, ArrowBatch and StageInfo.
BATCH, PROGRESS = 2, 18
ROW_COUNT, DATA, CHUNK_INDEX = 1, 2, 4
NUM_TASKS, COMPLETED_TASKS = 2, 3
_INTERRUPT_OPERATION = 3
# Field of InterruptResponse.
_INTERRUPTED_IDS = 2
# Spark's name of an error, such as [PARSE_SYNTAX_ERROR].
_CONDITION = re.compile(r"\[[A-Z][A-Z0-9_.]+\]")


class SparkFailed(QueryFailed):
    """Spark refused a request; code, details and status (google.rpc.Status) are what a PySpark client reads."""

    def __init__(self, code: str, details: str, status: bytes = b"") -> None:
        super().__init__(_first_line(details))
        self.code, self.details = code, hider(())(details)
        # A client compares both, so a status that may repeat a secret is left out.
        self.status = status if self.details == details else b""


@dataclass(frozen=True)
class ConnectSession:
    """Session at the server. Its id is secret: a client with the same id shares its views and settings."""

    id: str
    user: str = USER

    @classmethod
    def new(cls) -> "ConnectSession":
        return cls(str(uuid.uuid4()))

    def fields(self) -> bytes:
        """Return the first fields of every request."""
        return field(1, self.id) + field(2, field(1, self.user) + field(2, self.user))


class SparkConnection:
    """One server. Each request has a channel of its own, which is closed with it."""

    def __init__(self, url: "URL") -> None:
        host = url.host or ""
        self._target = f"[{host}]:{url.port or PORT}" if ":" in host else f"{host}:{url.port or PORT}"
        self._token = str(url.password or "")
        self._tls = is_encrypted(url)
        self.user = url.username or USER
        self.file_paths = url.query.get("file_paths") == "true"

    def ask(self, method: str, request: bytes, session: ConnectSession) -> bytes:
        """Send a request that runs no job. Raises SparkFailed, Unreachable."""
        with self._channel() as channel:
            if not self.file_paths and method == "AnalyzePlan":
                self._forbid_files(channel, session).result()
            call = channel.unary_unary(SERVICE + method)
            return call(session.fields() + request, timeout=SHORT_SECONDS, metadata=self._metadata())

    def execute(
        self,
        request: bytes,
        session: ConnectSession,
        seconds: float,
        stop: StopFlag | None = None,
        on_progress: Callable[[float], None] = lambda _share: None,
    ) -> Iterator[bytes]:
        """Yield the messages of an answer. Raises QueryFailed, Unreachable.

        If it takes too long, is stopped, or the caller reads no further, the job is ended at the server.
        """
        operation = str(uuid.uuid4())
        body = session.fields() + request + field(6, operation)
        done = False
        with self._channel() as channel:
            # No deadline at the stream: it would end the stream, and leave the job.
            calls: list[Any] = []
            cut_off = CutOff(lambda: [call.cancel() for call in [*calls]], seconds, is_sure=False)
            try:
                with cut_off, ended_by(stop, cut_off.stop):
                    if not self.file_paths:
                        calls.append(self._forbid_files(channel, session))
                        calls[0].result()
                    stream = channel.unary_stream(SERVICE + "ExecutePlan")
                    calls.append(stream(body, metadata=self._metadata()))
                    for message in calls[-1] if not cut_off.reason else ():
                        _report(message, on_progress)
                        yield message
                done = not cut_off.reason
            except Exception:
                if cut_off.reason:
                    raise QueryFailed(cut_off.reason) from None
                raise
            finally:
                if not done:
                    for call in calls:
                        call.cancel()
                    # A server that has just started may take seconds; a person's Stop must not.
                    wait([start_thread(lambda: self._interrupt(session, operation))], INTERRUPT_SECONDS)
            if cut_off.reason:
                raise QueryFailed(cut_off.reason)

    def _forbid_files(self, channel: Any, session: ConnectSession) -> Any:
        """Start to forbid paths in SQL, before each request: a server that restarted has forgotten its sessions."""
        call = channel.unary_unary(SERVICE + "Config")
        return call.future(session.fields() + FORBID, timeout=SHORT_SECONDS, metadata=self._metadata())

    def _interrupt(self, session: ConnectSession, operation: str) -> None:
        """End one operation: to interrupt all of the session would also end its next one.

        Several times, since the server may not know it yet. The channel of the query may be closed.
        """
        body = session.fields() + field(4, _INTERRUPT_OPERATION) + field(6, operation)
        for delay in INTERRUPT_DELAYS:
            time.sleep(delay)
            with contextlib.suppress(QueryFailed, Unreachable), self._channel() as channel:
                call = channel.unary_unary(SERVICE + "Interrupt")
                answer = call(body, timeout=SHORT_SECONDS, metadata=self._metadata())
                if first(answer, _INTERRUPTED_IDS) is not None:
                    return

    def _metadata(self) -> list[tuple[str, str]]:
        return [("authorization", f"Bearer {self._token}")] if self._token else []

    @contextlib.contextmanager
    def _channel(self) -> Generator[Any]:
        # Processes that are forked here run another program at once; gRPC's preparations for other ones only write lines.
        os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
        try:
            import grpc
        except ImportError as fault:
            raise Unreachable(why_unreachable(fault)) from None
        options = [
            ("grpc.max_receive_message_length", MAX_MESSAGE),
            ("grpc.enable_retries", 0),
            ("grpc.enable_http_proxy", 0),
            (
                "grpc.use_local_subchannel_pool",
                1,
            ),  # else requests share a connection and its waits for the next try
        ]
        if self._tls:
            channel = grpc.secure_channel(self._target, grpc.ssl_channel_credentials(), options)
        else:
            channel = grpc.insecure_channel(self._target, options)
        with channel:
            try:
                yield channel
            except grpc.RpcError as fault:
                raise _translated(fault) from None
            except BadEncoding:
                raise QueryFailed(NOT_SPARK) from None


def is_encrypted(url: "URL") -> bool:
    """Return whether a connection uses TLS: as asked for, else with a token and for hosts elsewhere with one."""
    option = url.query.get("use_ssl")
    return option == "true" if option else bool(url.password) and url.host not in LOCAL_HOSTS


def chat_session(secret: bytes, chat: str, client_id: str, user: str) -> ConnectSession:
    """Return the session of a chat's client: another chat that uses the same id gets another session."""
    return ConnectSession(str(uuid.uuid5(uuid.UUID(bytes=secret[:16]), f"{chat}\n{client_id}")), user)


def new_secret() -> bytes:
    """Return a secret for `chat_session`."""
    return secrets.token_bytes(16)


def with_session(message: bytes, session_id: str) -> bytes:
    """Return a response under the session id that the client uses. Raises BadEncoding."""
    parts = [field(number, value, wire) for number, wire, value in fields(message) if number != 1]
    return field(1, session_id) + b"".join(parts)


def _report(message: bytes, on_progress: Callable[[float], None]) -> None:
    progress = first(message, PROGRESS)
    if not isinstance(progress, bytes):
        return
    stages = [stage for number, _, stage in fields(progress) if number == 1 and isinstance(stage, bytes)]
    total = sum(_number(first(stage, NUM_TASKS)) for stage in stages)
    if total:
        on_progress(min(1.0, sum(_number(first(stage, COMPLETED_TASKS)) for stage in stages) / total))


def _number(value: Value | None) -> int:
    return value if isinstance(value, int) else 0


def _translated(fault: Any) -> Exception:
    """Return an error for one of gRPC's, whose message names no address."""
    import grpc

    code, details = fault.code(), str(fault.details() or "")
    lower = details.casefold()
    if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return Unreachable("wrong user or password, or a token that it does not accept")
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Unreachable("it did not answer in time")
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in lower:
        return QueryFailed(f"one part of its answer is larger than {MAX_MESSAGE:,} bytes")
    is_sparks = bool(_CONDITION.search(details))
    if code is grpc.StatusCode.UNIMPLEMENTED or (not is_sparks and any(sign in lower for sign in _GARBAGE)):
        return Unreachable(NOT_SPARK)
    if code is grpc.StatusCode.UNAVAILABLE:
        reason = why_unreachable(_NoConnection(details))
        return Unreachable("the connection failed" if reason == _NoConnection.__name__ else reason)
    if code is grpc.StatusCode.CANCELLED:
        return QueryFailed("the server ended it")
    trailing: dict[str, Any] = dict(fault.trailing_metadata() or ())
    status: Any = trailing.get("grpc-status-details-bin", b"")
    return SparkFailed(code.name, details, status if isinstance(status, bytes) else b"")


class _NoConnection(Exception):
    """gRPC's text about a connection, to be explained in ours."""


_GARBAGE = (
    "http1.x",
    "http/1",
    "http response",
    "parse",
    "deserializ",
    "received http2 header",
    "protocol error",
)


def _first_line(details: str) -> str:
    return (details.strip() or "the server did not say why").splitlines()[0][:500]
