"""Tables with English headers: shop, clinic, bikes, sensors, hotel, support, school. Each is text from a seed of its own."""

from datetime import datetime, timedelta
from random import Random

from tests.exams.tables.text import (
    csv_text,
    day_month_name,
    maybe,
    slashes,
)

NAMES = (
    "Ada Moor",
    "Ben Okafor",
    "Carla Ruiz",
    "Dev Patel",
    "Ella Strand",
    "Finn Novak",
    "Gita Rao",
    "Hugo Lind",
)


def shop_orders() -> str:
    """240 orders; prices and discounts are text."""
    random = Random(101)
    prices = {"Books": 14.5, "Garden": 38.0, "Toys": 22.25, "Kitchenware": 31.9, "Electronics": 189.0}
    rows: list[list[object]] = []
    for number in range(240):
        day = datetime(2024, 1, 4) + timedelta(hours=random.randrange(180 * 24), minutes=random.randrange(60))
        category = random.choices(list(prices), [5, 3, 4, 3, 2])[0]
        price = round(prices[category] * random.uniform(0.6, 1.9), 2)
        quantity = random.choices([1, 2, 3, 4, 12], [10, 6, 4, 2, 1])[0]
        discount = maybe(random, 0.55, f"{random.choice([5, 10, 15, 20])}%")
        status = random.choices(["completed", "cancelled", "returned", "pending"], [14, 4, 2, 2])[0]
        rows.append([
            f"SO-{10001 + number}", slashes(day), random.choice(NAMES), category, f"${price:.2f}", quantity,
            f"{price * quantity:,.2f}", random.choice(["card", "PayPal", "bank transfer", "gift card"]), status,
            discount, random.choice(["yes", "no", "no"]),
        ])  # fmt: skip
    header = (
        "Order ID,order_date,Customer Name,Product Category,Unit Price (USD),Qty,Total ($),Payment_Method"
    )
    return csv_text([*header.split(","), "Status", "Discount %", "Gift?"], rows)


def clinic_visits() -> str:
    """180 visits; dates such as 03 May 2024."""
    random = Random(102)
    rows: list[list[object]] = []
    for number in range(180):
        day = datetime(2024, 2, 1) + timedelta(days=random.randrange(150))
        age = random.choices(
            [random.randrange(1, 16), random.randrange(16, 65), random.randrange(65, 92)], [2, 5, 3]
        )[0]
        group = "child" if age < 16 else "adult" if age < 65 else "senior"
        department = random.choice(["Cardiology", "Dermatology", "ENT", "Orthopaedics", "Paediatrics"])
        wait = round(random.gammavariate(3, 9) + (8 if department == "Cardiology" else 0))
        rows.append([
            number + 1, day_month_name(day), age, group, random.choice("FM"), department, maybe(random, 0.06, wait),
            maybe(random, 0.1, round(105 + age * 0.4 + random.gauss(0, 9))), round(random.gauss(36.9, 0.6), 1),
            random.choices(["Y", "N"], [4, 1])[0], random.choices(["discharged", "follow-up", "admitted"], [6, 4, 1])[0],
        ])  # fmt: skip
    header = (
        "visit no.,Visit Date,patient_age,Age Group,sex,Dept.,wait time [min],BP sys (mmHg),body temp (°C)"
    )
    return csv_text([*header.split(","), "insured", "OUTCOME"], rows)


def bike_rides() -> str:
    """320 rides; some distances are blank."""
    random = Random(103)
    stations = ["Harbour", "Mill Lane", "Old Bridge", "Town Hall", "Uni North", "Zoo"]
    rows: list[list[object]] = []
    for number in range(320):
        start = datetime(2024, 4, 1) + timedelta(minutes=random.randrange(91 * 24 * 60))
        rider = random.choices(["member", "casual", "tourist"], [6, 3, 1])[0]
        minutes = round(random.gammavariate(3, {"member": 4, "casual": 8, "tourist": 13}[rider])) + 2
        rows.append([
            7000 + number, f"{start:%Y-%m-%d %H:%M}", random.choices(stations, [6, 4, 4, 3, 2, 1])[0],
            random.choice(stations), rider, minutes, maybe(random, 0.07, round(minutes * random.uniform(0.14, 0.25), 1)),
            random.choices(["yes", "no", None], [5, 5, 1])[0],
        ])  # fmt: skip
    return csv_text(
        ["ride_id", "started at", "start stn", "end stn", "rider type", "dur_min", "dist km", "Helmet"], rows
    )


