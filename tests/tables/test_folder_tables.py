"""SQL over the tables in a chat's folder: real files, a real process for every query."""

import contextlib
import json
import os
import sqlite3
import time
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow
import pytest
from pyarrow import parquet

from smoldesk.errors import BadInput, DeskError
from smoldesk.folders import open_inside
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES, folder_tables
from smoldesk.tables.folder_tables import ChatTables, NoAnswer
from smoldesk.tables.inside import folder_files
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.sql_engine import SqlEngine
from tests.support import hostile_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "chat"
    folder.mkdir()
    return folder


@pytest.fixture
def engine(folder: Path, tmp_path: Path) -> SqlEngine:
    datasets = Datasets.bundled()
    files = ChatTables(folder, tmp_path, [datasets.path(name) for name in datasets.names()])
    return SqlEngine(datasets, files)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose tables have been read once."""
    folder = tmp_path_factory.mktemp("attacked") / "chat"
    folder.mkdir()
    sales(folder)
    ChatTables(folder, folder.parent).query("SELECT 1")
    return folder


def sales(folder: Path, name: str = "sales 2024.csv") -> None:
    (folder / name).write_text("shop,day,sold\nNorth,2024-01-01,3\nSouth,2024-01-02,\n北,2024-01-03,4.5\n")


def test_an_uploaded_file_is_a_table_named_after_it(engine: SqlEngine, folder: Path) -> None:
    sales(folder)
    rows = engine("SELECT shop, sold, typeof(sold) FROM sales_2024 ORDER BY day")
    assert rows.columns == ["shop", "sold", "typeof(sold)"]
    assert rows.rows == [["North", 3, "DOUBLE"], ["South", None, "DOUBLE"], ["北", 4.5, "DOUBLE"]]
    assert engine('SELECT COUNT(*) FROM "SALES_2024"').rows == [[3]]


def test_files_and_bundled_datasets_meet_in_one_query(engine: SqlEngine, folder: Path) -> None:
    (folder / "names.tsv").write_text("room\tnick\nKitchen\tcook's\nRoom1\tsouth\n")
    rows = engine(
        "SELECT nick, COUNT(*) FROM measurement JOIN names ON roomname = room GROUP BY nick ORDER BY nick"
    )
    assert [row[0] for row in rows.rows] == ["cook's", "south"]
    assert engine("SELECT COUNT(*) FROM titanic").rows == [[891]]


def test_every_kind_of_table_file_can_be_asked(engine: SqlEngine, folder: Path) -> None:
    frame = pd.DataFrame({"a b": [1, 2], "when": pd.to_datetime(["2024-05-01 00:00", "2024-05-02 10:30"])})
    frame.to_excel(folder / "book.xlsx", index=False)
    frame.to_parquet(folder / "Pack.parquet")
    (folder / "records.json").write_text(json.dumps([{"x": 1, "y": [1, 2]}, {"x": None, "y": "z"}]))
    with sqlite3.connect(folder / "base.sqlite") as connection:
        connection.execute("CREATE TABLE people (name TEXT, born INTEGER)")
        connection.execute("INSERT INTO people VALUES ('Ada', 1815)")
    connection.close()
    (folder / "latin.csv").write_bytes("ville;prix\nOrléans;3\n".encode("latin-1"))
    assert engine('SELECT SUM("a b"), MAX("when") FROM book').rows == [[3, "2024-05-02T10:30:00"]]
    assert engine("SELECT COUNT(*) FROM pack").rows == [[2]]
    assert engine("SELECT COUNT(x), COUNT(*) FROM records").rows == [[1, 2]]
    assert engine("SELECT name FROM people WHERE born < 1900").rows == [["Ada"]]
    assert engine("SELECT prix FROM latin WHERE ville = 'Orléans'").rows == [[3]]


def test_times_with_fractions_of_a_second_are_times(engine: SqlEngine, folder: Path) -> None:
    (folder / "log.csv").write_text(
        "a,t,u\n1,2024-01-31 10:30:00.500000,2024-01-31T10:30:00.25\n2,,2024-02-01 11:00\n"
    )
    query = "SELECT typeof(t), typeof(u), t, u FROM log WHERE a = 1"
    assert engine(query).rows == [
        ["TIMESTAMP", "TIMESTAMP", "2024-01-31T10:30:00.500000", "2024-01-31T10:30:00.250000"]
    ]


def test_names_that_collide_are_told_apart_and_all_are_told(engine: SqlEngine, folder: Path) -> None:
    for name in ("A-b.csv", "a b.csv", "2024.csv", "select.csv", "売上.csv"):
        (folder / name).write_text("n,N\n1,2\n")
    with pytest.raises(BadInput) as caught:
        engine("SELECT * FROM nope")
    report = str(caught.value)
    assert "Table with name nope does not exist!" in report
    for table in ("A_b(n, N_2)", "a_b_2(n, N_2)", "t_2024(", "select(", "売上(", "measurement(Brightness,"):
        assert table in report, report
    assert engine('SELECT n, N_2 FROM "select" UNION SELECT * FROM 売上').rows == [[1, 2]]


def test_a_changed_file_is_read_again(engine: SqlEngine, folder: Path) -> None:
    sales(folder)
    assert engine("SELECT COUNT(*) FROM sales_2024").rows == [[3]]
    (folder / "sales 2024.csv").write_text("shop\nNorth\n")
    assert engine("SELECT * FROM sales_2024").rows == [["North"]]
    (folder / "sales 2024.csv").write_text("shop\nSouth\nWest\n")
    assert engine("SELECT * FROM sales_2024").rows == [["South"], ["West"]]
    assert len(list((folder / ".tables").iterdir())) == 1


def test_a_file_of_a_bundled_name_comes_first_and_a_copy_does_not_count(
    engine: SqlEngine, folder: Path
) -> None:
    datasets = Datasets.bundled()
    (folder / "titanic.csv").write_bytes(datasets.path("titanic").read_bytes())
    assert engine.files is not None and engine.files.files() == []
    (folder / "titanic.csv").write_text("survived\n1\n")
    assert engine("SELECT COUNT(*) FROM titanic").rows == [[1]]


def test_a_broken_file_is_said_and_the_others_can_be_asked(engine: SqlEngine, folder: Path) -> None:
    sales(folder)
    (folder / "broken.xlsx").write_bytes(b"PK\x03\x04 no")
    (folder / "empty.csv").write_bytes(b"")
    assert engine("SELECT COUNT(*) FROM sales_2024").rows == [[3]]
    with pytest.raises(BadInput, match=r"Not read: broken\.xlsx: .+; empty\.csv: .+"):
        engine("SELECT * FROM broken")


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO sales_2024 VALUES (1, 2, 3)",
        "DELETE FROM sales_2024",
        "DROP TABLE sales_2024",
        "CREATE TEMP TABLE t (a)",
        "ATTACH '/etc/passwd' AS other",
        "PRAGMA writable_schema = ON",
        "PRAGMA query_only = OFF",
        "SELECT 1; DROP TABLE sales_2024",
        "WITH t AS (SELECT 1) DELETE FROM sales_2024",
        "SELECT load_extension('x')",
        "VACUUM INTO 'stolen.db'",
    ],
)
def test_nothing_can_be_written_or_reached(attacked: Path, query: str) -> None:
    before = {path.name: path.read_bytes() for path in attacked.iterdir()}
    with pytest.raises(BadInput, match="The query failed: "):
        ChatTables(attacked, attacked.parent).query(query)
    assert {path.name: path.read_bytes() for path in attacked.iterdir()} == before


def test_links_and_folders_are_no_tables(engine: SqlEngine, folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("key\n1234\n")
    (folder / "link.csv").symlink_to(secret)
    (folder / "folder.csv").mkdir()
    assert engine.files is not None and engine.files.files() == []
    sales(folder)
    with pytest.raises(BadInput, match="Table with name link does not exist!"):
        engine("SELECT * FROM link")


def test_a_query_without_end_is_stopped(attacked: Path) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
    with pytest.raises(BadInput, match=r"it took more than 0\.2 seconds"):
        ChatTables(attacked, attacked.parent).query(endless, (), seconds=0.2)


def instead(monkeypatch: pytest.MonkeyPatch, root: Path, program: str) -> None:
    """Have the child run this text in place of the program that queries tables."""
    (root / "inside").mkdir()
    (root / "inside" / "program.py").write_text(program)
    monkeypatch.setattr(folder_tables, "PROGRAM", "rogue.inside.program")
    monkeypatch.setattr(folder_tables, "CHILD_PACKAGES", {**CHILD_PACKAGES, "rogue": str(root)})


def test_a_process_that_does_not_answer_is_given_up(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sales(folder)
    instead(monkeypatch, tmp_path, "import time\ntime.sleep(600)\n")
    with pytest.raises(NoAnswer, match="it took too long"):
        ChatTables(folder, tmp_path).query("SELECT 1", (), seconds=0.1, patience=0.4)


@pytest.mark.parametrize(
    "message",
    [
        b"{}",
        b"nonsense",
        b'{"type":"answer","tables":[],"unread":[],"columns":["a"],"rows":[[1,2]],"truncated":false}',
        b'{"type":"answer","tables":[["t",["c"]]],"unread":[],"columns":["a"],"rows":7}',
    ],
)
def test_an_answer_without_shape_is_not_believed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: bytes
) -> None:
    sales(folder)
    instead(
        monkeypatch,
        tmp_path,
        "import os, socket, struct\n"
        "for fd in sorted(int(name) for name in os.listdir('/proc/self/fd') if int(name) > 2):\n"
        "    try:\n"
        "        sock = socket.socket(fileno=fd)\n"
        f"        sock.sendall(struct.pack('>I', 2) + b'{{}}' + struct.pack('>I', {len(message)}) + {message!r})\n"
        "    except OSError:\n"
        "        continue\n"
        "    os._exit(0)\n",
    )
    with pytest.raises(NoAnswer, match="sent an invalid answer"):
        ChatTables(folder, tmp_path).query("SELECT 1")


def test_a_long_result_is_cut_and_says_so(folder: Path, tmp_path: Path) -> None:
    (folder / "many.csv").write_text("n,text\n" + "".join(f"{n},あいう{n}\n" for n in range(10_050)))
    rows = ChatTables(folder, tmp_path).query("SELECT * FROM many")
    assert (len(rows.rows), rows.truncated) == (10_000, True)


def test_what_was_kept_of_files_that_are_gone_and_what_killed_queries_left_is_removed(
    engine: SqlEngine, folder: Path
) -> None:
    sales(folder)
    pd.DataFrame({"a": [1]}).to_excel(folder / "book.xlsx", index=False)
    (folder / ".tables-fedcba9876543210.sqlite").write_bytes(b"of an earlier release")
    stored = folder / ".tables"
    for remaining in ("spill-1", "0123.making-1", "0123456789abcdef"):
        (stored / remaining).mkdir(parents=True)
        os.utime(stored / remaining, (0, 0))
    (stored / "spill-2").mkdir()
    assert engine("SELECT COUNT(*) FROM book").rows == [[1]]
    names = sorted(path.name for path in stored.iterdir())
    assert len(names) == 2 and names[1] == "spill-2"  # another query may be writing there
    assert not list(folder.glob(".tables-*"))


def test_text_is_read_by_our_readers_where_the_engine_would_not_read_it_alike(
    engine: SqlEngine, folder: Path
) -> None:
    (folder / "jp.csv").write_bytes('店,売上\n東京,"1,200"\n大阪,300\n'.encode("cp932"))
    (folder / "de.csv").write_text("ort;preis\nKöln;1.234,50\nBonn;2,25\n")
    (folder / "wide.csv").write_bytes("a,b\n1,é\n".encode("utf-16"))
    (folder / "tail.csv").write_text("a,b\n1,2,\n3,4,\n")
    (folder / "ids.csv").write_text("id,n\n12345678901234567890,1\n12345678901234567891,2\n")
    assert engine('SELECT "売上" FROM jp WHERE "店" = \'東京\'').rows in ([["1,200"]], [[1200]])
    assert engine("SELECT SUM(preis) FROM de").rows == [[1236.75]]
    assert engine("SELECT b FROM wide").rows == [["é"]]
    assert engine("SELECT SUM(b) FROM tail").rows == [[6]]
    assert engine("SELECT COUNT(DISTINCT id) FROM ids").rows == [[2]]


def test_text_that_turns_out_otherwise_further_down_is_read_again(engine: SqlEngine, folder: Path) -> None:
    lines = [f"{number},{number}" for number in range(25_000)]
    (folder / "late.csv").write_text("\n".join(["id,code", *lines, "25000,none of these"]) + "\n")
    (folder / "short.csv").write_text("\n".join(["id,code", *lines, "25000"]) + "\n")
    (folder / "long.csv").write_text("\n".join(["id,code", *lines, "25000,1,2"]) + "\n")
    for _ in range(2):  # the second time it is known
        assert engine("SELECT MAX(id), COUNT(code), MAX(length(code::VARCHAR)) FROM late").rows == [
            [25000, 25001, 13]
        ]
    assert engine("SELECT MAX(id), COUNT(*), COUNT(code) FROM short").rows == [[25000, 25001, 25000]]
    with pytest.raises(BadInput, match=r"Not read: long\.csv: Here are 3 values.*\(line 25,002\)"):
        engine("SELECT MAX(code) FROM long")


def database(path: Path) -> None:
    """With a table of people."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE people (name TEXT)")
        connection.execute("INSERT INTO people VALUES ('Ada')")


