#include "bitboard/rank.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>

#include "bitboard/error.h"

namespace retrosow {
namespace {

constexpr std::uint64_t kSaturated = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) { return a > kSaturated - b ? kSaturated : a + b; }

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kSaturated / b ? kSaturated : a * b;
}

}  // namespace

HalfRanks::HalfRanks(unsigned pits, unsigned pit_limit, unsigned max_seeds)
    : pits_(pits), pit_limit_(pit_limit), max_seeds_(max_seeds) {
  const unsigned width = max_seeds + 1;
  const unsigned limit = pit_limit == 0 ? max_seeds : std::min(pit_limit, max_seeds);
  counts_.assign(std::size_t{pits + 1} * width, 0);
  counts_[0] = 1;
  for (unsigned j = 1; j <= pits; ++j) {
    for (unsigned s = 0; s < width; ++s) {
      for (unsigned here = 0; here <= std::min(s, limit); ++here) {
        counts_[j * width + s] += counts_[(j - 1) * width + s - here];
      }
    }
  }
  below_.assign(std::size_t{pits} * width * width, 0);
  for (unsigned i = 0; i < pits; ++i) {
    const std::uint64_t* behind = &counts_[(pits - 1 - i) * width];
    for (unsigned s = 0; s < width; ++s) {
      std::uint64_t* below = &below_[(i * width + s) * width];
      for (unsigned here = 1; here <= s; ++here) {
        below[here] = below[here - 1] + (here - 1 <= limit ? behind[s - (here - 1)] : 0);
      }
    }
  }
}

void HalfRanks::unrank(std::uint64_t rank, unsigned seeds, Position& p, unsigned first_lane) const {
  const unsigned width = max_seeds_ + 1;
  for (unsigned i = 0; i + 1 < pits_; ++i) {
    const std::uint64_t* below = &below_[(i * width + seeds) * width];
    unsigned here = 0;
    while (here < seeds && below[here + 1] <= rank) ++here;
    rank -= below[here];
    p.lanes[first_lane - i] = static_cast<std::uint8_t>(here);
    seeds -= here;
  }
  p.lanes[first_lane - (pits_ - 1)] = static_cast<std::uint8_t>(seeds);
}

LevelRanks::LevelRanks(const HalfRanks& halves, unsigned seeds) : halves_(&halves), seeds_(seeds) {
  assert(seeds <= halves.max_seeds());
  base_.reserve(seeds + 2);
  base_.push_back(0);
  for (unsigned b = 0; b <= seeds; ++b) {
    const std::uint64_t boards = saturating_multiply(halves.count(b), halves.count(seeds - b));
    base_.push_back(saturating_add(base_.back(), boards));
  }
  if (base_.back() == kSaturated) {
    throw limit_error("level " + std::to_string(seeds) + " of 2x" + std::to_string(halves.pits()) +
                      " has more boards than an index of 64 bits counts");
  }
}

LevelIndex LevelRanks::rank(const Position& p) const {
  const unsigned k = halves_->pits();
  unsigned b = 0;
  for (unsigned lane = 0; lane < k; ++lane) b += p.lanes[lane];
  const unsigned a = seeds_ - b;
  return base_[b] + halves_->rank(p, k - 1, b) * halves_->count(a) + halves_->rank(p, 2 * k - 1, a);
}

Position LevelRanks::unrank(LevelIndex index) const {
  assert(index < size());
  const unsigned k = halves_->pits();
  // The last b whose base is not above the index; bases of empty runs repeat, so take the last of them.
  const auto above = std::upper_bound(base_.begin(), base_.end(), index);
  const unsigned b = static_cast<unsigned>(above - base_.begin()) - 1;
  const std::uint64_t offset = index - base_[b];
  const std::uint64_t row = halves_->count(seeds_ - b);
  Position p;
  halves_->unrank(offset / row, b, p, k - 1);
  halves_->unrank(offset % row, seeds_ - b, p, 2 * k - 1);
  return p;
}

LevelIndex level_size(unsigned pits, unsigned pit_limit, unsigned seeds) {
  const HalfRanks halves(pits, pit_limit, seeds);
  LevelIndex size = 0;
  for (unsigned b = 0; b <= seeds; ++b) {
    size = saturating_add(size, saturating_multiply(halves.count(b), halves.count(seeds - b)));
  }
  return size;
}

}  // namespace retrosow
