// Boards and their notation: a1,..,ak/b1,..,bk, each row in its own sowing order, the player to move first.
// Here a row is an array of numbers, null for a closed hole, and a board has the rows of South (0) and North (1).

export const kSouth = 0;
export const kNorth = 1;
export const other = (side) => 1 - side;

/** [row, row] as written, or null where the text is no position. Spaces may stand for commas. */
export function parseRows(text) {
  const rows = text.trim().split('/');
  if (rows.length !== 2) return null;
  const parsed = rows.map((row) => row.trim().split(/\s*,\s*|\s+/).map((pit) => {
    if (/^x$/i.test(pit)) return null;
    return /^\d{1,3}$/.test(pit) ? Number(pit) : NaN;
  }));
  if (parsed.some((row) => row.some(Number.isNaN)) || parsed[0].length !== parsed[1].length) return null;
  return parsed;
}

export const formatRow = (row) => row.map((seeds) => (seeds === null ? 'x' : seeds)).join(',');

/** The notation of a board with the given side to move. */
export const formatBoard = (rows, turn) => `${formatRow(rows[turn])}/${formatRow(rows[other(turn)])}`;

/** The rows of South and North from notation with the given side to move. */
export function boardFrom(text, turn) {
  const rows = parseRows(text);
  return rows && (turn === kSouth ? rows : [rows[1], rows[0]]);
}

export const rowSum = (row) => row.reduce((sum, seeds) => sum + (seeds ?? 0), 0);
export const boardSum = (rows) => rowSum(rows[0]) + rowSum(rows[1]);

/** Match points of Urim's family for each side: 2 for three quarters of all seeds, 1 for more than half. */
export function matchPoints(taken) {
  const total = taken[0] + taken[1];
  return taken.map((seeds) => (4 * seeds >= 3 * total ? 2 : 2 * seeds > total ? 1 : 0));
}
