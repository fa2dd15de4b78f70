"""Reader of errands: payments, the person's location, background music, weather, a question to another agent.

A request is understood completely or not executed at all, so that half a sentence moves no money.
"""

import re
from collections.abc import Sequence

from smoldesk.analyst.building.intents import ToolCall
from smoldesk.analyst.errands.code import deed
from smoldesk.analyst.errands.tokens import Errands, Token, tokens_of
from smoldesk.analyst.language import Language
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.money import Money, read_money
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request, request_of
from smoldesk.analyst.units import normalized, speaks_japanese

_MAX_LENGTH = 4_000
_MAX_TOKENS = 400
_NAMES = "X(?:AX)*"
_PURPOSE = f"(?:F(?P<what{{0}}>{_NAMES}))?"
_ENGLISH = re.compile(
    rf"(?P<whom>{_NAMES})(?P<sum>M)(?P<each>E?){_PURPOSE.format(1)}(?![MNT])"
    rf"|(?P<sum2>M)(?P<each2>E?){_PURPOSE.format(2)}T(?P<whom2>{_NAMES})(?P<each3>E?){_PURPOSE.format(3)}(?![MN])"
)
_JAPANESE = re.compile(
    rf"(?:(?P<for1>X)(?:F|o))?(?P<whom>{_NAMES})T(?P<each>E?)(?:(?P<for2>X)F?)?(?P<sum>M)(?P<each2>E?)o?"
    rf"|(?P<for3>X)?(?P<sum2>M)(?P<each3>E?)o?(?P<whom2>{_NAMES})T(?P<each4>E?)"
)
_WEATHER = {"en": re.compile(rf"WI?(?P<city>{_NAMES})?"), "ja": re.compile(rf"(?:(?P<city>{_NAMES})o?)?W")}
_NAME = r"[`'\"「『]?(?P<name>[a-z0-9][a-z0-9_-]{0,39})[`'\"」』]?"
_ASK_ENGLISH = re.compile(
    r"(?:(?:please|kindly|now|(?:can|could|would) you)[, ]+)*"
    rf"(?:(?:ask|tell)\s+(?:the\s+)?agent\s+{_NAME}\s*[:,]?\s+|ask\s+(?!(?:me|us)\b)"
    rf"{_NAME.replace('name', 'name2')}\s*:\s*)(?P<message>\S.*)", re.I | re.S,
)  # fmt: skip
_ASK_JAPANESE = re.compile(
    rf"(?is)(?:エージェント(?:の|である)?\s*)?{_NAME}\s*(?:さん|というエージェント|エージェント)?\s*に\s*(?:[「『](?P<quoted>.+)[」』]\s*と)?"
    r"(?:(?:聞|訊|き)いて|尋ねて|たずねて|質問して|頼んで|依頼して|伝えて)(?:みて)?(?:ください|下さい|くれますか|ほしい)?[。.!]*\s*(?:[:：、,]\s*)?(?P<message>.*)"
)

CallsOrRefusal = list[ToolCall] | Refusal


def read_errands(request: Request) -> Errands | Refusal | None:
    """Return the errands, or a refusal that names what is unclear; None for a request without errands."""
    if question := read_asking(request.text):
        return Errands((question,))
    if len(request.text) > _MAX_LENGTH:
        return None
    language: Language = "ja" if speaks_japanese(request.text) else "en"
    return _read(tokens_of(request), language, request.text)


def _read(tokens: list[Token], language: Language, text: str) -> Errands | Refusal | None:
    letters = "".join(token.letter for token in tokens)
    denied = "!" in letters and "M" not in letters
    if len(tokens) > _MAX_TOKENS or denied or not set(letters) & set("PWLB"):
        return None
    done: list[ToolCall] = []
    unread: list[str] = []
    at = 0
    while at < len(tokens):
        if letters[at] in "AT" or (letters[at] in "SIo" and at and not letters[at:].strip("SIoAT")):
            at += 1
            continue
        result, after = _next(tokens, letters, at, language, text)
        if isinstance(result, Refusal):
            open_end = result.reason == "incomplete" and letters[after:].strip("ATSIo")
            return None if open_end or unread else result
        if after == at:  # no errand starts here: skip to the next `and`
            later = letters.find("A", at)
            end = later if later >= 0 else len(tokens)
            unread.append(text[tokens[at].start : tokens[end - 1].end])
            after = end
        done += result
        at = after
    if unread and done and not all(call.tool == "get_weather" for call in done):
        return Refusal("one_by_one", tuple(unread), tuple(deed(call, language) for call in done))
    return Errands(tuple(done)) if done and not unread else None


