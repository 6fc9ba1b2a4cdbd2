# 日本語。まずブラウザー用のページ
language = 言語
waiting = 待機中
lost = プログラムからの応答がありません。表示は最後の状態です。
nothing-yet = まだありません。
chosen = 選択した内容
gone = もう存在しません。
choose-node = 木や読み筋の指し手を選ぶと、その局面を表示します。
choose-game = 対局を選ぶと、棋譜を再生します。
choose-problem = 問題を選ぶと、解答を表示します。

# ゲーム
chess = チェス
shogi = 将棋
minishogi = ５五将棋

# 探索
analysis-of = { $game } { $moves ->
    [0] 開始局面
   *[other] { $moves }手目の局面
}
analysis-of-given = { $game } { $moves ->
    [0] 指定局面
   *[other] 指定局面から{ $moves }手目
}
idle = 探索していません。
searching = 探索中
answered = 指し手：{ $move }
answered-nothing = 指し手なし
depth = 深さ
time = 時間
nodes = 局面数
speed = 速度
per-second = 毎秒{ $count }局面
workers = ワーカー
tree-nodes = 木の節点数
best-lines = 読み筋
tree = マスター木
value-over-time = 評価値の推移（時間）
slot-engine = { $engine ->
    [thread] スレッド
   *[other] { $engine }
}
value-is-for = （{ $side ->
    [White] 白
    [Black] 先手
   *[other] { $side }
}から見た値）
value-over-moves = 評価値の推移（対局）
replay = 棋譜の再生
game-result = { $result ->
    [shogi-0] 先手勝ち
    [shogi-1] 後手勝ち
    [shogi-draw] 引き分け
   *[other] { $text }
}
axis-seconds = 秒
axis-plies = 手数
messages = メッセージ
board-after = { $moves ->
    [0] 最初の局面図
   *[other] { $moves }手目の局面図
}
root = 根
root-of-tree = 根
thread-number = スレッド{ $number }
reach = 実現確率
decided = 決着
nobody = なし
path = 手順
value = 評価値
own-value = 担当ワーカーの評価値
worker = ワーカー
joined = 共同探索
line = 読み筋
task = 探索中の手順
free = 空き
why-not = 選ばれなかった理由
nodes-more = ほかに実現確率の低い節点が{ $count }個
workers-more = ほかに{ $count }ワーカー

# 対局
match-of-two = { $game }：{ $first } 対 { $second }
match-of-many = { $game }：{ $count }エンジンの対局
games-of = { counted-games }中{ $done }局終了
table = 成績表
engine = エンジン
games = 対局数
won = 勝ち
drawn = 引き分け
lost-games = 負け
points = 得点
elo = レート差
pairs = ペアの得点（0・½・1・1½・2）
machines = マシン
faults = プロトコル違反
time-losses = 時間切れ
crashes = 異常終了
illegal-moves = 反則手
elo-over-games = レート差の推移
sprt-way = SPRTの対数尤度比
no-elo-yet = これまでの結果では、レート差の範囲がまだ定まりません。
crosstable = 対戦成績
axis-games = 局
running-games = 対局中
finished-games = 終了した対局
boards-of = 対局中の{ $all }局のうち{ $shown }局を表示
nothing-runs = 対局中の局はありません。
opening = 開始局面
games-more = ほかに以前の{ $count }局
game-number = 番号
players = 対局者
result = 結果
why-ended = 終局の理由
plies = 手数
to-start = 初手へ
back = 一手戻る
forward = 一手進む
to-end = 最終手へ

# 詰み
problems-title = { $game } 全{ $count }問
problems-of = { counted-problems }中{ $done }問
problems-over-time = 解いた問題数の推移
problems = 問題
problems-more = ほかに以前の{ $count }問
problem = 問題
answer = 解答
answer-mate = 詰み
answer-nomate = 不詰
answer-brinkmate = 必至
answer-none = 必至なし
answer-unknown = 不明
proof = 証明木
main-line = 作意に戻る
is-mate = 詰み
mate-within = { $plies }手以内に詰み
mate-left = あと{ $plies }手で詰み
defences-more = ほかに{ $count }通りの応手

