"""Everyday English sayings and how the grammar says them: whom money came in from, what stands out, whose names are wanted.

A saying rewrites how something is asked, never what it is asked about. They are applied before the shorter `paraphrases`.
"""

_SHOW = r"(?:(?:please |pls |can you |could you )?(?:give|show|tell|get|list|fetch|find|print|return)(?: me| us)? )?"
_MONEY = r"(?:money|cash|revenue|income|takings|dough)"
_IN = r"(?:br(?:ought|ings?|inging) in|pull(?:ed|s)? in|rak(?:ed|es) in|took in|takes in)"
_EARN = r"(?:made|makes|earned|earns|generated|generates|took|takes|raised|raises|grossed|produced|got|gets)"
_US = r"(?: us| me)?"
_MANY = "most|fewest|least|highest|lowest|largest|biggest|smallest|greatest|longest|shortest|busiest"
_SEES = (
    "sees|saw|has seen|gets|got|draws|drew|attracts|attracted|pulls in|pulled in|racks up|racked up|boasts|has had|gives|gave"
    "|enjoys|enjoyed|experiences|experienced|notches up|clocks up|clocked up|commands|fetches|fetched|shows|showed"
    "|ends up with|yields"
)
_UP = (
    "highest|largest|biggest|most|dearest|priciest|most expensive|longest|oldest|heaviest|tallest"
    "|high|big|large|greatest"
)
_DOWN = "lowest|smallest|least|fewest|cheapest|least expensive|shortest|youngest|lightest|low|small"
_YES_NO = r"\(?(?:yes ?/ ?no|y ?/ ?n|yes (?:or|and|vs\.?|versus) no)\b\)?"
_APART = (
    r"by how much(?: (?:do|does|did) .*)?|how much (?:more|less|higher|lower)|what(?:'s| is| was) the (?:average )?"
    r"difference(?: in (?:the )?(?:average|mean)s?)?"
)
_OVERALL = "(?: overall| in total| altogether| in all)?"
_ODD = r"(?:odd|weird|strange|unusual|abnormal|suspicious|freak|implausible|oddball|crazy)"
_OFF = (
    r"(?:(?:way |far |really |completely |totally |clearly |well |very |quite |so |much )*"
    r"(?:out of (?:line|whack|the ordinary)|off the charts?|(?:un|ab)usually (?:high|low|large|small|big|long)"
    r"|unusual|abnormal|odd|weird|strange|suspicious|off|different|higher|lower|bigger|larger)"
    r"(?: (?:with|from|to|than|compared (?:to|with)) (?:the |all (?:the )?)?(?:rest|others?|norm|usual)\b[^?.!]*)?)"
)
_KNOWN = (
    r"(?:filled[- ]in|entered|recorded|noted|noted down|listed|logged|on record|on file|written down"
    r"|specified|stated|provided|given|put in|captured|set|registered|assigned)"
)
_MISSING = r"(?:is|are|was|were|has|have|had|'s)"
_INFO = (
    r"(?:some |any |any of )?(?:the |its |their )?(?:info|information|data|details?|values?|anything"
    r"|something|fields?|entries)"
)
_SUM = r"(\d[\d,]*(?:\.\d+)?k?)(?![\d,]|\.\d)"
_UNCUT = r"(?:(?!\b(?:by|per|each|every)\b).)+?"
_MONEYED = r"\d[\d,]*(?:\.\d+)?k?(?: (?:dollars|pounds|euros))?"
_HOLDS = (
    "cost|costs|costing|priced|priced at|aged|ages|weighing|weigh|weighed|lasting|lasted|took|taking|scoring|scored"
    "|paid|paying|worth"
    "|spent|had|has|have|having|with|earning|earn|of"
)

