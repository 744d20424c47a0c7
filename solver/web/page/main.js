// The page: what the buttons, the keys and the address do. State is in Game, drawing in Board, Sowing and panels.
import {h, byId, attributes} from './dom.js';
import {api, ApiError} from './api.js';
import {t, plural, spoken, count, seedsWord, setLanguage, setSpeech, preferredLanguage, currentLanguage, kLanguages, translatePage} from './i18n.js';
import {boardFrom, boardSum, rowSum, formatBoard, parseRows, kSouth, kNorth, other} from './position.js';
import {Game, kTimesToEnd, matchEnd, nextStanding, startState, ruleParams, toFragment, fromFragment} from './game.js';
import {Board} from './board.js';
import {Sowing, kPace} from './sowing.js';
import {choose, needsLine} from './opponent.js';
import * as panels from './panels.js';
import {openSetup, openHelp} from './dialogs.js';
import {showRules, showTables, showAbout} from './views.js';
import {gameFromRecord, isAsLoaded, kMaxRecordBytes, recordText, roundsOf} from './record.js';

// ---- state --------------------------------------------------------------------------------------------------------

const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
const prefs = {language: preferredLanguage(), theme: null, values: true, speed: null, ...remembered('retrosow', localStorage)};
let engine = {side: null, strength: 'perfect', ...remembered('retrosow-engine', sessionStorage)};

let games = [];
let game = null;       // Game
let lineId = '';       // of game, to know it again in the browser's history
let view = 'board';
let answer = null;     // of /position for the current state
let problem = null;    // why there is none
let line = null;       // {pits, end} or null
let lineLoading = false;
let edit = null;       // {rows, turn, taken} while the position is being changed
let hinted = null;     // pit
let armed = true;      // the engine moves when it is its turn; not after looking back
let thinking = false;
let ticket = 0;        // of the newest analysis; older ones are dropped
let moving = null;     // promise of the move being shown
let watching = 0;      // of the line being played by itself
let recordTyped = false;  // what the reader typed stays until it is loaded or the box is closed
const lines = new Map();  // games that the browser's history may come back to, by lineId

const board = new Board(byId('stage'), {play: onPit, point: onPoint, edit: onEdit});
const sowing = new Sowing(board);

function remembered(key, storage) {
  try {
    return JSON.parse(storage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function remember(key, value, storage) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the page works all the same.
  }
}

const savePrefs = () => remember('retrosow', prefs, localStorage);
const gameRecord = (name = game.setup.game) => games.find((record) => record.game === name);
const family = () => gameRecord().family;
const sideName = (side) => t(side === kSouth ? 'south' : 'north');
/** As a game record has it. */
const playersName = (side) => game.players[game.match || game.states[0].turn === kSouth ? side : other(side)];
const seedsText = (n) => plural(seedsWord(family()), n);
const pace = () => kPace[prefs.speed ?? (calm.matches ? 'instant' : 'normal')];
const ruleValue = (name) => game.setup.options[name] ?? gameRecord().options.find((option) => option.name === name)?.default;
const enginesTurn = () => armed && !edit && !game.state.final && (engine.side === 'both' || engine.side === game.state.turn);

// ---- telling ------------------------------------------------------------------------------------------------------

let liveTimer = 0;
function announce(...sentences) {
  const text = sentences.filter(Boolean).join(' ');
  const live = byId('live');
  live.textContent = '';
  clearTimeout(liveTimer);
  liveTimer = setTimeout(() => { live.textContent = text; }, 60);
}

let toastTimer = 0;
function toast(text) {
  const box = byId('toast');
  box.textContent = text;
  box.classList.add('is-on');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.classList.remove('is-on'), 1900);
}

function say(text, kind) {
  if (kind !== 'lap') toast(text);
}

function notice(text, ...buttons) {
  const box = byId('notice');
  box.hidden = !text;
  box.replaceChildren();
  if (!text) return;
  box.append(h('span', {}, text), ...buttons,
    h('button', {type: 'button', class: 'quiet icon', 'aria-label': t('dismiss'), onclick: () => notice(null)}, '×'));
}

/** A failure in words, for wherever it belongs. */
function words(error) {
  if (error instanceof ApiError) {
    if (error.kind === 'offline') return t('error_offline');
    return t(`error_${error.kind}`, {detail: error.message});
  }
  if (error?.key) return t(error.key, {detail: error.detail});
  return t('error_server', {detail: String(error?.message ?? error)});
}

