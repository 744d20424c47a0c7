// The board: wood with stores for Urim's family, holes in sand with won fours beside them for Rio Kadalis.
// Pits are buttons, one tab stop for all of them; seeds lie where their number in the pit puts them.
import {h, attributes} from './dom.js';
import {t, plural, signed, spoken, seedsWord} from './i18n.js';
import {other, kNorth, kSouth} from './position.js';

const kDrawn = 40;       // more seeds than this in one pit are only told by the number
const kDrawnFours = 50;  // likewise of fours in a store
const kGoldenAngle = 2.399963;

/** Numbers in [0, 1) that depend on nothing but their arguments: the same seed always lies the same way. */
function noise(a, b, c = 0) {
  let x = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 7, 0x85ebca6b) ^ Math.imul(c + 13, 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
}

/** Where seed i of n lies in a bowl, in percent of its size. A sunflower's order, slightly out of order. */
function bowlSpot(i, n, key) {
  const spread = n <= 1 ? 9 : n <= 4 ? 24 : n <= 8 ? 29 : n <= 13 ? 33 : 35;
  const radius = spread * Math.sqrt((i + 0.5) / Math.max(n, 2));
  const angle = i * kGoldenAngle + noise(key, 3) * 6.283;
  return [
    50 + radius * Math.cos(angle) + (noise(key, i, 1) - 0.5) * 3.5,
    50 + radius * Math.sin(angle) + (noise(key, i, 2) - 0.5) * 3.5,
  ];
}

/** Where seed i lies in a store: spread evenly by a sequence without clumps. */
function storeSpot(i, key) {
  return [
    16 + 68 * ((0.5 + (i + 1) * 0.7548777 + key * 0.31 + (noise(key, i, 6) - 0.5) * 0.22 + 1) % 1),
    12 + 76 * ((0.5 + (i + 1) * 0.5698403 + key * 0.17 + (noise(key, i, 7) - 0.5) * 0.1 + 1) % 1),
  ];
}

export function newSeed(i, key) {
  const seed = h('i', {class: `seed seed--${Math.floor(noise(key, i, 5) * 4)}`, 'aria-hidden': 'true'});
  seed.style.setProperty('--turn', `${Math.round(noise(key, i, 4) * 180)}deg`);
  return seed;
}

/** Makes the box hold n seeds; those that stay may move a little, as seeds do. */
function fill(box, n, key, spot) {
  const drawn = Math.min(n, kDrawn);
  while (box.childElementCount > drawn) box.lastElementChild.remove();
  while (box.childElementCount < drawn) box.append(newSeed(box.childElementCount, key));
  box.classList.toggle('is-crowded', drawn > 9);
  box.classList.toggle('is-full', drawn > 17);
  [...box.children].forEach((seed, i) => {
    const [x, y] = spot(i, drawn, key);
    seed.style.left = `${x.toFixed(1)}%`;
    seed.style.top = `${y.toFixed(1)}%`;
  });
}

/** Won stones in groups of four, as players lay them out. */
function layOutFours(box, n) {
  const groups = Math.min(Math.ceil(n / 4), kDrawnFours);
  while (box.childElementCount > groups) box.lastElementChild.remove();
  while (box.childElementCount < groups) box.append(h('span', {class: 'four', 'aria-hidden': 'true'}));
  [...box.children].forEach((group, g) => {
    const size = Math.min(4, Math.ceil(n - 4 * g));
    while (group.childElementCount > size) group.lastElementChild.remove();
    while (group.childElementCount < size) group.append(newSeed(group.childElementCount, 40 + g));
  });
}

export const tone = (value) => (value === null || value === undefined ? 'none' : value > 0 ? 'win' : value < 0 ? 'loss' : 'draw');

