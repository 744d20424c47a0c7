// tests/quick/round_solver_test.cpp, further.
#include <gtest/gtest.h>

#include "bitboard/notation.h"
#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

std::string fault_from_start(Shape shape, EndlessSow endless) {
  const RuleSet rules = rio_rules(endless);
  const std::vector<int> board(shape.pits(), 4);
  const reference::RioSolution expected(reference_rules(rules), rio_position_of(board, shape));
  return round_fault(expected, solve_round_of(rules, position_of(board, shape), shape));
}

TEST(RoundSolverFull, EqualsBruteForceOnLargerUnequalRows) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const Shape shape : {rows(3, 5), rows(5, 3), rows(4, 5), rows(2, 6), rows(7, 1)}) {
      EXPECT_EQ(fault_from_start(shape, endless), "")
          << unsigned{shape.mover_pits} << " v " << unsigned{shape.opponent_pits};
    }
  }
}

TEST(RoundSolverFull, EqualsBruteForceFromTheStartOf2x5) {
  EXPECT_EQ(fault_from_start(equal_rows(5), EndlessSow::kForbid), "");
}

TEST(RoundSolverFull, EqualsBruteForceFromTheStartOf2x5WithDrawnEndlessSows) {
  EXPECT_EQ(fault_from_start(equal_rows(5), EndlessSow::kDraw), "");
}

TEST(RoundSolverFull, ReproducesTheKnownValueOf2x5) {
  for (const PositionCase& known : read_position_cases()) {
    if (known.position != "4,4,4,4,4/4,4,4,4,4") continue;
    const Board board = parse_board(known.rules, known.position, 0, 0);
    const Round round = solve_round_of(known.rules, board.position, board.shape());
    const Evaluation evaluation = evaluate(MoveGenerator(known.rules, board.shape()),
                                           RoundSource(round), board.position, board.shape());
    EXPECT_EQ(evaluation.value, known.value);
    for (const MoveValue& move : evaluation.moves) {
      EXPECT_EQ(move.value, known.moves.at(move.slot + 1));
    }
    EXPECT_EQ(evaluation.moves.size(), known.moves.size());
    return;
  }
  FAIL() << "no such record";
}

}  // namespace
}  // namespace retrosow::test
