#include "tables/link_bound.h"

#include <algorithm>

namespace retrosow {
namespace {

// Numbers of rows by their seeds. They fit a double's 53 bits, or their last digits do not matter.
using Counts = std::vector<double>;

Counts product(const Counts& a, const Counts& b) {
  Counts counts(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; a[i] != 0 && i + j < a.size(); ++j) counts[i + j] += a[i] * b[j];
  }
  return counts;
}

void add(Counts& to, const Counts& counts, double times = 1) {
  for (std::size_t s = 0; s < to.size(); ++s) to[s] += times * counts[s];
}

// Rows of pits that each hold `least` to `most` seeds.
Counts rows(unsigned pits, unsigned least, unsigned most, unsigned max_seeds) {
  Counts one(max_seeds + 1), counts(max_seeds + 1);
  for (unsigned s = least; s <= std::min(most, max_seeds); ++s) one[s] = 1;
  counts[0] = 1;
  for (unsigned pit = 0; pit < pits; ++pit) counts = product(counts, one);
  return counts;
}

// Rows with exactly `full` pits at the limit.
Counts rows_with_full(unsigned pits, unsigned full, unsigned limit, unsigned max_seeds) {
  Counts counts = product(rows(full, limit, limit, max_seeds), rows(pits - full, 0, limit - 1, max_seeds));
  double choices = 1;
  for (unsigned i = 0; i < full; ++i) choices = choices * (pits - i) / (i + 1);
  for (double& count : counts) count *= choices;
  return counts;
}

// Sowings and opponent's halves that they can be coupled with, by the seeds of both together.
Counts coupled_pairs(unsigned pits, unsigned limit, unsigned max_seeds) {
  // By the seeds that cross: sowings, by the seeds of the mover's half, and halves B that are coupled with them.
  std::vector<Counts> sowings(limit + 1, Counts(max_seeds + 1)), coupled = sowings;
  for (unsigned pit = 0; pit < pits; ++pit) {
    const unsigned behind = pits - 1 - pit;
    const Counts before = rows(pit, 0, limit, max_seeds);
    for (unsigned full = 0; full <= behind; ++full) {
      const Counts others = product(before, rows_with_full(behind, full, limit, max_seeds));
      for (unsigned here = behind - full + 1; here <= limit; ++here) {
        Counts& counts = sowings[here - (behind - full)];
        for (unsigned s = here; s <= max_seeds; ++s) counts[s] += others[s - here];
      }
    }
  }
  for (unsigned full = 1; full <= pits; ++full) {
    const Counts counts = rows_with_full(pits, full, limit, max_seeds);
    for (unsigned x = pits - full + 1; x <= std::min(pits, limit); ++x) add(coupled[x], counts);
  }
  for (unsigned x = pits + 1; x <= limit; ++x) {
    add(coupled[x], rows(pits, 0, limit, max_seeds));
    add(coupled[x], rows(pits, 0, limit - (x + pits - 1) / pits, max_seeds), -1);
  }

  Counts pairs(max_seeds + 1);
  for (unsigned x = 1; x <= limit; ++x) add(pairs, product(sowings[x], coupled[x]));
  return pairs;
}

}  // namespace

LinkBound::LinkBound(const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  const unsigned limit = rules.pit_limit == 0 ? max_seeds : rules.pit_limit;
  Counts pairs(max_seeds + 1);
  // Moves of the boards with an empty opponent's half: each pit where it is not empty.
  add(pairs, rows(pits, 0, limit, max_seeds), pits);
  add(pairs, rows(pits - 1, 0, limit, max_seeds), -1.0 * pits);
  if (max_seeds > limit && rules.pit_limit_rule == PitLimitRule::kSkip) {
    add(pairs, coupled_pairs(pits, limit, max_seeds));
  }
  constexpr double kMost = 1ULL << 62;  // of more boards than any memory holds
  for (const double count : pairs) links_.push_back(static_cast<std::uint64_t>(std::min(count, kMost)));
}

}  // namespace retrosow
