"""Rows of projects and members, changed inside a transaction. Removed rows stay, with their `removed_at`."""

import secrets

from sqlalchemy import (
    ColumnElement,
    Connection,
    TextClause,
    bindparam,
    func,
    insert,
    select,
    text,
    true,
    update,
)

from smoldesk.conversations.errors import no_such_member, no_such_project
from smoldesk.conversations.models import Kind, Member, Project
from smoldesk.errors import Conflict
from smoldesk.store.conversation_tables import (
    LIVE,
    ConversationRow,
    MemberRow,
    MembershipRow,
    ProjectRow,
)
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.transaction import Tx, plain

MAX_PROJECTS = 1_000
# Members of one project.
MAX_AGENTS = 1_000
_PRESENT = ProjectRow.removed_at.is_(None)
# This update locks the project's row on PostgreSQL, so that places follow the order of commits. SQLite has one writer.
_TAKE_SEQS = CompiledStatement(
    update(ProjectRow)
    .where(ProjectRow.id == bindparam("project"), _PRESENT)
    .values(last_seq=ProjectRow.last_seq + bindparam("count"))
    .returning(ProjectRow.last_seq)
)


def add_project(tx: Tx, name: str, now: float) -> Project:
    """Insert a project. Raises Conflict when there are too many."""
    if tx.execute(select(func.count()).select_from(ProjectRow).where(_PRESENT)).scalar_one() >= MAX_PROJECTS:
        raise Conflict(
            f"There are {MAX_PROJECTS} projects already.", "Remove one first.", "too_many_projects"
        )
    project = Project(
        id=f"p_{secrets.token_hex(12)}", name=plain(name), created_at=now, agents=0, live=0, conversations=0
    )
    row = project.model_dump(include={"id", "name", "created_at"}) | {"last_seq": 0}
    tx.execute(insert(ProjectRow), row)
    tx.audit("project.added", project.id)
    return project


def take_seqs(tx: Tx, project_id: str, count: int) -> int:
    """Take `count` places in a project and return the last one; this locks the project's row until the commit.

    Zero locks only. Raises NotFound for a project that does not exist (any more).
    """
    last = _TAKE_SEQS.value(tx.connection, {"project": project_id, "count": count})
    if last is None:
        raise no_such_project(project_id)
    return last


def list_projects(connection: Connection, project_id: str | None = None) -> list[Project]:
    """Return projects that were not removed, oldest first; with an id, at most that one."""
    query = select(ProjectRow.id, ProjectRow.name, ProjectRow.created_at).where(_PRESENT)
    if project_id is not None:
        query = query.where(ProjectRow.id == project_id)
    rows = connection.execute(query.order_by(ProjectRow.created_at, ProjectRow.id)).all()
    agents = _counted(connection, MembershipRow, MembershipRow.removed_at.is_(None), project_id)
    live = _counted(connection, ConversationRow, text(LIVE), project_id)
    all_of_them = _counted(connection, ConversationRow, true(), project_id)
    return [
        Project(
            id=row.id,
            name=row.name,
            created_at=row.created_at,
            agents=agents.get(row.id, 0),
            live=live.get(row.id, 0),
            conversations=all_of_them.get(row.id, 0),
        )
        for row in rows
    ]


def _counted(
    connection: Connection,
    table: type[MembershipRow | ConversationRow],
    which: ColumnElement[bool] | TextClause,
    project_id: str | None,
) -> dict[str, int]:
    """Count rows of a table by project."""
    query = select(table.project_id, func.count()).where(which).group_by(table.project_id)
    if project_id is not None:
        query = query.where(table.project_id == project_id)
    return {row[0]: row[1] for row in connection.execute(query)}


def mark_project_removed(tx: Tx, project_id: str, now: float) -> None:
    """Mark a project as removed. Raises NotFound when it does not exist (any more)."""
    updated_count = tx.execute(
        update(ProjectRow).where(ProjectRow.id == project_id, _PRESENT).values(removed_at=now)
    ).rowcount
    if not updated_count:
        raise no_such_project(project_id)
    tx.audit("project.deleted", project_id)


def add_member(
    tx: Tx, project_id: str, name: str, kind: Kind, passkey_hash: str, now: float, agent: str | None = None
) -> Member:
    """Insert a new member of a project. Raises NotFound for the project, Conflict when it has too many."""
    _make_room(tx, project_id)
    member = Member(id=f"a_{secrets.token_hex(12)}", name=plain(name), kind=kind, joined_at=now, agent=agent)
    row = member.model_dump(include={"id", "name", "kind", "agent"})
    tx.execute(insert(MemberRow), row | {"passkey_hash": passkey_hash, "created_at": now})
    _join(tx, project_id, member.id, now)
    tx.audit("passkey.added", member.id, outcome=f"project {project_id}")
    return member


