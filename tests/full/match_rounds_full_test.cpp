// What rounds of five and six holes can bring, and matches of them: numbers from a model that shares nothing with this project.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/match_rounds.h"

namespace retrosow::test {
namespace {

RuleSet rules_with(EndlessSow endless) {
  RuleSet rules = preset(Game::kRioKadalis);
  rules.endless_sow = endless;
  return rules;
}

std::set<int> results_in(const ResultSet& results) {
  std::set<int> numbers;
  for (std::size_t x = 0; x < results.size(); ++x) {
    if (results[x]) numbers.insert(static_cast<int>(x));
  }
  return numbers;
}

TEST(MatchRoundsFull, LargerRoundsCanBringWhatAPlainModelInPythonFound) {
  // Even numbers that do not arise; all others do, and no odd ones.
  const struct {
    Shape open;
    std::set<int> not_possible;
  } cases[] = {{{3, 5}, {0, 2, 30, 32}},
               {{5, 3}, {0, 2}},
               {{2, 6}, {0, 2, 24, 26, 28, 30, 32}},
               {{6, 2}, {0, 2, 4}},
               // Large enough to be played at random first.
               {{4, 5}, {}},
               {{5, 4}, {}}};
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const auto& [open, not_possible] : cases) {
      std::set<int> even;
      for (int x = 0; x <= static_cast<int>(4 * open.pits()); x += 2) {
        if (!not_possible.contains(x)) even.insert(x);
      }
      const Round round = solve_round(rules_with(endless), round_start(open), open, 0, {});
      EXPECT_EQ(results_in(possible_results(round, 0, 2, {})), even)
          << open.pits() << " holes, " << int{open.mover_pits} << " of the starter";
    }
  }
}

TEST(MatchRoundsFull, WholeMatchesAreMonotoneInSoManyStates) {
  const struct {
    unsigned pits;
    Starter starter;
    unsigned states, monotone;
  } cases[] = {{5, Starter::kLoser, 12, 11}, {5, Starter::kAlternate, 17, 17}};
  for (const auto& [pits, starter, states, monotone] : cases) {
    MatchRounds rounds(rules_with(EndlessSow::kForbid), {});
    const MatchSolution match = solve_match({pits, starter}, rounds);
    EXPECT_EQ(match.states.size(), states) << pits;
    EXPECT_EQ(std::count_if(match.states.begin(), match.states.end(),
                            [](const MatchState& state) { return state.monotone; }),
              monotone)
        << pits;
  }
}

}  // namespace
}  // namespace retrosow::test
