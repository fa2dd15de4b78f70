"""Faults of the disk and the database beneath one desk."""

import contextlib
from collections.abc import Callable, Generator
from pathlib import Path

from tests.faults.fault import Client, Fault, Outcome, code_of, postgresql, remount, small_disk
from tests.support.desk_server import Servers
from tests.support.waiting import come_true


@contextlib.contextmanager
def desk_on(folder: Path, database: str = "", files: Path | None = None) -> Generator[Client]:
    """Serve a desk from this folder that is ready and has answered once."""
    settings = {"SMOLDESK_DATABASE_URL": database} if database else {}
    settings |= {"SMOLDESK_FILES_DIR": str(files)} if files else {}
    with Servers(folder, **settings) as servers:
        client = Client(servers.start())
        client.come_ready()
        client.answers()
        yield client


def _outcome(client: Client, code: str, end: Callable[[], object], refused: set[str]) -> Outcome:
    """Check that the fault is reported as `code`, by these wires at least; end it, and see that work continues."""
    client.come_ready(code)
    codes = client.codes()
    assert set(codes.values()) <= {code, ""}, codes
    wires = [name for name, seen in codes.items() if seen]
    assert refused <= {*wires}, codes
    end()
    client.come_ready()
    assert not any(client.codes().values())
    client.answers()
    return Outcome(f"`{code}` in `/readyz` and on {', '.join(wires)}", "by itself, without a restart")


def full_disk(folder: Path) -> Outcome:
    """Fill the disk of the database, the files and the chats' folders."""
    with small_disk(folder) as disk, desk_on(disk) as client:
        filler = disk / "filler"
        _fill(filler)
        # SQLite may still have room in its write-ahead log.
        come_true(lambda: client.http.post("/api/chats").status_code == 507)
        return _outcome(
            client, "disk_full", filler.unlink, {"REST", "upload", "export", "OpenAI", "A2A", "page"}
        )


def read_only_folder(folder: Path) -> Outcome:
    """Mount the folder of files read-only: the disk of the database stays writable."""
    with small_disk(folder) as disk, desk_on(folder, files=disk) as client:
        remount(disk, "ro")
        return _outcome(client, "data_read_only", lambda: remount(disk, "rw"), {"upload"})


def zeroed_database(folder: Path) -> Outcome:
    """Overwrite SQLite's file with zeros while the desk runs, then put the file back."""
    with desk_on(folder) as client:
        files = [folder / "data" / f"smoldesk.db{suffix}" for suffix in ("", "-wal")]
        before = [file.read_bytes() for file in files]
        for file in files:
            with file.open("r+b") as target:
                target.write(bytes(file.stat().st_size))

        def put_back() -> None:
            for file, content in zip(files, before, strict=True):
                with file.open("r+b") as target:
                    target.write(content)

        client.come_ready("database_damaged")
        response = client.http.get("/api/chats")
        assert (response.status_code, code_of(response)) == (503, "database_damaged")
        put_back()
        client.come_ready()
        client.answers()
        return Outcome("`database_damaged` in `/readyz` and on REST", "after its file was put back")


def _unavailable(client: Client) -> str:
    """Check that every wire says that the database does not answer; return their names."""
    client.come_ready("database_unavailable")
    codes = client.codes()
    assert set(codes.values()) == {"database_unavailable"}, codes
    return ", ".join(codes)


def paused_postgresql(folder: Path) -> Outcome:
    """Stop PostgreSQL's processes by SIGSTOP: connections stay open, and nothing answers."""
    with postgresql() as server, server.desk_database() as url, desk_on(folder, url) as client:
        with server.frozen():
            wires = _unavailable(client)
        client.come_ready()
        client.answers()
        return Outcome(f"`database_unavailable` in `/readyz` within 2 s, after 20 s on {wires}", "by itself")


def stopped_postgresql(folder: Path) -> Outcome:
    """Shut PostgreSQL down and start it again."""
    with postgresql() as server, server.desk_database() as url, desk_on(folder, url) as client:
        server.stop()
        try:
            wires = _unavailable(client)
        finally:
            server.start()
        client.come_ready()
        client.answers()
        return Outcome(f"`database_unavailable` in `/readyz`, after up to 10 s on {wires}", "by itself")


def _fill(filler: Path) -> None:
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(65_536)):
            pass


FAULTS: dict[str, Fault] = {
    "full disk": full_disk,
    "read-only folder of files": read_only_folder,
    "database overwritten with zeros": zeroed_database,
    "PostgreSQL paused": paused_postgresql,
    "PostgreSQL stopped": stopped_postgresql,
}
