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
differing-values = 評価値の違い
nodes-more = ほかに実現確率の低い節点が{ $count }個
workers-more = ほかに{ $count }ワーカー
why-later = { $best }と同じ評価値。先に見つかった{ $best }を選んだが、どちらを指してもよい
why-uncertain = さらに良い可能性がある（探索を続ければ確定する）
why-refuted = { $reply }と応じられると{ $value }（その応手を選ぶと変化が見られる）
why-above = { $best }は木の中で{ $value }、最後の確定値は{ $exact }（探索を続ければ確定する）
why-root = { $best }は根の全合法手の探索による（探索を続ければ比較できる）

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
no-elo-yet = これまでの結果では、レート差の範囲がまだ定まりません。
crosstable = 対戦成績
axis-games = 局
running-games = 対局中
finished-games = 終了した対局
boards-of = 対局中の{ $all }局のうち{ $shown }局を表示
nothing-told = 対局中と報告された対局のうち、まだ続いているものはありません。
nothing-runs = 対局中の局はありません。
opening = 開始局面
moves-not-told = リンクのない局は、指し手が伝えられていません。
games-more = ほかに以前の{ $count }局
games-of-tuning = 全{ $total }回中{ $done }回終了（毎回{ $games }局）
tuning-title = { $game }：{ $engine }のオプションの調整
options-over-iterations = オプションの推移：現在の値（青）、後半の平均と標準誤差の2倍（赤）
axis-iterations = 回
option = オプション
start-value = 初期値
value-now = 現在
value-mean = 平均 ± 誤差
range = 範囲
matches-in = { $folder } の対局と調整
all-matches = 対局の一覧
matches = 対局と調整
choose-match = 対局か調整を選ぶと表示されます。
journal = 記録ファイル
changed = 最終更新
began = 開始
tuning-of = { $engine }の調整
iterations-of = 全{ $total }回中{ $done }回
ago = { $time }前
game-number = 番号
game-of-match = ゲーム
games-done = 進行状況
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
numbers-end = （{ $seconds }秒までに詰みを発見、曲線はそこで終わります）
asked-anew = 次の探索
asked-mate = 詰み
asked-any-length = 手数の制限なし
asked-within = { $count }手以内
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
worker-node = ワーカーノード { $name }
server = サーバー
threads = スレッド
child-engines = 子エンジン
lends-for = 対象のゲーム
events = イベント
game-lenders = 対局を引き受けるマシン
games-at-a-time = 同時対局数
processor = プロセッサー
speed-a-game = 1局あたりの速度
engines-lent = エンジン
fetched-engines = サーバーのエンジン
match-caller = 対局（依頼元）
self-play = 自己対局
elapsed = 経過時間
coming-up = エンジンの起動中
running-more = ほかに対局中の{ $count }局
running-of = { $all }局中{ $running }局
running-not-told = 古いプログラムのため、対局の内容はわかりません。

# クラスター
cluster = クラスター
machine = マシン
machines-more = ほかに{ $count }台
slots = スロット
slot = スロット
lent-of = { $all }個中{ $lent }個を貸出中
slots-over-time = スロット数（赤）と貸出中のスロット数（青）の推移
masters = マスター
master = マスター
game = ゲーム
version = バージョン
up = 稼働時間
serves = 貸出先
network = 評価関数
since = { $span }前から
checked-values = 確かめた評価値
checked-machine = { $name }：一致 { $confirmed }、否定 { $contradicted }
checked-set-aside = { $name }：一致 { $confirmed }、否定 { $contradicted }、使っていない
lost-machines = 失われたマシン
lost-ago = { $name }（{ $span }前）
nobody-there = 現在、接続はありません。
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
sum-effort = （{ $nodes }局面、{ $seconds }秒、毎秒{ $speed }局面）
answered-before = { $problems }は{ $file }に解答済みです
expected-no-false = --expect：記録と食い違う解答が{ $count }問あります
expected-no-interrupt = { $answers }のうち{ $count }問目で、{ $signal } により中断しました
expected-no-unknown = { $answers }のうち{ $count }問が不明です
expected-shortest = { $problems }問のうち{ $count }問は、最短と証明されていません

# コマンド行の詰み：注記
open-time = 制限時間（{ $seconds }秒）に達しました
open-nodes = 局面数の上限（{ $count }）に達しました
open-interrupted = { $signal } により中断しました
open-memory = メモリーが足りません（--hash）
open-plies = { $count }手を超える手順は調べません
open-inner = 内部の詰み探索が自分の制限に達しました（--inner、--inner-nodes）
open-proof = 見つかった証明が証明書の上限を超えています
unknown-because = 不明：{ $open }
may-be-shorter = もっと短い手順があるかもしれません：{ $open }
futile-are-counted = 無駄合を省くのは{ $count }手以内の詰みだけです
none-within = { $plies }以内の必至はありません
none-of-mates = { $mates }以内の詰みを狙う必至も、そのような詰みもありません
none-within-of-mates = { $mates }以内の詰みを狙う{ $plies }以内の必至も、そのような詰みもありません
escape = { $move }で逃れ
other-is-open = { $ply }手目{ $move }：未決定
other-are-open = { $ply }手目{ $moves }：未決定
sum-others = 作意以外で詰む手：{ $mates }
sum-others-open = 作意以外で詰む手：{ $mates }（ほかに --nodes か --time の制限で未決定：{ $open }）
other-is-key = { $ply }手目{ $move }：余詰（初手、{ $length }）
other-is-cook = { $ply }手目{ $move }：余詰（{ $length }）
other-mates-last = { $ply }手目{ $move }：最終手余詰（不問）
other-is-last = { $ply }手目{ $move }：最終手余詰（不問、{ $length }）
longer-than-line = { $plies }手以内、作意より長い
no-other-mates = 作意以外に詰む手はありません
no-other-as-soon = 作意以外に同じ手数以内で詰む手はありません
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
line-repeats = 。{ $count }個の局面が2回以上現れます（最初のものは{ $first }手目の後と{ $again }手目の後）
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
expected-solutions = 誤った解答が{ $count }問あります
expected-decided-certificates = 制限のため判定できなかった証明書が{ $count }個あります
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
row-best = 最善手
row-loss = 損失
row-player = 対局者
row-moves = 指し手
row-average-loss = 平均損失
waiting-for-memory = スレッドのメモリーを準備しています
waiting-for-cluster = クラスターの応答を待っています
waiting-for-workers = { $names }の起動を待っています
warning = 警告：{ $why }
not-waited-for = 警告：まだ起動していないため、待たずに始めます：{ $names }
ended-before-search = 探索が始まる前に { $signal } により中断しました
no-answer-in-time = 時間内に答えが出ませんでした
game-is-over = 合法手がありません。終局した局面です

# 棋譜の解析
review-side = { $side ->
    [chess-0] 白
    [chess-1] 黒
    [shogi-0] 先手
    [shogi-1] 後手
   *[other] { $name }
}
review-player = { $side }（{ $name }）
review-head = { $title }　{ $plies }手　評価値は{ $side }から見た値
review-chances = { $side }の期待勝率（%）
review-chance-percent = 期待勝率（%）
expected-game-number = --record 1 から --record { $count } までの番号で対局を1つ指定してください（指定されたもの：{ $found ->
    [none] 複数の対局
   *[other] { $found }
}）
expected-annotated-format = 注釈を書けるのは PGN、KIF、CSA の棋譜だけです

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
differs-root = 根は木の中で{ $value }、最後の確定値は{ $told }
differs-move = { $move }は個別の探索で{ $value }、根の全合法手の探索で{ $root }

# 誤り：場所とシステムのエラー
at-place = { $place }：{ $why }
move-number = { $number }手目
system-error = { $kind ->
    [not-found] ファイルまたはフォルダーがありません
    [denied] アクセスが許可されていません
    [exists] すでに存在します
    [folder] フォルダーです
    [no-folder] フォルダーではありません
    [full] ディスクの空き容量がありません
    [read-only] 読み取り専用です
    [refused] 接続を拒否されました
    [in-use] アドレスはすでに使用されています
    [elsewhere] このマシンのアドレスではありません
    [late] 時間内に応答がありません
   *[other] { $error }
}

# 誤り：コマンド行
see-help = { $why }（使い方：{ $program } help）
one-of = { $values } のいずれか
either-of = { $one } か { $other }
any-value = 値
this-value = 「{ $value }」
no-value = （なし）
expected-value = { $argument }：{ $expected }を指定してください。指定された値：{ $found }
wrong-value = { $argument }：{ $why }。指定された値：{ $found }
unknown-argument = 「{ $found }」という引数はありません
unknown-argument-near = 「{ $found }」という引数はありません。もしかして：{ $hint }
position-in-quotes = 局面は引用符で囲んでください。{ $option } "{ $position }"
unknown-subcommand = 「{ $found }」というサブコマンドはありません（{ $known }）
did-you-mean = { $why }。もしかして：{ $meant }
missing-argument = { $argument } を指定してください
exclude-each-other = { $first } と { $second } は同時に指定できません
expected-once = { $argument } は一度だけ指定してください
needs-option = { $option } には { $needed } が必要です
takes-no-more = { $argument } に余分な値「{ $found }」があります
missing-subcommand = サブコマンドを指定してください
not-unicode = UTF-8 ではない引数があります

# 誤り：コマンド行の数値と名前
expected-seconds = 0より大きく{ $most }以下の秒数を指定してください（例：5、0.5）
expected-number = { $least }から{ $most }までの数を指定してください
expected-count = { $of ->
    [nodes] 局面数
    [positions] 局面数
    [workers] ワーカー数
    [threads] スレッド数
    [problems] 問題数
    [processors] プロセッサー数
    [cells] セル数
    [lines] 読み筋の数
    [leaves] 末端局面数
    [plies] 手数
    [moves] 手数
    [MiB] メモリー量（MiB）
   *[other] { $of }
}は{ $least }から{ $most }までの数で指定してください
expected-less-memory = このマシンのメモリーに収まる量（MiB）を指定してください
expected-whole-number = 整数を指定してください
expected-any-number = 数を指定してください
expected-odd = 手数は奇数で指定してください
expected-name = 1文字以上80文字以下の、改行を含まない名前を指定してください

# 誤り：ファイル
file-kind = { $kind ->
    [folder] フォルダー
    [pipe] パイプ
    [device] デバイス
   *[other] ファイルではないもの
}
expected-readable = { $what ->
    [book] 定跡ファイル
   *[other] ファイル
}を読み込めません：{ $why }
expected-file = 問題集のファイルの代わりに局面「{ $found }」が指定されています
expected-readable-kind = { $what ->
    [book] 定跡ファイル
   *[other] ファイル
}を指定してください。指定されたもの：{ $found }
expected-regular = 通常のファイルを指定してください。指定されたもの：{ $found }
expected-fewer-bytes = ファイルが大きすぎます（上限{ $most }バイト）
expected-smaller = { $what ->
    [book] 定跡
   *[other] 入力
}が大きすぎます（上限{ $most }バイト）
expected-utf-8 = { $what ->
    [book] 定跡ファイル
   *[other] ファイル
}が UTF-8 ではありません
expected-utf-8-text = UTF-8 のテキストではありません（{ $error }）
expected-writable = 「{ $file }」に書き込めません：{ $why }
expected-writable-file = ファイルに書き込めません：{ $why }

# 誤り：局面と指し手
expected-game-position = 「{ $text }」は{ $game ->
    [chess] チェス
    [shogi] 将棋
    [minishogi] ５五将棋
   *[other] { $game }
}の局面（{ $format }）ではありません：{ $flaw }
position-flaw = { $kind ->
    [fields] 項目は3個か4個です
    [number] 手数が数ではありません
    [piece] 「{ $at }」という駒はありません
    [hand] 持駒の枚数に誤りがあります（{ $at }）
    [board] 盤面の書き方に誤りがあります
    [turn] 手番の書き方に誤りがあります
    [castling] キャスリングの書き方に誤りがあります
    [en-passant] アンパッサンの書き方に誤りがあります
    [variant] 変則ルールの局面です
    [empty] 盤上に駒がありません
    [missing-king] キングがありません
    [two-kings] 一方に玉（キング）が2枚あります
    [no-king] 手番でない側の玉がありません
    [in-check] 手番でない側に王手がかかっています
    [too-many] 同じ種類の駒が多すぎます（{ $at }）
    [two-pawns] { $file }筋が二歩です
    [stuck] 行き所のない駒があります（{ $at }）
    [stuck-pawn] 端の段にポーンがあります
   *[other] { $found }
}
expected-both-kings = { $side ->
    [Black] 先手
    [White] 後手
   *[other] { $side }
}の玉がありません。両方の玉が必要です
expected-position = { $found }は局面の表記ではありません
expected-setup = startpos または { $setup } で始まる局面を指定してください。指定されたもの：{ $found }
expected-moves-word = startpos の後は moves です。指定されたもの：{ $found }
expected-a-move = { $found }は指し手ではありません
expected-one-move = 「{ $found }」では一手に決まりません。{ $move } と { $other } の可能性があります
nothing-after = （続きなし）

# 誤り：エンジンのオプション
option-refused = { $name }：{ $expected }を指定してください。指定された値：{ $found }
no-option = { $name } というオプションはありません
rule-and-value = affinity=off や mate-probes=0.5 のような「規則=値」
rule-switch = 「{ $name }=on」か「{ $name }=off」
rule-strength = 「{ $name }=on」、「{ $name }=off」、または0から1の数
rule-kib = 「{ $name }=off」、または1から65536の数（KiB）
one-of-rules = 規則 { $names }, all のどれか
expected-shorter-line = 1行は{ $most }バイト以内で送ってください。それより長い行を受け取ったので、行末まで無視します
option-ignored = setoption：{ $why }（無視しました）
none-found = 値なし
truth = true または false
number-between = { $kind ->
    [integer] { $least }から{ $most }までの整数
   *[other] { $least }から{ $most }までの数
}