# ワーカーノード
server = サーバー
threads = スレッド
game-lenders = 対局を引き受けるマシン
games-at-a-time = 同時対局数
processor = プロセッサー
speed-a-game = 1局あたりの速度
engines-lent = エンジン
fetched-engines = サーバーのエンジン
match-caller = 対局（依頼元）
elapsed = 経過時間
coming-up = エンジンの起動中
running-more = ほかに対局中の{ $count }局
running-of = { $all }局中{ $running }局

# クラスター
cluster = クラスター
machine = マシン
machines-more = ほかに{ $count }台
slots = スロット
slot = スロット
lent-of = { $all }個中{ $lent }個を貸出中
masters = マスター
master = マスター
game = ゲーム
version = バージョン
up = 稼働時間
serves = 貸出先
network = 評価関数
since = { $span }前から
lost-machines = 失われたマシン
lost-ago = { $name }（{ $span }前）
nobody-there = 現在、接続はありません。
choose-machine = マシンを選ぶと、そのスロットを表示します。
seconds = { $count }秒
minutes = { $count }分
hours = { $count }時間

# コマンド行の詰み：数
counted-problems = { $count }問
counted-answers = { $count }問
counted-plies = { $count }手
counted-legal-moves = 合法手が{ $count }手

# コマンド行の詰み：解答
mate-in = { $count }手詰
brinkmate-in = { $count }手の必至
no-mate = 不詰
no-brinkmate = 必至なし
expected-found = 記録は{ $expected }、解答は{ $found }
recorded-is-early = 早詰：記録は{ $expected }、{ $found }がある：{ $line }
recorded-is-longer = 変長：記録は{ $expected }、玉方最長の応手では{ $found }：{ $line }
recorded-is-false = 記録された解答が誤っています：{ $why }
expected-first = 正解の初手は{ $expected }だけですが、解答の初手は{ $found }です
row-problem = 問題
row-answer = 解答
row-plies = 手数
row-nodes = 局面数
row-seconds = 秒

# コマンド行の詰み：集計
sum-mates = 全{ $problems }：詰み{ $mates }、不詰{ $none }、不明{ $unknown }
sum-brinkmates = 全{ $problems }：必至{ $brinkmates }、詰み{ $mates }、どちらもなし{ $none }、不明{ $unknown }
sum-open-lengths = 、最短と証明されていないもの{ $count }
sum-cooks = 、余詰なし{ $sound }、余詰あり{ $cooked }、未決定{ $open }
sum-effort = （{ $nodes }局面、{ $seconds }秒、毎秒{ $speed }局面）
expected-no-false = --expect：記録と食い違う解答が{ $count }問あります
expected-no-interrupt = { $answers }のうち{ $count }問の後、{ $signal } により中断しました
expected-no-unknown = { $answers }のうち{ $count }問が不明です
expected-shortest = { $problems }問のうち{ $count }問は、最短と証明されていません

