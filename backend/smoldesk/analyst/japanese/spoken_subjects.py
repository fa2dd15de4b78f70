"""School subjects said together: 3教科の合計, 全科目80点以上, 数学の点数."""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.words.text import name_words, tidy

Rule = tuple[re.Pattern[str], str]
_SUBJECTS = frozenset(
    ("国語", "数学", "英語", "理科", "社会", "算数", "物理", "化学", "生物", "地理", "歴史", "公民", "音楽", "美術",
     "体育", "古文",
     "情報", "技術", "家庭", "図工", "地学", "倫理", "japanese", "math", "maths", "english", "science", "history", "geography",
     "physics", "chemistry", "biology", "music", "art")
)  # fmt: skip
_BRACKETS = re.compile(r"[(（\[［].*?[)）\]］]")
_NUMBERS = {2: "2二両", 3: "3三", 4: "4四", 5: "5五"}


def subjects(table: TableInfo) -> Iterator[Rule]:
    """The patterns for a table of marks; none for others."""
    named = [
        tidy(column.name)
        for column in table.columns
        if column.kind == "number" and "".join(name_words(column.name)) in _SUBJECTS
    ]
    if not named:
        return
    spoken = [*named, *(bare for name in named if (bare := _BRACKETS.sub("", name).strip()) not in named)]
    one = "(?:" + "|".join(map(re.escape, spoken)) + ")"
    yield re.compile(rf"({one}(?:(?:と|、|・){one})*)の?(?:点数|得点|点|スコア|成績)(?![一-龥以未])"), r"\1"
    yield re.compile(rf"({one})の?(平均|最高|最低)点(?!数)"), r"\1の\2"
    yield re.compile(r"(?<=[、と])(平均|最高|最低)点(?=[、とはを。?？]|の差|$)"), r"\1"
    yield re.compile(rf"({one}(?:(?:と|、|・){one})+)の?(?:[2-5二三四五両]|全)(?:教科|科目)"), r"\1"
    if not 2 <= len(named) <= 5:
        return
    all_of = rf"(?:[{_NUMBERS[len(named)]}]|全|すべての|全ての|全部の)(?:教科|科目)"
    whole = "(?:とも|すべて|全て|全部|みんな|いずれも)"
    bound = r"(\d+(?:点)?(?:以上|以下|未満|を?超え?る?|より(?:上|下|高い|低い)))"
    yield (
        re.compile(rf"{all_of}{whole}?(?:で|が|の点数が)?{bound}"),
        "で".join(rf"{name}が\1" for name in named),
    )
    each = "相関|平均|中央値|標準偏差|分散|最高|最低|最大|最小|ヒートマップ|ペアプロット|散布図行列|箱ひげ|基本統計"
    yield (
        re.compile(rf"{all_of}(?:それぞれ)?の(?=(?:{each}))(平均|最高|最低)?点?"),
        "と".join(named) + r"の\1",
    )
    yield re.compile(rf"{all_of}(?:の)?(?:合計点?|総合点?|総得点)"), " + ".join(named) + " "