# 誤り：エンジンとサーバー
expected-closed-quotes = コマンド行の引用符が閉じていません：「{ $found }」
expected-command-line = コマンド行を指定してください
cannot-start = 「{ $program }」を起動できません：{ $why }
cannot-start-in = フォルダー「{ $folder }」で「{ $program }」を起動できません：{ $why }
wrong-table = 記述に誤りがあります（{ $why }）
expected-key = 「{ $name }」がありません
expected-key-once = 「{ $found }」が二度あります
expected-syntax = { $found }（必要なもの：{ $expected }）
expected-toml = TOML として読めません（「{ $found }」）：{ $flaw }
natural-number = 0以上の整数
whole-number = 整数
toml-type = { $type ->
    [string] 複数行の文字列
    [integer] 10進でない整数
    [float] 小数
    [boolean] 真偽値
    [datetime] 日時
    [array] 配列
    [table] 表
   *[other] { $type }
}
toml-kind = { $kind ->
    [a-sequence] 配列
    [a-command-line] コマンド
    [an-array-of-its-words] 語の配列
    [a-map] 表
    [a-string] 文字列
    [literal-string] '' で囲んだ文字列
    [basic-string-literal-string] 1行の文字列
    [newline] 改行か #
    [nothing] なし
    [key] キー
    [value] 値
    [letters-numbers] 英数字、-、_
    [printable-characters] 印字できる文字
   *[other] { $text }
}
toml-value = { $kind ->
    [string] 文字列 { $value }
    [integer] 整数 { $value }
    [floating-point] 小数 { $value }
    [boolean] 真偽値 { $value }
   *[other] { $text }
}
toml-flaw = { $flaw ->
    [sequence] 配列
    [map] 表
    [string-values-must-be-quoted] 引用符のない文字列
    [key-with-no-value] 値のないキー
    [missing-value-for-key] 値のないキー
    [missing-value] 値のないキー
    [unclosed-table] 閉じていない表の見出し
    [unclosed-array-table] 閉じていない表の見出し
    [unclosed-array] 閉じていない配列
    [unclosed-inline-table] 閉じていない表
    [invalid-literal-string] 閉じていない文字列
    [invalid-basic-string] 閉じていない文字列
    [extra-comma-in-inline-table] 余分なコンマ
    [extra-comma-in-array] 余分なコンマ
    [extra-assignment-between-key-value-pairs] コンマのない並び
    [missing-comma-between-key-value-pairs] コンマのない並び
    [missing-comma-between-array-elements] コンマのない並び
    [unexpected-key-or-value] 余分な語
    [unexpected-leading-zero] 先頭の0
    [extra] 余分な =
    [unquoted-keys-cannot-be-empty] 空のキー
    [invalid-unquoted-key] 引用符の必要なキー
    [missing-escaped-value] 誤った \ の使い方
    [integer-number-overflowed] 大きすぎる整数です
    [invalid-comment-character] コメントに使えない文字
    [invalid-boolean] true でも false でもない語
    [invalid-date] 誤った日付
    [may-only-go-between-digits] 数字の間にない _
   *[other] { $text }
}
expected-server = サーバーは nats://HOST または tls://HOST の形で指定してください。指定された値：「{ $found }」
expected-server-not-file = サーバーは nats://HOST または tls://HOST の形で指定してください。「{ $found }」はファイルです（オプション Children 用）
expected-no-path = ホストとポートの後に余分な「{ $found }」があります
expected-login = { $host } のユーザー名とパスワード（またはトークン）がありません。ファイルには保存されないため、サーバーをもう一度指定してください
expected-credentials = ほかのマシンのサーバー（{ $host }）には認証情報が必要です：credsファイル、nats://USER:PASSWORD@{ $host }、nats://TOKEN@{ $host } のいずれか
expected-creds = 「{ $file }」は使えるcredsファイルではありません：{ $lacks ->
    [user] ユーザー情報がありません
   *[other] 鍵がありません
}
expected-certificates-file = 「{ $file }」は使える証明書ファイル（PEM）ではありません：{ $found ->
    [none] 証明書がありません
   *[other] 壊れた証明書があります
}

# 誤り：問題、解答、解答ファイル
expected-problems-or-positions = FILE、-、--sfen、--fen、--kif、--csa のいずれかで問題を指定してください
expected-problems = 問題がありません
expected-game = ゲームを指定してください
expected-any-game = { $games } のいずれの局面でもありません
expected-other-game = --game { $game } でだけ使えます（現在：{ $found }）
expected-brinkmates = { $game ->
    [chess] チェス
    [shogi] 将棋
    [minishogi] ５五将棋
   *[other] { $game }
}には必至がありません
expected-kif = { $game ->
    [chess] チェス
    [shogi] 将棋
    [minishogi] ５五将棋
   *[other] { $game }
}の棋譜は KIF では書き出せません
expected-position-or-moves = 局面も指し手もありません
unreadable-record = { $format ->
    [kif] KIF の棋譜として読み込めません
    [csa] CSA の棋譜として読み込めません
   *[other] 棋譜として読み込めません
}（{ $why }）
or-defender-first = { $why }。玉方の手番なら --defender-first を指定してください
expected-tabs = 項目はタブで区切ります：「{ $found }」
expected-recorded = 「{ $found }」は手数、-（不詰）、解答のいずれでもありません
expected-solution = 「{ $found }」に問題の名前と指し手がありません
expected-mate-answer = 「{ $found }」は必至の解答です。hasami verify --certificate で証明書を検証してください
expected-json = { $lacks ->
    [json] JSON オブジェクトではありません（{ $found }）
    [name] JSON オブジェクトに name がありません
    [strings] moves に文字列ではないものがあります
    [moves] moves が配列ではありません（{ $found }）
   *[other] answer は mate、nomate、unknown のいずれかです（{ $found }）
}
expected-one-name = 「{ $found }」という名前の問題が複数あります
expected-known-name = 「{ $found }」という名前の問題はありません
expected-so-many-answers = 問題は{ $count }問ですが、解答がそれより多くあります
expected-another-file = { $other } とは別のファイルを指定してください
expected-two-files = 別々のファイルを指定してください
expected-certificate-folder = 証明書（*.cert）のフォルダーではありません（{ $found }）
expected-one-problem = 問題は1問だけにするか、--certificates DIR を指定してください（現在{ $found }問）
mates-or-shortest = --mates と --shortest は同時に指定できません（長い詰みを使うと必至が短くなることがあります）
needs-algorithm = { $option } には --algorithm { $names } が必要です（現在：{ $found }）
either-or = { $names } または { $last }
expected-folder = 「{ $found }」はフォルダーとして使えません：{ $why }
expected-new-file = 「{ $found }」はすでにあります。続きから解くには --resume を指定してください
expected-free-file = 「{ $found }」はほかの実行が使用中です
expected-same-question = 条件が異なるファイルです（今回：{ $expected }、ファイル：{ $found }）
expected-no-more-answers = 解答が問題より多くあります
expected-answer = 解答ではありません（{ $found }）
expected-answer-to = 「{ $expected }」の解答があるはずの行に「{ $found }」の解答があります
expected-moves = 「{ $found }」は指し手ではありません
expected-memory-a-job = 同時に解く{ $jobs }問に1MiBずつ必要ですが、{ $found }MiBです

# 誤り：探索
expected-searcher = { $found ->
    [children] 探索するワーカーがありません。このゲームのプロトコルを話す子エンジンがありません
   *[other] 探索するワーカーがありません（--workers 0）。スレッドか子エンジンを指定してください
}
expected-lent-worker = クラスターに空いているワーカーがありません。--workers 1 でこのマシンで探索できます
expected-lent-worker-because = クラスターに空いているワーカーがありません（{ $why }）。--workers 1 でこのマシンで探索できます
expected-name-value = 「{ $found }」は NAME=VALUE の形ではありません
option-beside = { $argument } があるので { $option } は指定できません（「{ $found }」）
expected-network-of = { $wanted ->
    [chess] チェス
    [shogi] 将棋
   *[other] { $wanted }
}の評価関数ではありません（{ $found ->
    [chess] チェス
    [shogi] 将棋
   *[other] { $found }
}用です）

# コマンド行：ブラウザー用のページ
web-page-at = ウェブページ：{ $url }
web-page-stays = ウェブページは Ctrl-C を押すまで表示されます
expected-address = 待ち受けるアドレスを 127.0.0.1:{ $port } の形で指定してください。指定された値：「{ $found }」
cannot-listen = ウェブページを { $address } で公開できません：{ $why }
expected-feature = このプログラムには「{ $feature }」の機能が組み込まれていません

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

# 並べ方
both = { $first }、{ $second }
versus = { $first } 対 { $second }

# コマンド行の対局：成績
results-of = { $first } 対 { $second } の成績：
result-elo = レート差（Elo）{ $elo }、正規化レート差（nElo）{ $nelo }
result-chances = 優位の確率（LOS）{ $los }、引き分け率 { $draws } %
result-pair-chances = 優位の確率（LOS）{ $los }、互角のペア { $draws } %、勝ち越し対負け越しのペアの比 { $ratio }
result-games = { $games }局　{ $wins }勝{ $losses }敗{ $draws }分、勝率{ $share } %（{ $points }点）
result-pairs = ペアの得点（0～2）の内訳 [{ $counts }]、WL/DD比 { $ratio }
leads = 首位 { $name }（{ $points }点）
column-rank = 順位
column-name = 名前
column-games = 局数
column-score = 得点率
column-draws = 引分率
column-pairs = ペアの得点（0～2）の内訳
no-faults = エンジンの不具合：なし
faults-of = { $name } の不具合：{ $faults }
counted-time-losses = 時間切れ{ $count }回
counted-crashes = 異常終了{ $count }回
counted-hangs = 無応答{ $count }回
counted-illegal-moves = 反則手{ $count }回
counted-restarts = 再起動{ $count }回
counted-breaches = プロトコル違反{ $count }回
counted-ignored-limits = 制限を無視した対局{ $count }局
counted-overruns = 時間を超えた手{ $count }手（最大{ $longest }ミリ秒）
overran = { $moves }手が持ち時間を超えました（最大{ $millis }ミリ秒）
ignores-limit = 制限は{ $limit }ですが、実際の探索は{ $found }でした（{ $moves }手の中央値）
lost-by-little = { $millis }ミリ秒の超過で時間切れになりました。マシンが混んでいるだけかもしれません。timemargin={ $margin } で許容できます
column-machine = マシン
column-lost-level-won = 負け/互角/勝ち
column-chance = 偶然の率
column-speed = 速度
column-busy = 多忙
column-late = 時切
column-processor = プロセッサー
moreover = { $first }。また、{ $second }
machine-differs = ほかのマシンと成績が異なります
machine-differs-from = { $other } と成績が異なります
ends-by-word = { $games }局のうち{ $count }局は、規則では確かめられない終わり方（時間切れ、異常終了、無応答、反則手）で、このマシンの報告によります
machine-contradicts = ゲームの規則に合わない回答が{ $count }件ありました（数に入れていません）
machine-is-slow = 毎秒の局面数が{ $machines ->
    [2] もう1台
   *[other] ほかのマシン
}の{ $speed }倍です
machine-is-late = { $games }局のうち{ $late }局が時間切れ負けです（ほかでは{ $others-games }局のうち{ $others-late }局）
machines-differ = { $one } と { $others } の成績が異なりますが、{ $machines ->
    [2] どちら
   *[other] どれ
}に問題があるかは成績だけでは分かりません
machines-share-name = 同じ名前のマシンが同時に対局しました。hasami worker --name で別々の名前を付けてください
programs-differ = { $name } がマシンによって違うプログラムです：{ $programs }
chart-of-two = { $first } 対 { $second }：{ $result }
chart-of-many = { $engines }エンジン、{ $games }局
axis-score = 得点率（%）
test-completed = SPRT（{ $test }）が終了し、{ $verdict } を採択しました
no-games = 対局なし
no-games-yet = 対局はまだありません
no-games-without = { $names }の対局を除くと、対局はありません
nothing-for-commit = コミットメッセージ用：なし（終わった対局がありません）
for-commit = コミットメッセージ用：
games-so-far = 最大{ $total }局のうち{ $done }局まで
without-machines = 次のマシンの対局を除く：{ $names }

# 対局の条件
list-of-two = { $first }、{ $second }
with-brackets = { $text }（{ $more }）
options-unset = 設定されず：{ $options }
options-beyond = エンジンの宣言の範囲外：{ $options }
options-none = ほかの設定なし
options-or = または
engine-on = { $machines } の { $engine }
clocks-scaled = 持ち時間をマシンの速さで調整：{ $machines }
clocks-scaled-to = 持ち時間を毎秒{ $speed }局面のマシンに合わせて調整：{ $machines }
match-tool = 対局の実行：hasami { $version }
order-gauntlet = { $count }エンジン対ほかのエンジン
order-round-robin = 総当たり
games-an-opening = 1開始局面につき{ $count }局
first-begins = 常に1番目のエンジンが先手
second-begins = 2番目のエンジンが先に先手
entering-king = 入玉規則 { $rule }
longest-game = 最長{ $plies }手
with-endgame-tables = 終盤データベースを使用
without-openings = 開始局面集なし
with-openings = 開始局面集 { $file }
openings-order = { $order ->
    [random] 順不同
   *[other] 順番どおり
}
openings-seed = 乱数の種 { $seed }

# コマンド行の対局：経過
going-on = { $total }局のうち{ $done }局が終わったところから続けます
going-on-with-test = { $done }局が終わったところから続けます
started-game = 第{ $number }局開始（全{ $total }局、{ $first } 対 { $second }）
game-of-journal = 第{ $number }局
started-game-of-test = 第{ $number }局開始（{ $first } 対 { $second }）
expected-effort = '{ $go }' の指定と大きく違います（実際は{ $found }）
expected-protocol = { $protocol } のエンジンではありません。'{ $greeting }' への応答：{ $text }
expected-engine-option = エンジンは --engine で、制限も付けて指定してください：--engine cmd={ $first } --engine cmd={ $second } --each tc=10+0.1
left-out-option = { $option } は結果に関係しないので無視します
opening-is-over = この開始局面ではもう対局が終わっています（{ $end }）
repeated-games = { $games }局のうち{ $count }局は、前の対局と全く同じ手順です。Elo、LOS、誤差はこれらも別の対局として数えているので、実際より確かに見えます
expected-openings = 開始局面のファイル（--openings FILE）か持ち時間を指定してください。局面数や深さだけで制限したエンジンは同じ{ $games }局を繰り返します（1回だけなら --games { $games }）
total-time = 所要時間：{ $time }
finished-game = 第{ $number }局終了（{ $first } 対 { $second }）：{ $result } { $end }
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
last-shown = { $fault }（以後は数えるだけで表示しません）
warning-at-end = 警告：{ $why }
match-ended = { $signal } により{ $games }局で中断しました。続きは hasami match --resume { $journal }
usual-openings = 開始局面集：{ $file } の{ $count }局面。ほかのものを使うには --openings ファイル、初期局面から始めるには --openings startpos
journal-at = 記録ファイル：{ $file }
journal-kept = 以前の記録ファイルは { $file } として残しました
read-once = { $readers ->
   *[other] ほかの多くのプログラム
}はファイルの最初の対局しか読みません。{ $option } { $folder }/ とすると1局ごとのファイルに書き出します
no-affinity = このシステムではプログラムを特定のプロセッサーに割り当てられません（Linux では可能）。割り当てずに対局します
option-is-missing = エンジンにオプション { $option } がありません
option-is-narrower = { $option } の範囲に、エンジンが受け付けない値があります
option-is-owner-s = { $option } はマシンの所有者が設定していて、変えられません
left-out-as-unfit = { $why }。--without { $name } と同じく除外します
set-by-owner = { $machine } の { $engine }：マシンの所有者の設定は { $options }
not-set-for-owner = { $machine } の { $engine }：マシンの所有者が指定した { $options } は、エンジンにないオプションなので設定しません
machine-refuses = { $name } はこの対局に参加できません：{ $why }
server-is-back = サーバーに再接続しました
server-is-lost = サーバーとの接続が切れました

