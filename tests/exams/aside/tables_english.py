"""The six tables with English headers: a museum, a vet, coffee lots, a garage, donations, films."""

from datetime import datetime, timedelta
from random import Random

from tests.exams.tables.text import (
    csv_text,
    day_month_name,
    maybe,
    slashes,
)


def museum_visitors() -> str:
    """60 groups at three branches: fees with a pound sign, ratings often blank."""
    r, rows = Random(901), list[list[object]]()
    fees = {"adult": 14.5, "child": 6.0, "concession": 9.5, "member": 0.0}
    for number in range(60):
        day = datetime(2024, 1, 6) + timedelta(days=3 * number)
        kind = r.choice(["adult", "adult", "child", "concession", "member"])
        people = r.randint(1, 6)
        rows.append([
            day.strftime("%Y-%m-%d"), r.choice(["City Gallery", "Maritime", "Science Hall"]), kind, people,
            f"£{fees[kind] * people:,.2f}", r.randint(25, 190), r.choice("YNN"),
            r.choice(["UK", "UK", "France", "Japan", "USA"]), maybe(r, 0.2, r.randint(1, 5)),
        ])  # fmt: skip
    header = ["Visit Date", "museum_branch", "TicketType", "party size", "entry_fee", "dwell_time_min",
              "audio guide?", "Country", "rating (1-5)"]  # fmt: skip
    return csv_text(header, rows)


def vet_visits() -> str:
    """48 visits of pets: bills with commas, dates like 03 May 2024, weights missing now and then."""
    r, rows = Random(902), list[list[object]]()
    usual = {"dog": 22.0, "cat": 4.6, "rabbit": 2.1}
    bills = {"vaccination": 60, "dental": 310, "surgery": 1150, "checkup": 45}
    for number in range(48):
        species = r.choice(["dog", "dog", "cat", "cat", "rabbit"])
        treatment = r.choice(["vaccination", "dental", "surgery", "checkup", "checkup"])
        day = datetime(2023, 11, 2) + timedelta(days=5 * number + r.randint(0, 3))
        rows.append([
            f"P{201 + number}", species, maybe(r, 0.1, round(usual[species] * r.uniform(0.6, 1.5), 1)),
            r.randint(1, 15), day_month_name(day), treatment, r.choice(["Dr. Osei", "Dr. Lind", "Dr. Marsh"]),
            f"{bills[treatment] * r.uniform(0.8, 1.4):,.2f}", r.choice(["yes", "no", "no"]),
        ])  # fmt: skip
    header = [
        "PetID",
        "species",
        "weight_kg",
        "age_yrs",
        "VisitDate",
        "treatment",
        "vet",
        "bill_usd",
        "insured",
    ]
    return csv_text(header, rows)


def coffee_tastings() -> str:
    """36 lots: scores that rise with altitude, three processes, prices in dollars a kilogram."""
    r, rows = Random(903), list[list[object]]()
    for number in range(36):
        height = 10 * r.randint(95, 215)
        score = round(78 + (height - 950) / 140 + r.gauss(0, 1.6), 2)
        price = round(4 + (score - 76) * 0.9 + r.uniform(-1, 1), 2) + (31 if number == 17 else 0)
        rows.append([
            f"L-{number + 1:03d}", r.choice(["Ethiopia", "Colombia", "Kenya", "Guatemala"]),
            r.choice(["washed", "natural", "honey"]), height, score, round(r.uniform(5.5, 9.0), 1),
            maybe(r, 0.15, round(r.uniform(5.0, 9.0), 1)), price,
            slashes(datetime(2024, 2, 1) + timedelta(days=4 * number)).split()[0], r.choice(["Y", "N"]),
        ])  # fmt: skip
    header = ["lot_id", "Origin", "process", "altitude (m)", "cuppingScore", "acidity", "sweetness",
              "price per kg (USD)", "roast_date", "organic"]  # fmt: skip
    return csv_text(header, rows)


def parking_garage() -> str:
    """84 stays in one fortnight: levels, minutes of entry, how people paid."""
    r, rows = Random(904), list[list[object]]()
    start = datetime(2024, 5, 6, 6, 30)
    for number in range(84):
        at = start + timedelta(days=number // 6, minutes=160 * (number % 6) + r.randint(0, 150))
        kind = r.choice(["car", "car", "car", "van", "motorbike"])
        hours = round(r.uniform(0.3, 9.5), 1)
        rate = {"car": 2.4, "van": 3.6, "motorbike": 1.2}[kind]
        rows.append([
            f"{r.choice('ABCDEFG')}{r.choice('KLMNPRS')}-{r.randint(100, 999)}", r.choice(["B1", "B2", "L1", "L2"]),
            at.strftime("%Y-%m-%d %H:%M"), hours, round(hours * rate, 2),
            maybe(r, 0.08, r.choice(["card", "card", "cash", "app"])), r.choice(["TRUE", "FALSE", "FALSE"]), kind,
        ])  # fmt: skip
    header = ["plate_no", "lvl", "entry_time", "stay_hrs", "fee_eur", "payMethod", "isEV", "vehicle type"]
    return csv_text(header, rows)


def donations() -> str:
    """100 gifts over fourteen months: amounts as text, channels, campaigns without a name."""
    r, rows = Random(905), list[list[object]]()
    usual = {"individual": 60, "corporate": 900, "foundation": 2400}
    for number in range(100):
        giver = r.choice(["individual"] * 4 + ["corporate", "foundation"])
        day = datetime(2023, 3, 4) + timedelta(days=int(4.2 * number))
        rows.append([
            1000 + number, day.strftime("%Y/%m/%d"), giver, f"{usual[giver] * r.uniform(0.3, 2.2):,.0f}",
            maybe(r, 0.12, r.choice(["Clean Water", "School Meals", "Winter Shelter"])),
            r.choice(["web", "web", "mail", "gala", "phone"]), r.choice(["yes", "no"]), r.choice(["yes", "no", "no"]),
        ])  # fmt: skip
    header = ["donation id", "Received On", "donorType", "amount [$]", "Campaign", "channel", "gift_aid",
              "first-time donor"]  # fmt: skip
    return csv_text(header, rows)


def film_ratings() -> str:
    """40 films: an integer year, box office in millions, critics' scores in percent as text."""
    r, rows = Random(906), list[list[object]]()
    words = ["Amber", "Broken", "Crimson", "Distant", "Electric", "Frozen", "Golden", "Hollow"]
    things = ["Harbor", "Letters", "Mirror", "Orchard", "Signal"]
    for number in range(40):
        budget = round(r.uniform(3, 120), 1)
        rows.append([
            f"{words[number % 8]} {things[number // 8]}", 2015 + r.randint(0, 8),
            r.choice(["drama", "comedy", "thriller", "animation"]), r.choice(["Ito", "Novak", "Silva", "Bauer"]),
            r.randint(82, 171), budget, maybe(r, 0.1, round(budget * r.uniform(0.5, 3.6), 1)),
            f"{r.randint(31, 98)}%", round(r.uniform(4.1, 9.2), 1), r.choice(["PG", "12", "15", "18"]),
        ])  # fmt: skip
    header = ["Title", "year", "genre", "Director", "runtime_mins", "budget_musd", "BoxOffice (M$)",
              "critic score", "audience_score", "age_rating"]  # fmt: skip
    return csv_text(header, rows)
