"""A chat of hundreds of turns: the turns of a short one, repeated in a log that the desk imports."""

import json
import re

import httpx

QUESTION = "the question"
"""What the turns of the short chat ask; each copy has its number."""


def import_long_chat(url: str, chat_id: str, turns: int) -> tuple[str, int]:
    """Repeat the turns of a chat in a new one; return its id and its number of events."""
    log_text = httpx.get(f"{url}/api/chats/{chat_id}/events", timeout=60).raise_for_status().text
    by_run: dict[str, list[dict[str, object]]] = {}
    for event in map(json.loads, log_text.splitlines()):
        if event["run_id"]:
            by_run.setdefault(event["run_id"], []).append(event)
    samples = [json.dumps(events) for events in by_run.values()]
    lines: list[str] = []
    for number in range(turns):
        text = samples[number % len(samples)].replace(QUESTION, f"question {number}")
        text = re.sub(r"\br_[0-9a-f]{24}", f"r_{number:024x}", text)
        lines += [
            json.dumps(event | {"seq": at}) for at, event in enumerate(json.loads(text), len(lines) + 1)
        ]
    imported = httpx.post(f"{url}/api/imports", content="\n".join(lines).encode(), timeout=120)
    return imported.raise_for_status().json()["chatId"], len(lines)
