"""Other files in the place of those that a report was computed with: whether they have the same columns, in words."""

import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from smoldesk.errors import Conflict
from smoldesk.folders import place, remove_tree
from smoldesk.stopping import StopFlag
from smoldesk.tables.models import FileProfile
from smoldesk.tables.table_profiles import Profiles

MOST_TOLD = 12


def check_shapes(
    profiles: Profiles, chats: Path, pairs: Mapping[str, tuple[Path, Path]], stop: StopFlag
) -> None:
    """Have (file then, file now) of each name read in a child, and compared. Raises Conflict in words for what differs."""
    key = f"shapes-{secrets.token_hex(8)}"
    folder = chats / key
    found: list[str] = []
    try:
        for name, files in pairs.items():
            read: list[FileProfile] = []
            for at, path in enumerate(files):
                beside = folder / str(at)
                beside.mkdir(mode=0o700, parents=True, exist_ok=True)
                place(beside, name, path)
                read.append(profiles.of_files(f"{key}-{at}", beside, [name], stop)[name])
            found += [f"{name}: {one}" for one in _differences(*read)]
    finally:
        remove_tree(folder)
    if found:
        words = "; ".join(found[:MOST_TOLD]) + (
            f"; and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else ""
        )
        raise Conflict(
            f"The new files are of another shape. {words}.",
            "Choose others, or run it all the same.",
            code="other_shape",
        )


def _differences(then: FileProfile, now: FileProfile) -> Iterator[str]:
    if then.tables and not now.tables:
        why = now.problems[0].words if now.problems else "it holds no table"
        yield f"it cannot be read as a table ({why.rstrip('.')})"
        return
    for old, new in zip(then.tables, now.tables, strict=False):
        kinds = {column.name: column.kind for column in new.columns}
        for column in old.columns:
            if column.name not in kinds:
                yield f"the column {column.name!r} is missing"
            elif kinds[column.name] != column.kind:
                yield f"the column {column.name!r} is {kinds[column.name]}, and was {column.kind}"
    if len(now.tables) < len(then.tables):
        yield f"{len(now.tables)} tables, {len(then.tables)} then"
