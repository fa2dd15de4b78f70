"""Phrases that say when an answer is wanted again ("every Monday at 9"): they do not belong to the question.

The page reads them, too (`asked-times.js`), and offers a watch. Only phrases with a time of day: "every month" may group rows.
"""

import re

_EN = re.compile(
    r",?\s*\b(?:every|each)\s+(?:day|morning|evening|weekday|workday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"\s+at\s+\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?\b|o'clock)?\s*,?\s*",
    re.IGNORECASE,
)
_SEND_EN = re.compile(r"^\s*(?:please\s+)?(?:send|mail|e-?mail)\s+me\s+", re.IGNORECASE)
_JA = re.compile(
    r"毎(?:日|朝|晩|平日|週[月火水木金土日](?:曜日?)?|月\d{1,2}日)の?(?:午前|午後|朝|夕方)?\d{1,2}(?:時(?:半|\d{1,2}分)?|:\d{2})に、?"
)
_SEND_JA = re.compile(r"を?(?:メールで?)?(?:送って|送信して|通知して)(?:ください|下さい|ほしい)?")


def without_schedule(text: str) -> str:
    """Return a request without the times at which it is to be answered again; others are returned unchanged."""
    if _JA.search(text):
        return _SEND_JA.sub("を表示して", _JA.sub("", text)).strip()
    if not _EN.search(text):
        return text
    return _SEND_EN.sub("", _EN.sub(" ", text).strip()).strip() or text
