"""Where a chat's files and tables are fetched: the one place that writes these addresses."""

from urllib.parse import quote


def file_url(chat_id: str, name: str, file_id: str) -> str:
    """Address of one stored version of a file."""
    return f"/api/chats/{chat_id}/files/{quote(name, safe='')}?v={file_id}"


def table_url(chat_id: str, table_id: str) -> str:
    """Address of a table's pages."""
    return f"/api/chats/{chat_id}/tables/{table_id}"
