"""Questions about films, their money and their scores."""

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(critics=pd.to_numeric(raw["critic score"].str.rstrip("%")))


def questions(f: pd.DataFrame) -> list[Question]:
    title, genre, audience, gross = f["Title"], f["genre"], f["audience_score"], f["BoxOffice (M$)"]
    longest = f.sort_values("runtime_mins", ascending=False)["Title"].tolist()
    comedies = f[genre == "comedy"].sort_values("runtime_mins")["Title"].tolist()
    makers = audience.groupby(f["Director"]).mean().sort_values(ascending=False).index.tolist()
    first, last = (audience[f["year"] == year].mean() for year in (2016, 2021))
    return [
        q("en", "head", "show the first 3 rows", pairs=f.head(3).set_index("Title")["runtime_mins"], order=True,
          extra=0),
        q("en", "shape", "what columns are there", names=list(f.columns[:-1])),
        q("en", "groupby", "avg critic score by genre", pairs=f.groupby("genre")["critics"].mean()),
        q("en", "resample", "films per year", pairs=f.groupby("year").size()),
        q("en", "top", "longest film", names=longest[:1], others=longest[1:]),
        q("en", "top", "shortest comedy?", names=comedies[:1], others=comedies[1:]),
        q("en", "top", "which director has the highest average audience score", names=makers[:1], others=makers[1:]),
        q("en", "filter", "how many dramas did novak direct",
          number=((genre == "drama") & (f["Director"] == "Novak")).sum()),
        q("en", "filter", "number of films after 2019", number=(f["year"] > 2019).sum()),
        q("en", "filter", "how many films have audience score under 7 but critics over 60%",
          number=((audience < 7) & (f["critics"] > 60)).sum()),
        q("en", "filter", "how many titles contain Mirror", number=title.str.contains("Mirror").sum()),
        q("en", "missing", "which films have no box office figure", names=title[gross.isna()].tolist()),
        q("en", "percent", "share of films with age rating 18", percent=100 * (f["age_rating"] == "18").mean()),
        q("en", "correlation", "are budget and box office correlated?", number=f["budget_musd"].corr(gross)),
        q("en", "crosstab", "genre x age rating table", pairs=pd.crosstab(genre, f["age_rating"])),
        q("en", "quantile", "80th percentile of the budget", number=f["budget_musd"].quantile(0.8)),
        q("en", "difference", "change in average audience score between 2016 and 2021", number=last - first,
          **{"or": [round(first - last, 2)]}),  # pyright: ignore[reportArgumentType]
        q("en", "plot", "heatmap of the correlations", image=True, plot="heatmap"),
        q("en", "plot", "mean budget per year, line plot", image=True, plot="line",
          code_names=["budget_musd", "year"]),
        no("en", "who won the oscar for best film that year"),
        no("en", "avg popcorn sales by genre", word="popcorn"),
        no("en", "blorp the fizzwuggle by snarf"),
        q("ja", "groupby", "ジャンル別の作品数", pairs=genre.value_counts()),
        q("ja", "aggregate", "興行収入の平均はいくら?", number=gross.mean()),
    ]  # fmt: skip
