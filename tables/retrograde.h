// Retrograde: solves a level of the Urim family by counters, on half-board tables, in parallel.
//
// A position has one word of two fields (packed_words.h):
//
//   best   the best known outcome of its moves + n + 1; 0 = none known yet
//   open   quiet moves whose child is not known yet; 0 = its value is known (best) and has been, or will be, told to its
//          predecessors; all bits 1 = it is known, and they have not been told yet
//
// Up to 63 seeds and six pits a player that is 7 + 3 bits, beyond it 8 + 4.
//
// The forward pass leaves the best capture and the number of quiet moves in every position. Then for t = n .. 1: a
// position whose best is t, or whose moves are all known, is final, and tells its predecessors: best = max(best,
// -value), one open move less. When t has run through, whatever is not final has the value 0: neither side can force anything, play goes
// round (endless play is an even split).
//
// Why t descends: once all positions worth t or more, and -t or less, are known, an open child can be
// worth no less than 1 - t to its mover, so a best of t - 1 cannot be beaten any more.
//
// Memory: 10 bits a position (12 beyond 63 seeds or six pits), the links, and the update queues.
// Parallel: words are changed by one worker at a time, region by region (update_queues.h), in an order that differs
// from run to run. For one t the set of positions
// that turn final is the same in every order: updates only raise best and lower open, each child is told
// once, and best cannot rise above t. A position that turns final with all moves known has the best of all of
// them; one that has reached t keeps t. So the values do not depend on the order.
// Source: retrograde analysis with counters: Thompson 1986; for Awari: Romein and Bal 2003. The
// half-board decomposition: README.md, section "How it works".
#pragma once

#include <cstdint>

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
  // Memory of a level under solution, of `size` positions of 2 x `pits`: the words and the queues.
  static std::uint64_t memory_bytes(unsigned pits, unsigned seeds, LevelIndex size, unsigned threads);

 private:
  template <unsigned kBits>
  void solve_in(const std::function<void(double)>& on_done, const RunControl& control);
  template <unsigned kBits>
  void copy_from(LevelIndex first, std::span<Value> out) const;

  const RuleSet& rules_;
  const HalfBoard& half_board_;
  unsigned seeds_;
  LowerLevels& lower_;
  unsigned threads_;
  LevelBases bases_;
  LevelIndex size_;
  bool wide_;                      // words of 12 bits
  HugeArray<std::uint8_t> bytes_;  // of the words
  RetrogradeStats stats_;
};

}  // namespace retrosow
