"""A backup that is taken while the desk works is one moment of it, and comes back as that, on both databases."""

import threading
from pathlib import Path

import httpx

from tests.support.aio import run_async
from tests.support.backing_up import Commands, command, file_ids_of, logs_of, programs
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.waiting import come_true

PAY = 'print(process_payment(recipient="Alice", amount=30, currency="USD"))'


class Load:
    """People at a desk: each uploads, asks, and deletes every other chat, until the end of the block."""

    def __init__(self, live: LiveDesk, people: int = 3) -> None:
        self._live = live
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._person, args=(number,)) for number in range(people)]
        self.asked = 0
        self.deleted = 0

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join(120)

    def _person(self, number: int) -> None:
        with self._live.client(timeout=120) as http:
            turn = 0
            while not self._ending.is_set():
                turn += 1
                chat = http.post("/api/chats", json={}).json()["id"]
                for name in ("a.csv", "b.bin"):
                    content = f"{number},{turn}\n".encode() * 500
                    http.post(f"/api/chats/{chat}/files", files={"file": (name, content)}).raise_for_status()
                run = http.post(f"/api/chats/{chat}/runs", json={"message": f"{number} {turn}"})
                self.asked += run.is_success
                if turn % 2 and self._deleted(http, chat):
                    self.deleted += 1

    def _deleted(self, http: httpx.Client, chat: str) -> bool:
        come_true(lambda: http.delete(f"/api/chats/{chat}").status_code != 409)
        return True


def test_a_backup_under_load_is_one_moment_of_the_desk(
    tmp_path: Path, urls: tuple[str, str], smoldesk: Commands
) -> None:
    here, there, kept = tmp_path / "here", tmp_path / "there", tmp_path / "backups"
    env = {"SMOLDESK_DATABASE_URL": urls[0], "PATH": programs()}
    with live_desk(here, answer=lambda message, _: message * 200, database_url=urls[0]) as live:
        with Load(live) as load:
            come_true(lambda: load.asked > 10 and load.deleted > 3)
            process = command("backup", kept, "--data-dir", here, env=env)
            output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        assert "is not included" in output
        before = logs_of(here, urls[0])
        contents = {path.name: path.read_bytes() for path in (here / "files").iterdir()}

        code, output = smoldesk("restore", kept, "--data-dir", there, url=urls[1])
        assert code == 0, output

    after = logs_of(there, urls[1])
    assert len(after) >= 5
    for chat_id in {*after} & {*before}:
        assert before[chat_id][: len(after[chat_id])] == after[chat_id]
    restored = {path.name: path.read_bytes() for path in (there / "files").iterdir()}
    assert file_ids_of(there, urls[1]) == {*restored}
    assert {name: contents[name] for name in contents if name in restored} == {
        name: restored[name] for name in restored if name in contents
    }
    for chat_id in {*after} & {path.name for path in (here / "chats").iterdir()}:
        for path in (there / "chats" / chat_id).glob("*.*"):
            if path.is_file():
                assert path.read_bytes() == (here / "chats" / chat_id / path.name).read_bytes()


def test_a_restored_desk_works_and_closes_what_was_open(
    tmp_path: Path, urls: tuple[str, str], smoldesk: Commands
) -> None:
    here, there, kept = tmp_path / "here", tmp_path / "there", tmp_path / "backups"
    (here / "profiles").mkdir(parents=True)
    (here / "profiles" / "mine.yaml").write_text("a: 1\n")
    with live_desk(here, demo_tools=True, database_url=urls[0]) as live, live.client(timeout=120) as http:
        chat = http.post("/api/chats", json={"title": "売上"}).json()["id"]
        name = "売上 % #1.csv"
        http.post(f"/api/chats/{chat}/files", files={"file": (name, b"a,b\n1,2\n")}).raise_for_status()
        (here / "chats" / chat / "below").mkdir()
        (here / "chats" / chat / "below" / "x.txt").write_text("x")
        (here / "chats" / chat / "out").symlink_to("/etc/hostname")
        run_async(live.desk.runs.run_code(chat, PAY))
        come_true(lambda: http.get("/api/asks").json()["asks"])
        code, output = smoldesk("backup", kept, "--data-dir", here, url=urls[0])
        assert code == 0, output
    assert smoldesk("restore", kept, "--data-dir", there, url=urls[1])[0] == 0
    assert (there / "id").read_text() != (here / "id").read_text(), "both would be one server"
    assert (there / "profiles" / "mine.yaml").read_text() == "a: 1\n"
    assert not (there / "chats" / chat / "out").exists()
    with live_desk(there, demo_tools=True, database_url=urls[1]) as live, live.client(timeout=120) as http:
        assert http.get(f"/api/chats/{chat}").json()["title"] == "売上"
        [event] = come_true(
            lambda: [
                stored.event for stored in live.desk.store.events(chat) if stored.event.type == "run_failed"
            ]
        )
        assert event.code == "server_restarted"
        assert http.get("/api/asks").json()["asks"] == []
        [file] = http.get(f"/api/chats/{chat}/files").json()["files"]
        assert file["name"] == name
        assert (there / "chats" / chat / "below" / "x.txt").read_text() == "x"
        assert http.post(f"/api/chats/{chat}/runs", json={"message": "How many rooms?"}).status_code == 202
