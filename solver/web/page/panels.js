// What stands beside the board: verdict, best line, list of moves, the players' plates, the result.
import {h, svg} from './dom.js';
import {t, plural, signed, count, seedsWord} from './i18n.js';
import {boardSum, kSouth, kNorth, matchPoints, other} from './position.js';
import {tone} from './board.js';

const sideName = (side) => t(side === kSouth ? 'south' : 'north');
const sideLetter = (side) => sideName(side).slice(0, 1);

/** What both hold in the end if they play perfectly: [South, North]. */
export function heading(state, value) {
  const rest = boardSum(state.rows);
  const mover = (rest + value) / 2;
  const total = [...state.taken];
  total[state.turn] += mover;
  total[other(state.turn)] += rest - mover;
  return total;
}

function balance(state, final) {
  const total = final[0] + final[1] || 1;
  const width = (n) => ((100 * n) / total).toFixed(2);
  const bar = svg('svg', {class: 'balance', viewBox: '0 0 100 8', preserveAspectRatio: 'none', role: 'img',
    'aria-label': t('balance_label', {south: count(final[0]), north: count(final[1])})});
  const rect = (x, w, name) => bar.append(svg('rect', {x, y: 0, width: Math.max(0, w), height: 8, class: name}));
  rect(0, width(state.taken[0]), 'south-has');
  rect(width(state.taken[0]), width(final[0] - state.taken[0]), 'south-will');
  rect(width(final[0]), width(final[1] - state.taken[1]), 'north-will');
  rect(width(total - state.taken[1]), width(state.taken[1]), 'north-has');
  bar.append(svg('rect', {x: 49.85, y: 0, width: 0.3, height: 8, class: 'middle'}));
  return h('div', {class: 'balance-box'}, h('span', {}, sideLetter(0), ' ', h('b', {}, count(final[0]))), bar,
    h('span', {}, h('b', {}, count(final[1])), ' ', sideLetter(1)));
}

/** Children of the verdict card. */
export function verdict({state, answer, loading, problem, showValues, onShow, onSmaller, family}) {
  if (state.final) return [h('p', {class: 'muted'}, t(family === 'urim' ? 'verdict_over' : 'verdict_round_over'))];
  if (problem) return [h('p', {class: 'muted'}, problem)];
  if (loading || !answer) return [h('p', {class: 'muted waiting'}, t('calculating'))];
  if (!showValues) {
    return [h('p', {class: 'muted'}, t('verdict_hidden'), ' ',
      h('button', {type: 'button', class: 'link', onclick: onShow}, t('verdict_show')))];
  }
  if (answer.value === null || answer.value === undefined) {
    return [h('p', {class: 'big big--none'}, t('verdict_unknown')), h('p', {}, t(answer.damaged ? 'verdict_damaged' : 'verdict_unknown_more')),
      answer.damaged ? null : h('p', {}, h('button', {type: 'button', class: 'link', onclick: onSmaller}, t('verdict_smaller'))),
      answer.why ? h('p', {class: 'muted small'}, t('verdict_why', {why: answer.why})) : null].filter(Boolean);
  }
  const {value} = answer;
  const side = sideName(state.turn);
  const seeds = plural(seedsWord(family), Math.abs(value));
  const sentence = value > 0 ? t('verdict_win', {side, seeds}) : value < 0 ? t('verdict_loss', {side, seeds}) : t('verdict_draw');
  return [
    h('p', {class: 'big', 'data-tone': tone(value)}, h('span', {class: 'value'}, signed(value)), h('span', {class: 'words'}, sentence)),
    balance(state, heading(state, value)),
    h('p', {class: 'muted small'},
      [answer.distance ? plural('verdict_distance', answer.distance) : '', t(answer.from === 'tables' ? 'verdict_tables' : 'verdict_search')].filter(Boolean).join(' ')),
  ];
}

const kShownPlies = 24;

/** Children of the best-line card. pits: a list; end: its last word. */
export function bestLine({state, pits, end, loading, showValues, onPlay, onWatch}) {
  if (state.final) return [h('p', {class: 'muted'}, t('line_over'))];
  if (!showValues) return [h('p', {class: 'muted'}, t('verdict_hidden'))];
  if (loading) return [h('p', {class: 'muted waiting'}, t('calculating'))];
  if (!pits?.length) return [h('p', {class: 'muted'}, t('line_none'))];
  const shown = pits.slice(0, kShownPlies);
  const items = shown.map((pit, i) => {
    const side = i % 2 === 0 ? state.turn : other(state.turn);
    return h('li', {}, h('button', {type: 'button', class: 'ply', dataset: {side}, 'aria-label': t('line_move', {side: sideName(side), pit}),
      onclick: () => onPlay(pits.slice(0, i + 1))}, `${sideLetter(side)}${pit}`));
  });
  if (shown.length < pits.length) items.push(h('li', {class: 'muted'}, plural('line_more', pits.length - shown.length)));
  const last = {repetition: 'line_repetition', 'game-over': 'line_end', end: 'line_end', 'endless-sow': 'line_end'}[end] ?? 'line_cut';
  items.push(h('li', {class: 'muted small tail'}, t(last)));
  return [h('ol', {class: 'plies'}, items),
    h('p', {}, h('button', {type: 'button', class: 'small', onclick: () => onWatch(pits)}, t('line_play')))];
}

