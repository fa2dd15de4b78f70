"""Watch as it is stored: what is watched, when it is checked, the condition, and who is told."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

ConditionKind = Literal["always", "changed", "above", "below", "appears", "fails"]
TargetKind = Literal["answer", "figure", "table", "cell", "chart", "room"]
Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Target(_Part):
    """Watched part: the answer, its figure `index`, table or chart `index` of the run, or a cell of that table.

    A cell is in the row whose first value is `row`, and in `column`. `room` is one of the live layer `layer`.
    """

    kind: TargetKind = "answer"
    index: int = Field(default=0, ge=0, le=10_000)
    row: Line = ""
    column: Line = ""
    layer: Line = ""
    room: Line = ""


class Condition(_Part):
    """Condition of a report: each time, or when the value changes, passes `value`, appears, or cannot be computed."""

    kind: ConditionKind = "changed"
    value: float | None = Field(default=None, allow_inf_nan=False)

    @model_validator(mode="after")
    def _check_value(self) -> "Condition":
        if (self.kind in ("above", "below")) != (self.value is not None):
            raise ValueError("`value` is for the conditions above and below, which need it.")
        return self


class WatchBody(_Part):
    """Watch of the run `run_id`. It is checked when its inputs change (`on_change`), and at the times of `cron` in `zone`.

    `shared` are the files of shared folders that its code names; with `polls` it uses databases, which are asked at times.
    """

    title: Line = ""
    run_id: str | None = None
    target: Target = Target()
    condition: Condition = Condition()
    on_change: bool = True
    cron: Line | None = None
    zone: Line = "UTC"
    mail: list[Line] = Field(default=[], max_length=10)
    webhook: Annotated[str, Field(max_length=2_000)] | None = None
    language: Literal["en", "ja"] = "en"
    shared: list[str] = []
    polls: bool = False


class WatchChange(_Part):
    """Change of a watch; None leaves a part as it is."""

    title: Line | None = None
    condition: Condition | None = None
    on_change: bool | None = None
    cron: Line | None = None
    zone: Line | None = None
    mail: Annotated[list[Line], Field(max_length=10)] | None = None
    paused: bool | None = None


class Value(_Part):
    """Value of a target: its text, its number if it is one, and a digest that tells whether it changed."""

    text: str
    number: float | None = None
    digest: str


class LastCheck(_Part):
    """State after a check: the value, whether the condition held, failures in a row, and the problem of the last one.

    `unmatched` is the number of figures without evidence in the answer, when the watch was made.
    """

    value: Value | None = None
    holds: bool = False
    failures: int = 0
    code: str = ""
    problem: str = ""
    unmatched: int = 0


class Report(_Part):
    """Report of a check: `text` is the value now, `previous` the one before, `code` and `problem` why there is none."""

    text: str = ""
    previous: str | None = None
    code: str = ""
    problem: str = ""
    is_paused: bool = False
