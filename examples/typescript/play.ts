/** A whole game: always the first legal move, against an agent. `npm run play -- http://127.0.0.1:8050 random` */

import { Problem, Tabia } from "./tabia.ts";

const [address = "http://127.0.0.1:8050", black = "axiomx-speed(depth=1)"] = process.argv.slice(2);
const tabia = new Tabia(address);
let game = await tabia.newGame({ black });
while (game.awaits === "human") {
  const [from, destinations] = Object.entries(game.legal)[0]!;
  const move = `${from}${destinations[0]}`;
  try {
    await tabia.play(game.id, move, game.ply);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await tabia.play(game.id, `${move}q`, game.ply); // a pawn that reaches the end
  }
  game = await tabia.settled(game.id);
}
console.log(game.moves.map((played) => played.san).join(" "));
console.log(game.outcome?.words);
const evaluation = await tabia.evaluate(game.fen);
console.log(evaluation.words);
