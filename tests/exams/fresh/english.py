"""Tables with English headers: homes for sale, staff pay, flights, energy meters. Each is text from a seed of its own."""

from datetime import datetime, timedelta
from random import Random

from tests.exams.tables.text import MONTHS, csv_text, maybe


def home_listings() -> str:
    """160 homes; prices are text such as £325,000, the year of building a whole number."""
    random = Random(211)
    areas = {"Ashgrove": 2600, "Brook End": 3100, "Castle Hill": 4400, "Docklands": 3900, "Elmfield": 2200}
    rows: list[list[object]] = []
    for number in range(160):
        day = datetime(2024, 1, 3) + timedelta(days=random.randrange(270))
        area = random.choices(list(areas), [5, 4, 3, 4, 2])[0]
        kind = random.choices(["flat", "terraced", "semi-detached", "detached", "bungalow"], [6, 4, 4, 2, 1])[
            0
        ]
        beds = {"flat": 1, "terraced": 2, "semi-detached": 3, "detached": 4, "bungalow": 2}[
            kind
        ] + random.randrange(2)
        size = round(28 + 24 * beds + random.gauss(0, 8))
        price = round(areas[area] * size * random.uniform(0.85, 1.2) / 500) * 500
        rows.append([
            f"HL{3300 + number}", day.strftime("%d/%m/%Y"), area, kind, f"£{price:,}", beds, random.choice([1, 1, 2, 3]),
            maybe(random, 0.06, size), random.randrange(1890, 2023), random.choices("ABCDE", [1, 4, 6, 4, 1])[0],
            "no" if kind == "flat" else random.choices(["yes", "no"], [4, 1])[0], random.randrange(3, 190),
            random.choices(["sold", "for sale", "under offer", "withdrawn"], [6, 5, 3, 1])[0],
            maybe(random, 0.1, random.choice(["Foxton & Ray", "Harper Homes", "Keystone", "Lund Estates"])),
        ])  # fmt: skip
    header = "listing_id,Listed On,Neighbourhood,property type,Asking Price,Bedrooms,bath_rooms,Floor Area [sqm],Year Built"
    return csv_text(
        [*header.split(","), "energy rating", "Garden?", "days_on_market", "STATUS", "Estate Agent"], rows
    )


def payroll() -> str:
    """130 people; dates such as 03-May-2019, bonuses as 12%."""
    random = Random(212)
    firsts = (
        "Amir",
        "Beth",
        "Chen",
        "Dora",
        "Emil",
        "Farah",
        "Greg",
        "Hana",
        "Igor",
        "Joy",
        "Kofi",
        "Lena",
        "Mia",
    )
    lasts = ("Adams", "Bose", "Cruz", "Diaz", "Evans", "Fox", "Gupta", "Hall", "Ito", "Jung")
    base = {
        "Engineering": 82000,
        "Sales": 61000,
        "Marketing": 58000,
        "Finance": 69000,
        "HR": 54000,
        "Legal": 88000,
    }
    rows: list[list[object]] = []
    for number in range(130):
        day = datetime(2012, 3, 1) + timedelta(days=random.randrange(4600))
        team = random.choices(list(base), [7, 5, 3, 3, 2, 1])[0]
        contract = random.choices(["full-time", "part-time", "contractor"], [7, 2, 1])[0]
        years = (datetime(2024, 12, 31) - day).days / 365
        pay = round(base[team] * random.uniform(0.8, 1.15) + 1300 * years)
        rows.append([
            1001 + number, f"{firsts[number % 13]} {lasts[number // 13]}", random.choice("FM"),
            22 + round(years) + random.randrange(25),
            team, f"{day.day:02d}-{MONTHS[day.month - 1]}-{day.year}", contract, f"{pay:,}",
            maybe(random, 0.3, f"{random.choice([3, 5, 8, 10, 12])}%"),
            38 if contract == "full-time" else random.choice([16, 20, 24, 30]),
            round(random.expovariate(0.2), 1), maybe(random, 0.08, random.choices([1, 2, 3, 4, 5], [1, 2, 6, 5, 2])[0]),
            random.choices(["Berlin", "Lisbon", "Osaka", "Toronto"], [4, 3, 2, 3])[0], random.choices(["Y", "N"], [2, 3])[0],
            round(random.expovariate(0.25)), random.choices(["active", "on leave", "left"], [9, 1, 2])[0],
        ])  # fmt: skip
    header = "Emp #,Full Name,Gender,age,DEPT,hire_date,contract type,Base Salary (USD),Bonus,Weekly Hrs,Overtime (hrs/month)"
    return csv_text([*header.split(","), "review_score", "Office", "Remote", "sick days", "Emp Status"], rows)


