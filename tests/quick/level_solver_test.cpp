// Levels of the Urim family: the solver against brute force, on every board.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/notation.h"
#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/environment.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

std::string fault_of(const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  const reference::UrimSolution expected(reference_rules(rules, pits), static_cast<int>(max_seeds));
  return levels_fault(expected, solve_levels(rules, pits, max_seeds));
}

// ---- Brute force, under every value of every option ----

void expect_brute_force_values(unsigned pits, unsigned max_seeds) {
  for (const RuleSet& rules : urim_rule_sets()) {
    ASSERT_EQ(fault_of(rules, pits, max_seeds), "") << canonical_text(rules);
  }
}

TEST(LevelSolver, EqualsBruteForceOnAllBoardsOf2x1) { expect_brute_force_values(1, 40); }
TEST(LevelSolver, EqualsBruteForceOnAllBoardsOf2x2) { expect_brute_force_values(2, 14); }
TEST(LevelSolver, EqualsBruteForceOnAllBoardsOf2x3) { expect_brute_force_values(3, 12); }

TEST(LevelSolver, EqualsBruteForceWithPitLimits3And5UnderBothLimitRules) {
  for (const char* options :
       {"pit-limit=3", "pit-limit=3 pit-limit-rule=forbid", "pit-limit=5",
        "pit-limit=5 pit-limit-rule=forbid", "pit-limit=3 remainder=last-mover",
        "pit-limit=3 pit-limit-rule=forbid remainder=last-mover grand-slam=leave",
        "pit-limit=5 pit-limit-rule=forbid remainder=last-mover starvation=leave"}) {
    // Limit 3 to the fullest board, 18 seeds on 2x3.
    const unsigned full = options[10] == '3' ? 18 : 14;
    ASSERT_EQ(fault_of(urim_rules(options), 3, full), "") << options;
  }
}

TEST(LevelSolver, AWrongTableIsRefused) {
  const RuleSet rules = urim_rules();
  const reference::UrimSolution expected(reference_rules(rules, 2), 6);
  LevelValues levels = solve_levels(rules, 2, 6);
  ASSERT_EQ(levels_fault(expected, levels), "");
  ++levels[5][17];
  EXPECT_NE(levels_fault(expected, levels), "");
  --levels[5][17];
  levels[6].pop_back();
  EXPECT_NE(levels_fault(expected, levels), "");
  levels.pop_back();
  EXPECT_NE(levels_fault(expected, levels), "");
}

TEST(LevelSolver, TheTableOfOtherRulesIsRefused) {
  const reference::UrimSolution expected(reference_rules(urim_rules(), 3), 8);
  for (const char* options :
       {"pit-limit=5", "pit-limit=3 pit-limit-rule=forbid", "trigger=2", "chain=2,3",
        "grand-slam=leave", "grand-slam=forbid", "starvation=leave"}) {
    EXPECT_NE(levels_fault(expected, solve_levels(urim_rules(options), 3, 8)), "") << options;
  }
}

// ---- Known values ----

TEST(LevelSolver, ReproducesTheValuesOfAnIndependentProgram) {
  std::size_t levels_seen = 0;
  for (const LevelCase& level : read_level_cases()) {
    const LevelValues levels = solve_levels(level.rules, level.pits, level.seeds);
    EXPECT_EQ(counts_of(levels.back()), level.values)
        << "2x" << level.pits << " " << level.seeds << " seeds " << canonical_text(level.rules);
    ++levels_seen;
  }
  EXPECT_EQ(levels_seen, 84U);
}

TEST(LevelSolver, ReproducesThePublishedAwariHistogramsToSevenStones) {
  const LevelValues levels = solve_levels(preset(Game::kAwari), 6, 7);
  const auto published = read_awari_histograms();
  for (unsigned seeds = 0; seeds <= 7; ++seeds) {
    EXPECT_EQ(counts_of(levels[seeds]), published.at(seeds)) << seeds;
  }
  // What other rules make of it is not taken for Awari.
  const LevelValues oware = solve_levels(preset(Game::kOware), 6, 5);
  EXPECT_NE(counts_of(oware[5]), published.at(5));
}

TEST(LevelSolver, EndlessPlayIsWorthNothing) {
  // 2x1, one seed: it is passed to and fro for ever. Awari knows the same for one stone on 2x6.
  const LevelValues levels = solve_levels(urim_rules(), 1, 1);
  EXPECT_EQ(levels[1], (std::vector<Value>{0, -1}));  // 1/0, 0/1
}

