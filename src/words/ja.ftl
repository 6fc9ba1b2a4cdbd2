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
analysis-of-given = { $game } { $moves ->
    [0] 指定局面
   *[other] 指定局面から{ $moves }手目
}
no-move-answered = この対局の指し手はまだ指されていません。
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
no-elo-yet = これまでの結果では、レート差の範囲がまだ定まりません。
elo-of-two = 3エンジン以上の対局では、レート差は成績表にあります。
no-sprt = この対局は検定では終了しません。
axis-games = 局
running-games = 対局中
finished-games = 終了した対局
boards-of = 対局中の{ $all }局のうち{ $shown }局を表示
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
game-number = 局
game-of-match = 種目
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
slots-over-time = スロット数と貸出中のスロット数の推移
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
expected-no-interrupt = { $answers }のうち{ $count }問目で、{ $signal } により中断しました
expected-no-unknown = { $answers }のうち{ $count }問が不明です
expected-shortest = { $problems }問のうち{ $count }問は、最短と証明されていません

# コマンド行の詰み：注記
open-time = { $seconds }秒が経過しました（--time）
open-nodes = { $count }局面を調べました（--nodes）
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
escape = { $move }と応じると詰みません
other-is-open = { $ply }手目{ $move }：未決定
other-are-open = { $ply }手目{ $moves }：未決定
sum-others = ほかの手：詰む手{ $mates }
sum-others-open = ほかの手：詰む手{ $mates }、--nodes か --time の制限で未決定{ $open }
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
ended-before-search = 探索が始まる前に { $signal } により中断しました
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
see-help = { $why }（使い方：hasami help）
one-of = { $values } のいずれか
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
    [two-pawns] 二歩です（{ $at }）
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
result-games = { $games }局：{ $wins }勝 { $losses }敗 { $draws }引き分け、得点 { $points }（{ $share } %）
result-pairs = ペアの得点（0～2）の内訳 [{ $counts }]、1点のペアのうち1勝1敗対2引き分けの比 { $ratio }
leads = 首位 { $name }（{ $points }点）
column-rank = 順位
column-name = 名前
column-games = 局数
column-score = 得点率
column-draws = 引分率
column-pairs = ペアの得点（0～2）の内訳
column-seed = 番号
column-points = 得点
column-buchholz = Buchholz
column-round = 第{ $round }回戦
points-against = { $points } 対{ $seed }
bye = 不戦勝
seeds = シード順：{ $engines }
round-of-knockout = { $left ->
    [0] 第{ $round }回戦（決勝）：
    [1] 第{ $round }回戦（準決勝）：
    [2] 第{ $round }回戦（準々決勝）：
   *[other] 第{ $round }回戦：
}
round-of = 第{ $round }回戦（全{ $rounds }回戦）
winner = 優勝：{ $name }
to-be-decided = 未定
goes-on = { $name } が勝ち上がり
goes-on-by-seed = 同点のため、シード上位の { $name } が勝ち上がり
no-faults = エンジンの不具合：なし
faults-of = { $name } の不具合：{ $faults }
counted-time-losses = 時間切れ{ $count }回
counted-crashes = 異常終了{ $count }回
counted-hangs = 無応答{ $count }回
counted-illegal-moves = 反則手{ $count }回
counted-restarts = 再起動{ $count }回
counted-breaches = プロトコル違反{ $count }回
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

# コマンド行の対局：経過
going-on = { $total }局のうち{ $done }局が終わったところから続けます
finished-game = 第{ $number }局終了（{ $first } 対 { $second }）：{ $result } { $end }
game-end = { $ending ->
    [checkmate] 詰み
    [stalemate] ステイルメイト
    [repetition] 千日手
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
journal-at = 記録ファイル：{ $file }
journal-kept = 以前の記録ファイルは { $file } として残しました
read-once = { $readers ->
   *[other] ほかの多くのプログラム
}はファイルの最初の対局しか読みません。{ $option } { $folder }/ とすると1局ごとのファイルに書き出します
no-affinity = このシステムではプログラムを特定のプロセッサーに割り当てられません（Linux では可能）。割り当てずに対局します
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
machine-is-gone = マシン { $name } が離脱しました
machine-plays = { $name }：{ $games }局のうち{ $busy }局を対局中、毎秒{ $speed }局面、{ $processor }
machine-plays-untold = { $name }：{ $games }局のうち{ $busy }局を対局中（hasami { $version } のため内容は不明）、毎秒{ $speed }局面、{ $processor }
machines-of-one-name = 複数のマシンが { $name } と名乗っています。hasami worker --name で別々の名前を付けてください
no-machine-of-name = --without { $name }：この名前のマシンはいません（{ $here }）
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
    [rounds] 勝ち抜き戦とスイス式は、回戦ごとに結果を待つため使えません
    [affinity] --affinity はこのマシンの指定なので使えません
   *[other] virtual.workers と --connect は使えません
}

