"""The words of the grammar in both languages: what to compute, how to group, compare, plot, save, draw on the map.

Keys are `kind:value`; a reader asks a mention for the kinds it knows. Column and value words live in
the glossary.
"""
# ruff: noqa: E501 - lists of words read better in long lines, and kanji count double

CUES: dict[str, str] = {
    # --- what to compute
    "agg:mean": "average, averages, averaged, avg, avrg, mean, means, on average, 平均, 平均値, 平均的",
    "agg:median": "median, medians, typical, 中央値, メジアン, 中位数",
    "agg:sum": "sum, sums, total, totals, totalled, in total, altogether, 合計, 総計, 総額, 総数, 合計値, 合わせて",
    "agg:min": "min, minimum, 最小, 最小値, 最低, 最低値",
    "agg:max": "max, maximum, 最大, 最大値, 最高, 最高値",
    "agg:std": "std, std dev, std. dev, standard deviation, stdev, sd, 標準偏差",
    "agg:share": (
        "rate, rates, rate of, pct, share, shares, percentage, percentages, percent, proportion, proportions, fraction, ratio, %, "
        "割合, 率, 比率, パーセント, パーセンテージ, 構成比"
    ),
    "agg:quantile": (
        "quantile, quantiles, percentile, percentiles, quartile, quartiles, 四分位, 四分位数, パーセンタイル, 分位点, 分位数, パーセント点, "
        "パーセンタイル値"
    ),
    "agg:count": (
        "how many, hw many, hm, most common, most frequent, commonest, number of, numbers of, count, counts, counted, count of, no of, # of, volume of, how often, "
        "何件, 何人, 何行, いくつ, 人数, 件数, 行数, 数, 本数, 回数, 何個, 何回, カウント, レコード数, データ数"
    ),
    "agg:var": "variance, variances, 分散",
    "agg:range": "range, ranges, 範囲, レンジ, 値幅",
    "agg:mode": "mode, modes, modal value, most frequent value, most common value, 最頻値, モード",
    "agg:skew": "skewness, skew, skewed, 歪度",
    "agg:kurt": "kurtosis, 尖度",
    "op:running": "cumulative, cumulative sum, cumulative total, cumulated, running total, running totals, running sum, cumsum, 累計, 累積, 累積和, 累積合計",
    "op:normality": "normality, normality test, normally distributed, normal distribution, shapiro, shapiro wilk, test for normality, 正規性, 正規性の検定, 正規性を検定, 正規性検定, 正規分布, 正規分布に従う, 正規分布に従って, 正規分布に従っている, 正規分布している, シャピロ",
    "op:regression": "regression, linear regression, simple linear regression, regression analysis, regress, regressed, linear fit, least squares, 回帰, 回帰分析, 単回帰, 単回帰分析, 線形回帰, 回帰式",
    "op:join": "join, joined, joining, merge, merged, merging, 結合, 結合し, マージ, 突き合わせ, 紐付け, 紐づけ",
    "op:describe": (
        "describe, description, summary, summarise, summarize, statistics, stats, statistic, basic statistics, "
        "summary statistics, overview, 基本統計, 基本統計量, 統計, 統計量, 統計情報, 要約, 概要, 要約統計量, サマリー"
    ),
    "op:head": (
        "head, preview, peek, first, first rows, first few rows, look like, looks like, first lines, sample rows, "
        "show the data, 先頭, 最初, 中身, プレビュー, 頭"
    ),
    "op:missing": (
        "missing, missing vals, gaps, unfilled, not filled in, unanswered, no value, 未回答, 未入力, 無回答, 記入漏れ, 空,  missing values, null, nulls, nan, nans, blank, blanks, empty, empty cells, 欠損, 欠損値, 空白, 欠け, "
        "空欄, 欠測"
    ),
    "op:distinct": (
        "distinct, unique, different, distinct values, unique values, kinds of, types of, 種類, ユニーク, 重複なし, "
        "一意, 何種類"
    ),
    "op:columns": "columns, cols, col, column, fields, variables, column names, schema, 列, カラム, 項目, 列名, カラム名, 変数",
    "op:outliers": "outlier, outliers, anomalies, anomaly, extreme values, 外れ値, 異常値, はずれ値",
    "rule:iqr": "iqr, iqr rule, interquartile range, tukey, 四分位範囲, IQR法",
    "rule:z": "z score, z scores, zscore, z, z score above, zスコア, zスコアの絶対値, スコアの絶対値, 絶対値, 標準得点",
    "op:crosstab": "crosstab, cross tab, cross table, cross tabulation, contingency table, cross tabulate, pivot, pivot table, クロス集計, クロス集計表, クロス表, ピボット, ピボットテーブル, 分割表",
    "change:diff": "change, changes, difference, differences, diff, delta, gap, gap in, 差, 格差, 差額, 差分, 増減, 前月差, 前年差, 前日差, 変化量",
    "change:pct": "growth, growth rate, grew, percent change, percentage change, % change, 成長率, 伸び率, 増加率, 増減率, 変化率",
    "change:pct month": "month over month, month on month, mom, 前月比, 月次成長率",
    "change:pct year": "year over year, yoy, 前年比, 対前年比, 年次成長率",
    "change:pct day": "day over day, 前日比",
    "change:pct week": "week over week, wow, 前週比",
    "change:month": "month to month, from month to month",
    "change:year": "year to year, from year to year",
    "change:day": "day to day, from day to day",
    "change:week": "week to week, from week to week",
    "op:rolling": "rolling, rolling mean, rolling average, moving average, running average, moving mean, 移動平均, 移動平均線",
    "op:correlation": (
        "correlation, corr, correlations, correlate, correlated, correlates, correlation matrix, relationship, related, "
        "相関, 相関係数, 相関行列, 関係, 関連"
    ),
    "op:shape": "shape, size, size of, dimensions, how big, how large, 大きさ, サイズ",
    "op:load": "load, open, read, import, 読み込ん, 読み込み, 読み込, 読込, 開い, ロード, 読んで",
    "op:save": (
        "save, saved, export, excel, to excel, as excel, excel file, xlsx, as xlsx, to xlsx, spreadsheet, エクセル, Excelファイル, エクセルファイル,  write out, download, save to csv, csv, to csv, as csv, csv file, write to csv, write it to csv, write it to a csv file, store as, "
        "保存, 書き出し, 書き出, 出力, エクスポート, ダウンロード, csvファイル"
    ),
    "op:datasets": (
        "datasets, data sets, tables, which data, what data, データセット一覧, テーブル一覧, どんなデータ, "
        "データ一覧, どのデータ"
    ),
    "noun:numbers": "numeric columns, number columns, numerical columns, numeric variables, numeric fields, 数値列, 数値の列, 数値カラム, 数値項目",
    "noun:data": "dataset, data set, data, table, dataframe, データ, データセット, テーブル, 表, ファイル, file",
    # --- how to cut it
    "per:": (
        "by, per, for each, in each, each, every, for every, grouped by, group by, broken down by, split by, across, "
        "depending on, at each, of each, in every, ごと, 毎, 毎に, ごとに, 別, 別に, 別々, あたり, 各, それぞれ"
    ),
    "grain:hour": "hour, hours, hourly, 時間, 毎時",
    "grain:hour of day": "hour of day, hour of the day, time of day, hours of the day, 時間帯, 時刻",
    "grain:day": "day, days, daily, 日, 日次, 毎日",
    "grain:week": "week, weeks, weekly, 週, 週次, 毎週",
    "grain:month": "month, months, monthly, 月, 月次, 毎月",
    "grain:year": "year, years, yearly, annual, 年, 年次, 毎年",
    "grain:weekday": "weekday, weekdays, day of the week, day of week, 曜日",
    "time:": (
        "over time, time series, trend, trends, development, timeline, as time goes by, 推移, 時系列, 変化, 経時変化, "
        "トレンド, 動き"
    ),
    "and:": "x, ×, n, and, &, plus, as well as, と, や, および, 及び, かつ, 且つ, と共に, 、, ,",
    "or:": "or, either, か, もしくは, または, 又は, もしくは, あるいは",
    "vs:": "vs, versus, against, compared to, compared with, compare, between, 対, 比較",
    "not:": "not, except, excluding, but not, apart from, everyone except, exclude, leaving out,  other than, isn't, aren't, wasn't, weren't, non, but not, 以外, 以外の, ではない, でない, 除い, を除く, 除く, を除いた",
    "without:": "していない, してない, されていない, いない, no, without, wo, w/o, lacking, not having, had no, has no, with no, なし, 無し, ない, 無しで",
    "with:": "w, include, includes, including, included, had, has, having, have, wearing, あり, 有り, ある, 付き",
    "which:": "which, what, who, whose, whom, どの, どれ, どちら, 誰, だれ",
    # --- comparisons and order
    "cmp:>": (
        "more than, greater than, over, above, higher than, larger than, bigger than, exceeding, exceeds, later than, longer than, "
        "older than, warmer than, hotter than, brighter than, heavier than, taller than, after, >, "
        "超, 超え, 超える, を超える, より大きい, より多い, より高い, より上, より長い, 超の, 超過, より後, より遅い"
    ),
    "cmp:>=": "at least, no less than, not less than, >=, ≥, or more, or older, or above, and above, or higher, or longer, since, starting from, onwards, 以上, 以降",
    "cmp:<": (
        "less than, fewer than, under, below, lower than, smaller than, shorter than, younger than, colder than, "
        "cooler than, darker than, cheaper than, lighter than, before, earlier than, <, "
        "未満, より小さい, より少ない, より低い, より下, 満たない, より短い, より若い, より前"
    ),
    "cmp:<=": "at most, no more than, not more than, up to, <=, ≤, or less, or younger, or below, or shorter, or fewer, until, till, 以下, 以内, まで, 以前",
    "cmp:==": "=, ==, equals, equal to, is exactly, exactly, 等しい, イコール, ちょうど",
    "range:": "between, from, in the range, in the range of, in the range from, in range, within the range of, から, 〜, ~",
    "top:desc": (
        "top, 高い, 多い, 大きい, 高かった, 多かった, 大きかった, 一番, 最も, busiest, most popular, most often, いちばん, もっとも, 人気,   most common, most frequent, commonest, highest, largest, biggest, most, greatest, longest, oldest, hottest, warmest, brightest, heaviest, "
        "tallest, farthest, best, most expensive, "
        "上位, 一番高い, 最も高い, 最も多い, 一番多い, 最も大きい, 一番大きい, 高い順, 多い順, 大きい順, 降順, 最多, トップ, "
        "一番長い, 最も長い, 最年長, 最長, いちばん多い, いちばん高い, 高い順に, 多い順に"
    ),
    "top:asc": (
        "bottom, 低い, 少ない, 小さい, 低かった, 少なかった, least popular, least common, quietest, slowest last, rarest, いちばん少ない, lowest, smallest, least, fewest, shortest, youngest, coldest, coolest, darkest, cheapest, worst, driest, "
        "下位, 一番低い, 最も低い, 最も少ない, 一番少ない, 最も小さい, 一番小さい, 低い順, 少ない順, 小さい順, 昇順, 最少, "
        "一番短い, 最も短い, 最年少, 最短"
    ),
    "sort:desc": "descending, sorted, sort, sort by, sorted by, ranked, rank, ranking, 並べ, 順位, ランキング, 並べ替え",
    "sort:asc": "ascending",
    # --- plots
    "plot:auto": (
        "plot, plots, chart, charts, graph, graphs, draw a plot, visualise, visualize, visualisation, visualization, "
        "diagram, figure, plotted, グラフ, プロット, 図, 図示, 可視化, チャート"
    ),
    "plot:bar": "bar, bars, grouped bar, grouped bars, grouped bar chart, clustered bar chart, side by side bars, bar chart, bar graph, bar plot, barplot, bar charts, column chart, 棒グラフ, 棒",
    "plot:stacked": "stacked, stacked bar, stacked bar chart, stacked bars, 積み上げ, 積み上げ棒グラフ, 積上げ棒グラフ",
    "trendline:": "trend line, trendline, with trend line, regression line, with a trend, fit line, 回帰直線, 近似線, 近似直線, トレンドライン",
    "plot:line": "line chart, line graph, line plot, lineplot, line, curve, 折れ線, 折れ線グラフ, 線グラフ, ライン",
    "plot:violin": "violin, violin plot, violin plots, violinplot, violin chart, バイオリン, バイオリンプロット, バイオリン図, ヴァイオリンプロット",
    "plot:pair": "pair plot, pairplot, pair plots, scatter matrix, ペアプロット, 散布図行列",
    "plot:hist": (
        "histogram, hist, histogramm, histograms, distribution, distributions, distributed, ヒストグラム, 分布, 度数分布"
    ),
    "plot:scatter": "scatter, scatter plot, scatterplot, scatter chart, 散布図, スキャッター",
    "plot:box": "box plot, boxplot, box, box plots, box chart, 箱ひげ図, 箱ひげ, ボックスプロット",
    "plot:pie": "pie, pie chart, 円グラフ, パイチャート",
    "plot:heatmap": "heatmap, heat map, ヒートマップ",
    "draw:sine": "sin(x), y = sin(x), y=sin(x), sine wave, sine, sine curve, sinus, サイン波, 正弦波, サインカーブ, sin, sin波",
    "draw:cosine": "cos(x), y = cos(x), y=cos(x), cosine wave, cosine, コサイン波, 余弦波, cos",
    "draw:random": "random scatter, random points plot, random numbers, random values, random data, ランダムデータ, ランダムなデータ, ランダムな値, ランダムな散布図, 乱数, ランダム散布図",
    # --- the map
    "map:map": "map, floor map, floor plan, floorplan, plan, on the map, マップ, 地図, 平面図, フロアマップ, 間取り図, 間取り",
    "map:highlight": (
        "highlight, highlights, highlighted, highlighting, mark, marked, colour, color, coloured, colored, paint, fill, "
        "colour in, ハイライト, 強調, 強調表示, 塗っ, 塗り, 色分け, 色付け, 色をつけ, 着色, 塗りつぶし"
    ),
    "map:arrow": "arrow, arrows, 矢印, 矢, アロー",
    "map:icon": "icon, icons, symbol, marker, bitmap, アイコン, マーク, ビットマップ",
    "map:where": "where is, where are, where, どこ",
    "map:text": "text, label, caption, words, the text, write, written, name label, name tag, テキスト, 文字, ラベル, 文言, 名札, と書いて, と書い, という名前, という文字, という文, というラベル",
    "map:clear": (
        "clear, clears, reset, erase, remove, delete, wipe, クリア, 消し, 消去, リセット, 削除, 消す, 取り除"
    ),
    "map:floor": "floor, floors, 階, フロア, 階層",
    "map:rooms": "rooms, all rooms, every room, each room, room, 部屋, 全部屋, 全ての部屋, すべての部屋",
    "map:random": "random, randomly, ランダム, 無作為",
    "map:points": "coordinates, coordinate, points, point, locations, positions, 座標, 地点, 点, 位置",
    "dir:up": "up, upward, upwards, upward pointing, north, 上, 上向き, 上矢印, 上方向, 北",
    "dir:down": "down, downward, downwards, south, 下, 下向き, 下矢印, 下方向, 南",
    "dir:left": "left, leftward, leftwards, west, 左, 左向き, 左矢印, 左方向, 西",
    "dir:right": "right, rightward, rightwards, east, 右, 右向き, 右矢印, 右方向, 東",
    # --- follow-ups
    "follow:": (
        "instead, only, just, same, also, too, it, that, them, those, this, now, again, as well, the result, "
        "だけ, のみ, 同じ, 同様, 代わり, 代わりに, それ, これ, その, さらに, 今度, 今度は, 結果, 次, 次は, では, じゃあ, も"
    ),
    # --- talk
    "greet:": (
        "hello, hi, hey, good morning, good evening, good afternoon, thanks, thank you, greetings, "
        "こんにちは, こんばんは, おはよう, おはようございます, はじめまして, ありがとう, ありがとうございます, やあ, どうも"
    ),
    "help:": (
        "help, what can you do, who are you, how do you work, what can i ask, what do you do, how does this work, "
        "ヘルプ, 何ができますか, 何ができる, 何が出来ますか, 何が出来る, 使い方, あなたは誰, できること, 助けて"
    ),
    "beyond:": (
        "why, forecast, forecasts, predict, predicts, prediction, predictions, predicted, will, going to, tomorrow, "
        "next week, next month, next year, future, weather, news, search the web, web, internet, google, email, mail, "
        "recommend me, recommendation for, should, advise, advice, next quarter, best treatment, cause, causes, caused, because, opinion, "
        "なぜ, 何故, どうして, 予測, 予想, 予報, 将来, 未来, 来週, 来月, 来年, 明日, 天気, ニュース, 検索, ウェブ, メール, "
        "おすすめ, 原因, 理由, べき, でしょう, どうしたら, どうすれば, なりそう, いつ頃, 減らす"
    ),
}

