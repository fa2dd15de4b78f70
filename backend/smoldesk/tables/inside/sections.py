"""Sections of a table: rows with a heading in the first column above rows that repeat the same labels."""

import re
from typing import Any

from .shapes import Problem, quoted, with_columns

# Headings that stand above rows with other labels each: (1)平成27年, 【東北】, ○男.
_MARKED = re.compile(r"\s*(?:[(（【＜<［\[]|[○●◎■□◆◇▼▽])")
_JAPANESE = re.compile(r"[\u3040-\u9fff]")
# Part of a label that is spelled downwards: 65, ｜, 69, 歳.
_LETTER = re.compile(r"[\u3040-\u9fff|｜～〜]")
# Most headings, as a share of the rows.
MOST = 1 / 3


def split_sections(frame: Any) -> tuple[Any, str, list[Problem]]:
    """Return the table with its headings in a column of their own, the suffix of the load expression that does the same,
    and a note. A table without sections stays as it is.
    """
    heading = _headings(frame)
    if heading is None:
        return _with_spelled(frame)
    first = str(frame.columns[0])
    is_japanese = any(map(_JAPANESE.search, map(str, [first, *frame[first][heading]])))
    name = "区分" if is_japanese else "section"
    while name in frame.columns:
        name += "_"
    others = f"t.drop(columns={quoted(first)})"
    suffix = (
        f".pipe(lambda t: t.assign(**{{{quoted(name)}: t[{quoted(first)}].where({others}.isna().all(axis=1)).ffill()}})"
        f".loc[{others}.notna().any(axis=1), [{quoted(name)}, *t.columns]].reset_index(drop=True))"
    )
    note = Problem("sections", {"n": int(heading.sum()), "column": name}, is_note=True)
    return eval(f"frame{suffix}", {"frame": frame}), suffix, [note]


def _with_spelled(frame: Any) -> tuple[Any, str, list[Problem]]:
    """Return the same for labels that are spelled down the first column, a part in each row, beside blocks of rows."""
    size = frame.iloc[:, 1].nunique() if frame.shape[1] > 2 and frame.columns.is_unique else 0
    count = len(frame) // max(1, size)
    if size < 3 or count < 2 or frame.iloc[:, 1].tolist() != frame.iloc[:size, 1].tolist() * count:
        return frame, "", []
    blocks = [frame.iloc[at * size : (at + 1) * size, 0].dropna().astype(str) for at in range(count)]
    labels = {"".join(block) for block in blocks}
    if len(labels) < count or not all(1 < len(block) < size and _is_spelled(block) for block in blocks):
        return frame, "", []
    name = str(frame.columns[0])
    parts = f't[{quoted(name)}].fillna("").astype("str")'
    joined = f'{parts}.groupby(t.index // {size}).transform(lambda line: "".join(line))'
    frame, suffix = with_columns(frame, {name: joined})
    return frame, suffix, [Problem("sections", {"n": count, "column": name}, is_note=True)]


def _is_spelled(texts: Any) -> bool:
    return max(map(len, texts)) <= 3 and any(_LETTER.fullmatch(text) for text in texts)


def _headings(frame: Any) -> Any:
    """Return which rows are headings; None if the table has no sections."""
    if len(frame) < 4 or frame.shape[1] < 3 or not frame.columns.is_unique:
        return None
    labels = frame.iloc[:, 0]
    alone = labels.notna() & frame.iloc[:, 1:].isna().all(axis=1)
    count = int(alone.sum())
    if not alone.iloc[0] or count > MOST * len(frame):
        return None
    if (alone & alone.shift(-1, fill_value=True)).any():  # a heading without rows
        return None
    groups = [set(group.astype(str)) for _, group in labels[~alone].groupby(alone.cumsum()[~alone])]
    repeat = count > 1 and all(2 * len(group & groups[0]) > len(group) for group in groups[1:])
    return alone if repeat or labels[alone].astype(str).str.match(_MARKED.pattern).all() else None
