// What rounds of five and six holes can bring, and matches of them: numbers from a model that shares nothing with this project.
#include <gtest/gtest.h>

#include "tests/support/match_results.h"

namespace retrosow::test {
namespace {

TEST(MatchRoundsFull, LargerRoundsCanBringWhatAPlainModelInPythonFound) {
  const RoundResults cases[] = {{{3, 5}, {0, 2, 30, 32}},
                                {{5, 3}, {0, 2}},
                                {{2, 6}, {0, 2, 24, 26, 28, 30, 32}},
                                {{6, 2}, {0, 2, 4}},
                                // Large enough to be played at random first.
                                {{4, 5}, {}},
                                {{5, 4}, {}}};
  expect_results(cases);
}

TEST(MatchRoundsFull, WholeMatchesAreMonotoneInSoManyStates) {
  const MatchStates cases[] = {{5, Starter::kLoser, 12, 11}, {5, Starter::kAlternate, 17, 17}};
  expect_states(cases);
}

}  // namespace
}  // namespace retrosow::test
