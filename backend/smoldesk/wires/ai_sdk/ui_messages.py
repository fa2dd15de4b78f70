"""Assistant message folded from its chunks, as processUIMessageStream of `ai` 6 and 7 does. Pure."""

import json
from collections.abc import Mapping
from typing import Any, cast

from smoldesk.wires.ai_sdk.models import Chunk

Part = dict[str, Any]


class MessageFold:
    """Message that `useChat` has after all chunks of a run and the person's answers."""

    def __init__(self, message_id: str) -> None:
        self._id = message_id
        self._metadata: dict[str, Any] = {}
        self._parts: list[Part] = []
        self._prose: dict[str, tuple[Part, list[str]]] = {}
        self._calls: dict[str, Part] = {}
        self._inputs: dict[str, list[str]] = {}
        self._data: dict[tuple[str, str], Part] = {}
        self._is_broken = False

    def take(self, chunk: Chunk) -> None:
        """Apply the next chunk. Clients ignore chunks after an error."""
        if self._is_broken:
            return
        match chunk:
            case {"type": "start" | "finish"}:
                self._metadata |= cast("Mapping[str, Any]", chunk.get("messageMetadata", {}))
            case {"type": "text-start" | "reasoning-start" as kind, "id": str(part_id)}:
                # Newer clients of 6 and 7 store the id of reasoning parts.
                named = {"id": part_id} if kind == "reasoning-start" else {}
                part = self._add(
                    {"type": kind.removesuffix("-start"), **named, "text": "", "state": "streaming"}
                )
                self._prose[part_id] = (part, [])
            case {"type": "text-delta" | "reasoning-delta", "id": str(part_id), "delta": str(text)}:
                self._prose[part_id][1].append(text)
            case {"type": "text-end" | "reasoning-end", "id": str(part_id)}:
                part, pieces = self._prose.pop(part_id)
                part |= {"text": "".join(pieces), "state": "done"}
            case {"type": "file", "url": url, "mediaType": media_type}:
                self._add({"type": "file", "mediaType": media_type, "url": url})
            case {"type": "error"}:
                self._is_broken = True
            case {"toolCallId": str(call_id)}:
                self._take_call(call_id, chunk)
            case {"type": str(kind), "data": data} if not chunk.get("transient"):
                self._take_data(kind, chunk.get("id"), data)
            case _:
                pass  # steps and ends make no part, and transient data is not stored

    def answer(self, ask_id: str, granted: bool, reason: str) -> None:
        """Apply a person's answer to an approval request, as the client's addToolApprovalResponse does."""
        for part in self._calls.values():
            if part["state"] == "approval-requested" and part["approval"]["id"] == ask_id:
                approval = {"id": ask_id, "approved": granted} | ({"reason": reason} if reason else {})
                part |= {"state": "approval-responded", "approval": approval}

    def message(self) -> dict[str, Any] | None:
        """Return the message as JSON data, or None without parts, which clients reject in a history."""
        for part, pieces in self._prose.values():
            part["text"] = "".join(pieces)
        for call_id, pieces in self._inputs.items():
            if (part := self._calls[call_id])["state"] == "input-streaming" and pieces:
                part["input"] = json.loads("".join(pieces) + '"}')
        message = {"id": self._id, "metadata": self._metadata, "role": "assistant", "parts": self._parts}
        return message if self._parts else None

    def _add(self, part: Part) -> Part:
        self._parts.append(part)
        return part

    def _take_data(self, kind: str, part_id: str | None, data: Any) -> None:
        earlier_part = self._data.get((kind, part_id)) if part_id is not None else None
        if earlier_part is not None:
            earlier_part["data"] = data
            return
        part = self._add({"type": kind} | ({"id": part_id} if part_id is not None else {}) | {"data": data})
        if part_id is not None:
            self._data[kind, part_id] = part

    def _take_call(self, call_id: str, chunk: Chunk) -> None:
        part = self._calls.get(call_id)
        match chunk:
            case {"type": "tool-input-start", "toolName": tool} if part is None:
                started_part = {"type": f"tool-{tool}", "toolCallId": call_id, "state": "input-streaming"}
                self._calls[call_id] = self._add(started_part)
                self._inputs[call_id] = []
            case {"type": "tool-input-delta", "inputTextDelta": str(text)}:
                self._inputs[call_id].append(text)
            case {"type": "tool-input-available", "input": given} if part is not None:
                part |= {"state": "input-available", "input": given}
            case {"type": "tool-approval-request", "approvalId": ask_id} if part is not None:
                part |= {"state": "approval-requested", "approval": {"id": ask_id}}
            case {"type": "tool-output-available", "output": output} if part is not None:
                self._end_call(part, "output-available", output=output)
            case {"type": "tool-output-error", "errorText": words} if part is not None:
                self._end_call(part, "output-error", errorText=words)
            case _:
                pass

    @staticmethod
    def _end_call(part: Part, state: str, **outcome: Any) -> None:
        """Set the outcome of a call, in place of an earlier one.

        A denied approval is removed: live clients have it beside `errorText`, but `validateUIMessages` of 6 and 7
        rejects that.
        """
        for name in ("output", "errorText"):
            part.pop(name, None)
        if not part.get("approval", {}).get("approved"):
            part.pop("approval", None)
        part |= {"state": state, **outcome}
