"""About support_tickets; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    yield q("en", "aggregate", "avg csat", number=t.csat.mean())
    yield q("en", "quantile", "p90 of resolution hours", number=t.hours.quantile(0.9))
    yield q("en", "filter", "how many urgent tickets", number=(t.priority == "urgent").sum())
    yield q(
        "en",
        "filter",
        "tickets not resolved within 48 hours, how many took longer",
        number=(t.hours > 48).sum(),
    )
    yield q("en", "filter", "count tickets with csat below 3", number=(t.csat < 3).sum())
    yield q(
        "en",
        "filter",
        "tickets handled by aiko or bruno, how many",
        number=t.agent.isin(["Aiko", "Bruno"]).sum(),
    )
    yield q(
        "en",
        "percent",
        "percentage of tickets per channel",
        pairs=100 * t.channel.value_counts(normalize=True),
        d=1,
    )
    yield q("en", "groupby", "tickets by channel", pairs=t.channel.value_counts())
    yield q("en", "groupby", "avg satisfaction per agent", pairs=t.groupby("agent").csat.mean())
    yield q("en", "groupby", "count by agent and priority", pairs=t.groupby(["agent", "priority"]).size())
    yield q("en", "distinct", "what priorities are there", names=sorted(set(t.priority)))
    yield q(
        "en",
        "follow-up",
        "avg csat by channel",
        "as a bar chart",
        image=True,
        plot="bar",
        code_names=["CSAT", "CHANNEL"],
    )
    yield q("en", "follow-up", "avg csat by channel", "and by agent?", pairs=t.groupby("agent").csat.mean())
    yield q(
        "en",
        "save",
        "put avg csat per agent in an excel file",
        file="xlsx",
        pairs=t.groupby("agent").csat.mean(),
    )
    yield q("ja", "groupby", "担当者ごとのチケット数を見せて", pairs=t.agent.value_counts())
