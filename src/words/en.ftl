# The page for the browser
language = Language
waiting = Waiting
lost = The program no longer responds. This is the last known state.
nothing-yet = Nothing yet.
chosen = Selected item
gone = The selected item no longer exists.
choose-node = Choose a move of the tree or of a line to see its board.
choose-game = Choose a game to replay it.
choose-problem = Choose a problem to see its solution.

# The games
chess = Chess
shogi = Shogi
minishogi = Minishogi

# A search
analysis-of = { $game }, { $moves ->
    [0] start position
    [one] after one move
   *[other] after { $moves } moves
}
analysis-of-given = { $game }, { $moves ->
    [0] a given position
    [one] one move after a given position
   *[other] { $moves } moves after a given position
}
idle = No search is running.
searching = Searching
answered = Answered: { $move }
answered-nothing = Answered: no move
depth = Depth
time = Time
nodes = Nodes
speed = Speed
per-second = { $count } a second
workers = Workers
tree-nodes = Nodes in the tree
best-lines = Best lines
tree = Master tree
value-over-time = Value over time
slot-engine = { $engine }
value-is-for = for { $side }
value-over-moves = Value over the game
replay = Replay
game-result = { $result ->
    [shogi-0] Black wins
    [shogi-1] White wins
    [shogi-draw] draw
   *[other] { $text }
}
axis-seconds = seconds
axis-plies = plies
messages = Messages
board-after = { $moves ->
    [0] The board before the first move
    [one] The board after one move
   *[other] The board after { $moves } moves
}
root = Root
root-of-tree = root
thread-number = thread { $number }
reach = Probability of being reached
decided = decided
nobody = nobody
path = Moves
value = Value
own-value = Value of its worker
worker = Worker
joined = Together with
line = Line
task = Searches
free = free
why-not = Why not chosen
nodes-more = and { $count } more nodes, which are less likely
workers-more = and { $count } more workers

# A match
match-of-two = { $game }: { $first } against { $second }
match-of-many = { $game }: { $count } engines
games-of = { $done } of { counted-games }
table = Table
engine = Engine
games = Games
won = Won
drawn = Drawn
lost-games = Lost
points = Points
elo = Elo
pairs = Pairs with 0, ½, 1, 1½, 2 points
machines = Machines
faults = Protocol violations
time-losses = Losses on time
crashes = Crashes
illegal-moves = Illegal moves
elo-over-games = Elo over games
sprt-way = Log likelihood ratio of the SPRT
no-elo-yet = No Elo yet: the results so far do not allow an estimate.
crosstable = Crosstable of points
axis-games = games
running-games = Running games
finished-games = Finished games
boards-of = { $shown } of { $all } running games are shown
nothing-runs = No game is running.
opening = Opening
games-more = and { $count } earlier games
game-number = Game
players = Players
result = Result
why-ended = End
plies = Plies
to-start = To the start
back = One move back
forward = One move forward
to-end = To the end

# Mates
problems-title = { $game }: { $count ->
    [one] one problem
   *[other] { $count } problems
}
problems-of = { $done } of { counted-problems }
problems-over-time = Problems over time
problems = Problems
problems-more = and { $count } earlier problems
problem = Problem
answer = Answer
answer-mate = mate
answer-nomate = no mate
answer-brinkmate = brinkmate
answer-none = no brinkmate
answer-unknown = unknown
proof = Proof
main-line = Back to the main line
is-mate = mate
mate-within = mate within { $plies ->
    [one] one ply
   *[other] { $plies } plies
}
mate-left = mate in { $plies ->
    [one] one ply
   *[other] { $plies } plies
}
defences-more = and { $count } more defences

# A worker node
server = Server
threads = Threads
game-lenders = Machines that lend games
games-at-a-time = Games at the same time
processor = Processor
speed-a-game = Speed of a game
engines-lent = Engines
fetched-engines = those of the server
match-caller = Match (caller)
elapsed = Running for
coming-up = engines are starting
running-more = and { $count } more running games
running-of = { $running } of { $all }