let waitingForServer = 0;
function report(error) {
  if (!(error instanceof ApiError) && !error?.key) console.error(error);
  if (error.kind !== 'offline') {
    notice(words(error));
    return;
  }
  notice(words(error), h('button', {type: 'button', onclick: reconnect}, t('retry')));
  clearTimeout(waitingForServer);
  waitingForServer = setTimeout(() => reconnect(true), 4000);
}

async function reconnect(quietly = false) {
  clearTimeout(waitingForServer);
  try {
    await api.version();
  } catch (error) {
    if (quietly === true && !byId('notice').hidden) waitingForServer = setTimeout(() => reconnect(true), 4000);
    else report(error);
    return;
  }
  notice(null);
  toast(t('back_online'));
  if (games.length === 0) await begin();
  else analyse();
}

// ---- the address --------------------------------------------------------------------------------------------------

const fragment = (where = view) => toFragment(game.setup, game.state, where);

function keepAddress(how = 'push') {
  const state = {line: lineId, at: game.at};
  const address = `#${fragment()}`;
  if (how === 'push' && address !== location.hash) history.pushState(state, '', address);
  else history.replaceState(state, '', address);
  document.querySelectorAll('nav a').forEach((link) => {
    link.href = `#${fragment(link.dataset.view)}`;
    attributes(link, {'aria-current': link.dataset.view === view ? 'page' : null});
  });
  byId('brand').href = `#${fragment('board')}`;
  byId('notation').value = game.position;
}

window.addEventListener('popstate', async (event) => {
  if (games.length === 0) return;
  await settle();
  stopEditing();
  let target;
  try {
    target = fromFragment(location.hash, games, game.setup.game);
  } catch (error) {
    notice(t('error_link', {detail: words(error)}));
    keepAddress('replace');
    return;
  }
  const {at, line: id} = event.state ?? {};
  if (id !== lineId && lines.has(id)) {
    adopt(lines.get(id), id);
    armed = false;
  }
  const wanted = toFragment(target.setup, target.state, '');
  const same = (index) => index < game.states.length && toFragment(game.setup, game.states[index], '') === wanted;
  const viewBefore = view;
  view = target.view;
  if (id === lineId && at !== undefined && same(at)) {
    if (at !== game.at) { game.jump(at); armed = false; }
  } else if (!same(game.at)) {
    setGame(target.setup, target.state);
    return;
  }
  showView(viewBefore !== view);
  refresh('replace');
});

const kKeptLines = 50;

/** Makes a game the one that is shown. */
function adopt(next, id = Math.random().toString(36).slice(2)) {
  game = next;
  lineId = id;
  lines.set(id, next);
  if (lines.size > kKeptLines) lines.delete(lines.keys().next().value);
  armed = true;
  hinted = null;
  setSpeech(family());
  board.build(game.setup, family());
}

function setGame(setup, state, how = 'replace') {
  adopt(new Game(setup, state));
  showView(false);
  refresh(how);
}

// ---- showing ------------------------------------------------------------------------------------------------------

/** keepGame: the pages about games stay with the one that they show. */
function showView(moveFocus, keepGame = false) {
  const about = (id) => (keepGame && byId(id).dataset.game) || game.setup.game;
  document.querySelectorAll('[data-page]').forEach((page) => { page.hidden = page.dataset.page !== view; });
  if (view === 'rules') showRules(byId('view-rules'), games, about('view-rules'));
  if (view === 'tables') showTables(byId('view-tables'), games, about('view-tables'), openPosition, report);
  if (view === 'about') showAbout(byId('view-about'), byId('version').dataset);
  if (moveFocus) {
    byId('main').focus({preventScroll: true});
    window.scrollTo({top: 0});
  }
}

function go(to) {
  view = to;
  showView(true);
  keepAddress();
  if (view === 'board') render();
}

/** After any change of the state: address, board, panels, and the answers that belong to it. */
function refresh(how = 'push') {
  keepAddress(how);
  hinted = null;
  answer = null;
  problem = null;
  line = null;
  render();
  analyse();
}

