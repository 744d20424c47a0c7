// Solves levels of the Urim family: all boards of 2xk pits with n seeds, level by level.
//
// Every position carries a lower bound L and an upper bound U of its value. They start at the best
// capture (or -n) and at n (or the exact value where every move captures), exact where the game is over.
// Sweeps over the level raise L and lower U from the children inside the level:
//
//   L(p) = max(best capture, max over quiet moves of -U(child))
//   U(p) = max(best capture, max over quiet moves of -L(child))
//
// until nothing changes. L is then what the mover can force if endless play were lost for him, U what
// he can force if it were won for him, so the value is L where L > 0, U where U < 0, and 0, the even
// split, otherwise. (Iterated values: van der Goot 2000; as bounds: exact in any order of updates.)
//
// This builder is plain on purpose: the sowing kernel, ranks, and two bytes a position. It is the twin
// that faster builders are tested against.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitboard/rank.h"
#include "tables/run_control.h"
#include "tables/values.h"

namespace retrosow {

// Values of the levels 0..n-1 or more, each in index order (rank.h).
using LevelValues = std::vector<std::vector<Value>>;

class LevelSolver {
 public:
  // Pre: rules of the Urim family; max_seeds <= kMaxLevelSeeds (limit error otherwise).
  LevelSolver(const RuleSet& rules, unsigned pits, unsigned max_seeds);

  // Solves the level of `seeds` seeds. Pre: lower[s] is there for all s < seeds.
  // Cost: about 9 visits a position, 2 bytes a position. `on_swept(done)` counts settled positions.
  std::vector<Value> solve(unsigned seeds, std::span<const std::vector<Value>> lower,
                           const std::function<void(std::uint64_t settled)>& on_swept,
                           const RunControl& control) const;

  const MoveGenerator& generator() const { return generator_; }
  const HalfRanks& halves() const { return halves_; }
  unsigned pits() const { return halves_.pits(); }

 private:
  HalfRanks halves_;
  MoveGenerator generator_;
};

// The error for levels above kMaxLevelSeeds; `asked` is a number, perhaps of more digits than any type holds.
Error too_many_seeds(std::string_view asked);
inline Error too_many_seeds(unsigned seeds) { return too_many_seeds(std::to_string(seeds)); }

// Positions of the levels first..last together; saturates at 2^64 - 1.
std::uint64_t positions_of_levels(unsigned pits, unsigned pit_limit, unsigned first, unsigned last);

// Memory that solving all levels up to `seeds` in memory takes, in bytes.
std::uint64_t level_solver_memory(unsigned pits, unsigned pit_limit, unsigned seeds);

// Levels in memory as a source of values.
class LevelSource : public ValueSource {
 public:
  LevelSource(const HalfRanks& halves, const LevelValues& levels);
  std::optional<int> value(const Position& position, Shape shape) const override;

 private:
  std::vector<LevelRanks> ranks_;
  const LevelValues* levels_;
};

}  // namespace retrosow
