// Rounds of Rio Kadalis: the solver against brute force, on everything that can be reached.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/notation.h"
#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

constexpr EndlessSow kBothEndlessRules[] = {EndlessSow::kForbid, EndlessSow::kDraw};

std::string fault_from(const std::vector<int>& board, Shape shape, EndlessSow endless) {
  const RuleSet rules = rio_rules(endless);
  const reference::RioSolution expected(reference_rules(rules), rio_position_of(board, shape));
  return round_fault(expected, solve_round_of(rules, position_of(board, shape), shape));
}

std::string fault_from_start(Shape shape, EndlessSow endless) {
  return fault_from(std::vector<int>(shape.pits(), 4), shape, endless);
}

// ---- Brute force ----

TEST(RoundSolver, EqualsBruteForceFromTheStartsOf2x1To2x4) {
  for (const EndlessSow endless : kBothEndlessRules) {
    for (unsigned pits = 1; pits <= 4; ++pits) {
      EXPECT_EQ(fault_from_start(equal_rows(pits), endless), "") << pits;
    }
  }
}

TEST(RoundSolver, EqualsBruteForceOnUnequalRows) {
  for (const EndlessSow endless : kBothEndlessRules) {
    for (const Shape shape : {rows(1, 2), rows(2, 1), rows(1, 4), rows(4, 1), rows(2, 3),
                              rows(3, 2), rows(5, 2), rows(2, 4), rows(3, 4), rows(1, 6)}) {
      EXPECT_EQ(fault_from_start(shape, endless), "")
          << unsigned{shape.mover_pits} << " v " << unsigned{shape.opponent_pits};
    }
  }
}

TEST(RoundSolver, EqualsBruteForceFromRandomPositions) {
  RandomNumbers random(9);
  for (const EndlessSow endless : kBothEndlessRules) {
    for (const Shape shape :
         {equal_rows(1), equal_rows(2), equal_rows(3), rows(1, 4), rows(2, 3), rows(4, 2)}) {
      for (int i = 0; i < 30; ++i) {
        const std::vector<int> board = random_rio_board(random, shape, 24);
        ASSERT_EQ(fault_from(board, shape, endless), "") << text_of(board, shape);
      }
    }
  }
}

TEST(RoundSolver, AnEndlessSowIsAnExitWorthWhatItWonBefore) {
  // Under `forbid` the hole may not be chosen, under `draw` it is a way out of the game.
  std::size_t differ = 0;
  RandomNumbers random(10);
  for (int i = 0; i < 2000 && differ < 5; ++i) {
    const Shape shape = equal_rows(2);
    const std::vector<int> board = random_rio_board(random, shape, 10);
    const Position position = position_of(board, shape);
    const auto value = [&](EndlessSow endless) {
      const Round round = solve_round_of(rio_rules(endless), position, shape);
      return RoundSource(round).value(position, shape).value();
    };
    if (value(EndlessSow::kForbid) == value(EndlessSow::kDraw)) continue;
    ++differ;
    for (const EndlessSow endless : kBothEndlessRules)
      EXPECT_EQ(fault_from(board, shape, endless), "");
  }
  EXPECT_EQ(differ, 5U);
}

TEST(RoundSolver, AWrongRoundIsRefused) {
  // A root with an endless hole, so that the two endless rules differ.
  const auto [root, shape] = placed("0,1,0,1,2/0,1,0,2,1");
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  const reference::RioSolution expected(reference_rules(rules),
                                        rio_position_of(board_of(root, shape), shape));
  const Round right = solve_round_of(rules, root, shape);
  ASSERT_EQ(round_fault(expected, right), "");
  Round wrong = right;
  ++wrong.levels.back().values[0];
  EXPECT_NE(round_fault(expected, wrong), "");
  wrong = right;
  wrong.levels.back().keys.pop_back();
  wrong.levels.back().values.pop_back();
  EXPECT_NE(round_fault(expected, wrong), "");
  wrong = right;
  ASSERT_GT(wrong.levels.back().keys.size(), 1U);
  std::swap(wrong.levels.back().keys[0], wrong.levels.back().keys[1]);
  EXPECT_NE(round_fault(expected, wrong), "");
  wrong = right;
  ++wrong.moves;
  EXPECT_NE(round_fault(expected, wrong), "");
  wrong = right;
  ++wrong.levels.back().distances[0];
  EXPECT_NE(round_fault(expected, wrong), "");
  wrong = right;
  ++wrong.levels.back().endless_moves;
  EXPECT_NE(round_fault(expected, wrong), "");
  EXPECT_NE(round_fault(expected, solve_round_of(rio_rules(EndlessSow::kDraw), root, shape)), "");
}

