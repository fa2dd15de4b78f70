"""The bilingual glossary: what people call columns, cell values, units and rows, in English and Japanese.

Each entry is one concept; its words stand for one another. The first words are the best ones: when two
columns of a table answer to the same concept, the one named by the earlier word wins. To teach the
analyst a word, add it here.
"""


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.replace("\n", " ").split(",") if word.strip())


COLUMNS: tuple[tuple[str, ...], ...] = tuple(
    map(
        _words,
        (
            # people
            "age, ages, 年齢, 年令, 歳",
            "sex, gender, 性別, 男女",
            "name, full name, employee, 名前, 氏名, 名称, 社員, 従業員, 社員名",
            "height, 身長, 高さ",
            "weight, mass, 体重, 重さ, 重量, 質量",
            "salary, wage, pay, 給料, 給与",
            "income, annual income, earnings, 年収, 所得, 収入",
            "department, dept, division, section, 部署, 部門, 診療科, 所属",
            "education, 学歴, 教育",
            "score, mark, points, result, 点数, 得点, スコア, 成績, 点",
            "grade, 等級, 学年, グレード",
            "rating, stars, guest rating, 評価, 格付け",
            "satisfaction, csat, 満足度, 顧客満足度",
            "blood pressure, bp, 血圧",
            "body temperature, fever, 体温",
            "heart rate, pulse, 心拍数, 脈拍",
            "wait time, wait, waiting time, waiting, 待ち時間",
            "absent, days absent, absences, days missed, missed, 欠席, 欠席日数",
            "late, tardy, lateness, 遅刻",
            "overtime, overtime hours, 残業, 残業時間",
            "working hours, hours worked, work hours, 労働時間, 実働時間, 勤務時間",
            "work style, work mode, 勤務形態",
            "age group, 年代, 年齢層",
            "frequency, 頻度, 利用頻度",
            "maths, math, mathematics, 数学, 算数",
            "english, 英語",
            "science, 理科, 科学",
            "history, 歴史",
            "outcome, 転帰, 結果",
            "response time, first response, 初回応答, 応答時間",
            "resolution time, resolution, time to resolution, time to resolve, 解決時間",
            "priority, 優先度",
            "channel, チャネル, 経路",
            "agent, assignee, rep, 担当, 担当者",
            "nights, length of stay, 宿泊数, 泊数",
            "guests, 宿泊者",
            "kids, children, 子供, 子ども",
            "adults, 大人",
            "breakfast, 朝食",
            "helmet, ヘルメット",
            "window, 窓",
            "gift, ギフト, プレゼント",
            "insured, insurance, 保険",
            "reopened, reopen, 再オープン",
            "visitors, customers counted, footfall, 来客数, 来客, 来店者数, 客数",
            "weather, 天気, 天候",
            "staff, staff count, headcount, スタッフ, スタッフ数",
            "special sale, sale day, 特売, 特売日, セール",
            "warehouse, depot, 倉庫",
            "residence, place of residence, home, 居住地, 住所, 住まい",
            "recommend, recommendation, would recommend, 友人に勧める, 推奨, 勧める",
            "destination, end station, end, 到着, 到着駅, 目的地",
            "origin, start station, departure, 出発, 出発駅",
            "place, site, location, spot, point, 地点, 場所, 観測地点",
            "rider, user, 利用者",
            # a voyage
            "class, pclass, passenger class, ticket class, cabin class, クラス, 客室クラス, 客室等級, 船室, 等級, 階級",
            "survived, survival, survive, surviving, survivor, 生存, 生存者, 生存者数, 生き残り, 生き残, 助かった, 生死",
            "fare, fare paid, fare paid by, ticket price, 運賃, 乗船料金, 料金",
            "embark town, embarked, port, harbour, boarding town, 乗船地, 乗船港, 港",
            "deck, デッキ, 甲板",
            "alone, travelling alone, 一人旅, 単独, 独り",
            "sibsp, siblings, spouses, siblings and spouses, 兄弟配偶者, 兄弟",
            "parch, parents and children, parents, 親子",
            "who, person type, 人の種類",
            "adult male, 成人男性",
            # rooms and sensors
            "temperature, temp, 温度, 気温, 室温, 温",
            "humidity, moisture, 湿度",
            "brightness, illuminance, light level, light, 明るさ, 照度, 輝度, 光量",
            "setpoint history, setpoint, set point, target temperature, 設定温度, 設定値, 目標温度",
            "pressure, air pressure, 気圧, 圧力",
            "co2, carbon dioxide, 二酸化炭素",
            "power, electricity, energy, 電力, 消費電力, 電力量",
            "rainfall, rain amount, precipitation, 降水量, 雨量",
            "wind speed, wind, 風速, 風",
            "roomname, room name, room, 部屋名, 部屋, 室名",
            "floor, storey, 階, フロア",
            # time
            "date, datetime, timestamp, time stamp, day of record, 日付, 日時, 年月日, 日にち",
            "started at, start time, 開始日時, 開始時刻, 開始",
            "year, 年度, 年",
            "month, 月",
            "weekday, day of week, 曜日",
            "duration, length, ride time, time taken, minutes, how long, 所要時間, 時間の長さ, 長さ",
            # trade
            "price, unit price, rate per night, nightly rate, price per night, room rate, 価格, 値段, 単価",
            "sales, revenue, turnover, sales amount, 売上, 売上高, 売上金額, 売上額, 売り上げ",
            "amount, total, total amount, order total, spend, spending, spent, revenue, sales, 売上, 金額, 合計金額",
            "quantity, qty, units sold, number sold, 数量, 個数, 販売数",
            "cost, expense, 原価, 費用, コスト, 経費",
            "profit, gain, profit margin, margin, 利益, 粗利, 利益率",
            "discount, discount rate, 割引, 値引き, 値引, 値引率, 割引率",
            "product, product name, item, goods, 商品, 商品名, 製品, 品目",
            "customer, customer name, client, buyer, 顧客, 顧客名, お客様",
            "category, product category, kind, type, genre, カテゴリ, カテゴリー, 種別, 分類, 区分, タイプ",
            "status, state, 状態, ステータス, 状況",
            "store, shop, branch, outlet, 店舗, 店, 支店, 店舗名",
            "region, area, district, 地域, 地区, エリア",
            "city, town, 市, 都市, 街, 市町村",
            "prefecture, province, 都道府県, 県",
            "country, nation, 国, 国名",
            "population, inhabitants, 人口",
            "payment method, payment, 支払い, 支払方法, 支払い方法, 決済",
            "stock, inventory, 在庫, 在庫数, 在庫量",
            # the rest
            "distance, range, 距離",
            "speed, velocity, 速度, スピード",
            "station, stop, 駅, 乗り場, ステーション",
            "crop, 作物, 農作物",
            "field, plot of land, 畑, 圃場",
            "yield, harvest, harvest amount, 収穫量, 収量, 収穫",
            "species, variety, 種, 品種",
            "color, colour, 色",
            "size, 大きさ, サイズ",
        ),
    )
)