function render() {
  const {state} = game;
  const over = Boolean(state.final);
  const shown = edit ?? state;
  const rows = over && !edit ? state.rows.map((row) => row.map((seeds) => (seeds === null ? null : 0))) : shown.rows;
  const values = new Map();
  const playable = new Set();
  if (answer && !edit) {
    const best = new Set(answer.progress?.length ? answer.progress : answer.best ?? []);
    for (const move of answer.moves) {
      playable.add(move.pit);
      values.set(move.pit, {value: move.value ?? null, distance: move.distance ?? null, best: best.has(move.pit), keeps: move.value !== null && move.value === answer.value, hint: hinted === move.pit});
    }
  }
  board.render({rows, turn: shown.turn, taken: over && !edit ? state.final : shown.taken, playable, values,
    showValues: prefs.values, editing: Boolean(edit), over});
  byId('game-title').textContent = t(`game_${game.setup.game}`);
  byId('game-subtitle').textContent = [t(`about_${game.setup.game}`), t('board_size', {rows: 2, pits: game.setup.pits}),
    Object.keys(game.setup.options).some((name) => name !== 'direction' && name !== 'starter') ? t('custom_rules') : '',
    game.match ? t('round_of', {n: game.match.at + 1, all: roundsOf(game).length}) : ''].filter(Boolean).join(' · ');
  for (const side of [kSouth, kNorth]) {
    byId(`plate-${side}`).replaceChildren(...panels.plate({side, name: playersName(side), state: edit ? {...state, ...edit} : state, family: family(), engine, thinking, over: over && !edit}));
  }
  byId('verdict').replaceChildren(...panels.verdict({state, answer, loading: !answer && !problem, problem,
    showValues: prefs.values, family: family(), onShow: toggleValues, onSmaller: newGame}));
  byId('line').replaceChildren(...panels.bestLine({state, pits: line?.pits, end: line?.end, loading: lineLoading || (!answer && !problem),
    showValues: prefs.values, onPlay: (pits) => playLine(pits, false), onWatch: (pits) => playLine(pits, true)}));
  byId('history').replaceChildren(...panels.roundChoice({match: game.match && {at: game.match.at, all: roundsOf(game).length}, onChoose: showRound}),
    ...panels.moveList({game, family: family(), onJump: jump}));
  // The list alone is scrolled; the page stays where it is.
  const current = byId('history').querySelector('[aria-current]');
  if (current) current.closest('ol').scrollTop = current.offsetTop - current.closest('ol').clientHeight / 2;
  if (!recordTyped) byId('record').value = recordText(game, gameRecord());
  byId('undo').disabled = game.at === 0;
  byId('redo').disabled = game.at === game.states.length - 1;
  byId('hint').disabled = over || Boolean(edit);
  attributes(byId('values'), {'aria-pressed': String(prefs.values)});
  attributes(byId('edit'), {'aria-pressed': String(Boolean(edit))});
  renderResult();
  renderEditPanel();
}

function renderResult() {
  const box = byId('result');
  const {state} = game;
  const repeated = !state.final && !edit && answer && !answer.end && game.timesStood() > 1;
  box.hidden = Boolean(edit) || !(state.final || repeated);
  if (box.hidden) { box.replaceChildren(); return; }
  box.classList.toggle('is-offer', !state.final);
  if (!state.final) {
    box.replaceChildren(h('p', {}, t('repeat_offer')), splitRefused() ? h('p', {}, t('repeat_refused'))
      : h('div', {class: 'buttons'}, h('button', {type: 'button', onclick: splitEvenly}, t('repeat_split'))));
    return;
  }
  box.replaceChildren(...panels.result({state, family: family(), rules: {remainder: ruleValue('remainder')},
    fours: state.taken.map((n) => Math.floor(n / 4)), next: nextRound(), canUndo: game.at > 0,
    onNew: newGame, onUndo: undo}));
}

// ---- answers ------------------------------------------------------------------------------------------------------

async function analyse() {
  const mine = ++ticket;
  const {state} = game;
  thinking = false;
  if (state.final || edit) return;
  byId('view-board').setAttribute('aria-busy', 'true');
  const params = {...ruleParams(game.setup), position: game.position};
  try {
    const found = await api.position(params);
    if (mine !== ticket) return;
    answer = found;
  } catch (error) {
    if (mine !== ticket) return;
    problem = words(error);
    // What is wrong with this board is said beside it, once; what is wrong with all stands above.
    if (error.kind === 'offline' || !(error instanceof ApiError)) report(error);
    else announce(problem);
    render();
    return;
  } finally {
    if (mine === ticket) byId('view-board').removeAttribute('aria-busy');
  }
  if (answer.end) {
    await finish(answer.end);
    return;
  }
  render();
  loadLine(mine, params);
  engineMove(mine);
}

async function loadLine(mine, params) {
  if (answer.value === null || answer.value === undefined) return;
  lineLoading = true;
  try {
    const found = await api.line(params);
    if (mine !== ticket) return;
    line = {pits: found.line.map((ply) => ply.pit), end: found.end};
  } catch (error) {
    if (mine === ticket && error.kind === 'offline') report(error);
  }
  if (mine !== ticket) return;
  lineLoading = false;
  if (!moving) render();
}

