// tests/quick/perft_test.cpp, further: the golden counts made again, and deeper ones.
#include <gtest/gtest.h>

#include "tests/support/boards.h"
#include "tests/support/perft_cases.h"
#include "tests/support/reference_perft.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

TEST(PerftFull, TheReferenceReproducesTheGoldenCounts) {
  for (const PerftCase& known : perft_cases()) {
    const auto [position, shape] = placed(known.position);
    EXPECT_EQ(reference_perft(parse_canonical_text(known.game, known.options), position, shape,
                              static_cast<unsigned>(known.counts.size() - 1)),
              known.counts)
        << known.position << " " << known.options;
  }
}

TEST(PerftFull, EqualsTheReferenceUnderEveryOptionOnSmallBoards) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const char* text : {"3,3,3/3,3,3", "1,0,3,1/2,2,0,1"}) {
      const auto [position, shape] = placed(text);
      if (rules.pit_limit == 1) continue;
      for (const KernelId kernel : available_kernels()) {
        EXPECT_EQ(perft(MoveGenerator(rules, shape, kernel), position, shape, 9),
                  reference_perft(rules, position, shape, 9))
            << text << " " << canonical_text(rules);
      }
    }
  }
}

TEST(PerftFull, EqualsTheReferenceToDepthNineFromTheStarts) {
  struct Start {
    RuleSet rules;
    const char* position;
  };
  for (const Start& start : {Start{preset(Game::kUrim), "3,3,3,3,3,3/3,3,3,3,3,3"},
                             Start{preset(Game::kAwari), "4,4,4,4,4,4/4,4,4,4,4,4"},
                             Start{rio_rules(EndlessSow::kForbid), "4,4,4,4,4,4/4,4,4,4,4,4"},
                             Start{rio_rules(EndlessSow::kDraw), "4,4,4,4,4,4/4,4,4,4,4,4"}}) {
    const auto [position, shape] = placed(start.position);
    EXPECT_EQ(perft(MoveGenerator(start.rules, shape), position, shape, 9),
              reference_perft(start.rules, position, shape, 9));
  }
}

}  // namespace
}  // namespace retrosow::test
