"""About clinic_visits."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["no", "date", "age", "group", "sex", "dept", "wait", "bp", "temp", "insured", "outcome"]
    raw["date"] = pd.to_datetime(raw["date"], format="%d %b %Y")
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    kids = t[t.group == "child"]
    yield q("en", "aggregate", "longest waiting time in min?", number=t.wait.max())
    yield q("en", "aggregate", "std of body temperature", number=t.temp.std())
    yield q("en", "shape", "how many visits do we have", number=len(t))
    yield q("en", "shape", "size of the table? rows n columns", numbers=[180, 11])
    yield q("en", "filter", "avg wait for kids", number=kids.wait.mean())
    yield q("en", "filter", "avg blood pressure of men", number=t[t.sex == "M"].bp.mean())
    yield q(
        "en",
        "filter",
        "number of admitted patients in cardiology",
        number=((t.outcome == "admitted") & (t.dept == "Cardiology")).sum(),
    )
    yield q("en", "filter", "visits since june 1 2024, count", number=(t.date >= "2024-06-01").sum())
    yield q("en", "filter", "how many had fever, i.e. body temp of at least 38", number=(t.temp >= 38).sum())
    yield q(
        "en", "percent", "what share of patients is insured (%)", percent=100 * (t.insured == "Y").mean(), d=1
    )
    yield q("en", "groupby", "median age per dept", pairs=t.groupby("dept").age.median())
    yield q("en", "groupby", "avg bp by age group and sex", pairs=t.groupby(["group", "sex"]).bp.mean())
    yield q(
        "en", "top", "busiest department?", names=[t.dept.value_counts().idxmax()], others=sorted(set(t.dept))
    )
    yield q("en", "distinct", "list the departments", names=sorted(set(t.dept)))
    yield q("en", "correlation", "is age correlated with blood pressure?", number=t.age.corr(t.bp), d=3)
    yield q(
        "en", "crosstab", "crosstab of department vs outcome", pairs=t.groupby(["dept", "outcome"]).size()
    )
    yield q("en", "resample", "visits per month", pairs=t.groupby(t.date.dt.strftime("%Y-%m")).size())
    yield q(
        "en",
        "plot",
        "boxplot of wait by department",
        image=True,
        plot="box",
        code_names=["wait time [min]", "Dept."],
    )
    yield q(
        "en",
        "plot",
        "scatter age vs bp with trend line",
        image=True,
        plot="scatter",
        code_names=["patient_age", "BP sys (mmHg)"],
    )
    yield q(
        "en", "plot", "show me the distribution of ages", image=True, plot="hist", code_names=["patient_age"]
    )
    yield q(
        "en",
        "follow-up",
        "avg wait by department",
        "and only seniors",
        pairs=t[t.group == "senior"].groupby("dept").wait.mean(),
    )
    yield q(
        "en", "follow-up", "avg wait by department", "median instead", pairs=t.groupby("dept").wait.median()
    )
    yield q("en", "follow-up", "how many visits in dermatology", "and ent?", number=(t.dept == "ENT").sum())
    yield no("en", "average cholesterol by sex", word="cholesterol")
    yield no("en", "which patient will come back next month?")
    yield no("en", "whats the best treatment for eczema")
    yield no("en", "how many visits in neurology", word="neurology")
    yield q("ja", "filter", "65歳以上の患者は何人", number=(t.age >= 65).sum())
    yield no("ja", "血糖値の平均を出して", word="血糖")
