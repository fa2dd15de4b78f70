"""Alembic's entry: runs migrations on the connection that the caller opened."""

from alembic import context

from smoldesk.store.conversation_tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite cannot alter a table in place
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
