"""About clinic_visits; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    t[t.group == "child"]
    yield q("en", "aggregate", "mean wait", number=t.wait.mean())
    yield q("en", "quantile", "90th percentile of wait time", number=t.wait.quantile(0.9))
    yield q("en", "filter", "how many women over 65", number=((t.sex == "F") & (t.age > 65)).sum())
    yield q("en", "filter", "how many patients aged between 20 and 40", number=t.age.between(20, 40).sum())
    yield q("en", "filter", "how many visits were uninsured", number=(t.insured == "N").sum())
    yield q(
        "en",
        "percent",
        "percentage of visits that ended in follow-up",
        percent=100 * (t.outcome == "follow-up").mean(),
        d=1,
    )
    yield q("en", "groupby", "waiting time by department, average", pairs=t.groupby("dept").wait.mean())
    yield q(
        "en",
        "groupby",
        "number of visits by sex",
        pairs={"F | female": (t.sex == "F").sum(), "M | male": (t.sex == "M").sum()},
    )
    yield q(
        "en",
        "top",
        "which department makes people wait longest on average",
        names=[t.groupby("dept").wait.mean().idxmax()],
        others=sorted(set(t.dept)),
    )
    yield q("en", "missing", "how many missing values in wait time", number=t.wait.isna().sum())
    yield q(
        "en",
        "missing",
        "nulls per column",
        pairs={"wait time [min]": t.wait.isna().sum(), "BP sys (mmHg)": t.bp.isna().sum()},
        extra=99,
    )
    yield no("en", "mean weight of kids", word="weight")
    yield q("ja", "groupby", "診療科別の平均待ち時間は？", pairs=t.groupby("dept").wait.mean())
