// tests/quick/sow_kernels_test.cpp, further: more seeds, all board sizes, a million random boards.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/support/boards.h"
#include "tests/support/kernel_check.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

TEST(SowKernelsFull, EqualTheReferenceOnAllBoardsWithFewSeeds) {
  constexpr unsigned kMaxSeeds[] = {0, 60, 18, 12, 10, 8, 8, 6, 5};  // by pits
  for (unsigned pits = 1; pits <= kMaxPits; ++pits) {
    for (const RuleSet& rules : urim_rule_sets()) {
      ASSERT_EQ(UrimKernelCheck(rules, pits).first_fault(kMaxSeeds[pits]), "");
    }
  }
}

TEST(SowKernelsFull, EqualTheReferenceOnAMillionRandomBoards) {
  RandomNumbers random(3);
  std::vector<std::unique_ptr<UrimKernelCheck>> checks;
  std::vector<unsigned> limits;
  for (unsigned pits = 1; pits <= kMaxPits; ++pits) {
    for (const RuleSet& rules : urim_rule_sets()) {
      checks.push_back(std::make_unique<UrimKernelCheck>(rules, pits));
      limits.push_back(rules.pit_limit);
    }
  }
  const auto sets = static_cast<unsigned>(urim_rule_sets().size());
  for (int i = 0; i < 1'000'000; ++i) {
    // Half of the boards are the 2x6 and 2x7 that people play on.
    const unsigned pits = random.one_in(2) ? random.between(6, 7) : random.between(1, kMaxPits);
    const unsigned set = (pits - 1) * sets + random.below(sets);
    ASSERT_EQ(checks[set]->fault(random_urim_board(random, pits, limits[set])), "");
  }
}

}  // namespace
}  // namespace retrosow::test
