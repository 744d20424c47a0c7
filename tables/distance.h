// Distances of a level of the Urim family: plies to the next capture or the end, under play that keeps the value, the
// winner hurrying and the loser delaying (FORMAT.md). Values come first; this is a second pass, in waves by ply.
//
// A position has one 32-bit word:
//
//   bits 0-7    value + 128
//   bits 8-11   open      lost positions: value-keeping quiet moves whose child's distance is not known yet
//   bit  12     linked    some predecessors stand in the list of links
//   bit  13     keeps     lost positions: some capture keeps the value
//   bits 16-31  distance  kNoDistance while it is not known, and where there is none
//
// 1. The forward pass again: its best capture says whether a won position has a capture that keeps the
//    value (distance 1), and which games are over (distance 0).
// 2. Every won position counts up `open` in its predecessors that it is the best for. A lost position that none
//    counted up, and that is not over, keeps its value by capturing alone: distance 1.
// 3. Wave d = 0, 1, 2 ...: the positions at distance d tell the predecessors they are best for. One that is won
//    and has no distance gets d + 1, since all shorter ones are known; one that is lost has one open move less, and
//    gets d + 1 with the last.
//
// Waves go through the update queues, so the words are written by one worker at a time and the result does not depend
// on their number. A region is looked through only for waves that have left something in it.
// Memory: 4 bytes a position, and the queues.
#pragma once

#include <vector>

#include "tables/huge_array.h"
#include "tables/level_graph.h"
#include "tables/lower_levels.h"
#include "tables/run_control.h"

namespace retrosow {

struct DistanceStats {
  double forward_seconds = 0, count_seconds = 0, wave_seconds = 0;
  unsigned longest = 0;      // plies
  std::uint64_t rounds = 0;  // of the update queues
};

class DistanceLevel {
 public:
  using ValueReader = std::function<void(LevelIndex first, std::span<Value> out)>;

  // As RetrogradeLevel. `values` gives the values of the level itself, from any thread.
  DistanceLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds, LowerLevels& lower,
                ValueReader values, unsigned threads);

  // Fails: corrupt error if some position of another value than 0 gets no distance, so that the values cannot be right
  // (verify.h finds all that is wrong); limit error for
  // distances of 65535 plies and more; interrupted error.
  void solve(const std::function<void(double)>& on_done, const RunControl& control);

  LevelIndex size() const { return size_; }
  // Distances from index `first` on. Pre: solved.
  void copy_distances(LevelIndex first, std::span<std::uint16_t> out) const;
  const DistanceStats& stats() const { return stats_; }

  static std::uint64_t memory_bytes(LevelIndex size, unsigned threads);

 private:
  void read_values(const RunControl& control);

  const RuleSet& rules_;
  const HalfBoard& half_board_;
  unsigned seeds_;
  LowerLevels& lower_;
  ValueReader values_;
  unsigned threads_;
  LevelBases bases_;
  LevelIndex size_;
  HugeArray<std::uint32_t> words_;
  DistanceStats stats_;
};

}  // namespace retrosow
