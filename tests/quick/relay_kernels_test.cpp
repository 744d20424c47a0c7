// The relay kernels of Rio Kadalis against the reference, stone by stone: exhaustive for few stones on
// small boards and unequal rows, seeded random boards above.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "bitboard/notation.h"
#include "tests/support/boards.h"
#include "tests/support/kernel_check.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

constexpr EndlessSow kEndlessRules[] = {EndlessSow::kForbid, EndlessSow::kDraw};

void expect_equal_on_all_boards(Shape shape, unsigned max_stones) {
  for (const EndlessSow endless : kEndlessRules) {
    ASSERT_EQ(RioKernelCheck(rio_rules(endless), shape).first_fault(max_stones), "");
  }
}

TEST(RelayKernels, EqualTheReferenceOnAllBoardsOf2x1) {
  expect_equal_on_all_boards(equal_rows(1), 40);
}
TEST(RelayKernels, EqualTheReferenceOnAllBoardsOf2x2) {
  expect_equal_on_all_boards(equal_rows(2), 12);
}
TEST(RelayKernels, EqualTheReferenceOnAllBoardsOf2x3) {
  expect_equal_on_all_boards(equal_rows(3), 7);
}
TEST(RelayKernels, EqualTheReferenceOnAllBoardsOfUnequalRows) {
  expect_equal_on_all_boards(rows(1, 4), 8);
  expect_equal_on_all_boards(rows(2, 3), 8);
  expect_equal_on_all_boards(rows(5, 2), 6);
  expect_equal_on_all_boards(rows(1, 8), 5);
  expect_equal_on_all_boards(rows(8, 7), 3);
}

void expect_equal_on_random_boards(Shape shape, unsigned max_stones, int boards) {
  RandomNumbers random(shape.pits() * 1000 + max_stones);
  for (const EndlessSow endless : kEndlessRules) {
    const RioKernelCheck check(rio_rules(endless), shape);
    for (int i = 0; i < boards; ++i) {
      const Shape side = random.one_in(2) ? shape : shape.swapped();
      ASSERT_EQ(check.fault(random_rio_board(random, side, max_stones), side), "");
    }
  }
}

