"""About support_tickets."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["no", "opened", "priority", "channel", "agent", "first", "hours", "csat", "again"]
    raw["opened"] = pd.to_datetime(raw["opened"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    month = t.opened.dt.strftime("%Y-%m")
    agents = sorted(set(t.agent))
    yield q("en", "aggregate", "median time to resolution", number=t.hours.median())
    yield q("en", "aggregate", "std dev of first response", number=t["first"].std())
    yield q(
        "en",
        "filter",
        "avg first response for high prio tickets by phone",
        number=t[(t.priority == "high") & (t.channel == "phone")]["first"].mean(),
    )
    yield q("en", "filter", "how many tickets opened in 2024", number=(t.opened.dt.year == 2024).sum())
    yield q("en", "percent", "reopen rate in %", percent=100 * (t.again == "yes").mean(), d=1)
    yield q("en", "groupby", "mean resolution hrs by priority", pairs=t.groupby("priority").hours.mean())
    yield q(
        "en",
        "top",
        "who answers fastest on average",
        names=[t.groupby("agent")["first"].mean().idxmin()],
        others=agents,
    )
    yield q(
        "en",
        "top",
        "which agent closed the most tickets",
        names=[t.agent.value_counts().idxmax()],
        others=agents,
    )
    yield q("en", "missing", "which columns have blanks", names=["resolution_hrs", "CSAT"])
    yield q("en", "describe", "describe csat", numbers=[t.csat.mean(), t.csat.min(), t.csat.max()])
    yield q(
        "en",
        "correlation",
        "how strongly is first response related to csat",
        number=t["first"].corr(t.csat),
        d=3,
    )
    yield q("en", "crosstab", "priority x channel counts", pairs=t.groupby(["priority", "channel"]).size())
    yield q("en", "resample", "tickets opened per month", pairs=t.groupby(month).size())
    yield q(
        "en",
        "difference",
        "change in ticket count from month to month",
        pairs=t.groupby(month).size().diff(),
        extra=1,
    )
    yield q("en", "plot", "plot tickets per month as a line", image=True, plot="line", code_names=["Opened"])
    yield q(
        "en",
        "plot",
        "box plot of resolution time per priority",
        image=True,
        plot="box",
        code_names=["resolution_hrs", "Priority"],
    )
    yield q(
        "en",
        "follow-up",
        "tickets per agent",
        "only urgent or high",
        pairs=t[t.priority.isin(["urgent", "high"])].agent.value_counts(),
    )
    yield no("en", "why are customers unhappy with bruno?", word="why")
    yield no("en", "how many tickets will we get next quarter")
    yield no("en", "avg ticket price", word="price")
    yield no("en", "how many tickets did Svetlana close", word="Svetlana")
    yield no("en", "google the best helpdesk software")
    yield no("ja", "なぜ満足度が低いの?", word="なぜ")
