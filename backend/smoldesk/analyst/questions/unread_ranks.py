"""一番かわいい車は: the adjective behind 一番 says what is ranked; one that nobody read is named."""

import re

from smoldesk.analyst.japanese.leftovers import words_of
from smoldesk.analyst.reading.draft import Draft

_MOST = re.compile("(?:一番|いちばん|最も|もっとも)$")
_KANJI = re.compile(r"[\u3400-\u9fff]")


def unread_rank(draft: Draft) -> str:
    """The adjective of a rank that no word of the request stands for; empty where there is none."""
    if draft.language != "ja":
        return ""
    for item in draft.items:
        if not item.is_cue("top") or not _MOST.search(item.mention.text):
            continue
        behind = words_of(draft.text[item.mention.end :])[:1]
        if behind and behind[0].kind in ("形容詞-自立", "名詞-形容動詞語幹"):
            first, last = item.mention.end + behind[0].start, item.mention.end + behind[0].end
            if not any(_reads(draft, at, first, last) for at in range(len(draft.items))):
                return draft.text[first:last]
    return ""


def _reads(draft: Draft, at: int, first: int, last: int) -> bool:
    """Whether an item stands for the word: か of かわいい does not."""
    mention = draft.items[at].mention
    said = draft.text[max(first, mention.start) : min(last, mention.end)]
    return len(said) > 1 or bool(_KANJI.search(said))