VALUES: tuple[tuple[str, ...], ...] = tuple(
    map(
        _words,
        (
            "female, f, woman, women, girl, girls, 女性, 女, 女子, lady, ladies, 女性, 女, 女の人, 女子, 婦人",
            "male, m, man, men, boy, boys, 男性, 男, 男子, gentleman, gentlemen, 男性, 男, 男の人, 男子",
            "child, children, kid, kids, infant, 子供, 子ども, こども, 児童",
            "first, 1st, 1st class, first class, 1等, 一等, 1等客, 1等船室, 一等客, ファーストクラス, ファースト",
            "second, 2nd, 2nd class, second class, 2等, 二等, 2等客, 2等船室, 二等客, セカンドクラス, セカンド",
            "third, 3rd, 3rd class, third class, 3等, 三等, 3等客, 3等船室, 三等客, サードクラス, サード",
            "cancelled, canceled, cancellation, cancellations, キャンセル, 取消, 取り消し, キャンセル済み",
            "returned, return, 返品",
            "rain, rainy, raining, 雨, 雨天, 雨降り",
            "sunny, clear, fine, 晴れ, 晴, 晴天",
            "cloudy, overcast, 曇り, 曇, くもり",
            "snow, snowy, snowing, 雪",
            "senior, seniors, elderly, 高齢者, シニア",
            "adult, adults, grown-up, 大人, 成人",
            "remote, work from home, from home, 在宅, 在宅勤務, テレワーク, リモート",
            "office, in the office, 出社",
            "business trip, 出張",
            "pending, 保留, 未処理",
            "daily, every day, 毎日",
            "open, 開",
            "closed, shut, 閉",
            "high, 高",
            "urgent, 緊急",
            "fukuoka, 福岡",
            "nagoya, 名古屋",
            "kyoto, 京都",
            "sendai, 仙台",
            "credit card, card, クレジットカード, カード",
            "cash, 現金",
            "completed, complete, done, finished, 完了, 済み",
            "kitchen, キッチン, 台所, 厨房",
            "bathroom, bath, バスルーム, 浴室, 風呂, 風呂場, お風呂",
            "toilet, lavatory, wc, トイレ, 便所, お手洗い",
            "southampton, サウサンプトン",
            "cherbourg, シェルブール",
            "queenstown, クイーンズタウン",
            "member, members, subscriber, 会員, メンバー",
            "sapporo, 札幌",
            "tokyo, 東京",
            "osaka, 大阪",
        ),
    )
)

