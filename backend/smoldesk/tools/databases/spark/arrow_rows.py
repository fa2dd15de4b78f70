"""Arrow data of an answer as rows, read in a jailed process that ends afterwards."""

import struct
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.process import ChildGone
from smoldesk.sandbox.programs import next_frame, start_program
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES as TABLES
from smoldesk.tables.inside.sqlite_reading import Result
from smoldesk.tools.databases.spark import CHILD_PACKAGES
from smoldesk.tools.databases.spark.inside.rows_program import FILE
from smoldesk.tools.databases.values import AnswerBounds, QueryFailed

PROGRAM = "smoldesk.tools.databases.spark.inside.rows_program"
SECONDS = 60.0


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["answer"]
    error: Annotated[str, Field(max_length=1_000)] = ""
    columns: Annotated[list[str], Field(max_length=2_000)] = []
    rows: list[list[JsonValue]] = []
    truncated: bool = False


def rows_of(batches: Sequence[bytes], bounds: AnswerBounds, stop: StopFlag | None = None) -> Result:
    """Return columns, rows as JSON values, and whether there were more. Raises QueryFailed."""
    with tempfile.TemporaryDirectory(prefix="smoldesk-spark-") as made:
        folder = Path(made)
        with (folder / FILE).open("wb") as file:
            file.writelines(struct.pack(">Q", len(part)) + part for part in batches)
        plan = jail_here(folder).plan or {}
        process = start_program(PROGRAM, folder, plan, TABLES | CHILD_PACKAGES)
        try:
            deadline = time.monotonic() + SECONDS
            next_frame(process, deadline, stop)  # ready
            process.send({"folder": made, "uid": None, "rows": bounds.rows, "bytes": bounds.bytes})
            answer = _Answer.model_validate_json(next_frame(process, deadline, stop))
        except (ChildGone, BadFrame, ValidationError) as fault:
            raise QueryFailed(f"its answer could not be read ({type(fault).__name__})") from None
        finally:
            process.kill()
    if answer.error:
        raise QueryFailed(answer.error)
    return answer.columns, [[*row] for row in answer.rows], answer.truncated
