// tests/quick/search_test.cpp, further: more seeds, and boards of the full size.
#include <gtest/gtest.h>

#include <tuple>
#include <utility>
#include <vector>

#include "solver/solve.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/search_check.h"

namespace retrosow::test {
namespace {

constexpr std::uint64_t kOneEntry = 1, kManyEntries = std::uint64_t{1} << 26;

SearchOptions with_table(std::uint64_t bytes) {
  SearchOptions options;
  options.memory_bytes = bytes;
  return options;
}

TEST(SearchFull, EqualsBruteForceOnEveryBoardUpToTwelveSeeds) {
  for (const char* options : {"", "pit-limit=3", "pit-limit=5 pit-limit-rule=forbid", "starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    for (const unsigned pits : {1U, 2U, 3U}) {
      const reference::UrimSolution expected(reference_rules(rules, pits), 12);
      EXPECT_EQ(search_fault(rules, expected, with_table(kManyEntries), 11), "") << options << " " << pits;
      EXPECT_EQ(search_fault(rules, expected, with_table(1 << 15), 12), "") << options << " " << pits;
    }
    const reference::UrimSolution narrow(reference_rules(rules, 2), 11);
    EXPECT_EQ(search_fault(rules, narrow, with_table(kOneEntry), 13), "") << options;
  }
}

TEST(SearchFull, EqualsBruteForceOnBoardsOfTheFullSize) {
  for (const RuleSet& rules : {urim_rules(), preset(Game::kOware), preset(Game::kAwari)}) {
    const reference::UrimSolution expected(reference_rules(rules, 6), 7);
    EXPECT_EQ(search_fault(rules, expected, with_table(kManyEntries), 14), "") << canonical_text(rules);
    EXPECT_EQ(search_fault(rules, expected, with_table(1 << 18), 19), "") << canonical_text(rules);
  }
}

// With one entry the boards with most seeds take too many positions to be decided (tests/long/search_long_test.cpp).
TEST(SearchFull, ATableOfOneEntryGivesBoundsThatHoldOnEveryBoard) {
  for (const auto& [pits, seeds, nodes] : {std::tuple{3U, 12, 1000U}, {6U, 7, 300U}}) {
    const reference::UrimSolution expected(reference_rules(urim_rules(), pits), seeds);
    SearchOptions options = with_table(kOneEntry);
    options.threads = 1;
    options.limit_nodes = nodes;
    std::uint64_t decided = 0;
    EXPECT_EQ(bounds_fault(urim_rules(), expected, options, 17, decided), "") << pits << " pits";
    EXPECT_GT(decided, 1000U) << pits << " pits";
  }
}

// Boards whose questions need attempts of hundreds of plies.
TEST(SearchFull, EndsWhereLinesAreLong) {
  for (const auto& [text, value] : {std::pair{"0,1,2,0,3,2/0,0,1,0,1,1", 0}, {"2,1,1,0,0,0/1,1,1,2,2,1", -2}}) {
    const auto [position, shape] = placed(text);
    SearchOptions options = with_table(kManyEntries);
    options.limit_nodes = 50'000'000;
    Search search(urim_rules(), shape, total_seeds(position), options);
    const ProvedBounds bounds = search.solve(position, shape);
    EXPECT_EQ(bounds.lower, value) << text;
    EXPECT_EQ(bounds.upper, value) << text;
  }
}

TEST(SearchFull, EqualsBruteForceInRoundsOfMoreHoles) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    const RuleSet rules = rio_rules(endless);
    for (const char* start : {"4,4,4,4/4,4,4,4", "x,x,x,4/4,4,4,4", "4,4,x/4,4,4", "4,4,4,4,4/x,x,x,4,4"}) {
      const auto [position, shape] = placed(start);
      const reference::RioSolution expected(reference_rules(rules), rio_position_of(board_of(position, shape), shape));
      EXPECT_EQ(search_fault(rules, expected, with_table(kManyEntries), 15), "") << start;
    }
  }
}

// The published position: tests/data/README.md. By search it takes 100 M positions.
TEST(SolveFull, GivesThePublishedPositionOfAwariItsMoveValues) {
  const auto [position, shape] = placed("1,1,1,1,1,2/4,2,3,0,0,0");
  SolveOptions options;
  options.method = Method::kTables;
  const Solution solution = solve(preset(Game::kAwari), position, shape, options);
  EXPECT_EQ(solution.value, 0);
  std::vector<int> values;
  for (const MoveValue& move : solution.evaluation.moves) values.push_back(move.value);
  EXPECT_EQ(values, (std::vector<int>{-1, -1, -2, -2, -2, 0}));
}

}  // namespace
}  // namespace retrosow::test
