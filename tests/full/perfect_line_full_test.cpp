// tests/quick/perfect_line_test.cpp, further: boards of 2x6, and rounds of more holes.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/boards.h"
#include "tests/support/line_check.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

TEST(PerfectLineFull, LeadsToTheExitInTheDistanceOnRandomBoardsOf2x6) {
  constexpr unsigned kSeeds = 7;
  for (const char* options : {"", "pit-limit=3", "chain=2,3 starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    const Shape shape = equal_rows(6);
    const LevelSolver solver(rules, 6, kSeeds);
    const LevelValues levels = solve_levels(solver, kSeeds);
    const LevelSource source(solver.halves(), levels);
    const reference::UrimSolution solution(reference_rules(rules, 6), static_cast<int>(kSeeds));
    const UrimOracle oracle(solution);
    RandomNumbers random(20);
    for (int i = 0; i < 150; ++i) {
      const unsigned seeds = random.between(1, kSeeds);
      const HalfRanks halves(6, rules.pit_limit, seeds);
      const LevelRanks ranks(halves, seeds);
      const Position position = ranks.unrank(random.next() % ranks.size());
      ASSERT_EQ(evaluation_fault(oracle, position, shape,
                                 evaluate(solver.generator(), source, position, shape)),
                "");
      ASSERT_EQ(line_fault(oracle, position, shape,
                           perfect_line(solver.generator(), source, position, shape)),
                "");
    }
  }
}

TEST(PerfectLineFull, LeadsToTheExitInTheDistanceInRoundsOfMoreHoles) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const Shape shape : {equal_rows(4), rows(3, 4), rows(5, 2), rows(2, 5)}) {
      const RuleSet rules = rio_rules(endless);
      const std::vector<int> board(shape.pits(), 4);
      const Round round = solve_round_of(rules, position_of(board, shape), shape);
      const RoundSource source(round);
      const MoveGenerator generator(rules, shape);
      const reference::RioSolution solution(reference_rules(rules), rio_position_of(board, shape));
      const RioOracle oracle(solution);
      RandomNumbers random(21);
      for (const RoundLevel& level : round.levels) {
        for (int i = 0; i < 40; ++i) {
          const auto index = static_cast<std::size_t>(random.next() % level.keys.size());
          const auto [position, side] = position_of_key(level.keys[index], shape);
          ASSERT_EQ(
              line_fault(oracle, position, side, perfect_line(generator, source, position, side)),
              "");
        }
      }
    }
  }
}

}  // namespace
}  // namespace retrosow::test
