"""The strictest client's schema of chunks, that of ai 6.0.0: these keys, no others, and optional ones absent, not null."""

import json
from typing import Any

TEXT = (str,)
ANY = (object,)
YES_NO = (bool,)

SHAPES: dict[str, tuple[dict[str, tuple[type, ...]], dict[str, tuple[type, ...]]]] = {
    "start": ({}, {"messageId": TEXT, "messageMetadata": ANY}),
    "finish": ({}, {"finishReason": TEXT, "messageMetadata": ANY}),
    "start-step": ({}, {}),
    "finish-step": ({}, {}),
    "abort": ({}, {}),
    "error": ({"errorText": TEXT}, {}),
    "text-start": ({"id": TEXT}, {}),
    "text-delta": ({"id": TEXT, "delta": TEXT}, {}),
    "text-end": ({"id": TEXT}, {}),
    "reasoning-start": ({"id": TEXT}, {}),
    "reasoning-delta": ({"id": TEXT, "delta": TEXT}, {}),
    "reasoning-end": ({"id": TEXT}, {}),
    "tool-input-start": ({"toolCallId": TEXT, "toolName": TEXT}, {}),
    "tool-input-delta": ({"toolCallId": TEXT, "inputTextDelta": TEXT}, {}),
    "tool-input-available": ({"toolCallId": TEXT, "toolName": TEXT, "input": ANY}, {}),
    "tool-approval-request": ({"approvalId": TEXT, "toolCallId": TEXT}, {}),
    "tool-output-available": ({"toolCallId": TEXT, "output": ANY}, {"preliminary": YES_NO}),
    "tool-output-error": ({"toolCallId": TEXT, "errorText": TEXT}, {}),
    "file": ({"url": TEXT, "mediaType": TEXT}, {}),
}
"""By type: what must be there, and what may."""
DATA = ({"data": ANY}, {"id": TEXT, "transient": YES_NO})
REASONS = {"stop", "length", "content-filter", "tool-calls", "error", "other"}


def faults(chunks: list[dict[str, Any]]) -> list[str]:
    """What the strictest client would reject, and texts and calls that are not opened, or not closed in time.

    Reasoning is closed before anything but its own pieces.
    """
    lines: list[str] = []
    texts: set[str] = set()
    thought: str | None = None
    calls: set[str] = set()
    for chunk in chunks:
        kind = chunk["type"]
        lines += _shape_faults(chunk)
        if kind in ("text-delta", "text-end") and chunk["id"] not in texts:
            lines.append(f"{chunk} without its start")
        if kind in ("finish", "finish-step", "error", "abort") and texts:
            lines.append(f"{kind} while a text is open")
        if kind in ("reasoning-delta", "reasoning-end"):
            if chunk["id"] != thought:
                lines.append(f"{chunk} without its start")
        elif thought is not None:
            lines.append(f"{kind} while reasoning is open")
        if kind in ("reasoning-start", "reasoning-end"):
            thought = chunk["id"] if kind == "reasoning-start" else None
            if texts:
                lines.append(f"{kind} while a text is open")
        if kind == "text-start":
            texts.add(chunk["id"])
        elif kind == "text-end":
            texts.discard(chunk["id"])
        elif kind == "tool-input-start":
            calls.add(chunk["toolCallId"])
        elif kind == "tool-input-delta" and chunk["toolCallId"] not in calls:
            lines.append(f"{chunk} without its start")
    json.dumps(chunks, allow_nan=False)
    return lines


def _shape_faults(chunk: dict[str, Any]) -> list[str]:
    kind = chunk["type"]
    shape = DATA if kind.startswith("data-") else SHAPES.get(kind)
    if shape is None:
        return [f"{kind} is not known"]
    needed, may = shape
    inputs = {key: value for key, value in chunk.items() if key != "type"}
    results = [f"{kind} lacks {key}" for key in needed.keys() - inputs.keys()]
    for key, value in inputs.items():
        allowed = (needed | may).get(key)
        if allowed is None:
            results.append(f"{kind} has {key}")
        elif not isinstance(value, allowed) or (value is None and key not in ("output", "data", "input")):
            results.append(f"{kind}.{key} is {value!r}")
    if kind == "finish" and chunk.get("finishReason", "stop") not in REASONS:
        results.append(f"finishReason {chunk['finishReason']}")
    return results