OPPOSITES: dict[str, tuple[str, ...]] = {
    "survived": _words(
        "died, die, dead, death, deaths, perished, killed, victims, victim, did not survive, didn't survive, "
        "not survive, 死亡, 死亡者, 死者, 亡くなった, 亡くなり, 死んだ, 犠牲者, 生存しなかった"
    ),
}
"""Words for the zeros of a 0/1 column, by the first word of its concept."""

RATE_NAMES: dict[str, tuple[str, str]] = {"survived": ("survival rate", "生存率")}
"""How the mean of a 0/1 column is called: English, Japanese."""

ROW_NOUNS: dict[str, tuple[str, ...]] = {
    "titanic": _words("passengers, passenger, people, persons, person, travellers, 乗客, 乗船者, 人, 人々"),
    "measurement": _words(
        "measurements, measurement, readings, reading, samples, 測定, 計測, 測定値, 計測値"
    ),
    "": _words(
        "rows, row, records, record, entries, entry, lines, observations, observation, cases, people, persons, person, "
        "ppl, readings, reading, measurements, samples, everyone, everybody, those, responses, respondents, guests, "
        "行, レコード, 件, データ件, 行数, 件数, レコード数, データ数, 人, 人々, 人たち, 回答, 回答者, 回答数"
    ),
}
"""What one row is called, by the word a table's name holds; the empty name fits every table."""

TABLE_NAMES: dict[str, tuple[str, ...]] = {
    "titanic": _words("タイタニック, タイタニック号"),
    "measurement": _words(
        "sensor, sensors, sensor data, room sensors, 測定データ, 計測データ, センサー, センサーデータ, 測定結果"
    ),
}
"""Other words for a table, by a word its name holds."""

NOUNS: tuple[tuple[str, ...], ...] = tuple(
    map(
        _words,
        (
            "order, purchase, 注文, 受注",
            "booking, reservation, stay, 予約, 宿泊",
            "visit, appointment, consultation, 受診, 来院, 診察",
            "patient, 患者",
            "ride, trip, journey, 乗車, 利用",
            "ticket, request, case, チケット, 問い合わせ",
            "pupil, student, kid, child, 生徒, 学生, 児童",
            "mark, pupil, student, 生徒",
            "product, item, article, 商品, 品目, 製品, アイテム",
            "stock, item, product, 商品, 品目",
            "employee, worker, 社員, 従業員",
            "response, answer, respondent, 回答, 回答者",
            "survey, response, respondent, 回答, 回答者, アンケート",
            "sale, transaction, 販売, 取引",
            "attendance, work day, 勤務, 出勤",
            "sensor, reading, measurement, 測定, 計測",
            "member, 会員",
            "customer, client, 顧客",
            "weather, observation, 観測",
            "flight, フライト, 便",
            "loan, borrowing, checkout, 貸出, 貸し出し",
            "invoice, bill, 請求書, 請求",
            "course, class, 授業, 講座",
            "device, machine, 機器, 装置, 設備",
            "incident, accident, 事故",
            "delivery, shipment, 配送, 配達, 出荷",
            "session, play, セッション",
            "test, exam, 試験",
            "user, account, ユーザー, 利用者",
            "book, 本, 書籍",
            "house, home, property, 物件, 住宅",
            "car, vehicle, 車",
            "game, match, 試合",
            "movie, film, 映画",
        ),
    )
)
"""What rows are called in both languages, by the noun of their id or table."""

ABBREVIATIONS: dict[str, tuple[str, ...]] = {
    "dept": ("department", "dept"), "department": ("department", "dept"), "stn": ("station",), "sta": ("station",),
    "temp": ("temperature", "temp"), "temperature": ("temperature", "temp"), "qty": ("quantity",),
    "amt": ("amount",), "hrs": ("hours",), "hr": ("hour",), "min": ("minutes",), "mins": ("minutes",),
    "dur": ("duration",), "dist": ("distance",), "prio": ("priority",), "priority": ("priority", "prio"),
    "cat": ("category",), "category": ("category", "cat"), "cust": ("customer",), "bp": ("blood pressure", "bp"),
    "sys": ("systolic",), "resp": ("response",), "addr": ("address",), "num": ("number",), "pop": ("population",),
    "dep": ("departure",), "arr": ("arrival",), "dest": ("destination",), "orig": ("origin",), "est": ("estimated",),
    "acct": ("account",), "bal": ("balance",), "org": ("organisation",), "mfr": ("manufacturer",), "ref": ("reference",),
    "avg": ("average",), "desc": ("description",), "lat": ("latitude",), "lon": ("longitude",),
    "humid": ("humidity",), "hum": ("humidity",), "pres": ("pressure",), "prec": ("precipitation",),
    "wt": ("weight",), "ht": ("height",), "emp": ("employee",), "mgr": ("manager",), "yr": ("year",),
    "rev": ("revenue",), "cnt": ("count",), "loc": ("location",), "prod": ("product",), "cty": ("country",),
    "vol": ("volume",), "spd": ("speed",), "maths": ("maths", "math"), "sci": ("science",), "eng": ("english",),
}  # fmt: skip
"""Short words in column names, written out."""

