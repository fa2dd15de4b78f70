"""The real client of the a2a-sdk for tests, over either binding, and short ways to say what tests say often."""

import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx
from a2a.client import Client, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as pb
from google.protobuf import struct_pb2
from google.protobuf.json_format import MessageToDict, ParseDict

Binding = Literal["JSONRPC", "HTTP+JSON"]
BINDINGS: tuple[Binding, ...] = ("JSONRPC", "HTTP+JSON")


@asynccontextmanager
async def a2a_client(
    url: str, binding: Binding = "JSONRPC", streaming: bool = True, path: str | None = None, **headers: str
) -> AsyncGenerator[Client, None]:
    """A client made from the card at `url`; `path` is where the card is, if not at the usual place."""
    async with httpx.AsyncClient(timeout=90, trust_env=False, headers=headers) as http:
        config = ClientConfig(streaming=streaming, httpx_client=http, supported_protocol_bindings=[binding])
        client = await ClientFactory(config).create_from_url(url, relative_card_path=path)
        try:
            yield client
        finally:
            await client.close()


def words(text: str) -> pb.Part:
    return pb.Part(text=text)


def data(value: Any) -> pb.Part:
    return pb.Part(data=ParseDict(value, struct_pb2.Value()))


def said(*parts: pb.Part | str, now: bool = False, **about: Any) -> pb.SendMessageRequest:
    """A message; `now`: do not wait for the task's end. Its id is new unless it is given."""
    inputs = [words(part) if isinstance(part, str) else part for part in parts]
    about.setdefault("message_id", uuid.uuid4().hex)
    message = pb.Message(role=pb.ROLE_USER, parts=inputs, **about)
    return pb.SendMessageRequest(
        message=message, configuration=pb.SendMessageConfiguration(return_immediately=now)
    )


async def events(client: Client, request: pb.SendMessageRequest) -> list[pb.StreamResponse]:
    """All that is answered, to the end of the response."""
    return [event async for event in client.send_message(request)]


async def sent(client: Client, *parts: pb.Part | str, **about: Any) -> pb.Task:
    """The task that a message comes to, without streaming."""
    result = await events(client, said(*parts, **about))
    assert result[0].HasField("task"), result
    return result[0].task


def states(results: Sequence[pb.StreamResponse]) -> list[str]:
    """The states that a stream tells, in order and short."""
    named: list[str] = []
    for event in results:
        kind = event.WhichOneof("payload")
        if kind == "task":
            named.append(state(event.task.status))
        elif kind == "status_update":
            named.append(state(event.status_update.status))
    return named


def last_status(results: Sequence[pb.StreamResponse]) -> pb.TaskStatus:
    """The last status that a stream tells: in its task already, where the run was quicker than the stream."""
    last = [event for event in results if event.WhichOneof("payload") in ("task", "status_update")][-1]
    return last.task.status if last.HasField("task") else last.status_update.status


def state(status: pb.TaskStatus) -> str:
    return pb.TaskState.Name(status.state).removeprefix("TASK_STATE_").lower()


def artifacts(results: Sequence[pb.StreamResponse]) -> dict[str, list[str]]:
    """The texts of the parts of each artifact by its name, as a client has them that applies all updates."""
    parts: dict[str, tuple[str, list[str]]] = {}
    for event in results:
        match event.WhichOneof("payload"):
            case "task":
                parts |= {
                    artifact.artifact_id: (artifact.name, texts(artifact))
                    for artifact in event.task.artifacts
                }
            case "artifact_update":
                update = event.artifact_update
                artifact = update.artifact
                if update.append:
                    parts[artifact.artifact_id][1].extend(texts(artifact))
                else:
                    parts[artifact.artifact_id] = (artifact.name, texts(artifact))
            case _:
                pass
    return {artifact_id: results for artifact_id, (_, results) in parts.items()}


def texts(artifact: pb.Artifact) -> list[str]:
    return [part.text for part in artifact.parts]


def as_dict(message: Any) -> dict[str, Any]:
    return MessageToDict(message)
