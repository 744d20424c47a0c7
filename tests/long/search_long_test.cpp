// Searches that remember next to nothing, on more boards than tests/quick/search_test.cpp has time for.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/search_check.h"

namespace retrosow::test {
namespace {

// What a table of one entry costs: 2x3 with 8 seeds took 132 M positions, a seed more five times that.
TEST(SearchLong, EqualsBruteForceWithATableOfOneEntry) {
  SearchOptions one_entry;
  one_entry.memory_bytes = 1;
  for (const char* options : {"", "pit-limit=3 remainder=last-mover", "starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    for (const auto& [pits, seeds] : {std::pair{1U, 12U}, {2U, 12U}, {3U, 7U}, {6U, 3U}}) {
      const reference::UrimSolution expected(reference_rules(rules, pits), static_cast<int>(seeds));
      EXPECT_EQ(search_fault(rules, expected, one_entry, 16), "") << options << " " << pits << " pits";
    }
  }
}

// All boards that the smaller transposition tables are compared on, here with as many positions each as there is time for.
TEST(SearchLong, ATableOfOneEntryGivesBoundsThatHoldOnEveryBoard) {
  for (const char* options : {"", "pit-limit=3 remainder=last-mover", "starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    for (const auto& [pits, seeds] : {std::pair{3U, 12}, {6U, 7}}) {
      const reference::UrimSolution expected(reference_rules(rules, pits), seeds);
      SearchOptions one_entry;
      one_entry.memory_bytes = 1;
      one_entry.threads = 1;
      one_entry.limit_nodes = 5'000;
      std::uint64_t decided = 0;
      EXPECT_EQ(bounds_fault(rules, expected, one_entry, 18, decided), "") << options << " " << pits << " pits";
      EXPECT_GT(decided, 1000U) << options << " " << pits << " pits";
    }
  }
}

}  // namespace
}  // namespace retrosow::test