def join_member(tx: Tx, project_id: str, member_id: str, now: float) -> Member:
    """Add a member of another project, or bring back a removed one. Raises NotFound, or Conflict for a present member."""
    _make_room(tx, project_id)
    is_present = (MemberRow.id == member_id) & MemberRow.removed_at.is_(None)
    row = tx.execute(select(MemberRow.name, MemberRow.kind, MemberRow.agent).where(is_present)).first()
    if row is None:
        raise no_such_member(member_id)
    mine = (MembershipRow.project_id == project_id) & (MembershipRow.member_id == member_id)
    before = tx.execute(select(MembershipRow.removed_at).where(mine)).first()
    if before is None:
        _join(tx, project_id, member_id, now)
    elif before.removed_at is None:
        raise Conflict("This agent is in the project already.", code="already_a_member")
    else:
        tx.execute(update(MembershipRow).where(mine).values(removed_at=None, joined_at=now))
    tx.audit("passkey.added", member_id, outcome=f"project {project_id}")
    return Member(id=member_id, name=row.name, kind=row.kind, joined_at=now, agent=row.agent)


def _make_room(tx: Tx, project_id: str) -> None:
    take_seqs(tx, project_id, 0)
    if len(list_members(tx.connection, project_id, removed=False)) >= MAX_AGENTS:
        raise Conflict(
            f"There are {MAX_AGENTS} agents in this project already.", "Remove one first.", "too_many_agents"
        )


def _join(tx: Tx, project_id: str, member_id: str, now: float) -> None:
    tx.execute(
        insert(MembershipRow),
        {
            "project_id": project_id,
            "member_id": member_id,
            "joined_at": now,
            "received_seq": 0,
            "read_seq": 0,
        },
    )


def list_members(connection: Connection, project_id: str, removed: bool = True) -> list[Member]:
    """Return members in the order in which they joined, with removed ones unless `removed` is False."""
    query = (
        select(
            MemberRow.id,
            MemberRow.name,
            MemberRow.kind,
            MembershipRow.joined_at,
            MembershipRow.removed_at,
            MemberRow.agent,
            MembershipRow.chat_id,
        )
        .join(MembershipRow, MembershipRow.member_id == MemberRow.id)
        .where(MembershipRow.project_id == project_id)
        .order_by(MembershipRow.joined_at, MemberRow.id)
    )
    if not removed:
        query = query.where(MembershipRow.removed_at.is_(None))
    return [Member.model_validate(dict(row)) for row in connection.execute(query).mappings()]


def members_by_id(connection: Connection, project_id: str) -> dict[str, Member]:
    """Return present and former members of a project, by id."""
    return {member.id: member for member in list_members(connection, project_id)}


def mark_member_removed(tx: Tx, project_id: str, member_id: str, now: float) -> None:
    """Remove a member from a project, and altogether if it was its last one. Raises NotFound when it is not a member."""
    mine = (MembershipRow.member_id == member_id) & MembershipRow.removed_at.is_(None)
    updated_count = tx.execute(
        update(MembershipRow).where(mine, MembershipRow.project_id == project_id).values(removed_at=now)
    ).rowcount
    if not updated_count:
        raise no_such_member(member_id)
    tx.audit("passkey.deleted", member_id, outcome=f"project {project_id}")
    # A member without a project cannot log in anywhere; its row stays for the names in old transcripts.
    if tx.execute(select(MembershipRow.project_id).where(mine)).first() is None:
        tx.execute(update(MemberRow).where(MemberRow.id == member_id).values(removed_at=now))


# Every server asks every other second.
_DESK_MEMBERSHIPS = CompiledStatement(
    select(MembershipRow.project_id, MembershipRow.member_id)
    .join(MemberRow, MemberRow.id == MembershipRow.member_id)
    .join(ProjectRow, ProjectRow.id == MembershipRow.project_id)
    .where(MemberRow.agent.is_not(None), MembershipRow.removed_at.is_(None), _PRESENT)
    .order_by(MembershipRow.joined_at, MembershipRow.member_id)
)


def desk_memberships(connection: Connection) -> list[tuple[str, str]]:
    """Return (project, member) of the desk's own agents that are present, in the order in which they joined."""
    return [(row[0], row[1]) for row in _DESK_MEMBERSHIPS.rows(connection, {})]


_MEMBER_AT = CompiledStatement(
    select(MembershipRow.project_id, MembershipRow.member_id).where(
        MembershipRow.chat_id == bindparam("chat"), MembershipRow.removed_at.is_(None)
    )
)


def member_at(connection: Connection, chat_id: str) -> tuple[str, str] | None:
    """Return (project, member) of the desk's agent that works in a chat."""
    rows = _MEMBER_AT.rows(connection, {"chat": chat_id})
    return (rows[0][0], rows[0][1]) if rows else None


def set_chat(tx: Tx, project_id: str, member_id: str, before: str | None, chat_id: str) -> bool:
    """Set the chat of a member in place of `before`; False when another change came first."""
    mine = (MembershipRow.project_id == project_id) & (MembershipRow.member_id == member_id)
    old = MembershipRow.chat_id.is_(None) if before is None else MembershipRow.chat_id == before
    return bool(tx.execute(update(MembershipRow).where(mine, old).values(chat_id=chat_id)).rowcount)
