# English. First the page for the browser.
language = Language
waiting = Waiting
lost = The program does not answer any more. What you see is the last state.
nothing-yet = Nothing yet.
chosen = What was chosen
gone = This is not there any more.
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
idle = Nothing is searched.
searching = Searching
answered = Answered: { $move }
answered-nothing = Answered: no move
depth = Depth
time = Time
nodes = Nodes
speed = Speed
per-second = { $count } a second
workers = Workers
tree-nodes = Nodes of the tree
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
reach = Probability to be reached
decided = decided
nobody = nobody
path = Moves
value = Value
own-value = Its worker's value
worker = Worker
joined = Together with
line = Line
task = Searches
free = free
why-not = Why not chosen
differing-values = Difference
nodes-more = and { $count } nodes more that are less likely
workers-more = and { $count } workers more
why-later = as good as { $best }, which was found first: either can be played
why-uncertain = may be worth more: a longer search would tell
why-refuted = the reply { $reply } makes it { $value }: choose that reply to see why
why-above = { $best } is { $value } in the tree, { $exact } its last exact value: a longer search settles it
why-root = { $best } comes from a search of all moves at the root: a longer search compares the two

# A match
match-of-two = { $game }: { $first } against { $second }
match-of-many = { $game }: { $count } engines
games-of = { $done } of { $total } games
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
faults = Breaches of the protocol
time-losses = Losses on time
crashes = Crashes
illegal-moves = Illegal moves
elo-over-games = Elo over games
sprt-way = Log likelihood ratio of the SPRT
no-elo-yet = No Elo yet: the games so far do not bound it.
crosstable = Points of each against each
axis-games = games
running-games = Running games
finished-games = Finished games
boards-of = { $shown } of { $all } running games are shown
nothing-told = No machine has told of a game that still runs.
nothing-runs = No game runs now.
opening = Opening
moves-not-told = Games without a link are played where their moves are not told.
games-more = and { $count } games before these
games-of-tuning = { $done } of { $total } iterations, { $games } games each
tuning-title = { $game }: options of { $engine }
options-over-iterations = Options over iterations: the walk (blue), the mean of its last half with twice its standard error (red)
axis-iterations = iterations
option = Option
start-value = Start
value-now = Now
value-mean = Mean ± error
range = Range
matches-in = Matches and tunings in { $folder }
all-matches = All matches
matches = Matches and tunings
choose-match = Choose a match or a tuning to see it.
journal = Journal
changed = Last change
began = Began
tuning-of = tuning of { $engine }
iterations-of = { $done } of { $total } iterations
ago = { $time } ago
game-number = Game
game-of-match = Rules
games-done = Games
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
problems-of = { $done } of { $total } problems
problems-over-time = Problems over time
problems = Problems
numbers-over-time = Proof number (blue) and disproof number (red), powers of ten
no-numbers = No search has taken long enough.
nodes-after = { $nodes } nodes in { $seconds } s
numbers-end = ; a mate was found within { $seconds } s, where the curves end
asked-anew = new search
asked-mate = mate
asked-any-length = any length
asked-within = { $count ->
    [one] ≤ 1 ply
   *[other] ≤ { $count } plies
}
problems-more = and { $count } problems before these
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
defences-more = and { $count } defences more

# A worker node
worker-node = Worker node { $name }
server = Server
threads = Threads
child-engines = Child engines
lends-for = Games
events = Events
game-lenders = Machines that lend games
games-at-a-time = Games at a time
processor = Processor
speed-a-game = Speed of a game
engines-lent = Engines
fetched-engines = those of the server
match-caller = Match (caller)
self-play = self-play
elapsed = Runs for
coming-up = engines come up
running-more = and { $count } running games more
running-of = { $running } of { $all }
running-not-told = An older program, which does not tell what it plays.

# A cluster
cluster = Cluster
machine = Machine
machines-more = and { $count } machines more
slots = Slots
slot = Slot
lent-of = { $lent } of { $all } lent
slots-over-time = Slots that are there (red), and those that are lent (blue)
masters = Masters
master = Master
game = Game
version = Version
up = Runs for
serves = Serves
network = Network
since = since { $span }
checked-values = Checked values
checked-machine = { $name }: { $confirmed } confirmed, { $contradicted } contradicted
checked-set-aside = { $name }: { $confirmed } confirmed, { $contradicted } contradicted; set aside
lost-machines = Lost machines
lost-ago = { $name } { $span } ago
nobody-there = Nobody is there.
machine-came = machine { $name } came
machine-left = machine { $name } left
master-came = master { $name } came
master-left = master { $name } left
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
recorded-is-false = the recorded solution is false: { $why }
expected-first = expected { $expected } as the first move, the only one, found { $found }
row-problem = problem
row-answer = answer
row-plies = plies
row-nodes = nodes
row-seconds = seconds

# Mates on the command line: sums
sum-mates = { $problems }: { $mates } with a mate, { $none } without a mate, { $unknown } unknown
sum-brinkmates = { $problems }: { $brinkmates } with a brinkmate, { $mates } with a mate, { $none } with neither, { $unknown } unknown
sum-open-lengths = , { $count } that may be shorter
sum-effort = ; { $nodes } nodes in { $seconds } s, { $speed } a second
answered-before = { $problems } answered before, in { $file }
expected-no-false = --expect: expected no false answer, found { $count }
expected-no-interrupt = expected { $answers }, found { $signal } at problem { $count }
expected-no-unknown = expected { $answers }, found { $count } unknown
expected-shortest = expected a proof that none is shorter for each of { $problems }, found { $count } open

# Mates on the command line: remarks
open-time = { $seconds } s are over (--time)
open-nodes = { $count ->
    [one] 1 node made (--nodes)
   *[other] { $count } nodes made (--nodes)
}
open-interrupted = { $signal }
open-memory = the memory is too small (--hash)
open-plies = lines of more than { $count } plies are not looked at
open-inner = a mate search inside ended at its own limit (--inner, --inner-nodes)
open-proof = the proof that was found is beyond the limits of certificates
unknown-because = unknown: { $open }
may-be-shorter = there may be a shorter one: { $open }
futile-are-counted = futile interpositions are left out of mates of at most { $count } plies only
none-within = no brinkmate within { $plies }
none-of-mates = no brinkmate with mates of at most { $mates } behind it, nor such a mate
none-within-of-mates = no brinkmate within { $plies } with mates of at most { $mates } behind it, nor such a mate
escape = after { $move } there is no mate
other-is-open = ply { $ply }: { $move } is open
other-are-open = ply { $ply }: { $moves } are open
sum-others = other moves: { $mates } mate
sum-others-open = other moves: { $mates } mate, { $open } left open by --nodes or --time
other-is-key = ply { $ply }: { $move } is another key: { $length }
other-is-cook = ply { $ply }: { $move } is a cook: { $length }
other-mates-last = ply { $ply }: { $move } mates, too, which does not count as a cook
other-is-last = ply { $ply }: { $move } is { $length }, which does not count as a cook
longer-than-line = { $mate } at most, longer than the line
no-other-mates = no other move mates
no-other-as-soon = no other move mates as soon
left-in-hand = left in hand: { $pieces }
nothing-left = nothing
no-certificate = no certificate was written
no-certificate-of-proof = no certificate, its proof could not be written down: { $open }
one-certificate-only = one certificate only, that none is shorter could not be written down: { $open }
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
no-line-can-tell = no mate, of which no line can tell
other-length = { $found }, recorded { $expected }
line-repeats = , { $count ->
    [one] in which a position occurs twice (after ply { $first } and after ply { $again })
   *[other] in which { $count } positions occur more than once (the first after ply { $first } and after ply { $again })
}
right-for-composers = ; right by --rules tsume, where only futile interpositions may be left
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
expected-solutions = expected solutions that mate, found { $count } wrong
expected-decided-certificates = expected certificates that can be replayed within the limits, found { $count } undecided
expected-certificates = expected certificates that prove their claims, found { $count } wrong

