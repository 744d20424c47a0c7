// Proof of finished tables from the rules alone: what `retrosow verify` does.
//
// One pass over all positions of all levels, with the portable move kernel and ranks; nothing of the
// builder's half-board tables is used. For every position:
//
//   game over    the value is the end's
//   otherwise    the value is the best move's: max over moves of captured - value(child)
//   value > 0    distance = 1 + the least distance over value-keeping moves
//   value < 0    distance = 1 + the greatest distance over value-keeping moves
//   value = 0    no distance
//
// where a capture counts as distance 0 behind it, and a board where the game is over has distance 0 (none if
// its value is 0).
//
// Why that is a proof, by induction over the levels. Let the value be v > 0, and the mover play a
// value-keeping move of least distance whenever he is in turn. A move of the opponent that keeps the value
// leads to a distance one less or lower; one that does not keep it raises what the mover gets, which
// happens finitely often in a level. So after finitely many plies there is a capture or the end, and the mover
// gets v at least. The opponent, always keeping the value, loses v at most: at a capture by induction, at
// the end by the rules, and endless play costs him nothing. Where v = 0, both sides keep the value, and endless play gives
// it as well. Values alone can be consistent and wrong, because moves can go round.
//
// Memory: 1 byte (values) and 2 bytes (distances) a position of the level in work, as far as memory_bytes
// allows; with less, blocks are decoded again.
//
// Rounds. The same holds of every position of a round, an exit being a move that takes stones or an endless sow
// (worth what it won net). What is more, the positions themselves are proved to be those that can be reached: the
// root is there, every child of one that was reached is there, and none is left over. So positions are
// looked at in the order in which they are reached, from the root's level downwards.
// Memory: 20 bytes a position of the whole round, and 16 of its largest level, which must fit.
#pragma once

#include <string>
#include <vector>

#include "tables/table_file.h"

namespace retrosow {

struct VerifyOptions {
  std::uint64_t memory_bytes = 0;  // for decoded tables; 0: no limit
  unsigned threads = 0;            // workers; 0 = all cores
  std::size_t max_faults = 100;    // listed; all are counted
  RunControl control;
};

struct VerifyFault {
  unsigned seeds = 0;
  LevelIndex index = 0;
  Position position;
  Shape shape;       // of the position
  std::string what;  // "value 3, the best move has 2"
};

struct VerifiedLevel {
  unsigned seeds = 0;
  std::uint64_t positions = 0;
  std::uint64_t faults = 0;
  bool distances = false;  // there were distances, and they were checked
  Digest digest;           // of the values, recomputed from them
  double seconds = 0;
};

struct Verification {
  bool proved = false;  // every level from 0 on has distances, and there is no fault
  std::vector<VerifiedLevel> levels;
  std::vector<VerifyFault> faults;  // the first ones of each level, by index
  std::uint64_t fault_count = 0;
};

// Verifies all levels of 2xk boards under `rules` in the folder.
// Fails: io error if there is none, or a lower level is missing; the error of the file where a fault of the folder is
// why it is; corrupt error that names a damaged file; interrupted error.
Verification verify_levels(const TableFolder& folder, const RuleSet& rules, unsigned pits,
                           const VerifyOptions& options);

// Of the guarantees of a folder: one pass over all positions, and sweeps over those that are not proved yet.
//
// The pass: every pair must be what the moves make of the pairs behind them,
//
//   mover    = max over moves of captured + opponent(child)        game over: what each gets
//   opponent = min over moves of mover(child)
//
// What is true is the least of all solutions, so no number is too small then. That none is too large is what the sweeps
// find: a number is *grounded* if it is 0 or the end's, or
//
//   mover     some move leads, by a capture or to a grounded number, to all of it
//   opponent  every move that captures nothing leads to a grounded number
//
// By induction over the order in which numbers are found to be grounded, the side can force them: a cycle grounds nothing,
// and lower levels are proved before. Conversely, every number that is true can be grounded: from the highest down, and
// for each in the order of the plies that it takes. So what is left over is wrong, and if nothing is, that is a proof. It
// needs no distances, and no values.
//
// Memory: 3 bytes a position of the level in work, and the decoded blocks of lower levels within memory_bytes.
struct VerifiedGuarantees {
  std::size_t levels = 0;  // 0: there are none
  std::uint64_t positions = 0;
  std::uint64_t fault_count = 0;
  std::vector<VerifyFault> faults;  // the first ones of each level, by index
  double seconds = 0;
};

// Fails: io error if a lower level is missing; corrupt error that names a damaged file; interrupted error.
VerifiedGuarantees verify_guarantees(const TableFolder& folder, const RuleSet& rules, unsigned pits,
                                     const VerifyOptions& options);

// The first ones by index, sorted.
void keep_first(std::vector<VerifyFault>& faults, std::size_t count);

// Verifies the round from `root`.
// Fails: as verify_levels; limit error where it does not fit into memory_bytes.
Verification verify_round(const TableFolder& folder, const RuleSet& rules, const Position& root, Shape shape,
                          const VerifyOptions& options);

}  // namespace retrosow
