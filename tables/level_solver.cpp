#include "tables/level_solver.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace retrosow {
namespace {

constexpr std::uint64_t kSaturated = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) { return a > kSaturated - b ? kSaturated : a + b; }

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kSaturated / b ? kSaturated : a * b;
}

// All halves with `seeds` seeds in rank order, as lanes: byte 0 is the half's last pit.
std::vector<std::uint64_t> list_halves(const HalfRanks& halves, unsigned seeds) {
  std::vector<std::uint64_t> list(halves.count(seeds));
  for (std::uint64_t rank = 0; rank < list.size(); ++rank) {
    Position p;
    halves.unrank(rank, seeds, p, halves.pits() - 1);
    list[rank] = p.low();
  }
  return list;
}

// Calls visit(index, position) for all boards of a level in index order.
class LevelBoards {
 public:
  LevelBoards(const HalfRanks& halves, unsigned seeds) : pits_(halves.pits()), seeds_(seeds) {
    for (unsigned s = 0; s <= seeds; ++s) lists_.push_back(list_halves(halves, s));
  }

  template <typename F>
  void visit(F&& f) const {
    LevelIndex index = 0;
    for (unsigned b = 0; b <= seeds_; ++b) {
      for (const std::uint64_t opponent : lists_[b]) {
        for (const std::uint64_t mover : lists_[seeds_ - b]) {
          Position p;
          std::memcpy(p.lanes.data(), &opponent, 8);
          std::memcpy(p.lanes.data() + pits_, &mover, pits_);
          f(index++, p);
        }
      }
    }
  }

 private:
  unsigned pits_, seeds_;
  std::vector<std::vector<std::uint64_t>> lists_;
};

}  // namespace

LevelSolver::LevelSolver(const RuleSet& rules, unsigned pits, unsigned max_seeds)
    : halves_(pits, rules.pit_limit,
              max_seeds <= kMaxLevelSeeds
                  ? max_seeds
                  : throw too_many_seeds(max_seeds)),
      generator_(rules, {static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)}) {
  assert(family_of(rules.game) == Family::kUrim);
}

std::vector<Value> LevelSolver::solve(unsigned seeds, std::span<const std::vector<Value>> lower,
                                      const std::function<void(std::uint64_t)>& on_swept,
                                      const RunControl& control) const {
  const LevelRanks ranks(halves_, seeds);
  std::vector<LevelRanks> lower_ranks;
  for (unsigned s = 0; s < seeds; ++s) lower_ranks.emplace_back(halves_, s);
  const LevelBoards boards(halves_, seeds);
  const Shape shape{static_cast<std::uint8_t>(pits()), static_cast<std::uint8_t>(pits())};
  const Value worst = static_cast<Value>(-static_cast<int>(seeds)), best = static_cast<Value>(seeds);

  std::vector<Value> low(ranks.size(), worst), high(ranks.size(), best);
  std::uint64_t settled = 0;
  MoveList list;
  const auto tick = [&](LevelIndex index) {
    if ((index & 0x3fff) != 0) return;
    control.check_stop();
    if (on_swept) on_swept(settled);
  };

  // First pass: ends and captures.
  boards.visit([&](LevelIndex index, const Position& p) {
    tick(index);
    generator_.generate(p, shape, list);
    if (list.legal == 0) {
      low[index] = high[index] = static_cast<Value>(generator_.end(p, shape).value());
      ++settled;
      return;
    }
    bool quiet_moves = false;
    int capture = worst;
    for_each_move(list, [&](unsigned slot) {
      const unsigned captured = list.captured[slot];
      if (captured == 0) {
        quiet_moves = true;
        return;
      }
      const unsigned left = seeds - captured;
      const int child = lower[left][lower_ranks[left].rank(list.result[slot])];
      capture = std::max(capture, static_cast<int>(captured) - child);
    });
    low[index] = static_cast<Value>(capture);
    if (!quiet_moves) high[index] = low[index];
    settled += low[index] == high[index] ? 1U : 0U;
  });

  // Sweeps. A bound starts from the exits, so the exits need no second look.
  for (bool changed = true; changed;) {
    changed = false;
    boards.visit([&](LevelIndex index, const Position& p) {
      tick(index);
      if (low[index] == high[index]) return;
      generator_.generate(p, shape, list);
      int l = low[index], h = l;
      for_each_move(list, [&](unsigned slot) {
        if (list.captured[slot] != 0) return;
        const LevelIndex child = ranks.rank(list.result[slot]);
        l = std::max(l, -int{high[child]});
        h = std::max(h, -int{low[child]});
      });
      h = std::max(h, l);
      if (l == low[index] && h == high[index]) return;
      changed = true;
      low[index] = static_cast<Value>(l);
      high[index] = static_cast<Value>(h);
      settled += l == h ? 1U : 0U;
    });
  }
  for (LevelIndex i = 0; i < ranks.size(); ++i) {
    low[i] = low[i] > 0 ? low[i] : high[i] < 0 ? high[i] : Value{0};
  }
  if (on_swept) on_swept(ranks.size());
  return low;
}

Error too_many_seeds(std::string_view asked) {
  return limit_error("levels above " + std::to_string(kMaxLevelSeeds) + " seeds do not fit a table; asked for " +
                     std::string(asked));
}

std::uint64_t positions_of_levels(unsigned pits, unsigned pit_limit, unsigned first, unsigned last) {
  if (first > last) return 0;
  const HalfRanks halves(pits, pit_limit, last);
  std::uint64_t positions = 0;
  for (unsigned s = first; s <= last; ++s) {
    for (unsigned b = 0; b <= s; ++b) {
      positions = saturating_add(positions, saturating_multiply(halves.count(b), halves.count(s - b)));
    }
  }
  return positions;
}

std::uint64_t level_solver_memory(unsigned pits, unsigned pit_limit, unsigned seeds) {
  // All levels at one byte, the one in work at two, its list of halves, and the ranks.
  std::uint64_t bytes = std::uint64_t{pits} * (seeds + 1) * (seeds + 1) * 8 + (std::uint64_t{1} << 20);
  bytes = saturating_add(bytes, positions_of_levels(pits, pit_limit, 0, seeds));
  bytes = saturating_add(bytes, level_size(pits, pit_limit, seeds));
  const HalfRanks halves(pits, pit_limit, seeds);
  for (unsigned s = 0; s <= seeds; ++s) bytes = saturating_add(bytes, 8 * halves.count(s));
  return bytes;
}

LevelSource::LevelSource(const HalfRanks& halves, const LevelValues& levels) : levels_(&levels) {
  for (unsigned s = 0; s < levels.size(); ++s) ranks_.emplace_back(halves, s);
}

std::optional<int> LevelSource::value(const Position& position, Shape) const {
  const unsigned seeds = total_seeds(position);
  if (seeds >= levels_->size()) return std::nullopt;
  return (*levels_)[seeds][ranks_[seeds].rank(position)];
}

}  // namespace retrosow