# ほかの人の対局を引き受けるマシン
counted-games = { $count }局
queue-state = { $repeats ->
    [1] 対局：全{ $total }局
    [2] 対局のペア：全{ $total }組
   *[other] 同じ開始局面の対局：全{ $total }組
}のうち、終了{ $over }、対局中{ $played }、サーバーで待機中{ $waiting }
machine-lends = マシン { $name } が{ $games }を引き受けます（{ $processor }、hasami { $version }、毎秒{ $speed }局面）
machine-lends-again = マシン { $name } が復帰し、{ $games }を引き受けます（{ $processor }、hasami { $version }、毎秒{ $speed }局面）
machine-is-gone = マシン { $name } が離脱しました
machine-plays = { $name }：{ $games }局のうち{ $busy }局を対局中、毎秒{ $speed }局面、{ $processor }
machine-plays-untold = { $name }：{ $games }局のうち{ $busy }局を対局中（hasami { $version } のため内容は不明）、毎秒{ $speed }局面、{ $processor }
machines-of-one-name = 複数のマシンが { $name } と名乗っています。hasami worker --name で別々の名前を付けてください
no-machine-of-name = --without { $name }：この名前のマシンはいません（{ $here }）
left-out-machine-came = --without { $name }：この名前のマシンが来ました。対局は割り当てません
none-is-here = まだ1台もいません
these-are-here = いるマシン：{ $names }
nobody-lends = 対局できません。対局を引き受けるマシンがありません（hasami worker --games N）
nobody-can-play = 対局できません。必要なものを備えたマシンがありません：{ $reasons }
lack-of-machines = { $why }［{ $names }］
lacks = { $first }、{ $second }
lacks-leave = --without で除外
lacks-tables = 終盤データベース（hasami worker --tb）
lacks-engine = エンジン { $name }（hasami worker --engine { $name }=...）
lacks-engine-of-server = サーバーのエンジン { $name } { $sha256 }（hasami worker --allow-fetched）
owner-s-engine-plays = { $name } は、サーバーの { $engine } ではなく、持ち主の { $engine } で対局します（サーバーのものは cmd={ $engine }@{ $sha256 }）
program-differs = { $machine } の { $name } は別のプログラムです：{ $program }。ほかのマシンでは：{ $others }
machine-sends-false-games = { $name } から規則に合わない対局が届きました（数に入れません）：{ $why }
unreadable-answer = 読み取れない回答が届きました：{ $error }
strange-answer = 質問と合わない回答が届きました
not-on-machines = { $what ->
    [log] --log はこのマシンのファイルなので使えません
    [crash] --on-crash stop は使えません
    [affinity] --affinity はこのマシンの指定なので使えません
   *[other] clock=virtual と --connect は使えません
}

# コマンド行の調整と自己対局
expected-tuned-option = NAME=初期値,最小,最大 または NAME=初期値,最小,最大,幅 の形で指定してください。指定された値：「{ $found }」
expected-start-in-range = 初期値は範囲の中、幅は0より大きい数で指定してください。指定された値：「{ $found }」
expected-tuning-file = 調整の記録ファイルがありません
expected-tuning = 調整の記録ファイルではありません（{ $found }）
expected-tuning-here = このフォルダーで始めた同じ調整がありません
expected-tuning-like-this = このフォルダーで始めた同じ調整がありません（最後の調整は { $found }）
expected-iteration = 調整の回の記録ではありません（{ $found }）
expected-iteration-number = 第{ $expected }回のはずの行に第{ $found }回があります
not-this-tuning = { $file } とは別の調整として始めます：{ $why }
expected-whole-as-declared = エンジンの宣言では整数のオプションです（指定された範囲：{ $low }から{ $high }）
expected-range-as-declared = エンジンの宣言する範囲は{ $least }から{ $most }までです（指定された範囲：{ $low }から{ $high }）
expected-number-option = 数値のオプションではありません（種類：{ $kind }）
engine-without-numbers = 「{ $found }」を調整できません。エンジンに数値のオプションがありません
engine-without-option = エンジンに「{ $found }」というオプションはありません（例：{ $others }）
engine-without-option-near = エンジンに「{ $found }」というオプションはありません。もしかして：{ $others }
no-iteration = 終わった回はありません
tuning-at = { $total }回中{ $done }回：{ $values }
tuning-ended = Ctrl-C により{ $total }回中{ $done }回で中断しました。同じコマンドで続けられます（記録ファイル：{ $journal }）
tuning-of-games = { $engine } の調整：{ $total }回中{ $done }回、1回に{ $games }
tuned-option = { $shown }   初期値 { $start }、範囲 { $low }～{ $high }
tuning-chart = オプションの推移
axis-place = 範囲内の位置
expected-number-above-zero = 0より大きく{ $most }以下の数を指定してください
expected-other-output = 入力「{ $found }」とは別のファイルを指定してください
positions-unread = { $total }局面のうち{ $count }局面を読み込めません
expected-readable-positions = { $game } の局面のファイルではないようです。{ $found }（{ $share }局面につき1局面まで）
training-differs = { $name } が前回と違います（前回：{ $before }、今回：{ $found }）
training-other-positions = 学習する局面が前回と違います
training-without-conditions = 以前の版のチェックポイントで、条件が記録されていません
training-without-checkpoint = { $checkpoint } がありません。置き換えるには --fresh を指定してください
fresh-begins-anew = { $why }。最初から始めるには --fresh か別の --out を指定してください
trained-already = 学習は終わっています。最初から始めるには --fresh か別の --out を指定してください
expected-two-numbers = 1500:6 のように2つの数で指定してください。指定された値：「{ $found }」
expected-plan-beside = { $name } が { $plan } と違います（前回：{ $before }、今回：{ $found }）
plan-empty = 自己対局の条件のファイルが空です
plan-spoiled = 自己対局の条件のファイルが途中で切れているか、別の内容です
expected-file-beside = { $plan } がありません
expected-unlocked-file = ほかの実行が使用中です
expected-open-position = { $number }番目の局面はすでに終局しています（{ $ending }）：{ $position }
self-play-so-far = { $games }局、{ $moves }手、毎秒{ $speed }手、{ $wins }勝{ $losses }敗{ $draws }引き分け
self-play-done = { $file }：{ $games }局、{ $moves }手
self-play-ended = Ctrl-C により{ $total }のうち{ $done }局で中断しました。同じコマンドで続けられます

# コマンド行のワーカーノード
worker-tries-children = 応答を確かめるため、子エンジンを一度ずつ起動します
worker-lends = { $server } に{ $threads }と{ $children }を貸し出します
worker-lends-games = { $server } で同時に{ $games }を引き受けます（エンジン：{ $engines }）
speed-of-games = { $processor }、1局あたり毎秒{ $speed }局面
counted-children = 子エンジン{ $count }個
expected-something-to-lend = 貸し出すものがありません（--threads 0）。スレッドか子エンジンを指定してください
expected-protocols-or-game = すべてのエンジンの protocol か、--game を指定してください
expected-pool-or-games = --games の対局にはプールがないので、--pool と --games は同時に指定できません
expected-cache-folder = このユーザーのキャッシュフォルダー（HOME）がありません
expected-bubblewrap = サンドボックスを作れる bubblewrap（bwrap）がありません。--allow-fetched=plain も選べます

# エンジンの検査
check-name = { $check ->
    [answers-its-greeting] 挨拶に応答する
    [answers-its-greeting-within-2-s] 2秒以内に挨拶に応答する
    [says-its-name-id-name] 名前を名乗る（id name）
    [says-its-author-id-author] 作者を名乗る（id author）
    [declares-options-that-can-be-read] オプションを読み取れる形で宣言する
    [names-its-options-without-reserved-words] オプション名に予約語を使わない
    [names-its-options-without-blanks] オプション名に空白を使わない
    [declares-each-option-once] 各オプションを一度だけ宣言する
    [answers-isready-with-readyok] isready に readyok と応答する
    [takes-every-option-s-default] すべてのオプションの既定値を受け付ける
    [takes-usi-hash-and-usi-ponder-declared-or-not] 宣言の有無によらず USI_Hash と USI_Ponder を受け付ける
    [lives-on-after-an-option-that-it-has-not] 存在しないオプションを設定されても動き続ける
    [lives-on-after-words-that-it-does-not-know] 未知の命令を受けても動き続ける
    [lives-on-after-empty-lines-and-blanks] 空行や空白だけの行を受けても動き続ける
    [lives-on-after-a-line-that-ends-in-cr-lf] CR LF で終わる行を受けても動き続ける
    [is-ready-after-a-new-game-is-announced] 新しい対局の知らせの後に準備ができる
    [answers-go-with-a-legal-move] go に合法手で応答する
    [gives-one-answer-only] 応答は一度だけである
    [tells-a-score-before-its-move] 指し手の前に評価値を伝える
    [tells-depth-nodes-time-and-variation-with-the-score] 評価値とともに深さ、局面数、時間、読み筋を伝える
    [plays-the-first-move-of-its-last-variation] 最後の読み筋の初手を指す
    [tells-variations-that-can-be-played] 読み筋が合法手だけからなる
    [expects-a-legal-reply-bestmove-ponder] 予想する応手が合法手である（bestmove ... ponder）
    [takes-a-position-as-text] 文字で表した局面を受け付ける
    [takes-a-position-as-text-without-its-move-number] 手数のない局面を受け付ける
    [takes-a-position-of-160-moves] 160手の局面を受け付ける
    [plays-the-only-legal-move] 唯一の合法手を指す
    [answers-where-it-is-mated] 詰まされた局面でも応答する
    [keeps-to-a-clock-of-one-side-go-wtime-100] 一方だけの持ち時間を守る：go wtime 100
    [keeps-to-a-clock-of-the-other-side-go-btime-100] 他方だけの持ち時間を守る：go btime 100
    [keeps-to-clocks-with-increments] 加算時間のある持ち時間を守る
    [keeps-to-clocks-with-moves-to-go] 手数ごとの持ち時間を守る（movestogo）
    [keeps-to-clocks-with-byoyomi] 秒読みのある持ち時間を守る
    [keeps-to-byoyomi-alone] 秒読みだけの持ち時間を守る
    [ends-a-search-of-so-many-nodes] 局面数の制限で探索を終える
    [ends-a-search-of-so-many-plies] 深さの制限で探索を終える
    [searches-the-moves-that-it-is-told-searchmoves] 指定された手だけを探索する（searchmoves）
    [searches-without-an-end-until-stop] stop まで探索を続ける
    [waits-for-stop-with-one-legal-move-too] 合法手が1つでも stop を待つ
    [answers-isready-while-it-searches] 探索中も isready に応答する
    [hears-a-stop-right-behind-go] go の直後の stop に応じる
    [takes-no-notice-of-stop-between-searches] 探索していないときの stop を無視する
    [ponders-until-ponderhit] ponderhit まで先読みする
    [ponders-until-stop] stop まで先読みする
    [tells-as-many-lines-as-multipv-says] MultiPV の数だけ読み筋を伝える
    [answers-go-mate-with-checkmate] go mate に checkmate で応答する
    [answers-go-mate-infinite-after-stop] go mate infinite に stop の後で応答する
    [is-ready-for-a-game-after-gameover] gameover の後に次の対局の準備ができる
    [owes-its-move-after-gameover-once] gameover の後にも指し手を一度だけ返す
    [lives-on-after-a-position-that-is-none] 誤った局面を受けても動き続ける
    [ends-at-quit] quit で終了する
    [ends-at-quit-in-a-search] 探索中の quit で終了する
    [ends-where-its-input-ends] 入力が閉じられたら終了する
    [ends-where-its-input-ends-in-a-search] 探索中に入力が閉じられたら終了する
    [writes-plain-ascii] ASCII だけで出力する
   *[other] { $name }
}
check-verdict = { $verdict ->
    [pass] 合格
    [FAIL] 違反
    [note] 注意
    [skip] 省略
   *[other] { $verdict }
}
checks-of = { $engine } の検査{ $count }項目：{ $protocol }（{ $game }）、乱数の種{ $seed }
checks-done = { $engine }：合格{ $passed }、違反{ $failed }、注意{ $notes }、未実施{ $skipped }
expected-compliance = { $engine } はプロトコルに{ $count }件違反しています
expected-words-of-check = 「{ $found }」を英語の名前に含む検査はありません

# 検査の違反や省略の理由
protocol-word = { $word } の応答
bestmove-after = 「{ $go }」への bestmove の応答
expected-within = { $what }が{ $millis }ミリ秒以内にありません（{ $found }）
line-at-last = 最後の出力：「{ $line }」
silence = 出力なし
expected-of-child = { $what }がありません：{ $why }
expected-living-engine = エンジンが動き続けません：{ $why }
expected-move-after = 「{ $go }」に指し手で応答しません：「{ $found }」
expected-legal-after = 「{ $go }」への { $found } は、{ $moves ->
    [0] この局面
   *[other] { $moves }手後の局面
}の合法手ではありません（{ $why }）
illegal-at-ply = { $ply }手目の { $move } は指せません
moves-past-end = { $ply }手目の終局の後に手があります
expected-playable = { $fault }（読み筋「{ $line }」）
expected-ascii = ASCII でない文字があります：「{ $found }」
expected-its-end = { $after ->
    [quit] quit
    [quit-in-search] 探索中の quit
    [end-of-input] 入力の終わり
   *[other] 探索中の入力の終わり
}から{ $millis }ミリ秒たっても終了しません
expected-greeting-within = { $millis }ミリ秒以内のはずが、{ $found }ミリ秒かかりました
expected-id = 「{ $before }」の前に「id { $what } ...」の行がありません
expected-option-line = 「option name NAME type TYPE ...」の形ではありません：「{ $found }」
engine-option = オプション { $name }
expected-option-type = 「{ $found }」という型はありません（{ $known } のいずれか）
expected-min-and-max = min と max に数がありません
expected-default = 既定値がありません
expected-as-default = 既定値「{ $found }」が宣言に合いません（{ $expected }のはずです）
expected-no-reserved-word = 名前に予約語「{ $found }」があります
expected-name-in-one-word = 名前に空白があります：「{ $found }」
expected-option-once = オプション { $name } を二度宣言しています
number-from = { $limit }以上の数
number-up-to = { $limit }以下の数
expected-checkmate-after = 「{ $go }」に「checkmate ...」で応答しません：「{ $found }」
expected-no-second-move = 二度目の応答があります：「{ $found }」
expected-move-within = 「{ $after }」から{ $millis }ミリ秒以内のはずの指し手が、{ $found }ミリ秒後でした
expected-no-further-answer = 余分な応答があります：「{ $found }」
expected-before = 「{ $before }」の前に{ $what }がありません
line-with-score = 評価値のある info 行
whole-line-with-score = 深さ、局面数、時間、読み筋と評価値のそろった info 行
expected-first-of-variation = 指し手 { $found } が最後の読み筋の初手ではありません
no-long-game = 乱数の対局に、それほど長いものがありませんでした
no-such-position = 乱数の対局に、そのような局面がありませんでした
no-ponder-move = 予想する応手を伝えません
no-declared-option = オプション { $name } の宣言がありません
expected-legal-reply = { $move } に対する { $found } は合法手ではありません（{ $why }）
expected-without-move = 合法手のない局面で「{ $expected }」と応答しません：「{ $found }」
expected-searched-move = { $found } は、指定された手（{ $known }）ではありません
expected-no-answer-before-stop = stop の前に「{ $go }」への応答があります：「{ $found }」
expected-multipv-lines = multipv 1 から{ $count }までの読み筋がそろいません
expected-different-moves = { $count }本の読み筋の初手が重なっています（{ $found }）
trace-end-of-input = > （入力の終わり）
trace-new-process = （新しいプロセス）

