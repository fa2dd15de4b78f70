"""The tables, as typed SQLAlchemy models; migrations/ holds how a database gets there.

Times are seconds since the epoch (UTC, float) so that SQLite and PostgreSQL compare them alike.
"""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, Integer, LargeBinary, MetaData, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Names every constraint, so that migrations can speak of them on both databases."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class ChatRow(Base):
    """Chat. `epoch` fences writers: it grows whenever a run starts or ends, and writes under an old one are refused.

    `owner` is the last server that worked on it; `is_held` that it works on it now or has its variables.

    `building_id` is its imported building, if not the bundled one; `selection` is JSON, a list of RoomRef; `agent` is
    its agent, if not the default one, and `model` its model. One with `archived_at` is in the list of the archive; one
    with `deleted_at` is hidden, and can be restored until its rows are deleted.
    """

    __tablename__ = "chat"

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[float]
    updated_at: Mapped[float] = mapped_column(index=True)
    last_seq: Mapped[int] = mapped_column(default=0)
    epoch: Mapped[int] = mapped_column(default=0)
    owner: Mapped[str | None]
    is_held: Mapped[bool | None]
    building_id: Mapped[str | None] = mapped_column(index=True)
    selection: Mapped[str | None] = mapped_column(Text)
    agent: Mapped[str | None]
    model: Mapped[str | None]
    pinned_at: Mapped[float | None]
    archived_at: Mapped[float | None]
    deleted_at: Mapped[float | None]


class ServerRow(Base):
    """Server that shares this database (heartbeats.py). `seen_at` is the database's time; one that `is_leaving` takes on
    nothing more.
    """

    __tablename__ = "server"

    id: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[float]
    is_leaving: Mapped[bool]


class ChatTagRow(Base):
    """Tag of a chat. Rows of a tag have the same `key`, its `name` without case (chat_tags.py)."""

    __tablename__ = "chat_tag"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True, index=True)
    name: Mapped[str] = mapped_column(Text)


class BuildingRow(Base):
    """Imported building. `definition` and `report` are JSON, `images` too: name -> stored file.

    `changed_at` is the time of the last change of its names. One with `deleted_at` is hidden, and can be restored until
    its row is deleted.
    """

    __tablename__ = "building"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    definition: Mapped[str] = mapped_column(Text)
    images: Mapped[str] = mapped_column(Text)
    report: Mapped[str] = mapped_column(Text)
    floors: Mapped[int]
    rooms: Mapped[int]
    created_at: Mapped[float]
    changed_at: Mapped[float | None]
    deleted_at: Mapped[float | None]


class RunRow(Base):
    """Run; `position` orders the queue of its chat, `cancel_reason` is a request to stop.

    `options` is RunOptions as JSON, if anything was chosen; `changed_at` is the time of the last change of `state`.
    `client_message_id` is IdempotencyKey.id. `received_by` is the server that got the message.
    """

    __tablename__ = "run"

    id: Mapped[str] = mapped_column(primary_key=True)
    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"))
    position: Mapped[int]
    state: Mapped[str]
    message: Mapped[str] = mapped_column(Text)
    cancel_reason: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]
    options: Mapped[str | None] = mapped_column(Text)
    changed_at: Mapped[float]
    client_message_id: Mapped[str | None]
    received_by: Mapped[str | None]

    __table_args__ = (
        Index("ix_run_client_message_id", "client_message_id", unique=True),
        Index("ix_run_changed_at_id", "changed_at", "id"),  # of all chats, the newest change first
        Index("ix_run_chat_id_position", "chat_id", "position"),
        Index("ix_run_created_at_id", "created_at", "id"),  # of all chats, newest first
        Index("ix_run_chat_id_state", "chat_id", "state"),  # the open ones, however many are closed
        Index("ix_run_state_created_at_id", "state", "created_at", "id"),
    )


class EventRow(Base):
    """One event of a chat's log; append-only. `body` is the event's JSON."""

    __tablename__ = "event"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    run_id: Mapped[str | None]
    type: Mapped[str]
    at: Mapped[float]
    body: Mapped[str] = mapped_column(Text)

    __table_args__ = (Index("ix_event_chat_id_type_seq", "chat_id", "type", "seq"),)


class PromptRow(Base):
    """One message that was sent to a model, or came from it, kept once in its chat; `id` is the hash of its JSON.

    `body` is that JSON, deflated with the memory of the step `base` (a run and a number) as dictionary; see prompt_messages.py.
    """

    __tablename__ = "prompt"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    base: Mapped[str | None]
    body: Mapped[bytes] = mapped_column(LargeBinary)


