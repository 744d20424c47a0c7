// Guarantees of a level of the Urim family: the seeds that each side can be sure of, however the other plays, without any
// word on what endless play is worth (struct Guarantee in values.h; FORMAT.md has the definition).
//
//   mover(p)    = max over moves of  captured + opponent(child)      where the game is over: what he gets then
//   opponent(p) = min over moves of  mover(child)                    the same
//
// Among the solutions the least one: what is never taken is nobody's. So it is not one number and its negative, as the
// value is, but two, and each of them is a question of reaching something ("at least s seeds"), which counters answer.
//
// A position has one 32-bit word:
//
//   bits 0-6    mover     the most known so far, at first by captures: captured + opponent(child)
//   bits 8-14   opponent  the least by captures: mover(child); where it is told, the answer
//   bits 16-19  open      quiet moves whose child's `mover` is not known yet
//   bit  20     linked    some predecessors stand in the list of explicit links
//   bit  21     told      `mover` is known, and has been, or will be, told
//   bit  22     closed    `opponent` is known, and has been, or will be, told
//   bits 23,24  spilled   `mover`, `opponent` have not been told yet
//
// Two forward passes (forward.h) give the captures of each side, from differences in which endless play counts as if
// the opponent, or the mover, took all that is left. Then for s = n .. 1: a position whose `mover` is s is told; that closes
// moves of its predecessors, and one with no open move left has for the opponent the least of s and its captures; that in
// turn raises `mover` of its predecessors. What is not told in the end is 0.
//
// Why s descends: once all positions whose `mover`, or `opponent`, is s or more are known, an open child is worth less
// than s, so a maximum that has reached s cannot be beaten any more, and a minimum closed by s is no less.
// As in retrograde.h, the set of what becomes known for one s is the same in every order of work.
//
// Memory: 4 bytes a position, the links, and the update queues.
// Source: the pair is what published Oware tables store, since a repeated position there makes values depend on the
// history of a game (jh85/smallgames, oware/README.md, 2026: gM and gN, found by iteration).
#pragma once

#include <cstdint>
#include <vector>

#include "tables/huge_array.h"
#include "tables/level_graph.h"
#include "tables/lower_levels.h"
#include "tables/run_control.h"

namespace retrosow {

struct GuaranteeStats {
  double forward_seconds = 0, backward_seconds = 0;
  std::uint64_t rounds = 0;  // of the update queues
};

class GuaranteeLevel {
 public:
  // As RetrogradeLevel. `least` and `greatest` give least_difference and greatest_difference of all lower levels.
  GuaranteeLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds, LowerLevels& least,
                 LowerLevels& greatest, unsigned threads);

  void solve(const std::function<void(double)>& on_done, const RunControl& control);

  LevelIndex size() const { return size_; }
  // Guarantees from index `first` on. Pre: solved.
  void copy_guarantees(LevelIndex first, std::span<Guarantee> out) const;
  const GuaranteeStats& stats() const { return stats_; }

  static std::uint64_t memory_bytes(LevelIndex size, unsigned threads);

 private:
  void forward(const std::function<void(double)>& on_done, const RunControl& control);
  void backward(const std::function<void(double)>& on_done, const RunControl& control);

  const RuleSet& rules_;
  const HalfBoard& half_board_;
  unsigned seeds_;
  LowerLevels& least_;
  LowerLevels& greatest_;
  unsigned threads_;
  LevelBases bases_;
  LevelIndex size_;
  HugeArray<std::uint32_t> words_;
  std::vector<Link> links_;  // sorted
  GuaranteeStats stats_;
};

}  // namespace retrosow
