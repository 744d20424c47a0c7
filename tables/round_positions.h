// Everything that can be reached from a position of Rio Kadalis, as sets of keys by level.
//
// A move takes nothing or fours off the board and puts nothing on it, so levels follow each other in
// steps of four stones and are enumerated from the root's downwards. When its turn comes, a level holds all
// positions that moves from above lead to; those that its own quiet moves (moves that take nothing) add are
// found in waves: the positions of a wave are played by all workers, and what is new is the next wave.
//
// Memory: the tables of keys, 1.5 to 3 slots a position while they grow, and at most 2.4 once a level is complete; 32
// bytes for each position of a wave.
#pragma once

#include <vector>

#include "bitboard/moves.h"
#include "bitboard/rank.h"
#include "tables/key_table.h"
#include "tables/round_key.h"
#include "tables/run_control.h"

namespace retrosow {

struct RoundLevelKeys {
  unsigned seeds = 0;  // stones on the board
  KeyTable keys;
  std::uint64_t positions = 0;
  std::uint64_t moves = 0;          // legal moves of all positions
  std::uint64_t quiet_moves = 0;    // those that stay in the level
  std::uint64_t endless_moves = 0;  // holes whose sowing never ends, legal or not
};

struct RoundPositions {
  RuleSet rules;
  Position root;
  Shape shape;  // of the root
  KeyCode code;
  // By level number: level i has 4i stones fewer than the root. A level that nothing reaches is empty.
  std::vector<RoundLevelKeys> levels;
  std::uint64_t peak_bytes = 0;  // what enumerating took at most

  unsigned number_of(unsigned seeds) const { return (levels.front().seeds - seeds) / 4; }
  std::uint64_t positions() const;
  std::uint64_t moves() const;
  std::uint64_t memory_bytes() const;
};

// The levels that a round from a position with so many stones can have, without their keys.
// Fails: limit error for more than kMaxLevelSeeds stones.
RoundPositions empty_round(const RuleSet& rules, const Position& root, Shape shape);

// Progress: phase "enumerate", `done` positions played; how many there are is not known.
// Pre: rules of Rio Kadalis; the root passes validate_position.
// Fails: limit error for more than kMaxLevelSeeds stones, and before it would use more than `memory_bytes` (0: no
// limit); interrupted error.
RoundPositions enumerate_round(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes,
                               unsigned workers, const RunControl& control);

}  // namespace retrosow
