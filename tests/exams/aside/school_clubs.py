"""Questions about the members of a school's clubs."""

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    fee = pd.to_numeric(raw["部費(月額)"].str.replace("[円,]", "", regex=True))
    return raw.assign(fee=fee, month=raw["入部日"].str[:7].str.replace("/", "-"))


def questions(s: pd.DataFrame) -> list[Question]:
    club, grade, sex, height, dash, hours = (
        s[name] for name in ("部活名", "学年", "性別", "身長cm", "50m走(秒)", "練習時間_h/週")
    )
    tall = s.sort_values("身長cm", ascending=False)["生徒ID"].tolist()
    mean = hours.groupby(club).mean()
    gap = round(mean["サッカー部"] - mean["陸上部"], 2)
    both = s[["身長cm", "50m走(秒)", "練習時間_h/週"]].corr()
    return [
        q("ja", "groupby", "部活別の人数は?", pairs=club.value_counts()),
        q("ja", "groupby", "学年と性別ごとの人数", pairs=s.groupby(["学年", "性別"]).size()),
        q("ja", "filter", "陸上部の50m走の平均タイム", number=dash[club == "陸上部"].mean()),
        q("ja", "filter", "女子の平均身長", number=height[sex == "女"].mean()),
        q("ja", "filter", "練習時間が週10時間を超える1年生の人数", number=((hours > 10) & (grade == 1)).sum()),
        q("ja", "filter", "吹奏楽部でも美術部でもない生徒は何人?", number=(~club.isin(["吹奏楽部", "美術部"])).sum()),
        q("ja", "percent", "ケガ歴が有の生徒の割合", percent=100 * (s["ケガ歴"] == "有").mean()),
        q("ja", "aggregate", "部費の平均", number=s["fee"].mean()),
        q("ja", "aggregate", "練習時間の最大と最小", numbers=[hours.max(), hours.min()]),
        q("ja", "top", "一番背が高い生徒は誰", names=tall[:1], others=tall[1:]),
        q("ja", "top", "50m走が速い順に3人", pairs=s.nsmallest(3, "50m走(秒)").set_index("生徒ID")["50m走(秒)"]),
        q("ja", "missing", "50m走の記録がない生徒は何人", number=dash.isna().sum()),
        q("ja", "resample", "入部者数を月別に", pairs=s.groupby("month").size(), extra=30,
          or_pairs=s.groupby(s["month"].str[-1] + " | " + s["month"].str[-1] + "月").size()),
        q("ja", "correlation", "身長と50m走の相関", number=height.corr(dash)),
        q("ja", "correlation", "身長、50m走、練習時間の相関行列", pairs={
            "身長cm, 50m走(秒)": both.iloc[0, 1], "身長cm, 練習時間_h/週": both.iloc[0, 2],
            "50m走(秒), 練習時間_h/週": both.iloc[1, 2],
        }),
        q("ja", "difference", "サッカー部と陸上部の平均練習時間の差", number=gap, **{"or": [-gap]}),  # pyright: ignore[reportArgumentType]
        q("ja", "plot", "身長の分布をヒストグラムで", image=True, plot="hist", code_names=["身長cm"]),
        q("ja", "plot", "部活ごとの練習時間のバイオリン図", image=True, plot="violin",
          code_names=["部活名", "練習時間_h/週"]),
        q("ja", "save", "部費が3000円の生徒をCSVで保存", file="csv",
          pairs=s[s["fee"] == 3000].set_index("生徒ID")["身長cm"]),
        q("ja", "follow-up", "部活別の平均身長", "性別でも分けて", pairs=height.groupby([club, sex]).mean()),
        q("ja", "follow-up", "平均練習時間を部活別に", "2年生だけ", "グラフにして", image=True,
          code_names=["練習時間_h/週", "部活名", "学年"]),
        no("ja", "来年の県大会で優勝するのはどの部?"),
        no("ja", "テストの平均点は?", word="テスト"),
        no("ja", "野球部は何人いる?", word="野球"),
        q("en", "groupby", "avg practice hours per club", pairs=mean),
        q("en", "groupby", "mean height by gender", pairs=height.groupby(sex).mean()),
    ]  # fmt: skip