TEST(RelayKernels, EqualTheReferenceOnRandomBoards) {
  expect_equal_on_random_boards(equal_rows(6), 60, 12'000);
  expect_equal_on_random_boards(equal_rows(8), 60, 6000);
  expect_equal_on_random_boards(equal_rows(4), 40, 6000);
  expect_equal_on_random_boards(rows(8, 7), 60, 1000);
  expect_equal_on_random_boards(rows(5, 2), 40, 1000);
}

TEST(RelayKernels, EqualTheReferenceOnBoardsOfUpTo255Stones) {
  expect_equal_on_random_boards(equal_rows(6), 255, 300);
  expect_equal_on_random_boards(equal_rows(1), 255, 100);
  expect_equal_on_random_boards(rows(3, 1), 255, 100);
}

TEST(RelayKernels, ALapOfMoreThanARoundDropsIntoItsOwnStart) {
  // 2x1, four stones: b1, a1, b1, a1 for 1/2 of each; a1 holds two and is lifted: b1 three, a1 one.
  // That hole was empty, so the move ends: 1/3, seen by the opponent 3/1.
  const auto [position, shape] = placed("4/0");
  for (const KernelId id : available_kernels()) {
    const MoveGenerator generator(rio_rules(EndlessSow::kForbid), shape, id);
    MoveList list;
    generator.generate(position, shape, list);
    ASSERT_EQ(list.legal, 1U);
    EXPECT_EQ(format_position(list.result[0], shape.swapped()), "3/1");
    EXPECT_EQ(list.laps[0], 2U);
    EXPECT_EQ(list.captured[0], 0U);
    EXPECT_EQ(list.captured_opponent[0], 0U);
  }
}

// ---- Endless sowing ----

TEST(RelayKernels, TheEndlessExampleOfTheRulesIsFound) {
  const auto [position, shape] = placed("2,0,1,0,2,1/0,2,1,0,2,1");
  for (const KernelId id : available_kernels()) {
    MoveList list;
    MoveGenerator(rio_rules(EndlessSow::kForbid), shape, id).generate(position, shape, list);
    EXPECT_EQ(list.endless & 1U, 1U);
    EXPECT_EQ(list.legal & 1U, 0U);
    MoveGenerator(rio_rules(EndlessSow::kDraw), shape, id).generate(position, shape, list);
    EXPECT_EQ(list.endless & 1U, 1U);
    EXPECT_EQ(list.legal & 1U, 1U);
    EXPECT_EQ(list.captured[0], 0U);
    EXPECT_EQ(list.captured_opponent[0], 0U);
  }
}

// Random boards hardly ever have an endless hole (one move in 30,000 on 2x6), so such boards are looked
// for, with a kernel, and then compared.
TEST(RelayKernels, EqualTheReferenceOnBoardsWithEndlessSows) {
  constexpr int kCounts[][8] = {
      {0, 0, 1, 1, 2, 2, 1, 0}, {0, 0, 1, 5, 2, 2, 1, 0}, {0, 1, 2, 3, 12, 1, 2, 8}};
  unsigned endless = 0, after_captures = 0;
  for (const Shape shape :
       {rows(6, 6), rows(4, 4), rows(3, 3), rows(2, 2), rows(2, 3), rows(4, 1), rows(5, 2)}) {
    RandomNumbers random(shape.pits());
    const MoveGenerator generator(rio_rules(EndlessSow::kDraw), shape);
    const RioKernelCheck forbid(rio_rules(EndlessSow::kForbid), shape);
    const RioKernelCheck draw(rio_rules(EndlessSow::kDraw), shape);
    const int tries = shape == rows(6, 6) ? 200'000 : 10'000;
    MoveList list;
    for (const auto& counts : kCounts) {
      for (int i = 0; i < tries; ++i) {
        std::vector<int> board(shape.pits());
        for (int& stones : board) stones = counts[random.below(8)];
        generator.generate(position_of(board, shape), shape, list);
        if (list.endless == 0) continue;
        ASSERT_EQ(forbid.fault(board), "");
        ASSERT_EQ(draw.fault(board), "");
        for (unsigned hole = 0; hole < shape.mover_pits; ++hole) {
          if (((list.endless >> hole) & 1U) == 0) continue;
          ++endless;
          after_captures += list.captured[hole] + list.captured_opponent[hole] > 0;
        }
      }
    }
  }
  EXPECT_GT(endless, 1000U);
  EXPECT_GT(after_captures, 100U);
}

// ---- Rows without open holes: the reference has none, so by hand ----

TEST(RelayKernels, AMoverWithoutOpenHolesHasNoMove) {
  const auto [position, shape] = placed("x,x,x/1,2,3");
  ASSERT_EQ(shape, rows(0, 3));
  for (const KernelId id : available_kernels()) {
    const MoveGenerator generator(rio_rules(EndlessSow::kForbid), shape, id);
    MoveList list = poisoned_list();
    generator.generate(position, shape, list);
    EXPECT_EQ(list.legal, 0U);
    EXPECT_EQ(list.endless, 0U);
    const EndResult end = generator.end(position, shape);
    EXPECT_EQ(end.mover, 0U);
    EXPECT_EQ(end.opponent, 6U);
  }
}

TEST(RelayKernels, AgainstARowWithoutOpenHolesOneSowsInOnesOwn) {
  // Hole 3 holds three: holes 1, 2, 3 come to 2, 3, 1; the last fell where nothing was.
  // Hole 2 holds two: hole 3 comes to four, not the last, which are the mover's as the row's owner; hole
  // 1 comes to two and is lifted: hole 2 gets one, hole 3 gets one and was empty.
  // Hole 1 holds one: hole 2 comes to three and is lifted: hole 3 four and taken, holes 1 and 2 one each.
  const auto [position, shape] = placed("1,2,3/x,x,x");
  for (const KernelId id : available_kernels()) {
    const MoveGenerator generator(rio_rules(EndlessSow::kForbid), shape, id);
    MoveList list = poisoned_list();
    generator.generate(position, shape, list);
    ASSERT_EQ(list.legal, 0b111U);
    EXPECT_EQ(board_of(list.result[0], shape.swapped()), (std::vector<int>{1, 1, 0}));
    EXPECT_EQ(board_of(list.result[1], shape.swapped()), (std::vector<int>{0, 1, 1}));
    EXPECT_EQ(board_of(list.result[2], shape.swapped()), (std::vector<int>{2, 3, 1}));
    EXPECT_EQ(list.captured[0], 4U);
    EXPECT_EQ(list.captured[1], 4U);
    EXPECT_EQ(list.captured[2], 0U);
    EXPECT_EQ(list.captured_opponent[0], 0U);
  }
}

TEST(RelayKernels, ABoardWithoutOpenHolesIsOver) {
  const auto [position, shape] = placed("x/x");
  for (const KernelId id : available_kernels()) {
    const MoveGenerator generator(rio_rules(EndlessSow::kForbid), shape, id);
    MoveList list = poisoned_list();
    generator.generate(position, shape, list);
    EXPECT_EQ(list.legal, 0U);
    EXPECT_EQ(generator.end(position, shape).value(), 0);
  }
}

// ---- Wrong kernels must be refused ----

std::string fault_when_spoilt(const std::string& text,
                              const std::function<void(MoveList&)>& spoil) {
  const auto [position, shape] = placed(text);
  const RuleSet rules = rio_rules(EndlessSow::kDraw);
  const MoveGenerator generator(rules, shape);
  Kernel kernel = kernel_of(generator);
  const auto true_generate = kernel.generate;
  kernel.generate = [&](const Position& p, Shape s, MoveList& list) {
    true_generate(p, s, list);
    spoil(list);
  };
  return RioKernelCheck(rules, shape, {kernel}).fault(board_of(position, shape));
}

TEST(RelayKernels, AListWithOneWrongDetailIsRefused) {
  const std::string quiet = "4,4/4,4", endless = "2,0,1,0,2,1/0,2,1,0,2,1";
  EXPECT_EQ(fault_when_spoilt(quiet, [](MoveList&) {}), "");
  EXPECT_EQ(fault_when_spoilt(endless, [](MoveList&) {}), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { list.legal = 1; }), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { list.endless = 1; }), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { list.binikh ^= 1; }), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { ++list.laps[1]; }), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { list.captured[0] ^= 4; }), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { list.captured_opponent[0] ^= 4; }), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { list.result[0].lanes[9] = 1; }), "");
  EXPECT_NE(fault_when_spoilt(quiet, [](MoveList& list) { list.result[1] = list.result[0]; }), "");
  EXPECT_NE(fault_when_spoilt(endless, [](MoveList& list) { list.endless = 0; }), "");
  EXPECT_NE(fault_when_spoilt(endless, [](MoveList& list) { ++list.laps[0]; }), "");
}

TEST(RelayKernels, AKernelWithTheOtherEndlessRuleIsRefused) {
  const auto [position, shape] = placed("2,0,1,0,2,1/0,2,1,0,2,1");
  const MoveGenerator wrong(rio_rules(EndlessSow::kDraw), shape);
  const RioKernelCheck check(rio_rules(EndlessSow::kForbid), shape, {kernel_of(wrong)});
  EXPECT_NE(check.fault(board_of(position, shape)), "");
}

}  // namespace
}  // namespace retrosow::test
