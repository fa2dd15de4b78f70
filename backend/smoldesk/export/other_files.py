"""Comparison of replacement files for a report with the original ones: tables, columns and kinds."""

import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from smoldesk.errors import Conflict
from smoldesk.folders import place, remove_tree
from smoldesk.stopping import StopFlag
from smoldesk.tables.models import FileProfile
from smoldesk.tables.table_profiles import Profiles

MAX_MISMATCHES = 12
Language = Literal["en", "ja"]
# Texts by language. English has no names for kinds of columns: they are used as they are.
TEXTS = {
    "en": {
        "other": "The new files have a different structure. {what}.",
        "hint": "Choose other files, or run the report anyway.",
        "between": "; ",
        "more": "and {n} more",
        "unread": "it cannot be read as a table ({why})",
        "original": "the original could not be read for the comparison ({why})",
        "no_table": "it contains no table",
        "missing": "the column {name!r} is missing",
        "kind": "the column {name!r} is {now} instead of {then}",
        "tables": "{now} tables instead of {then}",
    },
    "ja": {
        "other": "新しいファイルの構成が元のファイルと異なります。{what}。",
        "hint": "別のファイルを選択するか、このまま実行してください。",
        "between": "、",
        "more": "ほか{n}件",
        "unread": "表として読み取れません（{why}）",
        "original": "比較のために元のファイルを読み取れませんでした（{why}）",
        "no_table": "表がありません",
        "missing": "列「{name}」がありません",
        "kind": "列「{name}」が{now}になっています（元は{then}）",
        "tables": "表が{now}個です（元は{then}個）",
        "number": "数値",
        "text": "テキスト",
        "date": "日付",
        "bool": "はい/いいえ",
    },
}


def check_shapes(
    profiles: Profiles,
    chats: Path,
    pairs: Mapping[str, tuple[Path, Path]],
    stop: StopFlag,
    language: Language = "en",
) -> None:
    """Read each (old file, new file) in a child and compare them. Raises Conflict with the differences."""
    key = f"shapes-{secrets.token_hex(8)}"
    folder = chats / key
    mismatches: list[str] = []
    texts = TEXTS[language]
    try:
        for name, files in pairs.items():
            file_profiles: list[FileProfile] = []
            for at, path in enumerate(files):
                # A folder for each of the two, since both have the same name.
                copy = folder / str(at)
                copy.mkdir(mode=0o700, parents=True, exist_ok=True)
                place(copy, name, path)
                file_profiles.append(profiles.of_files(f"{key}-{at}", copy, [name], stop)[name])
            mismatches += [
                f"{name}: {difference}"
                for difference in _differences(file_profiles[0], file_profiles[1], texts)
            ]
    finally:
        remove_tree(folder)
    if mismatches:
        more = (
            [texts["more"].format(n=len(mismatches) - MAX_MISMATCHES)]
            if len(mismatches) > MAX_MISMATCHES
            else []
        )
        what = texts["between"].join([*mismatches[:MAX_MISMATCHES], *more])
        raise Conflict(texts["other"].format(what=what), texts["hint"], code="other_shape")


def _differences(then: FileProfile, now: FileProfile, phrases: Mapping[str, str]) -> Iterator[str]:
    # Without tables, the original asks nothing of the new file; one that was given up may have had some.
    given_up = [
        problem for problem in then.problems if problem.code in ("took_longer", "process_ended", "not_now")
    ]
    if given_up and not then.tables:
        yield phrases["original"].format(why=given_up[0].line.rstrip("."))
        return
    if then.tables and not now.tables:
        why = now.problems[0].line if now.problems else phrases["no_table"]
        yield phrases["unread"].format(why=why.rstrip("."))
        return
    for old, new in zip(then.tables, now.tables, strict=False):
        kinds = {column.name: column.kind for column in new.columns}
        for column in old.columns:
            if column.name not in kinds:
                yield phrases["missing"].format(name=column.name)
            elif (kind := kinds[column.name]) != column.kind:
                names = {"now": phrases.get(kind, kind), "then": phrases.get(column.kind, column.kind)}
                yield phrases["kind"].format(name=column.name, **names)
    if len(now.tables) < len(then.tables):
        yield phrases["tables"].format(now=len(now.tables), then=len(then.tables))
