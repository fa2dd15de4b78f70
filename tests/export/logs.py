"""Logs as tests change them, and what a page is sent of a chat, under names that two desks have in common."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from smoldesk.desk import Desk, build_desk
from smoldesk.export.log_format import renamed
from smoldesk.export.log_reading import ImportResult
from smoldesk.export.write_log import LogIds
from tests.support.aio import run_async
from tests.support.desk_server import settings_for

Json = dict[str, Any]


def messages(url: str, chat_id: str) -> list[Json]:
    """Every message of a chat, with its ids numbered."""
    text = httpx.get(f"{url}/api/chats/{chat_id}/messages", timeout=60).text
    return named_alike(text.splitlines())


def named_alike(lines: list[str]) -> list[Json]:
    ids = LogIds()
    return [json.loads(renamed(line, ids.name)) for line in lines]


def desk_at(folder: Path, **options: Any) -> Desk:
    """A desk of its own, which has nothing yet; to be closed."""
    return build_desk(settings_for(folder, **options))


def read(desk: Desk, log: Path, partial: bool = False) -> ImportResult:
    return run_async(desk.imports.read(log, partial))


def lines_of(log: Path) -> list[Json]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def changed(log: Path, target: Path, change: Callable[[list[Json]], object]) -> Path:
    """A copy of a log whose lines were changed."""
    lines = lines_of(log)
    change(lines)
    target.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
    )
    return target
