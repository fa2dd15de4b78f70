"""Tables with Japanese headers: shops, attendance, survey, weather, stock. Each is text from a seed of its own."""

from datetime import datetime, timedelta
from random import Random

from tests.exams.tables.text import (
    csv_text,
    japanese,
    maybe,
    reiwa,
)


def store_sales() -> str:
    """200 days of shops; sales are text such as 12,345 and dates such as 2024年5月3日."""
    random = Random(201)
    rows: list[list[object]] = []
    for _ in range(200):
        day = datetime(2024, 3, 1) + timedelta(days=random.randrange(153))
        shop = random.choices(["札幌支店", "仙台支店", "渋谷本店", "難波店", "博多店"], [3, 2, 4, 3, 2])[0]
        guests = round(random.gauss(140, 35)) + (60 if shop == "渋谷本店" else 0)
        rows.append([
            japanese(day), shop, random.choice(["食品", "衣料", "雑貨", "家電"]), f"{guests * random.randrange(380, 920):,}",
            guests, random.choice(["晴れ", "曇り", "雨"]), random.choice(["はい", "いいえ", "いいえ"]),
            maybe(random, 0.08, random.randrange(3, 12)),
        ])  # fmt: skip
    return csv_text(
        ["来店日", "店舗名", "商品カテゴリ", "売上(円)", "来客数[人]", "天気", "特売日", "スタッフ数"], rows
    )


def attendance() -> str:
    """160 working days of twelve people; dates such as 令和6年5月3日."""
    random = Random(202)
    people = ["佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村", "小林", "加藤", "吉田", "山田"]
    units = ["営業部", "開発部", "総務部", "人事部"]
    rows: list[list[object]] = []
    for _ in range(160):
        place = random.randrange(12)
        day = datetime(2024, 4, 1) + timedelta(days=random.randrange(120))
        rows.append([
            f"E{100 + place}", people[place], units[place % 4], reiwa(day),
            random.choices(["出社", "在宅", "出張"], [5, 4, 1])[0],
            maybe(random, 0.05, round(max(0.0, random.gauss(1.4 + place % 4 * 0.5, 1.1)), 1)), round(random.gauss(7.8, 0.5), 2),
            random.choices(["有", "無"], [1, 6])[0], 2010 + place,
        ])  # fmt: skip
    return csv_text(
        ["社員番号", "氏名", "部署", "勤務日", "勤務形態", "残業時間(h)", "実働_時間", "遅刻", "入社年"], rows
    )


def survey() -> str:
    """150 answers; some people keep their income to themselves."""
    random = Random(203)
    rows: list[list[object]] = []
    for number in range(150):
        age = random.randrange(18, 70)
        day = datetime(2024, 10, 1) + timedelta(days=random.randrange(45))
        rows.append([
            number + 1, f"{day:%Y/%m/%d}", random.choice(["男性", "女性", "女性", "回答しない"]), age, f"{age // 10 * 10}代",
            random.choice(["東京都", "大阪府", "愛知県", "福岡県"]), random.choices([1, 2, 3, 4, 5], [1, 2, 4, 6, 4])[0],
            maybe(random, 0.2, round(random.gauss(320 + age * 4, 90))), random.choice(["毎日", "週1回", "月1回"]),
            random.choices(["はい", "いいえ", None], [6, 3, 1])[0],
        ])  # fmt: skip
    return csv_text(
        [
            "回答ID",
            "回答日",
            "性別",
            "年齢",
            "年代",
            "居住地",
            "満足度(5段階)",
            "年収[万円]",
            "利用頻度",
            "友人に勧める",
        ],
        rows,
    )


def weather() -> str:
    """240 observations at three places, every twelve hours for forty days."""
    random = Random(204)
    rows: list[list[object]] = []
    for step in range(80):
        at = datetime(2023, 12, 20, 9) + timedelta(hours=12 * step)
        for place, base in (("旭川", -6.0), ("長野", 1.5), ("那覇", 17.5)):
            rain = round(random.expovariate(0.25), 1) if random.random() < 0.35 else 0.0
            sky = "雪" if rain and base < 0 else "雨" if rain else random.choice(["晴", "曇"])
            warm = base + (2.5 if at.hour == 9 else -2.0) + random.gauss(0, 2)
            rows.append([
                f"{at:%Y-%m-%d %H:%M}", place, maybe(random, 0.03, round(warm, 1)), rain, round(random.gauss(66, 9)),
                round(random.gammavariate(2, 1.6), 1), sky,
            ])  # fmt: skip
    return csv_text(["観測日時", "地点", "気温[℃]", "降水量(mm)", "湿度(%)", "風速 m/s", "天候"], rows)


def stock() -> str:
    """90 articles in three warehouses; prices are text such as ¥1,200."""
    random = Random(205)
    rows: list[list[object]] = []
    for number in range(90):
        day = datetime(2024, 1, 10) + timedelta(days=random.randrange(200))
        kind = random.choice(["文具", "工具", "清掃用品", "梱包材"])
        rows.append([
            f"A-{1000 + number}", kind, random.choices(["東倉庫", "西倉庫", "港倉庫"], [4, 3, 2])[0],
            max(0, round(random.gauss(120, 80))), f"¥{random.randrange(8, 480) * 10:,}", maybe(random, 0.1, f"{day:%Y/%m/%d}"),
            random.choices(["販売中", "廃番", "取寄せ"], [7, 1, 2])[0], f"{random.choice([0, 10, 20, 30])}%",
        ])  # fmt: skip
    return csv_text(["商品コード", "区分", "倉庫", "在庫数", "単価", "最終入荷日", "状態", "値引率"], rows)