# A search on the command line
game-name = { $game }
search-head = { $game }   { $elapsed } s   { $workers }
search-so-far = depth { $depth }   { $score }   { $nodes } nodes, { $speed } nodes/s
search-progress = { $elapsed } s  depth { $depth } { $score } { $nodes } nodes
part-of = { $part } of { $whole }
workers-there = { $count } workers
workers-joined = , { $count } joined
workers-free = , { $count } free
workers-hidden = ... and { $count } workers more
nodes-hidden = ... and { $count } nodes more
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
waiting-for-workers = waiting for { $names } to come up
warning = warning: { $why }
not-waited-for = warning: not up yet, and not waited for: { $names }
ended-before-search = expected an answer, found { $signal } before the search began
no-answer-in-time = expected an answer in time, found none
game-is-over = expected a legal move, found none: the game is over here

# The analysis of a game
review-side = { $side ->
   *[other] { $name }
}
review-player = { $side } ({ $name })
review-head = { $title }, { $plies } plies; values for { $side }
review-chances = winning chances of { $side } in percent
review-chance-percent = winning chance, %
expected-game-number = expected the number of a game, --record 1 to --record { $count }, found { $found ->
    [none] several games
   *[other] { $found }
}
expected-annotated-format = expected a record in PGN, KIF or CSA to annotate, found positions

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
reason-later = { $best } has as much, and the first to have it stays
reason-uncertain = it may be worth more, but that is not known
reason-refuted = the reply { $reply } makes it { $value }
reason-above = { $best } is { $value } in the tree, { $exact } its last exact value
reason-root = { $best } comes from a search of all moves at the root
differs-root = the root is { $value } in the tree, { $told } its last exact value
differs-move = { $move } is { $value } in its own search, { $root } in that of all moves at the root

# What is wrong: where, and what the system says
at-place = { $place }: { $why }
move-number = move { $number }
system-error = { $kind ->
   *[other] { $error }
}

# What is wrong with the words of the command line
see-help = { $why } (see `{ $program } help`)
one-of = one of { $values }
either-of = { $one } or { $other }
any-value = a value
this-value = '{ $value }'
no-value = nothing
expected-value = { $argument }: expected { $expected }, found { $found }
wrong-value = { $argument }: { $why }, found { $found }
unknown-argument = expected a known argument, found '{ $found }'
unknown-argument-near = expected a known argument such as { $hint }, found '{ $found }'
position-in-quotes = a position stands in quotes, { $option } "{ $position }"
unknown-subcommand = expected a subcommand ({ $known }), found '{ $found }'
did-you-mean = { $why }: did you mean { $meant }?
missing-argument = expected { $argument }, found nothing
exclude-each-other = { $first } and { $second } exclude each other
expected-once = { $argument }: expected once, found again
needs-option = { $option } needs { $needed }
takes-no-more = unexpected value '{ $found }' for '{ $argument }' found; no more were expected
missing-subcommand = expected a subcommand, found nothing
not-unicode = invalid UTF-8 was detected in one or more arguments

# Numbers and names of the command line
expected-seconds = expected seconds above 0 and up to { $most }, such as 5 or 0.5
expected-number = expected a number from { $least } to { $most }
expected-count = expected a number of { $of } from { $least } to { $most }
expected-less-memory = expected no more MiB than this machine has
expected-whole-number = expected a whole number
expected-any-number = expected a number
expected-odd = expected an odd number of plies
expected-name = expected a name of 1 to 80 characters in one line

# Files
file-kind = { $kind ->
    [folder] a folder
    [pipe] a pipe
    [device] a device
   *[other] something else
}
expected-readable = expected a readable { $what }, found: { $why }
expected-file = expected a list of problems, found a position, '{ $found }'
expected-readable-kind = expected a readable { $what }, found { $found }
expected-regular = expected a regular file, found { $found }
expected-fewer-bytes = expected at most { $most } bytes, found more
expected-smaller = expected a { $what } of at most { $most } bytes, found more
expected-utf-8 = expected a readable { $what }, found one that is not UTF-8
expected-utf-8-text = expected UTF-8 text, found: { $error }
expected-writable = expected a file that can be written, found '{ $file }': { $why }
expected-writable-file = expected a file that can be written, found: { $why }

# Positions and moves
expected-game-position = expected a { $game } position in { $format }, found '{ $text }' ({ $flaw })
position-flaw = { $kind ->
    [two-pawns] two pawns of one side on the file of { $at }
   *[other] { $found }
}
expected-both-kings = expected a king of each side, found none of { $side }
expected-position = expected a position, found { $found }
expected-setup = expected 'startpos' or '{ $setup } ...', found { $found }
expected-moves-word = expected 'moves' after 'startpos', found { $found }
expected-a-move = expected a move, found { $found }
expected-one-move = expected one move, found '{ $found }', which may be { $move } or { $other }
nothing-after = nothing after it

# Options of the engine
option-refused = { $name }: expected { $expected }, found { $found }
no-option = no option { $name } here
rule-and-value = a rule with its value, such as affinity=off or mate-probes=0.5
rule-switch = { $name }=on or { $name }=off
rule-strength = { $name }=on, { $name }=off or a number from 0 to 1
rule-kib = { $name }=off or a number of KiB from 1 to 65536
one-of-rules = one of the rules { $names }, all
expected-shorter-line = expected a line of at most { $most } bytes, found a longer one; ignored up to its end
option-ignored = setoption: { $why }; ignored
none-found = none
truth = true or false
number-between = { $kind ->
    [integer] an integer from { $least } to { $most }
   *[other] a number from { $least } to { $most }
}

