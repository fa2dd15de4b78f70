"""What an answer's words claim, and what they refuse: where the key figure stands, whether it declines, in which language."""

import re

from tests.exams.answer import Answer
from tests.exams.case import Case
from tests.exams.figures import numbers, plain

REFUSALS = re.compile(
    r"\b(cannot|can't|can not|could not|couldn't|do not|don't|did not|didn't|unable|not sure|no (?:such|room|column|table"
    r"|dataset|floor|icon|date|result)|there (?:is|are) no|is not (?:a|in)|unknown|need(?:s|ed)?|which (?:table|column|room"
    r"|one|way)|do you mean|computed nothing|my code failed|rather not|not found|what do you)\b"
    r"|分かりません|わかりません|ありません|できません|答えられません|見つかりません|どの|どちら|どれ|必要です|失敗|存在しません|いません"
    r"|お答えできない|対応していません|計算していません",
    re.IGNORECASE,
)
FINDINGS = re.compile(
    r"\bno (?:missing|blanks?|empty|gaps?|outliers?|duplicates?)\b|(?:欠損|欠測|空欄|空白|外れ値|重複)[^。]*ありません",
    re.IGNORECASE,
)
"""That there is none of something is a finding, not a refusal."""
HIRAGANA = re.compile(r"[ぁ-ん]")
QUOTED = re.compile(r"[「'\"][^」'\"]*[」'\"]")

CHOICES = re.compile(
    r"(?:\b(?:columns|are|possible|has|have|mean|candidates|choices|one of)\b[^:.]{0,30}:"
    r"|列は|部屋は|階は|アイコンは|あるのは|候補|次の)[^:]*(?::[^:]*)?$",
    re.IGNORECASE,
)
"""The list that a refusal ends with: columns, values or rooms there are."""


def declines(case: Case, answer: Answer) -> bool:
    """Whether an answer claims nothing: it says that it cannot, or asks back; no number, no table, nothing drawn."""
    text = key_words(answer.text)
    refuses = bool(REFUSALS.search(text)) and not FINDINGS.search(text)
    return refuses and not answer.shows and not made_up(case, text)


def key_words(text: str) -> str:
    """The first paragraph up to any list: where the key figure stands."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        if not line.strip() or re.match(r"\s*([-*•・|]\s|\d+\.\s)", line):
            break
        lines.append(line)
    return "\n".join(lines)


def made_up(case: Case, text: str) -> list[str]:
    """The numbers in a refusal that the person did not say."""
    message = numbers(" ".join(case.turns))
    return [number for number in numbers(_without_choices(text)) if number not in message]


def _without_choices(text: str) -> str:
    """What is said without lists of columns or values, whose names may hold digits."""
    return CHOICES.sub("", re.sub(r"\dつ", "", QUOTED.sub("", plain(text))))


def language_fault(case: Case, answer: Answer) -> str:
    """An answer in words speaks the language of the question, whatever the table's language is. Empty when it does."""
    text = QUOTED.sub("", key_words(answer.text))
    english = len(re.findall(r"[A-Za-z]{2,}", text)) >= 3
    if case.lang == "ja" and english and not re.search(r"[\u3040-\u9fff]", text):
        return "the answer is not in Japanese"
    if case.lang == "en" and not english and HIRAGANA.search(text):
        return "the answer is not in English"
    return ""
