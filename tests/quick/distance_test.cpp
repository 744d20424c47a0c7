// The distance builder against brute force, on every board.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "tables/distance.h"
#include "tables/table_file.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

using LevelDistances = std::vector<std::vector<std::uint16_t>>;

LevelDistances distances_of(const RuleSet& rules, unsigned pits, const LevelValues& levels, unsigned threads) {
  const unsigned max_seeds = static_cast<unsigned>(levels.size()) - 1;
  const HalfBoard half_board(rules, pits, max_seeds);
  const auto copy = [&](unsigned seeds, LevelIndex first, std::span<Value> out) {
    std::copy_n(levels[seeds].begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
  };
  LowerLevels lower(copy, 0);
  LevelDistances distances;
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    DistanceLevel level(
        rules, half_board, seeds, lower, [&](LevelIndex first, std::span<Value> out) { copy(seeds, first, out); },
        threads);
    level.solve({}, {});
    distances.emplace_back(level.size());
    level.copy_distances(0, distances.back());
    lower.add_level(level.size());
  }
  return distances;
}

std::string fault_of(const RuleSet& rules, unsigned pits, unsigned max_seeds, const LevelDistances& distances) {
  const reference::UrimSolution expected(reference_rules(rules, pits), static_cast<int>(max_seeds));
  const HalfRanks halves(pits, rules.pit_limit, max_seeds);
  std::string fault;
  for (unsigned seeds = 0; seeds <= max_seeds && fault.empty(); ++seeds) {
    const LevelRanks ranks(halves, seeds);
    expected.for_each(static_cast<int>(seeds), [&](const std::vector<int>& board, reference::Solved solved) {
      const unsigned found = distances[seeds][ranks.rank(position_of(board, equal_rows(pits)))];
      const unsigned wanted =
          solved.distance == reference::kNoDistance ? kNoDistance : static_cast<unsigned>(solved.distance);
      if (!fault.empty() || found == wanted) return;
      fault = text_of(board, equal_rows(pits)) + ": expected " + std::to_string(wanted) + ", found " +
              std::to_string(found);
    });
  }
  return fault;
}

TEST(Distances, EqualBruteForceUnderEveryOptionValue) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const unsigned pits : {1U, 2U, 3U}) {
      const LevelDistances distances = distances_of(rules, pits, solve_levels(rules, pits, 11), 1);
      ASSERT_EQ(fault_of(rules, pits, 11, distances), "") << "2x" << pits << ' ' << canonical_text(rules);
    }
  }
}

TEST(Distances, EqualBruteForceOn2x6WhereThePitLimitIsMet) {
  for (const char* options : {"pit-limit=3", "pit-limit=5 starvation=leave", "pit-limit=3 pit-limit-rule=forbid"}) {
    const RuleSet rules = urim_rules(options);
    ASSERT_EQ(fault_of(rules, 6, 6, distances_of(rules, 6, solve_levels(rules, 6, 6), 2)), "") << options;
  }
}

TEST(Distances, AWrongOneIsSeen) {
  const RuleSet rules = urim_rules();
  LevelDistances distances = distances_of(rules, 2, solve_levels(rules, 2, 6), 1);
  ASSERT_EQ(fault_of(rules, 2, 6, distances), "");
  ++distances[6][80];
  EXPECT_NE(fault_of(rules, 2, 6, distances), "");
}

TEST(Distances, ThreadsChangeNothing) {
  const RuleSet rules = urim_rules();
  const LevelValues levels = solve_levels(rules, 6, 9);
  const LevelDistances one = distances_of(rules, 6, levels, 1);
  EXPECT_EQ(distances_of(rules, 6, levels, 2), one);
  EXPECT_EQ(distances_of(rules, 6, levels, 7), one);
}

TEST(Distances, ValuesThatPlayNeverReachesAreRefused) {
  // A level that claims a win for both sides wherever nobody can force anything.
  const RuleSet rules = urim_rules();
  LevelValues levels = solve_levels(rules, 2, 4);
  const auto draw = std::find(levels[4].begin(), levels[4].end(), Value{0});
  ASSERT_NE(draw, levels[4].end());
  *draw = 3;
  try {
    distances_of(rules, 2, levels, 1);
    ADD_FAILURE() << "took them";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kCorrupt);
  }
}

}  // namespace
}  // namespace retrosow::test