# Engines and servers
expected-closed-quotes = expected a command line with closed quotes, found '{ $found }'
expected-command-line = expected a command line, found nothing
cannot-start = cannot start '{ $program }': { $why }
cannot-start-in = cannot start '{ $program }' in '{ $folder }': { $why }
wrong-table = { $why }
expected-key = expected '{ $name }', found none
expected-key-once = expected every key once, found '{ $found }' again
expected-syntax = expected { $expected }, found { $found }
expected-toml = expected TOML, found '{ $found }': { $flaw }
natural-number = a whole number, 0 or more
whole-number = a whole number
toml-type = { $type ->
   *[other] { $type }
}
toml-kind = { $kind ->
    [a-sequence] an array
    [a-map] a table
   *[other] { $text }
}
toml-value = { $kind ->
    [string] string { $value }
   *[other] { $text }
}
toml-flaw = { $flaw ->
   *[other] { $text }
}
expected-server = expected nats://HOST or tls://HOST, found '{ $found }'
expected-server-not-file = expected nats://HOST or tls://HOST, found a file (for the option Children): '{ $found }'
expected-no-path = expected nothing after the host and its port, found '{ $found }'
expected-login = expected the user and password or the token for { $host }, found that they were left out: files keep none; name the server anew
expected-credentials = expected credentials for a server beyond this machine (a creds file, nats://USER:PASSWORD@{ $host } or nats://TOKEN@{ $host }), found none for { $host }
expected-creds = expected a creds file, found '{ $file }': { $lacks ->
    [user] it has no user
   *[other] it has no key
}
expected-certificates-file = expected a file with certificates (PEM), found '{ $file }': { $found ->
    [none] it has none
   *[other] one of them is damaged
}

# What is wrong with problems, solutions and files of answers
expected-problems-or-positions = expected FILE, -, --sfen, --fen, --kif or --csa, found none
expected-problems = expected problems, found none
expected-game = expected a game, found none
expected-any-game = expected a position of one of { $games }
expected-other-game = expected --game { $game }, found { $found }
expected-brinkmates = expected positions of a game that has brinkmates, found { $game }
expected-kif = expected a game with KIF records, found { $game }
expected-position-or-moves = expected a position or moves, found neither
unreadable-record = { $format ->
   *[other] { $why }
}
or-defender-first = { $why }; --defender-first?
expected-tabs = expected tabs between the fields, found blanks: '{ $found }'
expected-recorded = expected a length in plies, or - for none, or a solution, found '{ $found }'
expected-solution = expected a name and moves, found '{ $found }'
expected-mate-answer = expected an answer about a mate, found '{ $found }', which `hasami verify --certificate` checks by its certificate
expected-json = { $lacks ->
    [json] expected a JSON object, found: { $found }
    [name] expected a JSON object with a name, found none
    [strings] expected moves that are strings, found others
    [moves] expected an array of moves, found { $found }
   *[other] expected an answer (mate, nomate, unknown), found { $found }
}
expected-one-name = expected the name of one problem, found '{ $found }', of several
expected-known-name = expected the name of a problem, found '{ $found }'
expected-so-many-answers = expected { $count } answers, found another one
expected-another-file = expected another file than { $other }, found the same
expected-two-files = expected two files, found the same twice
expected-certificate-folder = expected a folder of certificates (*.cert), found { $found }
expected-one-problem = expected one problem (or --certificates DIR), found { $found }
mates-or-shortest = --mates and --shortest exclude each other: longer mates may make it shorter
needs-algorithm = { $option } needs --algorithm { $names }, not { $found }
either-or = { $names } or { $last }
expected-folder = expected a folder, found '{ $found }': { $why }
expected-new-file = expected a new file (or --resume), found '{ $found }'
expected-free-file = expected a file for this run alone, found '{ $found }' in use
expected-same-question = expected '{ $expected }', found '{ $found }'
expected-no-more-answers = expected no more answers than problems
expected-answer = expected an answer, found { $found }
expected-answer-to = expected the answer to '{ $expected }', found that to '{ $found }'
expected-moves = expected moves, found '{ $found }'
expected-memory-a-job = expected a MiB a job, found { $found } for { $jobs }

# What is wrong with the words of a search
expected-searcher = { $found ->
    [children] expected a thread or a child engine to search, found none that speaks this game's protocol
   *[other] expected a thread or a child engine to search, found --workers 0
}
expected-lent-worker = expected a worker of the cluster to search, found none; --workers 1 searches here
expected-lent-worker-because = expected a worker of the cluster to search, found none ({ $why }); --workers 1 searches here
expected-name-value = expected NAME=VALUE, found '{ $found }'
option-beside = expected no { $option } beside { $argument }, found '{ $found }'
expected-network-of = expected a network of { $wanted }, found one of { $found }

# The page, as the command line tells of it
web-page-at = web page: { $url }
web-page-stays = the web page stays until Ctrl-C
expected-address = expected an address to listen on, as in 127.0.0.1:{ $port }, found '{ $found }'
cannot-listen = web page: { $address } cannot be listened on: { $why }
expected-feature = expected a program built with the feature '{ $feature }', found one without it

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
tree-letters = d depth, p probability to be reached; values seen from the side to move at the root
tree-values = an inner node's worker searches its other moves; >= and <= are bounds
swatch-searched = a worker searches it
swatch-vacant = no worker
swatch-answer = the answer's line
picture-result = { $result }; { $nodes } nodes
proved-mate-in = mate in { $count }
defences-mated = { $count ->
    [one] 1 defence, mated
   *[other] { $count } defences, all mated
}

# Lists
both = { $first }, { $second }
versus = { $first } vs { $second }

# A match on the command line: its result
results-of = Results of { $first } vs { $second }:
result-elo = Elo: { $elo }, nElo: { $nelo }
result-chances = LOS: { $los }, DrawRatio: { $draws } %
result-pair-chances = LOS: { $los }, DrawRatio: { $draws } %, PairsRatio: { $ratio }
result-games = Games: { $games }, Wins: { $wins }, Losses: { $losses }, Draws: { $draws }, Points: { $points } ({ $share } %)
result-pairs = Ptnml(0-2): [{ $counts }], WL/DD Ratio: { $ratio }
leads = { $name } leads with { $points }
column-rank = Rank
column-name = Name
column-games = Games
column-score = Score
column-draws = Draw
column-pairs = Ptnml(0-2)
no-faults = Faults: none
faults-of = Faults of { $name }: { $faults }
counted-time-losses = { $count ->
    [one] 1 loss on time
   *[other] { $count } losses on time
}
counted-crashes = { $count ->
    [one] 1 crash
   *[other] { $count } crashes
}
counted-hangs = { $count ->
    [one] 1 hang
   *[other] { $count } hangs
}
counted-illegal-moves = { $count ->
    [one] 1 illegal move
   *[other] { $count } illegal moves
}
counted-restarts = { $count ->
    [one] 1 restart
   *[other] { $count } restarts
}
counted-breaches = { $count ->
    [one] 1 breach of the protocol
   *[other] { $count } breaches of the protocol
}
counted-ignored-limits = { $count ->
    [one] 1 game with its limit ignored
   *[other] { $count } games with its limit ignored
}
counted-overruns = { $count ->
    [one] 1 move late by { $longest } ms
   *[other] { $count } moves late by at most { $longest } ms
}
overran = { $moves ->
    [one] 1 move overran its time, by { $millis } ms
   *[other] { $moves } moves overran their time, by at most { $millis } ms
}
ignores-limit = searched { $found } where the limit is { $limit } (the median of { $moves } moves)
lost-by-little = lost a game on time by { $millis } ms, which a busy machine may cost; timemargin={ $margin } would forgive it
column-machine = Machine
column-lost-level-won = lost/level/won
column-chance = chance
column-speed = speed
column-busy = busy
column-late = late
column-processor = Processor
moreover = { $first }, and { $second }
machine-differs = its results differ from those of the other machines
machine-differs-from = its results differ from those of { $other }
ends-by-word = { $count } of { $games } games ended as this machine says and no rule can check (time, crash, silence, illegal move)
machine-contradicts = it sent { $count ->
    [one] 1 answer
   *[other] { $count } answers
} that the rules of the game contradict, not counted here
machine-is-slow = its engines reach { $speed } times the nodes a second of { $machines ->
    [2] the other machine
   *[other] the other machines
}
machine-is-late = { $late } of its { $games } games were lost on time, { $others-late } of { $others-games } elsewhere
machines-differ = { $one } and { $others }: their results differ; { $machines ->
    [2] which one is
   *[other] which of them are
} wrong cannot be told by results alone
machines-share-name = machines of this name played at the same time; hasami worker --name gives each its own
programs-differ = { $name } is not the same program everywhere: { $programs }
chart-of-two = { $first } vs { $second }: { $result }
chart-of-many = { $engines } engines, { $games } games
axis-score = score, %
test-completed = SPRT ({ $test }) completed - { $verdict } was accepted
no-games = no games
no-games-yet = no games yet
no-games-without = no games without those of { $names }
nothing-for-commit = For the commit message: nothing, no game has ended
for-commit = For the commit message:
games-so-far = { $done } of at most { $total } games
without-machines = Without the games of: { $names }

# The conditions of a match
list-of-two = { $first }, { $second }
with-brackets = { $text } ({ $more })
options-unset = not set: { $options }
options-beyond = beyond what the engine declares: { $options }
options-none = nothing further
options-or = or
engine-on = { $engine } on { $machines }
clocks-scaled = Clocks scaled by the speed of the machines: { $machines }
clocks-scaled-to = Clocks scaled to a machine of { $speed } nodes a second: { $machines }
match-tool = Match tool: hasami { $version }
order-gauntlet = gauntlet of { $count }
order-round-robin = round robin
games-an-opening = { $count } games an opening
first-begins = the first engine begins
second-begins = the second engine begins
entering-king = entering king { $rule }
longest-game = at most { $plies } plies
with-endgame-tables = endgame tables
without-openings = no openings
with-openings = openings { $file }
openings-order = { $order }
openings-seed = seed { $seed }

# A match on the command line: its course
going-on = going on after { $done } of { $total } games
going-on-with-test = going on after { $done } games
started-game = Started game { $number } of { $total } ({ $first } vs { $second })
game-of-journal = game { $number }
started-game-of-test = Started game { $number } ({ $first } vs { $second })
expected-effort = expected about as much as '{ $go }' says, found { $found }
expected-protocol = expected an engine that speaks { $protocol }; it answers '{ $greeting }' with: { $text }
expected-engine-option = engines are named with --engine and have a limit: --engine cmd={ $first } --engine cmd={ $second } --each tc=10+0.1
left-out-option = { $option } changes nothing here and is left out
opening-is-over = expected an opening to play on from, found the end of the game ({ $end })
repeated-games = { $count } of { $games } games repeat an earlier one move for move; Elo, LOS and error bars count them as games of their own and promise too much
expected-openings = expected a file of openings (--openings FILE) or a clock: engines that are limited by nodes or depth alone play the same { $games } games again and again (--games { $games } plays them once)
total-time = Total time: { $time }
finished-game = Finished game { $number } ({ $first } vs { $second }): { $result } { $end }
game-end = { $ending ->
   *[other] { $remark }
}
last-shown = { $fault } (further ones are only counted)
warning-at-end = Warning: { $why }
match-ended = ended by { $signal } after { $games ->
    [one] 1 game
   *[other] { $games } games
}; it goes on with: hasami match --resume { $journal }
usual-openings = openings: { $count } positions of { $file }; --openings FILE names others, --openings startpos none
journal-at = journal: { $file }
journal-kept = the earlier journal is kept as { $file }
read-once = { $readers } read but the first game of a file; { $option } { $folder }/ writes a file for each game
no-affinity = this system keeps no program on a processor (Linux does); games are played without
option-is-missing = the engine has no option { $option }
option-is-narrower = the engine does not take all values of the range of { $option }
option-is-owner-s = the owner of the machine sets { $option }, which a caller cannot change
left-out-as-unfit = { $why }; left out, as by --without { $name }
set-by-owner = { $engine } on { $machine }: its owner sets { $options }
not-set-for-owner = { $engine } on { $machine }: its owner wants { $options }, an option that the engine does not have; not set
machine-refuses = { $name } plays no games of this match: { $why }
server-is-back = the server is there again
server-is-lost = the server is lost

# Machines that play games of others
counted-games = { $count ->
    [one] 1 game
   *[other] { $count } games
}
queue-state = { $repeats ->
    [1] games
    [2] pairs of games
   *[other] games of one opening
}: { $over } of { $total } over, { $played } being played, { $waiting } waiting on the server
machine-lends = machine { $name } lends { $games } ({ $processor }, hasami { $version }, { $speed } nodes/s)
machine-lends-again = machine { $name } is back, lends { $games } ({ $processor }, hasami { $version }, { $speed } nodes/s)
machine-is-gone = machine { $name } is gone
machine-plays = { $name }: { $busy } of { $games } games, { $speed } nodes/s, { $processor }
machine-plays-untold = { $name }: { $busy } of { $games } games, does not tell which (hasami { $version }), { $speed } nodes/s, { $processor }
machines-of-one-name = several machines call themselves { $name }: hasami worker --name gives each its own name
no-machine-of-name = --without { $name }: no machine of this name is here ({ $here })
left-out-machine-came = --without { $name }: a machine of this name has come; it gets no games
none-is-here = none is here yet
these-are-here = here: { $names }
nobody-lends = nobody plays: no machine lends games (hasami worker --games N)
nobody-can-play = nobody plays: no machine has what these games need: { $reasons }
lack-of-machines = { $why } ({ $names })
lacks = { $first }; { $second }
lacks-leave = left out by --without
lacks-tables = endgame tables, hasami worker --tb
lacks-engine = engine { $name }, hasami worker --engine { $name }=...
lacks-engine-of-server = engine { $name } of the server ({ $sha256 }), hasami worker --allow-fetched
owner-s-engine-plays = { $name } plays with { $engine } of its owner, not with that of the server (cmd={ $engine }@{ $sha256 })
program-differs = { $name } on { $machine } is another program: { $program }; elsewhere: { $others }
machine-sends-false-games = { $name } sent games that the rules contradict; not counted: { $why }
unreadable-answer = an answer that cannot be read: { $error }
strange-answer = an answer to another question
not-on-machines = { $what ->
    [log] expected no --log, which is that of this machine, found it
    [crash] expected no --on-crash stop, found it
    [affinity] expected no --affinity, which is that of this machine, found it
   *[other] expected no clock=virtual and no --connect, found it
}

# A tuning and self-play on the command line
expected-tuned-option = expected NAME=START,LOW,HIGH or NAME=START,LOW,HIGH,STEP, found '{ $found }'
expected-start-in-range = expected a start in the range and a step above 0, found '{ $found }'
expected-tuning-file = expected the journal of a tuning, found no file
expected-tuning = expected the journal of a tuning, found { $found }
expected-tuning-here = expected a tuning like this one that was begun in this folder, found none
expected-tuning-like-this = expected a tuning like this one that was begun in this folder, found { $found }
expected-iteration = expected an iteration, found { $found }
expected-iteration-number = expected iteration { $expected }, found { $found }
not-this-tuning = not the tuning of { $file }: { $why }
expected-whole-as-declared = expected whole numbers, as the engine declares it, found { $low } to { $high }
expected-range-as-declared = expected a range within { $least } to { $most }, as the engine declares it, found { $low } to { $high }
expected-number-option = expected an option with a number, found one of the kind { $kind }
engine-without-numbers = expected an engine with options of numbers, found '{ $found }'
engine-without-option = expected an option of the engine, such as { $others }, found '{ $found }'
engine-without-option-near = expected an option of the engine; near it: { $others }, found '{ $found }'
no-iteration = no iteration has ended
tuning-at = iteration { $done }/{ $total }: { $values }
tuning-ended = ended by Ctrl-C after { $done } of { $total } iterations; the same command goes on; its journal is { $journal }
tuning-of-games = Tuning of { $engine }: { $done } of { $total } iterations, { $games } each
tuned-option = { $shown }   from { $start }, { $low } to { $high }
tuning-chart = options during the tuning
axis-place = place in the range
expected-number-above-zero = expected a number above 0, at most { $most }
expected-other-output = expected another file than those that are read, found '{ $found }'
positions-unread = { $count } of { $total } positions cannot be read
expected-readable-positions = expected positions of { $game }, of which at most one in { $share } cannot be read, found: { $found }
training-differs = expected { $name } { $before } as before, found { $found }
training-other-positions = expected the positions with which it began, found others
training-without-conditions = expected a checkpoint that tells its conditions, found one of an earlier version
training-without-checkpoint = expected { $checkpoint } beside it, found none; --fresh replaces it
fresh-begins-anew = { $why }; --fresh or another --out begins anew
trained-already = trained already; --fresh or another --out begins anew
expected-two-numbers = expected two numbers as in 1500:6, found '{ $found }'
expected-plan-beside = expected the conditions that { $plan } tells, of which { $name } is { $before }, found { $found }
plan-empty = expected the conditions of self-play, found an empty file
plan-spoiled = expected the conditions of self-play, found a file that is cut off or holds something else
expected-file-beside = expected { $plan } beside it, found none
expected-unlocked-file = expected one that no other run writes, found it in use
expected-open-position = position { $number }: expected one with moves to play, found the game over ({ $ending }): { $position }
self-play-so-far = { $games } games, { $moves } moves, { $speed } a second, +{ $wins } ={ $draws } -{ $losses }
self-play-done = { $games } games, { $moves } moves in { $file }
self-play-ended = ended by Ctrl-C after { $done } of { $total }; the same command goes on

# A worker node on the command line
worker-tries-children = starts each child engine once, to see that it answers
worker-lends = { $threads } and { $children } for { $server }
worker-lends-games = { $games } at a time for { $server } with { $engines }
speed-of-games = { $processor }, { $speed } nodes/s a game
counted-children = { $count ->
    [one] 1 child engine
   *[other] { $count } child engines
}
expected-something-to-lend = expected a thread or a child engine to lend, found --threads 0
expected-protocols-or-game = expected a protocol for every engine, or --game, found neither
expected-pool-or-games = expected one of --pool and --games, found --pool beside --games: whole games have no pools
expected-cache-folder = expected a cache folder of this user (HOME), found none
expected-bubblewrap = expected bubblewrap (bwrap) that may make a sandbox, or --allow-fetched=plain, found none

# The checks of an engine
check-name = { $check ->
   *[other] { $name }
}
check-verdict = { $verdict ->
   *[other] { $verdict }
}
checks-of = { $count ->
    [one] 1 check
   *[other] { $count } checks
} of { $engine }, { $protocol } ({ $game }), seed { $seed }
checks-done = { $engine }: { $passed } passed, { $failed } failed, { $notes ->
    [one] 1 note
   *[other] { $notes } notes
}, { $skipped } not run
expected-compliance = expected { $engine } to keep to its protocol, found that { $count ->
    [one] 1 check
   *[other] { $count } checks
} failed
expected-words-of-check = expected words of a check, found '{ $found }'

# Why a check fails, or is skipped
protocol-word = '{ $word }'
bestmove-after = 'bestmove' after '{ $go }'
expected-within = expected { $what } within { $millis } ms, found { $found }
line-at-last = '{ $line }' last
silence = silence
expected-of-child = expected { $what }, found: { $why }
expected-living-engine = expected an engine that lives on, found: { $why }
expected-move-after = expected a move after '{ $go }', found '{ $found }'
expected-legal-after = expected a legal move after '{ $go }' in a position after { $moves ->
    [one] 1 move
   *[other] { $moves } moves
}, found { $found } ({ $why })
illegal-at-ply = { $move } at ply { $ply }
moves-past-end = moves behind the end of the game at ply { $ply }
expected-playable = expected variations that can be played, found { $fault } of '{ $line }'
expected-ascii = expected ASCII, found '{ $found }'
expected-its-end = expected it to end within { $millis } ms of { $after ->
    [quit] quit
    [quit-in-search] quit in a search
    [end-of-input] the end of its input
   *[other] the end of its input in a search
}, found that it lives on
expected-greeting-within = expected it within { $millis } ms, found { $found } ms
expected-id = expected a line 'id { $what } ...' before '{ $before }', found none
expected-option-line = expected 'option name NAME type TYPE ...', found '{ $found }'
engine-option = option { $name }
expected-option-type = expected one of the types { $known }, found '{ $found }'
expected-min-and-max = expected min and max, found none or no number
expected-default = expected a default, found none
expected-as-default = expected { $expected } as its default, found '{ $found }'
expected-no-reserved-word = expected no word '{ $found }' in a name
expected-name-in-one-word = expected names in one word, found '{ $found }'
expected-option-once = expected option { $name } once, found it twice
number-from = a number from { $limit } on
number-up-to = a number up to { $limit }
expected-checkmate-after = expected 'checkmate ...' after '{ $go }', found '{ $found }'
expected-no-second-move = expected one move, found a second one, '{ $found }'
expected-move-within = expected a move within { $millis } ms after '{ $after }', found one after { $found } ms
expected-no-further-answer = expected no further answer, found '{ $found }'
expected-before = expected { $what } before '{ $before }', found none
line-with-score = an info line with a score
whole-line-with-score = depth, nodes, time and pv in the last info line with a score
expected-first-of-variation = expected the move of the last variation, found { $found }
no-long-game = no random game was so long
no-such-position = no random game had such a position
no-ponder-move = it names no reply
no-declared-option = it declares no option { $name }
expected-legal-reply = expected a legal reply to { $move }, found { $found } ({ $why })
expected-without-move = expected '{ $expected }' where no move is legal, found '{ $found }'
expected-searched-move = expected one of { $known }, found { $found }
expected-no-answer-before-stop = expected no answer to '{ $go }' before it is stopped, found '{ $found }'
expected-multipv-lines = expected lines multipv 1 to { $count }, found fewer
expected-different-moves = expected { $count } different first moves, found { $found }
trace-end-of-input = > (end of input)
trace-new-process = (a new process)

# How a process ends
child-killed = killed
child-ended-with = ended with { $status }
child-ended = ended
its-last-words = { $why }, its last words: { $text }

# Bars of progress
bar-of-positions = positions { $elapsed } eta { $left }
bar-of-problems = problems { $elapsed } eta { $left }
bar-times = { $elapsed } eta { $left }

# A match on the command line: warnings
games-will-repeat = engines that are limited by nodes or depth alone will play the same games again
games-may-repeat = games may repeat
no-openings = no --openings: all games of each two engines are from one position; { $repeat }
few-openings = { $found } where { $games } games take { $needed }; { $repeat }
counted-openings = { $count ->
    [one] 1 opening
   *[other] { $count } openings
}
short-time = { $millis } ms a move ({ $control }) is little more than a pipe and a busy machine take; expect losses on time, or give a timemargin
long-overhead = { $option } is as long as a move may take ({ $millis } ms of { $control })
counted-threads = { $count ->
    [one] 1 thread
   *[other] { $count } threads
}
crowded-cores = { $games } games at a time with { $each } each want { $wanted } cores, found { $found }; clocks will run while engines wait
crowded-cores-by-pondering = { $games } games at a time with { $each } each, both sides of which think want { $wanted } cores, found { $found }; clocks will run while engines wait
same-engines = { $others } and { $last } are the same program with the same options and limits: they are equally strong

# What is wrong with the words of a match
unknown-word = expected one of { $known }, found '{ $found }'
a-number = a number
a-number-above-0 = a number above 0
on-or-off = on or off
some-seconds = seconds
closed-quotes = words with closed quotes
text-or-number = one line of text or a number
expected-here = expected { $expected }, found { $found }
words-in-table = words in the table
words-of-command-line = words that a command line can hold
expected-option-without-dashes = expected an option of hasami { $command } without its dashes, found '{ $found }'
expected-journal-not-file = expected the journal of a match, found the file of one; it goes on with --file { $file } --resume
uci-or-usi = uci or usi (programs of xboard's protocol play behind an adapter: docs/guide/peers.md)
line-number = line { $number }
expected-two-engines-or-more = expected at least two engines, found { $found }
expected-two-engines = expected two engines, found { $found }
expected-own-name = expected a name of its own for every engine, found '{ $name }' twice
expected-uci = expected an engine that speaks uci, found usi
expected-record-format = expected a record format of { $game }, found --{ $found }
expected-less-elo = expected elo0 below elo1, which is { $more }, found { $found }
expected-near-elo = expected elo0 and elo1 within { $most } (normalized Elo), found { $found }
expected-rate = expected { $name } between 0 and 1, found { $found }
expected-rates = expected alpha and beta below 1 together, found { $found }
expected-time-control = expected a time control like 60+0.6, 40/300 or 1:30+1, found '{ $found }'
clock-or-move-time = a clock (tc, byoyomi) and a time for every move (st, movetime) exclude each other
byoyomi-or-increment = byoyomi and increments exclude each other
expected-no-byoyomi = expected byoyomi in USI games only, found it in a UCI game
expected-limit = expected a limit (tc, byoyomi, movetime, nodes or depth), found none
expected-cmd = expected cmd=... for every engine, found none
expected-engine-words = expected words like name=a cmd="b c" tc=10+0.1, found '{ $found }'
expected-engine-table = expected at least one [[engine]], found none
expected-engines-in-words = expected engines in words, found the file '{ $found }'
expected-words = expected words like name=value, found '{ $found }'
expected-value-of = { $word }: expected { $value }, found '{ $found }'
value-order = sequential or random
value-model = normalized, logistic or bayesian
value-format = a format of openings of this game
value-policy = round or default
value-switch = true or false
value-number = a number
expected-file-word = expected file=..., found none
expected-file-word-not = expected file=..., found '{ $found }'
expected-record = expected FORMAT=FILE ({ $known }), found '{ $found }'
expected-format = expected a format ({ $known }), found none
expected-games-or-positions = expected games or positions, found none
opening-from = opening from { $start }
expected-start = expected start=1 to start={ $most }, found { $found }
expected-starting-engine = expected an engine that starts, found: { $why }
expected-engine-with-files = expected an engine with the files of its options, it says: { $why }
expected-playing-engine = expected an engine that plays on, found: { $why }
expected-engine-threads = expected engines, found that all their threads have ended
expected-queue-thread = expected the thread of the queue, found that it has ended
expected-playing-machines = expected machines that play, found, { $times } times: { $why }

# What is wrong with a journal
journal-file = journal { $file }
expected-journal-option = expected --journal FILE, found no home folder to keep the journal in
expected-journal = expected the journal of a match, found { $found }
expected-own-game = expected a game of this program, found another one
expected-free-journal = expected one that no other match writes, found it in use
expected-game-of-match = expected a game of the match, found { $found }
expected-known-words = expected a game, found unknown words
game-again = game { $game } for the second time
expected-in-journal = expected { $what }, found none
a-game = a game
a-schedule = a schedule
a-test = a test
journal-of-more-games = journal: expected at most { $most } games, found game { $game }
expected-same-records = expected the same record files as before, found others
expected-processors = expected processors like 3,5,7-11, found '{ $found }'
expected-processors-here = expected processors of this machine, found { $found }
expected-more-processors = expected { $wanted } processors for { $games } games at a time, found { $found }
expected-more-games = a match that goes on may only grow, by whole pairs: expected at least { $before } games as in the journal, found { $found }
engine-number = engine { $number }
number-of-engines = number of engines
number-of-openings = number of openings
time-or-limit = time or limit
expected-amendment = expected an amendment of the match, found { $found }
expected-version = expected version { $known }, found { $found }
empty-file = an empty file
expected-same-plan = expected the same { $place } as in the journal, { $before }, found { $found }
expected-match-here = expected a match that was begun in this folder, found none; --resume FILE names its journal
expected-journals-at = expected a journal or a folder of journals, found: { $found }
no-journals = expected journals in { $folder }, found none
expected-machine-of-journal = expected a machine of the journal ({ $known }), found '{ $found }'
expected-journal-with-machines = expected a machine of a journal, which has none (all games were played here), found '{ $found }'
expected-finished-game = expected a finished game, found { $found }

# What the engine says of its parts
network-in-use = network { $digits }: { $name }, { $set }
no-network-of-user = { $option } { $file }: { $why }; the built-in evaluation is used
expected-speaker = expected an engine that speaks { $protocol }, found only { $others ->
    [0] { $name }
   *[other] { $name } and { $others } more
}
no-cluster = Cluster: { $why }; none is joined
unlike-engines = { $first } and { $second } search together: their values are compared as they are, and may mean different things
worker-set-aside = warning: { $name } is set aside: { $why }
values-contradicted = { $contradicted } of its values were contradicted by other workers, { $confirmed } confirmed
expected-word-of-engine = expected { $word }, found: { $why }
expected-in-time = expected { $waited } within { $limit } s ({ $option } { $millis }), found nothing after { $seconds } s
engine-silent = expected { $word } within { $seconds } s, found nothing; killed
engine-killed = killed, it did not answer
engine-said = { $why }; it said: { $text }
engine-does-not-come-up = expected it to come up, found that it does not
child-engine-fails = child engine { $why }
hash-too-large = warning: expected at most { $most } MiB for the tables on this machine, found Hash { $asked }: { $players } are used
child-lost = { $name } is lost and started again: { $why }
child-lost-again = { $name } is lost, { $count } times so far
expected-order-in-book = expected positions in order, as BookOnTheFly needs them, found '{ $next }' after '{ $last }'
book-lines-left-out = { $count ->
    [one] one line was
   *[other] { $count } lines were
 } left out: { $first }
expected-yaneuraou-book = expected a YaneuraOu book ('sfen ...' lines), found none
expected-polyglot-book = expected a Polyglot book (entries of 16 bytes), found { $found } bytes
expected-in-book = expected { $expected }, found '{ $found }'
expected-tables = expected Syzygy tables in '{ $folder }', found: { $why }
no-tables = no tables in it
expected-game-with-tables = expected a game with endgame tables, found { $game }

# Certificates
certificate-refused = { $why }
certificate-of-more-positions = more than { $positions } positions have to be visited (--positions)
certificate-too-deep = { $why }
expected-crc = expected the CRC-32 { $expected }, found { $found }
certificate-file-fault = { $kind ->
    [dense] expected at most { $expected } bytes for each deflated one, found { $found } bytes
   *[other] { $text }
}
certificate-content-fault = byte { $at } of the content: expected { $expected }, found { $found }
certificate-expected = { $kind ->
    [few-moves] at most { $count } moves
   *[other] { $text }
}
certificate-found = { $kind ->
    [more] { $value } bytes more
   *[other] { $text }
}
certificate-replay-fault = { $kind ->
    [spelling] expected { $expected } as the protocol writes it, found { $found }
   *[other] { $text }
}
at-start = at the start
after-moves = after { $moves }
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

# What `hasami doctor` finds, and what it advises
check-state = { $state ->
   *[other] { $state }
}
check-what = { $what ->
   *[other] { $name }
}
check-no-network = none, the evaluation is made by hand
check-folder = { $folder } can be written
check-no-folder = { $folder } cannot be written
check-built-in-book = the built-in one
check-other-protocol = expected an engine of this game, found one of another protocol
check-child = { $name } answers after { $seconds } s
check-none-named = none named
check-cluster = { $place } answers after { $millis } ms
check-not-optimised = { $program }, not optimised
check-processor = { $name }, { $usable ->
    [one] 1 hardware thread
   *[other] { $usable } hardware threads
}
check-part-of-processor = { $name }, { $usable } of { $there } hardware threads
check-no-built-in = no built-in network
check-kernels = networks run on { $set }
check-slow-clock = { $name }, which is slow to read
check-unknown-memory = the system does not say how much is left
check-memory = { $left } MiB left, Hash { $hash } with Threads { $threads }
check-huge-pages = { $got } of { $tried } MiB of a table are in huge pages
check-small-pages = { $got } of { $tried } MiB of a table are in huge pages: searches are slower
check-limits = { $files } files, { $threads } processes and threads
check-few-files = { $found }; { $needed } files are needed
unlimited = unlimited
expected-no-fault = expected no fault, found { $found }
advice-network = hasami net FILE says what a file is
advice-folder = hasami worker --networks FOLDER keeps them elsewhere
advice-book = docs/guide/options.md has the formats; an empty BookFile is the built-in book
advice-children-file = docs/guide/children.md has an example of the file
advice-other-protocol = the same file may serve several games; this engine is left out here
advice-child = run its command line by hand, type uci or usi, and see what it says
advice-child-at = it is at { $path }: name it so, or put that folder into PATH
advice-tables = a folder with the files of the tables (.rtbw, .rtbz); several are separated as in PATH
advice-children = --children FILE or --child COMMAND tries them
advice-cluster = hasami workers lists who is there
advice-no-cluster = is the server running, its port open, the password or the creds file right?
advice-clusters = --connect nats://HOST tries one
advice-release = several times slower than cargo build --release
advice-affinity = an affinity or a limit of the container withholds the others
advice-threads = Threads up to { $usable }; in timed games against engines on this machine, their share
advice-avx2 = a processor with AVX2 evaluates positions faster
advice-native = mates some 11 % faster if built with RUSTFLAGS="-C target-cpu=native"
advice-clock = boot with clocksource=tsc if it is reliable here
advice-less-memory = a Hash of { $most } at most, or the tables are made smaller
advice-memory = Hash up to { $most }; more is good for long analyses
advice-huge-pages = memory is in small pieces: restart the machine, or end other programs
advice-files = ulimit -n { $wanted } before the start, or LimitNOFILE={ $wanted } in a unit
advice-hard-limit = the hard limit is { $most }: root can raise it in /etc/security/limits.conf, or LimitNOFILE=
advice-processes = ulimit -u, or TasksMax= in a unit: every thread and every child counts

# What is said of an engine of a match
note-of-engine = { $engine } { $note }
engine-says = says: { $text }
option-not-there = the engine has no option { $option }; not set
set-option-refused = option { $option }: expected { $expected }, found '{ $found }'
plays-without-option = has no option { $option } and plays without
has-own-book = may play from a book of its own; option.{ $option }=false says not to
has-several-threads = searches with { $threads } threads; option.Threads=1 says not to
keeps-time = keeps { $millis } ms of each move for itself ({ $option }), of { $pace } that a move has
has-little-time = has little time for a move: { $options }; option.NAME=VALUE says otherwise
cannot-be-kept = cannot be kept on its processors: { $why }
is-silent = has said nothing for { $seconds } s in a search without a clock; it is given up after { $most } s ({ $option })
is-waited-for = is waited for: no { $word } for { $seconds } s; it is given up after { $most } s ({ $option })
answers-unasked = a bestmove that nobody asked for
answers-while-pondering = a bestmove before ponderhit or stop
expected-move-of-variation = expected the move of its last variation, { $move }, found { $found }
expected-legal-variation = expected a legal variation, found { $found } at ply { $ply } of '{ $line }'
expected-variation-to-end = expected a variation that ends with the game, at ply { $ply }, found '{ $line }'
started-again = { $why }; started again

# A worker node and the queue of games, as their owners hear of them
lends-no-game = game { $game }
lends-no-tables = endgame tables
lends-no-engine = engine { $name }
fetches-no-engine = engine { $name } ({ $sha256 }..), and fetches none
fetches-no-files = files, and fetches none
not-wanted = not wanted there
expected-task-version = expected tasks of version { $expected }, found { $found }
expected-game-here = expected a game, found '{ $found }'
expected-trained-game = expected a game that is trained for, found { $found }
expected-opening-moves = expected moves, found other words
expected-evaluation = expected the evaluation { $expected }, found { $found }: another version of the program?
expected-fetched-file = expected the file { $file } here, found none
expected-engine-here = expected an engine of this machine, found '{ $found }'
expected-engine-name = expected a name of letters, digits and - _ . + for an engine, found '{ $found }'
expected-plain-value = expected a number or a plain word for option { $option }, found '{ $found }'
expected-name-command = expected NAME=CMD, found '{ $found }'
expected-plain-command = expected a command without options, which stand in a file (--engines FILE: { $options }), found '{ $found }'
takes-no-part = takes no part in { $title }: { $why }
cannot-play = cannot play { $title }: { $why }
server-is-lost-to-lender = the server is lost; games go on
tries-again = { $why }; tries again
engine-of-name = engine { $name }
waits-for-greeting = waits for its answer to uci or usi: { $silent } s if it says nothing, { $most } s at most
expected-answering-engine = expected an engine that answers uci or usi, found: { $why }
engine-answers-strangely = expected an engine that answers uci or usi, found '{ $found }'
engine-is-echo = expected an engine that answers uci or usi, found a program that says what it is told
engine-answers-not = expected an engine that answers uci or usi within { $seconds } s, found silence
metrics-at = metrics: { $url }
node-connected = connected to { $server }
node-cut-off = cut off from { $server }; trying again
trying-again = { $why }; trying again
refused-for-long = { $why }, for { $seconds } s
node-is-drained = is drained: takes nothing more, and ends when its tasks have
fetches-network = fetches network { $network }, { $bytes } bytes
network-of-hash = network { $network }
expected-masters-of-version = expected masters that send messages of version { $version }, found one of version { $found }: update the older program
worker-is-lost = { $name } is lost: { $why }
master-is-here = { $name } ({ $game }) is here: { $slots } of { $all } slots
master-is-gone = { $name } ({ $game }) is gone: { $why }

# Engines in the object store
or-no-check = { $why }; --no-check adds it all the same
expected-program = expected a program (ELF, PE, Mach-O, or a script that begins with #!), found none
expected-trial = expected to be able to try it, found: { $why }
this-file = it
program-not-tried = { $kind }, not tried on this system
stored-engine = { $name } { $sha256 } ({ $bytes } bytes)
stored-engine-of-kind = { $name } { $sha256 } ({ $bytes } bytes, { $kind })
engine-removed = removed { $name } { $sha256 }
expected-stored-hash = expected a hash from the object store, found none
expected-stored-engine = expected an engine that 'hasami engines list' tells, found '{ $found }'
expected-engine-hash = expected a SHA-256 for engine { $name }, found another text
expected-file-hash = expected a SHA-256 for a file, found another text
expected-stored-file = expected the file { $sha256 } in the object store, found { $found }
expected-file-or-value = expected a file of this machine, which travels to the others, or a number or a plain word, found { $found ->
    [folder] a folder
   *[other] no file of this name
}
expected-engine-of-machines = expected cmd=NAME, an engine that the owners of the machines allow or that 'hasami engines' lists, found '{ $found }'
expected-hash-of-stored = expected { $least } characters or more of the SHA-256 of an engine that 'hasami engines' lists, found none
expected-hash-of-engine = expected { $least } characters or more of the SHA-256 of the engine of this name, { $sha256 }

# Servers and their certificates
expected-jetstream = expected JetStream (nats-server -js -sd FOLDER, or { $config } in its configuration file) at { $server }, found: { $why }
expected-stream = expected a stream on { $server } (docs/guide/games.md lists the rights), found: { $why }
expected-thread = expected a new thread, found: { $why }
expected-nats = expected a NATS server at { $server }, found: { $why }
expected-nats-with-tls = expected a NATS server with TLS and a trusted certificate at { $server }, found: { $why }
expected-nats-with-login = expected a NATS server at { $server } that takes this login, found: { $why }
expected-nats-for-us = expected a NATS server that lets us in at { $server }, found: { $why }
expected-rights = expected the rights that docs/guide/cluster.md lists, found, from { $server }: { $why }
expected-connection = expected a connection in { $seconds } s, found none
server-without-tls = a server that does not speak TLS; connect to nats://, or turn TLS on there
certificate-untrusted = a certificate of an authority that is not trusted here; name the authority's own with --tls-ca (tls_ca)
certificate-of-authority = a certificate of an authority, which a server cannot show; make one for the server, with basicConstraints=CA:FALSE
certificate-ended = a certificate that ended { $days } ago; renew it on the server, or set this machine's clock
certificate-begins = a certificate that begins in { $days }; set this machine's clock, or the server's
certificate-not-for-servers = a certificate that is not for servers; make one with extendedKeyUsage=serverAuth
certificate-of-version-1 = a certificate of X.509 version 1; make one of version 3, with a subjectAltName
certificate-without-name = a certificate without a name; make one with { $entry }
certificate-for-others = a certificate for { $names }, not for { $wanted }; connect by a name that it has, or make one with { $entry }
some-days = { $days ->
    [unknown] some time
    [0] less than a day
    [one] 1 day
   *[other] { $days } days
}

# A cluster, as its master tells of it
of-cluster = cluster: { $news }
besides = { $first }; { $second }
counted-machines = { $count ->
    [one] 1 machine
   *[other] { $count } machines
}
workers-on-machines = { $workers } on { $machines }
machine-is-lost = { $times ->
    [1] { $name } is lost with { $workers }: { $why }
   *[other] { $name } is lost with { $workers } ({ $times } times so far): { $why }
}
machine-set-aside = { $name } is set aside with { $workers }
machines-are-lost = { $count } machines are lost with { $workers }
machine-has-come = { $name } has come
machines-have-come = { $count } machines have come
no-worker-left = no worker is left
no-worker-yet = no worker has come up yet
no-useful-worker = no worker does anything useful
workers-with-others = all workers of the cluster ({ $machines }) are with other masters
fallback-takes-over = { $why }; an in-process worker takes over
cluster-is-there = cluster: { $size }, by { $server }
cluster-is-back = cluster: { $server } is connected again
cluster-is-cut-off = cluster: { $server } is cut off; trying again
cluster-is-too-large = cluster: no more than { $workers } workers on { $machines } machines are taken, and there are more
machine-told-to-end = its machine was told to end
machine-is-drained = its machine is drained
given-to-another = given to another master
not-heard-for = not heard of for { $value } s
not-heard-any-more = not heard of any more
master-has-ended = it has ended
master-began-anew = it has begun anew

# Who is in a cluster
listed-machine = machine { $name }, hasami { $version }, up { $up }
listed-machine-is-drained = machine { $name }, hasami { $version }, up { $up }, is drained
listed-slot = { $number }  { $slot }
listed-speed = { $speed } nodes/s
speed-not-known = speed not known
slot-waits = waits for { $name } ({ $game })
slot-searches = searches for { $name } ({ $game }) since { $seconds } s
with-network = { $engine } with network { $network }
slot-state = { $engine }, { $speed }, { $work }
listed-master = master { $name }, hasami { $version }, { $game }, { $workers }
listed-loss = lost { $name } { $ago } ago: { $why }
listed-values = values of { $name }: { $confirmed } confirmed, { $contradicted } contradicted
listed-values-unproved = values of { $name }: { $confirmed } confirmed, { $contradicted } contradicted, { $unproved ->
    [one] 1 mate
   *[other] { $unproved } mates
} without a proof
listed-as-set-aside = { $line }; set aside
game-machine = machine { $name }, hasami { $version }, up { $up }, lends { $games } at a time, { $busy } running, { $finished } finished, { $speed } nodes/s a game
older-game-machine = machine { $name }, hasami { $version }, lends { $games } at a time, { $busy } running, { $speed } nodes/s a game
engines-of-machine = { $processor }; engines: { $engines }
engines-and-fetched = { $processor }; engines: { $engines }, and fetches engines
games-not-told = does not tell which games: an older program
title-for-caller = { $title } for { $caller }
engines-come-up = its engines come up
running-game = game { $number }, { $title }: { $first } - { $second }, { $plies }, { $since }
running-games-from = { $title }: games from { $number } on, { $since }
expected-draining-machine = expected a machine { $name } that searches for masters, found one that lends whole games: end it, and others play them
expected-answer-of-machine = expected a machine { $name } to answer in { $seconds } s, found none
expected-somebody = expected somebody to answer in { $seconds } s, found nobody
expected-answers-of-version = expected answers of version { $version } of the messages, found some of { $found }: update the older programs

# Files of games and positions, and training
expected-endings = expected a file of { $endings }
expected-whole-positions = expected a multiple of { $size } bytes, found { $found }
unreadable-training-data = { $why }
line-of-file = { $file }, line { $number }
game-cut-off = game { $number } is cut off and left out
no-position = (no position)
positions-written = { $count } positions in { $file }
positions-extracted = { $count } of { $total } positions in { $file }
games-written = { $count } games in { $file }
games-of-game = { $count } games of { $game }
positions-of-game = { $count } positions of { $game }
counted-results = wins { $wins }, draws { $draws }, losses { $losses }, unknown { $unknown }
counted-scores = scores of { $count } positions: to 100 centipawns { $to1 }, to 300 { $to3 }, to 1000 { $to10 }, to 3000 { $to30 }, beyond { $beyond }
positions-broken = { $count } could not be read
expected-level-opening = expected an opening within { $most } centipawns, found none in { $draws }
expected-games-of-chunk = expected { $count } games, found { $found }
training-goes-on = goes on after step { $step }
training-begins = { $steps } steps of { $batch } positions
training-begins-measured = { $steps } steps of { $batch } positions; loss of those held out: { $loss } now, { $blind } for a network that says the same of every position
training-step = step { $step }/{ $steps }: loss { $loss }, rate { $rate }, { $speed } positions a second, { $left } left
training-step-measured = step { $step }/{ $steps }: loss { $loss }, held out { $held-out }, rate { $rate }, { $speed } positions a second, { $left } left
training-is-done = trained
training-not-finished = not finished; the same command goes on
curve-learned = learned
curve-held-out = held out
axis-steps = steps
axis-squared-error = mean squared error of expected points
expected-width = expected a multiple of 128 up to 2048, found { $found }
unreadable-checkpoint = { $why }
buckets-refused = { $why }
expected-more-positions = expected at least { $wanted } positions (--held-out and --batch), found { $found }
expected-other-checkpoint = expected a checkpoint of { $wanted } parameters, found one of { $found }
expected-other-network = expected a network of { $part } { $wanted }, found { $found }

# A position without a search, and what a network file is
evaluated-by-hand = evaluation made by hand
evaluated-for = { $value } for { $side }
piece-in-hand = in hand { $piece } { $value }
unreadable-network = { $why }
network-game = game
network-architecture = architecture
network-first-layer = first layer
network-rows = { $rows } rows of { $values } values
network-bytes = bytes
network-hash = SHA-256
network-scale = scale
network-units = { $units } units of output a centipawn
network-divisor = FV_SCALE { $divisor } unless the option says otherwise: { $units } units of output a centipawn
network-description = description

# What measures the program
another-file = another file
expected-learning-journal = expected the journal of hasami-lab learn, found { $found }
expected-searched-position = expected a searched position, found { $found }
expected-same-move = expected move { $move } of game { $game } to be { $expected }, found { $found }: other games
learning-differs = expected { $name } { $before } as before, found { $found }; another --journal begins anew
expected-games-with-moves = expected games with moves, found none
expected-working-engine = expected a working engine, found: { $why }
engine-starts-again = the engine is started again: { $why }
expected-several-lines = expected an engine that shows several lines (MultiPV) within the --nodes, found one
expected-fit-positions = expected positions to learn from, found { $found } unfit ones
expected-judged-positions = expected positions of these games, found none
expected-diary-entry = expected an entry of a diary, found { $found }
expected-diary-with-move = expected a diary with a move, found none
expected-strengths = expected strengths of { $expected } classes, found { $found }
expected-no-limits = expected no limits (--nodes has them), found '{ $found }'
expected-one-engine = expected one engine, found { $found }
expected-own-option = expected words like option.Hash=16 after hasami, found '{ $found }'
expected-rising-numbers = expected rising numbers above 0, found { $found }
search-has-failed = a search has failed
row-workers = workers
spent-on = { $cause ->
   *[other] { $name }
}
news-told = news a worker and move, { $share ->
   *[other] { $name }
}
speedup-of-position = { $place }  one { $one } s  all { $all } s  { $ratio }
speedup-of-all = speed-up { $value } ({ $low } to { $high }, 95 %) to depth { $depth } with { $workers } workers, { $positions } positions; nodes { $nodes } times, { $traffic }
cluster-traffic = idle { $idle } %, news { $news } and messages { $messages } a worker and 1,000 nodes
one-worker = one worker, { $times } times the time: { $played }
all-workers = { $workers } workers: { $played }
judged-moves = loses { $mean } ± { $error } % of a point a move, the best move in { $best } %
worth-of-workers = worth { $value } times one worker's time ({ $low } to { $high }, 95 %), { $measured }
worth-measured = { $positions } positions; { $traffic }
learned-from = { $games } games, { $positions } positions, { $samples } learned from
learning-leaves-out = left out: { $mates } with a mate in sight, { $valueless } without a value, { $moveless } without the move that was played
out-of-rank = out of rank
column-of-rank = rank
column-played = played
column-share = share
column-gap = gap
column-met = met
column-strength = strength
figure-4 = Figure 4: centipawns behind the best
figure-5 = Figure 5: ranks of the moves played, by their gap, in %
column-model = model
column-numbers = numbers
column-likelihood = log-likelihood
column-each = a position
column-loss = held-out loss
column-error = calibration error
gain-of-logit = held-out loss of logit below that of { $other }: { $mean } +/- { $error } a position
loss-of-tables = loss { $loss }, calibration error { $error }
weights-of-logit = weights of logit

# Cells of a mate search
expected-connection-to = expected a connection to { $server } in { $seconds } s, found none
expected-offer = expected a machine of the cluster at { $server } to offer a worker, found none
slot-set-aside = { $name } is set aside: { $why }
goes-on-alone = no worker of the cluster is left; this machine goes on alone
cell-is-lost = cell { $number } ({ $name }) is lost: { $why }
cell-set-aside = cell { $number } ({ $name }) is set aside: { $why }
cell-is-silent = expected a word within { $seconds } s, found none
warning-of-cell = cell { $number } ({ $name }): { $why }
expected-no-papers = expected the files of credentials in a children file's [cluster], as option.Children, found --creds or --tls-ca

# Records of games
ply-number = ply { $number }
game-of-record = game { $number }
more-than-a-set = { $count ->
    [one] one problem has
   *[other] { $count } problems have
 } more men than a set, the first is '{ $first }' with { $men } too many (--any-set: no warning)
less-than-a-set = { $count ->
    [one] one problem has
   *[other] { $count } problems have
 } fewer men than a set, and those that are missing cannot be dropped; the first is '{ $first }', which lacks { $men } (--any-set: no warning)
games-cut-short = { $count ->
    [one] one game ends in a move that is not legal, and was
   *[other] { $count } games end in a move that is not legal, and were
 } read up to it: { $first }
expected-record-line = expected a line of a record, found '{ $found }'
expected-epd = expected a position in EPD, found '{ $found }'

# Help
help-usage = Usage:
help-commands = Commands
help-arguments = Arguments
help-options = Options
help-help = Print help
help-version = Print version
about-command = { $command ->
   *[other] { $text }
}

about-option = { $option ->
   *[other] { $text }
}
more-about-command = { $command ->
   *[other] { $text }
}
help-aliases = [aliases: { $names }]
help-default = [default: { $value }]
help-values = values: { $values }