/** The game is over: what is left goes to its owners. end: {mover, opponent} */
async function finish(end) {
  const {state} = game;
  const final = [...state.taken];
  final[state.turn] += end.mover;
  final[other(state.turn)] += end.opponent;
  const owners = ruleValue('remainder') === 'last-mover' && family() === 'urim' ? [other(state.turn), other(state.turn)] : [kSouth, kNorth];
  render();
  if (boardSum(state.rows) > 0 && view === 'board') {
    moving = sowing.collect(state.rows, owners, state.taken, pace());
    await moving;
    moving = null;
    if (game.state !== state) return;
  }
  state.final = final;
  concluded();
}

function concluded() {
  const [south, north] = game.state.final;
  answer = null;
  keepAddress('replace');
  render();
  announce(south === north ? t('result_draw') + '.' : `${t('result_win', {side: sideName(south > north ? kSouth : kNorth)})}.`,
    t('say_score', {south: count(south), north: count(north)}));
  if (!edit && view === 'board') byId('result').focus({preventScroll: false});
}

/** As in `retrosow play`, the program does not agree to a split as long as it can still win something. */
function splitRefused() {
  if (engine.side !== kSouth && engine.side !== kNorth) return false;
  const value = answer.value ?? 0;
  return (engine.side === game.state.turn ? value : -value) > 0;
}

function splitEvenly() {
  game.splitEvenly();
  ++ticket;
  concluded();
}

// ---- moves --------------------------------------------------------------------------------------------------------

/** Ends the move that is being shown, at once. */
async function settle() {
  watching += 1;
  while (moving) {
    sowing.skip();
    await moving;
  }
}

async function onPit(side, pit) {
  if (moving) { sowing.skip(); return; }
  const {state} = game;
  if (edit || state.final || problem) return;
  if (enginesTurn()) { announce(t('say_not_yours')); return; }
  // Nobody need wait for values: the server says of a single move at once what it does.
  const playable = answer ? answer.moves.some((move) => move.pit === pit) : state.rows[side][pit - 1] > 0;
  if (side !== state.turn || !playable) { refuse(side, pit); return; }
  watching += 1;
  armed = true;
  await play(pit);
}

function refuse(side, pit) {
  announce(t('say_unplayable'));
  board.cells[side][pit - 1].button.classList.add('is-refused');
  setTimeout(() => board.cells[side]?.[pit - 1]?.button.classList.remove('is-refused'), 400);
}

/** Plays a move of the current position and shows it. */
function play(pit) {
  const {turn} = game.state;
  moving = showMove(pit).finally(() => { moving = null; });
  return moving.then(afterMove).catch((error) => {
    if (error.kind === 'input' && !answer) refuse(turn, pit);
    else report(error);
  });
}

async function showMove(pit) {
  const {state, setup} = game;
  const move = answer?.moves.find((candidate) => candidate.pit === pit) ?? await api.move({...ruleParams(setup), position: game.position, pit});
  const known = answer && answer.value !== null && answer.value !== undefined && Number.isInteger(move.value);
  const ply = {side: state.turn, pit, captured: move.captured, capturedOpponent: move.captured_opponent ?? 0,
    ends: move.ends, laps: move.laps ?? 1, loss: known ? answer.value - move.value : null};
  const taken = [...state.taken];
  taken[state.turn] += ply.captured;
  taken[other(state.turn)] += ply.capturedOpponent;
  board.preview(null);
  ticket += 1;  // what is still on its way belongs to the position before
  let next;
  if (move.result === null) {
    const half = (boardSum(state.rows) - ply.captured - ply.capturedOpponent) / 2;
    next = {rows: state.rows, turn: other(state.turn), taken, final: taken.map((seeds) => seeds + half), endless: true};
  } else {
    next = {rows: boardFrom(move.result, other(state.turn)), turn: other(state.turn), taken, final: null, endless: false};
    // Asked for while the seeds are sown, so that the answer is there when they are.
    api.position({...ruleParams(setup), position: move.result}).catch(() => {});
  }
  if (pace() > 0 && view === 'board') {
    const {steps} = await api.move({...ruleParams(setup), position: game.position, pit});
    byId('skip-move').hidden = false;
    try {
      await sowing.show(steps, state.turn, state.rows, state.taken, pace(), say);
    } finally {
      byId('skip-move').hidden = true;
    }
  }
  game.push(ply, next);
  // As in `retrosow play`: it has had a move twice, so it has one now.
  if (!next.final && game.timesStood() >= kTimesToEnd) game.splitEvenly();
  return ply;
}

