"""The four tables with Japanese headers: towns' populations, games, job offers, school clubs."""

from datetime import datetime, timedelta
from random import Random

from tests.exams.tables.text import (
    csv_text,
    japanese,
    maybe,
    reiwa,
)


def town_population() -> str:
    """Eight towns in seven years: people with commas, the share of the old in percent as text."""
    r, rows = Random(907), list[list[object]]()
    towns = [("青葉市", "北部", 182), ("緑川市", "北部", 95), ("白浜町", "沿岸", 31), ("大崎市", "沿岸", 140),
             ("山里村", "山間", 6), ("湯原町", "山間", 14), ("若葉市", "南部", 228), ("桜井町", "南部", 47)]  # fmt: skip
    for name, area, thousand in towns:
        trend = r.uniform(-0.025, 0.015)
        people = thousand * 1000 + r.randint(0, 900)
        for year in range(2017, 2024):
            people = round(people * (1 + trend + r.uniform(-0.004, 0.004)))
            rows.append([
                name, area, year, f"{people:,}", round(people / r.uniform(2.1, 2.5)), f"{r.uniform(18, 44):.1f}%",
                maybe(r, 0.1, round(people * r.uniform(0.005, 0.009))),
            ])  # fmt: skip
    return csv_text(["市町村名", "地域", "年度", "総人口(人)", "世帯数", "高齢化率", "出生数"], rows)


def game_sales() -> str:
    """45 games: prices with a yen sign, sales in ten thousands, dates with 年月日."""
    r, rows = Random(908), list[list[object]]()
    heads = ["星降る", "鋼の", "夜明けの", "幻想", "迷宮", "疾風", "琥珀", "深海", "天空"]
    tails = ["物語", "騎士団", "レース", "農場", "戦記"]
    for number in range(45):
        day = datetime(2021, 2, 10) + timedelta(days=31 * number + r.randint(0, 12))
        price = r.choice([3980, 5980, 6980, 7980, 8980])
        rows.append([
            heads[number % 9] + tails[number // 9], japanese(day),
            r.choice(["RPG", "アクション", "パズル", "スポーツ"]),
            r.choice(["スイッチ", "スイッチ", "プレステ", "PC"]), f"¥{price:,}", round(r.lognormvariate(2.2, 0.9), 1),
            maybe(r, 0.13, r.randint(48, 97)), r.choice(["はい", "いいえ", "いいえ"]),
        ])  # fmt: skip
    return csv_text(
        ["タイトル", "発売日", "ジャンル", "対応機種", "価格(税込)", "販売本数(万本)", "レビュー点", "続編"],
        rows,
    )


def job_offers() -> str:
    """70 offers: Japanese years in the dates, wages in ten thousand yen, remote work as ○ and ×."""
    r, rows = Random(909), list[list[object]]()
    base = {"営業": 26, "エンジニア": 36, "事務": 22, "介護": 23, "デザイナー": 28}
    for number in range(70):
        job = r.choice(list(base))
        years = r.choice([0, 0, 1, 2, 3, 5, 8])
        day = datetime(2023, 9, 1) + timedelta(days=4 * number)
        rows.append([
            f"J{number + 1:04d}", reiwa(day), job, r.choice(["東京", "東京", "大阪", "福岡", "仙台"]),
            r.choice(["正社員", "正社員", "契約社員", "パート"]), round(base[job] + 1.3 * years + r.uniform(-2, 3), 1),
            years, r.choice("○××"), maybe(r, 0.1, r.randint(0, 40)),
        ])  # fmt: skip
    header = [
        "求人ID",
        "掲載日",
        "職種",
        "勤務地",
        "雇用形態",
        "月給_万円",
        "必要経験(年)",
        "リモート可",
        "応募者数",
    ]
    return csv_text(header, rows)


def school_clubs() -> str:
    """64 members of clubs: English and Japanese headers mixed, practice in hours a week."""
    r, rows = Random(910), list[list[object]]()
    for number in range(64):
        club = r.choice(["サッカー部", "吹奏楽部", "美術部", "陸上部", "将棋部"])
        height = round(r.gauss(163, 8), 1)
        day = datetime(2024, 4, 8) - timedelta(days=r.choice([0, 365, 730]) - r.randint(0, 40))
        rows.append([
            f"S{number + 1:02d}", club, r.randint(1, 3), r.choice(["男", "女"]), height,
            maybe(r, 0.1, round(14.5 - height / 25 + r.uniform(-0.6, 0.9), 2)), round(r.uniform(2, 16), 1),
            day.strftime("%Y/%m/%d"), r.choice(["有", "無", "無"]), f"{r.choice([0, 800, 1500, 3000]):,}円",
        ])  # fmt: skip
    header = [
        "生徒ID",
        "部活名",
        "学年",
        "性別",
        "身長cm",
        "50m走(秒)",
        "練習時間_h/週",
        "入部日",
        "ケガ歴",
        "部費(月額)",
    ]
    return csv_text(header, rows)