// ---- Contract ----

TEST(LevelSolver, TheValuesDoNotDependOnTheKernel) {
  std::vector<LevelValues> all;
  for (const KernelId kernel : available_kernels()) {
    const EnvironmentVariable variable("RETROSOW_KERNEL", std::string(kernel_name(kernel)));
    const LevelSolver solver(urim_rules("pit-limit=5"), 4, 9);
    EXPECT_EQ(solver.generator().kernel(), kernel);
    all.push_back(solve_levels(solver, 9));
  }
  for (const LevelValues& levels : all) EXPECT_TRUE(levels == all.front());
}

TEST(LevelSolver, ReportsSettledPositionsUpToAll) {
  const LevelSolver solver(urim_rules(), 3, 9);
  const LevelValues lower = solve_levels(solver, 8);
  std::vector<std::uint64_t> settled;
  const auto values =
      solver.solve(9, lower, [&](std::uint64_t count) { settled.push_back(count); }, {});
  ASSERT_FALSE(settled.empty());
  EXPECT_TRUE(std::is_sorted(settled.begin(), settled.end()));
  EXPECT_EQ(settled.back(), values.size());
}

TEST(LevelSolver, StopsWhenTold) {
  const LevelSolver solver(urim_rules(), 3, 6);
  const LevelValues lower = solve_levels(solver, 5);
  RunControl control;
  control.stop = [] { return true; };
  try {
    solver.solve(6, lower, {}, control);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kInterrupted);
  }
}

TEST(LevelSolver, LevelsAbove127SeedsAreRefused) {
  EXPECT_NO_THROW(LevelSolver(urim_rules("pit-limit=0"), 1, 127));
  try {
    const LevelSolver solver(urim_rules("pit-limit=0"), 1, 128);
    FAIL() << "made a solver of " << solver.halves().max_seeds();
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error.what()).find("128"), std::string::npos) << error.what();
  }
}

TEST(LevelSolver, SolvesLevelsTo127Seeds) {
  for (const char* options :
       {"pit-limit=0", "pit-limit=127", "", "pit-limit=127 remainder=last-mover"}) {
    const RuleSet rules = urim_rules(options);
    const LevelValues levels = solve_levels(rules, 1, 127);
    const reference::UrimSolution expected(reference_rules(rules, 1), 127);
    EXPECT_EQ(levels_fault(expected, levels), "") << options;
  }
}

TEST(LevelSolver, ALevelWithoutBoardsHasNoValues) {
  const LevelValues levels = solve_levels(urim_rules("pit-limit=3"), 2, 14);
  EXPECT_EQ(levels[12].size(), 1U);  // 3,3/3,3
  EXPECT_TRUE(levels[13].empty());
  EXPECT_TRUE(levels[14].empty());
}

TEST(LevelSolver, ASourceAnswersForItsLevelsAndNoOthers) {
  const RuleSet rules = urim_rules("pit-limit=5");
  const LevelSolver solver(rules, 2, 6);
  const LevelValues levels = solve_levels(solver, 6);
  const LevelSource source(solver.halves(), levels);
  const reference::UrimSolution expected(reference_rules(rules, 2), 6);
  const Shape shape = equal_rows(2);
  for (int seeds = 0; seeds <= 6; ++seeds) {
    expected.for_each(seeds, [&](const std::vector<int>& board, reference::Solved solved) {
      EXPECT_EQ(source.value(position_of(board, shape), shape), solved.value);
    });
  }
  EXPECT_EQ(source.value(placed("2,2/2,1").position, shape), std::nullopt);
}

TEST(LevelSolver, TheMemoryEstimateCoversWhatTheLevelsHold) {
  for (const unsigned seeds : {0U, 6U, 12U}) {
    const std::uint64_t positions = positions_of_levels(6, 17, 0, seeds);
    const std::uint64_t estimate = level_solver_memory(6, 17, seeds);
    EXPECT_GE(estimate, positions + level_size(6, 17, seeds));
    EXPECT_LE(estimate, 4 * positions + (2U << 20));
  }
  EXPECT_EQ(level_solver_memory(8, 0, 127), ~std::uint64_t{0});
}

}  // namespace
}  // namespace retrosow::test
