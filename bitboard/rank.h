// Ranks: a bijection between the boards of a level and 0 .. size - 1.
//
// A level is all boards of 2xk pits with n seeds and no pit above the limit. Cut a board into the
// opponent's half B (b1..bk) and the mover's half A (a1..ak). Halves with the same number of seeds are
// ranked in lexicographic order of their pits, first pit first. The index of a board is
//
//   base(b) + rank(B) * count(n - b) + rank(A),     b = seeds in B, 0 <= b <= n
//
// with count(s) = halves of s seeds, and base(b) = boards with fewer than b seeds in B. So the
// opponent's half leads: all boards with one B are a contiguous run, and all children of the boards
// with one A lie in at most k such runs, since A with its pit sown leads the child.
//
// Example, 2x1, n = 2: 2/0 -> 0, 1/1 -> 1, 0/2 -> 2.
// Example, 2x2, n = 1: b = 0: 0,1/0,0 -> 0, 1,0/0,0 -> 1; b = 1: 0,0/0,1 -> 2, 0,0/1,0 -> 3.
//
// The index order is part of the table format and of every digest.
// Cost: 2k table look-ups to rank, 2k short searches to unrank. Thread: const use is safe.
#pragma once

#include <cstdint>
#include <vector>

#include "bitboard/position.h"

namespace retrosow {

using LevelIndex = std::uint64_t;

inline constexpr unsigned kMaxLevelSeeds = 127;  // values are signed bytes

// The halves of k pits by number of seeds: counts, ranks, unranks. Needs no level.
class HalfRanks {
 public:
  // Pre: 1 <= pits <= kMaxPits, max_seeds <= kMaxLevelSeeds. pit_limit 0 = none.
  HalfRanks(unsigned pits, unsigned pit_limit, unsigned max_seeds);

  unsigned pits() const { return pits_; }
  unsigned pit_limit() const { return pit_limit_; }
  unsigned max_seeds() const { return max_seeds_; }
  // Halves with this many seeds. Fits: C(134, 7) at most.
  std::uint64_t count(unsigned seeds) const { return counts_[pits_ * (max_seeds_ + 1) + seeds]; }

  // `first_lane` is the lane of the half's first pit; its pits follow in descending lanes.
  std::uint64_t rank(const Position& p, unsigned first_lane, unsigned seeds) const {
    std::uint64_t rank = 0;
    for (unsigned i = 0; i + 1 < pits_; ++i) {
      const unsigned here = p.lanes[first_lane - i];
      rank += below_[(i * (max_seeds_ + 1) + seeds) * (max_seeds_ + 1) + here];
      seeds -= here;
    }
    return rank;
  }
  void unrank(std::uint64_t rank, unsigned seeds, Position& p, unsigned first_lane) const;

 private:
  unsigned pits_, pit_limit_, max_seeds_;
  // counts_[j][s]: ways to lay s seeds in j pits; below_[i][s][h]: ways to lay s seeds from pit i on
  // with fewer than h in pit i.
  std::vector<std::uint64_t> counts_, below_;
};

// One level of 2xk boards.
class LevelRanks {
 public:
  // Pre: seeds <= halves.max_seeds(); `halves` outlives this.
  // Fails: limit error if the level has more boards than a LevelIndex counts.
  LevelRanks(const HalfRanks& halves, unsigned seeds);

  unsigned seeds() const { return seeds_; }
  LevelIndex size() const { return base_.back(); }

  // Pre: `p` is a board of this level.
  LevelIndex rank(const Position& p) const;
  // Pre: index < size().
  Position unrank(LevelIndex index) const;

 private:
  const HalfRanks* halves_;
  unsigned seeds_;
  std::vector<LevelIndex> base_;  // seeds_ + 2 entries
};

// The number of boards of a level, or nullopt-like saturation at 2^64 - 1. Cost: k n^2.
LevelIndex level_size(unsigned pits, unsigned pit_limit, unsigned seeds);

}  // namespace retrosow