# コマンド行の詰み：注記
open-time = 制限時間（{ $seconds }秒）に達しました
open-nodes = 局面数の上限（{ $count }）に達しました
open-interrupted = { $signal } により中断しました
open-memory = メモリーが足りません（--hash）
open-plies = { $count }手を超える手順は調べません
open-inner = 内部の詰み探索が自分の制限に達しました（--set inner、--set inner-nodes）
open-proof = 見つかった証明が証明書の上限を超えています
unknown-because = 不明：{ $open }
unknown-from = 不明（{ $least }手より短い詰みはありません）：{ $open }
may-be-shorter-from = { $least }手以上の、もっと短い手順があるかもしれません：{ $open }
mate-so-far = 現在の最短：{ $count }手以内の詰み
no-mate-so-far = 現在：{ $count }手より短い詰みはありません
mate-so-far-between = 現在の最短：{ $least }手から{ $most }手の詰み
may-be-shorter = もっと短い手順があるかもしれません：{ $open }
futile-are-counted = 無駄合を省くのは{ $count }手以内の詰みだけです
none-within = { $plies }以内の必至はありません
escape = { $move }で逃れ
other-is-open = { $ply }手目{ $move }：未決定
other-are-open = { $ply }手目{ $moves }：未決定
sum-others = 作意以外で詰む手：{ $mates }
sum-others-open = 作意以外で詰む手：{ $mates }（ほかに --nodes か --time の制限で未決定：{ $open }）
other-is-key = { $ply }手目{ $move }：余詰（初手、{ $length }）
other-is-cook = { $ply }手目{ $move }：余詰（{ $length }）
other-is-early = { $ply }手目{ $move }：早詰（{ $length }）
other-is-promotion = { $ply }手目{ $move }：成不成の別（{ $length }、余詰には数えません）
other-is-distance = { $ply }手目{ $move }：非限定（同じ筋からの同じ駒、{ $length }、余詰には数えません）
other-mates-last = { $ply }手目{ $move }：最終手余詰（不問）
other-is-last = { $ply }手目{ $move }：最終手余詰（不問、{ $length }）
longer-than-line = { $plies }手以内、作意より長い
no-other-mates = 作意以外に詰む手はありません
no-other-as-soon = 作意以外に同じ手数以内で詰む手はありません
variation-defence = 変化：まで{ $count }手で詰み
variation-as-long = 変化同手数：まで{ $count }手で詰み
variation-attempt = 紛れ：不詰
variation-mates = { $kind }：{ $plies }手以内で詰み
variation-cook = 余詰
variation-early = 早詰
variation-last = 最終手余詰
variation-promotion = 成不成の別
variation-distance = 非限定
left-in-hand = 駒余り：{ $pieces }
nothing-left = なし
no-certificate = 証明書は書き出していません
no-certificate-of-proof = 証明を書き出せなかったため、証明書はありません：{ $open }
one-certificate-only = もっと短い必至がないことの証明は書き出せなかったため、証明書は一つだけです：{ $open }
last-level = レベル{ $level }まで調べました：{ $plies }手以内の詰みはありません
no-level = 調べ終えたレベルはありません
memory-is-full = メモリーが足りません。{ $none }
optimal-lines = 双方最善の手順は{ $count }通り
lines-more = ほかに{ $count }通り

# 解答の検証
no-solution = 解答がありません
no-answer = 不明という解答です
no-mate-as-recorded = 記録どおり不詰
no-line-can-tell = 不詰という解答は手順からは確かめられません
other-length = { $found }（記録は{ $expected }）
right-for-composers = 。--rules tsume では正解です（残るのは無駄合だけ）
fault-at = { $ply }手目：{ $why }
expected-move = 「{ $found }」は指し手の表記ではありません
expected-legal = 「{ $found }」は合法手ではありません
expected-allowed = 「{ $found }」は{ $rule ->
    [two-pawns] 二歩
    [pawn-mate] 打ち歩詰
    [stuck] 行き所のない駒
   *[in-check] 王手放置（自玉に王手がかかる手）
}です
expected-check = 「{ $found }」は王手ではありません
expected-mate = 最終手で詰んでいません（{ $found }）
expected-no-move = 終局（{ $ending }）の後に「{ $found }」があります
ending-checkmate = 詰み
ending-stalemate = ステイルメイト
ending-repetition = { $game ->
    [shogi] 千日手
   *[other] 同形反復
}
sum-verified = 正解{ $right }、誤り{ $wrong }、判定不能{ $open }
sum-certificates = { $undecided ->
    [0] 正しい{ $right }、誤り{ $wrong }
   *[other] 正しい{ $right }、誤り{ $wrong }、判定不能{ $undecided }
}

# コマンド行の探索
game-name = { $game ->
    [chess] チェス
    [shogi] 将棋
    [minishogi] ５五将棋
   *[other] { $game }
}
search-head = { $game }   { $elapsed }秒   { $workers }
search-so-far = 深さ { $depth }   { $score }   { $nodes }局面、毎秒{ $speed }局面
search-progress = { $elapsed }秒  深さ { $depth } { $score } { $nodes }局面
part-of = { $part }/{ $whole }
workers-joined = （共同探索{ $count }）
workers-free = （空き{ $count }）
workers-hidden = …ほかに{ $count }ワーカー
nodes-hidden = …ほかに{ $count }節点
worker-since = { $worker }、{ $seconds }秒
row-move = 指し手
row-score = 評価値
row-depth = 深さ
row-reach = 実現率
row-worker = ワーカー
row-best = 最善手
row-loss = 損失
row-player = 対局者
row-moves = 指し手
row-average-loss = 平均損失
waiting-for-memory = スレッドのメモリーを準備しています
waiting-for-cluster = クラスターの応答を待っています
waiting-for-workers = { $names }の起動を待っています
warning = 警告：{ $why }

