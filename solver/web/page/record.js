// A game as a text, in the form of solver/cli/RECORD.md.
import {formatBoard, other} from './position.js';

const kMovesInLine = 8;

/** The record of the whole line of a game. known: the game's record of /games. */
export function recordText(game, known) {
  const [first] = game.states;
  const last = game.states.at(-1);
  const ofFirst = (pair) => `${pair[first.turn]} ${pair[other(first.turn)]}`;
  const rules = known.options.map((option) => `${option.name}=${game.setup.options[option.name] ?? option.default}`);
  const lines = ['retrosow record 1', `game: ${game.setup.game}`, `rules: ${rules.join(' ')}`];
  if (first.taken[0] || first.taken[1]) lines.push(`captured: ${ofFirst(first.taken)}`);
  lines.push(`start: ${formatBoard(first.rows, first.turn)}`, '');
  const pits = game.plies.map((ply) => ply.pit);
  const moves = [];
  for (let i = 0; i < pits.length; i += 2) moves.push(`${i / 2 + 1}. ${pits.slice(i, i + 2).join(' ')}`);
  for (let i = 0; i < moves.length; i += kMovesInLine) lines.push(moves.slice(i, i + kMovesInLine).join('  '));
  if (last.final && pits.length) {
    const end = !last.endless ? 'over' : game.plies.at(-1).ends === 'endless' ? 'endless-sow' : 'endless';
    lines.push(`end: ${end}`, `result: ${ofFirst(last.final)}`);
  }
  return `${lines.join('\n')}\n`;
}
