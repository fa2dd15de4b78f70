"""Evidence of an answer: each of its figures, and where the run produced it."""

from typing import Literal

from pydantic import Field

from smoldesk.messages.shape import Shape

# `matched`: the run produced this value. `derived`: an operation on values of one table gives it. `earlier`: an earlier answer
# of the chat has evidence for it. `asked`: it stands in the question. `possible`: the run has the value,
# but not clearly for what the sentence names. `unmatched`: nothing that is known gives it.
EvidenceStatus = Literal["matched", "derived", "earlier", "asked", "possible", "unmatched"]

Operation = Literal[
    "sum", "difference", "ratio", "change", "share", "mean", "minimum", "maximum", "rank", "count"
]


class EvidencePlace(Shape):
    """Place of a value that a figure rests on.

    `cell`: `row` (from 0) and `column` of the shown table `tableId`, or without a column its number of rows. `printed`: `line`
    (from 1) of what `step` printed. `tool`: `line` of the result of the call `callId`, or `path` in its value. `data`: `path`
    in the data that `step` showed. `chart`: `row` and `column` of the rows of the chart `specId`. `room`: the value of `room`
    on the plan. `code`: `line` of the code of `step`, which computed the answer's text. `answer`: an answer of the run
    `runId`; `question`: the message. `within` is the call of a managed agent whose step it is.
    """

    kind: Literal["cell", "printed", "tool", "data", "chart", "room", "code", "answer", "question"]
    step: int | None = None
    within: str | None = None
    table_id: str | None = None
    spec_id: str | None = None
    row: int | None = None
    column: str | None = None
    call_id: str | None = None
    path: list[str | int] | None = None
    line: int | None = None
    room: str | None = None
    run_id: str | None = None


class FigureEvidence(Shape):
    """A figure of the answer: characters `start` to `end` (code points) of its text `part`, and the places of its values.

    `part` counts the texts of the answer as shown, from 0. In the title of a chart `container` is its `specId`, on the plan
    `map`; `part` is 0 then, and `label` is the complete text, such as `Room1: 21.5 °C`. Without a place it is `unmatched`.
    `operation` is that of a `derived` figure.
    """

    text: str
    part: int = 0
    container: str | None = None
    label: str | None = None
    start: int
    end: int
    status: EvidenceStatus
    operation: Operation | None = None
    places: list[EvidencePlace] = []


class EvidenceContent(Shape):
    """Figures of an answer in their order, and their counts.

    `total` counts all but those of the question; `supported` those that this run produced or that derive from it;
    `possible` those whose value the run has, but not clearly for what they say. With `isCut` the answer has more figures
    than were examined.
    """

    figures: list[FigureEvidence]
    total: int = Field(ge=0)
    supported: int = Field(ge=0)
    earlier: int = Field(0, ge=0)
    possible: int = Field(0, ge=0)
    unmatched: int = Field(0, ge=0)
    is_cut: bool | None = None


class Evidence(Shape):
    """Evidence of the run's answer, which stands before its end. Without figures in the answer there is none."""

    type: Literal["evidence"] = "evidence"
    content: EvidenceContent
