"""Make `measurement.csv`: four weeks of invented readings from a sensor in each room of floor 1F.

Run `python scripts/make_measurement.py [FOLDER]`. Every 30 minutes each room reports brightness (lx),
relative humidity (%), the heating setpoint (°C) and the temperature (°C). What drives them, in this order:

- the sky: daylight between sunrise and sunset, dimmed by a cloud cover that wanders from day to day;
- the weather outside: a daily wave on a slow autumn cooling, warmer under a clear sky by day;
- the people: each room has hours when it is used, other ones at the weekend, never exactly the same;
- the setpoint: a comfort and a setback value by the room's timetable;
- the room: its temperature drifts to the weather, is heated towards the setpoint, warmed by people and sun;
  its humidity follows the season and jumps with showers and cooking, then airs out.

The seed is fixed, so the file comes out the same every time.
"""

import csv
import io
import math
import random
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

SEED = 20251006
BUNDLED = Path(__file__).parents[1] / "backend" / "data" / "datasets"
START = datetime(2025, 10, 6)
DAYS = 28
STEP = timedelta(minutes=30)
COLUMNS = ["Brightness", "Humidity", "SetpointHistory", "Temperature", "roomname", "date"]
Span = tuple[float, float]


@dataclass(frozen=True)
class Room:
    """How a room behaves: hours in use on working days and weekends, setpoints, light and moisture."""

    name: str
    workday: tuple[Span, ...]
    weekend: tuple[Span, ...]
    comfort: float
    setback: float
    window: float
    """Lux that a clear noon brings in."""
    lamp: float
    """Lux of the lamps when someone is there and it is dark."""
    damp: float
    """Percent of humidity that half an hour of use adds."""
    warmth: float
    """Degrees that half an hour of use adds: people, screens, the stove."""


ROOMS = (
    Room("Room1", ((6.5, 8), (18, 23)), ((8, 10.5), (14, 23.5)), 21.5, 18.0, 620, 210, 0.5, 0.14),
    Room("Room2", ((8.5, 12), (13, 17.5)), ((10, 12),), 21.0, 17.5, 540, 330, 0.4, 0.20),
    Room("Bathroom", ((6.5, 7.5), (21, 22.5)), ((8, 9.5), (20, 22.5)), 23.5, 19.0, 120, 260, 9.0, 0.25),
    Room(
        "Kitchen",
        ((7, 8), (12, 13), (18, 20)),
        ((8.5, 10), (12, 13.5), (17.5, 20)),
        20.5,
        17.0,
        480,
        380,
        3.2,
        0.45,
    ),
    Room("Toilet", ((6.5, 8.5), (12, 13.5), (18, 23)), ((8, 23),), 19.5, 17.0, 60, 150, 0.8, 0.05),
)


@dataclass
class State:
    """What a room carries from one reading to the next."""

    temperature: float
    extra_damp: float = 0.0


class Weather:
    """Sky and air outside; one cloud cover per day, between 0 (clear) and 1."""

    def __init__(self, luck: random.Random) -> None:
        self.clouds: list[float] = []
        cover = 0.4
        for _ in range(DAYS):
            cover = min(0.95, max(0.05, cover + (luck.random() - 0.48) * 0.7))
            self.clouds.append(cover)

    def daylight(self, day: int, hour: float) -> float:
        """Share of a clear noon's light, 0 to 1; the days grow shorter."""
        sunrise, sunset = 5.7 + day * 0.014, 17.35 - day * 0.022
        if not sunrise < hour < sunset:
            return 0.0
        height = math.sin(math.pi * (hour - sunrise) / (sunset - sunrise))
        return height * (1 - 0.75 * self.clouds[day])

    def outside(self, day: int, hour: float) -> float:
        """Air temperature in °C."""
        swing = 5.0 - 3.0 * self.clouds[day]
        return 19.0 - 0.22 * day - 1.5 * self.clouds[day] + swing * math.sin(2 * math.pi * (hour - 9) / 24)


def noise(luck: random.Random, width: float) -> float:
    """A small error around 0, at most `width` either way, mostly less."""
    return (luck.random() + luck.random() + luck.random() - 1.5) / 1.5 * width


def within(spans: tuple[Span, ...], hour: float) -> bool:
    return any(start <= hour < end for start, end in spans)


def reading(room: Room, state: State, weather: Weather, at: datetime, luck: random.Random) -> list[object]:
    """One row of the file; moves the room's state on by half an hour."""
    day, hour = (at - START).days, at.hour + at.minute / 60
    hours = room.weekend if at.weekday() >= 5 else room.workday
    used = within(hours, hour) and luck.random() < 0.88
    setpoint = (
        room.comfort if within(tuple((start - 0.5, end) for start, end in hours), hour) else room.setback
    )
    light, outside = weather.daylight(day, hour), weather.outside(day, hour)
    heating = min(0.9, max(0.0, 0.45 * (setpoint - state.temperature)))
    state.temperature += (
        0.022 * (outside - state.temperature) + heating + room.warmth * used + 0.0003 * room.window * light
    )
    state.extra_damp = 0.72 * state.extra_damp + room.damp * used * (0.6 + 0.8 * luck.random())
    humidity = 47 + 9 * (weather.clouds[day] - 0.4) - 0.9 * (state.temperature - 20) + state.extra_damp
    lamp = room.lamp * used if light * room.window < 0.7 * room.lamp else 0
    brightness = room.window * light * (0.9 + 0.2 * luck.random()) + lamp * (0.95 + 0.1 * luck.random())
    return [
        f"{max(0.0, brightness + 0.4 + noise(luck, 0.4)):.1f}",
        f"{min(97.0, max(25.0, humidity + noise(luck, 1.2))):.1f}",
        f"{setpoint:.1f}",
        f"{state.temperature + noise(luck, 0.15):.2f}",
        room.name,
        at.strftime("%Y-%m-%d %H:%M:%S"),
    ]


def text() -> str:
    """The whole file: by time, then by room."""
    luck = random.Random(SEED)
    weather = Weather(luck)
    states = {room: State(room.setback + 1) for room in ROOMS}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for step in range(DAYS * 48):
        for room in ROOMS:
            writer.writerow(reading(room, states[room], weather, START + step * STEP, luck))
    return out.getvalue()


def main(folder: Path) -> None:
    """Write `measurement.csv` into the folder."""
    (folder / "measurement.csv").write_text(text(), encoding="utf-8", newline="")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else BUNDLED)
