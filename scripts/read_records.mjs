// The part of read_records.py that runs in Node: tsshogi (the library of ShogiHome) reads and writes records.
//
//     node read_records.mjs read TSSHOGI < items     {"text", "format"}: prints {"start", "moves"} or {"error"}, one per line
//     node read_records.mjs write TSSHOGI < items    {"sfen", "moves", "variation", "number"}: prints {"kif", "csa"}
//
// TSSHOGI: the folder of the package. Each line of stdin is one item.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [, , command, folder] = process.argv;
const lib = await import(pathToFileURL(join(folder, "dist/esm/index.mjs")));

const importers = { kif: lib.importKIF, csa: lib.importCSA };

function read({ text, format }) {
  const record = importers[format](text);
  if (record instanceof Error) return { error: `${record.name}: ${record.message}` };
  const moves = record.moves.map((node) => node.move).filter((move) => move instanceof lib.Move);
  return { start: record.initialPosition.sfen, moves: moves.map((move) => move.usi) };
}

function play(record, moves) {
  for (const usi of moves) {
    const move = record.position.createMoveByUSI(usi);
    if (!move || !record.append(move)) throw new Error(`expected a legal move, found ${usi}`);
  }
}

// The number selects the end, comments, names, times and line endings of the record.
function write({ sfen, moves, variation, number }) {
  const position = new lib.Position();
  if (!position.resetBySFEN(sfen)) return { error: `expected a position, found ${sfen}` };
  const record = new lib.Record(position);
  record.metadata.setStandardMetadata(lib.RecordMetadataKey.BLACK_NAME, ["先手番", "Black：1", ""][number % 3]);
  record.metadata.setStandardMetadata(lib.RecordMetadataKey.TITLE, "第１回　試験");
  record.first.comment = ["", "はじめ\n# no comment\n1 ７六歩(77)", "まで3手で中断"][number % 3];
  for (const usi of moves) {
    play(record, [usi]);
    const ply = record.current.ply;
    if (ply % 5 === number % 5) record.current.comment = `*評価値=${ply}\n*読み筋=▲７六歩△３四歩\n & 変化：3手`;
    if (ply % 7 === number % 7) record.current.bookmark = `栞${ply}`;
    record.current.setElapsedMs(number % 4 ? ply * 1234 : 0);
  }
  const ends = Object.values(lib.SpecialMoveType).filter((type) => type !== lib.SpecialMoveType.START);
  if (number % 6) record.append(number % 17 === 3 ? lib.anySpecialMove("変な終わり") : ends[number % ends.length]);
  if (number % 2 && variation.moves.length > 1) {
    record.goto(variation.ply);
    play(record, variation.moves);
    record.append(lib.SpecialMoveType.INTERRUPT);
    record.resetAllBranchSelection();
  }
  const returnCode = number % 3 ? "\n" : "\r\n";
  const v3 = number % 2 ? { encoding: "UTF-8", milliseconds: number % 4 === 1 } : undefined;
  return { kif: lib.exportKIF(record, { returnCode }), csa: lib.exportCSA(record, { returnCode, v3 }) };
}

const work = { read, write }[command];
for await (const line of createInterface({ input: process.stdin })) {
  let told;
  try {
    told = work(JSON.parse(line));
  } catch (error) {
    told = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