# プロセスの終わり方
child-killed = 強制終了されました
child-ended-with = 終了しました（{ $status }）
child-ended = 終了しました
its-last-words = { $why }（最後の出力：{ $text }）

# 進み具合の表示
bar-of-positions = 局面 { $elapsed } 残り{ $left }
bar-of-problems = 問 { $elapsed } 残り{ $left }
bar-times = { $elapsed } 残り{ $left }

# コマンド行の対局：警告
games-will-repeat = 局面数や深さだけで制限したエンジンは同じ対局を繰り返します
games-may-repeat = 同じ対局を繰り返すおそれがあります
no-openings = --openings の指定がないので、どの組も全局を同じ局面から始めます。{ $repeat }
few-openings = { $games }局には{ $needed }が必要ですが、{ $found }しかありません。{ $repeat }
counted-openings = 開始局面{ $count }個
short-time = 1手{ $millis }ミリ秒（{ $control }）は、パイプの通信や混んだマシンの遅れと大差ありません。時間切れ負けが出そうなら timemargin を指定してください
long-overhead = { $option } は1手に使える時間（{ $control } なら{ $millis }ミリ秒）以上です
counted-threads = { $count }スレッド
crowded-cores = 同時に{ $games }局（エンジン1つにつき{ $each }）には{ $wanted }コアが必要ですが、このマシンは{ $found }コアです。待たされている間も時計は進みます
crowded-cores-by-pondering = 同時に{ $games }局（エンジン1つにつき{ $each }、相手の手番でも先読み）には{ $wanted }コアが必要ですが、このマシンは{ $found }コアです。待たされている間も時計は進みます
same-engines = { $others } と { $last } は、プログラム、オプション、制限がすべて同じなので強さも同じです

# 誤り：対局の指定
unknown-word = 「{ $found }」は使えません。{ $known } のいずれかを指定してください
a-number = 数
a-number-above-0 = 0より大きい数
on-or-off = on または off
some-seconds = 秒数
closed-quotes = 引用符の閉じた文字列
text-or-number = 1行の文字列か数
expected-here = { $expected }を指定してください。指定されたもの：{ $found }
words-in-table = 1つ以上の語の表
words-of-command-line = コマンド行に書ける語
expected-option-without-dashes = 「{ $found }」は hasami { $command } のオプションではありません（-- を除いて書きます）
expected-journal-not-file = 記録ファイルではなく対局の指定ファイルです。続けるには --file { $file } --resume としてください
uci-or-usi = uci または usi（xboard のプロトコルを使うエンジンは変換プログラムを通して対局できます。docs/guide/peers.md）
line-number = { $number }行目
expected-two-engines-or-more = エンジンを2つ以上指定してください（現在{ $found }）
expected-two-engines = エンジンを2つ指定してください（現在{ $found }）
expected-own-name = 「{ $name }」という名前のエンジンが2つあります。別々の名前を付けてください
expected-uci = usi ではなく uci のエンジンを指定してください
expected-record-format = --{ $found } は{ $game ->
    [chess] チェス
    [shogi] 将棋
    [minishogi] ５五将棋
   *[other] { $game }
}の棋譜の形式ではありません
expected-less-elo = elo0 は elo1（{ $more }）より小さくしてください（現在{ $found }）
expected-near-elo = elo0 と elo1 の絶対値は{ $most }までです（正規化レート差、現在{ $found }）
expected-rate = { $name } は0と1の間の数です（現在{ $found }）
expected-rates = alpha と beta の和は1未満です（現在{ $found }）
expected-time-control = 「{ $found }」は持ち時間の指定ではありません（例：60+0.6、40/300、1:30+1）
clock-or-move-time = 持ち時間（tc、byoyomi）と1手ごとの時間（st、movetime）は同時に指定できません
byoyomi-or-increment = 秒読みと加算時間は同時に指定できません
expected-no-byoyomi = 秒読みは USI の対局でだけ使えます
expected-limit = 制限（tc、byoyomi、movetime、nodes、depth のいずれか）を指定してください
expected-cmd = どのエンジンにも cmd=... が必要です
expected-engine-words = name=a cmd="b c" tc=10+0.1 のように指定してください。指定されたもの：「{ $found }」
expected-engine-table = [[engine]] が1つもありません
expected-engines-in-words = エンジンはファイル（{ $found }）ではなく語で指定してください
expected-words = name=value の形で指定してください。指定されたもの：「{ $found }」
expected-value-of = { $word } に指定できる値：{ $value }。指定されたもの：「{ $found }」
value-order = sequential か random
value-model = normalized、logistic、bayesian のどれか
value-format = このゲームの開始局面集の形式
value-policy = round か default
value-switch = true か false
value-number = 数
expected-file-word = file=... を指定してください
expected-file-word-not = file=... を指定してください。指定されたもの：「{ $found }」
expected-record = FORMAT=FILE（{ $known }）の形で指定してください。指定されたもの：「{ $found }」
expected-format = 形式が分かりません。{ $known } のいずれかを指定してください
expected-games-or-positions = 棋譜も局面もありません
opening-from = { $start }からの手順
expected-start = start=1 から start={ $most } までで指定してください（現在{ $found }）
expected-starting-engine = エンジンが起動しません：{ $why }
expected-engine-with-files = エンジンがオプションのファイルを使えません：{ $why }
expected-playing-engine = エンジンが対局を続けられません：{ $why }
expected-engine-threads = エンジンのスレッドがすべて終了しました
expected-queue-thread = 待ち行列のスレッドが終了しました
expected-playing-machines = 対局できるマシンがありません（{ $times }回）：{ $why }

# 誤り：対局の記録ファイル
journal-file = 記録ファイル { $file }
expected-journal-option = 記録ファイルを置くホームフォルダーがありません。--journal FILE を指定してください
expected-journal = 対局の記録ファイルではありません（{ $found }）
expected-own-game = このプログラムにないゲームです
expected-free-journal = ほかの対局が使用中です
expected-game-of-match = この対局の棋譜ではありません（{ $found }）
expected-known-words = 棋譜に未知の語があります
game-again = 第{ $game }局が二度あります
expected-in-journal = { $what }がありません
a-game = ゲーム
a-schedule = 対局の予定
a-test = 検定
journal-of-more-games = 記録ファイル：最大{ $most }局のはずが、第{ $game }局があります
expected-same-records = 棋譜ファイルの指定が前回と違います
expected-processors = 3,5,7-11 のように指定してください。指定されたもの：「{ $found }」
expected-processors-here = このマシンにないプロセッサーです（{ $found }）
expected-more-processors = 同時に{ $games }局を進めるには{ $wanted }個のプロセッサーが必要です（現在{ $found }個）
expected-more-games = 再開する対局は、組の単位で増やすことしかできません（記録ファイル { $before }局、今回 { $found }局）
engine-number = エンジン{ $number }
number-of-engines = エンジンの数
number-of-openings = 開始局面の数
time-or-limit = 時間や制限
expected-amendment = 対局の変更の記録ではありません（{ $found }）
expected-version = 版{ $known }ではありません（版{ $found }）
empty-file = 空のファイル
expected-same-plan = 「{ $place }」が記録ファイル（{ $before }）と違います（今回 { $found }）
expected-match-here = このフォルダーで始めた対局がありません。--resume FILE で記録ファイルを指定してください
expected-journals-at = 記録ファイルかそのフォルダーを指定してください：{ $found }
no-journals = { $folder } に記録ファイルがありません
expected-machine-of-journal = 「{ $found }」は記録ファイルにないマシンです（{ $known }）
expected-journal-with-machines = 「{ $found }」は記録ファイルにありません（どの対局もこのマシンで行われています）
expected-finished-game = 第{ $found }局は終わった対局の中にありません

# エンジンの部品についての知らせ
network-in-use = 評価関数 { $digits }（{ $name }、{ $set }）
no-network-of-user = { $option } { $file }：{ $why }。内蔵の評価関数を使います
expected-speaker = { $protocol } のエンジンがありません（{ $others ->
    [0] { $name } だけ
   *[other] { $name } とほかに{ $others }個
}）
no-cluster = Cluster：{ $why }。クラスターなしで続けます
unlike-engines = { $first } と { $second } が一緒に探索します。評価値はそのまま比べますが、尺度が違うことがあります
worker-set-aside = 警告：{ $name } を使わずに続けます。{ $why }
values-contradicted = 評価値のうち{ $contradicted }個がほかのワーカーに否定されました（一致{ $confirmed }個）
expected-word-of-engine = { $word } の応答がありません：{ $why }
expected-in-time = { $waited } の応答が{ $limit }秒以内にありません（{ $option } { $millis }、{ $seconds }秒経過）
engine-silent = { $seconds }秒以内に { $word } の応答がなかったので終了させました
engine-killed = 応答がないので終了させました
engine-said = { $why }（エンジンの出力：{ $text }）
engine-does-not-come-up = 起動しません
child-engine-fails = 子エンジン { $why }
hash-too-large = 警告：このマシンで表に使えるメモリーは{ $most }MiB までです。Hash { $asked } の代わりに{ $players }MiB を使います
child-lost = { $name } が落ちたので再起動します：{ $why }
child-lost-again = { $name } がまた落ちました（これまでに{ $count }回）
expected-order-in-book = 局面が順に並んでいないため BookOnTheFly では使えません（「{ $last }」の後に「{ $next }」）
book-lines-left-out = { $count }行を読み飛ばしました：{ $first }
expected-yaneuraou-book = やねうら王の定跡ファイルではありません（「sfen ...」の行がありません）
expected-polyglot-book = Polyglot の定跡ファイル（1件16バイト）ではありません（{ $found }バイト）
expected-in-book = { $expected } があるはずの行に「{ $found }」があります
expected-tables = 「{ $folder }」に Syzygy の終盤データベースがありません：{ $why }
no-tables = 中にファイルがありません
expected-game-with-tables = { $game ->
    [chess] チェス
    [shogi] 将棋
    [minishogi] ５五将棋
   *[other] { $game }
}には終盤データベースがありません

# 証明書
certificate-of-more-positions = { $positions }局面では調べ終わりません（--positions）
certificate-too-deep = 手順が長すぎて調べ終わりません（{ $why }）
certificate-refused = 証明書に誤りがあります（{ $why }）
expected-crc = CRC-32 が一致しません：記録は { $expected }、計算値は { $found }
certificate-file-fault = { $kind ->
    [short] 証明書は{ $expected }バイト以上のはずですが、{ $found }バイトしかありません
    [magic] 証明書（HBMC）ではありません：先頭は「{ $found }」
    [version] 版{ $expected }の証明書ではありません：版は{ $found }
    [dense] 圧縮データ1バイトにつき{ $expected }バイトまでのはずですが、内容が{ $found }バイトあります
    [deflated] 圧縮データを{ $expected }バイトの内容に戻せません
    [even] 必至の手数は奇数のはずですが、{ $found }手です
    [beyond] 手数の上限は{ $expected }手以下のはずですが、{ $found }手です
   *[other] { $text }
}
certificate-content-fault = 内容の{ $at }バイト目：{ $expected }のはずですが、{ $found }
certificate-expected = { $kind ->
    [end] 末尾
    [position-length] 局面の長さ
    [position] 局面
    [short-position] { $count }バイト以内の局面
    [plain-position] 印字できる ASCII の局面
    [claim] 主張
    [known-claim] 0から3の主張
    [plies] 手数
    [few-plies] { $count }手以内
    [move-count] 指し手の数
    [few-moves] { $count }個以内の指し手
    [move-length] 指し手の長さ
    [move] 指し手
    [short-move] 1文字から7文字の指し手
    [new-move] 重複のない指し手
    [ascending-moves] 昇順の指し手
    [move-of] { $count }個の指し手のどれか
    [node-count] 節点の数
    [some-node] 1個以上の節点
    [fewer-nodes] 収まる数の節点と応手
    [node] 節点の番号
    [node-of] { $count }個の節点のどれか
    [earlier-node] 前にある節点
    [node-before] 前にある{ $count }個の節点のどれか
    [reply] 応手
    [group-count] 組の数
    [one-way] 指し手ごとに行き先は1つ
   *[other] { $text }
}
certificate-found = { $kind ->
    [end] データがそこで終わっています
    [more] まだ{ $value }バイトあります
    [none] 1個もありません
    [number] { $value }です
    [large-number] 32ビットを超える数です
    [uncovered] { $value }とあり、残りのデータでは足りません
    [other-bytes] 別のバイト列です
    [again] 「{ $value }」が二度あります
    [same-move] 同じ指し手が続いています
    [node] 節点{ $value }です
    [before] { $value }個前を指しています
    [two-ways] 指し手{ $value }に2つあります
    [too-many] 収まりません
   *[other] { $text }
}
certificate-replay-fault = { $kind ->
    [spelling] 「{ $found }」は規定の表記（{ $expected }）ではありません
    [quiet] 王手のはずの手が王手ではありません
    [not-by-checks] 王手の連続による詰みのはずですが、必至です
    [no-threat] 詰めろであることの証明がありません
    [other-end] 詰みのはずですが、詰みではない終局です
    [unanswered] 受けの { $found } に対する手がありません
    [longer] { $expected }手以内の必至のはずですが、{ $found }手です
    [no-reply] この攻めに対する受けがありません
    [no-reply-in-mate] 受けがあるはずですが、詰んでいます
    [mated] 合法手があるはずですが、詰んでいます
    [pass-in-check] 王手をかけられているのに手を指していません
    [too-deep] 一つの手順で攻方の手が{ $expected }手を超えます
    [too-many-positions] 局面数が{ $expected }を超えます
   *[other] { $text }
}
at-start = 開始局面
after-moves = { $moves } の後
claim-mate = 詰み
claim-brinkmate = { $plies }手以内の必至
claim-no-brinkmate = 必至なし
claim-no-mate = 不詰
claim-none-within = { $plies }手以内の必至なし
claim-is-mate = { $claim }（証明は詰み）
claim-is-shorter = { $claim }（証明は{ $plies }手）
claim-proved = { $claim }、確かめた局面数{ $positions }、局面 { $start }

