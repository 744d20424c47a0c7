// tests/quick/relay_kernels_test.cpp, further.
#include <gtest/gtest.h>

#include "tests/support/boards.h"
#include "tests/support/kernel_check.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

TEST(RelayKernelsFull, EqualTheReferenceOnAllBoardsWithFewStones) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    const RuleSet rules = rio_rules(endless);
    ASSERT_EQ(RioKernelCheck(rules, equal_rows(1)).first_fault(100), "");
    ASSERT_EQ(RioKernelCheck(rules, equal_rows(2)).first_fault(20), "");
    ASSERT_EQ(RioKernelCheck(rules, equal_rows(3)).first_fault(11), "");
    ASSERT_EQ(RioKernelCheck(rules, equal_rows(4)).first_fault(8), "");
    ASSERT_EQ(RioKernelCheck(rules, equal_rows(6)).first_fault(5), "");
    ASSERT_EQ(RioKernelCheck(rules, rows(1, 4)).first_fault(14), "");
    ASSERT_EQ(RioKernelCheck(rules, rows(2, 3)).first_fault(13), "");
    ASSERT_EQ(RioKernelCheck(rules, rows(5, 2)).first_fault(9), "");
    ASSERT_EQ(RioKernelCheck(rules, rows(8, 7)).first_fault(4), "");
  }
}

TEST(RelayKernelsFull, EqualTheReferenceOnRandomBoards) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (unsigned mover = 1; mover <= kMaxPits; ++mover) {
      for (unsigned opponent = mover; opponent <= kMaxPits; ++opponent) {
        RandomNumbers random(10 * mover + opponent);
        const RioKernelCheck check(rio_rules(endless), rows(mover, opponent));
        const int boards = mover == opponent ? 6000 : 1000;
        for (int i = 0; i < boards; ++i) {
          const Shape side = random.one_in(2) ? rows(mover, opponent) : rows(opponent, mover);
          const unsigned most = random.one_in(16) ? 255 : 60;
          ASSERT_EQ(check.fault(random_rio_board(random, side, most), side), "");
        }
      }
    }
  }
}

}  // namespace
}  // namespace retrosow::test