# 棋譜の解析
review-side = { $side ->
    [chess-0] 白
    [chess-1] 黒
    [shogi-0] 先手
    [shogi-1] 後手
   *[other] { $name }
}
review-player = { $side }（{ $name }）
review-head = { $title }　{ counted-plies }　評価値は{ $side }から見た値
review-chance-percent = 期待勝率（%）

# コマンド行の探索の答え
best-move = 最善手 { $move }
best-declares = 最善手：宣言勝ち
best-resigns = 最善手：投了
expecting = 、予想される応手 { $move }
answer-line = 読み筋 { $moves }
answer-effort = 評価値 { $score }、深さ { $depth }、{ $nodes }局面、毎秒{ $speed }局面
other-score = { $place }. 評価値 { $score }、深さ { $depth }
mates-in-plies = { $count }手で詰み
mated-in-plies = { $count }手で詰まされる
mates-in-moves = { $count }手で詰み
mated-in-moves = { $count }手で詰まされる
reason-not = { $move }（{ $value }）を選ばなかった理由：{ $why }
reason-later = { $best }が同じ評価値で先に見つかっていた
reason-uncertain = さらに良い可能性があるが、確定していない
reason-refuted = { $reply }と応じられると{ $value }
reason-above = { $best }は木の中で{ $value }、最後の確定値は{ $exact }
reason-root = { $best }は根の全合法手の探索による

# 誤り：場所とシステムのエラー
at-place = { $place }：{ $why }
move-number = { $number }手目

# 図
start-position = 開始局面
tree-of = { $game }：{ $start }
tree-after = { $game }：{ $start }、指し手 { $moves }
tree-value = 評価値 { $value }、深さ { $depth }
no-value-yet = 評価値なし
none-free = 空きなし
these-free = 空き：{ $names }
counted-nodes = { $count }局面
counted-workers = ワーカー{ $count }
tree-state = { $value }。木は{ $nodes }、{ $workers }（{ $free }）
tree-letters = d 深さ、p 実現確率。評価値は根の手番側から見た値
tree-values = 内部節点のワーカーは残りの手を探索する。>= と <= は下限と上限
swatch-searched = ワーカーが探索中
swatch-vacant = ワーカーなし
swatch-answer = 答えの手順
picture-result = { $result }（{ $nodes }局面）
proved-mate-in = { $count }手で詰み
defences-mated = 応手は{ $count }通りで、すべて詰み

# コマンド行の対局：成績
column-rank = 順位

# コマンド行の対局：経過
game-end = { $ending ->
    [checkmate] 詰み
    [stalemate] ステイルメイト
    [chess-repetition] 同形反復
    [shogi-repetition] 千日手
    [declaration] 宣言勝ち
    [resignation] 投了
    [time] 時間切れ
    [illegal-move] 反則：{ $remark }
    [crash] 異常終了：{ $remark }
    [silence] 無応答：{ $remark }
    [adjudication] 評価値による判定
    [tablebase] 終盤データベースによる判定
    [maximum-of-moves] 最大手数
    [no-progress] 50手ルール
    [insufficient-material] 駒不足
    [perpetual-check] 連続王手の千日手
    [try] トライ
    [interruption] 中断
   *[other] { $remark }
}

# ほかの人の対局を引き受けるマシン
counted-games = { $count }局
queue-state = { $repeats ->
    [1] 対局：全{ $total }局
    [2] 対局のペア：全{ $total }組
   *[other] 同じ開始局面の対局：全{ $total }組
}のうち、終了{ $over }、対局中{ $played }、サーバーで待機中{ $waiting }
machine-plays = { $name }：{ $games }局のうち{ $busy }局を対局中、毎秒{ $speed }局面、{ $processor }

# 証明書
certificate-of-more-positions = { $positions }局面では調べ終わりません（--positions）
certificate-too-deep = 手順が長すぎて調べ終わりません（{ $why }）
certificate-refused = 証明書に誤りがあります（{ $why }）
claim-mate = 詰み
claim-brinkmate = { $plies }手以内の必至
claim-no-brinkmate = 必至なし
claim-no-mate = 不詰
claim-none-within = { $plies }手以内の必至なし
claim-is-mate = { $claim }（証明は詰み）
claim-is-shorter = { $claim }（証明は{ $plies }手）
claim-proved = { $claim }、確かめた局面数{ $positions }、局面 { $start }