# hasami doctor の診断と助言
check-state = { $state ->
    [ok] 良好
    [note] 注意
    [FAULT] 異常
   *[other] { $state }
}
check-what = { $what ->
    [program] 本体
    [processor] CPU
    [kernels] 演算命令
    [clock] 時計
    [memory] メモリー
    [huge-pages] 巨大ページ
    [limits] 上限
    [network] 評価関数
    [folder] フォルダー
    [book] 定跡
    [child] 子エンジン
    [children] 子エンジン
    [cluster] クラスター
   *[other] { $name }
}
check-no-network = なし（手作りの評価を使います）
check-folder = { $folder } に書き込めます
check-no-folder = { $folder } に書き込めません
check-built-in-book = 内蔵の定跡
check-other-protocol = このゲームとは別のプロトコルのエンジンです
check-child = { $name } は{ $seconds }秒で応答しました
check-none-named = 指定なし
check-cluster = { $place } は{ $millis }ミリ秒で応答しました
check-not-optimised = { $program }（最適化なし）
check-processor = { $name }（{ $usable }スレッド）
check-part-of-processor = { $name }（{ $there }スレッドのうち{ $usable }スレッド）
check-no-built-in = 内蔵の評価関数がありません
check-kernels = 評価関数は { $set } で動きます
check-slow-clock = { $name }（読み取りの遅い時計です）
check-unknown-memory = 空きメモリーの量が分かりません
check-memory = 空き{ $left }MiB、Threads { $threads } で Hash { $hash }
check-huge-pages = 表{ $tried }MiB のうち{ $got }MiB が巨大ページにあります
check-small-pages = 表{ $tried }MiB のうち巨大ページにあるのは{ $got }MiB なので、探索が遅くなります
check-limits = ファイル{ $files }、プロセスとスレッド{ $threads }
check-few-files = { $found }（ファイルは{ $needed }必要です）
unlimited = 無制限
expected-no-fault = 異常が{ $found }件あります
advice-network = hasami net FILE でファイルの中身が分かります
advice-folder = hasami worker --networks FOLDER で別の置き場所を指定できます
advice-book = 形式は docs/guide/ja/options.md にあります。BookFile が空なら内蔵の定跡を使います
advice-children-file = ファイルの例は docs/guide/children.md にあります
advice-other-protocol = 一つのファイルを複数のゲームに使えます。このエンジンは、このゲームでは使いません
advice-child = コマンド行をそのまま実行して uci または usi と入力し、応答を確かめてください
advice-child-at = { $path } にあります。この名前で指定するか、そのフォルダーを PATH に加えてください
advice-tables = 表のファイル（.rtbw、.rtbz）のあるフォルダーを指定してください。複数なら PATH と同じように区切ります
advice-children = --children FILE か --child COMMAND で試せます
advice-cluster = hasami workers で参加者の一覧が出ます
advice-no-cluster = サーバーが動いているか、ポートが開いているか、パスワードや creds ファイルが正しいか確かめてください
advice-clusters = --connect nats://HOST で試せます
advice-release = cargo build --release より数倍遅くなります
advice-affinity = 残りは、CPU の割り当てかコンテナーの制限のために使えません
advice-threads = Threads は{ $usable }まで。同じマシンのエンジンと時間制で対局するときは、その取り分まで
advice-avx2 = AVX2 のある CPU なら評価が速くなります
advice-native = RUSTFLAGS="-C target-cpu=native" を付けてビルドすると、詰みの探索が約11 %速くなります
advice-clock = tsc が信頼できるマシンなら、clocksource=tsc を付けて起動してください
advice-less-memory = Hash を{ $most }以下にしてください。そのままでは表が小さくなります
advice-memory = Hash は{ $most }まで。長い検討では大きいほど有利です
advice-huge-pages = メモリーが細切れです。マシンを再起動するか、ほかのプログラムを終了してください
advice-files = 起動前に ulimit -n { $wanted } とするか、ユニットに LimitNOFILE={ $wanted } と書いてください
advice-hard-limit = ハードリミットは{ $most }です。root なら /etc/security/limits.conf か LimitNOFILE= で引き上げられます
advice-processes = ulimit -u か、ユニットの TasksMax= を引き上げてください。スレッドも子エンジンも数に入ります

# 対局するエンジンについて
note-of-engine = { $engine }：{ $note }
engine-says = エンジンのメッセージ：{ $text }
option-not-there = エンジンにオプション { $option } がないので設定しません
set-option-refused = オプション { $option } の値「{ $found }」は、エンジンの宣言の範囲外です（{ $expected }）
plays-without-option = オプション { $option } がないので、使わずに対局します
has-own-book = 自分の定跡を使うかもしれません。使わせないなら option.{ $option }=false を指定してください
has-several-threads = { $threads }スレッドで探索します。1スレッドにするなら option.Threads=1 を指定してください
keeps-time = 1手の{ $pace }ミリ秒のうち{ $millis }ミリ秒を通信の遅れに備えて使いません（{ $option }）
has-little-time = 1手の時間が短いので次のように設定します：{ $options }。別の値は option.NAME=VALUE で指定してください
cannot-be-kept = 専用のプロセッサーに割り当てられません：{ $why }
is-silent = 時間制限のない探索で{ $seconds }秒間何も出力していません。{ $most }秒で打ち切ります（{ $option }）
is-waited-for = { $word } を{ $seconds }秒待っています。{ $most }秒で打ち切ります（{ $option }）
answers-unasked = 求められていない bestmove を返しました
answers-while-pondering = ponderhit や stop の前に bestmove を返しました
expected-move-of-variation = 指し手 { $found } が最後の読み筋の初手 { $move } と違います
expected-legal-variation = 読み筋「{ $line }」の{ $ply }手目 { $found } が合法手ではありません
expected-variation-to-end = 読み筋「{ $line }」が{ $ply }手目での終局の後にも続いています
started-again = { $why }。再起動しました

# ワーカーノードと対局の待ち行列：持ち主への表示
lends-no-game = ゲーム { $game } を引き受けていません
lends-no-tables = 終盤データベースがありません
lends-no-engine = エンジン { $name } がありません
fetches-no-engine = エンジン { $name }（{ $sha256 }..）がなく、取り寄せもしません
fetches-no-files = ファイルが必要ですが、取り寄せない設定です
not-wanted = 相手がこのマシンを除いています
expected-task-version = 依頼の形式がバージョン{ $found }です（このプログラムはバージョン{ $expected }）
expected-game-here = このプログラムにないゲームです：「{ $found }」
expected-trained-game = { $found } は評価関数を学習できるゲームではありません
expected-opening-moves = 指し手ではない語があります
expected-evaluation = 評価関数 { $expected } がありません（見つかったもの：{ $found }）。プログラムのバージョンが違うかもしれません
expected-fetched-file = ファイル { $file } がここにありません
expected-engine-here = このマシンで使えるエンジンではありません：「{ $found }」
expected-engine-name = エンジンの名前に使えるのは英数字と - _ . + です。指定された名前：「{ $found }」
expected-plain-value = オプション { $option } の値は数か簡単な語にしてください。指定された値：「{ $found }」
expected-name-command = NAME=CMD の形で指定してください。指定されたもの：「{ $found }」
expected-plain-command = コマンドにオプションは付けられません（「{ $found }」）。オプションはファイルに書いてください（--engines FILE：{ $options }）
takes-no-part = { $title } には参加しません：{ $why }
cannot-play = { $title } の対局はできません：{ $why }
server-is-lost-to-lender = サーバーとの接続が切れました。対局は続けます
tries-again = { $why }。接続し直しています
engine-of-name = エンジン { $name }
waits-for-greeting = uci または usi への応答を待っています（無応答なら{ $silent }秒、最長{ $most }秒）
expected-answering-engine = uci にも usi にも応答しません：{ $why }
engine-answers-strangely = uci または usi に「{ $found }」と応答しました。エンジンではないようです
engine-is-echo = 入力をそのまま返すプログラムで、エンジンではありません
engine-answers-not = uci にも usi にも{ $seconds }秒間応答しませんでした
metrics-at = 統計値（Prometheus 用）：{ $url }
node-connected = { $server } に接続しました
node-cut-off = { $server } との接続が切れました。接続し直しています
trying-again = { $why }。接続し直しています
refused-for-long = { $why }（{ $seconds }秒間）
node-is-drained = 新しい仕事を受けず、今の仕事が終わりしだい終了します
fetches-network = 評価関数 { $network }（{ $bytes }バイト）を取り寄せています
network-of-hash = 評価関数 { $network }
expected-masters-of-version = メッセージの形式がバージョン{ $found }のマスターがいます（このプログラムはバージョン{ $version }）。古いほうのプログラムを更新してください
worker-is-lost = { $name } が失われました：{ $why }
master-is-here = { $name }（{ $game }）に{ $all }スロット中{ $slots }個を貸し出しました
master-is-gone = { $name }（{ $game }）への貸し出しが終わりました：{ $why }

# サーバーに置いたエンジン
or-no-check = { $why }。調べずに加えるには --no-check を指定してください
expected-program = プログラム（ELF、PE、Mach-O、#! で始まるスクリプト）ではありません
expected-trial = 試しに起動できません：{ $why }
this-file = このファイル
program-not-tried = { $kind }、このシステムでは起動を試せません
stored-engine = { $name } { $sha256 }（{ $bytes }バイト）
stored-engine-of-kind = { $name } { $sha256 }（{ $bytes }バイト、{ $kind }）
engine-removed = { $name } { $sha256 } を取り除きました
expected-stored-hash = サーバーがハッシュを返しませんでした
expected-stored-engine = 「{ $found }」はサーバーにありません（hasami engines list で一覧を表示）
expected-engine-hash = エンジン { $name } の SHA-256 が正しくありません
expected-file-hash = ファイルの SHA-256 が正しくありません
expected-stored-file = サーバーにファイル { $sha256 } がありません（見つかったもの：{ $found }）
expected-file-or-value = ほかのマシンへ送るこのマシンのファイルか、数か簡単な語を指定してください（{ $found ->
    [folder] フォルダーです
   *[other] この名前のファイルはありません
}）
expected-engine-of-machines = cmd=NAME には、マシンの持ち主が許しているか hasami engines list にあるエンジンを指定してください。指定されたもの：「{ $found }」
expected-hash-of-stored = SHA-256 の最初の{ $least }文字以上を指定してください。この名前のエンジンは hasami engines list にありません
expected-hash-of-engine = SHA-256 の最初の{ $least }文字以上を指定してください。この名前のエンジンの値：{ $sha256 }

# サーバーと証明書
expected-jetstream = { $server } で JetStream を使えません（nats-server -js -sd FOLDER とするか、設定ファイルに { $config } と書きます）：{ $why }
expected-stream = { $server } でストリームを使えません（必要な権限は docs/guide/games.md）：{ $why }
expected-thread = スレッドを作れません：{ $why }
expected-nats = { $server } の NATS サーバーに接続できません：{ $why }
expected-nats-with-tls = { $server } の NATS サーバーに TLS で接続できません：{ $why }
expected-nats-with-login = { $server } の NATS サーバーにログインを拒否されました：{ $why }
expected-nats-for-us = { $server } の NATS サーバーに接続できません：{ $why }
expected-rights = { $server } で権限が足りません（必要な権限は docs/guide/cluster.md）：{ $why }
expected-connection = { $seconds }秒以内に接続できませんでした
server-without-tls = サーバーが TLS を使っていません。nats:// で接続するか、サーバーで TLS を有効にしてください
certificate-untrusted = 証明書の認証局がこのマシンで信頼されていません。認証局の証明書を --tls-ca（tls_ca）で指定してください
certificate-of-authority = 認証局の証明書はサーバーには使えません。サーバー用の証明書（basicConstraints=CA:FALSE）を作ってください
certificate-ended = 証明書の期限が切れて{ $days }たっています。サーバーで更新するか、このマシンの時計を合わせてください
certificate-begins = 証明書が有効になるまで{ $days }あります。このマシンかサーバーの時計を合わせてください
certificate-not-for-servers = サーバー用の証明書ではありません。extendedKeyUsage=serverAuth として作り直してください
certificate-of-version-1 = X.509 バージョン1の証明書です。subjectAltName のあるバージョン3の証明書を作ってください
certificate-without-name = 証明書に名前がありません。{ $entry } として作り直してください
certificate-for-others = 証明書は { $names } 用で、{ $wanted } 用ではありません。証明書にある名前で接続するか、{ $entry } として作り直してください
some-days = { $days ->
    [unknown] しばらく
    [0] 1日足らず
   *[other] { $days }日
}

# クラスター：マスターの側での表示
of-cluster = クラスター：{ $news }
besides = { $first }。{ $second }
counted-machines = マシン{ $count }台
workers-on-machines = { $machines }、{ $workers }
machine-is-lost = { $times ->
    [1] { $name } が失われました（{ $workers }）：{ $why }
   *[other] { $name } が失われました（{ $workers }、これまでに{ $times }回）：{ $why }
}
machine-set-aside = { $name } を除外しました（{ $workers }）
machines-are-lost = マシン{ $count }台が失われました（{ $workers }）
machine-has-come = { $name } が参加しました
machines-have-come = マシン{ $count }台が参加しました
no-worker-left = ワーカーがいなくなりました
no-worker-yet = ワーカーがまだいません
no-useful-worker = 役に立つワーカーがいません
workers-with-others = クラスター（{ $machines }）のワーカーはすべて、ほかのマスターが使っています
fallback-takes-over = { $why }。このプログラムのスレッドで探索します
cluster-is-there = クラスター：{ $size }（{ $server }）
cluster-is-back = クラスター：{ $server } に再接続しました
cluster-is-cut-off = クラスター：{ $server } との接続が切れました。接続し直しています
cluster-is-too-large = クラスター：マシン{ $machines }台、ワーカー{ $workers }を超える分は使いません
machine-told-to-end = マシンが終了を指示されました
machine-is-drained = マシンが新しい仕事を受けなくなりました
given-to-another = ほかのマスターに割り当てられました
not-heard-for = { $value }秒間応答がありません
not-heard-any-more = 応答がなくなりました
master-has-ended = マスターが終了しました
master-began-anew = マスターが始め直しました