class AskRow(Base):
    """One ask; the first answer moves `state` from open to granted or denied, later ones find it closed.

    `closed_by`, `scope` and `said` (JSON) are those of events.AskClosed. A call that an earlier answer lets through or keeps
    out gets a row of its own, closed from the start: what is in here is every grant and every denial.
    """

    __tablename__ = "ask"

    id: Mapped[str] = mapped_column(primary_key=True)
    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"))
    run_id: Mapped[str] = mapped_column(index=True)
    state: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    value: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text, default="")
    expires_at: Mapped[float]
    opened_at: Mapped[float | None]
    closed_at: Mapped[float | None]
    closed_by: Mapped[str | None]
    scope: Mapped[str | None]
    said: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (
        Index("ix_ask_chat_id_opened_at", "chat_id", "opened_at"),
        Index("ix_ask_state_chat_id", "state", "chat_id"),  # the open ones, however many are closed
    )


class FileRow(Base):
    """One stored file, by id; a name may have several, the newest counts. `kind`: upload, produced, figure, table."""

    __tablename__ = "file"

    id: Mapped[str] = mapped_column(primary_key=True)
    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"))
    kind: Mapped[str]
    name: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(BigInteger)
    media_type: Mapped[str]
    created_at: Mapped[float]

    __table_args__ = (Index("ix_file_chat_id_name", "chat_id", "name"),)


class PurseRow(Base):
    """Balance of a chat's wallet in one currency, in minor units. A purse without payments has no row."""

    __tablename__ = "purse"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True)
    currency: Mapped[str] = mapped_column(primary_key=True)
    balance: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (CheckConstraint("balance >= 0", name="balance"),)


class PaymentRow(Base):
    """One payment; its key is the call that made it, so no call pays twice. Amounts in minor units, `balance` after it."""

    __tablename__ = "payment"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True)
    call_id: Mapped[str] = mapped_column(primary_key=True)
    transaction_id: Mapped[str] = mapped_column(unique=True)
    recipient: Mapped[str] = mapped_column(Text)
    amount: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    description: Mapped[str] = mapped_column(Text)
    balance: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[float]


class PushConfigRow(Base):
    """Push configuration of a run's client; `id` is the client's own. `base` starts the addresses in its notifications.

    `told_seq` is the seq of the last event that was sent, `is_over` that nothing more is sent, `sender` the server that
    sends.
    """

    __tablename__ = "push_config"

    run_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), index=True)
    url: Mapped[str] = mapped_column(Text)
    token: Mapped[str] = mapped_column(Text)
    scheme: Mapped[str] = mapped_column(Text)
    credentials: Mapped[str] = mapped_column(Text)
    base: Mapped[str] = mapped_column(Text)
    told_seq: Mapped[int]
    is_over: Mapped[bool] = mapped_column(index=True)
    sender: Mapped[str | None]


class SourceRow(Base):
    """One database that a person added. `address` has no password; `sealed` is the whole one, for the keys of sealing.py."""

    __tablename__ = "source"

    name: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(Text)
    sealed: Mapped[str] = mapped_column(Text)
    read_only_account: Mapped[bool]
    created_at: Mapped[float]


class McpServerRow(Base):
    """MCP server that a person added, or (`said` empty) stored data of one of the operator's.

    `sealed` and `tokens` are encrypted with the keys of sealing.py.
    """

    __tablename__ = "mcp_server"

    name: Mapped[str] = mapped_column(primary_key=True)
    said: Mapped[str] = mapped_column(Text)
    sealed: Mapped[str] = mapped_column(Text)
    tokens: Mapped[str] = mapped_column(Text)
    enabled: Mapped[bool]
    created_at: Mapped[float]


class ModelRow(Base):
    """One model that a person added, by the name a chat chooses it by. `sealed` is its key, for those of sealing.py.

    `options` is JSON of smoldesk.models.options.
    """

    __tablename__ = "model"

    name: Mapped[str] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(Text)
    base_url: Mapped[str] = mapped_column(Text)
    sealed: Mapped[str | None] = mapped_column(Text)
    context: Mapped[int | None]
    created_at: Mapped[float]
    options: Mapped[str | None] = mapped_column(Text)


class LayerRow(Base):
    """Live layer of a chat, or (`chat_id` None) of agents.toml. `building_id` is the building that its rooms are in."""

    __tablename__ = "layer"

    id: Mapped[str] = mapped_column(primary_key=True)
    chat_id: Mapped[str | None] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(Text)
    building_id: Mapped[str | None]
    title: Mapped[str] = mapped_column(Text)
    unit: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]


class LayerFrameRow(Base):
    """One frame of a live layer's history: its start in seconds, and JSON of smoldesk.store.layers."""

    __tablename__ = "layer_frame"

    layer_id: Mapped[str] = mapped_column(ForeignKey("layer.id", ondelete="CASCADE"), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)


class ReportRow(Base):
    """Report of a chat (`number` 0, whose `version` grows with each change), and its versions on other files (1, 2,
    ...).

    `body` is JSON of smoldesk.export.pins.
    """

    __tablename__ = "report"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version: Mapped[int]
    made_at: Mapped[float]
    body: Mapped[str] = mapped_column(Text)