def test_files_that_our_readers_read_are_read_when_a_query_names_them(
    engine: SqlEngine, folder: Path
) -> None:
    database(folder / "base.db")
    sales(folder)
    (folder / "jp.csv").write_bytes("店,売上\n東京,3\n".encode("cp932"))
    with pd.ExcelWriter(folder / "book 1.xlsx") as book:
        for sheet in ("May", "June"):
            pd.DataFrame({"n": [5]}).to_excel(book, sheet_name=sheet, index=False)

    def stored() -> int:
        return len(list(folder.glob(".tables/*/tables.json")))

    for query, most in {
        "SELECT count(*) FROM sales_2024 -- jpg, peoples": 0,
        'SELECT n FROM "BOOK_1_june"': 1,
        "WITH p AS (FROM people) SELECT p.name, s.shop FROM p, sales_2024 s": 2,
    }.items():
        assert engine(query).rows
        assert stored() == most
    with pytest.raises(BadInput, match=r"Not read: jp\.csv: the query does not name it"):
        engine("SELECT nothing FROM people")
    listing = [row[0] for row in engine("SHOW TABLES").rows]
    assert {"people", "sales_2024", "book_1_May", "book_1_June", "jp"} <= set(listing) and stored() == 3


def test_files_that_cannot_be_read_are_told_of_by_name_and_hold_up_nobody_else(
    engine: SqlEngine, folder: Path
) -> None:
    sales(folder)
    heads = [f"c{number}" for number in range(12_000)]
    parquet.write_table(pyarrow.table([[1]] * len(heads), names=heads), folder / "wide.parquet")
    (folder / "wide_text.csv").write_text(",".join(["c"] * 50_000) + "\n" + ",".join(["1"] * 50_000))
    (folder / "bomb.xlsx").write_bytes(hostile_files.zip_bomb())
    (folder / "bad.parquet").write_bytes(b"PAR1" + b"\xff" * 40 + b"\xff\xff\xff\x7fPAR1")
    (folder / "many.json").write_text(json.dumps([dict.fromkeys(heads[:9_000], 1)]))
    (folder / "too_many.json").write_text(json.dumps([dict.fromkeys(heads, 1)]))
    for table, text in {
        "wide": r"wide\.parquet: It has 12,000 columns; at most 10,000 are read",
        "wide_text": r"wide_text\.csv: It has [0-9,]+ columns; at most 10,000 are read",
        "bomb": r"bomb\.xlsx: It unpacks to 4,000,[0-9,]+ bytes",
        "bad": r"bad\.parquet: The file is cut off or damaged",
        "many, nowhere": r"many\.json: the last 8,000 of its columns",
        "too_many": r"too_many\.json: It has 12,000 columns; at most 10,000 are read",
    }.items():
        with pytest.raises(BadInput, match=text):
            engine(f"SELECT * FROM {table}")
        assert engine("SELECT count(*) FROM sales_2024").rows == [[3]]
    assert engine("SELECT c7 FROM many").rows == [[1]]