function afterMove(ply) {
  const {state} = game;
  if (board.focusAt.side !== state.turn && !byId('stage').contains(document.activeElement)) board.setFocus(state.turn, 1);
  announce(t('say_move', {side: sideName(ply.side), pit: ply.pit}),
    ply.laps > 1 ? `${plural('laps', ply.laps)}.` : '',
    ply.captured ? t('say_gain', {side: sideName(ply.side), seeds: seedsText(ply.captured)}) : '',
    ply.capturedOpponent ? t('say_gain', {side: sideName(other(ply.side)), seeds: seedsText(ply.capturedOpponent)}) : '',
    ply.captured || ply.capturedOpponent ? t('say_score', {south: count(state.taken[0]), north: count(state.taken[1])}) : '',
    state.final ? '' : t('say_turn', {side: sideName(state.turn)}));
  if (state.final) {
    keepAddress();
    problem = null;
    line = null;
    concluded();
  } else {
    refresh();
  }
}

async function engineMove(mine) {
  if (!enginesTurn() || view !== 'board') return;
  // Play on both sides goes on while one of them has something to win.
  if (engine.side === 'both' && game.timesStood() > 1 && !answer.value) { splitEvenly(); return; }
  thinking = true;
  render();
  await new Promise((resolve) => setTimeout(resolve, pace() > 0 ? 550 : 30));
  const current = () => mine === ticket && !moving && answer;
  if (!current()) return;
  const pit = await programsPit();
  if (!current()) return;
  thinking = false;
  await play(pit);
}

async function programsPit() {
  const now = answer;
  // Lines that have led back here are not followed again; only those of a search that is not by tables could.
  if (needsLine(now, engine.strength) && game.timesStood() === 1) {
    const found = await api.line({...ruleParams(game.setup), position: game.position}).catch(() => null);
    if (found?.line.length) return found.line[0].pit;
  }
  return choose(now, engine.strength);
}

/** Plays several moves one after the other: only the last one, or each of them, step by step. */
async function playLine(pits, stepByStep) {
  await settle();
  armed = false;
  const run = ++watching;
  for (const [i, pit] of pits.entries()) {
    if (!answer?.moves.some((move) => move.pit === pit)) return;
    const speed = prefs.speed;
    if (!stepByStep && i < pits.length - 1) prefs.speed = 'instant';
    await play(pit);
    prefs.speed = speed;
    if (run !== watching || game.state.final) return;
    while (!answer && !problem && !game.state.final && run === watching) await new Promise((resolve) => setTimeout(resolve, 20));
    if (run !== watching) return;
    if (stepByStep) await new Promise((resolve) => setTimeout(resolve, pace() ? 350 : 0));
    if (run !== watching) return;
  }
}

async function jump(index) {
  await settle();
  if (index === game.at) return;
  stopEditing();
  game.jump(index);
  armed = false;
  announce(t('say_jump', {n: game.at, all: game.states.length - 1}), game.state.final ? '' : t('say_turn', {side: sideName(game.state.turn)}));
  refresh();
}

/** Against the engine, taking back goes on to where the human is to move. */
async function step(by, message) {
  await settle();
  let at = game.at + by;
  const human = (index) => engine.side === null || engine.side === 'both' || game.states[index].turn !== engine.side || game.states[index].final;
  while (at > 0 && at < game.states.length - 1 && !human(at)) at += by;
  if (at < 0 || at >= game.states.length) return;
  stopEditing();
  game.jump(at);
  armed = Boolean(human(at)) && engine.side !== 'both';
  announce(t(message), game.state.final ? '' : t('say_turn', {side: sideName(game.state.turn)}));
  refresh();
}

const undo = () => step(-1, 'say_undo');
const redo = () => step(+1, 'say_redo');

async function hint() {
  await settle();
  if (!answer || edit || game.state.final) return;
  const best = answer.progress?.length ? answer.progress : answer.best ?? [];
  if (best.length === 0) {
    announce(t('say_hint_none'));
    toast(t('say_hint_none'));
    return;
  }
  // Without distances, the line's move makes progress.
  hinted = answer.progress?.length ? best[0] : line?.pits[0] ?? best[0];
  render();
  announce(t('say_hint', {pit: hinted}));
  toast(t('say_hint', {pit: hinted}));
  if (document.activeElement === document.body || byId('stage').contains(document.activeElement)) board.focusPit(game.state.turn, hinted);
}

function toggleValues() {
  prefs.values = !prefs.values;
  savePrefs();
  announce(t(prefs.values ? 'say_values_on' : 'say_values_off'));
  render();
}

