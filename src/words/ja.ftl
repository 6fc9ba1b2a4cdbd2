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
sum-cooks = 、余詰なし{ $sound }、余詰あり{ $cooked }、未決定{ $open }
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
open-inner = 内部の詰み探索が自分の制限に達しました（--set inner、--set inner-nodes）
open-proof = 見つかった証明が証明書の上限を超えています
unknown-because = 不明：{ $open }
may-be-shorter-from = { $least }手以上の、もっと短い手順があるかもしれません：{ $open }
mate-so-far = 現在の最短：{ $count }手以内の詰み
mate-so-far-between = 現在の最短：{ $least }手から{ $most }手の詰み
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
stated-otherwise = { $stated }手と書いてありますが、手順は{ $found }手です
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
position-in-quotes = 局面は引用符で囲んでください。{ $option } "{ $position }"
did-you-mean = { $why }。もしかして：{ $meant }
expected-once = { $argument } は一度だけ指定してください

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
expected-one-move = 「{ $found }」では一手に決まりません。{ $move } と { $other } の可能性があります

# 誤り：エンジンのオプション
none-found = 値なし

# 誤り：エンジンとサーバー
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
expected-problems-or-positions = FILE、-、--sfen、--fen のいずれかで問題を指定してください
expected-problems = 問題がありません
expected-game = ゲームを指定してください
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
option-beside = { $argument } があるので { $option } は指定できません（「{ $found }」）

# コマンド行：ブラウザー用のページ
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

# コマンド行の対局：成績
column-rank = 順位

# 対局の条件
engine-on = { $machines } の { $engine }
entering-king = 入玉規則 { $rule }

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
unreadable-answer = 読み取れない回答が届きました：{ $error }
strange-answer = 質問と合わない回答が届きました
not-on-machines = { $what ->
    [log] --log はこのマシンのファイルなので使えません
    [crash] --on-crash stop は使えません
    [affinity] --affinity はこのマシンの指定なので使えません
   *[other] clock=virtual と --connect は使えません
}

# コマンド行の調整と自己対局
expected-unlocked-file = ほかの実行が使用中です

# 検査の違反や省略の理由
silence = 出力なし

# 誤り：対局の指定
line-number = { $number }行目
expected-format = 形式が分かりません。{ $known } のいずれかを指定してください
expected-queue-thread = 待ち行列のスレッドが終了しました
expected-playing-machines = 対局できるマシンがありません（{ $times }回）：{ $why }

# エンジンの部品についての知らせ
expected-speaker = { $protocol } のエンジンがありません（{ $others ->
    [0] { $name } だけ
   *[other] { $name } とほかに{ $others }個
}）
no-cluster = Cluster：{ $why }。クラスターなしで続けます
expected-word-of-engine = { $word } の応答がありません：{ $why }
engine-silent = { $seconds }秒以内に { $word } の応答がなかったので終了させました
engine-killed = 応答がないので終了させました
engine-said = { $why }（エンジンの出力：{ $text }）
engine-does-not-come-up = 起動しません
hash-too-large = 警告：このマシンで表に使えるメモリーは{ $most }MiB までです。Hash { $asked } の代わりに{ $players }MiB を使います
child-lost = { $name } が落ちたので再起動します：{ $why }
child-lost-again = { $name } がまた落ちました（これまでに{ $count }回）

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
unlimited = 無制限

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
expected-stored-hash = サーバーがハッシュを返しませんでした
expected-stored-engine = 「{ $found }」はサーバーにありません（hasami workers --engines で一覧を表示）
expected-engine-hash = エンジン { $name } の SHA-256 が正しくありません
expected-file-hash = ファイルの SHA-256 が正しくありません
expected-stored-file = サーバーにファイル { $sha256 } がありません（見つかったもの：{ $found }）
expected-file-or-value = ほかのマシンへ送るこのマシンのファイルか、数か簡単な語を指定してください（{ $found ->
    [folder] フォルダーです
   *[other] この名前のファイルはありません
}）
expected-engine-of-machines = cmd=NAME には、マシンの持ち主が許しているか hasami workers --engines にあるエンジンを指定してください。指定されたもの：「{ $found }」
expected-hash-of-stored = SHA-256 の最初の{ $least }文字以上を指定してください。この名前のエンジンは hasami workers --engines にありません
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
workers-with-others = クラスター（{ $machines }）のワーカーはすべて、ほかのマスターが使っています
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
expected-answers-of-version = メッセージの形式がバージョン{ $found }の応答があります（このプログラムはバージョン{ $version }）。古いほうのプログラムを更新してください

# 棋譜と局面のファイル、学習
expected-games-of-chunk = { $count }局あるはずが、そうではありません（{ $found }）

# プログラムの測定
expected-games-with-moves = 指し手のある棋譜がありません

# 詰み探索のセル
expected-connection-to = { $server } に{ $seconds }秒以内に接続できませんでした
expected-offer = { $server } のクラスターに、ワーカーを貸し出すマシンがありません
slot-set-aside = { $name } を除外しました：{ $why }
goes-on-alone = クラスターのワーカーがいなくなりました。このマシンだけで続けます
cell-is-lost = セル{ $number }（{ $name }）が失われました：{ $why }
cell-set-aside = セル{ $number }（{ $name }）を除外しました：{ $why }
cell-is-silent = { $seconds }秒間応答がありません
warning-of-cell = セル{ $number }（{ $name }）：{ $why }

# 棋譜
ply-number = { $number }手目
game-of-record = { $number }局目
more-than-a-set = 駒が一組より多い問題が{ $count }題あります。最初は「{ $first }」で、{ $men }枚多くなっています（--set any-set で警告しません）
less-than-a-set = 駒が一組に足りない問題が{ $count }題あります。足りない駒は打てません。最初は「{ $first }」で、{ $men }枚足りません（--set any-set で警告しません）
expected-record-line = 棋譜の行として読めません：「{ $found }」
