"""The exam of evidence: how many true figures are linked to the right place, and how many false ones are not sealed.

Use: python -m tests.evidence.exam [runs]
"""

import random
import re
import sys
from collections import Counter
from dataclasses import dataclass, field, replace

from smoldesk.evidence import EvidenceCollector
from smoldesk.messages import EvidencePlace, FigureEvidence
from tests.evidence.planted import Data, Mark, PlantedRun, planted_run, written

SEALED = ("matched", "derived")


@dataclass
class Score:
    """Counts of one exam; `places` are examples of what went wrong."""

    true: int = 0
    linked: int = 0
    marked: int = 0
    false: int = 0
    false_sealed: int = 0
    random: int = 0
    random_sealed: int = 0
    places: list[str] = field(default_factory=list[str])
    kinds: Counter[str] = field(default_factory=Counter[str])

    def __str__(self) -> str:
        return (
            f"{self.true} true: {self.linked} linked to the right place ({self.linked / max(1, self.true):.1%}), "
            f"{self.marked} marked ({self.marked / max(1, self.true):.1%}); {self.false} false: {self.false_sealed} sealed; "
            f"{self.random} random: {self.random_sealed} sealed ({self.random_sealed / max(1, self.random):.1%})"
        )


def play(run: PlantedRun) -> list[tuple[Mark, FigureEvidence | None]]:
    """The marks of a run, with what the desk says of each."""
    collector = EvidenceCollector(run.question)
    collector.note(run.events)
    evidence = collector.evidence(run.answer)
    figures = evidence.content.figures if evidence else []
    return [
        (mark, next((figure for figure in figures if figure.start < end and start < figure.end), None))
        for start, end, mark in run.marks
    ]


def is_right(mark: Mark, figure: FigureEvidence, run: PlantedRun) -> bool:
    """Whether a figure is linked to the cells it was planted from."""
    if figure.status not in SEALED:
        return False
    if not mark.rows:
        return True
    if mark.operation and figure.status == "derived":
        return figure.operation == mark.operation and {*map(str, mark.rows)} <= {
            _row(place, run) for place in figure.places
        }
    return any(_is_cell(place, mark, run) for place in figure.places)


def _row(place: EvidencePlace, run: PlantedRun) -> str:
    if place.kind == "cell":
        return str(place.row)
    if place.kind == "tool" and place.path:
        return str(place.path[0])
    return str(next((row for row, line in run.lines.items() if line == place.line), None))


def _is_cell(place: EvidencePlace, mark: Mark, run: PlantedRun) -> bool:
    is_column = place.column == mark.column if place.kind == "cell" else True
    if place.kind == "tool" and place.path:
        is_column = place.path[-1] == mark.column
    return is_column and _row(place, run) in {*map(str, mark.rows)}


# --- false figures -----------------------------------------------------------------------------------------------------


def number_in(text: str) -> float:
    return float(re.sub(r"[^\d.]", "", text) or 0)


def spoiled(kind: str, mark: Mark, data: Data, rng: random.Random) -> Mark:
    """The mark with a figure that is false in one way; unchanged if that way leaves it true."""
    match kind:
        case "digit":
            digits = [at for at, char in enumerate(mark.text) if char.isdigit()]
            at = digits[0] if len(digits) == 1 else rng.choice(digits)
            digit = rng.choice([number for number in "123456789" if number != mark.text[at]])
            text = mark.text[:at] + digit + mark.text[at + 1 :]
        case "group" if mark.rows and not mark.operation:
            others = [value for row, value in enumerate(data.columns[mark.column]) if row not in mark.rows]
            text = written(rng.choice(others), data, mark.column)
        case "unit" if mark.column and not mark.operation and "%" not in mark.text and "％" not in mark.text:
            bare = re.sub(r"[^\d.,]", "", mark.text)
            text = f"{bare}%" if data.decimals[mark.column] == 0 else f"{bare} million"
        case _:
            text = invented(mark, rng)
    if text == mark.text or (number_in(text) == number_in(mark.text) and kind != "unit"):
        return mark
    return replace(mark, text=text, fault=kind)


def invented(mark: Mark, rng: random.Random) -> str:
    """A random figure in the form of another."""
    text = "".join(rng.choice("0123456789") if char.isdigit() else char for char in mark.text)
    first = next((at for at, char in enumerate(text) if char.isdigit()), 0)
    if mark.text[first:].startswith("0."):
        return f"{text[:first]}0{text[first + 1 :]}"
    return text[:first] + rng.choice("123456789") + text[first + 1 :]


KINDS = ("digit", "unit", "group", "invented")


def examined(runs: int, seed: int = 0) -> Score:
    """Play so many runs, a fifth of whose figures are false, and the same with random figures."""
    score = Score()
    for number in range(seed, seed + runs):
        rng = random.Random(number * 7 + 1)

        def spoil(mark: Mark, data: Data, _: random.Random, rng: random.Random = rng) -> Mark:
            return spoiled(rng.choice(KINDS), mark, data, rng) if rng.random() < 0.2 else mark

        run = planted_run(number, spoil)
        for mark, figure in play(run):
            _count(score, mark, figure, run)
        randomised = planted_run(
            number, lambda mark, data, _, rng=rng: replace(mark, text=invented(mark, rng), fault="random")
        )
        truth = {mark.text for _, _, mark in planted_run(number).marks}
        for mark, figure in play(randomised):
            score.random += mark.text not in truth
            if mark.text in truth:
                continue
            if figure is not None and figure.status in SEALED and number_in(mark.text):
                score.random_sealed += 1
                score.places.append(
                    f"random {number} {randomised.mode} {mark} {figure.operation} {_context(randomised, figure)}"
                )
    return score


def _count(score: Score, mark: Mark, figure: FigureEvidence | None, run: PlantedRun) -> None:
    if mark.fault:
        score.false += 1
        if figure is not None and figure.status in SEALED:
            score.false_sealed += 1
            score.kinds[f"sealed {mark.fault}"] += 1
            score.places.append(
                f"false {run.mode} {mark} {figure.operation} {figure.places[:1]} {_context(run, figure)}"
            )
        return
    score.true += 1
    if figure is not None and is_right(mark, figure, run):
        score.linked += 1
        return
    score.kinds[f"{run.mode} {mark.operation or 'cell'} {figure.status if figure else 'not found'}"] += 1
    if figure is None or figure.status not in SEALED:
        score.marked += 1
    context = _context(run, figure) if figure else run.answer
    score.places.append(
        f"true {run.mode} {mark} {figure.status if figure else None} {figure and figure.operation} {context}"
    )


def _context(run: PlantedRun, figure: FigureEvidence) -> str:
    return run.answer[max(0, figure.start - 90) : figure.end + 30].replace("\n", "⏎")


if __name__ == "__main__":
    outcome = examined(
        int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 0
    )
    sys.stdout.write("\n".join([*outcome.places[:60], str(outcome.kinds), str(outcome)]) + "\n")
