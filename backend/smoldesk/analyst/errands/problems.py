"""Why an errand is not done as it was asked for: what is missing or not understood, and how to ask instead."""

from smoldesk.analyst.language import Language, say
from smoldesk.analyst.refusal import Refusal

_PARTS = {
    "recipient": ("the recipient", "支払先"),
    "amount": ("the amount", "金額"),
    "currency": ("the currency", "通貨"),
    "city": ("the city", "都市名"),
    "track": ("the number of the track (0 is silence)", "トラック番号（0は停止）"),
}
SAMPLES = {
    "process_payment": ("Pay 30 USD to Alice", "アリスに30ドル払って"),
    "get_location": ("Where am I?", "今どこ？"),
    "change_bgm": ("Change the BGM to track 1", "BGMをトラック1に変えて"),
    "get_weather": ("What's the weather in Tokyo?", "東京の天気は？"),
    "ask_agent": ("Ask the agent NAME: what can you do?", "NAMEに聞いて: 何ができますか？"),
}
"""A request for each tool, in both languages."""
_TOOL_OF_PART = {"city": "get_weather", "track": "change_bgm"}


def problem_text(refusal: Refusal, language: Language) -> str:
    """Why an errand is not done as it was asked for, and what is missing."""
    words = say(language, ", ", "、").join(refusal.words)
    known = say(language, ", ", "、").join(refusal.choices)
    nothing = say(language, " Nothing was done.", "まだ何も行っていません。")
    match refusal.reason:
        case "incomplete":
            lacks = [say(language, *_PARTS[part]) for part in refusal.words]
            joined = say(language, " and ", "と").join(lacks)
            heard = say(language, f" (I read: {known})", f"（読み取れたのは {known} です）") if known else ""
            sample = say(language, *SAMPLES[_TOOL_OF_PART.get(refusal.words[0], "process_payment")])
            return say(
                language,
                f"Please tell me {joined} too{heard}, for example: {sample}.{nothing}",
                f"{joined}も教えてください{heard}。例: {sample}。{nothing}",
            )
        case "each_or_shared":
            return say(
                language,
                f"Does each of {words} get {known}, or is it shared? Say how much for each.{nothing}",
                f"{words}にそれぞれ {known} ですか、合計で {known} ですか。一人ずつの金額を教えてください。{nothing}",
            )
        case "no_currency":
            return say(
                language,
                f"I do not know the currency '{words}'.{nothing}",
                f"「{words}」という通貨は分かりません。{nothing}",
            )
        case "later":
            return say(
                language,
                f"I can look up the weather of now only, not '{words}'.{nothing}",
                f"調べられるのは今の天気だけで、「{words}」の天気は分かりません。",
            )
        case "one_by_one":
            return say(
                language,
                f"I understood {known}, but not '{words}', and I would not do half of a request.{nothing} "
                "Please ask for one thing at a time.",
                f"{known}は分かりましたが、「{words}」が分かりません。途中までは実行しません。{nothing}一つずつお願いします。",
            )
        case _:
            if not known:
                return say(
                    language,
                    f"I read a payment, but did not understand '{words}'.{nothing}",
                    f"支払いと読みましたが、「{words}」が分かりません。{nothing}",
                )
            return say(
                language,
                f"I read a payment of {known}, but did not see what to do with '{words}'.{nothing}",
                f"{known} の支払いと読みましたが、「{words}」をどう扱えばよいか分かりません。{nothing}",
            )