# A cluster
cluster = Cluster
machine = Machine
machines-more = and { $count } more machines
slots = Slots
slot = Slot
lent-of = { $lent } of { $all } lent
masters = Masters
master = Master
game = Game
version = Version
up = Running for
serves = Serves
network = Network
since = since { $span }
lost-machines = Lost machines
lost-ago = { $name } { $span } ago
nobody-there = No machine or master is connected.
choose-machine = Choose a machine to see its slots.
seconds = { $count } s
minutes = { $count } min
hours = { $count } h

# Mates on the command line: counts
counted-problems = { $count ->
    [one] 1 problem
   *[other] { $count } problems
}
counted-answers = { $count ->
    [one] 1 answer
   *[other] { $count } answers
}
counted-plies = { $count ->
    [one] 1 ply
   *[other] { $count } plies
}
counted-legal-moves = { $count ->
    [one] a legal move
   *[other] { $count } legal moves
}

# Mates on the command line: answers
mate-in = { $count ->
    [one] a mate in 1 ply
   *[other] a mate in { $count } plies
}
brinkmate-in = { $count ->
    [one] a brinkmate in 1 ply
   *[other] a brinkmate in { $count } plies
}
no-mate = no mate
no-brinkmate = no brinkmate
expected-found = expected { $expected }, found { $found }
recorded-is-early = early mate (hayazume): { $found }, recorded { $expected }: { $line }
recorded-is-longer = variation longer than the record (hencho): { $found }, recorded { $expected }: { $line }
recorded-is-false = the recorded solution is wrong: { $why }
expected-first = the first move is { $found }; only { $expected } is correct
row-problem = problem
row-answer = answer
row-plies = plies
row-nodes = nodes
row-seconds = seconds

# Mates on the command line: totals
sum-mates = { $problems }: { $mates } with a mate, { $none } without a mate, { $unknown } unknown
sum-brinkmates = { $problems }: { $brinkmates } with a brinkmate, { $mates } with a mate, { $none } with neither, { $unknown } unknown
sum-open-lengths = , { $count } that may be shorter
sum-cooks = , { $sound } sound, { $cooked } cooked, { $open } with open moves
sum-effort = ; { $nodes } nodes in { $seconds } s, { $speed } a second
expected-no-false = --expect: wrong answers: { $count }
expected-no-interrupt = { $signal } after { $count } of { $answers }
expected-no-unknown = { $count } of { $answers } unknown
expected-shortest = { $problems ->
    [one] { $count } of 1 problem may have a shorter solution
   *[other] { $count } of { $problems } problems may have a shorter solution
}

