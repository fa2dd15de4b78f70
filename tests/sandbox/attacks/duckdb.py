"""DuckDB inside a cell: what a query of it can reach that the code around it cannot, which has to be nothing."""

from tests.sandbox.attacks.attack import Attack, any_of, changed, connected, host_hurt, leaked, said_so, took
from tests.sandbox.attacks.resources import bomb, disk, memory, threads

IMPORTED = "import duckdb\n"
READS = {
    "text": "print(duckdb.sql(\"from read_text('@SECRET@')\").fetchall())",
    "csv": "print(duckdb.sql(\"from read_csv('../outside/s*', header=false, all_varchar=true)\").fetchall())",
    "neighbour": "print(duckdb.sql(\"from read_blob('@ROOT@/other/*')\").fetchall())",
    "through_proc": "print(duckdb.sql(\"from read_text('/proc/self/root@SECRET@')\").fetchall())",
    "link": "os.symlink('@SECRET@', 'link.csv'); print(duckdb.sql(\"from read_text('link.csv')\").fetchall())",
}
CHANGES = {
    "copy": "duckdb.execute(\"COPY (SELECT 1) TO '@OUTSIDE@/new' (FORMAT csv)\")",
    "copy_over": "duckdb.execute(\"COPY (SELECT 1) TO '../outside/target.txt' (FORMAT csv, USE_TMP_FILE false)\")",
    "database": "duckdb.connect('@OUTSIDE@/new')",
    "export": "duckdb.execute(\"EXPORT DATABASE '@ROOT@/other/made'\")",
    "spill": (
        "c = duckdb.connect(config={'temp_directory': '@OUTSIDE@/spill', 'memory_limit': '20MB'})\n"
        "c.execute('CREATE TABLE t AS SELECT hash(range) AS h FROM range(3000000)')"
    ),
    "home": "c = duckdb.connect(config={'home_directory': '@OUTSIDE@'}); c.execute(\"COPY (SELECT 1) TO '~/new'\")",
}
OTHERS = [
    Attack(
        "duckdb_list_outside",
        "list a folder outside by a pattern",
        f"{IMPORTED}won(duckdb.sql(\"from glob('@OUTSIDE@/*')\").fetchall())",
        said_so,
    ),
    bomb(
        "duckdb_install",
        "fetch an extension from a server, which keeps a connection that is made waiting",
        f"{IMPORTED}duckdb.execute(\"INSTALL httpfs FROM 'http://127.0.0.1:@TCP@'\")",
        connected,
        True,
    ),
    Attack(
        "group_name",
        "learn the name of the control group, which DuckDB reads",
        "won(any(not line.endswith(':/') for line in open('/proc/self/cgroup').read().splitlines()))",
        said_so,
    ),
    Attack(
        "group_members",
        "learn more of control groups than the limits of one's own",
        "for path in ('cgroup.procs', 'cpu/cgroup.procs', 'memory/cgroup.procs', 'cgroup.controllers'):\n"
        "    try: won(open('/sys/fs/cgroup/' + path).read() is not None)\n"
        "    except OSError: pass\n"
        "won(os.listdir('/sys/fs/cgroup'))",
        said_so,
    ),
    bomb(
        "duckdb_memory",
        "more memory than there is, whatever the connection's limit",
        f"{IMPORTED}duckdb.execute(\"SET memory_limit='900GB'\")\nduckdb.sql('select range from range(1000000000)').df()",
        memory,
    ),
    bomb(
        "duckdb_threads",
        "as many threads as there can be",
        f"{IMPORTED}c = duckdb.connect(config={{'threads': 500, 'async_threads': 200}})\n"
        "c.execute('SELECT sum(hash(range)) FROM range(100000000)').fetchall()",
        threads,
        True,
    ),
    bomb(
        "duckdb_spill",
        "fill the folder with what does not fit into memory",
        f"{IMPORTED}c = duckdb.connect(config={{'memory_limit': '20MB', 'max_temp_directory_size': '900GB'}})\n"
        "c.execute('CREATE TABLE t AS SELECT hash(range) AS h FROM range(1000000000)')",
        any_of(disk, took("disk_kept", 60 * 1024**2)),
        True,
    ),
    bomb(
        "duckdb_endless",
        "a query that does not end, and no interrupt that does",
        f"{IMPORTED}import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "duckdb.sql('select sum(a.range * b.range) from range(1000000) a, range(1000000) b').fetchall()",
        host_hurt,
        True,
    ),
]

ATTACKS = [
    *(
        Attack(f"duckdb_read_{n}", f"read outside by DuckDB: {n}", IMPORTED + c, leaked)
        for n, c in READS.items()
    ),
    *(
        Attack(f"duckdb_change_{n}", f"change outside by DuckDB: {n}", IMPORTED + c, changed)
        for n, c in CHANGES.items()
    ),
    *OTHERS,
]
