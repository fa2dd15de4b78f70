"""`when did Cho Min join`, 佐藤さんはいつ入社した, 弁当の注文日は: the day of a row, where a column tells it."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Order, Refusal
from smoldesk.analyst.reading.asked_rows import row_label
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import key, name_words, stem

_WHEN = re.compile(
    r"(?:and |so )?(?:since when|when|(?:on )?(?:what|which) (?:day|date))"
    r" (?:did|does|do|was|were|is|has|have)\b(?:.*?\b(?P<verb>[a-z]+(?: (?:up|out|off|in|back))?)[ ?.!]*$)",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"(?:and |so )?when (?:did|do|were|was|are) (?:the )?(?:most|fewest|least)\b(?! recent)", re.I
)
"""Asks for a month or a year of many rows, and says not which."""
_WHEN_JA = re.compile(r"いつ(?!も|から|まで|か)(?P<verb>[\u4e00-\u9fff々]{2,})?")
_ALIKE = (
    "join start hire begin enrol enroll register signup sign since member entry admit",
    "order buy bought purchase place sell sold",
    "publish release come issue",
    "end finish complete close",
    "leave left quit depart",
    "入社 入会 加入 登録 入学 採用 入店",
    "注文 購入 受注 発注 販売",
    "発売 公開 出版 刊行 発行",
    "終了 完了 終わ",
)
"""Words for the same event, each line one."""
_ANY_DAY = re.compile(
    r"(?:the )?(?:date|day|when|timestamp|time)s?|日|日付|日時|年月日|日にち", re.IGNORECASE
)
_DAY_SAID = re.compile(r"date|day|time|deadline|since|due|[日時]$|いつ", re.IGNORECASE)


def about(verb: str, column: ColumnInfo) -> bool:
    """Whether a column of days tells when that was done; a column called only `date` is about anything."""
    if _ANY_DAY.fullmatch(column.name.strip()):
        return True
    words = {stem(word) for word in name_words(column.name)}
    said = {stem(word) for word in verb.lower().split()[:1]}
    if words & said or (not verb.isascii() and verb in column.name):
        return True
    for line in _ALIKE:
        group = line.split()
        known = {stem(word) for word in group}
        if (said & known or verb in group) and (words & known or any(one in column.name for one in group)):
            return True
    return False


def asked_when(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """The rows with the day that is asked for; a refusal where none or several could be meant, None for other questions."""
    if intent.groups or draft.aggregates or draft.plot or draft.change or draft.over_time or draft.operations:
        return None
    free = draft.free()
    if draft.grain not in ("", "day") or any(column.kind != "date" for _, column in free):
        return None
    when = (_WHEN.match if draft.language == "en" else _WHEN_JA.search)(draft.text)
    ranked = _ranked(draft) if when else None
    if when and draft.language == "en" and _MOST.match(draft.text):
        return Refusal("too_much", ("when",), table=draft.table.name)
    if not ranked and (draft.order or draft.limit or not draft.filters):
        return None
    done = [one for one in draft.filters if when and one.part == "blank" and one.comparison == "!="]
    rest = tuple(
        one for one in draft.filters if one not in done
    )  # 採用された, of a day of 採用, is no condition
    if done and not rest:
        return None
    bound = {name for one in rest for name in one.columns}
    days = [column for _, column in free] or [
        column
        for column in draft.table.columns
        if column.kind == "date" and when and column.name not in bound
    ]
    if when and when["verb"] and not days:
        days = [one for one in draft.table.columns if one.kind == "number" and about(when["verb"], one)]
    if not when and not all(_says_day(draft, at, column) for at, column in free):
        return None
    if not days:
        return None
    if when and not free:
        verb = when["verb"] or ""
        fitting = [column for column in days if about(verb, column)] if verb else days
        if not fitting and verb:
            return Refusal(
                "no_column", (verb,), tuple(one.name for one in draft.table.columns), draft.table.name
            )
        days = fitting
    if len(days) > 1 and not free:
        said, names = "when" if draft.language == "en" else "いつ", tuple(one.name for one in days)
        return Refusal("which_column", (said,), names, draft.table.name)
    draft.used.update(at for at, _ in free)
    draft.used.update(at for at, item in enumerate(draft.items) if item.cue("grain") == "day")
    names = tuple(dict.fromkeys(column.name for column in days))
    plain = replace(intent, date="", grain="", filters=rest)
    if ranked:
        measure, order = ranked
        label = row_label(draft.table)
        shown = (label.name, *names) if label and label.kind == "text" else names
        return replace(plain, operation="top", measures=(measure, *shown), order=order, limit=1)
    return replace(plain, operation="head", measures=names)


def _says_day(draft: Draft, at: int, column: ColumnInfo) -> bool:
    """Whether a column's mention asks for a day: by a word for one, or by the header before `of` (`DOB of Ana Torres`)."""
    said, after = draft.items[at].mention, draft.at(at + 1)
    if _DAY_SAID.search(said.text):
        return True
    return key(said.text) == key(column.name) and after is not None and after.mention.lead.endswith(" of ")


def _ranked(draft: Draft) -> tuple[str, Order] | None:
    """`when did the oldest member join`: what the superlative before the rows measures, and from which end."""
    for at, item in enumerate(draft.items):
        after = draft.at(at + 1)
        concept = item.cue("high") or item.cue("low")
        if draft.language != "en" or not concept or not item.mention.text.lower().endswith("est"):
            continue
        column = concept_column(concept, draft.table)
        if after is not None and after.rows and column is not None and column.kind == "number":
            return column.name, "desc" if item.cue("high") else "asc"
    return None
