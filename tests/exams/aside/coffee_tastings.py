"""Questions about lots of coffee and their scores."""

import numpy as np
import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw


def questions(c: pd.DataFrame) -> list[Question]:
    height, score, price = c["altitude (m)"], c["cuppingScore"], c["price per kg (USD)"]
    ranked = c.sort_values("cuppingScore", ascending=False)["lot_id"].tolist()
    skew = c["acidity"].skew()
    biased = ((c["acidity"] - c["acidity"].mean()) ** 3).mean() / c["acidity"].std(ddof=0) ** 3
    low, high = price.quantile(0.25), price.quantile(0.75)
    iqr = ((price > high + 1.5 * (high - low)) | (price < low - 1.5 * (high - low))).sum()
    both = c[["altitude (m)", "cuppingScore", "acidity", "sweetness", "price per kg (USD)"]].corr()
    return [
        q("en", "groupby", "avg cupping score by origin", pairs=score.groupby(c["Origin"]).mean()),
        q("en", "groupby", "median price for each process", pairs=price.groupby(c["process"]).median()),
        q("en", "top", "best scoring lot?", names=ranked[:1], others=ranked[1:]),
        q("en", "top", "3 cheapest lots", pairs=c.nsmallest(3, price.name).set_index("lot_id")[price.name], order=True),  # pyright: ignore[reportArgumentType]
        q("en", "correlation", "corr between altitude and cupping score", d=3, number=height.corr(score)),
        q("en", "correlation", "correlation matrix please", extra=10, pairs={
            "cuppingScore, acidity": both.loc["cuppingScore", "acidity"],
            "altitude (m), price per kg (USD)": both.loc["altitude (m)", "price per kg (USD)"],
            "sweetness, acidity": both.loc["sweetness", "acidity"],
        }),
        q("en", "correlation", "fit a line of cuppingScore on altitude, whats the slope", d=5,
          number=np.polyfit(height, score, 1)[0]),
        q("en", "filter", "how many lots are organic and washed",
          number=((c["organic"] == "Y") & (c["process"] == "washed")).sum()),
        q("en", "filter", "how many lots from kenya score over 82",
          number=((c["Origin"] == "Kenya") & (score > 82)).sum()),
        q("en", "aggregate", "skewness of acidity", number=skew, **{"or": [round(biased, 2)]}),  # pyright: ignore[reportArgumentType]
        q("en", "aggregate", "min and max of sweetness", numbers=[c["sweetness"].min(), c["sweetness"].max()]),
        q("en", "quantile", "q1 and q3 of the altitude", numbers=[height.quantile(0.25), height.quantile(0.75)]),
        q("en", "outliers", "any outliers in the price? iqr, how many", number=iqr),
        q("en", "missing", "how many lots have no sweetness value", number=c["sweetness"].isna().sum()),
        q("en", "plot", "scatter of price against altitude with a trend line", image=True, plot="scatter",
          code_names=["altitude (m)", "price per kg (USD)"]),
        q("en", "plot", "violins of acidity per process", image=True, plot="violin",
          code_names=["acidity", "process"]),
        q("en", "plot", "pair plot of altitude, cupping score and price", image=True, plot="pair",
          code_names=["altitude (m)", "cuppingScore", "price per kg (USD)"]),
        no("en", "which roaster bought the kenya lots", word="roaster"),
        no("en", "forecast the price of the ethiopian lots for 2026"),
        no("en", "mean bitterness of the natural ones", word="bitterness"),
        q("ja", "groupby", "産地別の平均価格", pairs=price.groupby(c["Origin"]).mean()),
    ]  # fmt: skip