def _next(
    tokens: list[Token], letters: str, at: int, language: Language, text: str
) -> tuple[CallsOrRefusal, int]:
    """Return the errands that start at `at`, and their end; an end equal to `at` means no errand."""
    if letters[at] == "L":
        return [ToolCall("get_location")], at + 1
    size = len(letters[at:]) - len(letters[at:].lstrip("SBOTNoI"))
    if "B" in letters[at : at + size]:
        return _music(tokens[at : at + size], letters[at : at + size]), at + size
    if letters[at] == "P" or (language == "ja" and "P" in letters[at:]):
        calls, end = _payments(tokens, letters, at, language)
        if end > at:
            return calls, end
    ahead = 1 if letters[at] == "Z" else 0
    if (match := _WEATHER[language].match(letters, at + ahead)) and match.end() > at + ahead:
        end = match.end() + (letters[match.end() : match.end() + 1] == "Z")
        calls = _weather(tokens, match, letters[at:end], language, text)
        return (calls, end) if calls else ([], at)
    if language == "en" and (match := _WEATHER["ja"].match(letters, at)) and match["city"]:
        calls = _weather(tokens, match, match[0], language, text)
        return (calls, match.end()) if calls else ([], at)
    return [], at


def _music(tokens: Sequence[Token], letters: str) -> CallsOrRefusal:
    number = 0.0 if "O" in letters else next((token.value for token in tokens if token.letter == "N"), None)
    if number is None or not float(number).is_integer():
        return Refusal("incomplete", ("track",))
    return [ToolCall("change_bgm", (("track", int(number)),))]


def _weather(
    tokens: list[Token], match: re.Match[str], letters: str, language: Language, text: str
) -> CallsOrRefusal:
    if "Z" in letters:
        return Refusal("later", (next(token.text for token in tokens if token.letter == "Z"),))
    if match["city"] is None:
        return Refusal("incomplete", ("city",))
    first = tokens[match.start("city")]
    bare = language == "en" and "I" not in letters and not first.text.endswith("'s")
    if bare and first.text[0].islower():
        return []
    if first.text[:1].islower() and text[: first.start].endswith((" the ", " a ", " an ")):
        return []
    named = (token for token in tokens[match.start("city") : match.end("city")] if token.letter == "X")
    return [ToolCall("get_weather", (("location", token.text.removesuffix("'s")),)) for token in named]


def _payments(
    tokens: Sequence[Token], letters: str, at: int, language: Language
) -> tuple[CallsOrRefusal, int]:
    """Read one or more pairs of recipient and amount; in Japanese the verb follows them."""
    form = _ENGLISH if language == "en" else _JAPANESE
    start = at + 1 if language == "en" else at
    pairs: list[re.Match[str]] = []
    end = start
    while match := form.match(letters, end + (letters[end : end + 1] == "A" and bool(pairs))):
        pairs.append(match)
        end = match.end()
    if pairs and language == "ja":
        if letters[end : end + 1] != "P":
            return [], at
        end += 1
    if not pairs:
        return _unclear(tokens, letters, at, language)
    paid: list[ToolCall] = []
    for pair in pairs:
        read = _paid(tokens, pair)
        if isinstance(read, Refusal):
            return read, end
        paid += read
    following = letters[end : end + 3] if language == "en" else ""
    if following[:1] in tuple("XMNTF!ZE") or (following[:2] in ("AN", "AX") and "N" in following):
        unread = " ".join(token.text for token in tokens[end:]).removeprefix(", ")
        return Refusal("errand_words", (unread,), (_spelled(_sum(tokens, pairs[0])),)), end
    return paid, end


def _sum(tokens: Sequence[Token], pair: re.Match[str]) -> Token:
    return tokens[pair.start("sum" if pair["sum"] else "sum2")]


def _spelled(money: Token) -> str:
    return Money(money.value, money.currency).to_text()


def _paid(tokens: Sequence[Token], pair: re.Match[str]) -> CallsOrRefusal:
    """Return the payments of one amount, one for each recipient."""
    groups = pair.groupdict()

    def part(*names: str) -> Sequence[Token]:
        matching = (name for name, value in groups.items() if value and name.startswith(names))
        return next((tokens[pair.start(name) : pair.end(name)] for name in matching), ())

    money, details = _sum(tokens, pair), (_spelled(_sum(tokens, pair)),)
    names = [token.text for token in part("whom") if token.letter == "X"]
    name_parts = (word for name in names for word in name.split())
    if wrong := [word for word in name_parts if word.casefold().strip(".,") in lexicon().lists["stray"]]:
        return Refusal("errand_words", tuple(wrong), details)
    names = [name for name in names if name.casefold() not in lexicon().lists["nobody"]]
    middle = part("what2")
    several_words = len(" ".join(token.text for token in middle).split()) > 1
    is_trip = several_words and not _quoted(middle)
    if not names or is_trip:  # for a trip to Paris
        return Refusal("incomplete", ("recipient",), details)
    if len(names) > 1 and not part("each"):
        return Refusal("each_or_shared", tuple(names), details)
    what = part("what", "for")
    description = " ".join(token.text for token in what).replace(" ,", ",")
    conditional = ("if", "unless", "until", "when", "every")
    condition = next((term for term in description.split() if term in conditional), "")
    if condition and not (len(what) == 1 and "'" in what[0].text) and not _quoted(what):
        return Refusal("errand_words", (description[description.index(condition) :],), details)
    amount = int(money.value) if money.value.is_integer() else money.value
    common = [("amount", amount), ("currency", money.currency)]
    common += [("description", description)] if description else []
    return [ToolCall("process_payment", (("recipient", name), *common)) for name in names]