_AXIS = r"(?!with\b)[\w-]+(?: (?!with\b|and\b|as\b|in\b|on\b)[\w-]+){0,2}?"
_WHEN = r"(?=\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)"
_SIZES = (
    ("weight", "heavy", "heaviest", "lightest"),
    ("age", "old", "oldest", "youngest"),
    ("height", "tall", "tallest", "shortest"),
)
"""What somebody is asked of who has most of it: `how old is the oldest animal` asks for an age, of no kind of animal."""

_SPAN = r"(?=(?:19|20)\d\d\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|q[1-4]\b)"
_SOLD = r"(?:best|top)[- ]selling"

_COMES_UP = "(?:come|came|crop|cropped|show|showed|shown|turn|turned|pop|popped|pops)s?"

SAYINGS: tuple[tuple[str, str], ...] = (
    (
        r"^((?:(?!\b(?:by|per|each|every|sort|sorted|order|ordered|rank|ranked|average|avg|mean|median|total|sum|number"
        r"|count)\b).)+?),? "
        r"(longest|shortest|heaviest|lightest|tallest|cheapest|dearest|priciest|most expensive|least expensive) (?:ones? )?"
        r"first(?=[?.! ]*$)",
        r"list \1 by \2",
    ),
    (
        r"^(?:is|are|was|were) (?:a |an |any |the |our |its )?([\w ]+?) (?:missing|blank|empty|unknown|not filled in"
        r"|not recorded|left blank) (?:for|in|on|from|of|at) (?:any|some|one)(?: of)?(?: the| our)? (\w+)[?,;.]+ *"
        r"(?:if so,? )?(?:and )?(?:for |in )?(?:which|what|whose)(?: (?:ones?|\w+))?"
        r"(?: (?:is|are|was|were) (?:it|that|they))?[?.! ]*$",
        r"which \2 has no \1",
    ),
    (
        rf"^(?:what|which) ((?:[\w-]+ )?[\w-]+) (?:has |have )?{_COMES_UP} up (?:the )?(most|least)(?: often| frequently)?\b",
        r"\2 common \1",
    ),
    (r"\bleast busy (?=[a-z])", "quietest "),
    (r"\boutliers? in (?=(?:the )?[a-z])", "outliers of "),
    (r"\bas (?:a )?lines?(?=[?.! ]*$)", "as a line chart"),
    (r"\bas bars(?=[?.! ]*$)", "as a bar chart"),
    (r"\b(?:further|farther) than (?=\d[\d,.]* ?(?:km|kilomet\w+|miles?|met(?:re|er)s?|m)\b)", "more than "),
    (r",? going by (?=(?:the |their |its |our )?[a-z])", " by "),
    (rf"\b(?:after|since|from) the end of {_SPAN}", "after "),
    (rf"\b(?:until|till|up to|by|before) the end of {_SPAN}", "until "),
    (
        r"\b(rolling|moving) (mean|average|median|total|sum) (of .+?) (?:over|across) (?:the last |every |each |any )?"
        r"(\d+|two|three|four|five|six|seven) (?!second|minute|hour|day|week|month|quarter|year|point|period)[a-z]+",
        r"\4-row \1 \2 \3",
    ),
    (
        r"^what (?:do|does|did) (?:all (?:of )?)?(?:the |our |my )([^?.!,]+?) cost(?: us| me)?"
        r" (?:in total|altogether|all together|overall|in all)(?=[?.! ]*$)",
        r"how much did all the \1 cost in total",
    ),
    (
        r"^(?:and |ok |now )*(just|only) what ((?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?) "
        r"(?:paid|spent|bought|sold|made|did|earned|took|ordered)(?: for)?(?=[?.! ]*$)",
        r"\1 \2",
    ),
    (
        rf"^(?:(?:what|which)(?:'s|s| is| was) )?(?:the |our |my )?{_SOLD} (\w+(?: (?!of|in|from|by|and)\w+)?)"
        r"((?: (?:in|from) [\w ]+?)?)(?:,? and how many(?: (\w+))? (?:did (?:it|they) sell|were sold|has it sold|it sold))?"
        r"(?=[?.! ]*$)",
        r"which \1 sold the most \3\2",
    ),
    (r"\bwho'?s (?=missing|lacking|without|got|the|in|on|over|under|been|not|still|at|with)", "who is "),
    (r"\bwhats\b", "what is"),
    (r"(?<=\w) in a row(?=[ ?.!,]*$| (?:did|do|does|have|has|were|was|without|with)\b)", " consecutively"),
    (r"\bin ((?:19|20)\d\d) to ((?:19|20)\d\d)\b", r"from \1 to \2"),
    (r"^(?!which|what|who)(.+?)(?: ?[:,;?–-] ?|, )which (?:ones?|are they|one is it)[?.! ]*$", r"which \1"),
    (r"\b(?:over|through|across) the (?:years|months|weeks)\b(?! (?:of|from|between|since|\d))", "over time"),
    (r"\b(how (?:much|many)(?: \w+)?) have (i|we|they|you|he|she)\b", r"\1 did \2"),
    (
        r"\b(longer|more|less|shorter|over|under|within|than|about|exactly)( than)? an? "
        r"(hour|minute|day|week|month|year|mile|kilo)\b",
        r"\1\2 1 \3",
    ),
    (
        r"\bhow much time (?:(?:did|do|does|have|has|was|were|is) )?(?:(?:we|i|they|you|people|was|were) )?"
        r"(?:spend|spent|take|took|use|used|lose|lost)\b",
        "total time",
    ),
    (r"\bwith (?:the |a |an )?(\w+) (?:vs\.?|versus|and|or|compared (?:to|with)) without\b(?: (?:it|one|the \1))?", r"by \1"),
    (r"\b(?:for (?:those |rows )?)?(?:with (?:and|vs\.?|versus)|both with and) without (?:an? |the |any )?(?=[a-z])", "by "),
    (r"^what (?:do|does|did) (.+?) (?:add|come|amount|sum) (?:up )?to(?= (?:in|for|by|per|from)\b|[ ?.!]*$)", r"total of \1"),
    (
        r"\bfrom (?:one|each|every|a) (month|week|day|year|quarter) to the (?:next|other|following)(?: one| \1)?\b",
        r"from \1 to \1",
    ),
    (r"\b(on )?(which|what) date (?=(?:did|had|has|was|were|do|does|saw|is)\b)", r"\1\2 day "),
    (r"\bunder (?=(?:warranty|guarantee|contract)\b)", "with "),
    (r"\b(?:the )?usual (?=\w)", "typical "),
    (r"\bw(?:h)?ich\b|\bwhch\b", "which"),
    *(
        (
            rf"^(?:and )?(?:what(?:'s|s| is| was) )?(?:the )?{noun} of (?:the |our )?{best} (?=\w)"
            rf"|^(?:and )?how {how} (?:is|was) (?:the |our )?{best} (?=\w)",
            f"{figure} {noun} of any ",
        )
        for noun, how, highest, lowest in _SIZES
        for best, figure in ((highest, "maximum"), (lowest, "minimum"))
    ),
    (r"\b(can|could|would|will) u\b", r"\1 you"),
    (
        r"\b(under|over|below|above|less than|more than|at least|at most|up to|around) (\d[\d,.]*) grand\b",
        r"costing \1 \2 thousand",
    ),
    (r"\b(\d[\d,.]*) grand\b", r"\1 thousand"),
    (
        r"\b(reported|ordered|booked|placed|made|came|come|bought|paid|sold|received|submitted|filed|sent|contacted|registered"
        r"|signed up|arrived|raised|logged|opened)(?: in)? (?:through (?:the |our |an? )?(?!year|month|week|day|season|summer"
        r"|winter|spring|autumn|night|\d)|over the (?=phone\b|counter\b|internet\b|web\b))",
        r"\1 via ",
    ),
    (r"\b(\w{3,}est|highest|lowest|most expensive) (?:single|individual|one-off) (?=[a-z])", r"\1 "),
    (
        rf"(?:,? (?:with|using|and))? (?:the )?({_AXIS}) (?:as|in|on|down)(?: the)? (?:rows?|side|index),?"
        rf" (?:and|by|against|vs\.?)? ?(?:the )?({_AXIS}) (?:as|in|on|across|along)(?: the)? (?:columns?|top)(?=[?.! ]*$)",
        r" by \1 and \2",
    ),
    (
        rf"(?:,? (?:with|using|and))? (?:the )?({_AXIS}) (?:as|in|on|across|along)(?: the)? (?:columns?|top),?"
        rf" (?:and|by|against|vs\.?)? ?(?:the )?({_AXIS}) (?:as|in|on|down)(?: the)? (?:rows?|side|index)(?=[?.! ]*$)",
        r" by \2 and \1",
    ),
    (rf"\b(?:on|at|from|in)(?: or |/)(?:after|later than|since)(?: the)? {_WHEN}", "since "),
    (rf"\b(?:on|at|by|in)(?: or |/)(?:before|prior to|earlier than)(?: the)? {_WHEN}", "until "),
    (rf"\b(?:no|not) (?:any )?(?:earlier than|before)(?: the)? {_WHEN}", "since "),
    (r"\b(?:from |of |in )?((?:19|20)\d\d) or (?:newer|later|after|onwards?)\b", r"since \1"),
    (r"\b((?:by|per|whether) [a-z][\w ]*?) or not(?=[ ?.,!]*$)", r"\1"),
    (r"\b(weekends?|weekdays?) ?\((?:sat|sun|mon|fri)[^)]*\)", r"\1"),
    (r"\b(?:summed|totalled|totaled|added)(?: up)? (?:over|across)\b", "in total for"),
    (r"(?<=\w)(?:'s| is| would be| will be) (?:fine|ok|okay|enough|good enough)(?=[ ?.!]*$)", ""),
    (r",? (?:just )?(?:give|show|tell) me the (?:correlation )?coefficient(?: please| pls)?", ""),
    (
        r"^(?:is|are) (?:there )?any ([a-z]+(?: [a-z]+)?) (?:missing|blank|empty|not filled in)\? ?(?:if so,? )?(?:and )?"
        r"(?:which|what|whose|for which) ?(\w*)[?.! ]*$",
        r"which \2 has no \1",
    ),
    # names that are wanted
    (
        rf"^{_SHOW}(?:the |all (?:the )?)?(?:names?|titles?) of (?:all |every |each |any )?(?:the |our |those )?"
        r"(?=.* (?:that|who|which|with|without|whose|where)\b)",
        "which ",
    ),
    (
        r"^name (?:me )?(?:all |every |each )?(?:the |those )?(?=.* (?:that|who|which|with|without|whose"
        r"|where)\b)",
        "which ",
    ),
    (
        r"^how many (.+?)\? ?(?:and )?(?:please )?(?:name|list|show) (?:them|those|it)(?: all)?(?: please"
        r"| pls)?[?.!]*$",
        r"which \1",
    ),
    (
        r"[,.;?]? (?:and |then |please |pls |can you )*(?:name|list) (?:them|it|those|these)(?: all)?(?:"
        r" please| pls)?[?.! ]*$",
        "",
    ),
    # is there any? which one?
    (
        rf"^(?:(?:is|are|was|were) (?:there )?)?any (?:of the )?\w+ (?:where|whose|with|in which) (?:the "
        rf"|an? )?([^?]+?) (?:is |are |was |were |that is |that are |looks? |seems? |being )"
        rf"{_OFF}(?=[?.!]|$)(?:\? ?(?:which|what|who)\b[^?]*)?[?.! ]*$",
        r"outliers in \1",
    ),
    (
        rf"^(?:(?:is|are|was|were) (?:there )?)?any (?!outliers?|anomal|missing|blank"
        rf"|empty)([^?]*?{_MISSING} missing |[^?]*?\b(?:without|missing|with no|that|who|where|lacking)"
        rf" )([^?]+)\? ?(?:if so,? )?(?:which|what|who)\b[^?]*\?*$",
        r"which \1\2",
    ),
    # what is unusual
    (
        rf"\b{_ODD}(?:ly (?:high|low|large|small|big|long|short))?(?:[- ]looking)? (?:values?|readings?"
        rf"|numbers?|figures?|entry|entries|results?|ones) (?=in|of|for|among)",
        "outliers ",
    ),
    (rf"^((?:is|are) there )?any {_ODD} (?=\w+(?: \w+)?[?.! ]*$)", "any outliers in "),
    (r"\b(?:anything|any|values|something) (?:that )?(?:stick|stand)(?:s|ing)? out (?=in|for|of)", "outliers "),
    # what is not there
    (
        rf"^(how many \w+ (?:have|has|had|with)) (?:no|without|without an?|without any) "
        rf"((?:\w+ ){{1,3}}?){_KNOWN}(?=[ ?.!]*$)",
        r"\1 missing \2",
    ),
    (rf"\b(no|without|without an?|without any) ((?:\w+ ){{1,3}}?){_KNOWN}(?=$|[ ?.,!])", r"\1 \2value"),
    (
        rf"\b(?:where|whose) (?:the |no )?((?:\w+ ){{1,3}}?)(?:(?:is|was|has|have|were|are)(?: not|n't)"
        rf" (?:been )?{_KNOWN}|(?:is|was|were) (?:left )?(?:blank|empty|missing))(?=$|[ ?.,!])",
        r"without \1",
    ),
    (
        rf"\bwho (?:is|are|has|was|were) (?:missing|lacking) (?!{_INFO}\b)(?:an?|the|their|his|her|any)?"
        rf" ?(?=\w)",
        "who has no ",
    ),
    (rf"\b(?:is|are|was|were) (?:missing|lacking) (?!{_INFO}\b)(?:an?|the|its|their|his|her|any) (?=\w)", "without "),
    # money that came in
    (rf"\b(?:{_IN}|{_EARN}){_US} (?:the )?(?:most|highest|biggest|largest) {_MONEY}\b", "has the highest takings"),
    (rf"\b(?:{_IN}|{_EARN}){_US} (?:the )?(?:least|lowest|smallest) {_MONEY}\b", "has the lowest takings"),
    (rf"\bspen[dt]s? (?:the )?most {_MONEY}\b", "has the highest spent"),
    (rf"\bspen[dt]s? (?:the )?least {_MONEY}\b", "has the lowest spent"),
    (rf"\b{_IN}{_US} (?:the )?most(?=[?.! ]*$)", "has the highest takings"),
    (rf"\b{_IN}{_US} (?:the )?least(?=[?.! ]*$)", "has the lowest takings"),
    (
        rf"\bhow much (?:{_MONEY} )?(?:do|did|does) (.+?) (?:bring|pull|rake|take) in(?=[?.!, ]*$| (?:from"
        rf"|on|last|this|per|by|each|every|overall|in|during|for|through)\b)",
        r"total takings of \1",
    ),
    (rf"\bhow much (?:{_MONEY} )?(?:has|have|had) (.+?) (?:brought|pulled|raked|taken) in\b", r"total takings of \1"),
    (
        rf"\bhow much {_MONEY} (?:do|did|have|has) (?:we|i|they) (?:make|made|take|taken|earn|earned|get"
        rf"|got|collect|collected|gross)\b",
        "total takings",
    ),
    (
        r"\b(?:owes?|owing)(?: (?:me|us))?(?: (?:any )?(?:money|rent|anything|something|cash))?(?=[?.!"
        r" ]*$)",
        "with owed",
    ),
    (r"\b(?:quick|brief|short|rough|little) (?=summary\b|overview\b|description\b|run-?down\b)", ""),
    (r"\bwithin (?=(?:each|every)\b)", "for "),
    (
        r"[?.!;]+ *(?:and )?what(?:'s| is| was) the (?:exact |actual )?(?:number|figure|value|coefficient)"
        r"(?: please| pls| then| there)?[?.! ]*$",
        "",
    ),
    (
        r"^(?:what(?:'s| is| was) )?(?:the )?(\w+est [a-z][\w ]*?)[,;?.]+ *(?:and )?which (?:one|of them|ones)"
        r"(?: (?:is|was|are|were) (?:it|that|they))?[?.! ]*$",
        r"which is the \1",
    ),
    (
        r"\bheat ?map of (?:the )?([\w ]+?), (?:with )?(\w+(?: \w+)?) (?:by|vs\.?|against|x|versus) (\w+(?: \w+)?)"
        r"(?=[?.! ]*$)",
        r"heatmap of \1 by \2 and \3",
    ),
    (r"\bweek (?:beginning|commencing|from)(?: on)?\b", "week starting"),
    # people are those whose rows they are
    (
        r"\bhow (far|long|often|fast) (do|did) (?:people|ppl|folks?|everyone|everybody|we|they) (?:usually |typically )?"
        r"(?:spend|stay)\b(?! (?:with|at the same))",
        r"how \1 \2 we stay",
    ),
    (r"\bhow (far|long|often|fast) (do|did) (?:people|ppl|folks?|everyone|everybody) (?=[a-z])", r"how \1 \2 we "),
    # the figure that ranks, asked for once more
    (
        rf"^((?:who|which|what)\b.*?\b(?:{_MANY})\b [^,?]+?),? and how (?:many|much)"
        rf"(?: (?:was|were|is|are) (?:it|that|there|they)| (?:did|does|do) (?:they|he|she|it) (?:have|do|get|work))?[?.! ]*$",
        r"\1",
    ),
    # two sides, asked about and then how far they are apart
    (
        rf"^(?:and |so )?(?:do|does|did|are|is) (?:the )?([\w -]+?) (?:\w+ )??(?:more|less|fewer|higher|lower) ([\w -]+?)"
        rf"(?:,? on average)?(?: or not)?[?.,;]+ *(?:and |if so,? )?(?:by )?(?:{_APART})(?: on average)?[?.! ]*$",
        r"difference in average \2 by \1",
    ),
    (
        r"\bhow (?:many|much) (?:more|fewer|less) ([\w -]+?)(?: on average,?)? (?:did|do|does) (?:the )?(?:\w+ )?"
        r"(?:that|who|which) (?:did|do|does)(?: not|n't) (\w+) (?:\w+ )?than (?:the )?(?:ones?|those|others?|\w+)"
        r"(?:(?: that| who| which) (?:did|do|does))?(?: on average)?(?=[?.! ]*$)",
        r"difference in average \1 by \2",
    ),
    # yes and no of a column are what it is cut by; what an abbreviation in brackets stands for says it twice
    (rf"\b(?:by|per|each|of) ((?:[a-z]+ ){{0,2}}?[a-z]+) {_YES_NO}", r"by \1"),
    (rf"\b(by|per|each)\b(.*?)(?:,| and) ((?:[a-z]+ ){{0,2}}?[a-z]+) {_YES_NO}", r"\1\2 and \3"),
    (
        r"\b(?:(?:did|do|does|was|were|is|are)(?: not|n't)|never|not) \w+(?: \w+)? \(((?-i:[A-Z]{2,5}))\)",
        r"\1",
    ),
    (r"[?.,;!:]+ *(?:and |please )?(?:count|treat|take) \w+ as (?:one|a single)(?: \w+)?[?.! ]*$", ""),
    # which of them
    (
        rf"\b(which|what) ((?:\w+ ){{1,2}}?)(?:{_SEES}){_US} (?:the |in the )?(?=(?:{_MANY})\b(?!{_OVERALL}[?.! ]*$))",
        r"\1 \2has the ",
    ),
    (r"\b((?:scor|rat|mark|grad|point|star)\w*\b[^,?.]*?\b\d+(?:\.\d+)?)(?: stars?| points?)? or better\b", r"\1 or more"),
    (r"\b((?:scor|rat|mark|grad|point|star)\w*\b[^,?.]*?\b\d+(?:\.\d+)?)(?: stars?| points?)? or worse\b", r"\1 or less"),
    (r"\b(?:going|heading|bound) (to|for) (?:the )?(?=(?-i:[A-Z]))", "to "),
    # in order
    (r"\b(?:in|put in) order of\b", "sorted by"),
    (
        r",? ?\b(?:from )?(?:the )?(fastest|quickest|slowest) to (?:the )?(?:slowest|fastest|quickest)\b",
        r" sorted \1 first",
    ),
    (rf",? \b(?:from )?(?:the )?(?:{_UP}) to (?:the )?(?:{_DOWN})\b", " sorted descending"),
    (rf",? \b(?:from )?(?:the )?(?:{_DOWN}) to (?:the )?(?:{_UP})\b", " sorted ascending"),
    # times of the day
    (r"\b(\d{1,2}(?:[:.]\d\d)?)(?: ?o'?clock)? in the morning\b", r"\1 am"),
    (r"\b(\d{1,2}(?:[:.]\d\d)?)(?: ?o'?clock)? (?:in the (?:afternoon|evening)|at night)\b", r"\1 pm"),
    (r"\b(\d{1,2}) ?o'?clock\b", r"\1:00"),
    (r"((?:half|quarter)(?: of)?(?: \d{4})?) ?\([^)]*\)", r"\1"),
    # amounts of money, from one to another
    (rf"\$ ?{_SUM}", r"\1 dollars"),
    (rf"£ ?{_SUM}", r"\1 pounds"),
    (rf"€ ?{_SUM}", r"\1 euros"),
    (r"\b(\d[\d,.]*k?) quid\b", r"\1 pounds"),
    (r"\b(\d[\d,.]*k?) bucks\b", r"\1 dollars"),
    (rf"\b({_HOLDS}) (?:from )?({_MONEYED}) to ({_MONEYED})\b", r"\1 between \2 and \3"),
    # of all, without
    (
        r"\bas (?:a )?(?:percent(?:age)?|per cent|pct) of (?=(?:the |its |our )?(?:\w+ )?(?:total|whole|sum)\b)",
        "as a share of ",
    ),
    (
        rf"^(?:what(?:'s| is| are| was| were) )?(?:the )?(?:total )?({_UNCUT} (?:for|of|from|to){_UNCUT}),?"
        r" as an? (?:share|part|fraction|proportion) of (?:the |our )?(?:\w+ )?(?:total|whole)([?.! ]*)$",
        r"share of the total \1\2",
    ),
    (r"\b(?:over|across) all (?:of )?(?:the |our )?(?=[a-z])", "of all "),
    (r"\b(?:if|when|once) (?:you|we|i) (?:leave|take|took|left|cut|strip) out (?=\w)", "excluding "),
    (
        r"\b(?:if|when|once) (?:you|we|i) (?:ignore|exclude|skip|drop|omit|remove|disregard|discount"
        r"|forget|don't count) (?=\w)",
        "excluding ",
    ),
    (
        r"\b(?:not counting|ignoring|skipping|disregarding|discounting|setting aside|omitting|leaving"
        r" aside|without counting|don't count) (?=\w)",
        "excluding ",
    ),
    (r"(\d ?%|\d percent) (?:full|occupied|booked|sold)\b", r"\1 occupancy"),
)  # fmt: skip