TEST(RoundSolver, IsTheSameForAnyNumberOfThreads) {
  for (const char* root : {"4,4,4,4/4,4,4,4", "x,4,4,4/4,4,4,4", "9,0,1,2/3,3,7,5"}) {
    const auto [position, shape] = placed(root);
    const Round one = solve_round_of(rio_rules(EndlessSow::kDraw), position, shape, 1);
    for (const unsigned threads : {2U, 7U}) {
      const Round round = solve_round_of(rio_rules(EndlessSow::kDraw), position, shape, threads);
      ASSERT_EQ(round.levels.size(), one.levels.size());
      EXPECT_EQ(round.moves, one.moves);
      for (std::size_t i = 0; i < one.levels.size(); ++i) {
        EXPECT_EQ(round.levels[i].keys, one.levels[i].keys);
        EXPECT_EQ(round.levels[i].values, one.levels[i].values);
        EXPECT_EQ(round.levels[i].distances, one.levels[i].distances);
        EXPECT_EQ(round.levels[i].endless_moves, one.levels[i].endless_moves);
      }
    }
  }
}

// ---- Known values ----

TEST(RoundSolver, ReproducesTheValuesOfAnIndependentProgramTo2x4) {
  std::size_t seen = 0;
  for (const PositionCase& known : read_position_cases()) {
    if (known.rules.game != Game::kRioKadalis || known.position.size() > 15) continue;
    const Board board = parse_board(known.rules, known.position, 0, 0);
    const Round round = solve_round_of(known.rules, board.position, board.shape());
    const MoveGenerator generator(known.rules, board.shape());
    const Evaluation evaluation =
        evaluate(generator, RoundSource(round), board.position, board.shape());
    EXPECT_EQ(evaluation.value, known.value) << known.position;
    std::map<unsigned, int> moves;
    for (const MoveValue& move : evaluation.moves) moves[board.shown_pit(move.slot)] = move.value;
    EXPECT_EQ(moves, known.moves) << known.position;
    ++seen;
  }
  EXPECT_EQ(seen, 4U);
}

// ---- Rows without open holes: the reference has none ----

TEST(RoundSolver, ARoundWithoutAMoveIsOverAtOnce) {
  for (const EndlessSow endless : kBothEndlessRules) {
    const auto [position, shape] = placed("x,x,x/1,2,3");
    const Round round = solve_round_of(rio_rules(endless), position, shape);
    EXPECT_EQ(round.positions, 1U);
    EXPECT_EQ(round.moves, 0U);
    EXPECT_EQ(RoundSource(round).value(position, shape), -6);
    const auto [nothing, no_shape] = placed("x/x");
    const Round empty = solve_round_of(rio_rules(endless), nothing, no_shape);
    EXPECT_EQ(RoundSource(empty).value(nothing, no_shape), 0);
  }
}

TEST(RoundSolver, AgainstARowWithoutOpenHolesOneMoveEndsTheRound) {
  // Each of the three moves leaves the opponent without a hole, and all the stones are the mover's.
  const auto [position, shape] = placed("1,2,3/x,x,x");
  const Round round = solve_round_of(rio_rules(EndlessSow::kForbid), position, shape);
  EXPECT_EQ(round.positions, 4U);
  EXPECT_EQ(RoundSource(round).value(position, shape), 6);
}

// ---- Closed holes ----

// Sows on the written board: closed holes are there and passed over. -1 stands for a closed hole.
struct Written {
  std::vector<int> holes;  // both rows
  int captured = 0, captured_opponent = 0;
  bool endless = false;
};

Written sow_written(std::vector<int> holes, std::size_t hole) {
  Written sown;
  const std::size_t size = holes.size();
  for (int laps = 0;; ++laps) {
    if (laps > 5000) {
      sown.endless = true;
      return sown;
    }
    int hand = holes[hole];
    holes[hole] = 0;
    while (hand > 0) {
      hole = (hole + 1) % size;
      if (holes[hole] < 0) continue;
      --hand;
      if (++holes[hole] == 4) {
        holes[hole] = 0;
        (hand == 0 || hole < size / 2 ? sown.captured : sown.captured_opponent) += 4;
        if (hand == 0) hand = -1;  // the last stone made four: the move is over
      }
    }
    if (hand < 0 || holes[hole] == 1) break;
  }
  sown.holes = holes;
  return sown;
}

std::string written_text(const std::vector<int>& holes) {
  std::string text;
  for (std::size_t i = 0; i < holes.size(); ++i) {
    if (i > 0) text += i == holes.size() / 2 ? "/" : ",";
    text += holes[i] < 0 ? "x" : std::to_string(holes[i]);
  }
  return text;
}