def _quoted(what: Sequence[Token]) -> bool:
    return len(what) == 1 and what[0].end - what[0].start == len(what[0].text) + 2


def _unclear(
    tokens: Sequence[Token], letters: str, at: int, language: Language
) -> tuple[CallsOrRefusal, int]:
    """Return a refusal for an incomplete payment.

    Only `pay` suffices by itself, since `send` also applies to reports.
    """
    end, part = len(tokens), tokens[at:]
    kinds = {token.letter for token in part}
    if kinds & set("!WLBSO"):
        return [], at
    verb = next((token.text.casefold() for token in part if token.letter == "P"), "")
    names = [token.text for token in part if token.letter == "X"]
    is_payment = any(word in verb for word in ("pay", "払", "送金"))
    pays = is_payment or any(name.casefold() in ("money", "some money", "お金") for name in names)
    stray = [word for name in names for word in name.split() if word.casefold() in lexicon().lists["stray"]]
    recipients = [name for name in names if name.casefold() not in lexicon().lists["nobody"]]
    money, number = (next((token for token in part if token.letter == letter), None) for letter in "MN")
    moved = pays or money is not None or (number is not None and "T" in kinds)
    if not moved or len(names) > 2 or any(len(name.split()) > 4 for name in names):
        return [], at
    if stray or (money is not None and recipients):
        return Refusal("errand_words", tuple(stray or recipients), (_spelled(money),) if money else ()), end
    if number is not None and not money and len(recipients) == 2:
        return Refusal("no_currency", (recipients[0],)), end
    lacks = [] if money else ["currency"] if number else ["amount", "currency"]
    amount = (money or number or Token("", "")).text
    details = tuple(detail for detail in (*recipients, amount) if detail)
    return Refusal("incomplete", (*([] if recipients else ["recipient"]), *lacks), details), end


def continue_errand(text: str, previous_text: str, previous: Errands | Refusal) -> Errands | None:
    """Return the previous errand with the part that `text` adds: the missing one, or another city."""
    language: Language = "ja" if speaks_japanese(previous_text) else "en"
    new = [piece for piece in tokens_of(request_of(text)) if piece.letter not in "TIAo"]
    old = tokens_of(request_of(previous_text))
    if len(new) == 2 and new[0].letter == "B":
        new = new[1:]
    if len(new) != 1 or len(text) > 60:
        return None
    (token,) = new
    missing = ("city",) if isinstance(previous, Errands) else previous.terms
    is_impersonal = token.text.casefold() in lexicon().lists["nobody"]
    combined: list[Token] = []
    if missing == ("city",) and token.letter == "X":
        weather, near = Token("W", ""), Token("I", "")
        combined = [token, weather] if language == "ja" else [weather, near, token]
    elif missing == ("track",) and token.letter == "N":
        combined = [Token("B", ""), token]
    elif missing == ("recipient",) and token.letter == "X" and not is_impersonal:
        combined = [token, Token("T", ""), *old] if language == "ja" else [*old, Token("T", ""), token]
    elif missing == ("amount", "currency") and token.letter == "M":
        combined = [*old[:-1], token, old[-1]] if language == "ja" else [*old, token]
    elif missing == ("currency",) and token.letter == "X":
        number = next((n for n, piece in enumerate(old) if piece.letter == "N"), None)
        money = read_money(f"{old[number].text} {token.text}") if number is not None else None
        if number is not None and money is not None:
            combined = [*old[:number], Token("M", "", money.amount, money.currency), *old[number + 1 :]]
    result = _read(combined, language, text)
    return result if isinstance(result, Errands) else None


def read_asking(request: str) -> ToolCall | None:
    """Return the question to another agent: everything after its name is the message. None for other requests."""
    text = request.strip()
    narrow = normalized(text)  # a name may be in full-width letters; the message stays unchanged
    if len(narrow) != len(text):
        narrow = text
    match = _ASK_ENGLISH.fullmatch(narrow) or _ASK_JAPANESE.fullmatch(narrow)
    if match is None:
        return None
    groups = match.groupdict()
    part = "quoted" if groups.get("quoted") else "message"
    name, message = groups["name"] or groups["name2"], text[match.start(part) : match.end(part)].strip()
    return ToolCall("ask_agent", (("name", name.lower()), ("message", message))) if message else None
