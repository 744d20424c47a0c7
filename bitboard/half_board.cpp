#include "bitboard/half_board.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>

#include "bitboard/error.h"

namespace retrosow {
namespace {

// A half as counts, first pit first.
using Half = std::array<unsigned, kMaxPits>;

Half unpack(std::uint64_t lanes, unsigned pits) {
  Half half{};
  for (unsigned i = 0; i < pits; ++i) half[i] = static_cast<unsigned>(lanes >> (8 * (pits - 1 - i))) & 0xff;
  return half;
}

std::uint32_t rank_of(const HalfRanks& ranks, const Half& half, unsigned seeds) {
  Position p;
  for (unsigned i = 0; i < ranks.pits(); ++i) p.lanes[ranks.pits() - 1 - i] = static_cast<std::uint8_t>(half[i]);
  return static_cast<std::uint32_t>(ranks.rank(p, ranks.pits() - 1, seeds));
}

struct Sowing {
  Half half;
  unsigned kept = 0;  // seeds in it
  Crossing crossing;
};

// Sows pit `pit` of A, every pit of B taking one seed on each pass. Nothing if A alone makes it illegal.
std::optional<Sowing> sow_from(const RuleSet& rules, const Half& a, unsigned pits, unsigned pit) {
  Sowing sowing;
  sowing.half = a;
  unsigned seeds = a[pit];
  sowing.half[pit] = 0;
  unsigned crossed = 0;
  bool lands = false;
  for (unsigned at = pit + 1; seeds > 0; at = at + 1 == 2 * pits ? 0 : at + 1) {
    if (at == pit) continue;
    if (at >= pits) {
      ++crossed;
      lands = true;
    } else {
      if (rules.pit_limit != 0 && sowing.half[at] >= rules.pit_limit) {
        if (rules.pit_limit_rule == PitLimitRule::kForbid) return std::nullopt;
        continue;
      }
      ++sowing.half[at];
      lands = false;
    }
    --seeds;
  }
  for (unsigned i = 0; i < pits; ++i) sowing.kept += sowing.half[i];
  sowing.crossing = {static_cast<std::uint8_t>(crossed), lands};
  return sowing;
}

struct Received {
  Half half;
  unsigned captured = 0;
  bool illegal = false, coupled = false, starves = false;
};

// Drops the seeds of a crossing into B and captures.
Received receive(const RuleSet& rules, const Half& b, unsigned pits, Crossing crossing) {
  Received received;
  received.half = b;
  unsigned last = pits;
  bool full = false;  // met a pit that could not take its seed
  unsigned dropped = 0;
  for (unsigned at = 0; at < pits && dropped < crossing.seeds; ++at) {
    // On one pass a full pit is passed over and the seed goes to the next one.
    if (rules.pit_limit != 0 && received.half[at] >= rules.pit_limit) {
      full = true;
      continue;
    }
    ++received.half[at];
    ++dropped;
    last = at;
  }
  const bool one_pass = crossing.lands && crossing.seeds <= pits;
  if (!one_pass && !full) {
    // Further passes: pit j gets the j-th seed of each.
    while (dropped < crossing.seeds && !full) {
      const unsigned at = dropped % pits;
      full = rules.pit_limit != 0 && received.half[at] >= rules.pit_limit;
      if (full) break;
      ++received.half[at];
      ++dropped;
      last = at;
    }
  }
  if (full && rules.pit_limit_rule == PitLimitRule::kForbid) {
    received.illegal = true;
    return received;
  }
  if (dropped < crossing.seeds || (full && !one_pass)) {
    received.coupled = true;
    return received;
  }
  const Half sown = received.half;
  if (crossing.lands && rules.trigger.contains(sown[last])) {
    unsigned at = last;
    do {
      received.captured += received.half[at];
      received.half[at] = 0;
    } while (at-- > 0 && rules.chain.contains(received.half[at]));
  }
  const bool empty = std::all_of(received.half.begin(), received.half.end(), [](unsigned s) { return s == 0; });
  const bool slam = received.captured > 0 && empty;
  received.starves = empty;
  if (slam && !is_inert(rules, "grand-slam")) {
    if (rules.grand_slam == GrandSlam::kForbid) received.illegal = true;
    if (rules.grand_slam == GrandSlam::kLeave) {
      received.half = sown;
      received.captured = 0;
      received.starves = false;
    }
  }
  return received;
}

}  // namespace

HalfBoard::HalfBoard(const RuleSet& rules, unsigned pits, unsigned max_seeds,
                     const std::function<void()>& check_stop)
    : ranks_(pits, rules.pit_limit, max_seeds) {
  refuse_too_large(rules, pits, max_seeds);
  first_id_.push_back(0);
  for (unsigned s = 0; s <= max_seeds; ++s) {
    first_id_.push_back(first_id_.back() + static_cast<std::uint32_t>(ranks_.count(s)));
  }
  lanes_.reserve(halves());
  for (unsigned s = 0; s <= max_seeds; ++s) {
    if (check_stop) check_stop();
    for (std::uint32_t rank = 0; rank < count(s); ++rank) {
      Position p;
      ranks_.unrank(rank, s, p, pits - 1);
      lanes_.push_back(p.low());
    }
  }
  find_sower_moves(rules, check_stop);
  find_receptions(rules, check_stop);
  list_sowers();
}

void HalfBoard::find_sower_moves(const RuleSet& rules, const std::function<void()>& check_stop) {
  const unsigned k = pits();
  moves_.assign(std::size_t{halves()} * k, {});
  move_count_.assign(halves(), 0);
  std::array<std::array<std::uint8_t, 2>, 256> known{};  // crossing index + 1 by seeds and lands
  for (std::uint32_t id = 0; id < halves(); ++id) {
    if (id % 65536 == 0 && check_stop) check_stop();
    const Half half = unpack(lanes_[id], k);
    for (unsigned pit = 0; pit < k; ++pit) {
      if (half[pit] == 0) continue;
      const std::optional<Sowing> sowing = sow_from(rules, half, k, pit);
      if (!sowing) continue;
      std::uint8_t& index = known[sowing->crossing.seeds][sowing->crossing.lands ? 1 : 0];
      if (index == 0) {
        crossings_.push_back(sowing->crossing);
        index = static_cast<std::uint8_t>(crossings_.size());
      }
      SowerMove& move = moves_[std::size_t{id} * k + move_count_[id]++];
      move.rank = rank_of(ranks_, sowing->half, sowing->kept);
      move.seeds = static_cast<std::uint8_t>(sowing->kept);
      move.crossing = static_cast<std::uint8_t>(index - 1);
      move.pit = static_cast<std::uint8_t>(pit);
    }
  }
}

void HalfBoard::find_receptions(const RuleSet& rules, const std::function<void()>& check_stop) {
  const unsigned k = pits();
  const unsigned max_seeds = ranks_.max_seeds();
  special_.resize(crossings_.size() * (max_seeds + 1));
  origins_.assign(std::size_t{halves()} * origin_words(), kNoHalf);
  for (std::uint32_t id = 0; id < halves(); ++id) origins_[(std::size_t{id} + 1) * origin_words() - 1] = 0;
  for (unsigned c = 0; c < crossings_.size(); ++c) {
    const Crossing crossing = crossings_[c];
    for (unsigned b = 0; b + crossing.seeds <= max_seeds; ++b) {
      if (check_stop) check_stop();
      std::vector<Reception>& special = special_[c * (max_seeds + 1) + b];
      for (std::uint32_t rank = 0; rank < count(b); ++rank) {
        const Received received = receive(rules, unpack(lanes_[id(b, rank)], k), k, crossing);
        if (received.illegal || received.coupled) {
          special.push_back(
              {rank, 0, 0, received.illegal ? ReceptionKind::kIllegal : ReceptionKind::kCoupled, false});
          continue;
        }
        const unsigned left = b + crossing.seeds - received.captured;
        const std::uint32_t result = rank_of(ranks_, received.half, left);
        if (received.captured > 0) {
          special.push_back({rank, result, static_cast<std::uint8_t>(received.captured), ReceptionKind::kCapture,
                             received.starves});
          continue;
        }
        std::uint32_t* words = &origins_[std::size_t{id(left, result)} * origin_words()];
        if (words[c] == kNoHalf) {
          words[c] = rank;
        } else {
          words[crossings_.size()] = 1;
          more_origins_.push_back({id(left, result), static_cast<std::uint8_t>(c), rank});
        }
      }
    }
  }
  std::sort(more_origins_.begin(), more_origins_.end());
}

void HalfBoard::list_sowers() {
  const unsigned k = pits();
  first_sower_.assign(std::size_t{halves()} + 1, 0);
  const auto for_all = [&](auto&& visit) {
    for (std::uint32_t seeds = 0, at = 0; seeds <= ranks_.max_seeds(); ++seeds) {
      for (std::uint32_t rank = 0; rank < count(seeds); ++rank, ++at) {
        for (unsigned m = 0; m < move_count_[at]; ++m) visit(rank, moves_[std::size_t{at} * k + m]);
      }
    }
  };
  for_all([&](std::uint32_t, const SowerMove& move) { ++first_sower_[id(move.seeds, move.rank) + 1]; });
  for (std::size_t i = 1; i < first_sower_.size(); ++i) first_sower_[i] += first_sower_[i - 1];
  sowers_.resize(first_sower_.back());
  std::vector<std::uint32_t> next(first_sower_.begin(), first_sower_.end() - 1);
  for_all([&](std::uint32_t rank, const SowerMove& move) {
    sowers_[next[id(move.seeds, move.rank)]++] = {(rank << 8) | move.crossing};
  });
}

std::span<const HalfBoard::MoreOrigin> HalfBoard::more_origins(std::uint32_t id) const {
  const auto first = std::lower_bound(more_origins_.begin(), more_origins_.end(), MoreOrigin{id, 0, 0});
  auto last = first;
  while (last != more_origins_.end() && last->id == id) ++last;
  return {first, last};
}

void HalfBoard::refuse_too_large(const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  constexpr std::uint64_t kMaxHalves = 1U << 24;  // Sower packs a rank into 24 bits
  const HalfRanks halves(pits, rules.pit_limit, max_seeds);
  for (unsigned s = 0; s <= max_seeds; ++s) {
    if (halves.count(s) <= kMaxHalves) continue;
    throw limit_error("half-board tables hold at most " + std::to_string(kMaxHalves) +
                      " halves with equal seeds; 2x" + std::to_string(pits) + " has " +
                      std::to_string(halves.count(s)) + " with " + std::to_string(s) +
                      " seeds, so levels can be built up to " + std::to_string(s - 1) + " seeds");
  }
}

std::uint64_t HalfBoard::memory_bytes(const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  const HalfRanks ranks(pits, rules.pit_limit, max_seeds);
  std::uint64_t halves = 0;
  for (unsigned s = 0; s <= max_seeds; ++s) halves += ranks.count(s);
  // Crossings: x seeds, landing or not, for every x up to the largest sowing.
  const unsigned largest = rules.pit_limit == 0 ? max_seeds : std::min(max_seeds, rules.pit_limit);
  const unsigned others = 2 * pits - 1;
  const std::uint64_t crossings = largest / others * (pits + 1) + std::min(largest % others, pits) + 3;
  // Receptions that capture are a fifth of all, found by measurement on 2x6 and 2x7 with the two counts of the default
  // trigger; more counts capture more often.
  const std::uint64_t triggers = std::clamp<std::uint64_t>(static_cast<unsigned>(std::popcount(rules.trigger.bits)), 2, 8);
  return halves * (4 * (crossings + 1) + std::uint64_t{8 + 4} * pits + 17 + crossings * 12 * triggers / 8);
}

}  // namespace retrosow
