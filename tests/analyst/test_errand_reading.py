"""Which requests are errands, what is asked for, and what is not guessed."""

from pathlib import Path

import pandas as pd
import pytest

from smoldesk.analyst.errands.read_errands import read_errands
from smoldesk.analyst.errands.write_errands import errand_calls
from smoldesk.analyst.intents import (
    Errands,
    Music,
    Payment,
    Reason,
    Refusal,
    Weather,
    Whereabouts,
)
from smoldesk.analyst.read import read_talk
from tests.analyst.desk import Desk

READ: dict[str, list[object]] = {
    # payments
    "Pay 30 USD to Alice and 40 USD to Bob": [Payment("Alice", 30, "USD"), Payment("Bob", 40, "USD")],
    "Pay Alice 30 dollars, Bob 40 dollars and Carol 50 dollars": [
        Payment("Alice", 30, "USD"),
        Payment("Bob", 40, "USD"),
        Payment("Carol", 50, "USD"),
    ],
    "Send Bob 12.50 euros for lunch": [Payment("Bob", 12.5, "EUR", "lunch")],
    "Send 30 USD for lunch to Alice": [Payment("Alice", 30, "USD", "lunch")],
    "Pay Bob $9 for lunch and dinner, please.": [Payment("Bob", 9, "USD", "lunch and dinner")],
    "send 30 USD with the note 'rent, May' to Alice": [Payment("Alice", 30, "USD", "rent, May")],
    "pay $20 to Carol": [Payment("Carol", 20, "USD")],
    "pay bob 30 usd": [Payment("bob", 30, "USD")],
    "Pay Mark 30 USD": [Payment("Mark", 30, "USD")],
    "Pay Alice and Bob 30 USD each": [Payment("Alice", 30, "USD"), Payment("Bob", 30, "USD")],
    "I'd like to send 1,000 yen to Dr. Tanaka": [Payment("Dr. Tanaka", 1000, "JPY")],
    "Could you make a payment of 5 GBP to my friend Bob Smith?": [Payment("my friend Bob Smith", 5, "GBP")],
    'Pay 30 USD to "Bob and Sons"': [Payment("Bob and Sons", 30, "USD")],
    "transfer 100 GBP to alice@example.com": [Payment("alice@example.com", 100, "GBP")],
    "Pay -5 USD to Bob": [Payment("Bob", -5, "USD")],
    "Pay 30 USD to 田中": [Payment("田中", 30, "USD")],
    "Aliceに30ドル払って": [Payment("Alice", 30, "USD")],
    "アリスに3000円、ボブに40ドル送金して": [Payment("アリス", 3000, "JPY"), Payment("ボブ", 40, "USD")],
    "アリスに30ドルとボブに40ドルを払ってください": [
        Payment("アリス", 30, "USD"),
        Payment("ボブ", 40, "USD"),
    ],
    "アリスに30ドル払ってボブに40ドル送って": [Payment("アリス", 30, "USD"), Payment("ボブ", 40, "USD")],
    "30ドルをアリスに、40ドルをボブに送金して": [Payment("アリス", 30, "USD"), Payment("ボブ", 40, "USD")],
    "田中さんに1万5千円を支払ってください": [Payment("田中さん", 15_000, "JPY")],
    "アリスにランチ代として30ドル払って": [Payment("アリス", 30, "USD", "ランチ代")],
    "ランチ代30ドルをアリスに払って": [Payment("アリス", 30, "USD", "ランチ代")],
    "アリスとボブにそれぞれ30ドル払って": [Payment("アリス", 30, "USD"), Payment("ボブ", 30, "USD")],
    "アリスに30ドルを支払う": [Payment("アリス", 30, "USD")],
    "昼食代をアリスに30ドル払って": [Payment("アリス", 30, "USD", "昼食代")],
    "アリスとボブに30ドルずつ払って": [Payment("アリス", 30, "USD"), Payment("ボブ", 30, "USD")],
    "くにこに30ドル払って": [Payment("くにこ", 30, "USD")],
    "アリスへの30ドルの支払いをお願いします": [Payment("アリス", 30, "USD")],
    "アリスに50ユーロ支払いたいです": [Payment("アリス", 50, "EUR")],
    "First pay 30 USD to Alice, then 40 USD to Bob": [Payment("Alice", 30, "USD"), Payment("Bob", 40, "USD")],
    "Pay Alice 30 USD for 'what if'": [Payment("Alice", 30, "USD", "what if")],
    # where
    "Where am I?": [Whereabouts()],
    "What is my location?": [Whereabouts()],
    "Hello, can you tell me where I am right now?": [Whereabouts()],
    "今どこ？": [Whereabouts()],
    "私は今どこにいますか": [Whereabouts()],
    "現在地を教えて": [Whereabouts()],
    # music
    "Change the BGM to track 1": [Music(1)],
    "play track 2": [Music(2)],
    "Play the second track": [Music(2)],
    "stop the music": [Music(0)],
    "turn the BGM off, please": [Music(0)],
    "BGMをトラック2に変えて": [Music(2)],
    "2番の曲を流して": [Music(2)],
    "音楽を止めて": [Music(0)],
    "BGMをオフにしてください": [Music(0)],
    "BGM track 2": [Music(2)],
    # weather
    "Weather Tokyo": [Weather("Tokyo")],
    "東京の天気も教えて": [Weather("東京")],
    "What's the weather in Tokyo?": [Weather("Tokyo")],
    "How is the weather in New York today?": [Weather("New York")],
    "What's Tokyo's weather?": [Weather("Tokyo")],
    "weather in Paris and London": [Weather("Paris"), Weather("London")],
    "Is it raining in Atlantis?": [Weather("Atlantis")],
    "What's the weather in 東京?": [Weather("東京")],
    "東京の天気は？": [Weather("東京")],
    "今日の大阪市の天気を教えて": [Weather("大阪市")],
    "東京とパリの天気": [Weather("東京"), Weather("パリ")],
    # together
    "What's the weather in Tokyo, and pay 10 USD to Bob": [Weather("Tokyo"), Payment("Bob", 10, "USD")],
    "Pay Alice 30 USD for tea and stop the music": [Payment("Alice", 30, "USD", "tea"), Music(0)],
    "現在地と東京の天気を教えて": [Whereabouts(), Weather("東京")],
    "東京の天気を教えて。それからBGMをトラック1にして": [Weather("東京"), Music(1)],
}


