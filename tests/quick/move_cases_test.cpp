// Every move of tests/data/moves-*.jsonl, with every kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/cases.h"

namespace retrosow::test {
namespace {

void expect_all_right(const std::string& name, std::size_t cases_at_least) {
  const std::vector<MoveCase> cases = read_move_cases(name);
  EXPECT_GE(cases.size(), cases_at_least);
  for (const KernelId kernel : available_kernels()) {
    for (const MoveCase& move : cases) EXPECT_EQ(move_case_fault(move, kernel), "");
  }
}

TEST(MoveCases, UrimAgreesWithRecordedGames) { expect_all_right("moves-urim.jsonl", 1047); }
TEST(MoveCases, OwareAgreesWithRecordedGames) { expect_all_right("moves-oware.jsonl", 362); }
TEST(MoveCases, EveryUrimOptionAgreesWithTheCases) { expect_all_right("moves-options.jsonl", 450); }
TEST(MoveCases, RioKadalisAgreesWithRecordedGamesAndEndlessSows) {
  expect_all_right("moves-rio-kadalis.jsonl", 2192);
}

TEST(MoveCases, TheCasesHoldWhatTheyAreThereFor) {
  std::size_t endless = 0, closed = 0, left_slams = 0, fours_of_the_opponent = 0;
  for (const char* name : {"moves-urim.jsonl", "moves-oware.jsonl", "moves-options.jsonl",
                           "moves-rio-kadalis.jsonl"}) {
    for (const MoveCase& move : read_move_cases(name)) {
      endless += move.endless;
      closed += move.position.find('x') != std::string::npos;
      left_slams += move.rules.front().grand_slam == GrandSlam::kLeave;
      fours_of_the_opponent += move.captured_opponent > 0;
    }
  }
  EXPECT_EQ(endless, 33U);
  EXPECT_GT(closed, 10U);
  EXPECT_GT(left_slams, 10U);
  EXPECT_GT(fours_of_the_opponent, 10U);
}

TEST(MoveCases, ACaseWithOneWrongNumberIsRefused) {
  const KernelId kernel = available_kernels().front();
  const MoveCase right = read_move_cases("moves-urim.jsonl").front();
  ASSERT_EQ(move_case_fault(right, kernel), "");
  ASSERT_TRUE(right.legal.has_value());
  MoveCase wrong = right;
  ++wrong.captured;
  EXPECT_NE(move_case_fault(wrong, kernel), "");
  wrong = right;
  ++wrong.captured_opponent;
  EXPECT_NE(move_case_fault(wrong, kernel), "");
  wrong = right;
  ++wrong.result.front();
  EXPECT_NE(move_case_fault(wrong, kernel), "");
  wrong = right;
  wrong.legal->push_back(6);
  EXPECT_NE(move_case_fault(wrong, kernel), "");
  wrong = right;
  wrong.endless = true;
  EXPECT_NE(move_case_fault(wrong, kernel), "");
}

TEST(MoveCases, AnEndlessCaseWithAResultIsRefused) {
  const KernelId kernel = available_kernels().front();
  for (MoveCase& move : [] { return read_move_cases("moves-rio-kadalis.jsonl"); }()) {
    if (!move.endless) continue;
    move.endless = false;
    EXPECT_NE(move_case_fault(move, kernel), "");
  }
}

}  // namespace
}  // namespace retrosow::test