# クラスターの一覧
listed-machine = マシン { $name }、hasami { $version }、稼働時間{ $up }
listed-machine-is-drained = マシン { $name }、hasami { $version }、稼働時間{ $up }、新しい仕事を受けません
listed-slot = { $number }  { $slot }
listed-speed = 毎秒{ $speed }局面
speed-not-known = 速度は不明
slot-waits = { $name }（{ $game }）の仕事を待機中
slot-searches = { $name }（{ $game }）のため{ $seconds }秒前から探索中
with-network = { $engine }（評価関数 { $network }）
slot-state = { $engine }、{ $speed }、{ $work }
listed-master = マスター { $name }、hasami { $version }、{ $game ->
    [chess] チェス
    [shogi] 将棋
    [minishogi] ５五将棋
   *[other] { $game }
}、{ $workers }
listed-loss = { $ago }前に失われた { $name }：{ $why }
listed-values = { $name } の評価値：一致 { $confirmed }、否定 { $contradicted }
listed-values-unproved = { $name } の評価値：一致 { $confirmed }、否定 { $contradicted }、証明のない詰み { $unproved }
listed-as-set-aside = { $line }（使っていない）
game-machine = マシン { $name }、hasami { $version }、稼働時間{ $up }、同時に{ $games }、対局中{ $busy }、終了{ $finished }、1局あたり毎秒{ $speed }局面
older-game-machine = マシン { $name }、hasami { $version }、同時に{ $games }、対局中{ $busy }、1局あたり毎秒{ $speed }局面
engines-of-machine = { $processor }、エンジン：{ $engines }
engines-and-fetched = { $processor }、エンジン：{ $engines }（サーバーのエンジンも取り寄せる）
games-not-told = 古いプログラムのため、対局の内容はわかりません
title-for-caller = { $title }（依頼元 { $caller }）
engines-come-up = エンジンの起動中
running-game = 第{ $number }局、{ $title }：{ $first } 対 { $second }、{ $plies }、{ $since }
running-games-from = { $title }：第{ $number }局から、{ $since }
expected-draining-machine = マシン { $name } は対局を引き受けるマシンなので、--drain の対象ではありません。そのまま終了すれば、対局はほかのマシンが引き継ぎます
expected-answer-of-machine = { $seconds }秒待ちましたが、マシン { $name } から応答がありません
expected-somebody = { $seconds }秒待ちましたが、応答したマシンもマスターもありません
expected-answers-of-version = メッセージの形式がバージョン{ $found }の応答があります（このプログラムはバージョン{ $version }）。古いほうのプログラムを更新してください

# 棋譜と局面のファイル、学習
expected-endings = ファイル名の末尾は { $endings } です
expected-whole-positions = ファイルの大きさが1局面（{ $size }バイト）の倍数ではありません（{ $found }バイト）
unreadable-training-data = 読み込めません（{ $why }）
line-of-file = { $file } { $number }行目
game-cut-off = 第{ $number }局は途中で切れているので除きます
no-position = （局面なし）
positions-written = { $file }：{ $count }局面
positions-extracted = { $file }：{ $total }局面中{ $count }局面
games-written = { $file }：{ $count }局
games-of-game = { $game ->
    [chess] チェス
    [shogi] 将棋
   *[other] { $game }
}の棋譜{ $count }局
positions-of-game = { $game ->
    [chess] チェス
    [shogi] 将棋
   *[other] { $game }
}の{ $count }局面
counted-results = 勝ち{ $wins }、引き分け{ $draws }、負け{ $losses }、不明{ $unknown }
counted-scores = { $count }局面の評価値：100センチポーンまで { $to1 }、300まで { $to3 }、1000まで { $to10 }、3000まで { $to30 }、それ以上 { $beyond }
positions-broken = 読み込めない局面：{ $count }
expected-level-opening = { $draws }回選んでも、評価値が{ $most }センチポーン以内の開始局面がありません
expected-games-of-chunk = { $count }局あるはずが、そうではありません（{ $found }）
training-goes-on = ステップ{ $step }の続きから学習します
training-begins = 1ステップ{ $batch }局面で{ $steps }ステップ学習します
training-begins-measured = 1ステップ{ $batch }局面で{ $steps }ステップ学習します。測定用の局面の損失は現在 { $loss }（どの局面にも同じ値を答える評価関数なら { $blind }）
training-step = ステップ{ $step }/{ $steps }：損失 { $loss }、学習率 { $rate }、毎秒{ $speed }局面、残り{ $left }
training-step-measured = ステップ{ $step }/{ $steps }：損失 { $loss }、測定用の損失 { $held-out }、学習率 { $rate }、毎秒{ $speed }局面、残り{ $left }
training-is-done = 学習が終わりました
training-not-finished = 学習は終わっていません。同じコマンドで続けられます
curve-learned = 学習用
curve-held-out = 測定用
axis-steps = ステップ
axis-squared-error = 期待得点の平均二乗誤差
expected-width = 128の倍数で2048以下の数を指定してください。指定された値：{ $found }
unreadable-checkpoint = 学習のチェックポイントとして読み込めません（{ $why }）
buckets-refused = 区分の指定が正しくありません（{ $why }）
expected-more-positions = 局面が{ $wanted }以上必要です（--held-out と --batch の合計。現在{ $found }）
expected-other-checkpoint = 別の評価関数のチェックポイントです（パラメーター数：必要{ $wanted }、ファイル{ $found }）
expected-other-network = 別の形の評価関数です（{ $part }：必要{ $wanted }、ファイル{ $found }）

# 探索なしの評価値、評価関数ファイル
evaluated-by-hand = 手作りの評価
evaluated-for = { $value }（{ $side ->
    [White] 白
    [Black] 先手
   *[other] { $side }
}から見た値）
piece-in-hand = 持駒 { $piece } { $value }
unreadable-network = 評価関数ファイルとして読み込めません（{ $why }）
network-game = ゲーム
network-architecture = 構造
network-first-layer = 第1層
network-rows = { $rows }行、各{ $values }個の値
network-bytes = バイト数
network-hash = SHA-256
network-scale = 尺度
network-units = 1センチポーンにつき出力{ $units }
network-divisor = FV_SCALE { $divisor }（オプションで変更できる）、1センチポーンにつき出力{ $units }
network-description = 説明

# プログラムの測定
another-file = 別のファイル
expected-learning-journal = hasami-lab learn の記録ファイルではありません（{ $found }）
expected-searched-position = 探索した局面の記録ではありません（{ $found }）
expected-same-move = 第{ $game }局の{ $move }手目が { $found } です（棋譜では { $expected }）。別の棋譜の記録です
learning-differs = { $name } が前回と違います（前回：{ $before }、今回：{ $found }）。最初から始めるには別の --journal を指定してください
expected-games-with-moves = 指し手のある棋譜がありません
expected-working-engine = エンジンが動きません：{ $why }
engine-starts-again = エンジンを再起動します：{ $why }
expected-several-lines = --nodes の局面数では、エンジンが複数の読み筋（MultiPV）を示しません
expected-fit-positions = 学習できる局面がありません（{ $found }局面はどれも対象外）
expected-judged-positions = この棋譜の局面が1つもありません
expected-diary-entry = hasami-lab virtual --log の記録ではありません（{ $found }）
expected-diary-with-move = 記録に指し手が1つもありません
expected-strengths = 強さの値は{ $expected }個です（現在{ $found }個）
expected-no-limits = 制限は --nodes で指定するので「{ $found }」は使えません
expected-one-engine = エンジンは1つだけ指定してください（現在{ $found }）
expected-own-option = hasami の後は option.Hash=16 のように指定してください。指定されたもの：「{ $found }」
expected-rising-numbers = 0より大きい数を小さい順に指定してください。指定されたもの：{ $found }
search-has-failed = 探索に失敗しました
row-workers = ワーカー
spent-on = { $cause ->
    [idle-before-the-first-task] 待機：最初の仕事の前
    [idle-between-tasks] 待機：仕事と仕事の間
    [idle-while-the-opponent-thought] 待機：相手の手番
    [lines-that-never-counted] 使われなかった手順
    [others-that-changed-nothing] 変化のなかった「残りの手」
    [replies-that-did-not-come] 指されなかった応手
    [searched-again--answered-before] 再探索：前に結果あり
    [searched-again-in-another-window] 再探索：別の探索窓
    [useful] 役に立った探索
    [not-judged-at-the-end] 最後まで判定できず
   *[other] { $name }
}
news-told = 1手1ワーカーあたりの通信（{ $share ->
    [median] 中央値
    [most] 最大
   *[other] { $name }
}）
speedup-of-position = { $place }  1ワーカー { $one }秒  全ワーカー { $all }秒  { $ratio }倍
speedup-of-all = 速度向上 { $value }倍（95 %信頼区間 { $low }～{ $high }）：深さ{ $depth }、ワーカー{ $workers }、{ $positions }局面。局面数 { $nodes }倍、{ $traffic }
cluster-traffic = 待機 { $idle } %、1ワーカー1,000局面あたり情報 { $news }、メッセージ { $messages }
one-worker = 1ワーカー、時間{ $times }倍：{ $played }
all-workers = ワーカー{ $workers }：{ $played }
judged-moves = 1手の損 { $mean } ± { $error } %（得点率）、最善手 { $best } %
worth-of-workers = 1ワーカーの時間の{ $value }倍に相当（95 %信頼区間 { $low }～{ $high }）、{ $measured }
worth-measured = { $positions }局面。{ $traffic }
learned-from = { $games }局、{ $positions }局面、うち学習{ $samples }局面
learning-leaves-out = 除いた局面：詰みが見えるもの{ $mates }、評価値のないもの{ $valueless }、指された手のないもの{ $moveless }
out-of-rank = 圏外
column-of-rank = 順位
column-played = 指した数
column-share = 割合
column-gap = 評価値の差
column-met = 出た数
column-strength = 強さ
figure-4 = 図4：最善手との評価値の差（センチポーン）
figure-5 = 図5：評価値の差ごとの、指された手の順位（%）
column-model = モデル
column-numbers = 数の個数
column-likelihood = 対数尤度
column-each = 1局面
column-loss = 評価用損失
column-error = 較正誤差
gain-of-logit = logit の評価用損失は { $other } より1局面あたり { $mean } ± { $error } 小さい
loss-of-tables = 損失 { $loss }、較正誤差 { $error }
weights-of-logit = logit の重み

# 詰み探索のセル
expected-connection-to = { $server } に{ $seconds }秒以内に接続できませんでした
expected-offer = { $server } のクラスターに、ワーカーを貸し出すマシンがありません
slot-set-aside = { $name } を除外しました：{ $why }
goes-on-alone = クラスターのワーカーがいなくなりました。このマシンだけで続けます
cell-is-lost = セル{ $number }（{ $name }）が失われました：{ $why }
cell-set-aside = セル{ $number }（{ $name }）を除外しました：{ $why }
cell-is-silent = { $seconds }秒間応答がありません
warning-of-cell = セル{ $number }（{ $name }）：{ $why }
expected-no-papers = --creds と --tls-ca は使えません。認証情報のファイルは、子エンジンのファイル（option.Children）の [cluster] に書いてください

# 棋譜
ply-number = { $number }手目
game-of-record = { $number }局目
more-than-a-set = 駒が一組より多い問題が{ $count }題あります。最初は「{ $first }」で、{ $men }枚多くなっています（--any-set で警告しません）
less-than-a-set = 駒が一組に足りない問題が{ $count }題あります。足りない駒は打てません。最初は「{ $first }」で、{ $men }枚足りません（--any-set で警告しません）
games-cut-short = { $count }局は最後の指し手が合法手ではないため、その手前まで読み込みました：{ $first }
expected-record-line = 棋譜の行として読めません：「{ $found }」
expected-epd = EPD の局面ではありません：「{ $found }」

# 使い方の表示
help-usage = 使い方：
help-commands = コマンド
help-arguments = 引数
help-options = オプション
help-help = 使い方を表示する
help-version = 版を表示する
about-command = { $command ->
    [hasami] マスター木で探索する、将棋とチェスの並列思考エンジン
    [analyse] 局面を検討し、マスター木と最善手を表示する。棋譜ならすべての指し手を評価する
    [bench] 両方のゲームの決まった局面を一定の深さまで探索し、局面数の合計を表示する
    [brinkmate] 必至の問題を解く
    [cell] hasami solve --child "hasami cell" のために、詰み探索の一部を受け持つ
    [compliance] エンジンが UCI・USI のとおりに動くか調べる（1項目1行）
    [engines] ほかのマシンが取り寄せるエンジンを NATS サーバーに置く（hasami worker --allow-fetched）
    [data] 評価関数の学習に使う対局と局面を数える、見る、選ぶ、混ぜる、採点し直す
    [doctor] このマシン、ファイル、エンジンを調べ、遅くなる原因や動かない原因を知らせる
    [eval] 探索せずに局面を評価し、盤上と持駒の駒ごとの値を示す
    [match] エンジンどうしを対局させる（レート差、SPRT、大会）
    [net] 評価関数ファイルの形式、大きさ、SHA-256、倍率を示す
    [perft] 指定した深さまでの局面を数える
    [results] 記録ファイルから対局の成績を示す（一覧、または一つの成績と条件）
    [selfplay] 学習用に自己対局をさせる
    [solve] 詰みの問題を解く（将棋では詰将棋）
    [teach] ほかの評価関数の採点を、新しい評価関数に1つのコマンドで学習させる
    [train] 採点した局面から評価関数を学習する
    [tune] 対局でエンジンのオプションを調整する（SPSA）
    [verify] 詰みの解答や証明書を、ルールだけで検証する
    [worker] このマシンのエンジンを NATS でほかのマスターに貸し出す（Ctrl-C まで）
    [workers] クラスターのマシン、エンジン、貸出先、失われたワーカーの一覧を示す
    [completions] シェルの補完スクリプトを出力する
    [help] 使い方を表示する
    [add] エンジンを置く（ほかのファイルの要らない実行ファイル）
    [remove] エンジンを取り除く
    [list] エンジンの一覧を示す
    [count] 対局、局面、結果、評価値を数える
    [show] 局面、または評価値付きの対局を文字で書き出す
    [extract] 対局から局面を取り出す（ふつうは王手、駒取り、成りのない静かな局面）
    [shuffle] 局面を無作為に並べ替える（メモリーより大きなファイルも可）
    [rescore] 対局の局面を、別の評価関数やより多くの局面数で探索し直す
    [distil] 対局の局面とその周りを、探索せずに評価して採点する
    [import] 「FEN | 評価値 | 結果」の形の局面を読み込む（show が書き出す形。評価値と結果は先手から見た値）
   *[other] { $text }
}