def test_names_do_not_depend_on_what_was_read_before(engine: SqlEngine, folder: Path) -> None:
    pd.DataFrame({"of": ["sheet"]}).to_excel(folder / "people.xlsx", index=False)
    assert engine("SELECT of FROM people").rows == [["sheet"]]
    database(folder / "base.db")  # which comes before it
    (folder / "titanic.json").write_text('[{"of": "json"}]')
    assert engine("SELECT name FROM people").rows == [["Ada"]]
    assert engine("SELECT of FROM people_2").rows == [["sheet"]]
    assert engine("SELECT of FROM titanic").rows == [["json"]]


def test_days_and_blanks_come_out_alike_from_every_kind_of_file(engine: SqlEngine, folder: Path) -> None:
    rows: list[dict[str, object]] = [
        {"day": "2024-01-31", "at": "2024-01-31 10:30:00", "us": "01/31/2024", "n": 1, "ok": True},
        {"day": "2024-02-01", "at": "2024-02-01 11:00:00", "us": "02/01/2024", "n": None, "ok": False},
    ]
    frame = pd.DataFrame(rows)
    frame.to_csv(folder / "c.csv", index=False)
    frame.to_csv(folder / "s.tsv", index=False, sep="\t", na_rep="N/A")
    frame.to_csv(folder / "w.csv", index=False, encoding="utf-16")
    (folder / "j.json").write_text(json.dumps(rows))
    frame.to_excel(folder / "x.xlsx", index=False)
    for table in ("c", "s", "w", "j", "x"):
        text = f"SELECT strftime(day, '%m'), date_trunc('month', \"at\"), us, n, ok FROM {table} ORDER BY day"
        assert engine(text).rows == [
            ["01", "2024-01-01T00:00:00", "01/31/2024", 1, True],
            ["02", "2024-02-01T00:00:00", "02/01/2024", None, False],
        ], table


