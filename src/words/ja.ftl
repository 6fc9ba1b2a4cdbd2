# 日本語。まずブラウザー用のページ
language = 言語
waiting = 待機中
lost = プログラムからの応答がありません。表示は最後の状態です。
nothing-yet = まだありません。
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
value-over-moves = 評価値の推移（対局）
axis-seconds = 秒
axis-plies = 手数
messages = メッセージ
board-after = { $moves }手目の局面図
root = 根
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
why-later = { $best }が同じ評価値で先に見つかっていた
why-uncertain = さらに良い可能性があるが、確定していない
why-refuted = { $reply }と応じられると{ $value }
why-above = { $best }は木の中で{ $value }、最後の確定値は{ $exact }
why-root = { $best }は根の全合法手の探索による

# 対局
match-of-two = { $game }：{ $first } 対 { $second }
match-of-many = { $game }：{ $count }エンジンの対局
games-of = { $total }局中{ $done }局終了
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
no-sprt = この対局は検定では終了しません。
axis-games = 局
running-games = 対局中
finished-games = 終了した対局
boards-of = 対局中の{ $all }局のうち{ $shown }局を表示
games-more = ほかに以前の{ $count }局
game-number = 局
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
problems-of = { $total }問中{ $done }問
problems-over-time = 解いた問題数の推移
problems = 問題
numbers-over-time = 証明数（青）と反証数（赤）の推移（10の累乗）
no-numbers = まだ時間のかかった探索はありません。
nodes-after = { $seconds }秒で{ $nodes }局面
problems-more = ほかに以前の{ $count }問
problem = 問題
answer = 解答
answer-mate = 詰み
answer-nomate = 不詰
answer-brinkmate = 必至
answer-none = 必至なし
answer-unknown = 不明
proof = 証明木
main-line = 本手順に戻る
is-mate = 詰み
mate-within = { $plies }手以内に詰み
defences-more = ほかに{ $count }通りの応手

# ワーカーノード
worker-node = ワーカーノード { $name }
server = サーバー
threads = スレッド
child-engines = 子エンジン
lends-for = 対象のゲーム
events = イベント

# クラスター
cluster = クラスター
machine = マシン
machines-more = ほかに{ $count }台
slots = スロット
slot = スロット
lent-of = { $all }個中{ $lent }個を貸出中
slots-over-time = スロット数と貸出中のスロット数の推移
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
nobody-there = 誰もいません。
machine-came = マシン{ $name }が参加
machine-left = マシン{ $name }が離脱
master-came = マスター{ $name }が参加
master-left = マスター{ $name }が離脱
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
sum-effort = （{ $nodes }局面、{ $seconds }秒、毎秒{ $speed }局面）
answered-before = { $problems }は{ $file }に解答済みです
expected-no-false = --expect：記録と食い違う解答が{ $count }問あります
expected-no-interrupt = { $answers }のうち{ $count }問目で、Ctrl-C により中断しました
expected-no-unknown = { $answers }のうち{ $count }問が不明です
expected-shortest = { $problems }問のうち{ $count }問は、最短と証明されていません

# コマンド行の詰み：注記
open-time = { $seconds }秒が経過しました（--time）
open-nodes = { $count }局面を調べました（--nodes）
open-interrupted = Ctrl-C により中断しました
open-memory = メモリーが足りません（--hash）
open-plies = { $count }手を超える手順は調べません
open-inner = 内部の詰み探索が自分の制限に達しました（--inner、--inner-nodes）
open-proof = 見つかった証明が大きすぎて検証できません
unknown-because = 不明：{ $open }
may-be-shorter = もっと短い手順があるかもしれません：{ $open }
futile-are-counted = 無駄合を省くのは{ $count }手以内の詰みだけです
none-within = { $plies }以内の必至はありません
none-of-mates = { $mates }以内の詰みを狙う必至も、そのような詰みもありません
none-within-of-mates = { $mates }以内の詰みを狙う{ $plies }以内の必至も、そのような詰みもありません
escape = { $move }と応じると詰みません
other-is-open = { $ply }手目{ $move }：未決定
other-is-key = { $ply }手目{ $move }：別解（{ $length }）
other-is-cook = { $ply }手目{ $move }：余詰（{ $length }）
other-mates-last = { $ply }手目{ $move }でも詰みます（最終手余詰なので余詰に数えません）
other-is-last = { $ply }手目{ $move }：{ $length }（最終手余詰なので余詰に数えません）
longer-than-line = 長くて{ $mate }、本手順より長い
no-other-mates = ほかに詰む手はありません
no-other-as-soon = ほかに同じ手数以内で詰む手はありません
left-in-hand = 駒余り：{ $pieces }
nothing-left = なし
no-certificate = 証明書は書き出していません
no-certificate-of-proof = 証明が大きすぎて書き出せないため、証明書はありません
one-certificate-only = もっと短い必至がないことの証明は大きすぎて書き出せないため、証明書は一つだけです
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
expected-check = 「{ $found }」は王手ではありません
expected-mate = 最終手で詰んでいません（{ $found }）
expected-no-move = 終局（{ $ending }）の後に「{ $found }」があります
ending-checkmate = 詰み
ending-stalemate = ステイルメイト
ending-repetition = 千日手
sum-verified = 正解{ $right }、誤り{ $wrong }、判定不能{ $open }
sum-certificates = 正しい{ $right }、誤り{ $wrong }
expected-solutions = 誤った解答が{ $count }問あります
expected-certificates = 誤った証明書が{ $count }個あります

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
workers-there = ワーカー{ $count }
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
waiting-for-memory = スレッドのメモリーを準備しています
waiting-for-cluster = クラスターの応答を待っています
waiting-for-workers = { $names }の起動を待っています
warning = 警告：{ $why }
not-waited-for = 警告：まだ起動していないため、待たずに始めます：{ $names }
ended-before-search = 探索が始まる前に Ctrl-C により中断しました
no-answer-in-time = 時間内に答えが出ませんでした
game-is-over = 合法手がありません。終局した局面です

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
