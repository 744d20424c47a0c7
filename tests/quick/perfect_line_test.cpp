// Evaluations and lines of perfect play, on every position of small levels and rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/notation.h"
#include "tests/support/boards.h"
#include "tests/support/line_check.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

// ---- Urim family ----

// The first fault on all positions of the levels up to `max_seeds`.
std::string urim_fault(const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  const Shape shape = equal_rows(pits);
  const LevelSolver solver(rules, pits, max_seeds);
  const LevelValues levels = solve_levels(solver, max_seeds);
  const LevelSource source(solver.halves(), levels);
  const reference::UrimSolution solution(reference_rules(rules, pits), static_cast<int>(max_seeds));
  const UrimOracle oracle(solution);
  std::string fault;
  for_each_board_up_to(2 * pits, max_seeds, rules.pit_limit, [&](const std::vector<int>& board) {
    if (!fault.empty()) return;
    const Position position = position_of(board, shape);
    fault = evaluation_fault(oracle, position, shape,
                             evaluate(solver.generator(), source, position, shape));
    if (fault.empty()) {
      fault = line_fault(oracle, position, shape,
                         perfect_line(solver.generator(), source, position, shape));
    }
  });
  return fault;
}

TEST(PerfectLine, LeadsToTheExitInTheDistanceOnAllBoardsOf2x1To2x3) {
  for (const RuleSet& rules : urim_rule_sets()) {
    EXPECT_EQ(urim_fault(rules, 1, 14), "") << canonical_text(rules);
    EXPECT_EQ(urim_fault(rules, 2, 6), "") << canonical_text(rules);
  }
  for (const char* options : {"", "pit-limit=3", "pit-limit=3 pit-limit-rule=forbid",
                              "starvation=leave", "grand-slam=forbid"}) {
    EXPECT_EQ(urim_fault(urim_rules(options), 3, 6), "") << options;
  }
}

TEST(PerfectLine, LeadsToTheExitInTheDistanceOnAllBoardsOf2x6WithFewSeeds) {
  EXPECT_EQ(urim_fault(urim_rules(), 6, 3), "");
  EXPECT_EQ(urim_fault(preset(Game::kAwari), 6, 3), "");
}

// ---- Rio Kadalis ----

std::string rio_fault(const std::vector<int>& root, Shape shape, EndlessSow endless) {
  const RuleSet rules = rio_rules(endless);
  const Round round = solve_round_of(rules, position_of(root, shape), shape);
  const RoundSource source(round);
  const MoveGenerator generator(rules, shape);
  const reference::RioSolution solution(reference_rules(rules), rio_position_of(root, shape));
  const RioOracle oracle(solution);
  for (const RoundLevel& level : round.levels) {
    for (const Position& key : level.keys) {
      const auto [position, side] = position_of_key(key, shape);
      std::string fault =
          evaluation_fault(oracle, position, side, evaluate(generator, source, position, side));
      if (fault.empty()) {
        fault = line_fault(oracle, position, side, perfect_line(generator, source, position, side));
      }
      if (!fault.empty()) return fault;
    }
  }
  return "";
}

std::string rio_fault_from_start(Shape shape, EndlessSow endless) {
  return rio_fault(std::vector<int>(shape.pits(), 4), shape, endless);
}

TEST(PerfectLine, LeadsToTheExitInTheDistanceInWholeRounds) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const unsigned pits : {1U, 2U, 3U}) {
      EXPECT_EQ(rio_fault_from_start(equal_rows(pits), endless), "") << pits;
    }
  }
}

// The same lanes seen from the longer and from the shorter row are two positions; one may be won and the
// other lost.
TEST(PerfectLine, LeadsToTheExitInTheDistanceOnUnequalRows) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const Shape shape :
         {rows(1, 2), rows(2, 1), rows(1, 4), rows(4, 1), rows(2, 3), rows(3, 2)}) {
      EXPECT_EQ(rio_fault_from_start(shape, endless), "")
          << unsigned{shape.mover_pits} << " v " << unsigned{shape.opponent_pits};
    }
  }
}

