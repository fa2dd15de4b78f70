"""Words and shapes of prompts, in English and Japanese. Patterns alone; see prompt_rules.

Patterns apply to one line of at most LONGEST characters, after NFKC: full-width brackets, colons and question marks are
ASCII by then.
"""

import re

# Characters read at the end of a line. The limit also bounds the time of the regular expressions.
LONGEST = 400

YES = frozenset({"y", "yes", "はい", "ok", "true"})
NO = frozenset({"n", "no", "いいえ", "cancel", "false"})


def _any(*alternatives: str) -> str:
    return "|".join(alternatives)


# Words for secrets, whose input is hidden.
SECRET = re.compile(
    r"(?<![^\W_])(?:"
    + _any(
        r"pass ?(?:word|phrase|code)",
        r"pin(?: code| number)?",
        r"(?:secret|private|encryption|api|license)[ _-]key",
        r"secret(?: access[ _-]key)?",
        r"(?:[a-z0-9]+ )?token",
        r"(?:verification|security|authentication|one-time|2fa|otp|auth) code",
        r"otp",
    )
    + r")(?![^\W_])|パスワード|パスフレーズ|パスコード|暗証番号|秘密鍵|トークン|シークレット|(?:認証|確認)コード|API ?キー",
    re.I,
)
# Text allowed between such a word and the end of the line.
AFTER_SECRET = re.compile(
    r"\s*(?:\([^()]*\)\s*|\[[^\[\]]*\]\s*)*"
    r"(?:(?:for|of|to|on|again|here)\b.*|(?:の(?:確認|再入力)|を)?(?:もう一度)?(?:再?入力)?(?:して)?(?:ください|下さい)?(?:\([^()]*\))?)"
    r"\s*[:>]\s*",
    re.I,
)
JAPANESE_SECRET_REQUEST = re.compile(r"を?(?:もう一度)?再?入力(?:して)?(?:ください|下さい)[.。]?\s*")

# Beginnings of lines that report something and ask nothing: log levels, notebook cells, "Installing ...".
LOG_LEVEL = re.compile(
    r"(?:\W*\b(?:error|warn|warning|note|notice|info|debug|trace|fatal|critical|hint|tip|in|out|step|example|usage)\b)"
    r"|(?:\w+ing\b)|(?:エラー|警告|注意|例|手順)",
    re.I,
)

PRESS_KEY = re.compile(
    r"(?:^|[.!,\-(\[]\s*|\b(?:please|then)\s+|^to \w[^,]{0,60},?\s+)(?:press|hit|push|strike)\s+(?:the\s+)?"
    r"[<\[\"']?(?:enter|return|any key|a key|space(?:\s?bar)?)\b[^.]{0,80}[\s.:)\]…]*$",
    re.I,
)
PRESS_KEY_JAPANESE = re.compile(
    r"(?:Enter|エンター|リターン|Return|何か|なにか|任意の|いずれかの|スペース)\s*の?キーを?押(?:して(?:ください|下さい)|す|すと続行します)?[\s.:。]*$",
    re.I,
)
# Last line of a pager: more, less, git log, man.
PAGER = re.compile(
    r"--\s?(?:More|続ける)\s?--.{0,40}|.{0,200}\(END\)|:|lines \d+-\d+.{0,40}|.{0,200}\(press h for help or q to quit\)",
    re.I,
)

_POLAR_WORDS = """
do does did are is was were would should shall can could may will have has continue proceed overwrite replace delete
remove erase install uninstall retry abort quit exit save create accept agree allow apply confirm enable disable keep
skip update upgrade reset restart terminate ok okay ready really sure commit push merge publish run execute open send
submit start stop ignore trust add include download descend write discard reinstall reload
"""
# Yes-no questions.
POLAR = re.compile(
    rf"\W*(?:{'|'.join(_POLAR_WORDS.split())}|try again|go on|go ahead)\b[^?]{{0,300}}\?", re.I
)
POLAR_JAPANESE = re.compile(r"(?:ます|です|ません|しょう|よろしい|宜しい|いい|良い|よい)か\s*[?:.。]?\s*$")
OPEN_JAPANESE = re.compile(r"何|なに|どれ|どの|どこ|どちら|誰|だれ|いつ|いくつ|いくら")
OPEN = re.compile(r"\W*(?:what|which|where|who|whom|whose|how|when|why)(?:'s)?\b[^?]{0,300}\?", re.I)

# Words of a line that asks for one of the choices above it.
CHOOSE = re.compile(r"\b(?:select|choose|pick|choice|selection|option)\b|番号|選択|選んで|選び|^\W*#\?", re.I)
ASKS_FOR = re.compile(
    r"\W*(?:please\s+)?(?:(?:enter|input|choose|select|pick)\b"
    r"|(?:type|provide|specify|give|paste|supply|write)\s+(?:in\s+)?(?:a|an|the|your|one|some|any|new|['\"]))"
    r"(?!.*\b(?:following|below|these|lines?\s+above)\b).{0,300}[:>]",
    re.I,
)
ASKS_FOR_JAPANESE = re.compile(
    r"(?:入力|指定|記入|選択|貼り付け|選ん|教え)(?:して|で|て)?(?:ください|下さい)\s*(?:\([^()]*\)|\[[^\[\]]*\])?\s*[:>.。]?\s*$"
    r"|(?:入力|番号|選択)\s*[:>]\s*$"
)
_NOUNS = """
name username login user e-mail email mail host hostname port url value input answer choice selection option title
description author license keywords address phone city country birthday age domain organization organisation company
nickname surname
名前 氏名 お名前 ユーザー名 ユーザ名 ユーザー メールアドレス 住所 電話番号 年齢 値 ホスト名 ポート ポート番号 件名 タイトル 説明
ファイル名 会社名 日付 金額 回答 答え
"""
# Last word before the colon of a line that asks for this value ("Project name:").
NOUNS = frozenset(_NOUNS.split())
NOUN_PAIRS = frozenset({"entry point", "test command", "git repository", "commit message", "your message"})
FOR_SOMETHING = re.compile(
    r"\W*(?:\w+ ){0,3}(?:username|login|user|account|e-?mail)\s+(?:for|on|at)\s.{1,200}:", re.I
)
# Number of a step before a question: "[2/4] slug (myproj):".
COUNTER = re.compile(r"\s*[\[(]\d{1,3}\s*/\s*\d{1,3}[\])]\s+(?=\S)")
# Name of a variable, which a template asks for.
IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")
# A question behind a sign, and the input field behind it: "? Name: demo", "[?] Name:".
FIELD = re.compile(r"(?:\?|\[\?\])\s+(\S.{0,200}?[?:])(?:\s+(.*))?")
# The same without the field: that is the row below.
ABOVE_FIELD = re.compile(r"\s{0,2}(?:\?|\[\?\]|[\u2600-\u27bf\U0001f300-\U0001faff])\s+\S.*")
# Prompts of shells, interpreters and debuggers: few words and a sign, dots of a line that goes on, a name in parentheses.
# Not: quoted mail, markup, comments, per cents.
READY = re.compile(
    r"(?!>+ \S|.*<|-->|.*\d%)(?:\S{1,60} ){0,3}\S{0,60}[>$#%❯›»λ✗✔]"
    r"|\.\.\.:?|\([\w%+.-]{1,20}\)|In \[\d+\]:"
)
SENTENCE = re.compile(r"(?<=[.!。])\s+|(?<=。)")