ENDINGS = _words(
    "済み, 済, 名, 数, 日, 年, 月, 時間, 率, 額, 量, 地, 形態, 頻度, 度, 日時, 時刻, 金額, 者, 先, 別, 点, 費, 値"
)
"""Endings of Japanese column names that people leave out."""

VALUE_ENDINGS = _words("都, 府, 県, 市, 区, 町, 村, 支店, 本店, 店, 部, 課, 倉庫, 支社, 校, 駅")
"""Endings of Japanese cell values that people leave out."""

UNITS: dict[str, tuple[str, ...]] = {
    "second": _words("s, sec, secs, second, seconds, 秒"),
    "minute": _words("min, mins, minute, minutes, 分, 分間"),
    "hour": _words("h, hr, hrs, hour, hours, 時間"),
    "day": _words("days, 日間"),
    "metre": _words("m, metre, metres, meter, meters, メートル"),
    "metre per second": _words("m/s, メートル毎秒"),
    "ten thousand yen": _words("万円"),
    "ppm": _words("ppm"),
    "millimetre": _words("mm, ミリ"),
    "mmhg": _words("mmhg"),
    "night": _words("nights, 泊"),
    "kilometre": _words("km, kilometre, kilometres, kilometer, kilometers, キロメートル"),
    "centimetre": _words("cm, センチ"),
    "gram": _words("g, grams, グラム"),
    "kilogram": _words("kg, kgs, kilo, kilos, kilograms, キログラム"),
    "celsius": _words("°c, ℃, c, celsius, degrees, degree, 度"),
    "percent": _words("percent"),
    "year": _words("years, years old, year old, 歳, 才"),
    "yen": _words("円, jpy, yen, ¥"),
    "dollar": _words("$, usd, dollars, dollar, ドル"),
    "euro": _words("€, eur, euros, euro, ユーロ"),
    "pound": _words("£, gbp, pounds, ポンド"),
    "lux": _words("lx, lux, ルクス"),
}

UNIT_CONCEPTS: dict[str, str] = {
    "second": "duration", "minute": "duration", "hour": "duration", "kilometre": "distance", "kilogram": "weight",
    "celsius": "temperature", "year": "age", "lux": "brightness",
}  # fmt: skip
"""What a number in that unit measures: `20 min` speaks of a duration."""

ADJECTIVES: dict[str, tuple[str, ...]] = {
    "age": _words("old, older, oldest, young, younger, youngest, 年上, 年下, 若い, 高齢"),
    "duration": _words(
        "long, longer, longest, short, shorter, shortest, "
        "quick, quicker, quickest, fast, faster, fastest, slow, slower, slowest, 長い, 短い"
    ),
    "temperature": _words(
        "hot, hotter, hottest, warm, warmer, warmest, cold, colder, coldest, cool, cooler, coolest, 暑い, 寒い, "
        "暖かい, 涼しい, 熱い"
    ),
    "brightness": _words("bright, brighter, brightest, dark, darker, darkest, 明るい, 暗い"),
    "humidity": _words("humid, dry, drier, driest, 乾燥し"),
    "price": _words(
        "expensive, most expensive, priciest, least expensive, cheap, cheaper, cheapest, 高価な, 安い"
    ),
    "weight": _words("heavy, heavier, heaviest, 重い, 軽い"),
    "height": _words("tall, taller, tallest, 背の高い"),
    "distance": _words("far, farther, farthest, 遠い, 近い"),
}
"""Adjectives that name what they measure."""

LOW_ADJECTIVES = frozenset(
    _words(
        "young, younger, youngest, short, shorter, shortest, cold, colder, coldest, cool, cooler, coolest, dark, "
        "darker, darkest, dry, drier, driest, "
        "quick, quicker, quickest, fast, faster, fastest, cheap, cheaper, cheapest, "
        "年下, 若い, 短い, 寒い, 涼しい, 暗い, 乾燥し, "
        "安い, 軽い, 近い"
    )
)
"""Those of them that look down the scale."""

ADDITIVE = frozenset(
    ("sales", "amount", "quantity", "cost", "profit", "yield", "rainfall", "stock", "population", "power")
)
"""Concepts one adds up rather than averages when a request does not say which."""

COUNTED_PEOPLE = ("survivor", "survivors", "生存者", "生存者数")
"""Words for those of whom a yes/no column says yes: `survivors by sex` counts them, `survival by sex` is a rate."""