TEST(PerfectLine, LeadsToTheExitInTheDistanceFromRandomRoots) {
  RandomNumbers random(14);
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const Shape shape : {equal_rows(2), equal_rows(3), rows(2, 3), rows(4, 1), rows(2, 4)}) {
      for (int i = 0; i < 8; ++i) {
        const std::vector<int> board = random_rio_board(random, shape, 12);
        ASSERT_EQ(rio_fault(board, shape, endless), "") << text_of(board, shape);
      }
    }
  }
}

// ---- Wrong lines must be refused ----

class PerfectLineControl : public testing::Test {
 protected:
  static constexpr unsigned kPits = 3, kSeeds = 6;
  const RuleSet rules_ = urim_rules();
  const Shape shape_ = equal_rows(kPits);
  const LevelSolver solver_{rules_, kPits, kSeeds};
  const LevelValues levels_ = solve_levels(solver_, kSeeds);
  const LevelSource source_{solver_.halves(), levels_};
  const reference::UrimSolution solution_{reference_rules(rules_, kPits), static_cast<int>(kSeeds)};
  const UrimOracle oracle_{solution_};

  // Plays the first move that keeps the value, which is what a player without distances does.
  Line line_without_distances(Position position) const {
    Line line;
    std::vector<Position> seen = {position};
    while (true) {
      const Evaluation evaluation = evaluate(solver_.generator(), source_, position, shape_);
      if (evaluation.moves.empty()) return line;
      for (const MoveValue& move : evaluation.moves) {
        if (move.value != evaluation.value) continue;
        line.slots.push_back(move.slot);
        break;
      }
      MoveList list;
      solver_.generator().generate(position, shape_, list);
      position = list.result[line.slots.back()];
      if (line.slots.size() > 200) {
        line.end = Line::End::kRepetition;
        return line;
      }
    }
  }

  template <typename Spoil>
  unsigned refused(Spoil&& spoil) const {
    unsigned refused = 0;
    for_each_board_up_to(2 * kPits, kSeeds, 0, [&](const std::vector<int>& board) {
      const Position position = position_of(board, shape_);
      const Line line = spoil(position);
      refused += !line_fault(oracle_, position, shape_, line).empty();
    });
    return refused;
  }
};

TEST_F(PerfectLineControl, LinesThatPlayAnyMoveThatKeepsTheValueAreRefused) {
  EXPECT_GT(refused([&](const Position& position) { return line_without_distances(position); }),
            100U);
}

TEST_F(PerfectLineControl, LinesWithOneOtherMoveAreRefused) {
  // 1,0,0/0,0,1 and its like have equal moves, so not every board can tell.
  EXPECT_GT(refused([&](const Position& position) {
              Line line = perfect_line(solver_.generator(), source_, position, shape_);
              if (!line.slots.empty()) line.slots[0] = (line.slots[0] + 1) % kPits;
              return line;
            }),
            800U);
}

TEST_F(PerfectLineControl, LinesThatStopEarlyOrSayAnotherEndAreRefused) {
  const unsigned boards = refused([&](const Position&) { return Line{{}, Line::End::kCut}; });
  EXPECT_EQ(boards, 924U);
  const auto line_of = [&](const Position& position) {
    return perfect_line(solver_.generator(), source_, position, shape_);
  };
  EXPECT_EQ(refused([&](const Position& position) {
              Line line = line_of(position);
              line.end =
                  line.end == Line::End::kGameOver ? Line::End::kRepetition : Line::End::kGameOver;
              return line;
            }),
            boards);
  EXPECT_GT(refused([&](const Position& position) {
              Line line = line_of(position);
              if (!line.slots.empty()) line.slots.pop_back();
              return line;
            }),
            600U);
}

