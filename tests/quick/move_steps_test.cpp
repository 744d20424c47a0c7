// The steps of a move against the kernels' move lists, and each step against the board that it changes.
#include "bitboard/move_steps.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

using Kind = MoveStep::Kind;

// Makes the steps on a plain board, each of which has to fit it, and says what the whole comes to.
struct Replay {
  std::vector<int> board;
  unsigned captured = 0, captured_opponent = 0, laps = 0;
  bool endless = false;
  std::string fault;

  Replay(const Position& position, Shape shape, const SteppedMove& move) : board(board_of(position, shape)) {
    int hand = 0;
    std::set<std::pair<std::vector<int>, unsigned>> stood;
    for (std::size_t i = 0; i < move.steps.size() && fault.empty(); ++i) {
      const MoveStep& step = move.steps[i];
      const std::string where = "step " + std::to_string(i) + ": ";
      int& seeds = board.at(step.pit);
      switch (step.kind) {
        case Kind::kLift:
          if (hand != 0 || seeds == 0 || seeds != step.seeds) fault = where + "lift";
          if (!stood.emplace(board, step.pit).second) fault = where + "goes on although the state stood before";
          hand = seeds;
          seeds = 0;
          ++laps;
          break;
        case Kind::kDrop:
          if (hand == 0 || ++seeds != step.seeds) fault = where + "drop";
          --hand;
          break;
        case Kind::kTake:
          if (seeds == 0 || seeds != step.seeds) fault = where + "take";
          (step.to_mover ? captured : captured_opponent) += step.seeds;
          seeds = 0;
          break;
        case Kind::kRepeat:
          if (i + 1 != move.steps.size() || !stood.contains({board, step.pit})) fault = where + "repeat";
          endless = true;
          break;
      }
    }
    if (hand != 0) fault += " seeds are left in the hand";
  }
};

// What is wrong with the steps of a legal move, beside its slot in a move list; else empty.
std::string steps_fault(const RuleSet& rules, const Position& position, Shape shape, const MoveList& list,
                        unsigned slot) {
  const SteppedMove move = move_steps(rules, position, shape, slot);
  const Replay replay(position, shape, move);
  const bool relay = family_of(rules.game) == Family::kRioKadalis;
  const bool endless = relay && ((list.endless >> slot) & 1U) != 0;
  const std::string what = format_position(position, shape) + " pit " + std::to_string(slot + 1) + " " +
                           canonical_text(rules) + ": ";
  if (!replay.fault.empty()) return what + replay.fault;
  if (replay.endless != endless || move.endless != endless) return what + "endless";
  if (!endless && swap_sides(move.board, shape) != list.result[slot]) return what + "the board behind it";
  if (position_of(replay.board, shape) != move.board) return what + "the board that its steps make";
  if (replay.captured != list.captured[slot] || move.captured != replay.captured) return what + "captured";
  const unsigned opponents = relay ? list.captured_opponent[slot] : 0U;
  if (replay.captured_opponent != opponents || move.captured_opponent != opponents) return what + "of the opponent";
  if (replay.laps != (relay ? list.laps[slot] : 1U) || move.laps != replay.laps) return what + "laps";
  return "";
}

// The first fault among the legal moves of a board; counts them.
std::string board_fault(const MoveGenerator& generator, const Position& position, Shape shape, unsigned& moves) {
  MoveList list;
  generator.generate(position, shape, list);
  std::string fault;
  for_each_move(list, [&](unsigned slot) {
    ++moves;
    if (fault.empty()) fault = steps_fault(generator.rules(), position, shape, list, slot);
  });
  return fault;
}

TEST(MoveSteps, ComeToWhatTheKernelsSayOnRandomUrimBoards) {
  RandomNumbers random(81);
  unsigned moves = 0;
  for (const unsigned pits : {1U, 2U, 4U, 6U, 7U}) {
    for (const RuleSet& rules : urim_rule_sets()) {
      const MoveGenerator generator(rules, equal_rows(pits));
      for (int i = 0; i < 60; ++i) {
        const Position position = position_of(random_urim_board(random, pits, rules.pit_limit), equal_rows(pits));
        ASSERT_EQ(board_fault(generator, position, equal_rows(pits), moves), "");
      }
    }
  }
  EXPECT_GT(moves, 10'000U);
}

TEST(MoveSteps, ComeToWhatTheKernelsSayOnRandomBoardsOfRioKadalis) {
  RandomNumbers random(82);
  unsigned moves = 0;
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const Shape shape : {equal_rows(2), equal_rows(6), rows(5, 6), rows(2, 3)}) {
      const MoveGenerator generator(rio_rules(endless), shape);
      for (int i = 0; i < 400; ++i) {
        const Position position = position_of(random_rio_board(random, shape, 60), shape);
        ASSERT_EQ(board_fault(generator, position, shape, moves), "");
      }
    }
  }
  EXPECT_GT(moves, 8'000U);
}

