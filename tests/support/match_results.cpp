#include "tests/support/match_results.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/rule_sets.h"

namespace retrosow::test {

std::set<int> numbers_of(const ResultSet& results) {
  std::set<int> numbers;
  for (std::size_t x = 0; x < results.size(); ++x) {
    if (results[x]) numbers.insert(static_cast<int>(x));
  }
  return numbers;
}

void expect_results(std::span<const RoundResults> cases) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const auto& [open, not_possible] : cases) {
      std::set<int> even;
      for (int x = 0; x <= static_cast<int>(4 * open.pits()); x += 2) {
        if (!not_possible.contains(x)) even.insert(x);
      }
      const Round round = solve_round(rio_rules(endless), round_start(open), open, 0, {});
      EXPECT_EQ(numbers_of(possible_results(round, 0, 2, {})), even)
          << open.pits() << " holes, " << int{open.mover_pits} << " of the starter";
    }
  }
}

void expect_states(std::span<const MatchStates> cases) {
  for (const auto& [pits, starter, states, monotone] : cases) {
    MatchRounds rounds(rio_rules(EndlessSow::kForbid), {});
    const MatchSolution match = solve_match({pits, starter}, rounds);
    EXPECT_EQ(match.states.size(), states) << pits;
    EXPECT_EQ(std::count_if(match.states.begin(), match.states.end(),
                            [](const MatchState& state) { return state.monotone; }),
              monotone)
        << pits;
  }
}

}  // namespace retrosow::test