about-option = { $option ->
    [lang] メッセージ、注記、ページの言語（既定値：ロケールによる）
    [game] 対象のゲーム
    [analyse-game] 対象のゲーム（既定値：局面と指し手を受け付ける最初のゲーム）
    [perft-game] 対象のゲーム（既定値：局面と指し手を受け付ける最初のゲーム）
    [solve-game] 対象のゲーム（既定値：ほかのオプション、または最初の問題集の最初の局面で決まる）
    [brinkmate-game] 対象のゲーム（既定値：ほかのオプション、または最初の問題集の最初の局面で決まる）
    [doctor-game] オプションと子エンジンのゲーム（既定値：すべてのゲーム）
    [selfplay-game] 対象のゲーム（chess か shogi）
    [train-game] 対象のゲーム（chess か shogi）
    [teach-game] 対象のゲーム（chess か shogi）
    [verify-game] 対象のゲーム（既定値：最初の局面で決まる）
    [worker-game] このゲームだけを引き受ける
    [fen] チェスの局面（引用符で囲む。何度でも指定できる）
    [analyse-fen] 開始局面。FEN（チェス）、SFEN（将棋）、または startpos moves ... の形を引用符で囲む。省略すればゲームの開始局面
    [perft-fen] 開始局面。FEN（チェス）、SFEN（将棋）、または startpos moves ... の形を引用符で囲む。省略すればゲームの開始局面
    [eval-fen] チェスの局面（FEN を引用符で囲む。startpos は開始局面）
    [sfen] 将棋の局面（引用符で囲む。何度でも指定できる）
    [analyse-sfen] --fen と同じ
    [perft-sfen] --fen と同じ
    [eval-sfen] 将棋の局面（SFEN を引用符で囲む。startpos は開始局面）
    [match-sfen] 棋譜を指し手の行として書き出す
    [tune-sfen] 棋譜を指し手の行として書き出す
    [chess960] キャスリングを「キングがルークを取る手」と表す（チェス960）
    [moves] 開始局面からの指し手（e2e4 e7e5、7g7f 3c3d のように。▲７六歩やSANでもよい）
    [time] 1問あたりの秒数（既定値：60。--nodes があれば無制限）
    [analyse-time] 考える秒数（既定値：5。棋譜では1局面に1。--nodes か --depth があれば無制限）
    [analyse-depth] この深さ（手数）に達したら終える
    [analyse-multipv] 初手の違う読み筋をこの数だけ示す
    [RECORD] 棋譜（PGN、KIF、CSA、SFEN の行）。すべての指し手の評価値、最善手、損失と、両対局者の成績を示す。--time、--nodes、--depth は1局面ごとの値
    [analyse-record] N局目の対局だけを解析する
    [annotate] 評価値、悪手の判定、最善の手順を書き加えた棋譜を書き出す。元の棋譜の名前でもよい（- なら標準出力）
    [nodes] 1問あたりの局面数（指した手の数）
    [analyse-nodes] 全ワーカーの合計がこの局面数になったら終える
    [rescore-nodes] この局面数を超えた反復で、1局面の探索を終える（既定値：5000）
    [selfplay-nodes] この局面数を超えた反復で、1手の探索を終える（少なくとも深さ1までは探索する）
    [teach-nodes] この局面数を超えた反復で、対局の1手の探索を終える（既定値：30）
    [workers] ワーカー数
    [analyse-workers] 探索するスレッド数。1024まで（既定値：コアごとに1つ。子エンジンかクラスターがあれば0）
    [tree] 局面の木を育て、各局面にワーカーを1つずつ割り当てる。最善手と同じくらい良く見える手が選ばれなかった理由も示す
    [child] 子エンジンのコマンド行（何度でも指定できる）
    [solve-child] 起動するセルのコマンド行（例："ssh host hasami cell"。何度でも指定できる）
    [worker-child] UCI か USI のエンジンのコマンド行（何度でも指定できる）
    [children] 子エンジンの一覧の TOML ファイル
    [worker-children] 子エンジンの一覧の TOML ファイル（オプション Children と同じ）
    [connect] ほかのマシンがワーカーを貸し出す NATS サーバー（docs/guide/ja/cluster.md）
    [worker-connect] NATS サーバー：nats://HOST、tls://USER:PASSWORD@HOST:4222 など。複数ならコンマで区切る
    [workers-connect] NATS サーバー：nats://HOST、tls://USER:PASSWORD@HOST:4222 など。複数ならコンマで区切る
    [add-connect] NATS サーバー：nats://HOST、tls://USER:PASSWORD@HOST:4222 など。複数ならコンマで区切る
    [remove-connect] NATS サーバー：nats://HOST、tls://USER:PASSWORD@HOST:4222 など。複数ならコンマで区切る
    [list-connect] NATS サーバー：nats://HOST、tls://USER:PASSWORD@HOST:4222 など。複数ならコンマで区切る
    [creds] サーバーの認証情報（creds ファイル）
    [tls-ca] システムのもの以外に信頼する証明書（PEM）。TLS が必要
    [option] エンジンのオプション（何度でも指定できる）
    [compliance-option] 検査の前に設定するオプション（何度でも指定できる）
    [doctor-option] エンジンのオプション（何度でも指定できる。--game が必要）
    [notation] 指し手の表記：players はふだんの表記（▲７六歩、SAN）、western は西洋式、protocol は USI・UCI の表記
    [web] 実行中の様子をブラウザー用のページで見せる。ADDR で待ち受ける（既定値：127.0.0.1:8400 か、次の空きポート）。端末では Ctrl-C までページが残る
    [svg] 結果の推移の図を書き出す
    [analyse-svg] 木の図（棋譜なら期待勝率の推移）を書き出す（- なら標準出力に書き、ほかの表示は標準エラーに出す）
    [solve-svg] 各問題とその手順の図、および証明の図をこのフォルダーに書き出す
    [brinkmate-svg] 各問題とその手順の図、および証明の図をこのフォルダーに書き出す
    [json] JSON で出力する
    [analyse-json] 木、または棋譜の解析結果を JSON で書き出す。評価値は各節点の手番側、棋譜では指した側から見た値（- なら標準出力）
    [solve-json] 1問を1つの JSON オブジェクトで出力し、ほかの表示は標準エラーに出す
    [brinkmate-json] 1問を1つの JSON オブジェクトで出力し、ほかの表示は標準エラーに出す
    [match-json] 成績のまとめを書き出す
    [tune-json] 成績のまとめを書き出す
    [verify-json] 証明書1つを1つの JSON オブジェクトで出力する
    [workers-json] 1行に1つの JSON オブジェクトを出力する
    [DEPTH] 手数
    [bench-DEPTH] 手数（既定値：11）
    [mate] 代わりに、決まった局面の王手による詰みを、それぞれ一定の局面数まで調べる
    [FILE] 局面のファイル
    [solve-FILE] 問題集（- は標準入力）
    [brinkmate-FILE] 問題集（- は標準入力）
    [count-FILE] 棋譜か局面のファイル
    [distil-FILE] 棋譜ファイル
    [extract-FILE] 棋譜ファイル
    [import-FILE] テキストのファイル
    [show-FILE] 棋譜か局面のファイル
    [add-FILE] エンジンの実行ファイル
    [net-FILE] 評価関数ファイル（Stockfish、将棋エンジン、このプログラムのもの）
    [train-FILE] 局面のファイル（.bullet、.psv）
    [kif] KIF ファイル。指し手が始まる局面を問題とする（何度でも指定できる）
    [match-kif] 棋譜を KIF で書き出す（フォルダー名/ なら1局ごとのファイル）
    [tune-kif] 棋譜を KIF で書き出す（フォルダー名/ なら1局ごとのファイル）
    [csa] CSA ファイル。--kif と同じ
    [match-csa] 棋譜を CSA で書き出す（フォルダー名/ なら1局ごとのファイル）
    [tune-csa] 棋譜を CSA で書き出す（フォルダー名/ なら1局ごとのファイル）
    [proof] 証明数で探索し、解答を証明する（既定）
    [taco-h] TACO-H（橋本ほか 2001）で探索する：内部で詰みを調べる反復深化。証明はしない
    [inner] TACO-H の内部の詰み探索：id は5手まで、pds は --inner-nodes まで（既定値：pds）
    [inner-nodes] TACO-H の内部の PDS 探索の局面数（論文のマシンでは1ミリ秒に257）
    [shortest] もっと短い詰みがないことを証明し、最も長い応手を示す
    [brinkmate-shortest] もっと短い必至がないこと、詰みがないことを証明する
    [plies] N手以内の必至だけを探す
    [mates] 必至の後の詰みをN手以内に限る（それより長い詰みを狙う必至は見つけない）
    [threads] 1問あたりのスレッド数
    [rescore-threads] 同時に調べる対局数（既定値：1）
    [distil-threads] 同時に調べる対局数（ファイルの中身は変わらない。既定値：1）
    [selfplay-threads] 同時に進める対局数
    [train-threads] スレッド数（時間のほかは何も変わらない。既定値：プロセッサーごとに1つ）
    [teach-threads] スレッド数（時間のほかは何も変わらない。既定値：プロセッサーごとに1つ）
    [worker-threads] このプログラムのエンジン数（既定値：コアごとに1つ。子エンジンがあれば0）
    [jobs] 同時に解く問題数
    [virtual] P個のプロセッサーで解いた場合を、局面数で測る時計により順番に実行して再現する（どのマシンでも同じ結果になる）
    [turn] 次の仮想プロセッサーの番になるまでの局面数（既定値：100）
    [seed] 仮想プロセッサーの順番などを決める乱数の種（既定値：1）
    [compliance-seed] 局面を決める乱数の種
    [distil-seed] 無作為な指し手の乱数の種（既定値：1）
    [shuffle-seed] 並び順の乱数の種（既定値：1）
    [match-seed] 開始局面の順番を決める乱数の種
    [tune-seed] 開始局面の順番を決める乱数の種
    [selfplay-seed] すべての乱数の種（別の実行には別の値を使う）
    [train-seed] 重みの初期値と局面の順番を決める乱数の種
    [teach-seed] すべての乱数の種
    [hash] すべての表の合計（MiB）
    [cell-hash] 表または木の大きさ（MiB。既定値：64）
    [selfplay-hash] スレッドごとの表の大きさ（MiB。既定値：--nodes により1から8）
    [worker-hash] 全スレッドの表の合計（MiB）
    [certificate] 1問だけの証明をこのファイルに書き出す（hasami verify --certificate で検証できる）
    [verify-certificate] 必至の証明書（docs/design/certificate.md）か、そのフォルダー（*.cert）。- は標準入力
    [certificates] 各問題の証明をこのフォルダーに書き出す
    [lines] 各詰みの下に、その指し手を USI・UCI の表記とふだんの表記で1行ずつ書く
    [any-set] 駒が一組より多い、または足りない問題にも警告しない
    [kif-out] 各詰みを KIF ファイルとしてこのフォルダーに書き出す
    [expect] 記録された解答と比べる。誤った詰みや不詰があれば終了コードは1、手数の違いは知らせるだけ
    [results] 解答が見つかるたびに、1行に1つの JSON オブジェクトとしてこのファイルにも書く
    [resume] --results のファイルの続きから解く。解答済みの問題は解き直さない
    [match-resume] 記録ファイルの対局を続ける。エンジンを指定しなければ元のコマンド行も使い、今回指定したオプションが優先する
    [tune-resume] 記録ファイルの調整を続ける
    [SHELL] 補完スクリプトを使うシェル
    [ENGINE] 検査するエンジン：コマンド行全体を1語で、またはプログラムと引数
    [protocol] プロトコル（既定値：ゲームのプロトコル）
    [patience-ms] 応答を待つ時間（ミリ秒）
    [margin-ms] 制限時間を過ぎても許す時間（ミリ秒）
    [only] 英語の名前（--lang en で表示）にこの語を含む検査だけを行う
    [trace] エンジンとやりとりするすべての行を標準エラーに出す
    [solve-trace] 各仮想セルの待ち時間をこのファイルに書く（1問に1つの JSON オブジェクト。--virtual とともに使う）
    [out] 新しいファイル
    [distil-out] 局面のファイル
    [extract-out] 局面のファイル
    [import-out] 局面のファイル
    [selfplay-out] 棋譜ファイル。条件はその隣（FILE.json）に書く
    [train-out] 書き出す評価関数
    [teach-out] 書き出す評価関数
    [tune-out] 調整した値と誤差の TOML ファイル
    [net] 評価関数ファイル、または手作りの評価 classical（既定値：内蔵の評価関数）
    [teacher] 局面を採点する評価関数ファイル、または手作りの評価 classical
    [teach-positions] 学習する局面数
    [piece] 一度に作って学習し、忘れる局面数（数千局分あるとよい）
    [teach-ways] 対局の各局面から1手から3手まで無作為に進める回数
    [ways] 対局の各局面から1手から3手まで無作為に進める回数（既定値：4）
    [teach-most-score] 評価値の絶対値がこのセンチポーン以下のものだけを使う
    [most-score] 評価値の絶対値がこのセンチポーン以下のものだけを使う（既定値：3000）
    [checks] 王手だけで詰みを探す（将棋では常にそうする）
    [extract-checks] 王手のかかった局面も取り出す
    [verify-checks] 攻方の手がすべて王手であることを求める（将棋では常にそうする）
    [noisy] 駒取りや成りの手が指された局面も取り出す
    [skip] 各対局の最初のこの手数を除く
    [extract-skip] 各対局の最初のこの手数を除く（既定値：0）
    [GAMES] 棋譜ファイル
    [from] 最初に示すものの番号。0から数える（既定値：0）
    [count] 示す数（既定値：10）
    [NAME] エンジンの名前
    [add-NAME] エンジンの名前（cmd=NAME で使う）
    [no-check] ファイルの中身を問わず、試しに起動することもしない
    [fv-scale] 将棋の評価関数の出力を割る数。その種類のふつうの値と違う場合に指定する
    [games] 組ごとの対局数。--rounds があれば回戦ごと（既定値：2）
    [selfplay-games] ファイルに収める対局数
    [worker-games] 木のワーカーの代わりに、同時にこの数までの対局を引き受ける（docs/guide/games.md）
    [engine] エンジン：name、cmd、args、dir、protocol、tc、byoyomi、st、movetime、nodes、depth、timemargin、ponder、restart、weight、clock、option.NAME。またはエンジンの一覧の TOML ファイル
    [worker-engine] このマシンでほかの人の対局に使わせるエンジン（NAME=CMD。何度でも指定できる）。hasami はこのプログラム
    [multipv] 順位を付ける手の数。残りは「圏外」とする
    [concurrency] 同時に進める対局数
    [journal] 対局や調整の経過を残す記録ファイル。中断しても続けられる（既定値：~/.local/state/hasami/ の matches か tunings に1つずつ）
    [each] すべてのエンジンに共通の語。エンジンごとの指定が優先する
    [file] 対局を記述した TOML ファイル。どのオプションも -- を除いて書ける（docs/guide/match.md）
    [write] このコマンド行からそのようなファイルを書き出し、対局はしない
    [machines] ほかのマシンに対局させるための NATS サーバー（JetStream が必要。docs/guide/games.md）
    [share] 複数の対局があるときの、マシンの取り分の重み
    [reference-speed] 持ち時間の基準とするマシンの毎秒の局面数（hasami worker が表示する値）。速いマシンの時間は減らし、遅いマシンの時間は増やす
    [without] このマシンには対局させない（何度でも指定できる）
    [results-without] このマシンの対局を除く（何度でも指定できる）
    [machines-creds] マシン用のサーバーの認証情報（creds ファイル）
    [machines-ca] そのサーバーのために、システムのもの以外に信頼する証明書（PEM）
    [variant] チェスの種類：standard（通常）か fischerandom（チェス960）
    [entering-king] 将棋の入玉宣言のルール
    [rule] ゲームのルールに関するオプション（何度でも指定できる）
    [rounds] 回戦数。どの組も回戦ごとに新しい開始局面を使う
    [repeat] 同じ開始局面を先後を入れ替えて2回（既定）、またはN回使う
    [no-repeat] 同じ開始局面を1回だけ使う
    [noswap] 常に先に指定したエンジンの先手とする
    [reverse] 最初の対局を、後に指定したエンジンの先手とする
    [affinity] 各対局のエンジンを専用のプロセッサーに割り当てる（Linux）。番号の指定：3,5,7-11（既定値：すべて）
    [openings] 開始局面のファイル（EPD、PGN、SFEN、CSA、KIF）、または file=.. format=.. order=sequential|random plies=.. start=..。startpos なら初期局面から始める（既定値：内蔵の開始局面集）
    [selfplay-openings] 無作為な指し手の前の開始局面のファイル（EPD、FEN、SFEN。1行に1局面）
    [tournament] 組み合わせ：pair は2エンジン、gauntlet は1対全員、roundrobin は総当たり（既定値：2エンジンなら pair、3つ以上なら roundrobin）
    [seeds] gauntlet で、ほかのすべてと対局するエンジンの数
    [sprt] 2つの仮説のどちらが正しいか分かったら終える：elo0=.. elo1=.. alpha=.. beta=.. model=normalized|logistic|bayesian
    [report] ペアごとの数値を示すか：penta=true|false
    [draw] 引き分けの判定：movenumber=.. movecount=.. score=..
    [selfplay-draw] 引き分けの判定：80手目以降、評価値が CP 以内の状態が PLIES 手続いたとき（CP:PLIES）。0:0 なら指し続ける
    [resign] 負けの判定：movecount=.. score=.. twosided=true|false
    [maxmoves] この手数で引き分けとする（将棋では1手ずつ数える。0なら無制限）
    [tb] 対局の結果を決める Syzygy の終盤データベースのフォルダー
    [worker-tb] 終盤データベースで終える対局のための Syzygy のフォルダー
    [on-crash] 対局中にエンジンが異常終了するか応答しなくなったとき：forfeit はその対局を負けとする、restart は再起動して対局を続ける、stop は対局全体を終える
    [recover] --on-crash forfeit と同じ
    [pgn] 棋譜を PGN で書き出す（フォルダー名/ なら1局ごとのファイル）
    [record] 棋譜をそのゲームの形式で書き出す（何度でも指定できる）
    [results-record] N局目の棋譜を、そのゲームの形式（--format）で書き出す
    [log] エンジンとやりとりするすべての行を書き出す
    [event] 棋譜に書く棋戦名
    [site] 棋譜に書く対局場所
    [ratinginterval] この局数ごとに成績を表示する。0なら最後だけ
    [startup-ms] 起動中のエンジンの応答を待つ時間（ミリ秒）
    [ucinewgame-ms] 対局の準備を待つ時間（ミリ秒）
    [ping-ms] isready への応答を待つ時間（ミリ秒）
    [silence-ms] 持ち時間のない探索で、次の行を待つ時間（ミリ秒）
    [quiet] 1局ごとの行を表示しない
    [divide] 指し手ごとの行も表示する
    [PATH] 記録ファイル（match.jsonl）か、そのフォルダー（既定値：対局と調整の記録ファイルが入るフォルダー）
    [format] 棋譜の形式（既定値：そのゲームの最初の形式）
    [random-plies] 対局の初めの無作為な指し手の数（半数の対局では1手多い）
    [opening-score] 最初の評価値がこのセンチポーンを超える開始局面は選び直す
    [win] 勝ちの判定：双方の評価値が CP を超える状態が PLIES 手続いたとき（CP:PLIES）。0:0 なら指し続ける
    [most-plies] この手数で引き分けとする
    [algorithm] 探索アルゴリズム（既定値：dfpn。複数のプロセッサーなら parallel）。dfpn：改良を加えた深さ優先の証明数探索。parallel：1つの表を共有し、仮想証明数で分散する dfpn（金子 2010）。aohpas：1つの表を共有する階層的な挟み撃ち探索（高野ほか 2004）。cells：メモリーを共有しないホストとセル（立松ほか 1996。スレッド、プロセス、ほかのマシン）。pds：多重反復深化による素朴な証明数探索（長井 1998）。id：素朴な反復深化（橋本ほか 2001。最初に見つかる詰みが最短）。levels：同じ深さの局面をまとめて調べ、最短の攻めと最長の受けを求める
    [defender-first] 詰まされる側の手番とし、どう指しても詰むかを調べる
    [verify-defender-first] 問題は、詰まされる側の手番の局面である
    [rules] 手数の数え方：strict はそのまま、tsume は詰将棋のとおり無駄合を除く
    [verify-rules] 詰みと認める終わり方：strict は完全な詰み、tsume は無駄合が残っていてもよい
    [all] 作意以外の詰む手をすべて探す：初手の余詰と、作意の途中の余詰
    [proof-moves] 証明の図に示す攻方の手数（既定値：40）
    [core] aohpas の各プロセッサーの探索（既定値：pds）
    [step] aohpas の全体のしきい値を増やす幅（既定値：5）
    [cell-search] セルの探索：それぞれ表を持つ証明数探索か、立松ほか 1996 の最良優先探索
    [ns] ホストがセルに渡し始める前に作る末端局面の数（n_s）。0なら初手だけ
    [cell-nodes] セルが応答するまでの仕事の量：木の局面数（最良優先）か、指した手の数
    [cells] スレッドの代わりに、このプログラムの別プロセスとするセルの数
    [patience] この秒数のあいだ応答のないプロセスを失われたとみなす（既定値：10）
    [delay] ホストと仮想セルの間のメッセージにかかる局面数（--virtual とともに使う。既定値：0）
    [pieces-left] 詰め上がりの攻方の持駒（駒余り）を示す
    [speed] ワーカーが仮想の1秒に探索する局面数
    [worker-speed] 持ち時間の調整に使う、このマシンの毎秒の局面数（既定値：起動時に測る）
    [depth] 到達すべき深さ
    [positions] 局面数（乱数の種によりファイルから選ぶ）
    [verify-positions] 証明書の検証で調べる局面数の上限（1局面60～200バイト）
    [width] 片側の値の数（128の倍数）
    [outputs] 盤上の駒数で選ぶ出力の数（既定値：8）
    [buckets] 自玉の位置の区分：一段目から順に、左右対称を除いたます目の32個（チェス）か45個（将棋）の数をコンマで区切る（既定値：区分は1つ）
    [epochs] 各局面を学習する回数（20、0.5 など。既定値：20）
    [train-steps] 回数の代わりに、学習するステップ数
    [held-out-file] 学習せずに測定だけに使う局面のファイル（学習するものとは別の対局のものがよい）
    [batch] 1ステップの局面数
    [rate] AdamW の最初の学習率
    [tune-rate] 勝った側へ動かす量（幅の2乗を単位とする）
    [last-rate] 最後の学習率
    [result-share] 学習の目標に占める勝敗の割合（残りは評価値）
    [label-scale] 得点率73 %にあたる教師データの評価値（センチポーン。既定値：チェス200、将棋600）
    [scale] 評価関数の出力1.0にあたるセンチポーン（既定値：--label-scale と同じ）
    [held-out] ファイルの最後の、学習せずに測定だけに使う局面数
    [start] 乱数の代わりに、別の学習のチェックポイントか、同じ形の評価関数の重みから始める
    [fresh] ある評価関数とチェックポイントを置き換えて、最初から始める
    [checkpoint] チェックポイントの間隔（分）
    [description] 評価関数ファイルに書く説明
    [parameter] 調整するオプション：NAME=初期値,最小,最大 か NAME=初期値,最小,最大,幅（START,LOW,HIGH,STEP）。最後の回では現在の値から幅だけ上下した値を比べる
    [iterations] 全体の回数
    [PROBLEMS] 問題集（- は標準入力）
    [SOLUTIONS] その解答（- は標準入力）
    [name] マスターに見せるこのマシンの名前（既定値：ホスト名）
    [pool] この名前のプールを求めるマスターに貸し出す（既定値：プールを求めないマスター）
    [networks] マスターの評価関数を置くフォルダー（既定値：このユーザーのキャッシュフォルダーの networks）
    [no-fetch] マスターから評価関数を取り寄せない。フォルダーにない評価関数のエンジンにはスレッドを貸さない
    [login-patience] サーバーにログインを拒否され続けたとき、この秒数で終了コード3で終える
    [engines] そのようなエンジンの TOML ファイル：名前ごとの表に cmd = "..." と options を書く
    [allow-fetched] サーバーの持ち主が置いたエンジン（hasami engines add）を取り寄せて実行する。sandbox：bubblewrap の中で、ネットワークもシステムのライブラリ以外のファイルも使わせない。plain：このユーザーのほかのプログラムと同じように実行する
    [metrics] Prometheus 用の数値を ADDR で公開する（例：0.0.0.0:9400）。つながる人は誰でも読める
    [wait] 応答を待つ秒数
    [drain] この名前のマシンに、新しい仕事を受けず、今の仕事が終わりしだい終了するよう伝える。そのマシンだけを一覧に示す
   *[other] { $text }
}
more-about-command = { $command ->
    [hasami] サブコマンドなしでは、標準入力から命令を受けるエンジンになります。最初の行（uci または usi）でゲームが決まります。
    [analyse] ふつうは複数のスレッドが1つの局面を協力して探索し、画面には根と各スレッドの深さが出ます。子エンジンか --tree を使うと木が育ちます。¶Ctrl-C を押すと、その時点の答えを出して終わります。評価値はチェスではポーン1つ、将棋ではその100分の1が単位です。+#3 は3手詰で、チェスは手（双方で1手）、将棋は1手ずつ数えます。木と図の評価値は根の手番側から見た値です。
    [bench] 局面数はどのマシンでも同じで、探索か評価を変えたときだけ変わります。
    [brinkmate] 1問を1行に、名前、解答（brinkmate：必至、none：必至なし、mate：詰み、unknown：不明）、手数、局面数、ミリ秒、指し手をタブで区切って出力し、最後に集計を示します。指し手は、どう受けても王手の連続で詰む局面になる手で終わります。必至はすべてルールだけで再現して確かめてあり、必至なしは証明してあります。mate はすでに詰みがあること、unknown は制限により探索が終わったことを表し、そのときの終了コードは1です。¶問題集の各行には、局面、名前、記録された手数（なければ -）をタブで区切って書きます。必要なのは局面だけです。Ctrl-C を押すと、集計を出して終わります。
    [compliance] 終了コードは、守っていれば0、対局に負けるような違反があれば1です。使う人が困るだけのことは注意として知らせます。¶下のオプションは、どこに書いても検査のためのものとみなします。-- より後の語はすべてエンジンのものです。
    [data] ファイルの種類は名前の末尾で決まります：.viri と .pack はチェスと将棋の棋譜、.bullet と .psv は局面です。
    [count] 対局の結果は先手（チェスでは白）から、局面の結果は手番の側から見たものです。
    [show] 局面は import が読む形で書き出します（評価値と結果は先手から見た値）。対局の指し手には、指した側から見た評価値が付きます。
    [doctor] 1項目を1行に、良好、注意（動くが改善できる）、異常のいずれかで示し、下に助言を添えます。異常があれば終了コードは1です。使うものを指定すると試します：子エンジンのファイル、クラスター、--option で評価関数、定跡、表の大きさ。
    [match] エンジンは name=a cmd="a --x" tc=10+0.1 option.Hash=16 のような語（全部は docs/guide/match.md）か、TOML ファイルで指定します。fastchess や cutechess の、- が1つのオプションも使えます。
    [results] 1つの記録ファイルの数値は、その対局で試したコミットのメッセージに書くためのものです。
    [selfplay] どの対局も無作為な指し手で始まり、1手ごとに一定の局面数を目安に探索します。ファイルには、各指し手の評価値とともに棋譜を収めます（チェスは viriformat、将棋は PACK）。同じコマンドで続きから再開できます。対局は乱数の種と番号だけで決まります。
    [solve] 1問を1行に、名前、解答（mate：詰み、nomate：不詰、unknown：不明）、手数、局面数、ミリ秒、指し手をタブで区切って出力し、最後に集計を示します。詰みはすべて再現して確かめてあり、不詰は証明してあります。unknown は制限により探索が終わったことを表し、そのときの終了コードは1です。¶問題集の各行には、局面、名前、記録された手数（不詰なら -）をタブで区切って書きます。必要なのは局面だけです。Ctrl-C を押すと、集計を出して終わります。
    [teach] 少ない局面数で対局させ、その周りの局面を先生の評価関数が探索せずに採点し、それぞれを1回ずつ学習します。メモリーの中で少しずつ進めるので、残るのは評価関数（OUT）、損失（OUT.tsv、OUT.svg）、チェックポイント（OUT.checkpoint）だけです。同じコマンドで続きから再開できます。
    [train] 局面は hasami data extract、distil、import で作ったものです。並べ替えは必要ありませんが、メモリーに収まらないときは読み込みが速くなります。評価関数の隣のチェックポイント（OUT.checkpoint）により、同じコマンドで続きから再開できます。条件の違うコマンドは受け付けません。OUT.tsv に損失、OUT.svg にその図を書きます。
    [tune] エンジンを1つと、対局の条件を hasami match と同じ語で指定します。--games は1回あたりの対局数です。オプションの値が違う2つのコピーを対局させ、勝った側へ値を動かします。結果はすべて記録ファイルに残り、同じフォルダーの同じコマンドで続きから再開できます。
    [verify] すべての手が合法で、攻方の手がすべて王手で、最後の手で詰んでいなければなりません。問題集は hasami solve が読むものです。解答は、その出力、名前と指し手の行、USI エンジンの応答（checkmate ...、問題の順）のいずれかです。誤りがあれば終了コードは1です。¶--certificate では、必至の全手順、または必至を防ぐ全手順を、ルールだけで再現して確かめます。
   *[other] { $text }
}
help-aliases = （別名：{ $names }）
help-default = （既定値：{ $value }）
help-values = 指定できる値：{ $values }
