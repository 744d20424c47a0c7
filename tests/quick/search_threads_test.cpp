// Searches by several threads with one transposition table; the thread sanitizer runs these.
#include <gtest/gtest.h>

#include "solver/search.h"
#include "solver/solve.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/search_check.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

SearchOptions by_threads(unsigned threads) {
  SearchOptions options;
  options.memory_bytes = std::uint64_t{1} << 20;
  options.threads = threads;
  return options;
}

TEST(SearchThreads, GiveTheSameValues) {
  const RuleSet rules = urim_rules();
  const reference::UrimSolution expected(reference_rules(rules, 3), 5);
  for (const unsigned threads : {2U, 3U}) EXPECT_EQ(search_fault(rules, expected, by_threads(threads), 7), "");
}

// Attempts that are long enough for threads to be used.
TEST(SearchThreads, GiveTheSameValueOfAStart) {
  const auto [position, shape] = placed("3,3,3/3,3,3");
  for (const unsigned threads : {1U, 2U, 3U}) {
    Search search(urim_rules(), shape, 18, by_threads(threads));
    const ProvedBounds bounds = search.solve(position, shape);
    EXPECT_EQ(bounds.lower, 0);
    EXPECT_EQ(bounds.upper, 0);
    EXPECT_GT(search.effort().nodes, 50'000U);
  }
}

TEST(SearchThreads, StopWhenToldTo) {
  SolveOptions options;
  options.threads = 2;
  options.transposition_bytes = std::uint64_t{1} << 20;
  options.control.stop = [] { return true; };
  const auto [position, shape] = placed("3,3,3,3/3,3,3,3");
  const auto error = error_from([&] { solve_by_search(urim_rules(), position, shape, options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kInterrupted);
}

}  // namespace
}  // namespace retrosow::test
