# The page in English.
language = Language
waiting = Waiting
lost = The program does not answer any more. What you see is the last state.
nothing-yet = Nothing yet.
gone = This is not there any more.
choose-node = Choose a move of the tree or of a line to see its board.
choose-game = Choose a game to replay it.
choose-problem = Choose a problem to see its solution.

# The games
chess = Chess
shogi = Shogi
minishogi = Minishogi

# A search
analysis-of = { $game }, after { $moves ->
    [0] no move
    [one] one move
   *[other] { $moves } moves
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
value-over-moves = Value over the game
axis-seconds = seconds
axis-plies = plies
messages = Messages
board-after = The board after { $moves ->
    [one] one move
   *[other] { $moves } moves
}
root = Root
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
nodes-more = and { $count } nodes more that are less likely
workers-more = and { $count } workers more
why-later = { $best } has as much, and had it first
why-uncertain = may be worth more, but that is not known
why-refuted = the reply { $reply } makes it { $value }
why-above = { $best } is { $value } in the tree, { $exact } its last exact value
why-root = { $best } comes from a search of all moves at the root

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
no-sprt = This match is not ended by a test.
axis-games = games
running-games = Running games
finished-games = Finished games
boards-of = { $shown } of { $all } running games are shown
games-more = and { $count } games before these
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
problems-of = { $done } of { $total } problems
problems-over-time = Problems over time
problems = Problems
numbers-over-time = Proof number (blue) and disproof number (red), powers of ten
no-numbers = No search has taken long enough.
nodes-after = { $nodes } nodes in { $seconds } s
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
mate-within = mate within { $plies }
defences-more = and { $count } defences more

# A worker node
worker-node = Worker node { $name }
server = Server
threads = Threads
child-engines = Child engines
lends-for = Games
events = Events

# A cluster
cluster = Cluster
machine = Machine
machines-more = and { $count } machines more
slots = Slots
slot = Slot
lent-of = { $lent } of { $all } lent
slots-over-time = Slots that are there, and those that are lent
masters = Masters
master = Master
game = Game
version = Version
up = Runs for
serves = Serves
network = Network
since = since { $span }
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