/** Which round of a match is shown; nothing for a single game. match: {at, all} */
export function roundChoice({match, onChoose}) {
  if (!match) return [];
  const choice = h('select', {id: 'round', onchange: (event) => onChoose(Number(event.target.value))},
    Array.from({length: match.all}, (unused, i) => h('option', {value: i, selected: i === match.at}, String(i + 1))));
  return [h('p', {class: 'rounds'}, h('label', {for: 'round'}, t('round_label')), ' ', choice, ' ', t('round_all', {all: match.all}))];
}

/** Children of the list of moves. */
export function moveList({game, family, onJump}) {
  if (game.plies.length === 0) return [h('p', {class: 'muted'}, t('history_empty'))];
  const item = (index, text, label, ply) => h('li', {}, h('button', {
    type: 'button', class: 'ply', dataset: ply ? {side: ply.side} : {}, 'aria-label': label,
    'aria-current': index === game.at ? 'step' : null, onclick: () => onJump(index)}, text));
  const items = [item(0, t('history_start'), t('history_start'), null)];
  game.plies.forEach((ply, i) => {
    const gain = ply.captured || ply.capturedOpponent
      ? h('span', {class: 'gain'}, `+${ply.captured}${ply.capturedOpponent ? `/${ply.capturedOpponent}` : ''}`) : null;
    const loss = ply.loss ? h('span', {class: 'loss'}, `−${ply.loss}`) : null;
    const label = [t('history_move', {side: sideName(ply.side), pit: ply.pit})];
    if (ply.captured) label.push(t('say_gain', {side: sideName(ply.side), seeds: plural(seedsWord(family), ply.captured)}));
    if (ply.loss) label.push(t('history_loss', {seeds: plural(seedsWord(family), ply.loss)}));
    items.push(item(i + 1, [h('span', {class: 'where'}, `${sideLetter(ply.side)}${ply.pit}`), gain, loss], label.join(', '), ply));
  });
  return [h('ol', {class: 'plies moves'}, items)];
}

/** Children of a player's plate above or below the board. */
export function plate({side, name, state, family, engine, thinking, over}) {
  const mine = !over && state.turn === side;
  const who = engine.side === null ? null : engine.side === side || engine.side === 'both'
    ? t('engine', {strength: t(`strength_${engine.strength}`)}) : t('you');
  return [
    h('span', {class: 'marker', 'data-on': mine, 'aria-hidden': 'true'}),
    h('span', {class: 'name'}, sideName(side)),
    name ? h('span', {class: 'who player'}, name) : null,
    who ? h('span', {class: 'who'}, who) : null,
    mine ? h('span', {class: 'turn'}, thinking ? t('thinking') : t('to_move')) : null,
    h('span', {class: 'taken'}, plural(seedsWord(family), over ? state.final[side] : state.taken[side])),
  ].filter(Boolean);
}

/** Children of the result card of a finished game or round. */
export function result({state, family, rules, fours, next, onNew, onUndo, canUndo}) {
  const [south, north] = state.final;
  const winner = south > north ? kSouth : north > south ? kNorth : null;
  const parts = [
    h('h2', {}, winner === null ? t('result_draw') : t('result_win', {side: sideName(winner)})),
    h('p', {class: 'score'}, t('result_score', {south: count(south), north: count(north)})),
  ];
  const points = matchPoints(state.final);
  if (family === 'urim') {
    parts.push(h('p', {}, winner === null ? t('result_no_points') : plural('result_points', points[winner], {side: sideName(winner)})));
  } else if (fours) {
    parts.push(h('p', {}, t('result_fours', {south: fours[0], north: fours[1]})));
  }
  parts.push(h('p', {class: 'muted small'}, t(state.endless ? 'result_even' : rules.remainder === 'last-mover' ? 'result_left_last' : 'result_left')));
  if (next?.drawn) parts.push(h('p', {}, t('result_match_drawn')));
  if (next?.lost !== undefined) parts.push(h('p', {}, t('result_match_over', {side: sideName(next.lost)})));
  parts.push(h('div', {class: 'buttons'},
    next?.play ? h('button', {type: 'button', class: 'primary', onclick: next.play}, t('result_next')) : null,
    h('button', {type: 'button', class: next?.play ? '' : 'primary', onclick: onNew}, t('new_game')),
    canUndo ? h('button', {type: 'button', onclick: onUndo}, t('undo')) : null));
  return parts;
}
