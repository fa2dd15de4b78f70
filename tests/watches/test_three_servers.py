"""Watches on three servers that are killed again and again: no report is lost, and none is made twice."""

import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, select, text

from smoldesk.store.sealing import Seal, make_key_file
from smoldesk.store.tables import ChatRow, LayerFrameRow, LayerRow, WatchDeliveryRow, WatchRow, WatchTurnRow
from smoldesk.watches import Condition, Target, WatchBody
from smoldesk.watches.deliveries import new_secret
from smoldesk.watches.inputs import RoomValues
from smoldesk.watches.watch import LastCheck
from tests.support.webhook import Webhook

CHATS, WATCHES, ROUNDS = 20, 50, 10
SENDS = 10
"""Each tenth watch has a webhook."""


class Fleet:
    """Three servers; `kill` ends one without a word and starts it again."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder, self._url = folder, url
        self._servers: list[subprocess.Popen[str]] = []
        self.killed = 0
        for number in range(3):
            self._servers.append(self._start(number))

    def _start(self, number: int) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "tests.watches.watching_server",
            str(self._folder / f"s{number}"),
            self._url,
        ]
        log = (self._folder / f"s{number}.log").open("a")
        return subprocess.Popen(command, text=True, stdout=log, stderr=log)

    def kill(self) -> None:
        number = random.randrange(3)
        os.kill(self._servers[number].pid, signal.SIGKILL)
        self._servers[number].wait()
        self._servers[number] = self._start(number)
        self.killed += 1

    def stop(self) -> None:
        for server in self._servers:
            server.kill()
            server.wait()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_1000_watches_on_three_killed_servers_report_each_of_10000_changes_once(
    tmp_path: Path, postgres_of_a_desk: str
) -> None:
    make_key_file(tmp_path / "keys")
    sealed = Seal(tmp_path / "keys").seal(new_secret())
    engine = create_engine(postgres_of_a_desk)
    hook = Webhook()
    layers = [f"l{number}" for number in range(CHATS)]
    with engine.begin() as connection:
        for number, layer in enumerate(layers):
            chat = {"id": f"c_{number:024x}", "title": "t", "created_at": 1.0, "updated_at": 1.0}
            connection.execute(insert(ChatRow), chat | {"last_seq": 0, "epoch": 0})
            row = {
                "id": layer,
                "chat_id": chat["id"],
                "name": "t",
                "building_id": None,
                "title": "t",
                "unit": "",
            }
            connection.execute(insert(LayerRow), row | {"created_at": 1.0})
            _feed(connection, layer, 0)
            values = RoomValues(connection)
            for place in range(WATCHES):
                target = Target(kind="room", layer="t", room=f"R{place}")
                value = values.value(str(chat["id"]), target)
                assert value is not None
                body = WatchBody(
                    title="t",
                    target=target,
                    condition=Condition(kind="changed"),
                    webhook=hook.url if place % SENDS == 0 else None,
                )
                watch = {"id": f"w_{number}_{place}", "chat_id": chat["id"], "body": body.model_dump_json()}
                watch |= {"sealed": sealed, "state": "active", "turn": 1, "next_at": None}
                watch |= {"inputs": values.version(str(chat["id"]), target), "created_at": 1.0}
                connection.execute(
                    insert(WatchRow), watch | {"last": LastCheck(value=value).model_dump_json()}
                )
    fleet = Fleet(tmp_path, postgres_of_a_desk)
    try:
        for round_number in range(1, ROUNDS + 1):
            with engine.begin() as connection:
                for layer in layers:
                    _feed(connection, layer, round_number)
            _wait(engine, fleet, select(WatchTurnRow.turn).where(WatchTurnRow.state == "fired"), round_number)
        sent = select(WatchDeliveryRow.id).where(WatchDeliveryRow.state == "sent")
        _wait(engine, fleet, sent, ROUNDS / SENDS)
    finally:
        fleet.stop()
        hook.close()
    with engine.connect() as connection:
        turns = connection.execute(select(WatchTurnRow.watch_id, WatchTurnRow.body, WatchTurnRow.state)).all()
    values = Counter((watch, json.loads(body)["text"]) for watch, body, state in turns if state == "fired")
    watches = [f"w_{number}_{place}" for number in range(CHATS) for place in range(WATCHES)]
    expected = {(watch, str(value)) for watch in watches for value in range(1, ROUNDS + 1)}
    assert values.keys() == expected and set(values.values()) == {1}
    posted = Counter(headers["webhook-id"] for headers, _ in hook.posted)
    assert len(posted) == CHATS * WATCHES * ROUNDS / SENDS
    reported = {(body["watch_id"], body["text"]) for _, body in hook.posted}
    assert reported == {
        (watch, value) for watch, value in expected if int(watch.rpartition("_")[2]) % SENDS == 0
    }
    sent_again = sum(posted.values()) - len(posted)
    logging.getLogger(__name__).warning("%d kills, %d posts sent again", fleet.killed, sent_again)
    assert fleet.killed


def _feed(connection: Any, layer: str, value: int) -> None:
    """Give every room of a layer the value."""
    rooms = {f"R{place}": [1000.0 + value, value] for place in range(WATCHES)}
    row = {"layer_id": layer, "at": 1000 + value, "body": json.dumps({"1F": rooms})}
    connection.execute(insert(LayerFrameRow), row)


def _wait(engine: Any, fleet: Fleet, query: Any, rounds: float) -> None:
    """Wait until as many rows are there as so many rounds give; kill a server every few seconds meanwhile."""
    deadline, kill_at = time.monotonic() + 900, time.monotonic() + 4
    while True:
        with engine.connect() as connection:
            counted = text(
                f"SELECT count(*) FROM ({query.compile(compile_kwargs={'literal_binds': True})}) q"
            )
            count = connection.execute(counted).scalar_one()
        if count >= CHATS * WATCHES * rounds:
            return
        assert time.monotonic() < deadline, f"{count} rows in round {rounds}"
        if time.monotonic() > kill_at:
            fleet.kill()
            kill_at = time.monotonic() + 6
        time.sleep(0.2)