def flights() -> str:
    """280 departures in four months; the share of seats taken is text, delays are sometimes negative."""
    random = Random(213)
    lines = {"Nordwind": "NW", "Skyline": "SK", "BlueJet": "BJ", "Pacifica": "PA"}
    far = {"AMS": 230, "BCN": 710, "CDG": 216, "DUB": 280, "FCO": 892, "IST": 1560}
    rows: list[list[object]] = []
    for _number in range(280):
        at = datetime(2023, 5, 1, 6) + timedelta(
            days=random.randrange(123), minutes=5 * random.randrange(192)
        )
        line = random.choices(list(lines), [6, 5, 4, 2])[0]
        to = random.choice(list(far))
        seats = random.choice([78, 132, 186, 220])
        cancelled = random.random() < 0.06
        late = round(
            random.gammavariate(1.2, {"Nordwind": 11, "Skyline": 17, "BlueJet": 25, "Pacifica": 14}[line]) - 6
        )
        taken = random.randrange(round(seats * 0.45), seats + 1)
        why = random.choice(["weather", "crew", "technical", "air traffic", "late aircraft"])
        rows.append([
            f"{lines[line]}{random.randrange(100, 999)}", line, random.choice(["LHR", "LGW", "STN"]), to,
            f"{at:%Y-%m-%d %H:%M}",
            None if cancelled else late, why if late > 15 and not cancelled else None, far[to] + random.randrange(-6, 7),
            {78: "E175", 132: "A319", 186: "B738", 220: "A321"}[seats], seats, None if cancelled else taken,
            None if cancelled else f"{100 * taken / seats:.0f}%", "Y" if cancelled else "N",
            f"${random.randrange(39, 320)}.{random.choice(['00', '50', '99'])}",
            random.choice(["domestic crew", "intl crew"]), random.choice(["T1", "T2", "T3"]),
        ])  # fmt: skip
    header = "Flight No.,AIRLINE,origin,Dest,sched_departure,Delay (min),delay reason,distance_mi,Aircraft"
    return csv_text(
        [*header.split(","), "seats", "pax", "Load Factor", "Cancelled", "avg fare", "crew_base", "Terminal"],
        rows,
    )


def energy_meters() -> str:
    """300 readings, six a day for ten days in each of five buildings; costs are text with a euro sign."""
    random = Random(214)
    size = {"Library": 42.0, "Sports Hall": 61.0, "Main Office": 55.0, "Dormitory": 38.0, "Laboratory": 88.0}
    rows: list[list[object]] = []
    for step in range(60):
        at = datetime(2024, 11, 11) + timedelta(hours=4 * step)
        outside = 6.5 - step / 20 + (4.0 if 8 <= at.hour <= 16 else 0.0) + random.gauss(0, 1.4)
        for place, (name, usual) in enumerate(size.items()):
            busy = 1.5 if 8 <= at.hour <= 18 and at.weekday() < 5 else 0.7
            use = usual * busy * random.uniform(0.85, 1.15) - 1.1 * outside
            if step in (17, 41) and name == "Laboratory":
                use += 240
            tariff = "off-peak" if at.hour < 7 or at.hour >= 20 else "peak"
            rows.append([
                f"MTR-{place + 1:02d}", name, f"{at.month}/{at.day}/{at.year} {at.hour:02d}:00",
            maybe(random, 0.05, round(use, 1)),
                round(use / 4 * random.uniform(1.1, 1.6), 1), f"€{use * (0.31 if tariff == 'peak' else 0.19):.2f}", tariff,
                round(outside, 1), maybe(random, 0.08, round(use * random.uniform(0.2, 0.3), 2)),
            random.choices(["actual", "estimated"], [8, 1])[0],
                random.choices([0, 1], [12, 1])[0],
            ])  # fmt: skip
    header = (
        "meter,Building Name,reading_time,Energy Use [kWh],peak_load_kW,Cost,TARIFF,Outdoor Temp (C),CO2e kg"
    )
    return csv_text([*header.split(","), "Reading Type", "alarm"], rows)
