"""Questions about eight towns and seven years."""

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    people = pd.to_numeric(raw["総人口(人)"].str.replace(",", ""))
    return raw.assign(people=people, old=pd.to_numeric(raw["高齢化率"].str.rstrip("%")))


def questions(t: pd.DataFrame) -> list[Question]:
    town, area, year, people, born = t["市町村名"], t["地域"], t["年度"], t["people"], t["出生数"]
    now = t[year == 2023].set_index("市町村名")
    ranked = now["people"].sort_values(ascending=False)
    before = t[year == 2017].set_index("市町村名")["people"]
    change = now["people"] / before - 1
    areas = now.groupby("地域")["people"].sum()
    births = t[year == 2019].set_index("市町村名")["出生数"].sort_values(ascending=False).index.tolist()
    steps = people[town == "若葉市"].set_axis(year[town == "若葉市"]).diff().dropna()
    gap = areas["北部"] - areas["沿岸"]
    return [
        q("ja", "filter", "2023年度の総人口の合計", number=now["people"].sum()),
        q("ja", "filter", "白浜町の2020年の世帯数は?",
          number=t["世帯数"][(town == "白浜町") & (year == 2020)].sum()),
        q("ja", "filter", "高齢化率が40%以上の行は何件", number=(t["old"] >= 40).sum()),
        q("ja", "filter", "山間の平均高齢化率", number=t["old"][area == "山間"].mean()),
        q("ja", "groupby", "2023年の地域別の人口", pairs=areas),
        q("ja", "resample", "年度ごとの出生数の合計", pairs=born.groupby(year).sum()),
        q("ja", "top", "2023年に人口が一番多い市町村は?", names=ranked.index[:1], others=ranked.index[1:]),
        q("ja", "top", "2023年の人口トップ3", pairs=ranked.head(3), order=True),
        q("ja", "difference", "2017年から2023年までの人口の増減率を市町村別に", pairs=100 * change,
          or_pairs=change.round(4).to_dict()),
        q("ja", "difference", "2023年の北部と沿岸の人口の差", number=gap, **{"or": [-int(gap)]}),  # pyright: ignore[reportArgumentType]
        q("ja", "difference", "若葉市の人口の前年からの増減数を年度別に", pairs=steps, extra=1),
        q("ja", "missing", "出生数が空欄なのは何件?", number=born.isna().sum()),
        q("ja", "distinct", "市町村はいくつある?", number=town.nunique()),
        q("ja", "correlation", "総人口と出生数の相関係数", d=3, number=people.corr(born)),
        q("ja", "shape", "データは何行何列?", numbers=[56, 7]),
        q("ja", "aggregate", "世帯数の標準偏差", number=t["世帯数"].std(),
          **{"or": [round(t["世帯数"].std(ddof=0), 2)]}),  # pyright: ignore[reportArgumentType]
        q("ja", "plot", "青葉市の人口の推移を折れ線グラフで", image=True, plot="line",
          code_names=["総人口(人)", "年度", "青葉市"]),
        q("ja", "follow-up", "年度別の平均世帯数", "沿岸だけで", pairs=t[area == "沿岸"].groupby("年度")["世帯数"].mean()),
        q("ja", "follow-up", "市町村別の平均出生数", "少ない順に5つだけ", pairs=born.groupby(town).mean().nsmallest(5),
          order=True),
        no("ja", "2040年の人口を予測して"),
        no("ja", "犯罪件数の平均は?", word="犯罪"),
        no("ja", "札幌市の人口を教えて", word="札幌"),
        q("en", "filter", "population of 湯原町 in 2022", number=people[(town == "湯原町") & (year == 2022)].sum()),
        q("en", "groupby", "average households by region", pairs=t["世帯数"].groupby(area).mean()),
        q("en", "top", "which town had the most births in 2019", names=births[:1], others=births[1:]),
    ]  # fmt: skip
