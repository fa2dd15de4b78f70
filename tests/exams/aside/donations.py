"""Questions about gifts to a charity."""

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    day = pd.to_datetime(raw["Received On"])
    amount = pd.to_numeric(raw["amount [$]"].astype(str).str.replace(",", ""))
    return raw.assign(amount=amount, month=day.dt.strftime("%Y-%m"), year=day.dt.year)


def questions(d: pd.DataFrame) -> list[Question]:
    amount, giver, channel, campaign = d["amount"], d["donorType"], d["channel"], d["Campaign"]
    monthly = amount.groupby(d["month"]).sum()
    growth = monthly.pct_change().dropna()
    channels = amount.groupby(channel).sum()
    gap = channels["web"] - channels["mail"]
    water = campaign.fillna("").str.contains("Water")
    return [
        q("en", "aggregate", "total amount donated", number=amount.sum()),
        q("en", "filter", "average gift of corporate donors", number=amount[giver == "corporate"].mean()),
        q("en", "filter", "how many gifts over 1000 via the gala",
          number=((amount > 1000) & (channel == "gala")).sum()),
        q("en", "filter", "number of donations in december 2023", number=(d["month"] == "2023-12").sum()),
        q("en", "filter", "total amount for campaigns with 'Water' in the name", number=amount[water].sum()),
        q("en", "groupby", "total amount per campaign and channel", extra=5,
          pairs=amount.groupby([campaign, channel]).sum()),
        q("en", "groupby", "median amount by donor type", pairs=amount.groupby(giver).median()),
        q("en", "resample", "how many donations each year", pairs=d.groupby("year").size()),
        q("en", "difference", "month over month growth of the donated amount in %", extra=2, d=1,
          pairs=100 * growth),
        q("en", "difference", "difference between the total amounts of web and mail", number=gap, **{"or": [-int(gap)]}),  # pyright: ignore[reportArgumentType]
        q("en", "percent", "what pct are first-time donors", percent=100 * (d["first-time donor"] == "yes").mean()),
        q("en", "missing", "how many have no campaign", number=campaign.isna().sum()),
        q("en", "distinct", "how many different campaigns are there", number=campaign.nunique()),
        q("en", "top", "top 5 donations by amount", order=True,
          pairs=d.nlargest(5, "amount").set_index("donation id")["amount"]),
        q("en", "top", "the 2 channels with the lowest total amount", pairs=channels.nsmallest(2), order=True),
        q("en", "plot", "grouped bars of total amount by channel and gift aid", image=True, plot="bar",
          code_names=["amount [$]", "channel", "gift_aid"]),
        q("en", "save", "export total amount per donor type to excel", file="xlsx",
          pairs=amount.groupby(giver).sum()),
        q("en", "follow-up", "count by campaign", "just the two largest", pairs=campaign.value_counts().head(2)),
        no("en", "why were there fewer donations in summer?"),
        no("en", "list the email addresses of the donors", word="email"),
        no("en", "total given by embassies", word="embassies"),
        q("ja", "plot", "チャネル別の寄付額の合計を棒グラフで", image=True, plot="bar",
          code_names=["amount [$]", "channel"]),
    ]  # fmt: skip