def room_sensors() -> str:
    """288 readings in four rooms of the bundled building, every three hours for nine days."""
    random = Random(104)
    rows: list[list[object]] = []
    for step in range(72):
        at = datetime(2024, 6, 3) + timedelta(hours=3 * step)
        for place, room in enumerate(("Room1", "Room2", "Kitchen", "Bathroom")):
            warm = 3.0 if 9 <= at.hour <= 18 else 0.0
            temperature = round(19.5 + 1.2 * place + warm + random.gauss(0, 0.7), 1)
            co2 = round(430 + 25 * place + 40 * warm + random.gauss(0, 30))
            if step % 24 == 13 and room == "Kitchen":
                co2 += 900
            rows.append([
                f"{at:%Y-%m-%d %H:%M:%S}", room, maybe(random, 0.04, temperature),
                round(44 + 4 * place - warm + random.gauss(0, 2)), co2,
                round(max(0.0, warm * 110 + random.gauss(20, 15)), 1), random.choice(["open", "closed", "closed"]),
            ])  # fmt: skip
    return csv_text(["timestamp", "room", "temp_C", "Humidity (%)", "CO2 [ppm]", "lux", "WINDOW"], rows)


def hotel_bookings() -> str:
    """200 bookings; the year stands alone in a column of whole numbers."""
    random = Random(105)
    rows: list[list[object]] = []
    for _number in range(200):
        day = datetime(2022, 1, 5) + timedelta(days=random.randrange(3 * 365 - 20))
        kind = random.choices(["single", "double", "suite", "family"], [4, 6, 1, 2])[0]
        rate = {"single": 79, "double": 112, "suite": 260, "family": 149}[kind] + random.randrange(-15, 40)
        rows.append([
            f"BK{random.randrange(36**4):06d}", day.strftime("%d/%m/%Y"), day.year,
            random.choices([1, 2, 3, 4, 7, 10], [3, 6, 5, 2, 2, 1])[0], kind, random.choice([1, 2, 2, 2, 3]),
            random.choices([0, 1, 2], [7, 2, 1])[0], f"€{rate}",
            maybe(random, 0.08, random.choice(["Germany", "France", "Japan", "UK", "Italy"])),
            random.choice(["TRUE", "FALSE"]), random.choices([0, 1], [4, 1])[0], maybe(random, 0.3, random.randrange(4, 11)),
        ])  # fmt: skip
    header = "Booking Ref,check-in,year,nights,room_type,adults,kids,Rate per Night,Country,breakfast"
    return csv_text([*header.split(","), "is_cancelled", "guest rating (0-10)"], rows)


def support_tickets() -> str:
    """150 tickets; times in hours, satisfaction from 1 to 5 with blanks."""
    random = Random(106)
    rows: list[list[object]] = []
    for number in range(150):
        opened = datetime(2023, 9, 1, 8) + timedelta(minutes=random.randrange(240 * 24 * 60))
        priority = random.choices(["low", "normal", "high", "urgent"], [3, 6, 3, 1])[0]
        first = round(random.gammavariate(2, {"low": 6, "normal": 4, "high": 2, "urgent": 0.6}[priority]), 2)
        rows.append([
            f"#{4200 + number}", f"{opened:%Y-%m-%dT%H:%M}", priority, random.choice(["email", "chat", "phone"]),
            random.choice(["Aiko", "Bruno", "Chloe", "Dmitri"]), first,
            maybe(random, 0.12, round(first + random.gammavariate(2, 14), 1)),
            maybe(random, 0.35, random.choices([1, 2, 3, 4, 5], [1, 1, 3, 6, 5])[0]), random.choices(["yes", "no"], [1, 5])[0],
        ])  # fmt: skip
    header = "Ticket #,Opened,Priority,CHANNEL,Agent,first response (hrs),resolution_hrs,CSAT,reopened?"
    return csv_text(header.split(","), rows)


def school_marks() -> str:
    """120 pupils; absences and marks, one blank now and then."""
    random = Random(107)
    rows: list[list[object]] = []
    for number in range(120):
        gift = random.gauss(0, 9)
        marks = [max(5, min(100, round(base + gift + random.gauss(0, 9)))) for base in (61, 66, 64)]
        rows.append([
            f"P{number + 1:03d}", random.choice(["7A", "7B", "8A", "8B"]), random.choice(["girl", "boy"]),
            random.choice([2022, 2023, 2024]),
            maybe(random, 0.05, marks[0]), marks[1], maybe(random, 0.03, marks[2]), round(random.expovariate(0.25)),
            random.choice(["Falcon", "Heron", "Swift"]), random.choice(["yes", "no", "no"]),
        ])  # fmt: skip
    header = "pupil id,class,gender,School Year,maths,english_score,Science Mark (/100),days_absent,house,free lunch"
    return csv_text(header.split(","), rows)
