"""Questions about groups at three branches of a museum."""

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    m = raw.assign(fee=pd.to_numeric(raw["entry_fee"].str.replace("[£,]", "", regex=True)))
    return m.assign(day=pd.to_datetime(m["Visit Date"]))


def questions(m: pd.DataFrame) -> list[Question]:
    dwell, rating, branch = m["dwell_time_min"], m["rating (1-5)"], m["museum_branch"]
    fees = m.groupby("museum_branch")["fee"].sum()
    maritime = m[branch == "Maritime"]
    audio = (m["audio guide?"] == "Y").groupby(m["Country"]).mean()
    return [
        q("en", "aggregate", "total entry fees collected", number=m["fee"].sum()),
        q("en", "aggregate", "avg party size?", number=m["party size"].mean()),
        q("en", "filter", "how many groups took the audio guide", number=(m["audio guide?"] == "Y").sum()),
        q("en", "filter", "how many visits from france at the science hall",
          number=((m["Country"] == "France") & (branch == "Science Hall")).sum()),
        q("en", "filter", "visits with a dwell time between 60 and 90 minutes, how many",
          number=dwell.between(60, 90).sum(), **{"or": [dwell.between(60, 90, inclusive="neither").sum()]}),  # pyright: ignore[reportArgumentType]
        q("en", "filter", "mean rating of parties bigger than 4", number=rating[m["party size"] > 4].mean()),
        q("en", "groupby", "mean dwell time per branch", pairs=dwell.groupby(branch).mean()),
        q("en", "percent", "percentage of child tickets", percent=100 * (m["TicketType"] == "child").mean()),
        q("en", "percent", "% of visits with audio guide per country", pairs=100 * audio, or_pairs=audio),
        q("en", "missing", "how many ratings are missing?", number=rating.isna().sum()),
        q("en", "top", "3 longest dwell times", numbers=list(dwell.nlargest(3))),
        q("en", "resample", "monthly total of entry fees",
          pairs=m.groupby(m["day"].dt.strftime("%Y-%m"))["fee"].sum()),
        q("en", "distinct", "what countries do the visitors come from", names=list(m["Country"].unique())),
        q("en", "sort", "branches by total fees, highest first", pairs=fees.sort_values(ascending=False),
          order=True),
        q("en", "plot", "hist of dwell time", image=True, plot="hist", code_names=["dwell_time_min"]),
        q("en", "plot", "pie of the ticket types", image=True, plot="pie", code_names=["TicketType"]),
        q("en", "follow-up", "average rating by ticket type", "as a bar chart pls", image=True, plot="bar",
          code_names=["TicketType", "rating (1-5)"]),
        q("en", "follow-up", "total party size by country", "only maritime",
          pairs=maritime.groupby("Country")["party size"].sum()),
        no("en", "why do people leave the maritime branch so early"),
        no("en", "average height of the visitors", word="height"),
        no("en", "how many visitors came from Brazil", word="Brazil"),
        q("ja", "groupby", "国別の平均滞在時間は?", pairs=dwell.groupby(m["Country"]).mean()),
        q("ja", "filter", "評価が4以上の件数", number=(rating >= 4).sum()),
    ]  # fmt: skip
