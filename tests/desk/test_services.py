"""Services of a desk: each is made once, for some keep state between requests."""

from pathlib import Path

from smoldesk.desk import build_desk
from tests.support.desk_server import settings_for


def test_each_service_is_made_once(tmp_path: Path) -> None:
    desk = build_desk(settings_for(tmp_path))
    try:
        names = [name for name in dir(desk) if not name.startswith("_") and not callable(getattr(desk, name))]
        assert {"chats", "resumable_uploads", "mcp_apps", "reports"} <= {*names}
        assert [name for name in names if getattr(desk, name) is not getattr(desk, name)] == []
    finally:
        desk.close()
