"""A server that only checks watches, in a process of its own: FOLDER URL."""

import asyncio
import sys
from pathlib import Path

from smoldesk.desk import build_desk
from smoldesk.watches import watch_task
from tests.support.desk_server import settings_for


async def serve(folder: Path, url: str) -> None:
    options = {"webhook_hosts": ["127.0.0.1"], "push_private_addresses": True, "database_url": url}
    desk = build_desk(settings_for(folder, **options, key_file=folder.parent / "keys"))
    desk.open()
    desk.watches.open()
    await asyncio.sleep(3600)


if __name__ == "__main__":
    watch_task.TICK_SECONDS = 0.1
    watch_task.MAX_CHECKS = watch_task.MAX_SENDING = 40
    asyncio.run(serve(Path(sys.argv[1]), sys.argv[2]))