# Mates on the command line: remarks
open-time = time limit of { $seconds } s reached (--time)
open-nodes = node limit of { $count } reached (--nodes)
open-interrupted = { $signal }
open-memory = the memory is too small (--hash)
open-plies = lines of more than { $count } plies were not searched
open-inner = a mate search inside the search reached its own limit (--set inner, --set inner-nodes)
open-proof = the proof exceeds the limits of certificates
unknown-because = unknown: { $open }
unknown-from = unknown, but no mate is shorter than { $least } plies: { $open }
may-be-shorter-from = there may be a shorter solution, of { $least } plies or more: { $open }
mate-so-far = a mate in at most { $count ->
    [one] { $count } ply
   *[other] { $count } plies
} so far
no-mate-so-far = no mate in fewer than { $count } plies so far
mate-so-far-between = a mate in { $least } to { $most } plies so far
may-be-shorter = there may be a shorter solution: { $open }
futile-are-counted = futile interpositions are excluded only from mates of at most { $count } plies
none-within = no brinkmate within { $plies }
escape = after { $move } there is no mate
other-is-open = ply { $ply }: { $move } is open
other-are-open = ply { $ply }: { $moves } are open
sum-others = other moves: { $mates } mate
sum-others-open = other moves: { $mates } mate, { $open } left open by --nodes or --time
other-is-key = ply { $ply }: { $move } is another key: { $length }
other-is-cook = ply { $ply }: { $move } is a cook: { $length }
other-is-early = ply { $ply }: { $move } mates sooner than the line (hayazume): { $length }
other-is-promotion = ply { $ply }: { $move } is { $length } with the other choice of promotion, which does not count as a cook
other-is-distance = ply { $ply }: { $move } is { $length } by the same piece from another distance, which does not count as a cook
other-mates-last = ply { $ply }: { $move } also mates, which does not count as a cook
other-is-last = ply { $ply }: { $move } is { $length }, which does not count as a cook
longer-than-line = { $mate } at most, longer than the line
no-other-mates = no other move mates
no-other-as-soon = no other move mates as soon
variation-defence = variation: mate at ply { $count }
variation-as-long = variation of the same length: mate at ply { $count }
variation-attempt = try: no mate
variation-mates = { $kind }: mate at ply { $plies } at the latest
variation-cook = cook
variation-early = early mate
variation-last = another last move
variation-promotion = the other choice of promotion
variation-distance = another distance
left-in-hand = left in hand: { $pieces }
nothing-left = nothing
no-certificate = no certificate was written
no-certificate-of-proof = no certificate, because the proof could not be written: { $open }
one-certificate-only = only one certificate: the proof that no brinkmate is shorter could not be written: { $open }
last-level = level { $level } was the last: no mate in { $plies ->
    [one] 1 ply
   *[other] { $plies } plies or less
}
no-level = no level is complete
memory-is-full = the memory is full; { $none }
optimal-lines = { $count ->
    [one] one line is optimal for both sides
   *[other] { $count } lines are optimal for both sides
}
lines-more = and { $count } more

# Solutions that are verified
no-solution = no solution
no-answer = no answer
no-mate-as-recorded = no mate, as recorded
no-line-can-tell = no mate, which a line of moves cannot prove
other-length = { $found }, recorded { $expected }
right-for-composers = ; right with --rules tsume, where only futile interpositions may be left
fault-at = ply { $ply }: { $why }
expected-move = expected a move, found '{ $found }'
expected-legal = expected a legal move, found '{ $found }'
expected-allowed = expected a legal move, found '{ $found }' ({ $rule ->
    [two-pawns] nifu: a second pawn of that side on the file
    [pawn-mate] uchifuzume: mate by dropping a pawn
    [stuck] the piece could never move again
   *[in-check] the king would be in check
})
expected-check = expected a check, found '{ $found }'
expected-mate = expected mate at the end, found { $found }
expected-no-move = expected no move after the end ({ $ending }), found '{ $found }'
ending-checkmate = checkmate
ending-stalemate = stalemate
ending-repetition = repetition
sum-verified = right { $right }, wrong { $wrong }, open { $open }
sum-certificates = { $undecided ->
    [0] right { $right }, wrong { $wrong }
   *[other] right { $right }, wrong { $wrong }, undecided { $undecided }
}

# A search on the command line
game-name = { $game }
search-head = { $game }   { $elapsed } s   { $workers }
search-so-far = depth { $depth }   { $score }   { $nodes } nodes, { $speed } nodes/s
search-progress = { $elapsed } s  depth { $depth } { $score } { $nodes } nodes
part-of = { $part } of { $whole }
workers-joined = , { $count } joined
workers-free = , { $count } free
workers-hidden = ... and { $count } more workers
nodes-hidden = ... and { $count } more nodes
worker-since = { $worker }, { $seconds } s
row-move = move
row-score = score
row-depth = depth
row-reach = reach
row-worker = worker
row-best = best move
row-loss = loss
row-player = player
row-moves = moves
row-average-loss = average loss
waiting-for-memory = waiting for the memory of the threads
waiting-for-cluster = waiting for the cluster
waiting-for-workers = waiting for { $names } to start
warning = warning: { $why }