COLOURS: dict[str, str] = {
    "#FF0000": "red, 赤, 赤色, 赤く, レッド",
    "#0066FF": "blue, 青, 青色, 青く, ブルー, 青い",
    "#00AA44": "green, 緑, 緑色, グリーン, みどり, 緑の",
    "#FFD700": "yellow, gold, 黄色, 黄, 黄色く, イエロー, 金色",
    "#FF8C00": "orange, オレンジ, オレンジ色, 橙, 橙色",
    "#8000FF": "purple, violet, 紫, 紫色, パープル",
    "#FF69B4": "pink, ピンク, ピンク色, 桃色",
    "#8B4513": "brown, 茶, 茶色, ブラウン",
    "#808080": "grey, gray, 灰色, グレー, ねずみ色",
    "#000000": "black, 黒, 黒色, 黒く, ブラック",
    "#FFFFFF": "white, 白, 白色, 白く, ホワイト",
    "#00BCD4": "cyan, turquoise, light blue, 水色, シアン",
}

ICONS: dict[str, str] = {
    "person": "person, man, human, people, 人, 人物, 人型",
    "exit": "exit, way out, door, 出口, 非常口",
    "warning": "warning, alert, caution, danger, 警告, 注意, 危険",
    "stairs": "stairs, staircase, stair, 階段",
    "lift": "lift, elevator, エレベーター, エレベータ, リフト",
    "fire": "fire, flame, 火, 火災, 炎, 火事",
}