function onPoint(side, pit) {
  const {state} = game;
  const move = pit !== null && !moving && !edit && !state.final && side === state.turn ? answer?.moves.find((candidate) => candidate.pit === pit) : null;
  if (!move || moving) { if (!moving) board.preview(null); return; }
  const gain = [0, 0];
  gain[state.turn] = move.captured;
  gain[other(state.turn)] = move.captured_opponent ?? 0;
  board.preview({rows: move.result === null ? null : boardFrom(move.result, other(state.turn)), gain});
}

// ---- rounds of a match (Rio Kadalis) ------------------------------------------------------------------------------

/** What follows a finished round: {play}, {lost: side} or {drawn: true}; null for other games. */
function nextRound() {
  if (family() === 'urim' || !game.state.final) return null;
  const asLoaded = isAsLoaded(game);
  const standing = nextStanding(game, gameRecord());
  if (!standing) return null;
  const {match, setup} = game;
  if (asLoaded && match.at + 1 < match.rounds.length) return {play: () => showRound(match.at + 1)};
  const end = (asLoaded && match.winner) || matchEnd(game, standing);
  if (end) return end === 'drawn' ? {drawn: true} : {lost: end === 'first' ? kNorth : kSouth};
  return {play: () => {
    const {totals, starter} = standing;
    const opened = totals.map((stones) => Math.min(setup.pits, Math.floor(stones / 4)));
    const rows = opened.map((holes) => Array.from({length: setup.pits}, (unused, i) => (i < holes ? 4 : null)));
    const next = new Game(setup, {...startState(setup), rows, turn: starter});
    next.aside = totals.map((stones, side) => stones - 4 * opened[side]);
    if (match) {
      Object.assign(next, {players: game.players, date: game.date, loaded: true,
        match: {rounds: roundsOf(game), at: match.at + 1, winner: null, totals}});
    }
    adopt(next);
    showView(false);
    refresh('push');
  }};
}

/** Shows a round of a match, as it was loaded or has been played since. */
async function showRound(at) {
  await settle();
  stopEditing();
  const {match, setup, players, date} = game;
  const rounds = roundsOf(game);
  const winner = isAsLoaded(game) ? match.winner : null;
  adopt(gameFromRecord({game: setup.game, options: setup.options, players, date, match: true, rounds, winner}, at, gameRecord()));
  armed = false;
  announce(t('round_of', {n: at + 1, all: rounds.length}));
  showView(false);
  refresh('push');
}

// ---- setting up ---------------------------------------------------------------------------------------------------

async function newGame() {
  await settle();
  openSetup(byId('setup-dialog'), games, game.setup, engine, prefs.values, (setup, opponent, showValues) => {
    engine = opponent;
    remember('retrosow-engine', engine, sessionStorage);
    prefs.values = showValues;
    savePrefs();
    stopEditing();
    view = 'board';
    setGame(setup, startState(setup), 'push');
    board.focusPit(kSouth, 1);
  });
}

function openPosition(setup, position) {
  view = 'board';
  setGame({...game.setup, ...setup}, {...startState(setup), rows: boardFrom(position, kSouth)}, 'push');
  showView(true);
}

function fieldProblem(id, text) {
  const box = byId(`${id}-error`);
  box.textContent = text ?? '';
  box.hidden = !text;
  attributes(byId(id), {'aria-invalid': text ? 'true' : null});
}

/** Sets up a position if the server allows it; otherwise says why not, beside the field. */
async function setUp(rows, turn, taken, field) {
  const setup = {...game.setup, pits: rows[0].length};
  await api.position({...ruleParams(setup), position: formatBoard(rows, turn)});
  if (field) fieldProblem(field, null);
  edit = null;
  setGame(setup, {rows, turn, taken, final: null, endless: false}, 'push');
}

byId('notation-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  await settle();
  const text = byId('notation').value;
  try {
    if (text.trim() === 'start') {
      await setUp(startState(game.setup).rows, kSouth, [0, 0], 'notation');
      return;
    }
    const rows = parseRows(text);
    if (!rows) throw {key: 'error_notation', detail: text};
    const most = gameRecord().max_pits;
    if (rows[0].length > most) throw {key: 'error_pits', detail: String(most)};
    const {turn} = game.state;
    await setUp(turn === kSouth ? rows : [rows[1], rows[0]], turn, [0, 0], 'notation');
  } catch (error) {
    if (error.kind === 'offline') report(error);
    fieldProblem('notation', words(error));
    byId('notation').focus();
  }
});

function startEditing() {
  const {state} = game;
  ticket += 1;
  thinking = false;
  edit = {rows: state.rows.map((row) => [...row]), turn: state.turn, taken: [...state.taken], problem: null};
  announce(t('say_edit_on'), t('edit_help'));
  render();
}