def test_a_parquet_file_is_read_where_it_lies(engine: SqlEngine, folder: Path) -> None:
    frame = pd.DataFrame({"kind": pd.Categorical(["a", "b", "a"]), "n": [1, 2, 3]}, index=[3, 5, 8])
    frame.to_parquet(folder / "p.parquet")
    assert engine("SELECT kind, SUM(n) AS n FROM p GROUP BY kind ORDER BY kind").rows == [["a", 4], ["b", 2]]
    assert engine("SELECT * FROM p LIMIT 1").columns == ["kind", "n"]
    assert not (folder / ".tables").exists()
    (folder / "bad.parquet").write_bytes((folder / "p.parquet").read_bytes()[:-20])
    with pytest.raises(BadInput, match=r"Not read: bad\.parquet: The file is cut off or damaged"):
        engine("SELECT * FROM bad")


def test_files_that_go_away_while_they_are_listed_are_left_out(
    engine: SqlEngine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sales(folder)
    titanic = Datasets.bundled().path("titanic").read_bytes()
    (folder / "titanic.csv").write_bytes(titanic)
    listing = [*(path.name for path in folder.iterdir()), "gone.csv"]
    monkeypatch.setattr(folder_tables.os, "listdir", lambda _: listing)

    def swapped(folder: Path, name: str) -> int:
        (folder / name).unlink()
        return open_inside(folder, name)

    monkeypatch.setattr(folder_tables, "open_inside", swapped)
    assert engine.files is not None and engine.files.files() == ["sales 2024.csv"]


def test_however_many_files_there_are_what_is_asked_stays_small(folder: Path, tmp_path: Path) -> None:
    for number in range(folder_files.MAX_FILES + 5):
        (folder / f"t{number:03}.csv").write_text("a\n1\n")
    tables = ChatTables(folder, tmp_path)
    assert len(tables.files()) == folder_files.MAX_FILES
    with pytest.raises(BadInput, match="limit is 20000"):
        tables.query(f"SELECT {'1' * 20_000}")
    with pytest.raises(BadInput) as caught:
        tables.query("SELECT * FROM t044")
    assert "5 more files of the chat: only the first 40, by name, are tables" in str(caught.value.hint)


def test_a_query_that_takes_long_tells_how_far_it_is(folder: Path, tmp_path: Path) -> None:
    reports: list[float] = []
    stop = StopFlag()

    def notify(share: float) -> None:
        reports.append(share)
        stop.set("enough was seen")

    tables = ChatTables(folder, tmp_path)
    tables.query("SELECT 1", on_progress=notify)
    assert reports == []
    with pytest.raises(DeskError):
        tables.query(
            "SELECT sum(hash(range)) FROM range(2000000000)", seconds=60, stop=stop, on_progress=notify
        )
    assert reports[0] > 0
    stop.close()


def test_a_file_that_cannot_be_read_is_tried_once(folder: Path, tmp_path: Path) -> None:
    sales(folder)
    for name in ("broken.xlsx", "endless.xlsx"):
        (folder / name).write_bytes(b"no workbook")
    tables = ChatTables(folder, tmp_path)
    with pytest.raises(BadInput) as first:
        tables.query("SELECT * FROM broken, endless")
    notes = list(folder.glob(".tables/*/unreadable.txt"))
    assert len(notes) == 2
    for note in notes:
        assert note.read_text() in (first.value.hint or "")
        note.write_text("")  # as a query leaves it that was killed while it read
        os.utime(note, (time.time() - 1_000, time.time() - 1_000))
    with pytest.raises(BadInput) as second:
        tables.query("SELECT * FROM broken, endless")
    assert (second.value.hint or "").count("Reading it never finished.") == 2
    assert tables.query("SELECT count(*) FROM sales_2024").rows == [[3]]


@pytest.mark.slow
def test_a_distinct_count_of_more_values_than_fit_into_memory_is_spilled(folder: Path) -> None:
    numbers = "SELECT hash(range) AS a FROM range(50_000_000)"
    duckdb.execute(f"COPY ({numbers}) TO '{folder}/numbers.parquet'")
    rows = ChatTables(folder, folder).query("SELECT count(DISTINCT a) FROM numbers", [], 900.0)
    assert rows.rows == [[50_000_000]]
    assert not [*folder.glob(".tables/spill-*")]
