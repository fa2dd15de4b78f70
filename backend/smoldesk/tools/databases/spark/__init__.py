"""Spark as a source, by the protocol of Spark Connect.

`source.py` is the database that `sql_engine` and the page read. `plan_check.py` and `sql_text.py` check requests by the
allow-list in `message_rules.py`; `spark_connection.py` sends them. The code in `inside` runs in children: the session of a
cell, and the reading of Spark's answers, which are Arrow data.
"""

from pathlib import Path

CHILD_PACKAGES = {"smoldesk.tools.databases.spark": str(Path(__file__).parent)}
# Module that defines `spark` in cells.
CELL_SPARK = "smoldesk.tools.databases.spark.inside.cell_session"
