// Searches that remember next to nothing, on more boards than tests/quick/search_test.cpp has time for.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace retrosow::test