TEST_F(PerfectLineControl, EvaluationsWithOneWrongNumberAreRefused) {
  const Position position = placed("1,1,1/1,1,1").position;
  Evaluation evaluation = evaluate(solver_.generator(), source_, position, shape_);
  ASSERT_EQ(evaluation_fault(oracle_, position, shape_, evaluation), "");
  ++evaluation.moves[1].value;
  EXPECT_NE(evaluation_fault(oracle_, position, shape_, evaluation), "");
  --evaluation.moves[1].value;
  ++evaluation.value;
  EXPECT_NE(evaluation_fault(oracle_, position, shape_, evaluation), "");
  --evaluation.value;
  evaluation.moves.pop_back();
  EXPECT_NE(evaluation_fault(oracle_, position, shape_, evaluation), "");
}

// ---- Contract ----

TEST_F(PerfectLineControl, ALineIsCutAtTheAskedLength) {
  unsigned cut = 0;
  for_each_board_up_to(2 * kPits, kSeeds, 0, [&](const std::vector<int>& board) {
    const Position position = position_of(board, shape_);
    const Line whole = perfect_line(solver_.generator(), source_, position, shape_);
    const Line part = perfect_line(solver_.generator(), source_, position, shape_, 3);
    ASSERT_LE(part.slots.size(), 3U);
    ASSERT_TRUE(std::equal(part.slots.begin(), part.slots.end(), whole.slots.begin()));
    if (whole.slots.size() > 3) {
      ASSERT_EQ(part.end, Line::End::kCut) << text_of(board, shape_);
      ++cut;
    } else if (whole.slots.size() < 3) {
      ASSERT_EQ(part.end, whole.end);
    }
  });
  EXPECT_GT(cut, 100U);
}

TEST_F(PerfectLineControl, ALineIsCutWhereProgressTakesTooManyPositions) {
  unsigned cut = 0;
  for_each_board_up_to(2 * kPits, kSeeds, 0, [&](const std::vector<int>& board) {
    const Position position = position_of(board, shape_);
    const Line line = perfect_line(solver_.generator(), source_, position, shape_, 1000, 2);
    cut += line.end == Line::End::kCut;
    if (line.end != Line::End::kCut) {
      ASSERT_EQ(line_fault(oracle_, position, shape_, line), "");
    }
  });
  EXPECT_GT(cut, 50U);
}

TEST_F(PerfectLineControl, AChildThatNoTableHoldsIsNamed) {
  // The levels up to two seeds only: the moves of 1,1,0/1,0,0 stay at three or capture.
  const LevelValues few(levels_.begin(), levels_.begin() + 3);
  const LevelSource source(solver_.halves(), few);
  try {
    evaluate(solver_.generator(), source, placed("1,1,0/1,0,0").position, shape_);
    FAIL() << "evaluated";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kIo);
    // Pit 1 leads there.
    EXPECT_NE(std::string(error.what()).find("1,0,0/0,2,0"), std::string::npos) << error.what();
  }
}

TEST(PerfectLine, TheGameThatIsOverHasNoMove) {
  const LevelSolver solver(urim_rules(), 2, 3);
  const LevelValues levels = solve_levels(solver, 3);
  const LevelSource source(solver.halves(), levels);
  const auto [position, shape] = placed("0,0/2,1");
  const Evaluation evaluation = evaluate(solver.generator(), source, position, shape);
  EXPECT_EQ(evaluation.value, -3);
  EXPECT_TRUE(evaluation.moves.empty());
  const Line line = perfect_line(solver.generator(), source, position, shape);
  EXPECT_TRUE(line.slots.empty());
  EXPECT_EQ(line.end, Line::End::kGameOver);
}

TEST(PerfectLine, AHistogramCountsByValueAndSign) {
  Histogram histogram;
  histogram.add(3);
  histogram.add(3, 4);
  histogram.add(-1, 2);
  histogram.add(0, 7);
  histogram.add(5, 0);
  EXPECT_EQ(histogram.counts, (std::map<int, std::uint64_t>{{-1, 2}, {0, 7}, {3, 5}}));
  EXPECT_EQ(histogram.positions, 14U);
  EXPECT_EQ(histogram.wins, 5U);
  EXPECT_EQ(histogram.draws, 7U);
  EXPECT_EQ(histogram.losses, 2U);
}

}  // namespace
}  // namespace retrosow::test