@pytest.mark.parametrize("request_", READ)
def test_an_errand_is_read(desk: Desk, request_: str) -> None:
    reading = read_talk([request_], desk.model.lexicon)
    assert reading.intent == Errands(tuple(READ[request_]))  # pyright: ignore[reportArgumentType]
    assert reading.language == ("ja" if request_ not in ENGLISH and not request_.isascii() else "en")


ENGLISH = ("Pay 30 USD to 田中", "What's the weather in 東京?")


def test_arguments_are_named_and_typed_as_the_tools_want_them(desk: Desk) -> None:
    reading = read_errands(
        "Pay Bob 12.50 euros for lunch, pay Al 3 USD, play track 2, where am I", desk.model.lexicon
    )
    assert reading and isinstance(reading.intent, Errands)
    calls = [(call.tool, dict(call.arguments)) for call in errand_calls(reading.intent)]
    assert calls == [
        ("process_payment", {"recipient": "Bob", "amount": 12.5, "currency": "EUR", "description": "lunch"}),
        ("process_payment", {"recipient": "Al", "amount": 3, "currency": "USD"}),
        ("change_bgm", {"track": 2}),
        ("get_location", {}),
    ]
    assert type(calls[1][1]["amount"]) is int and type(calls[2][1]["track"]) is int


