"""Tables with Japanese headers: what a library lends, what a factory makes. Each is text from a seed of its own."""

from datetime import datetime, timedelta
from random import Random

from tests.exams.tables.text import csv_text, maybe, reiwa


def library_loans() -> str:
    """200 loans; dates such as 令和6年5月3日, fines as text with a yen sign."""
    random = Random(221)
    rows: list[list[object]] = []
    for number in range(200):
        day = datetime(2024, 4, 2) + timedelta(days=random.randrange(180))
        reader = random.choices(["一般", "学生", "児童", "シニア"], [6, 4, 3, 2])[0]
        age = {"一般": 23, "学生": 13, "児童": 6, "シニア": 65}[reader] + random.randrange(
            {"一般": 42, "学生": 10, "児童": 7, "シニア": 22}[reader]
        )
        days = round(random.gammavariate(4, 2.9)) + 1
        late = max(0, days - 14)
        rows.append([
            f"L{50001 + number}", reiwa(day), random.choices(["中央館", "駅前分館", "港分館", "緑町分館"], [6, 4, 3, 2])[0],
            random.choices(["小説", "絵本", "実用書", "歴史", "科学", "雑誌"], [7, 4, 4, 2, 2, 3])[0], reader,
            maybe(random, 0.05, age),
            random.choices([1, 2, 3, 5, 8], [4, 5, 3, 2, 1])[0], maybe(random, 0.06, days),
            random.choices([0, 1, 2], [6, 3, 1])[0],
            "あり" if late else "なし", f"¥{late * 120:,}", random.choices(["窓口", "返却ポスト", "郵送"], [5, 4, 1])[0],
            maybe(random, 0.25, random.choices([1, 2, 3, 4, 5], [1, 1, 4, 6, 4])[0]),
        ])  # fmt: skip
    header = "貸出番号,貸出日,館名,ジャンル,利用者区分,年齢（歳）,貸出冊数,貸出期間(日),延長回数,延滞"
    return csv_text([*header.split(","), "延滞料", "返却方法", "満足度（5段階）"], rows)


def factory_lots() -> str:
    """180 lots of two months; numbers made are text such as 1,240."""
    random = Random(222)
    products = {"ギア": 1200, "シャフト": 640, "カバー": 1800, "センサー": 420}
    rows: list[list[object]] = []
    for number in range(180):
        day = datetime(2025, 1, 6) + timedelta(days=number // 3)
        line = random.choice(["A", "B", "C"])
        product = random.choices(list(products), [5, 3, 4, 2])[0]
        made = round(products[product] * random.uniform(0.8, 1.3))
        shift = random.choice(["日勤", "夜勤"])
        warm = round(24 + random.gauss(0, 3) + (2.5 if line == "C" else 0), 1)
        bad = round(made * random.uniform(0.004, 0.03) * (1.5 if shift == "夜勤" else 1) * (warm / 24))
        if number in (40, 121):
            bad *= 6
        rows.append([
            f"LOT-{number + 1:04d}", f"{day:%Y/%m/%d}", f"{line}ライン", product, f"{made:,}", bad, shift,
            random.choice(["佐藤", "鈴木", "高橋", "田中", "伊藤"]), maybe(random, 0.06, warm), round(random.expovariate(0.06)),
            maybe(random, 0.15, random.choices(["寸法不良", "キズ", "汚れ", "欠け"], [5, 4, 2, 2])[0]),
            random.choices(["済", "未"], [4, 1])[0], f"{round(made * random.uniform(0.9, 1.6) / 10) * 100:,}円",
            round(random.uniform(8, 60), 1), random.choices(["合格", "不合格", "保留"], [15, 2, 1])[0],
        ])  # fmt: skip
    header = "ロット番号,製造日,ライン,品名,生産数（個）,不良数,勤務帯,担当者,炉内温度[℃],停止時間（分）,不良原因,再検査,材料費"
    return csv_text([*header.split(","), "電力量_kWh", "判定"], rows)
