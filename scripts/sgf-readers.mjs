// What Sabaki shows of SGF files; a helper of scripts/sgf-readers, which installs what it needs.
//
//     node sgf-readers.mjs FOLDER <REQUEST
//
// FOLDER is where npm put @sabaki/sgf and @sabaki/go-board. REQUEST is JSON: `files`, each with `path` and `rewrite`
// (where to write the game again with Sabaki's own writer), and `name` and `comment` to add to it. Answers one line of
// JSON for each file: its nodes, each with its properties and its board.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "/"));
const sgf = require("@sabaki/sgf");
const GoBoard = require("@sabaki/go-board");

/// A node's board as Sabaki makes it (getBoard in its src/modules/gametree.js): the move, then AW, AE, AB, set as is.
function show(data, before) {
  let board = null;
  for (const [property, sign] of [["B", 1], ["W", -1]]) {
    if (data[property] == null) continue;
    board = before.makeMove(sign, sgf.parseVertex(data[property][0]));
    break;
  }
  board ??= before.clone();
  for (const [property, sign] of [["AW", -1], ["AE", 0], ["AB", 1]]) {
    for (const value of data[property] ?? []) {
      for (const vertex of sgf.parseCompressedVertices(value)) {
        if (board.has(vertex)) board.set(vertex, sign);
      }
    }
  }
  return board;
}

function read({ path, rewrite }, { name, comment }) {
  const roots = sgf.parseFile(path);
  if (roots.length !== 1) throw new Error(`${roots.length} games`);
  const size = roots[0].data.SZ[0];
  const [width, height] = (size.includes(":") ? size.split(":") : [size, size]).map(Number);
  let board = GoBoard.fromDimensions(width, height);
  const nodes = [];
  for (let node = roots[0]; node; node = node.children[0]) {
    board = show(node.data, board);
    const rows = board.signMap.map((row) => row.map((sign) => ".XO".at(sign)).join(""));
    nodes.push({ data: node.data, rows, children: node.children.length });
  }
  const answer = JSON.stringify({ nodes });
  Object.assign(roots[0].data, { PB: [name], PW: [name], GC: [comment] });
  for (let node = roots[0].children[0]; node; node = node.children[0]) node.data.C = [comment];
  writeFileSync(rewrite, sgf.stringify(roots));
  return answer;
}

const request = JSON.parse(readFileSync(0, "utf8"));
for (const file of request.files) {
  try {
    console.log(read(file, request));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
