// A game as the page knows it: the rules, the line of states from where it was set up, and the place in it.
// The address's fragment holds rules and current state, so that a link brings anyone to the same board.
import {boardFrom, boardSum, formatBoard, kSouth, kNorth, other} from './position.js';

export const kTimesToEnd = 3;  // a position that stands so often ends the game; of a match, what both own before a round
const kHoleStones = 4;         // that open a hole

/**
 * State: {rows: [South's, North's], turn, taken: [South, North], final: null | [South, North], endless: bool}
 * Ply:   {side, pit, captured, capturedOpponent, ends, laps, loss: seeds given away or null, comment}
 */
export class Game {
  constructor(setup, first) {
    this.setup = setup;  // {game, pits, seedsPerPit, options: {name: value, those that are not the default}}
    this.states = [first];
    this.plies = [];
    this.at = 0;
    // What a game record says beside the moves, of the first player and the second.
    this.players = ['', ''];
    this.date = '';
    this.comment = '';    // on the start
    this.loaded = false;
    // A round of a match: {rounds: as the API has them, at: which of them this is, winner: of all as loaded, totals: before it}
    this.match = null;
    this.aside = null;    // in a match of Rio Kadalis: stones kept beside the board, [South, North]
  }

  get state() { return this.states[this.at]; }
  get position() { return formatBoard(this.state.rows, this.state.turn); }

  /** Drops what came after the current state and adds a ply to the given one. */
  push(ply, state) {
    this.states.length = this.at + 1;
    this.plies.length = this.at;
    this.states.push(state);
    this.plies.push(ply);
    this.at += 1;
  }

  jump(index) {
    this.at = Math.max(0, Math.min(index, this.states.length - 1));
  }

  /** How often this board has stood with this player to move, now included. What stood before something was taken cannot. */
  timesStood() {
    const now = this.position;
    const seeds = boardSum(this.state.rows);
    let times = 1;
    for (let i = this.at - 1; i >= 0 && boardSum(this.states[i].rows) === seeds; --i) {
      const before = this.states[i];
      if (before.turn === this.state.turn && formatBoard(before.rows, before.turn) === now) times += 1;
    }
    return times;
  }

  /** Ends the game here; what was played on from here is dropped. */
  conclude(final, endless) {
    this.states.length = this.at + 1;
    this.plies.length = this.at;
    Object.assign(this.state, {final, endless});
  }

  /** Ends the game by an even split of what is on the board. */
  splitEvenly() {
    const half = boardSum(this.state.rows) / 2;
    this.conclude(this.state.taken.map((seeds) => seeds + half), true);
  }
}

/**
 * What both own after a finished round of Rio Kadalis, and who starts the next one: {totals: [South, North], starter}.
 * Null while the round goes on, and where a stone would have to be halved. known: the game's record of /games.
 */
export function nextStanding(game, known) {
  const {final} = game.states.at(-1);
  if (!final) return null;
  const totals = final.map((stones, side) => stones + (game.aside?.[side] ?? 0));
  if (totals.some((stones) => stones % 1)) return null;
  const [south, north] = final;
  const first = game.states[0].turn;
  const winner = south === north ? other(first) : south > north ? kSouth : kNorth;
  const rule = game.setup.options.starter ?? known.options.find((option) => option.name === 'starter')?.default ?? 'alternate';
  return {totals, starter: {alternate: other(first), winner, loser: south === north ? other(first) : other(winner)}[rule]};
}

/** How a match ends with that: 'first', 'second', 'drawn', or null where it goes on. */
export function matchEnd(game, standing) {
  if (!standing) return null;
  if (standing.totals[kNorth] < kHoleStones) return 'first';
  if (standing.totals[kSouth] < kHoleStones) return 'second';
  const {rounds, at} = game.match ?? {rounds: [], at: -1};
  const starter = standing.starter === kSouth ? 'first' : 'second';
  const before = rounds.slice(0, at + 1).filter((round) => round.starter === starter && round.totals.join() === standing.totals.join());
  return before.length + 1 >= kTimesToEnd ? 'drawn' : null;
}

export function startState(setup) {
  const row = () => Array(setup.pits).fill(setup.seedsPerPit);
  return {rows: [row(), row()], turn: kSouth, taken: [0, 0], final: null, endless: false};
}

/** What the API needs to know about the rules. How a board is drawn and who starts a round is none of its business. */
export function ruleParams(setup) {
  const params = {game: setup.game};
  for (const [name, value] of Object.entries(setup.options)) {
    if (name !== 'direction' && name !== 'starter') params[name] = value;
  }
  return params;
}

/** The fragment, without '#'. Commas and slashes are allowed there and are easier to read as they are. */
export function toFragment(setup, state, view) {
  const params = new URLSearchParams({game: setup.game, position: formatBoard(state.rows, state.turn)});
  if (state.turn === kNorth) params.set('turn', 'north');
  if (state.taken[0] || state.taken[1]) {
    params.set('captured', `${state.taken[state.turn]},${state.taken[other(state.turn)]}`);
  }
  if (state.final) params.set('final', `${state.final[state.turn]},${state.final[other(state.turn)]}`);
  params.set('seeds-per-pit', setup.seedsPerPit);
  for (const [name, value] of Object.entries(setup.options)) params.set(name, value);
  if (view && view !== 'board') params.set('view', view);
  return params.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
}

/**
 * {setup, state, view} from a fragment; games are the API's records. Missing parts are the defaults.
 * Throws {key, detail}: which message says what is wrong.
 */
export function fromFragment(fragment, games, defaultGame = 'urim') {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const name = params.get('game') ?? defaultGame;
  const record = games.find((game) => game.game === name);
  if (!record) throw {key: 'error_game', detail: name};
  const setup = {
    game: name,
    pits: wholeNumber(params.get('pits'), record.pits, 1, record.max_pits, 'pits'),
    seedsPerPit: wholeNumber(params.get('seeds-per-pit'), record.seeds_per_pit, 0, 127, 'seeds-per-pit'),
    options: {},
  };
  for (const option of record.options) {
    const value = params.get(option.name);
    if (value !== null && value !== option.default) setup.options[option.name] = value;
  }
  const turn = params.get('turn') === 'north' ? kNorth : kSouth;
  let state = {...startState(setup), turn};
  const position = params.get('position');
  if (position !== null && position !== 'start') {
    const rows = boardFrom(position, turn);
    if (!rows) throw {key: 'error_notation', detail: position};
    if (rows[0].length > record.max_pits) throw {key: 'error_pits', detail: String(record.max_pits)};
    setup.pits = rows[0].length;
    state = {...state, rows};
  }
  const pair = (what) => {
    const text = params.get(what);
    if (text === null) return null;
    const match = /^(\d{1,7}(?:\.5)?),(\d{1,7}(?:\.5)?)$/.exec(text);
    if (!match) throw {key: 'error_pair', detail: `${what}=${text}`};
    const byMover = [Number(match[1]), Number(match[2])];
    return turn === kSouth ? byMover : byMover.reverse();
  };
  state.taken = pair('captured') ?? [0, 0];
  state.final = pair('final');
  const view = ['rules', 'tables', 'about'].includes(params.get('view')) ? params.get('view') : 'board';
  return {setup, state, view};
}

function wholeNumber(text, fallback, least, most, what) {
  if (text === null) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) throw {key: 'error_number', detail: `${what}=${text}`};
  return value;
}
