// The program's moves. It knows every move's value; how strong it is is how seldom it gives something away.

/**
 * A move that gives away d seeds is taken with a chance proportional to 2^(-d / h): every h seeds halve it.
 * 'perfect' has no h: only best moves that make progress. Which do, distances tell, or else a line: see needsLine.
 */
export const kStrengths = {perfect: 0, strong: 0.5, medium: 1.5, gentle: 4};

/**
 * Whether perfect play needs a line of the API, to make its first move: not every move that keeps a value makes progress, and
 * an answer without distances does not say which do. At value 0 all best moves are as good.
 */
export const needsLine = (answer, strength) => !kStrengths[strength] && Boolean(answer.value) && !answer.progress?.length;

/** [{pit, chance}] for an answer of /position; chances sum to 1. Empty where there is no move. */
export function chances(answer, strength) {
  const moves = answer.moves;
  if (moves.length === 0) return [];
  if (moves.some((move) => move.value === null)) {
    // Nothing is known: most stones at once, as anyone would who does not see ahead.
    const gain = (move) => move.captured - move.captured_opponent;
    const most = Math.max(...moves.map(gain));
    return even(moves.filter((move) => gain(move) === most).map((move) => move.pit));
  }
  if (!kStrengths[strength]) return even(answer.progress?.length ? answer.progress : answer.best);
  const value = Math.max(...moves.map((move) => move.value));
  const weights = moves.map((move) => 2 ** (-(value - move.value) / kStrengths[strength]));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return moves.map((move, i) => ({pit: move.pit, chance: weights[i] / sum}));
}

const even = (pits) => pits.map((pit) => ({pit, chance: 1 / pits.length}));

/** A pit drawn by its chance. */
export function choose(answer, strength, random = Math.random()) {
  const list = chances(answer, strength);
  let sum = 0;
  for (const {pit, chance} of list) {
    sum += chance;
    if (random < sum) return pit;
  }
  return list.at(-1)?.pit ?? null;
}
