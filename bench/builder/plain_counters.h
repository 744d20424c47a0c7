// The common way of building endgame tables, to compare ours with: a best value, a counter of open moves and a mark for each
// position, predecessors by taking seeds back pit by pit, every child ranked. One thread, positions in memory.
//
// Moves in which some pit is at the pit limit, before or after, are not taken back but kept as explicit links.
// Source: retrograde analysis with counters: Thompson 1986; Awari: Romein and Bal 2003.
#pragma once

#include <vector>

#include "bitboard/moves.h"
#include "bitboard/rank.h"
#include "tables/values.h"

namespace retrosow::bench {

class PlainCounters {
 public:
  // Pre: rules of the Urim family; max_seeds <= kMaxLevelSeeds.
  PlainCounters(const RuleSet& rules, unsigned pits, unsigned max_seeds);

  // Values of a level, in index order. Pre: lower[s] is there for all s < seeds.
  std::vector<Value> solve(unsigned seeds, const std::vector<std::vector<Value>>& lower) const;

 private:
  HalfRanks halves_;
  Shape shape_;
  MoveGenerator generator_;
};

}  // namespace retrosow::bench