export class Board {
  /** handlers: play(pit), point(pit or null), edit(side, pit, change) with change +1, -1 or 'close' */
  constructor(stage, handlers) {
    this.stage = stage;
    this.handlers = handlers;
    this.cells = [[], []];
    this.focusAt = {side: kSouth, pit: 1};
    this.shown = null;
    stage.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** Builds the board anew; for another game, another number of pits, another direction or another language. */
  build(setup, family) {
    const hadFocus = this.stage.contains(document.activeElement);
    this.family = family;
    this.pits = setup.pits;
    this.clockwise = setup.options.direction === 'cw';
    this.cells = [[], []];
    const rows = [kNorth, kSouth].map((side) => this.buildRow(side));
    this.stores = [kSouth, kNorth].map((side) => this.buildStore(side));
    this.flights = h('div', {class: 'flights', 'aria-hidden': 'true'});
    const field = h('div', {class: 'rows'}, rows);
    const board = h('div', {class: `board board--${family === 'urim' ? 'wood' : 'sand'}`},
      this.stores[kNorth].element, field, this.stores[kSouth].element);
    board.style.setProperty('--pits', this.pits);
    this.element = board;
    this.stage.replaceChildren(board, this.flights);
    this.focusAt = {side: this.focusAt.side, pit: Math.min(this.focusAt.pit, this.pits)};
    if (hadFocus) this.cells[this.focusAt.side][this.focusAt.pit - 1].button.focus();
  }

  buildRow(side) {
    const cells = [];
    for (let pit = 1; pit <= this.pits; ++pit) cells.push(this.buildCell(side, pit));
    this.cells[side] = cells;
    // Counter-clockwise: South's pits from left to right, North's from right to left.
    const reversed = (side === kNorth) !== this.clockwise;
    const order = cells.map((cell) => cell.element);
    if (reversed) order.reverse();
    return h('div', {class: 'row', role: 'group', 'aria-label': t(side === kSouth ? 'row_south' : 'row_north'),
      dataset: {side}}, order);
  }

  buildCell(side, pit) {
    const cell = {seeds: -1};
    cell.box = h('span', {class: 'seeds'});
    cell.count = h('span', {class: 'count'});
    cell.ghost = h('span', {class: 'ghost'});
    cell.chip = h('span', {class: 'chip'});
    cell.distance = h('span', {class: 'distance'});
    cell.number = h('span', {class: 'pit-no'}, String(pit));
    cell.bowl = h('span', {class: 'bowl'}, cell.box, cell.ghost);
    cell.button = h('button', {
      type: 'button', class: 'pit', tabindex: '-1', dataset: {side, pit},
      onclick: () => this.activate(side, pit),
      onpointerenter: (event) => { if (event.pointerType === 'mouse') this.handlers.point(side, pit); },
      onpointerleave: (event) => { if (event.pointerType === 'mouse') this.handlers.point(null, null); },
      onfocus: () => {
        this.setFocus(side, pit);
        if (cell.button.matches(':focus-visible')) this.handlers.point(side, pit);
      },
      onblur: () => this.handlers.point(null, null),
    }, h('span', {class: 'inner'}, cell.count), cell.bowl, h('span', {class: 'outer'}, cell.chip, cell.distance, cell.number));
    const change = (by, sign, key) => h('button', {
      type: 'button', class: 'change', 'aria-label': t(key, {side: t(side === kSouth ? 'south' : 'north'), pit}),
      onclick: () => this.handlers.edit(side, pit, by),
    }, sign);
    cell.tools = h('span', {class: 'tools'}, change(+1, '+', 'edit_more'), change(-1, '−', 'edit_less'),
      this.family === 'urim' ? null : change('close', '×', 'edit_close'));
    cell.element = h('div', {class: 'cell'}, cell.button, cell.tools);
    return cell;
  }

  buildStore(side) {
    const store = {seeds: -1};
    store.box = h('span', {class: this.family === 'urim' ? 'seeds' : 'fours'});
    store.count = h('span', {class: 'count'});
    store.ghost = h('span', {class: 'ghost'});
    store.element = h('div', {class: 'store', role: 'img', dataset: {side}}, store.box,
      h('span', {class: 'tally'}, store.count, store.ghost));
    return store;
  }

  /**
   * Shows a state. view: {rows, turn, taken, values: Map pit -> {value, distance, best, keeps, hint} or null,
   * playable: Set of pits of the player to move, showValues, editing, over}
   */
  render(view) {
    this.shown = view;
    attributes(this.element, {'data-turn': view.over || view.editing ? null : view.turn, 'data-editing': view.editing});
    for (const side of [kSouth, kNorth]) {
      for (let pit = 1; pit <= this.pits; ++pit) {
        this.setSeeds(side, pit, view.rows[side][pit - 1]);
        this.dress(side, pit);
      }
      this.setTaken(side, view.taken[side]);
    }
    this.preview(null);
    if (!view.editing && !view.over && this.focusAt.side !== view.turn && !this.stage.contains(document.activeElement)) {
      this.focusAt = {side: view.turn, pit: this.focusAt.pit};
    }
    this.setFocus(this.focusAt.side, this.focusAt.pit);
  }

  /** Values, marks and label of one pit. */
  dress(side, pit) {
    const cell = this.cells[side][pit - 1];
    const view = this.shown;
    const mine = side === view.turn && !view.over && !view.editing;
    const playable = mine && view.playable.has(pit);
    const move = mine ? view.values?.get(pit) : null;
    const known = playable && view.showValues && move && move.value !== null;
    attributes(cell.button, {
      'data-playable': playable, 'data-tone': known ? tone(move.value) : null, 'data-best': known && move.best, 'data-keeps': known && move.keeps && !move.best,
      'data-hint': playable && move?.hint, 'aria-disabled': playable || view.editing ? null : 'true',
      'aria-label': this.label(side, pit, playable, known ? move : null),
    });
    cell.chip.textContent = known ? signed(move.value) : '';
    cell.distance.textContent = known && move.distance ? t('chip_distance', {n: move.distance}) : '';
  }

  label(side, pit, playable, move) {
    const view = this.shown;
    const seeds = view.rows[side][pit - 1];
    const parts = [t('label_pit', {side: t(side === kSouth ? 'south' : 'north'), pit})];
    parts.push(seeds === null ? t('label_closed') : plural(seedsWord(this.family), seeds));
    if (move) {
      parts.push(t('label_value', {value: spoken(move.value)}));
      if (move.best || move.keeps) parts.push(t(move.best ? 'label_best' : 'label_keeps'));
      if (move.distance) parts.push(plural('label_distance', move.distance));
    }
    if (!playable && !view.editing && !view.over && side === view.turn && seeds) parts.push(t('label_unplayable'));
    return parts.join(', ');
  }

  setSeeds(side, pit, seeds) {
    const cell = this.cells[side][pit - 1];
    if (cell.seeds === seeds) return;
    cell.seeds = seeds;
    cell.button.classList.toggle('is-closed', seeds === null);
    cell.button.classList.toggle('is-empty', seeds === 0);
    cell.count.textContent = seeds === null ? '' : String(seeds);
    fill(cell.box, seeds ?? 0, side * 8 + pit, bowlSpot);
  }

  setTaken(side, seeds) {
    const store = this.stores[side];
    if (store.seeds === seeds) return;
    store.seeds = seeds;
    const text = seeds % 1 ? `${Math.floor(seeds)}½` : String(seeds);
    store.count.textContent = text;
    attributes(store.element, {'aria-label': t('label_store', {
      side: t(side === kSouth ? 'south' : 'north'), seeds: plural(seedsWord(this.family), seeds)})});
    if (this.family === 'urim') fill(store.box, Math.floor(seeds), 20 + side, (i) => storeSpot(i, side));
    else layOutFours(store.box, Math.floor(seeds));
  }

  /** Ghost numbers of the board that a move leads to; null takes them away. after: {rows, gain: [South, North]} */
  preview(after) {
    for (const side of [kSouth, kNorth]) {
      this.cells[side].forEach((cell, i) => {
        const seeds = after?.rows?.[side][i];
        const changed = after?.rows && seeds !== null && seeds !== this.shown.rows[side][i];
        cell.ghost.textContent = changed ? String(seeds) : '';
        cell.button.classList.toggle('is-changed', Boolean(changed));
      });
      const gain = after?.gain?.[side] ?? 0;
      this.stores[side].ghost.textContent = gain ? `+${gain}` : '';
    }
  }

  activate(side, pit) {
    if (this.shown.editing) this.handlers.edit(side, pit, +1);
    else this.handlers.play(side, pit);
  }

  setFocus(side, pit) {
    this.focusAt = {side, pit};
    this.cells.forEach((row, s) => row.forEach((cell, i) => {
      cell.button.tabIndex = s === side && i === pit - 1 ? 0 : -1;
    }));
  }

  focusPit(side, pit) {
    if (pit < 1 || pit > this.pits) return;
    this.cells[side][pit - 1].button.focus({focusVisible: true});
    this.handlers.point(side, pit);
  }

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !event.target.classList?.contains('pit')) return;
    let {side, pit} = this.focusAt;
    const leftToRight = (side === kSouth) !== this.clockwise ? 1 : -1;
    switch (event.key) {
      case 'ArrowRight': pit += leftToRight; break;
      case 'ArrowLeft': pit -= leftToRight; break;
      case 'ArrowUp': case 'ArrowDown': {
        const target = event.key === 'ArrowUp' ? kNorth : kSouth;
        if (target !== side) { side = target; pit = this.pits + 1 - pit; }
        break;
      }
      case 'Home': pit = 1; break;
      case 'End': pit = this.pits; break;
      case '+': case '-': case 'x': case 'X':
        if (this.shown.editing) {
          event.preventDefault();
          const change = event.key === '+' ? 1 : event.key === '-' ? -1 : 'close';
          if (change !== 'close' || this.family !== 'urim') this.handlers.edit(side, pit, change);
        }
        return;
      default: return;
    }
    event.preventDefault();
    this.focusPit(side, Math.max(1, Math.min(this.pits, pit)));
  }

  /** Middle of a pit's bowl or of a store, in the stage's coordinates; seeds that lie up to `room` from it are in it. */
  place(side, pit) {
    const element = pit === 'store' ? this.stores[side].box : this.cells[side][pit - 1].bowl;
    const box = element.getBoundingClientRect();
    const base = this.stage.getBoundingClientRect();
    let x = box.left + box.width / 2;
    let y = box.top + box.height / 2;
    if (pit === 'store' && this.family !== 'urim') {
      // Where the next four will lie: South's from left to right, North's from right to left.
      const last = element.lastElementChild?.getBoundingClientRect();
      const room = 16;
      if (side === kSouth) x = last ? last.right + room : box.left + room;
      else x = last ? last.left - room : box.right - room;
      x = Math.max(box.left + room, Math.min(box.right - room, x));
      y = last ? last.top + last.height / 2 : y;
    }
    const room = pit === 'store' ? Math.max(0, Math.min(14, box.height / 2 - 14)) : box.width * 0.18;
    return {x: x - base.left, y: y - base.top, size: box.width, room};
  }

  bowlSize() { return this.cells[kSouth][0].bowl.getBoundingClientRect().width; }

  sideOf(word, turn) { return word === 'mover' ? turn : other(turn); }
}
