// A move, shown as it is made: a hand lifts the seeds and lets them fall one by one, lap by lap; what is taken flies
// to its owner. Works from the steps of /move.
import {h} from './dom.js';
import {newSeed} from './board.js';
import {t, plural, seedsWord} from './i18n.js';

/** Milliseconds from one seed to the next. */
export const kPace = {slow: 560, normal: 290, fast: 120, instant: 0};

export class Sowing {
  constructor(board) {
    this.board = board;
    this.skipped = false;
    this.running = false;
  }

  skip() {
    this.skipped = true;
    this.wake?.();
  }

  /**
   * Shows the move on the board. say(text) is told of captures and laps. Ends early, with the board as after the
   * last step, when skipped.
   */
  async show(steps, turn, rows, taken, pace, say) {
    this.running = true;
    this.skipped = pace === 0;
    const board = this.board;
    const counts = rows.map((row) => [...row]);
    const won = [...taken];
    let hand = null;
    let laps = 0;
    board.element.classList.add('is-sowing');
    try {
      for (const step of steps) {
        const side = step.side ? board.sideOf(step.side, turn) : turn;
        const beat = pace * Math.max(0.3, 0.88 ** Math.max(0, laps - 2));
        if (step.do === 'lift') {
          laps += 1;
          counts[side][step.pit - 1] = 0;
          if (!this.skipped) {
            hand ??= this.newHand();
            this.moveHand(hand, side, step.pit, 0);
            this.fillHand(hand, step.seeds, laps);
            if (laps > 1) say(t('say_lap', {n: laps}), 'lap');
          }
          board.setSeeds(side, step.pit, 0);
          this.flash(side, step.pit, 'is-lifted');
          await this.wait(beat * (laps > 1 ? 1.5 : 1.1));
        } else if (step.do === 'drop') {
          counts[side][step.pit - 1] = step.seeds;
          if (!this.skipped && hand) {
            this.moveHand(hand, side, step.pit, beat * 0.5);
            await this.wait(beat * 0.45);
            this.fillHand(hand, hand.seeds - 1, laps);
          }
          board.setSeeds(side, step.pit, step.seeds);
          this.flash(side, step.pit, 'is-sown');
          await this.wait(beat * 0.55);
        } else if (step.do === 'take') {
          const owner = board.sideOf(step.to, turn);
          counts[side][step.pit - 1] -= step.seeds;
          won[owner] += step.seeds;
          say(t('say_take', {side: t(owner === 0 ? 'south' : 'north'), seeds: plural(seedsWord(board.family), step.seeds)}), 'take');
          this.flash(side, step.pit, 'is-taken');
          await this.wait(beat * 0.8);
          const flight = this.skipped ? null : this.fly(side, step.pit, owner, step.seeds, Math.max(beat * 2.2, 320));
          board.setSeeds(side, step.pit, counts[side][step.pit - 1]);
          if (flight) await Promise.race([flight, this.untilSkipped()]);
          board.setTaken(owner, won[owner]);
          this.flashStore(owner);
          await this.wait(beat * 0.5);
        } else if (step.do === 'repeat') {
          say(t('say_endless'), 'take');
          await this.wait(beat * 3);
        }
      }
    } finally {
      hand?.element.remove();
      board.element.classList.remove('is-sowing');
      board.flights.replaceChildren();
      this.running = false;
      this.wake = null;
    }
  }

  /** What is left at the end goes to whoever it belongs to. */
  async collect(rows, owners, taken, pace) {
    this.running = true;
    this.skipped = pace === 0;
    const flights = [];
    const won = [...taken];
    rows.forEach((row, side) => row.forEach((seeds, i) => {
      if (!seeds) return;
      const owner = owners[side];
      if (!this.skipped) flights.push(this.fly(side, i + 1, owner, seeds, Math.max(pace * 2.5, 400), i * pace * 0.2));
      this.board.setSeeds(side, i + 1, 0);
      won[owner] += seeds;
    }));
    if (flights.length) await Promise.race([Promise.all(flights), this.untilSkipped()]);
    [0, 1].forEach((side) => this.board.setTaken(side, won[side]));
    this.board.flights.replaceChildren();
    this.running = false;
  }

  wait(milliseconds) {
    if (this.skipped || milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => { clearTimeout(timer); resolve(); };
    });
  }

  untilSkipped() {
    return new Promise((resolve) => { this.wake = resolve; });
  }

  newHand() {
    const hand = {element: h('div', {class: 'hand'}), box: h('span', {class: 'palm'}), count: h('span', {class: 'hand-count'}), lap: h('span', {class: 'hand-lap'}), seeds: 0};
    hand.element.append(hand.box, hand.count, hand.lap);
    this.board.flights.append(hand.element);
    return hand;
  }

  fillHand(hand, seeds, laps) {
    hand.seeds = Math.max(0, seeds);
    while (hand.box.childElementCount > Math.min(hand.seeds, 17)) hand.box.lastElementChild.remove();
    while (hand.box.childElementCount < Math.min(hand.seeds, 17)) hand.box.append(newSeed(hand.box.childElementCount, 60));
    hand.count.textContent = hand.seeds || '';
    hand.lap.textContent = laps > 1 ? t('hand_lap', {n: laps}) : '';
    hand.element.classList.toggle('is-bare', hand.seeds === 0);
  }

  moveHand(hand, side, pit, milliseconds) {
    const {x, y, size} = this.board.place(side, pit);
    hand.element.style.transitionDuration = `${milliseconds}ms`;
    hand.element.style.transform = `translate(${x}px, ${y - size * 0.5}px)`;
  }

  flash(side, pit, name) {
    if (this.skipped) return;
    const {button} = this.board.cells[side][pit - 1];
    button.classList.remove(name);
    void button.offsetWidth;  // so that the same animation starts again
    button.classList.add(name);
    setTimeout(() => button.classList.remove(name), 900);
  }

  flashStore(side) {
    if (this.skipped) return;
    const {element} = this.board.stores[side];
    element.classList.add('is-fed');
    setTimeout(() => element.classList.remove('is-fed'), 700);
  }

  fly(side, pit, owner, seeds, milliseconds, delay = 0) {
    const from = this.board.place(side, pit);
    const to = this.board.place(owner, 'store');
    const flights = [];
    for (let i = 0; i < Math.min(seeds, 17); ++i) {
      const seed = newSeed(i, 80 + pit);
      seed.classList.add('is-flying');
      this.board.flights.append(seed);
      const spread = (k, room) => ((((i * k) % 7) - 3) / 3) * room;
      const [x0, y0] = [from.x + spread(3, from.room), from.y + spread(5, from.room)];
      const [x1, y1] = [to.x + spread(2, to.room), to.y + spread(4, to.room)];
      const lift = Math.min(60, Math.abs(x1 - x0) * 0.15 + 22);
      // The property `rotate` comes before `transform` and would turn the way that it flies; here it flies first.
      const turn = 'rotate(var(--turn))';
      flights.push(seed.animate([
        {transform: `translate(${x0}px, ${y0}px) ${turn}`, easing: 'ease-out'},
        {transform: `translate(${(x0 + x1) / 2}px, ${(y0 + y1) / 2 - lift}px) ${turn} scale(1.15)`, easing: 'ease-in'},
        {transform: `translate(${x1}px, ${y1}px) ${turn}`},
      ], {duration: milliseconds, delay: delay + i * 28, fill: 'both'}).finished.catch(() => {}));
    }
    return Promise.all(flights);
  }
}
