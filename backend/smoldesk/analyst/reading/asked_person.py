"""Whom `who` asks for: agents, customers, names, and whoever a column is called after."""

import re

from smoldesk.analyst.reading.asked_rows import row_label
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.told_of_one import ranks_one_row
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import concepts, core_words
from smoldesk.analyst.words.text import key, name_words, stem


def asked_person(draft: Draft) -> str:
    """The column that `who` asks for: agents, customers, names."""
    if not any(
        item.is_cue("which") and key(item.mention.text) in ("who", "誰", "だれ") for item in draft.items
    ):
        return ""
    if doer := _by_whom(draft):
        return doer
    found = (
        concept_column(concept, draft.table)
        for concept in ("agent", "name", "customer", "player", "driver", "artist", "mechanic")
    )
    if _HANDLES.search(draft.text) and (handler := _handler(draft)):
        return handler
    named = next((column.name for column in found if column and column.kind == "text"), "")
    named = named or _doer(draft) or _person(draft)
    label = row_label(draft.table)
    if not named and label is not None and label.is_id and set(core_words(label.name)) & _PERSONS:
        return label.name  # Student ID
    return named or (label.name if label is not None and not label.is_id else "")


_HANDLES = re.compile(
    r"\b(?:handl|clos|solv|resolv|answer|fix|repair|manag|deal|treat|serv|teach|taught|ran|run)\w*\b"
)
_HANDLERS = frozenset((
    "agent", "owner", "assignee", "technician", "handler", "mechanic", "engineer", "staff", "rep", "advisor", "doctor",
    "vet", "dentist", "teacher", "tutor", "instructor", "organiser", "organizer", "host",
))  # fmt: skip


_GETS = re.compile(
    r"\bwho(?:m)? (?:(?:has |have )?(?:got|gets?|received?|receives|was paid|is paid|were paid)|did (?:we|i|they|you) pay)\b",
    re.I,
)
_GETTERS = frozenset(
    ("payee", "recipient", "vendor", "merchant", "supplier", "receiver", "beneficiary", "creditor")
)
_DOES = re.compile(r"\bwho(?: has| have)? ([a-z]+)\b", re.I)


def _by_whom(draft: Draft) -> str:
    """`who paid the most`, of a column `paid_by`; who got it is told by a column of payees, if there is one."""
    texts = [one for one in draft.table.columns if one.kind == "text"]
    if _GETS.search(draft.text):
        named = [one.name for one in texts if set(core_words(one.name)) & _GETTERS]
        return named[0] if len(named) == 1 else ""
    done = [one for one in texts if name_words(one.name)[-1:] == ["by"] and len(name_words(one.name)) == 2]
    said = _DOES.search(draft.text)
    if len(done) != 1 or said is None:
        return ""
    verb, deed = key(said[1]), name_words(done[0].name)[0]
    made = verb in ("made", "makes", "did") and deed in _PAID  # who made the biggest payment
    paid = deed in _PAID and verb in _PAYS
    return done[0].name if made or paid or stem(verb) == stem(deed) else ""


_PAID = ("paid", "spent", "donated", "given")
_PAYS = ("pay", "pays", "spends", "spent", "gives", "gave", "donates")


def _handler(draft: Draft) -> str:
    """The one column of those who do the work, not of those it is done for."""
    found = [
        one.name
        for one in draft.table.columns
        if one.kind == "text" and set(core_words(one.name)[-1:]) & _HANDLERS
    ]
    return found[0] if len(found) == 1 else ""


def does_again(draft: Draft, person: str) -> bool:
    """一番お金を使った人は誰: what somebody does in several rows is added up."""
    column = draft.table.column(person)
    again = bool(column.values) and len(column.values) < draft.table.rows
    named = max((at for at, item in enumerate(draft.items) if item.rows), default=-1)
    asked = next((at for at, item in enumerate(draft.items) if item.is_cue("which")), -1)
    if ranks_one_row(draft):  # who made the biggest payment
        return False
    if draft.language == "en" and 0 <= named < asked:  # longest meeting and who ran it
        return False
    return again and any(item.is_cue("light") for item in draft.items)


def _doer(draft: Draft) -> str:
    """The one column named after those who do something, and who come in several rows: picker, donor, skipper."""
    doers = [
        column.name
        for column in draft.table.columns
        if is_doer(column) and column.values and len(column.values) < draft.table.rows
    ]
    return doers[0] if len(doers) == 1 else ""


def persons(table: TableInfo) -> list[ColumnInfo]:
    """All columns of text that are called after people, or after those who do something."""
    return [
        one
        for one in table.columns
        if one.kind == "text"
        and (
            is_doer(one)
            or set(core_words(one.name)[-1:]) & _WORK
            or set(core_words(one.name)[-1:]) & _PERSONS
            or set(concepts(one.name)[:1]) & _WHOM
        )
    ]


def handles(column: ColumnInfo) -> bool:
    """Whether a column is called after those who do the work, not after those it is done for."""
    return (
        bool(set(core_words(column.name)[-1:]) & (_HANDLERS | _WORK)) or "agent" in concepts(column.name)[:1]
    )


_WORK = frozenset(
    ("tech", "rep", "vet", "chef", "nurse", "staff", "crew", "clerk", "coach", "assistant", "lead")
)
_WHOM = frozenset(("agent", "customer", "driver", "artist", "mechanic"))


def is_doer(column: ColumnInfo) -> bool:
    """Whether a column of names is called after those who do something: picker, 担当者, オペレーター."""
    last = next(iter(core_words(column.name)[-1:]), "")
    if column.kind != "text" or not last or last in _THINGS:
        return False
    return bool(last.endswith(_DOERS) or _WORKERS.search(last))


_DOERS = ("er", "or", "ist", "ian", "yst", "ee", "ant", "person", "者", "員", "手", "人")
_PERSONS = frozenset((
    "student", "pupil", "patient", "client", "employee", "guest", "band", "artist", "angler", "author", "teacher", "tutor",
    "donor", "borrower", "resident", "person", "child", "kid", "tenant", "owner", "witness", "volunteer", "coach", "captain",
    "nurse", "colleague", "neighbour", "neighbor", "host", "friend", "athlete", "member", "contestant", "applicant",
    "candidate", "respondent", "visitor", "organiser", "organizer", "participant", "payer", "reader", "seller", "buyer",
))  # fmt: skip


def _person(draft: Draft) -> str:
    """The one column that is called after people."""
    found = [
        one.name
        for one in draft.table.columns
        if one.kind == "text" and set(core_words(one.name)[-1:]) & _PERSONS
    ]
    return found[0] if len(found) == 1 else ""


_WORKERS = re.compile(
    "(?:オペレーター?|ドライバー|トレーナー|スタッフ|スタイリスト|インストラクター|マネー?ジャー|リーダー|コーチ|プレーヤー|プレイヤー"
    "|メンバー|エンジニア|アドバイザー|セラピスト|ガイド|キャスト|デザイナー|ライター|パートナー|ユーザー|オーナー|ホスト|名前|氏名)$"
)
_THINGS = ("number", "order", "weather", "sensor", "color", "floor", "meter", "quarter", "letter", "paper", "water", "power",
           "layer", "semester", "computer", "folder", "flavor", "sector", "factor", "error", "door", "indoor", "outdoor",
           "plant", "tier", "fiber", "river", "flower", "container", "trailer", "counter", "center", "chapter", "gender",
           "monitor", "router", "server", "printer", "browser", "filter", "register", "answer", "offer", "other")  # fmt: skip