TEST(MoveSteps, ComeToWhatTheCasesSay) {
  unsigned endless = 0;
  for (const char* name : {"moves-urim.jsonl", "moves-oware.jsonl", "moves-options.jsonl", "moves-rio-kadalis.jsonl"}) {
    for (const MoveCase& move : read_move_cases(name)) {
      RuleSet rules = move.rules.front();
      if (move.endless) rules.endless_sow = EndlessSow::kDraw;
      const Board board = parse_board(rules, move.position, 0, 0);
      unsigned slot = 0;
      while (board.shown_pit(slot) != move.pit) ++slot;
      const SteppedMove steps = move_steps(rules, board.position, board.shape(), slot);
      const Replay replay(board.position, board.shape(), steps);
      ASSERT_EQ(replay.fault, "") << move.id;
      ASSERT_EQ(steps.endless, move.endless) << move.id;
      endless += move.endless;
      if (move.endless) continue;  // these cases do not say what was captured before the loop
      EXPECT_EQ(steps.captured, move.captured) << move.id;
      EXPECT_EQ(steps.captured_opponent, move.captured_opponent) << move.id;
      EXPECT_EQ(format_board(board.after(swap_sides(steps.board, board.shape()))),
                format_board(parse_board(rules, move.result, 0, 0))) << move.id;
    }
  }
  EXPECT_EQ(endless, 33U);
}

TEST(MoveSteps, AreThoseOfTheWorkedExamples) {
  const auto steps_of = [](const RuleSet& rules, const char* text, unsigned slot) {
    const Placed at = placed(text);
    return move_steps(rules, at.position, at.shape, slot).steps;
  };
  const std::vector<MoveStep> urim = {{Kind::kLift, 2, 1}, {Kind::kDrop, 3, 2}, {Kind::kTake, 3, 2, true}};
  EXPECT_EQ(steps_of(urim_rules(), "0,0,1/1,2,0", 2), urim);
  const std::vector<MoveStep> rio = {
      {Kind::kLift, 1, 2}, {Kind::kDrop, 2, 4}, {Kind::kTake, 2, 4, false}, {Kind::kDrop, 3, 1}};
  EXPECT_EQ(steps_of(rio_rules(EndlessSow::kForbid), "0,2/3,0", 1), rio);
  // A full pit is passed over, and so is the lifted one.
  const std::vector<MoveStep> passed = {{Kind::kLift, 1, 3}, {Kind::kDrop, 3, 1}, {Kind::kDrop, 0, 1},
                                        {Kind::kDrop, 3, 2}, {Kind::kTake, 3, 2, true}, {Kind::kTake, 2, 3, true}};
  EXPECT_EQ(steps_of(urim_rules("pit-limit=3"), "0,3/3,0", 1), passed);
}

TEST(MoveSteps, WrongListsAreRefused) {  // the test's own check
  const RuleSet rules = rio_rules(EndlessSow::kDraw);
  const auto [position, shape] = placed("2,0,1,0,2,1/0,2,1,0,2,1");
  MoveList right;
  MoveGenerator(rules, shape).generate(position, shape, right);
  ASSERT_EQ(steps_fault(rules, position, shape, right, 0), "");
  ASSERT_EQ(steps_fault(rules, position, shape, right, 2), "");
  MoveList wrong = right;
  ++wrong.laps[0];
  EXPECT_NE(steps_fault(rules, position, shape, wrong, 0), "");
  wrong = right;
  wrong.endless = 0;
  EXPECT_NE(steps_fault(rules, position, shape, wrong, 0), "");
  wrong = right;
  ++wrong.result[2].lanes[0];
  EXPECT_NE(steps_fault(rules, position, shape, wrong, 2), "");
  wrong = right;
  ++wrong.captured[2];
  EXPECT_NE(steps_fault(rules, position, shape, wrong, 2), "");
}

}  // namespace
}  // namespace retrosow::test