# The analysis of a game
review-side = { $side ->
   *[other] { $name }
}
review-player = { $side } ({ $name })
review-head = { $title }, { counted-plies }; values for { $side }
review-chance-percent = winning chance, %

# The answer of a search on the command line
best-move = best move { $move }
best-declares = best move: declare the win
best-resigns = best move: resign
expecting = , expecting { $move }
answer-line = line { $moves }
answer-effort = score { $score } at depth { $depth }, { $nodes } nodes, { $speed } nodes/s
other-score = { $place }. score { $score } at depth { $depth }
mates-in-plies = { $count ->
    [one] mate in 1 ply
   *[other] mate in { $count } plies
}
mated-in-plies = { $count ->
    [one] mated in 1 ply
   *[other] mated in { $count } plies
}
mates-in-moves = { $count ->
    [one] mate in 1 move
   *[other] mate in { $count } moves
}
mated-in-moves = { $count ->
    [one] mated in 1 move
   *[other] mated in { $count } moves
}
reason-not = not { $move }, { $value }: { $why }
reason-later = { $best } has the same value and was found first
reason-uncertain = its value may be higher, but that is not certain
reason-refuted = after the reply { $reply } its value is { $value }
reason-above = { $best } is { $value } in the tree, and its last exact value is { $exact }
reason-root = { $best } comes from a search of all moves at the root

# Errors: their places, and messages of the system
at-place = { $place }: { $why }
move-number = move { $number }

# Pictures
start-position = start position
tree-of = { $game }: { $start }
tree-after = { $game }: { $start }, moves { $moves }
tree-value = value { $value }, depth { $depth }
no-value-yet = no value yet
none-free = none free
these-free = free: { $names }
counted-nodes = { $count ->
    [one] 1 node
   *[other] { $count } nodes
}
counted-workers = { $count ->
    [one] 1 worker
   *[other] { $count } workers
}
tree-state = { $value }; { $nodes } in the tree; { $workers }, { $free }
tree-letters = d depth, p probability of being reached; values for the side to move at the root
tree-values = an inner node's worker searches its other moves; >= and <= are bounds
swatch-searched = searched by a worker
swatch-vacant = no worker
swatch-answer = principal variation
picture-result = { $result }; { $nodes } nodes
proved-mate-in = mate in { $count }
defences-mated = { $count ->
    [one] 1 defence, mated
   *[other] { $count } defences, all mated
}

# A match on the command line: its result
column-rank = Rank

# A match on the command line: its progress
game-end = { $ending ->
   *[other] { $remark }
}

# Machines that play games of others
counted-games = { $count ->
    [one] 1 game
   *[other] { $count } games
}
queue-state = { $repeats ->
    [1] games
    [2] pairs of games
   *[other] games of one opening
}: { $over } of { $total } finished, { $played } being played, { $waiting } waiting on the server
machine-plays = { $name }: { $busy } of { $games } games, { $speed } nodes/s, { $processor }

# Certificates
certificate-refused = { $why }
certificate-of-more-positions = more than { $positions } positions would have to be visited (--positions)
certificate-too-deep = { $why }
claim-mate = a mate
claim-brinkmate = a brinkmate within { $plies ->
    [one] 1 ply
   *[other] { $plies } plies
}
claim-no-brinkmate = no brinkmate
claim-no-mate = no mate
claim-none-within = no brinkmate within { $plies ->
    [one] 1 ply
   *[other] { $plies } plies
}
claim-is-mate = { $claim } (proved: a mate)
claim-is-shorter = { $claim } (proved: { $plies ->
    [one] 1 ply
   *[other] { $plies } plies
})
claim-proved = { $claim }, { $positions } positions, of { $start }
