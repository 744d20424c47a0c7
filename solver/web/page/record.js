// A game as a text, in the form of solver/cli/RECORD.md, and back from what the server reads in one. The text comes out as
// `retrosow play` writes it, with names, date and comments, so that a record that is loaded and saved is the same.
import {boardFrom, formatBoard, kSouth, kNorth, other, parseRows} from './position.js';
import {Game, matchEnd, nextStanding, startState} from './game.js';

export const kMaxRecordBytes = 1 << 20;  // as the server reads
const kLineWidth = 76;

const sideOf = (player) => (player === 'first' ? kSouth : kNorth);
const playerOf = (side) => (side === kSouth ? 'first' : 'second');

const commentLines = (comment) => (comment ? comment.split('\n').map((line) => (line ? `; ${line}` : ';')) : []);

function moveLines({moves, comments}) {
  const lines = [];
  let line = '';
  const endLine = () => {
    if (line) lines.push(line);
    line = '';
  };
  moves.forEach((pit, i) => {
    const number = Math.floor(i / 2) + 1;
    let word = String(pit);
    if (i % 2 === 0) word = `${number}. ${word}`;
    else if (!line) word = `${number}... ${word}`;
    if (i % 2 === 0 && line.length + word.length + 8 > kLineWidth) endLine();
    if (line) line += i % 2 === 0 ? '  ' : ' ';
    line += word;
    if (comments[i + 1]) {
      endLine();
      lines.push(...commentLines(comments[i + 1]));
    }
  });
  endLine();
  return lines;
}

function roundLines(round) {
  const lines = [`start: ${round.start}`, ...commentLines(round.comments[0]), '', ...moveLines(round)];
  if (round.end !== 'none') lines.push(`end: ${round.end}`, `result: ${round.result.join(' ')}`);
  return lines;
}

/** A pair of South and North as the record has it: the first player's, and the second's. In a match South is the first. */
const asPlayers = (game, pair) => (game.match || game.states[0].turn === kSouth ? pair : [pair[1], pair[0]]);

/** The whole line of a game as a round of the API's records. */
function roundOf(game) {
  const [first] = game.states;
  const last = game.states.at(-1);
  let end = 'none';
  // How a game that a link has brought has ended is not known.
  if (last.final && (game.plies.length || game.loaded)) {
    end = !last.endless ? 'over' : game.plies.at(-1)?.ends === 'endless' ? 'endless-sow' : 'endless';
  }
  return {start: formatBoard(first.rows, first.turn), starter: playerOf(first.turn), totals: game.match?.totals,
    moves: game.plies.map((ply) => ply.pit), comments: [game.comment, ...game.plies.map((ply) => ply.comment ?? '')],
    positions: game.states.map((state) => formatBoard(state.rows, state.turn)).slice(0, end === 'endless-sow' ? -1 : undefined),
    taken: game.states.map((state) => asPlayers(game, state.taken)), end, result: end === 'none' ? null : asPlayers(game, last.final)};
}

/** Whether the round of a match is still what was loaded, so that the rounds behind it follow. */
export function isAsLoaded(game) {
  const loaded = game.match?.rounds[game.match.at];
  if (!loaded) return false;
  const now = roundOf(game);
  return now.end === loaded.end && now.moves.join() === loaded.moves.join();
}

/** All rounds of a match that hold: those before the one that is shown, that one, and, if it is as loaded, those behind it. */
export function roundsOf(game) {
  const {rounds, at} = game.match;
  return [...rounds.slice(0, at), roundOf(game), ...(isAsLoaded(game) ? rounds.slice(at + 1) : [])];
}

/** The record of the whole line of a game. known: the game's record of /games. */
export function recordText(game, known) {
  const option = ({name, default: usual}) => `${name}=${game.setup.options[name] ?? usual}`;
  const lines = ['retrosow record 1', `game: ${game.setup.game}`, `rules: ${known.options.map(option).join(' ')}`];
  if (game.match) lines.push('match: yes');
  ['first', 'second'].forEach((player, i) => {
    if (game.players[i]) lines.push(`${player}: ${game.players[i]}`);
  });
  if (game.date) lines.push(`date: ${game.date}`);
  if (!game.match) {
    const {taken} = game.states[0];
    if (taken[0] || taken[1]) lines.push(`captured: ${asPlayers(game, taken).join(' ')}`);
    lines.push(...roundLines(roundOf(game)));
  } else {
    roundsOf(game).forEach((round, i) => lines.push('', `round: ${i + 1}`, `totals: ${round.totals.join(' ')}`,
      `starter: ${round.starter}`, ...roundLines(round)));
    const winner = isAsLoaded(game) ? game.match.winner : matchEnd(game, nextStanding(game, known));
    if (winner) lines.push(`winner: ${winner}`);
  }
  return `${lines.join('\n')}\n`;
}

/** One round of a record that the server has read, at its end. known: the game's record of /games. */
export function gameFromRecord(record, at, known) {
  const round = record.rounds[at];
  const start = parseRows(round.start);
  const setup = {game: record.game, pits: start[0].length, seedsPerPit: Math.max(0, ...start.flat().map((seeds) => seeds ?? 0)), options: {}};
  for (const option of known.options) {
    const value = record.options?.[option.name];
    if (value !== undefined && String(value) !== option.default) setup.options[option.name] = String(value);
  }
  const state = (i) => {
    const turn = i % 2 === 0 ? sideOf(round.starter) : other(sideOf(round.starter));
    const position = round.positions[i];
    // Behind an endless sow there is none.
    const rows = position === undefined ? boardFrom(round.positions[i - 1], other(turn)) : boardFrom(position, turn);
    return {...startState(setup), rows, turn, taken: round.taken[i]};
  };
  const game = new Game(setup, state(0));
  round.moves.forEach((pit, i) => {
    const {turn, taken} = game.state;
    const next = state(i + 1);
    const ends = i + 1 === round.moves.length && round.end === 'endless-sow' ? 'endless' : 'plain';
    game.push({side: turn, pit, captured: next.taken[turn] - taken[turn], capturedOpponent: next.taken[other(turn)] - taken[other(turn)],
      ends, laps: 1, loss: null, comment: round.comments[i + 1]}, next);
  });
  if (round.result) game.conclude(round.result, round.end !== 'over');
  Object.assign(game, {players: record.players, date: record.date, comment: round.comments[0], loaded: true});
  if (record.match) {
    game.match = {rounds: record.rounds, at, winner: record.winner, totals: round.totals};
    game.aside = round.totals.map((stones, side) => stones - start[side === sideOf(round.starter) ? 0 : 1].reduce((sum, seeds) => sum + (seeds ?? 0), 0));
  }
  return game;
}