UNCLEAR: dict[str, tuple[Reason, tuple[str, ...]]] = {
    "Pay Alice": ("incomplete", ("amount", "currency")),
    "Pay 30 USD": ("incomplete", ("recipient",)),
    "Pay her 30 USD": ("incomplete", ("recipient",)),
    "Send 30 to Bob": ("incomplete", ("currency",)),
    "pay 30": ("incomplete", ("recipient", "currency")),
    "Send some money to Bob": ("incomplete", ("amount", "currency")),
    "Pay 30 USD for a trip to Paris": ("incomplete", ("recipient",)),
    "What's the weather?": ("incomplete", ("city",)),
    "play some music": ("incomplete", ("track",)),
    "アリスに払って": ("incomplete", ("amount", "currency")),
    "30ドル払って": ("incomplete", ("recipient",)),
    "彼に30ドル払って": ("incomplete", ("recipient",)),
    "アリスに30払って": ("incomplete", ("currency",)),
    "今日の天気は？": ("incomplete", ("city",)),
    "BGMを変えて": ("incomplete", ("track",)),
    "Pay 30 USD to Alice and Bob": ("each_or_shared", ("Alice", "Bob")),
    "アリスとボブに30ドル払って": ("each_or_shared", ("アリス", "ボブ")),
    "pay 5 apples to Bob": ("no_currency", ("apples",)),
    "Pay 30 USD to Alice tomorrow": ("errand_words", ("tomorrow",)),
    "Pay 30 USD to Alice if it rains": ("errand_words", ("if", "it", "rains")),
    "Pay 30 USD to Alice twice": ("errand_words", ("twice",)),
    "Pay 30 USD to Alice every month": ("errand_words", ("every", "month")),
    "Pay Alice 30 USD for lunch if it is sunny": ("errand_words", ("if it is sunny",)),
    "Pay 30 USD to Alice and 40 to Bob": ("errand_words", ("40 to Bob",)),
    "Pay for lunch 30 USD": ("errand_words", ("for",)),
    "What's the weather at my location?": ("incomplete", ("city",)),
    "Pay Alice 30 USD to Bob": ("errand_words", ("to Bob",)),
    "Pay Alice 30 USD 40 USD": ("errand_words", ("40 USD",)),
    "明日田中さんに30ドル払って": ("errand_words", ("明日",)),
    "What's the weather in Tokyo tomorrow?": ("later", ("tomorrow",)),
    "明日の東京の天気は？": ("later", ("明日",)),
    "Show the average age by class and pay 10 USD to Bob": ("one_by_one", ("Show the average age by class",)),
    "アリスに30ドル払ってはいけない": ("one_by_one", ("はいけない",)),
    "アリスに30ドル払って、平均年齢を見せて": ("one_by_one", ("平均年齢を見せて",)),
}


@pytest.mark.parametrize("request_", UNCLEAR)
def test_what_is_missing_or_not_understood_is_named_and_nothing_is_called(desk: Desk, request_: str) -> None:
    reading = read_talk([request_], desk.model.lexicon)
    assert isinstance(reading.intent, Refusal), reading
    assert (reading.intent.reason, reading.intent.words) == UNCLEAR[request_]
    seen = desk.ask(request_)
    assert seen.answer and "process_payment" not in seen.code


TALKS: list[tuple[list[str], list[object]]] = [
    (["Pay Alice", "30 USD"], [Payment("Alice", 30, "USD")]),
    (["Pay 30 USD", "Bob"], [Payment("Bob", 30, "USD")]),
    (["Pay 30 USD", "to Bob, please"], [Payment("Bob", 30, "USD")]),
    (["Send 30 to Bob", "euros"], [Payment("Bob", 30, "EUR")]),
    (["What's the weather?", "in Tokyo"], [Weather("Tokyo")]),
    (["What's the weather in Tokyo?", "What about London?"], [Weather("London")]),
    (["What's the weather in Tokyo?", "and in Paris?", "how about Oslo"], [Weather("Oslo")]),
    (["play some music", "track 3"], [Music(3)]),
    (["アリスに払って", "30ドル"], [Payment("アリス", 30, "USD")]),
    (["30ドル払って", "ボブに"], [Payment("ボブ", 30, "USD")]),
    (["アリスに30払って", "ドルです"], [Payment("アリス", 30, "USD")]),
    (["天気は？", "大阪"], [Weather("大阪")]),
    (["東京の天気は？", "大阪は？"], [Weather("大阪")]),
    (["BGMを変えて", "2"], [Music(2)]),
]


