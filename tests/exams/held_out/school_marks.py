"""About school_marks; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    yield q("en", "aggregate", "total days absent", number=t.absent.sum())
    yield q("en", "shape", "how many pupils", number=len(t))
    yield q("en", "filter", "avg english score of girls", number=t[t.gender == "girl"].english.mean())
    yield q("en", "filter", "how many pupils scored 80+ in maths", number=(t.maths >= 80).sum())
    yield q(
        "en",
        "filter",
        "number of pupils with english below 50 or maths below 50",
        number=((t.english < 50) | (t.maths < 50)).sum(),
    )
    yield q("en", "percent", "what percent get free lunch", percent=100 * (t.lunch == "yes").mean(), d=1)
    yield q("en", "groupby", "pupils per house", pairs=t.house.value_counts())
    yield q(
        "en",
        "top",
        "house with most absences in total",
        names=[t.groupby("house").absent.sum().idxmax()],
        others=sorted(set(t.house)),
    )
    yield q("en", "crosstab", "gender vs house cross tabulation", pairs=t.groupby(["gender", "house"]).size())
    yield q("en", "resample", "avg maths per school year", pairs=t.groupby("year").maths.mean())
    yield q(
        "en",
        "plot",
        "grouped bars: avg english by class and gender",
        image=True,
        plot="bar",
        code_names=["english_score", "class", "gender"],
    )
    yield no("en", "who cheated in the exam?")
    yield no("en", "how many pupils in class 9C", word="9C")
    yield q("ja", "aggregate", "数学の平均点は？", number=t.maths.mean())
    yield no("ja", "来年の数学の平均点を予測して")
