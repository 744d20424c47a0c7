// Notation: a board as people write it, closed holes included.
//
//   a1,a2,..,ak/b1,b2,..,bk     the row of the player to move, then the opponent's, each in its own
//                               sowing order; `x` is a closed hole (Rio Kadalis)
//
// Spaces may stand for commas on input; output uses commas. Since a closed hole is skipped, a Board
// keeps the canonical position (open holes only) beside the set of closed ones, and pits are shown by
// their number 1..k in the written row.
//
// Example: `1,x,2/3,4,x` has shape 2 + 2, position {4,3,2,1} and closed holes 2 of the mover's row and
// 3 of the opponent's.
#pragma once

#include <string>
#include <string_view>

#include "bitboard/position.h"
#include "bitboard/rules.h"

namespace retrosow {

struct Board {
  unsigned pits = kDefaultPits;      // written pits in a row, closed ones included
  std::uint8_t mover_closed = 0;     // bit i: pit i + 1 of the row is closed
  std::uint8_t opponent_closed = 0;
  Position position;

  Shape shape() const;
  // Number 1..pits, in the written row, of the i-th open pit of the player to move.
  unsigned shown_pit(unsigned open_index) const;
  // The board after a move that led to `result` (seen by the opponent, who is to move).
  Board after(const Position& result) const;
  bool operator==(const Board&) const = default;
};

// Reads a position. `start` is start_board(rules.game, pits, seeds_per_pit).
//   pits == 0: the number of pits comes from the position (kDefaultPits for `start`).
//   seeds_per_pit only matters for `start`; the caller passes default_seeds_per_pit where none is given.
// Fails: usage error that says what is wrong and where (row and pit): bad characters, junk, rows that
//   differ in length, no pit or more than kMaxPits, a pit above the limit, a closed hole in the Urim
//   family, pits given and different. Limit error: more seeds than kMaxBoardSeeds (see position.h).
Board parse_board(const RuleSet& rules, std::string_view text, unsigned pits, unsigned seeds_per_pit);

Board start_board(const RuleSet& rules, unsigned pits, unsigned seeds_per_pit);

std::string format_board(const Board& board);
// The same without closed holes; the rows may differ in length.
std::string format_position(const Position& position, Shape shape);

// Fails: like parse_board, for a position that did not come from text.
void validate_position(const RuleSet& rules, const Position& position, Shape shape);

// A whole number without sign, spaces or junk, in lo..hi. Fails: usage error that names `what`.
unsigned parse_number(std::string_view what, std::string_view text, unsigned lo, unsigned hi);

}  // namespace retrosow
