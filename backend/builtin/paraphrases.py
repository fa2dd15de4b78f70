"""What people say, and how the grammar says it: contractions, courtesies and figures of speech, rewritten before anything is read.

A pattern rewrites how something is asked, never what it is asked about.
"""

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DONE = r"(?=\w*(?:ed|en|ut|ld|nt|pt|st|id|aid|one|own|ost)\b)"
"""What a past participle ends in."""
_EARNS = "(?:make|makes|made|earn|earns|earned|get paid|gets paid)"
_RAISES = (
    "(?:raise|raised|take|took|take in|took in|bring in|brought in|make|made|sell|sold|collect|collected)"
)
_OLDER = {"longer": "duration", "older": "age", "heavier": "weight", "taller": "height", "pricier": "price", "more expensive": "price",
    "hotter": "temperature", "warmer": "temperature", "faster": "speed", "later": "delay", "larger": "size", "bigger": "size"}  # fmt: skip
_ON_AVERAGE = r"((?: on average)?)(?=[?.! ]*$)"

ENGLISH: tuple[tuple[str, str], ...] = (
    # contractions typed without their apostrophe
    (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|ca|wo)nt\b", r"\1n't"),
    (r"\bppl\b", "people"),
    (r"\bwheres\b", "where is"),
    (r"\bhave(?: not|n't) they\b", "have they not"),
    # what was not done, and what is not there
    (rf"\b(?:has|have|had|was|were|is|are)(?: not|n't) (?:yet )?(?:been |be )?{_DONE}", "not "),
    (rf"\b(?:has|have|had|was|were) (?:never|yet to) (?:been |be )?{_DONE}", "not "),
    (r"\b(?:do|does|did)(?: not|n't) have (?:an?|any|the) ", "without "),
    (r"\b(?:do|does|did)(?: not|n't) have ", "without "),
    (r"\b(?:yet|at all|as of now|to date|at present|these days|for me|if you can|i think|tho|though|lol|btw)(?=[ ?.,!]*$)", ""),
    (r"\b(?:btw|hey|so|um|hmm|and now|well|right),? (?=how|what|which|who|show|give|plot)", ""),
    # numbers
    (r"(?<![\w.])(\d+(?:\.\d+)?)k\b(?! ?g|m)", r"\1 thousand"),
    *(
        (rf"\b(top|bottom|first|last|just the|only the|the) {word}(?= )(?! ?(?:of|with|that|which|who)\b)", rf"\1 {number}")
        for number, word in enumerate(_NUMBERS[1:], 2)
    ),
    # two sides compared
    (rf"\bhow much more (?:does|do|did) (?:the )?(.+?) {_EARNS} than (?:the )?(.+?){_ON_AVERAGE}", r"difference in average salary between \1 and \2"),
    (rf"\bhow much more (?:money )?did (?:we|they|it) {_RAISES} in (.+?) than (?:in )?(.+?)(?=[?.! ]*$)", r"difference in total amount of \1 and \2"),
    (rf"\bhow much more (?:does|do|did) (?:the |an? )?(.+?) cost than (?:the |an? )?(.+?){_ON_AVERAGE}", r"difference in average price between \1 and \2"),
    *(
        (rf"\bhow much {word} (?:is|are|was|were) (?:the |an? )?(.+?) than (?:the |an? )?(.+?){_ON_AVERAGE}", rf"difference in average {noun} between \1 and \2")
        for word, noun in _OLDER.items()
    ),
    (r"^(?:do|does|did|are|is) (\w+) or (\w+) (?:cost|priced) more(?: on average)?(?=[?.! ]*$)", r"which of \1 and \2 has the highest average price"),
    (r"^(?:do|does|did|are|is) (\w+) or (\w+) (?:earn|make|paid) more(?: on average)?(?=[?.! ]*$)", r"which of \1 and \2 has the highest average salary"),
    (r"\b(?:which|what) (?:\w+ )?(?:has|had|is|was) (?:the |a )?(?:high|bigg|great|larg)(?:er|est) (average|mean|median|total),? ?(?:\w+ )??(\w+) or (\w+)(?=[?.! ]*$)", r"highest \1 of \2 and \3"),
    # following up
    (r"^(?:but |and |ok |okay )?(?:leave out|ignore|drop|skip|forget) (?=\w)", "without "),
)  # fmt: skip

_HOLES = "(?:未回答|未入力|未記入|空欄|空白|欠損|入って(?:い)?ない|入力されて(?:い)?ない|書いて(?:い)?ない|記入されて(?:い)?ない|抜けて(?:い)?る|抜けて|空)"
_THINGS = "(?:人|行|もの|件|生徒|社員|会員|客|予約|注文|データ|レコード)"
_UNITS = "歳|年|円|点|分間?|時間|人|回|件|個|枚|冊|本|日|泊|km|kg|cm|m|g|%|℃|度"

JAPANESE: tuple[tuple[str, str], ...] = (
    # how much, how many
    (r"って(?=いくら|何[人件個回冊名枚台日歳]|いくつ|どれ|どこ|誰|だれ|どのくらい|どれくらい)", "は"),
    (
        r"(?:を|って)?(?:知りたい|教えて(?:ほしい|欲しい)?|見せて(?:ほしい|欲しい)?)(?:んだけど|んですが|のですが|です)?(?=[。?？!！]*$)",
        "",
    ),
    (r"(?:だと思いますか|なんだろう|だろう|でしょう)(?=[か。?？]*$)", ""),
    (
        r"(?:注文|購入|予約|取引|来店|利用|貸出|会計)?[1１一](?:件|回|人|名|個|枚|日|台|冊|泊|注文|取引)(?:あたり|当たり|につき)の?(?=平均)",
        "",
    ),
    # from, up to
    (rf"(\d+(?:\.\d+)?)({_UNITS})?(?:から|〜|～|-)(\d+(?:\.\d+)?)({_UNITS})?まで", r"\1\4以上\3\4以下"),
    # what is not there
    (rf"(?:が|の|は){_HOLES}(?:の|な)?(?={_THINGS}(?:は|って)?(?:誰|だれ|どれ|どの))", "がない"),
    (rf"が{_HOLES}(?:では|じゃ|で)な(?:い|かった)", "がある"),
    (rf"({_HOLES}) ?[(（]{_HOLES}[)）]", r"\1"),
    # two sides compared
    (
        r"と([^、。とで]+?)(?:で|では|とで)(?:、)?([^、。?？]+?)(?:は|が|って)?(?:どれ|どの|どん)(?:くらい|ぐらい|だけ|ほど)(?:違|ちが|差が|変わ)(?:う|い|って|った|あ)[^、。?？]*",
        r"と\1の\2の差",
    ),
    (
        r"([^、。はが]+?)(?:は|が)([^、。は]+?)より(?:も)?(?:の方が)?([^、。より]+?)が(平均で|平均)(?:いくら|どれくらい|どのくらい|どれだけ|何\w+?)(?:高|安|多|少な|長|短|大き|小さ|重|軽|低)(?:い|かった)[^、。?？]*",
        r"\1と\2の\3の平均の差",
    ),
    (r"([^、。もと]+?)も([^、。もと]+?)も(\d+[^、。の]*?(?:以上|以下|未満|超))", r"\1が\3で\2が\3"),
    # following up
    (r"(?:も|を)(?:同じように|同じく|同様に)(?:して|お願い|お願いします|出して)?(?=[。?？!！]*$)", "も"),
    (r"(?:に|で)?(?:絞って|絞ると|限ると|限定して|限定すると|しぼって|しぼると)(?=[。?？!！]*$)", "だけ"),
)