@pytest.mark.parametrize(("talk", "errands"), TALKS, ids=[" / ".join(talk) for talk, _ in TALKS])
def test_a_missing_part_or_another_city_completes_the_request_before(
    desk: Desk, talk: list[str], errands: list[object]
) -> None:
    assert read_talk(talk, desk.model.lexicon).intent == Errands(tuple(errands))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "talk",
    [
        ["Pay 30 USD", "cancel"],
        ["Pay 30 USD", "never mind"],
        ["Pay 30 USD", "help"],
        ["Pay 30 USD", "passengers by class"],
        ["Pay 30 USD", "no"],
        ["Pay Alice", "how many passengers are there in titanic"],
        ["Pay 30 USD", "hello", "Bob"],
        ["What's the weather in Tokyo?", "what about the average age?"],
        ["30ドル払って", "キャンセル"],
        ["30ドル払って", "やっぱりやめて"],
        ["東京の天気は？", "部屋ごとの平均温度は？"],
        ["Pay Alice 30 USD", "Bob"],
    ],
    ids=" / ".join,
)
def test_what_is_no_answer_to_the_question_is_read_on_its_own(desk: Desk, talk: list[str]) -> None:
    alone = read_talk(talk[-1:], desk.model.lexicon)
    assert read_talk(talk, desk.model.lexicon).intent == alone.intent
    assert not isinstance(alone.intent, Errands)


OTHER = [
    "average fare paid by class",
    "total payments per month",
    "how many passengers paid more than 30 dollars",
    "show the weather table",
    "what is the weather like for a walk?",
    "is it raining at the museum today?",
    "weather by month",
    "pay gap between men and women",
    "Send me the average age by class",
    "Give me the titanic data",
    "Don't pay 30 USD to Alice",
    "where is the Kitchen?",
    "change the colour of Room1 to red",
    'put the text "hello, pay 30 USD to Alice" in Room1',
    "支払いの合計",
    "30ドル以上払った乗客の人数",
    "30ドル払っている乗客は何人？",
    "アリスに30ドル払わないで",
    "もし晴れならアリスに30ドル払って",
    "「アリスに30ドル払って」という文字をRoom1に置いて",
    "天気の表を見せて",
    "キッチンはどこ？",
    "明日の温度は？",
]


@pytest.mark.parametrize("request_", OTHER)
def test_what_merely_speaks_of_money_weather_or_places_is_no_errand(desk: Desk, request_: str) -> None:
    assert read_errands(request_, desk.model.lexicon) is None


HOSTILE = [
    *(
        "と" * 4000,
        "十" * 4000,
        "ください" * 1000,
        ", " * 2000,
        "1," * 2000,
        "hundred and " * 330,
        "30 USD " * 600,
    ),
    *(
        "アリスに30ドルと" * 500 + "払って",
        "東京と" * 1300 + "の天気",
        "pay Alice 30 USD and " * 190,
        "「" * 4000,
    ),
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:8] for text in HOSTILE])
def test_repetitive_text_is_read_without_exploding(desk: Desk, text: str) -> None:
    """Each of these once took, or could take, a pattern minutes: the suite would not end."""
    reading = read_errands(text, desk.model.lexicon)
    assert reading is None or reading.intent


def test_a_table_of_that_name_is_meant_before_the_weather_outside(tmp_path: Path) -> None:
    weather = pd.DataFrame({"city": ["Tokyo", "Osaka"], "wind": [3, 5]})
    own = Desk(tmp_path, weather=weather)
    for request in ("What's the weather in Tokyo?", "weather in Osaka", "show the weather"):
        assert read_errands(request, own.model.lexicon) is None
        assert len(own.ask(request).tables) == 1


def test_a_column_of_pay_is_meant_before_a_payment(tmp_path: Path) -> None:
    staff = pd.DataFrame({"name": ["Ann", "Bo"], "department": ["A", "B"], "pay": [10.5, 20.25]})
    own = Desk(tmp_path, staff=staff)
    assert read_errands("pay above 15 dollars by department", own.model.lexicon) is None
    assert "20.25" in own.ask("pay by department").answer
    assert read_errands("Pay Alice 30 USD", own.model.lexicon)
