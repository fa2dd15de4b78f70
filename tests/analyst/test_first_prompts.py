"""The prompts of the first protocol and its origin, in both languages, asked of a real desk: server, sandbox, real tools.

All prompts of a language are asked in one chat, one after the other, as a person would.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from smoldesk.tools.datasets import Datasets
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.ws_client import Message, WsClient, of_type

TITANIC = pd.read_csv(Datasets.bundled().path("titanic"))
LANGUAGES = pytest.mark.parametrize("language", ["en", "ja"])


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("prompts"), max_children=2) as live:
        yield live


@pytest.fixture(scope="module")
def talks(live: LiveDesk) -> Iterator[dict[str, WsClient]]:
    with WsClient(live.ws_url) as english, WsClient(live.ws_url) as japanese:
        english.hello()
        japanese.hello()
        yield {"en": english, "ja": japanese}


class Asker:
    """Asks a prompt in one of the two talks; what came back must have ended well."""

    def __init__(self, talks: dict[str, WsClient]) -> None:
        self._talks = talks

    def __call__(self, language: str, english: str, japanese: str) -> "Answered":
        client = self._talks[language]
        client.say(english if language == "en" else japanese)
        messages = client.until_closed()
        assert messages[-1]["content"]["state"] == "finished", messages[-1]
        assert not of_type(messages, "error")
        return Answered(messages)


class Answered:
    """The messages of one run."""

    def __init__(self, messages: list[Message]) -> None:
        self._messages = messages

    @property
    def text(self) -> str:
        (text,) = of_type(self._messages, "text")
        return str(text["content"])

    @property
    def code(self) -> str:
        return "\n".join(str(code["content"]) for code in of_type(self._messages, "code"))

    def contents(self, kind: str) -> list[Any]:
        return [message["content"] for message in of_type(self._messages, kind)]

    @property
    def map(self) -> dict[str, Any]:
        (drawn,) = self.contents("map")
        return drawn

    def charts(self) -> list[Message]:
        return of_type(self._messages, "chart")


@pytest.fixture
def ask(talks: dict[str, WsClient]) -> Asker:
    return Asker(talks)


@LANGUAGES
def test_a_heatmap_of_titanic_shows_its_strongest_correlation(ask: Asker, language: str) -> None:
    answered = ask(
        language,
        "Show a correlation heatmap of the Titanic dataset",
        "タイタニックの相関ヒートマップを表示して",
    )
    assert len(answered.charts()) == 1
    assert (
        "sibsp / alone" in answered.text and f"{TITANIC['sibsp'].corr(TITANIC['alone']):.3f}" in answered.text
    )
    (table,) = answered.contents("table")
    assert table["rowCount"] == 8


@LANGUAGES
def test_a_heatmap_of_measurement(ask: Asker, language: str) -> None:
    answered = ask(
        language, "Show a correlation heatmap of measurement", "measurementの相関ヒートマップを見せて"
    )
    assert len(answered.charts()) == 1
    assert answered.contents("table")[0]["rowCount"] == 4


@LANGUAGES
def test_a_sine_wave_is_an_image(ask: Asker, language: str) -> None:
    answered = ask(language, "Plot a sine wave", "サイン波をプロット")
    assert len(answered.charts()) == 1
    assert "np.sin(x)" in answered.code
    assert ("Sine wave" if language == "en" else "サイン波") in answered.text


@LANGUAGES
def test_random_data_is_scattered_from_a_seed_that_is_said(ask: Asker, language: str) -> None:
    answered = ask(language, "Create a scatter plot of random data", "ランダムなデータの散布図を作成して")
    assert len(answered.charts()) == 1
    seed = answered.code.split("default_rng(")[1].split(")")[0]
    assert (f"(seed {seed})" if language == "en" else f"乱数シード：{seed}") in answered.text


@pytest.mark.parametrize(
    ("prompt", "drawing"),
    [
        ("Create a histogram of random data", '"bin": {"maxbins": 30}'),
        ("Plot a line chart of random numbers", '"type": "line"'),
    ],
)
def test_random_data_comes_in_the_kind_of_plot_that_was_asked_for(
    ask: Asker, prompt: str, drawing: str
) -> None:
    answered = ask("en", prompt, "")
    assert len(answered.charts()) == 1
    assert drawing in answered.code


@LANGUAGES
def test_five_random_coordinates_are_on_the_map_and_in_the_answer(ask: Asker, language: str) -> None:
    answered = ask(language, "Show me 5 random coordinates on the map", "地図上に5つのランダムな座標を表示")
    points = [overlay["position"] for overlay in answered.map["overlays"]]
    assert len(points) == 5
    for point in points:
        assert 0 <= point["x"] <= 500 and 0 <= point["y"] <= 200
        assert f"({point['x']}, {point['y']})" in answered.text
    assert answered.contents("table")[0]["rows"] == [[point["x"], point["y"]] for point in points]


def test_random_coordinates_asked_for_again_are_other_ones(ask: Asker) -> None:
    one = ask("en", "Show me 5 random coordinates on the map", "")
    other = ask("en", "Show me 5 random coordinates on the map", "")
    assert one.map["overlays"] != other.map["overlays"]


@LANGUAGES
def test_rooms_are_highlighted_each_in_its_colour(ask: Asker, language: str) -> None:
    answered = ask(
        language,
        "Highlight Room1 in red, Kitchen in green and Toilet in blue",
        "Room1を赤、Kitchenを緑、Toiletを青でハイライトして",
    )
    assert [(item["name"], item["color"]) for item in answered.map["rectangles"]] == [
        ("Room1", "#FF0000"),
        ("Kitchen", "#00AA44"),
        ("Toilet", "#0066FF"),
    ]
    text = "Room1 highlighted in red, Kitchen highlighted in green, Toilet highlighted in blue"
    assert (text if language == "en" else "Room1（赤）のハイライトとKitchen（緑）") in answered.text


@LANGUAGES
def test_an_icon_is_put_into_a_room(ask: Asker, language: str) -> None:
    answered = ask(language, "Put a person icon in Room1", "Room1に人のアイコンを置いて")
    (overlay,) = answered.map["overlays"]
    assert (overlay["bitmapId"], overlay["position"]) == ("person", {"type": "rectangle", "name": "Room1"})


@LANGUAGES
def test_an_icon_is_put_at_a_coordinate(ask: Asker, language: str) -> None:
    answered = ask(language, "Show the exit icon at 480,150", "480,150に出口アイコンを表示して")
    (overlay,) = answered.map["overlays"]
    assert overlay["bitmapId"] == "exit"
    assert overlay["position"] == {"type": "coordinate", "x": 480.0, "y": 150.0}


@LANGUAGES
def test_a_text_is_written_at_a_coordinate(ask: Asker, language: str) -> None:
    answered = ask(language, "Write 'Meet here' at 100, 50 on floor 1F", "1階の100,50に「Meet here」と書いて")
    (overlay,) = answered.map["overlays"]
    assert answered.map["floorId"] == "1F"
    assert overlay["text"] == "Meet here"
    assert overlay["position"] == {"type": "coordinate", "x": 100.0, "y": 50.0}


@LANGUAGES
def test_a_text_with_a_colon_and_a_semicolon_arrives_whole(ask: Asker, language: str) -> None:
    answered = ask(
        language, "Write 'Time 10:30; bring: tea' in Room1", "Room1に「Time 10:30; bring: tea」と書いて"
    )
    assert [overlay["text"] for overlay in answered.map["overlays"]] == ["Time 10:30; bring: tea"]


def test_a_text_is_written_in_a_colour(ask: Asker) -> None:
    (overlay,) = ask("en", "Write 'Exit' in Room1 in red", "").map["overlays"]
    assert (overlay["text"], overlay["color"]) == ("Exit", "#FF0000")


@LANGUAGES
def test_a_person_stands_in_a_room_with_a_name(ask: Asker, language: str) -> None:
    answered = ask(
        language,
        "Show Room1 with a person icon and the name label John",
        "Room1に人のアイコンとJohnという名前を表示して",
    )
    assert [overlay.get("bitmapId") or overlay["text"] for overlay in answered.map["overlays"]] == [
        "person",
        "John",
    ]


@LANGUAGES
def test_a_point_outside_the_floor_is_said_and_nothing_is_drawn(ask: Asker, language: str) -> None:
    answered = ask(language, "Show the exit icon at 900,150", "900,150に出口アイコンを表示して")
    assert answered.contents("map") == []
    assert "lies outside floor 1F" in answered.text


@LANGUAGES
def test_averages_are_saved_as_a_csv_file(ask: Asker, live: LiveDesk, language: str) -> None:
    answered = ask(
        language, "Save the average temperature per room to CSV", "部屋ごとの平均温度をCSVに保存して"
    )
    (file,) = answered.contents("file")
    assert file["name"].endswith(".csv") and file["name"] in answered.text


@LANGUAGES
def test_age_and_survival_are_correlated(ask: Asker, language: str) -> None:
    answered = ask(language, "What is the correlation between age and survival?", "年齢と生存の相関は？")
    assert f"{TITANIC['age'].corr(TITANIC['survived']):.3f}" in answered.text.splitlines()[0]


@LANGUAGES
def test_temperature_over_time_is_a_line(ask: Asker, language: str) -> None:
    answered = ask(language, "Plot temperature over time", "温度の推移をグラフで")
    assert len(answered.charts()) == 1, answered.text + answered.code
    assert '"type": "line"' in answered.code


@LANGUAGES
def test_a_histogram_of_age_leads_with_its_median(ask: Asker, language: str) -> None:
    answered = ask(language, "Show a histogram of age in titanic", "titanicの年齢のヒストグラムを表示して")
    assert len(answered.charts()) == 1
    assert f"{TITANIC['age'].median():g}" in answered.text.splitlines()[0]


@LANGUAGES
def test_a_box_plot_of_age_by_class_leads_with_the_oldest_class(ask: Asker, language: str) -> None:
    answered = ask(language, "Box plot of age by class", "クラス別の年齢の箱ひげ図")
    assert len(answered.charts()) == 1
    assert '"mark": "boxplot"' in answered.code
    oldest = TITANIC.groupby("class")["age"].median().max()
    assert "First" in answered.text.splitlines()[0] and f"{oldest:g}" in answered.text.splitlines()[0]


@LANGUAGES
def test_survivors_are_counted_by_sex(ask: Asker, language: str) -> None:
    answered = ask(language, "Create a bar chart of survivors by sex", "性別ごとの生存者数を棒グラフで")
    assert len(answered.charts()) == 1
    assert "233" in answered.text.splitlines()[0] and "109" in answered.text
