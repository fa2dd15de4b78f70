"""Who took which course at a company: marks, passed or not, costs in yen, blanks for those who did not sit the test."""

from datetime import date, timedelta
from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import amounts, as_csv, monthly

COURSES = {"情報セキュリティ": 3000, "新任管理職": 18000, "Excel基礎": 6500, "ハラスメント防止": 4000}


def text() -> str:
    draw, rows = Random(77), list[list[object]]()
    for number in range(44):
        course = draw.choices(list(COURSES), [5, 2, 4, 3])[0]
        sat = draw.random() > 0.12
        mark = draw.randint(38, 99)
        day = date(2024, 6, 3) + timedelta(days=3 * number)
        rows.append([
            f"E{number + 201}", draw.choices(["営業部", "総務部", "開発部", "経理部"], [4, 2, 3, 2])[0], course,
            day.isoformat(), draw.choice(["対面", "オンライン"]), mark if sat else "",
            ("合格" if mark >= 60 else "不合格") if sat else "未受験", f"{COURSES[course]:,}",
        ])  # fmt: skip
    return as_csv("社員番号,部署,研修名,受講日,形式,点数,合否,費用(円)", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(受講日=pd.to_datetime(raw["受講日"]), **{"費用(円)": amounts(raw["費用(円)"])})


def questions(t: pd.DataFrame) -> list[Question]:
    part, course, mark, result = t["部署"], t["研修名"], t["点数"], t["合否"]
    cost, online, sales = t["費用(円)"], t["形式"] == "オンライン", part == "営業部"
    office = part == "総務部"
    passed = result == "合格"
    best = mark.groupby(part).mean().sort_values(ascending=False).index.tolist()
    month = monthly(t["受講日"])
    return [
        q("ja", "groupby", "部署別の受講者数", pairs=part.value_counts()),
        q("ja", "groupby", "研修ごとの平均点は?", pairs=mark.groupby(course).mean()),
        q("ja", "groupby", "部署×形式の費用合計", pairs=cost.groupby([part, t["形式"]]).sum()),
        q("ja", "aggregate", "研修費は全部でおいくらでしょうか", number=cost.sum()),
        q("ja", "aggregate", "営業部の点数の中央値", number=mark[sales].median()),
        q("ja", "filter", "合格したのは何人?", number=passed.sum()),
        q("ja", "filter", "Excel基礎で80点以上とった人は何人いますか", number=((course == "Excel基礎") & (mark >= 80)).sum()),
        q("ja", "filter", "営業部以外でオンライン受講した人数", number=(~sales & online).sum()),
        q("ja", "filter", "8月に受講した人は何名", number=(month == "2024-08").sum()),
        q("ja", "filter", "点数が50点未満か未受験の人は何人", number=((mark < 50) | (result == "未受験")).sum()),
        q("ja", "percent", "オンラインの割合は?", percent=100 * online.mean()),
        q("ja", "percent", "総務部の合格率は何%?", percent=100 * passed[office].mean(),
          or_without_blanks=100 * passed[office & mark.notna()].mean()),
        q("ja", "top", "平均点が最も低い部署は?", names=best[-1:], others=best[:-1]),
        q("ja", "top", "点数上位5人の社員番号", names=t.sort_values("点数", ascending=False)["社員番号"][:5].tolist()),
        q("ja", "resample", "月ごとの受講件数の推移", pairs=month.value_counts().sort_index()),
        q("ja", "describe", "点数の要約統計量を出して", numbers=[mark.mean(), mark.min(), mark.max(), mark.median()]),
        q("ja", "plot", "形式ごとの点数をバイオリンプロットで", image=True, plot="violin", code_names=["形式", "点数"]),
        q("en", "groupby", "total 費用 per 部署", pairs=cost.groupby(part).sum()),
        no("ja", "役職ごとの合格率は?", word="役職"),
        no("ja", "英会話の受講者は何人?", word="英会話"),
        no("ja", "次に不合格になりそうな社員は誰ですか"),
    ]  # fmt: skip