function stopEditing() {
  if (!edit) return;
  edit = null;
  announce(t('say_edit_off'));
}

function onEdit(side, pit, change) {
  const row = edit.rows[side];
  const seeds = row[pit - 1];
  if (change === 'close') row[pit - 1] = seeds === null ? 0 : null;
  else row[pit - 1] = Math.max(0, Math.min(127, (seeds ?? 0) + change));
  edit.problem = null;
  render();
  announce(board.label(side, pit, false, null));
}

function renderEditPanel() {
  const box = byId('edit-panel');
  box.hidden = !edit;
  if (!edit) { box.replaceChildren(); return; }
  const focused = document.activeElement?.id;
  const change = (values) => { Object.assign(edit, values, {problem: null}); render(); };
  const turnButton = (side) => h('button', {type: 'button', id: `edit-turn-${side}`, 'aria-pressed': String(edit.turn === side),
    onclick: () => change({turn: side})}, sideName(side));
  const taken = (side) => h('label', {}, t('edit_taken', {side: sideName(side)}), ' ', h('input', {type: 'number', id: `edit-taken-${side}`, min: 0, max: 127, step: 1,
    value: edit.taken[side], onchange: (event) => { edit.taken[side] = Math.max(0, Math.min(127, Math.floor(Number(event.target.value) || 0))); render(); }}));
  box.replaceChildren(...[
    h('h2', {}, t('edit_title')),
    h('p', {class: 'muted small'}, [t('edit_help'), family() === 'urim' ? '' : t('edit_help_close'),
      t('edit_total', {seeds: seedsText(rowSum(edit.rows[0]) + rowSum(edit.rows[1]))})].filter(Boolean).join(' ')),
    h('div', {class: 'buttons'},
      h('span', {class: 'segments', role: 'group', 'aria-label': t('edit_turn')}, h('span', {class: 'muted', 'aria-hidden': 'true'}, t('edit_turn')), turnButton(kSouth), turnButton(kNorth)),
      taken(kSouth), taken(kNorth)),
    h('div', {class: 'buttons'},
      h('button', {type: 'button', id: 'edit-clear', onclick: () => change({rows: edit.rows.map((row) => row.map(() => 0))})}, t('edit_clear')),
      h('button', {type: 'button', id: 'edit-start', onclick: () => change({rows: startState(game.setup).rows})}, t('edit_start')),
      h('button', {type: 'button', id: 'edit-swap', onclick: () => change({rows: [edit.rows[1], edit.rows[0]], taken: [edit.taken[1], edit.taken[0]], turn: other(edit.turn)})}, t('edit_swap'))),
    edit.problem ? h('p', {class: 'problem', role: 'alert'}, edit.problem) : null,
    h('div', {class: 'buttons'},
      h('button', {type: 'button', id: 'edit-done', class: 'primary', onclick: finishEditing}, t('edit_done')),
      h('button', {type: 'button', id: 'edit-cancel', onclick: cancelEditing}, t('edit_cancel'))),
  ].filter(Boolean));
  if (focused?.startsWith('edit-')) byId(focused)?.focus();
}

async function finishEditing() {
  const {rows, turn, taken} = edit;
  try {
    await setUp(rows, turn, taken, null);
    announce(t('say_edit_off'));
    byId('edit').focus();
  } catch (error) {
    if (error.kind === 'offline') report(error);
    if (edit) { edit.problem = words(error); render(); }
  }
}

function cancelEditing() {
  stopEditing();
  refresh('replace');
  byId('edit').focus();
}

async function toggleEdit() {
  await settle();
  if (edit) cancelEditing();
  else startEditing();
}

// ---- links and records --------------------------------------------------------------------------------------------

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(t('link_copied'));
    announce(t('link_copied'));
  } catch {
    toast(t('link_failed'));
    announce(t('link_failed'));
  }
}

byId('record').addEventListener('input', () => { recordTyped = true; });
byId('record-box').addEventListener('toggle', (event) => {
  if (event.target.open || !recordTyped) return;
  recordTyped = false;
  fieldProblem('record', null);
  render();
});

byId('record-load').addEventListener('click', async () => {
  await settle();
  const text = byId('record').value;
  recordTyped = true;
  try {
    await loadRecord(text);
    fieldProblem('record', null);
  } catch (error) {
    if (error.kind === 'offline') report(error);
    fieldProblem('record', error.kind === 'input' || error.kind === 'missing' ? t('error_record', {detail: error.message}) : words(error));
  }
});