TEST(RoundSolver, ClosedHolesArePassedOverAndMakeNoDifferenceOtherwise) {
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  RandomNumbers random(11);
  for (int i = 0; i < 3000; ++i) {
    std::vector<int> holes(12);
    for (int& stones : holes) {
      stones = random.one_in(3) ? -1 : static_cast<int>(random.below(random.one_in(4) ? 12 : 4));
    }
    const Board board = parse_board(rules, written_text(holes), 0, 0);
    ASSERT_EQ(format_board(board), written_text(holes));
    const MoveGenerator generator(rules, board.shape());
    MoveList list;
    generator.generate(board.position, board.shape(), list);
    for (unsigned slot = 0; slot < board.shape().mover_pits; ++slot) {
      const unsigned pit = board.shown_pit(slot);
      ASSERT_GE(holes[pit - 1], 0);
      const bool legal = ((list.legal >> slot) & 1U) != 0;
      if (holes[pit - 1] == 0) {
        ASSERT_FALSE(legal);
        continue;
      }
      const Written sown = sow_written(holes, pit - 1);
      ASSERT_EQ(legal, !sown.endless) << written_text(holes) << " hole " << pit;
      if (!legal) continue;
      std::vector<int> seen = sown.holes;
      std::rotate(seen.begin(), seen.begin() + 6, seen.end());
      ASSERT_EQ(format_board(board.after(list.result[slot])), written_text(seen));
      ASSERT_EQ(list.captured[slot], sown.captured);
      ASSERT_EQ(list.captured_opponent[slot], sown.captured_opponent);
    }
  }
}

TEST(RoundSolver, WhichHolesAreClosedChangesNoValue) {
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  std::vector<Position> positions;
  for (const char* text :
       {"x,4,4/4,4,4", "4,x,4/4,4,4", "4,4,x/4,4,4", "x,4,x,4/x,4,4,4", "4,4,x,x/4,4,x,4"}) {
    const Board board = parse_board(rules, text, 0, 0);
    EXPECT_EQ(board.shape(), rows(2, 3));
    positions.push_back(board.position);
    EXPECT_EQ(positions.back(), positions.front());
  }
}

// ---- Contract ----

TEST(RoundSolver, MarksTheSidesOfUnequalRowsInItsKeys) {
  const Shape root = rows(8, 7);
  const auto [position, shape] = placed("1,2,3,4,5,6,7,8/9,10,11,12,13,14,15,x");
  ASSERT_EQ(shape, root);
  const Position key = round_key(position, shape, root);
  EXPECT_EQ(key, position);
  const Position other = swap_sides(position, shape);
  const Position other_key = round_key(other, shape.swapped(), root);
  EXPECT_EQ(other_key.lanes[15], 1);
  EXPECT_EQ(position_of_key(other_key, root).position, other);
  EXPECT_EQ(position_of_key(other_key, root).shape, shape.swapped());
  // On equal rows every lane may hold stones, and there is no mark.
  const Position full = placed("1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1").position;
  EXPECT_EQ(round_key(full, equal_rows(8), equal_rows(8)), full);
  EXPECT_EQ(position_of_key(full, equal_rows(8)).position, full);
}

TEST(RoundSolver, ASourceAnswersForItsRoundAndNothingElse) {
  const auto [position, shape] = placed("x,4,4/4,4,4");
  const Round round = solve_round_of(rio_rules(EndlessSow::kForbid), position, shape);
  const RoundSource source(round);
  EXPECT_TRUE(source.value(position, shape).has_value());
  EXPECT_FALSE(source.value(placed("x,5,4/4,4,3").position, shape).has_value());
  EXPECT_FALSE(source.value(placed("4,4/4,4").position, equal_rows(2)).has_value());
  EXPECT_FALSE(source.value(placed("x,40,4/4,4,4").position, shape).has_value());
}

TEST(RoundSolver, MoreThan127StonesAreRefused) {
  const auto [position, shape] = placed("64/64");
  try {
    solve_round_of(rio_rules(EndlessSow::kForbid), position, shape);
    FAIL() << "solved";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error.what()).find("128"), std::string::npos) << error.what();
  }
  EXPECT_EQ(fault_from({64, 63}, equal_rows(1), EndlessSow::kDraw), "");
}

TEST(RoundSolver, RefusesToUseMoreMemoryThanAllowed) {
  const auto [position, shape] = placed("4,4,4,4,4/4,4,4,4,4");
  try {
    solve_round(rio_rules(EndlessSow::kForbid), position, shape, 4U << 20, {});
    FAIL() << "solved";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error.what()).find("MiB"), std::string::npos) << error.what();
  }
}

TEST(RoundSolver, StopsWhenTold) {
  const auto [position, shape] = placed("4,4,4/4,4,4");
  RunControl control;
  int asked = 0;
  control.stop = [&] { return ++asked > 2; };
  try {
    solve_round(rio_rules(EndlessSow::kForbid), position, shape, 0, control);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kInterrupted);
  }
}

}  // namespace
}  // namespace retrosow::test
