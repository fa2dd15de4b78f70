"""What is said of errands, in both languages: what each one is called, and what became of it.

A sentence is made of text and of fields of the tool's result, so that code (an f-string) and an answer made
from observations say the same. Only what a tool returned is ever told as done.
"""

from dataclasses import dataclass

from smoldesk.analyst.errands.intents import (
    Asking,
    Errand,
    Errands,
    Music,
    Payment,
    Weather,
    Whereabouts,
)
from smoldesk.analyst.language import Language, say
from smoldesk.analyst.money import Money


@dataclass(frozen=True)
class Field:
    """A value of a tool's result, with its format."""

    name: str
    format: str = ""


@dataclass(frozen=True)
class Why:
    """The words of the denial or the error."""


@dataclass(frozen=True)
class Remark:
    """Words that are said when a value of the result is true."""

    name: str
    words: str


@dataclass(frozen=True)
class Whole:
    """The tool's result, which is text."""


Words = str | Field | Why | Remark | Whole
Sentence = tuple[Words, ...]

TOOL_OF: dict[type[Errand], str] = {
    Payment: "process_payment",
    Whereabouts: "get_location",
    Music: "change_bgm",
    Weather: "get_weather",
    Asking: "ask_agent",
}
_SUM = ":,.12g"


def deed(errand: Errand, language: Language) -> str:
    """What an errand is called: the payment of 30 USD to Alice, 東京の天気の確認."""
    match errand:
        case Payment():
            spelled = Money(errand.amount, errand.currency).spelled()
            return say(
                language,
                f"the payment of {spelled} to {errand.recipient}",
                f"{errand.recipient}への {spelled} の支払い",
            )
        case Whereabouts():
            return say(language, "the look-up of your location", "現在地の確認")
        case Music(track=0):
            return say(language, "turning the BGM off", "BGMの停止")
        case Music():
            return say(
                language, f"changing the BGM to track {errand.track}", f"BGMのトラック{errand.track}への変更"
            )
        case Weather():
            return say(
                language, f"the look-up of the weather in {errand.location}", f"{errand.location}の天気の確認"
            )
        case Asking():
            return say(language, f"the question to {errand.agent}", f"{errand.agent}への質問")


def deeds(errands: Errands, language: Language) -> str:
    names = [deed(one, language) for one in errands.errands]
    if language == "ja":
        return "、".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def done(errand: Errand, language: Language) -> Sentence:
    """What the tool's result says."""
    match errand:
        case Payment():
            return _paid(language)
        case Whereabouts():
            north, east = Field("latitude", ":.5f"), Field("longitude", ":.5f")
            within = Field("accuracy", ":,.0f")
            if language == "ja":
                return ("現在地は緯度 ", north, "、経度 ", east, " です（誤差 約", within, " m）。")
            return ("You are at latitude ", north, ", longitude ", east, " (to within ", within, " m).")
        case Music(track=0):
            return (say(language, "The BGM is off.", "BGMを止めました。"),)
        case Music():
            if language == "ja":
                return ("BGMをトラック", Field("track"), "に変えました。")
            return ("The BGM is track ", Field("track"), " now.")
        case Weather():
            return _weather(language)
        case Asking():
            return (Whole(),)


def _paid(language: Language) -> Sentence:
    money: Sentence = (Field("amount", _SUM), " ", Field("currency"))
    left: Sentence = (Field("wallet_balance", _SUM), " ", Field("currency"))
    number = Field("transaction_id")
    if language == "ja":
        done = (Field("recipient"), "に ", *money, " を支払いました（取引番号 ", number, "）。")
        return (*done, "ウォレットの残高は ", *left, " です。")
    done = ("Paid ", *money, " to ", Field("recipient"), " (transaction ", number, "). ")
    return (*done, "The wallet has ", *left, " left.")


def _weather(language: Language) -> Sentence:
    """Figures that nobody measured just now are said to be such."""
    sky, warm, feels = Field("description"), Field("temperature", ":g"), Field("feels_like", ":g")
    damp, wind = Field("humidity", ":g"), Field("wind_speed", ":g")
    if language == "ja":
        air = ("体感 ", feels, " °C、湿度 ", damp, " %、風速 ", wind, " m/s")
        kept = Remark("cached", "実況ではなく、保存された表の値です。")
        return (Field("location"), "の天気: ", sky, "、気温 ", warm, " °C（", *air, "）。", kept)
    air = ("feels like ", feels, " °C, humidity ", damp, " %, wind ", wind, " m/s")
    kept = Remark("cached", " These figures come from a stored table, not from a live reading.")
    return (Field("location"), ": ", sky, ", ", warm, " °C (", *air, ").", kept)


def denied(errand: Errand, language: Language) -> Sentence:
    """A person, an expiry or a policy said no."""
    what = deed(errand, language)
    if language == "ja":
        return (f"{what}は承認されなかったため、行っていません。", Why())
    return (f"Not done, as it was not approved: {what}. ", Why())


def failed(errand: Errand, language: Language) -> Sentence:
    """The tool raised an error."""
    return (
        say(
            language, f"This failed: {deed(errand, language)}. ", f"{deed(errand, language)}に失敗しました。"
        ),
        Why(),
    )


def unclear(errand: Errand, language: Language) -> Sentence:
    """The tool said something that is no result."""
    what = deed(errand, language)
    if language == "ja":
        return (f"{what}の結果を読み取れませんでした。", Why())
    return (f"I could not read what came of {what}. ", Why())


def no_tool(missing: list[str], language: Language) -> str:
    """Why nothing was done: the agent does not have what it would take."""
    names = say(language, ", ", "、").join(dict.fromkeys(missing))
    return say(
        language,
        f"I understood what you want, but I cannot do it: this desk has no tool for it ({names}).",
        f"ご依頼は理解しましたが、このデスクにはそのためのツール（{names}）がないため、対応できません。",
    )