/** Shows what the server reads in a record: the game, or the last round of a match. */
async function loadRecord(text) {
  if (new Blob([text]).size > kMaxRecordBytes) throw {key: 'error_record_large'};
  const record = await api.record(text);
  recordTyped = false;
  const last = record.rounds.length - 1;
  adopt(gameFromRecord(record, last, gameRecord(record.game)));
  armed = false;
  const told = [plural('record_loaded', record.rounds[last].moves.length), record.match ? `${t('round_of', {n: last + 1, all: last + 1})}.` : ''].filter(Boolean).join(' ');
  toast(told);
  announce(told);
  showView(false);
  refresh('push');
}

byId('record-save').addEventListener('click', () => {
  const address = URL.createObjectURL(new Blob([byId('record').value], {type: 'text/plain'}));
  h('a', {href: address, download: `${game.setup.game}.txt`}).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});

byId('record-file').addEventListener('change', async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  event.target.value = '';
  if (file.size > kMaxRecordBytes) {
    fieldProblem('record', t('error_record_large'));
    return;
  }
  byId('record').value = await file.text();
  byId('record-load').click();
});

// ---- preferences --------------------------------------------------------------------------------------------------

function applyTheme() {
  attributes(document.documentElement, {'data-theme': prefs.theme});
}

byId('theme').addEventListener('click', () => {
  const dark = prefs.theme ? prefs.theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
  prefs.theme = dark ? 'light' : 'dark';
  savePrefs();
  applyTheme();
});

function applyLanguage() {
  setLanguage(prefs.language);
  translatePage();
  byId('language').value = currentLanguage();
  const speed = byId('speed');
  speed.replaceChildren(...Object.keys(kPace).map((name) => h('option', {value: name}, t(`speed_${name}`))));
  speed.value = prefs.speed ?? (calm.matches ? 'instant' : 'normal');
  byId('version').textContent = byId('version').dataset.version ? byId('version').dataset.version : '';
}

byId('language').append(...Object.entries(kLanguages).map(([code, name]) => h('option', {value: code, lang: code}, name)));
byId('language').addEventListener('change', async (event) => {
  await settle();
  prefs.language = event.target.value;
  savePrefs();
  applyLanguage();
  if (!game) return;
  board.build(game.setup, family());
  showView(false, true);
  render();
});

byId('speed').addEventListener('change', (event) => {
  prefs.speed = event.target.value;
  savePrefs();
});

// ---- buttons and keys ---------------------------------------------------------------------------------------------

const actions = {undo, redo, hint, values: toggleValues, edit: toggleEdit, 'copy-link': copyLink, 'new-game': newGame,
  'skip-move': () => sowing.skip(), help: () => openHelp(byId('help-dialog'), family())};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', () => { if (game) action(); });

document.querySelectorAll('nav a').forEach((link) => link.addEventListener('click', (event) => {
  if (!game || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.dataset.view);
}));
byId('brand').addEventListener('click', (event) => {
  if (!game || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go('board');
});
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  if (!game) return;
  if (view !== 'board') go('board');
  board.focusPit(board.focusAt.side, board.focusAt.pit);
});

const kKeys = {u: undo, r: redo, h: hint, v: toggleValues, e: toggleEdit, l: copyLink, n: newGame, '?': () => openHelp(byId('help-dialog'), family())};
document.addEventListener('keydown', (event) => {
  if (!game || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest?.('input, textarea, select, dialog')) return;
  if (event.key === '?') { event.preventDefault(); kKeys['?'](); return; }
  if (view !== 'board') return;
  if (event.key === 'Escape') {
    if (moving) sowing.skip();
    else if (edit) cancelEditing();
    else watching += 1;
    return;
  }
  if (/^[1-8]$/.test(event.key)) {
    event.preventDefault();
    board.focusPit((edit ?? game.state).turn, Number(event.key));
    return;
  }
  const action = kKeys[event.key.toLowerCase()];
  if (action) { event.preventDefault(); action(); }
});

// ---- beginning ----------------------------------------------------------------------------------------------------

async function begin() {
  applyTheme();
  applyLanguage();
  try {
    const [list, version] = await Promise.all([api.games(), api.version()]);
    games = list.games;
    Object.assign(byId('version').dataset, {version: version.version, commit: version.commit});
    byId('version').textContent = version.version;
  } catch (error) {
    report(error);
    return;
  }
  let target;
  let trouble = null;
  try {
    target = fromFragment(location.hash, games);
  } catch (error) {
    trouble = error;
    target = fromFragment('', games);
  }
  view = target.view;
  setGame(target.setup, target.state);
  if (trouble) notice(t('error_link', {detail: words(trouble)}));
}

begin();