SKIP = """
in min, in mins, in minutes, in hours, in hrs, in km, in kg, in $, in usd, in dollars, in euros, in years, in days, in degrees, in yen, 何万円, 何円, 何分, 何時間, 何kg, 何km, 何%, 何パーセント, あるの, ある？, かどうか, 同士の,
ever, got, get, gets, getting, hows, how's, what're, where, wheres, come, comes, came, coming, happening, occur, occurred, occurs, come from, i.e, i.e., e.g, e.g., ie, eg, altogether, exactly how,
strongly, closely, is there any, are there any, starting, starts, starting at, starting from, ending at, ends, arriving, leaving, opened, made up, recorded, registered, observed, measured, counted as, were made, taking, paid, paid with, paid by, pay with, bought, ordered, placed, sold, did, done by, been,
per cent of, of them, of those, of these, out of, worth, among all, together, across all, data points, just to know, quick question, quick, hey there, thx, thank you, tell me about, rule, rules, method, via, typically, usually, normally, roughly, about how, approximately, ever had,
answers, answered, handles, handled, closed the, earns, living, lives, live, who are, that are, which are, that have, who have, day the, vals, val, shows, listed, col, each of the, split, breakdown, broken,
かかった, かかる, 掛かった, かかっている, 集まった, 集まり, 届いた, あった, ありました, あったか, あったのは, だったのは, のは, もの, ものは, こと, とき, 時の, ときの, 場合, 場合の, 何件あった, 後で, 行われ, 行われた, 起き, 起きた, した人, 回答した, 答えた, 占める, 占め, 持って, もつ, に関する, 関する, の日, 日だけ, 各々の, そのうち, うちの, 全件, 件中, しています, でしたか, ましたか, でしょうか, かな, だけで, 達, たち, 分の, 分は, 買った, 購入した, 注文した, 売れた, 来た, 来店した, 利用した, 使った, 乗った人, 住む, 住んでいる, 住まいの, 在住, 在住の, 働く, 勤める, 属する, 所属する, 
a, an, the, of, to, in, on, at, for, with, is, are, was, were, be, been, do, does, did, me, my, i, we, us, our, you, your,
please, can, could, would, show, shows, give, tell, display, see, find, get, calculate, compute, make, create, draw, put,
add, place, let, want, need, like, know, look, have a look, there, here, any, some, all, values, value, as, so, then, there's, list,
out, up to date, into, its, their, they, these, i'd, i'm, let's, kindly, if, than, whole, entire, overall, how, how much,
much, many, pls, plz, thx, ok, okay, yes, whats, what's, took, take, taken, takes, using, use, used, inside, within, during, when,
were there, are there, is there, present, exist, exists, contained, contain, contains, group, groups, among, amongst, aboard, onboard, board, said,
saying, says, pointing, points to, named, called, name it, that says, reading, one, ones, thing, something, stuff, do you have, available, have,
we have, based on, according to, information, info, about, regarding, shown, displayed, s, t, ll, re, ve, in percent, each one, set, bit,
to a, to the, from, everything, anything, travelled, travelling, traveled, traveling, went, go, goes, happened, both, made, really, actually, quickly, current, currently, side by side, relation, between the, entry for, per cent, now please,
何度, 何歳, の, を, に, は, が, で, へ, も, から, より, って, という, とは, です, ます, ください, 下さい, して, してください, して下さい, する, した, しますか, します, しろ, 見せて,
見せ, 見たい, 表示, 表示して, 教えて, 教えてください, 教え, 知りたい, 出して, 出す, 描いて, 描画, 描画して, 書いて, 求めて, 計算, 計算して, 算出, 算出して, 調べて, 作成, 作成して, 作って,
何, 何ですか, なに, いくら, どのくらい, どれくらい, ください, 下さい, お願い, お願いします, ほしい, 欲しい, か, ？, ね, よ, な, て, た, だ, である, あります, ありますか, います, いますか, いる, い, いますでしょうか, ですか,
について, における, での, では, には, とを, への, からの, として, 名前で, 全体, 全部, 全て, すべて, 値, 内, 中, 中で, 間, 間の, ちょうだい, たい, せて, て見せて, みせて, 置いて, 置く, 付けて, つけて, 入れて, 追加, 追加して, 書く, かく,
てください, て下さい, おいて, 部分, 場所, 形, 形で, まとめて, まとめ, うち, のうち, 使って, 使用, 使用して, 用い, 用いて, さん, 年間, とる, とって, なる, なった, くれ, くれる, もらえ, もらえますか, もらえる, ますか, か教えて, 乗って, 乗った, いた, いました, いましたか, だった, でした,
どう, どうなって, どんな, どのような, 一覧, 一覧で, リスト, 含まれ, 入って, 入っている, 登録, され, された, されて, している, している人, した人, ている, てい, れた, れて, 行って, 行い, 実行, 確認, 確認して, 印, 向き, 方向, 向け, い人, それと
"""
"""Words that carry no meaning of their own, comma-separated."""
