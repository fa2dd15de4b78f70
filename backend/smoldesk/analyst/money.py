"""Parser of amounts of money: $20, 12.50 euros, USD 30, 1万5千円.

An amount needs its currency: whether a bare 30 is yen would be a guess. Any three capitals count as a currency code,
because the payment tool knows the valid ones.
"""

import math
import re
from dataclasses import dataclass
from decimal import Decimal

_CURRENCIES = {
    "USD": "us dollars, us dollar, american dollars, dollars, dollar, bucks, buck, us$, $, 米ドル, アメリカドル, ドル",
    "EUR": "euros, euro, €, ユーロ",
    "JPY": "japanese yen, yen, ¥, 日本円, 円",
    "GBP": "british pounds, pounds sterling, pounds, pound, quid, £, 英ポンド, ポンド",
    "CAD": "canadian dollars, canadian dollar, c$, ca$, カナダドル",
    "AUD": "australian dollars, australian dollar, a$, au$, オーストラリアドル, 豪ドル",
    "CHF": "swiss francs, swiss franc, スイスフラン",
    "CNY": "chinese yuan, yuan, renminbi, rmb, 人民元, 元",
    "KRW": "korean won, won, ₩, ウォン",
    "INR": "indian rupees, rupees, rupee, ₹, ルピー",
}
_CODE_OF = {name: code for code, names in _CURRENCIES.items() for name in names.split(", ")}

_LARGE = {"thousand": 1_000, "k": 1_000, "million": 1_000_000, "m": 1_000_000}
_KANJI = {char: n for n, char in enumerate("〇一二三四五六七八九")}
_UNITS = {"十": 10, "百": 100, "千": 1_000}
_MYRIADS = {"万": 10_000, "億": 100_000_000}

# Thousands with commas, two decimals after a comma (12,50), or plain digits.
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+,\d\d(?![\d,])|\d+)(?:\.\d+)?(?!\d|[.,]\d)"
_ONE = rf"(?:{_DIGITS}|[〇一二三四五六七八九])?"
_IN_KANJI = rf"(?:{_ONE}[十百千万億]){{1,12}}{_ONE}"
# A number: digits or kanji.
_NUMBER = (
    rf"(?:(?<![A-Za-z\d.,])-?(?:{_IN_KANJI}|{_DIGITS}(?: ?(?i:k|m|thousand|million)(?![a-z]))?"
    rf"|[一二三四五六七八九]))"
)

_NAMES = sorted(map(re.escape, _CODE_OF), key=len, reverse=True)
_CODES = rf"(?:(?i:{'|'.join(_CURRENCIES)})|[A-Z]{{3}})(?![A-Za-z])"
_AFTER = rf"(?:(?i:{'|'.join(_NAMES)})(?![a-z])|{_CODES})"
_BEFORE = rf"(?:(?i:us\$|ca?\$|au?\$)|[$€¥£₩₹]|(?<![A-Za-z]){_CODES})"
# An amount with its currency.
MONEY_IN = re.compile(
    rf"(?P<before>{_BEFORE}) ?(?P<number>{_NUMBER})(?: ?(?P<too>{_CODES}))?"
    rf"|(?P<number2>{_NUMBER}) ?(?P<after>{_AFTER})"
)
NUMBER_IN = re.compile(_NUMBER)
QUOTED_IN = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|“[^”]*”|「[^」]*」")


@dataclass(frozen=True)
class Money:
    """Amount and currency code."""

    amount: float
    currency: str

    def to_text(self) -> str:
        """Format the amount as in an answer: 1,250.5 USD."""
        return f"{self.amount:,.12g} {self.currency}"


def read_money(text: str) -> Money | None:
    """Parse a text that is one amount; return None otherwise, or for two currencies."""
    match = MONEY_IN.fullmatch(text.strip())
    if match is None:
        return None
    currency = _code(match["too"] or match["before"] or match["after"])
    if match["too"] and match["before"] not in ("$", "¥", "£") and _code(match["before"]) != currency:
        return None
    amount = read_number(match["number"] or match["number2"])
    return Money(amount, currency) if math.isfinite(amount) else None


def read_number(text: str) -> float:
    """Return the value of a match of NUMBER_IN."""
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    if any(char in text for char in (*_KANJI, *_UNITS, *_MYRIADS)):
        return float(sign * _kanji_number(text))
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    return float(sign * _digits(digits) * _LARGE.get(text[len(digits) :].strip().lower(), 1))


def _digits(text: str) -> Decimal:
    """Parse digits such as 1,250.5; a comma before exactly two last digits is a decimal comma: 12,50."""
    integer_part, _, cents = text.partition(",")
    if len(cents) == 2 and integer_part.isdigit() and cents.isdigit():
        return Decimal(f"{integer_part}.{cents}")
    return Decimal(text.replace(",", ""))


def _kanji_number(text: str) -> Decimal:
    total = section = Decimal(0)
    current: Decimal | None = None
    for token in re.findall(r"\d[\d,]*(?:\.\d+)?|.", text):
        # 千 and 百 multiply the digit before them; 万 and 億 multiply the section so far.
        if token in _UNITS:
            section, current = section + (1 if current is None else current) * _UNITS[token], None
        elif token in _MYRIADS:
            total += (section + (current or 0) or 1) * _MYRIADS[token]
            section, current = Decimal(0), None
        else:
            current = Decimal(_KANJI[token]) if token in _KANJI else _digits(token)
    return total + section + (current or 0)


def _code(name: str) -> str:
    return _CODE_OF.get(name.lower(), name.upper())
