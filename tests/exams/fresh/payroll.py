"""Questions about staff pay."""

from typing import Any

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.fresh.wording import (
    either,
    first,
    odd_ones,
    renamed,
    share,
)


def read(table: pd.DataFrame) -> pd.DataFrame:
    """The table with real dates, salaries and bonuses; people go by name or number."""
    table["hire_date"] = pd.to_datetime(table["hire_date"], format="%d-%b-%Y")
    table["Base Salary (USD)"] = table["Base Salary (USD)"].str.replace(",", "").astype(float)
    table["Bonus"] = table["Bonus"].str.strip("%").astype(float)
    table["who"] = table["Full Name"] + " | " + table["Emp #"].astype(str)
    return table


def questions(t: Any) -> list[Question]:
    """English and Japanese ones, each with what pandas says."""
    return [*figures(t), *groups(t), *talks(t), *japanese(t), *unanswerable()]


def figures(t: Any) -> list[Question]:
    pay, team = t["Base Salary (USD)"], t["DEPT"]
    return [
        q("en", "aggregate", "total overtime of the sales dept", number=t["Overtime (hrs/month)"][team == "Sales"].sum()),
        q("en", "aggregate", "average bonus", number=t["Bonus"].mean()),
        q("en", "aggregate", "median age of contractors", number=t["age"][t["contract type"] == "contractor"].median()),
        q("en", "aggregate", "std dev of the ages", number=t["age"].std(), **either(t["age"].std(ddof=0))),
        q("en", "quantile", "90th percentile of salary", number=pay.quantile(0.9)),
        q("en", "filter", "headcount in berlin", number=(t["Office"] == "Berlin").sum()),
        q("en", "filter", "how many people earn over 90k", number=(pay > 90_000).sum()),
        q("en", "filter", "how many women in engineering", number=((t["Gender"] == "F") & (team == "Engineering")).sum()),
        q("en", "filter", "number of empoyees older than 40 with zero sick days",
          number=((t["age"] > 40) & (t["sick days"] == 0)).sum()),
        q("en", "filter", "avg salary of people hired before 2015", number=pay[t["hire_date"] < "2015-01-01"].mean()),
        q("en", "missing", "how many people have no review score", number=t["review_score"].isna().sum()),
        q("en", "percent", "what share of staff is remote", percent=share(t["Remote"] == "Y"), d=1),
        q("en", "outliers", "any outliers in overtime?", **odd_ones(t["Overtime (hrs/month)"])),
    ]  # fmt: skip


def groups(t: Any) -> list[Question]:
    sick = renamed(
        t.groupby("Gender")["sick days"].mean(), {"F": "F | women | female", "M": "M | men | male"}
    )
    return [
        q("en", "groupby", "headcount per office and contract type", pairs=t.groupby(["Office", "contract type"]).size()),
        q("en", "groupby", "avg sick days men vs women", pairs=sick),
        q("en", "top", "3 best paid people", order=True, pairs=t.set_index("who")["Base Salary (USD)"].nlargest(3)),
        q("en", "top", "which office has the most part timers",
          **first(t[t["contract type"] == "part-time"]["Office"].value_counts())),
        q("en", "resample", "hires per year", pairs=t["hire_date"].dt.year.value_counts().sort_index()),
        q("en", "crosstab", "crosstab of dept and office", pairs=pd.crosstab(t["DEPT"], t["Office"])),
        q("en", "sort", "list the people in legal by salary, highest first", order=True, extra=0,
          pairs=t[t["DEPT"] == "Legal"].set_index("who")["Base Salary (USD)"].sort_values(ascending=False)),
        q("en", "head", "show me the first 5 rows", pairs=t.head(5).set_index("Full Name")["age"], extra=0),
        q("en", "plot", "pie chart of contract types", image=True, plot="pie", code_names=["contract type"]),
        q("en", "plot", "boxplot of salary per department", image=True, plot="box", code_names=["Base Salary (USD)", "DEPT"]),
    ]  # fmt: skip


def talks(t: Any) -> list[Question]:
    full = t[t["contract type"] == "full-time"].groupby("DEPT")["Base Salary (USD)"].mean()
    lisbon = t[t["Office"] == "Lisbon"]
    return [
        q("en", "follow-up", "avg salary by dept", "just the full time ones", "top 3 only", order=True,
          pairs=full.nlargest(3)),
        q("en", "follow-up", "how many people are in sales", "of those, how many left?",
          number=((t["DEPT"] == "Sales") & (t["Emp Status"] == "left")).sum()),
        q("en", "follow-up", "average age per office", "and the median?", pairs=t.groupby("Office")["age"].median()),
        q("en", "save", "save everyone in lisbon as a csv", file="csv", pairs=lisbon.set_index("Full Name")["age"], extra=0),
    ]  # fmt: skip


def japanese(t: Any) -> list[Question]:
    means = t.groupby("DEPT")["Base Salary (USD)"].mean().sort_values(ascending=False)
    return [
        q("ja", "groupby", "部署別の平均給与を高い順に", pairs=means, order=True),
        q("ja", "filter", "リモート勤務の人は何人?", number=(t["Remote"] == "Y").sum()),
        q("ja", "filter", "2020年に入社した人数は?", number=(t["hire_date"].dt.year == 2020).sum()),
    ]


def unanswerable() -> list[Question]:
    return [
        no("en", "predict next year's salary budget"),
        no("en", "what is the average commute time", word="commute"),
        no("en", "how many people in the Madrid office", word="Madrid"),
        no("en", "how many employees have a phd", word="phd"),
        no("en", "who should i promote?"),
    ]
