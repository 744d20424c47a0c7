// Retrograde: solves a level of the Urim family by counters, on half-board tables, in parallel.
//
// A position has one 16-bit word:
//
//   bits 0-7   best    the best known outcome of its moves + 128; 0 = none known yet
//   bits 8-11  open    quiet moves whose child is not known yet
//   bit  12    final   its value is known (best - 128) and has been, or will be, told its predecessors
//   bit  13    linked  some predecessors stand in the list of explicit links
//   bit  14    spilled final, but its predecessors have not been told yet
//   bit  15    over    the game is over
//
// The forward pass leaves the best capture and the number of quiet moves in every position. Then for t = n .. 1: a
// position whose best is t, or whose moves are all known, is final, and tells its predecessors: best = max(best,
// -value), one open move less. When t has run through, whatever is not final has the value 0: neither side can force anything, play goes
// round (endless play is an even split).
//
// Why t descends: once all positions worth t or more, and -t or less, are known, an open child can be
// worth no less than 1 - t to its mover, so a best of t - 1 cannot be beaten any more.
//
// Memory: 2 bytes a position, the links, and the update queues.
// Parallel: words are changed by one worker at a time, region by region (update_queues.h), in an order that differs
// from run to run. For one t the set of positions
// that turn final is the same in every order: updates only raise best and lower open, each child is told
// once, and best cannot rise above t. A position that turns final with all moves known has the best of all of
// them; one that has reached t keeps t. So the values do not depend on the order.
// Source: retrograde analysis with counters: Thompson 1986; for Awari: Romein and Bal 2003. The
// half-board decomposition: README.md, section "How it works".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tables/huge_array.h"
#include "tables/level_graph.h"
#include "tables/lower_levels.h"
#include "tables/run_control.h"

namespace retrosow {

struct RetrogradeStats {
  double forward_seconds = 0, backward_seconds = 0;
  std::uint64_t links = 0;      // explicit links
  std::uint64_t rounds = 0;     // of the update queues
  std::uint64_t queue_bytes = 0;
};

// Positions of one level under solution.
class RetrogradeLevel {
 public:
  // `half_board` must cover `seeds`; all lower levels are in `lower`. `threads` workers.
  RetrogradeLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds, LowerLevels& lower,
                  unsigned threads);

  // `on_done(share)` is called now and then with 0..1, from any worker, one at a time.
  void solve(const std::function<void(double)>& on_done, const RunControl& control);

  LevelIndex size() const { return size_; }
  // Values from index `first` on. Pre: solved.
  void copy_values(LevelIndex first, std::span<Value> out) const;
  const RetrogradeStats& stats() const { return stats_; }
  // Memory of a level under solution: 2 bytes a position and the queues.
  static std::uint64_t memory_bytes(LevelIndex size, unsigned threads);

 private:
  void forward(const std::function<void(double)>& on_done, const RunControl& control);
  void backward(const std::function<void(double)>& on_done, const RunControl& control);

  const RuleSet& rules_;
  const HalfBoard& half_board_;
  unsigned seeds_;
  LowerLevels& lower_;
  unsigned threads_;
  LevelBases bases_;
  LevelIndex size_;
  HugeArray<std::uint16_t> words_;
  std::vector<Link> links_;  // sorted
  RetrogradeStats stats_;
};

}  // namespace retrosow
