// tests/quick/level_solver_test.cpp, further.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

std::string fault_of(const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  const reference::UrimSolution expected(reference_rules(rules, pits), static_cast<int>(max_seeds));
  return levels_fault(expected, solve_levels(rules, pits, max_seeds));
}

TEST(LevelSolverFull, EqualsBruteForceOf2x6WithPitLimit5ToTenSeeds) {
  EXPECT_EQ(fault_of(urim_rules("pit-limit=5"), 6, 10), "");
}

TEST(LevelSolverFull, EqualsBruteForceOf2x6WithForbiddenPitLimit5ToTenSeeds) {
  EXPECT_EQ(fault_of(urim_rules("pit-limit=5 pit-limit-rule=forbid"), 6, 10), "");
}

TEST(LevelSolverFull, EqualsBruteForceOf2x6UnderEveryOptionToSevenSeeds) {
  for (const RuleSet& rules : urim_rule_sets()) {
    ASSERT_EQ(fault_of(rules, 6, 7), "") << canonical_text(rules);
  }
}

TEST(LevelSolverFull, EqualsBruteForceOf2x4UnderEveryOptionToTenSeeds) {
  for (const RuleSet& rules : urim_rule_sets()) {
    ASSERT_EQ(fault_of(rules, 4, 10), "") << canonical_text(rules);
  }
}

TEST(LevelSolverFull, ReproducesThePublishedAwariHistogramsToElevenStones) {
  const LevelValues levels = solve_levels(preset(Game::kAwari), 6, 11);
  const auto published = read_awari_histograms();
  for (unsigned seeds = 0; seeds <= 11; ++seeds) {
    EXPECT_EQ(counts_of(levels[seeds]), published.at(seeds)) << seeds;
  }
}

}  // namespace
}  // namespace retrosow::test