class SharedViewRow(Base):
    """One object of a chat, for who has its key, until `expires_at` (seconds since the epoch).

    `pin` is JSON of smoldesk.export.pins.Pin. The key itself is not stored: `key_hash` is its SHA-256, in hex.
    """

    __tablename__ = "shared_view"

    id: Mapped[str] = mapped_column(primary_key=True)
    key_hash: Mapped[str] = mapped_column(unique=True)
    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), index=True)
    pin: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]
    expires_at: Mapped[float]


class SessionSecretRow(Base):
    """The random part of what sessions of browsers are signed with: one row, that all servers of the database share."""

    __tablename__ = "session_secret"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    value: Mapped[str] = mapped_column(Text)


class SignedOutRow(Base):
    """One session of a browser that was signed out, until it would have expired."""

    __tablename__ = "signed_out"

    id: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[float]


class WrongTriesRow(Base):
    """Wrong passkeys of one member id, or wrong tokens of one address, at all servers; `id` is a hash of either."""

    __tablename__ = "wrong_tries"

    id: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]
    last_at: Mapped[float] = mapped_column(index=True)


class TicketRow(Base):
    """Short-lived value of any server under a secret, whose hash is `id`. `kind` is its use."""

    __tablename__ = "ticket"

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    expires_at: Mapped[float] = mapped_column(index=True)


class McpSessionRow(Base):
    """Session of a client at /mcp, under the hash of its id. `opening` is its `initialize` request, as JSON."""

    __tablename__ = "mcp_session"

    id: Mapped[str] = mapped_column(primary_key=True)
    opening: Mapped[str] = mapped_column(Text)
    used_at: Mapped[float] = mapped_column(index=True)


class SharedSecretRow(Base):
    """Random secret that all servers of the database share; `id` is its use."""

    __tablename__ = "shared_secret"

    id: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class AuditRow(Base):
    """One entry of the audit log (audit_rows.py); append-only, and without a foreign key: it outlives its chat.

    `tally` is set where equal actions are counted in one row instead of having a row each.
    """

    __tablename__ = "audit"

    # SQLite generates ids for its own INTEGER only.
    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    at: Mapped[float] = mapped_column(index=True)
    action: Mapped[str]
    outcome: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(Text)
    address: Mapped[str] = mapped_column(Text)
    wire: Mapped[str]
    server: Mapped[str]
    chat_id: Mapped[str | None] = mapped_column(index=True)
    object_id: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    count: Mapped[int]
    tally: Mapped[str | None] = mapped_column(unique=True)


class WatchRow(Base):
    """Watch of an answer. `body` is JSON of smoldesk.watches.watch; `sealed` is the secret of its webhook.

    `turn` is the number of its next check, `next_at` the time when one is due, `inputs` the version of the inputs of the
    last one, `last` JSON of what it found. `state`: active or paused.
    """

    __tablename__ = "watch"

    id: Mapped[str] = mapped_column(primary_key=True)
    chat_id: Mapped[str] = mapped_column(ForeignKey("chat.id", ondelete="CASCADE"), index=True)
    body: Mapped[str] = mapped_column(Text)
    sealed: Mapped[str | None] = mapped_column(Text)
    state: Mapped[str]
    turn: Mapped[int]
    next_at: Mapped[float | None]
    inputs: Mapped[str] = mapped_column(Text)
    last: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]

    __table_args__ = (Index("ix_watch_state_next_at", "state", "next_at"),)


class WatchTurnRow(Base):
    """One check of a watch, by `owner`; a watch has each `turn` once. `state`: claimed, quiet, fired or failed.

    `body` is JSON of what it reports; `is_seen` that a person has read it.
    """

    __tablename__ = "watch_turn"

    watch_id: Mapped[str] = mapped_column(ForeignKey("watch.id", ondelete="CASCADE"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    state: Mapped[str]
    owner: Mapped[str]
    at: Mapped[float]
    body: Mapped[str] = mapped_column(Text)
    is_seen: Mapped[bool]

    __table_args__ = (Index("ix_watch_turn_state_at", "state", "at"),)


class WatchDeliveryRow(Base):
    """Report of a turn to one recipient, sent at least once. `kind`: mail or webhook; `state`: pending, sent or failed.

    `id` is the same in each attempt. `owner` is the server that sends it now.
    """

    __tablename__ = "watch_delivery"

    id: Mapped[str] = mapped_column(primary_key=True)
    watch_id: Mapped[str] = mapped_column(ForeignKey("watch.id", ondelete="CASCADE"), index=True)
    turn: Mapped[int]
    kind: Mapped[str]
    address: Mapped[str] = mapped_column(Text)
    state: Mapped[str]
    attempts: Mapped[int]
    next_at: Mapped[float]
    owner: Mapped[str | None]
    problem: Mapped[str] = mapped_column(Text)

    __table_args__ = (Index("ix_watch_delivery_state_next_at", "state", "next_at"),)