# コマンド行の対局：警告
games-will-repeat = 局面数や深さだけで制限したエンジンは同じ対局を繰り返します
games-may-repeat = 同じ対局を繰り返すおそれがあります
no-openings = --openings の指定がないので、どの組も{ $games }局を同じ局面から始めます。{ $repeat }
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
a-command-line = コマンド行
on-or-off = on または off
some-seconds = 秒数
closed-quotes = 引用符の閉じた文字列
text-or-number = 1行の文字列か数
uci-or-usi = uci または usi（xboard のプロトコルを使うエンジンは変換プログラムを通して対局できます。docs/guide/peers.md）
line-number = { $number }行目
expected-two-engines-or-more = エンジンを2つ以上指定してください（現在{ $found }）
expected-two-engines = エンジンを2つ指定してください（現在{ $found }）
expected-fewer-games = 対局は全部で{ $most }局までです（現在{ $found }局）
expected-own-name = 「{ $name }」という名前のエンジンが2つあります。別々の名前を付けてください
expected-uci = usi ではなく uci のエンジンを指定してください
expected-pair-for-test = 2エンジンの対局でだけ使えます（勝ち抜き戦やスイス式では使えません）
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
expected-no-clock = movetime、nodes、depth のいずれかで制限してください（現在 { $found }）
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
no-meaning = { $word } はこのプログラムでは使いません：{ $reason }
expected-record = FORMAT=FILE（{ $known }）の形で指定してください。指定されたもの：「{ $found }」
expected-format = 形式が分かりません。{ $known } のいずれかを指定してください
expected-games-or-positions = 棋譜も局面もありません
opening-from = { $start }からの手順
expected-start = start=1 から start={ $most } までで指定してください（現在{ $found }）
expected-starting-engine = エンジンが起動しません：{ $why }
expected-virtual-engine = エンジンが起動しないか、hasami の 'virtual' コマンドを知りません：{ $why }
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
journal-out-of-order = 記録ファイル：第{ $game }局が回戦の順に並んでいません
expected-same-records = 棋譜ファイルの指定が前回と違います
expected-same-plan = { $place } が記録ファイル（{ $before }）と違います（今回 { $found }）
expected-match-here = このフォルダーで始めた対局がありません。--resume FILE で記録ファイルを指定してください
expected-journals-at = 記録ファイルかそのフォルダーを指定してください：{ $found }
no-journals = { $folder } に記録ファイルがありません
expected-finished-game = 第{ $found }局は終わった対局の中にありません

# エンジンの部品についての知らせ
network-in-use = 評価関数 { $digits }（{ $name }、{ $set }）
no-network-of-user = { $option } { $file }：{ $why }。内蔵の評価関数を使います
expected-speaker = { $protocol } のエンジンがありません（{ $others ->
    [0] { $name } だけ
   *[other] { $name } とほかに{ $others }個
}）
no-cluster = Cluster：{ $why }。クラスターなしで続けます
child-lost = { $name } が落ちたので再起動します：{ $why }
child-lost-again = { $name } がまた落ちました（これまでに{ $count }回）
expected-order-in-book = 局面が順に並んでいないため BookOnTheFly では使えません（「{ $last }」の後に「{ $next }」）
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
certificate-refused = 証明書に誤りがあります（{ $why }）
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

# 棋譜
ply-number = { $number }手目
game-of-record = { $number }局目
illegal-in-record = 合法手ではありません
expected-record-line = 棋譜の行として読めません：「{ $found }」
expected-epd = EPD の局面ではありません：「{ $found }」

# 使い方の表示
help-usage = 使い方：
help-commands = コマンド
help-arguments = 引数
help-options = オプション
help-help = 使い方を表示する
help-version = 版を表示する
help-engine = サブコマンドなしでは、標準入力から命令を受けるエンジンになります。最初の行（uci または usi）でゲームが決まります。
about-command = { $command ->
    [hasami] マスター木で探索する、将棋とチェスの並列思考エンジン
    [analyse] 局面を検討し、マスター木と最善手を表示する
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
    [train] 採点した局面から評価関数を学習する
    [tune] 対局でエンジンのオプションを調整する（SPSA）
    [verify] 詰みの解答や証明書を、ルールだけで検証する
    [worker] このマシンのエンジンを NATS でほかのマスターに貸し出す（Ctrl-C まで）
    [workers] クラスターのマシン、エンジン、貸出先、失われたワーカーの一覧を示す
    [learn] 対局から、指し手の実現確率を学ぶ
    [speedup] 仮想クラスターが1ワーカーよりどれだけ早く深く読むかを測る
    [virtual] 任意の大きさの仮想クラスターとして対局する（UCI・USI）
    [waste] 仮想クラスターのワーカーの時間の使い道を原因別に示す
    [worth] 仮想クラスターの指し手の損を1ワーカーと比べて測る
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
    [import] 「FEN | 評価値 | 結果」の形の局面を読み込む（先手から見た値）
   *[other] { $text }
}
