// The sowing kernels against the reference: exhaustive for few seeds, seeded random boards above, and
// full laps by hand. tests/full/sow_kernels_full_test.cpp goes further along the same lines.
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

void expect_equal_on_all_boards(unsigned pits, unsigned max_seeds) {
  for (const RuleSet& rules : urim_rule_sets()) {
    ASSERT_EQ(UrimKernelCheck(rules, pits).first_fault(max_seeds), "");
  }
}

TEST(SowKernels, EqualTheReferenceOnAllBoardsOf2x1) { expect_equal_on_all_boards(1, 40); }
TEST(SowKernels, EqualTheReferenceOnAllBoardsOf2x2) { expect_equal_on_all_boards(2, 12); }
TEST(SowKernels, EqualTheReferenceOnAllBoardsOf2x3) { expect_equal_on_all_boards(3, 8); }
TEST(SowKernels, EqualTheReferenceOnAllBoardsOf2x4) { expect_equal_on_all_boards(4, 7); }
TEST(SowKernels, EqualTheReferenceOnAllBoardsOf2x6) { expect_equal_on_all_boards(6, 6); }

TEST(SowKernels, EqualTheReferenceOnRandomBoardsOfEverySize) {
  RandomNumbers random(1);
  for (unsigned pits = 1; pits <= kMaxPits; ++pits) {
    for (const RuleSet& rules : urim_rule_sets()) {
      const UrimKernelCheck check(rules, pits);
      for (int i = 0; i < 260; ++i) {
        ASSERT_EQ(check.fault(random_urim_board(random, pits, rules.pit_limit)), "");
      }
    }
  }
}

TEST(SowKernels, EqualTheReferenceOnLongSowingsOf2x6And2x7) {
  RandomNumbers random(2);
  for (const unsigned pits : {6U, 7U}) {
    for (const char* options : {"pit-limit=0", "pit-limit=127", "pit-limit=0 grand-slam=forbid"}) {
      const UrimKernelCheck check(urim_rules(options), pits);
      for (unsigned start = 0; start < pits; ++start) {
        for (unsigned seeds = 11; seeds <= 39; ++seeds) {
          for (int i = 0; i < 10; ++i) {
            std::vector<int> board(std::size_t{2} * pits);
            for (int& pit : board) pit = static_cast<int>(random.below(4));
            board[start] = static_cast<int>(seeds);
            ASSERT_EQ(check.fault(board), "");
          }
        }
      }
    }
  }
}

// ---- Full laps: 2k - 1 seeds end on the pit before the start ----

struct Sowing {
  const char* options;
  const char* position;
  unsigned pit;  // 1..k
  const char* result;
  unsigned captured;
};

// Worked out by hand. On 2x6 a lap is eleven seeds, one for every pit but the start.
constexpr Sowing kFullLaps[] = {
    // From pit 1 the last seed falls into b6: one there before, so two are captured.
    {"", "11,0,0,0,0,0/0,0,0,0,0,1", 1, "1,1,1,1,1,0/0,1,1,1,1,1", 2},
    // Nothing there before: one seed does not trigger.
    {"", "11,0,0,0,0,0/0,0,0,0,0,0", 1, "1,1,1,1,1,1/0,1,1,1,1,1", 0},
    // From pit 3 it falls into pit 2, the mover's own, whatever the opponent's pits hold.
    {"", "0,0,11,0,0,0/1,1,1,1,1,1", 3, "2,2,2,2,2,2/1,1,0,1,1,1", 0},
    // Two laps: b6 comes to two, and all of b5..b1 hold two as well.
    {"pit-limit=0", "22,0,0,0,0,0/0,0,0,0,0,0", 1, "0,0,0,0,0,0/0,2,2,2,2,2", 12},
    // ... to three; the run stops at b3, which holds five.
    {"pit-limit=0", "22,0,0,0,0,0/0,0,3,0,0,1", 1, "2,2,5,0,0,0/0,2,2,2,2,2", 7},
    {"pit-limit=0", "0,0,0,0,0,22/0,0,0,0,0,0", 6, "2,2,2,2,2,2/2,2,2,2,2,0", 0},
    // Three laps: every other pit gets three.
    {"pit-limit=0", "33,0,0,0,0,0/0,0,0,0,0,0", 1, "0,0,0,0,0,0/0,3,3,3,3,3", 18},
    {"pit-limit=0", "33,0,0,0,0,0/0,0,0,2,0,0", 1, "3,3,3,5,0,0/0,3,3,3,3,3", 6},
    {"pit-limit=0", "0,0,0,33,0,0/0,0,0,0,0,0", 4, "3,3,3,3,3,3/3,3,3,0,3,3", 0},
    // One seed past the lap falls behind the start, not into it.
    {"", "0,0,12,0,0,0/0,0,0,0,0,0", 3, "1,1,1,1,1,1/1,1,0,2,1,1", 0},
    // 2x1: the other pit is the whole lap. 2x2: three seeds are one.
    {"", "3/0", 1, "0/0", 3},
    {"", "3,0/0,1", 1, "1,0/0,1", 2},
};

// What is wrong with a kernel's sowing of one of these, or an empty string.
std::string sowing_fault(const Sowing& sowing, const Kernel& kernel) {
  const auto [position, shape] = placed(sowing.position);
  MoveList list = poisoned_list();
  kernel.generate(position, shape, list);
  const unsigned slot = sowing.pit - 1;
  if (((list.legal >> slot) & 1U) == 0) return "not legal";
  const std::string result = format_position(list.result[slot], shape.swapped());
  if (result != sowing.result || list.captured[slot] != sowing.captured) {
    return std::string(sowing.position) + " pit " + std::to_string(sowing.pit) + " gives " +
           result + " captured " + std::to_string(list.captured[slot]);
  }
  return "";
}

TEST(SowKernels, AFullLapEndsOnThePitBeforeItsStart) {
  for (const Sowing& sowing : kFullLaps) {
    for (const KernelId id : available_kernels()) {
      const MoveGenerator generator(urim_rules(sowing.options), placed(sowing.position).shape, id);
      EXPECT_EQ(sowing_fault(sowing, kernel_of(generator)), "") << kernel_name(id);
    }
  }
}

TEST(SowKernels, CountsAbove127AreSownToo) {
  // 200 seeds from pit 1 of 2x6: 18 laps of 11 and two more, for pits 2 and 3.
  const Sowing sowing{"pit-limit=0", "200,0,0,0,0,0/0,0,0,0,0,55", 1,
                      "18,18,18,18,18,73/0,19,19,18,18,18", 0};
  // Nothing is sown, but a pit of the opponent's holds more than a signed byte.
  const Sowing beside{"pit-limit=0", "0,0,0,0,0,1/1,0,0,0,0,200", 6, "0,0,0,0,0,200/0,0,0,0,0,0",
                      2};
  // No limit is no limit at 254 either.
  const Sowing fullest{"pit-limit=0", "0,0,0,0,0,1/254,0,0,0,0,0", 6, "255,0,0,0,0,0/0,0,0,0,0,0",
                       0};
  for (const KernelId id : available_kernels()) {
    const MoveGenerator generator(urim_rules("pit-limit=0"), equal_rows(6), id);
    EXPECT_EQ(sowing_fault(sowing, kernel_of(generator)), "");
    EXPECT_EQ(sowing_fault(beside, kernel_of(generator)), "");
    EXPECT_EQ(sowing_fault(fullest, kernel_of(generator)), "");
  }
}

// ---- Wrong kernels must be refused ----

// Sows seed by seed and captures with trigger 2,3 and chain 2,3,4, with one of two faults: the start is
// not skipped, or the last pit is taken to be `seeds mod lap` behind the start, which makes a full lap
// end on its own start.
Kernel kernel_with_wrong_laps(bool skips_start) {
  const auto sow = [skips_start](const Position& position, Shape shape, unsigned pit,
                                 MoveList& list) {
    std::vector<int> board = board_of(position, shape);
    const unsigned size = shape.pits();
    const unsigned seeds = static_cast<unsigned>(board[pit]);
    board[pit] = 0;
    unsigned last = pit;
    for (unsigned hand = seeds; hand > 0;) {
      last = (last + 1) % size;
      if (last == pit && skips_start) continue;
      ++board[last];
      --hand;
    }
    if (skips_start) last = (pit + seeds % (size - 1)) % size;
    list.captured[pit] = 0;
    list.grand_slam = 0;
    const auto takes = [&](int most) { return board[last] >= 2 && board[last] <= most; };
    for (int most = 3; last >= shape.mover_pits && takes(most); most = 4, --last) {
      list.captured[pit] = static_cast<std::uint8_t>(list.captured[pit] + board[last]);
      board[last] = 0;
    }
    list.result[pit] = swap_sides(position_of(board, shape), shape);
    list.legal = static_cast<std::uint8_t>(1U << pit);
  };
  return {"wrong",
          [sow](const Position& position, Shape shape, MoveList& list) {
            unsigned legal = 0;
            for (unsigned pit = 0; pit < shape.mover_pits; ++pit) {
              if (seeds_in(position, shape, pit) == 0) continue;
              sow(position, shape, pit, list);
              legal |= list.legal;
            }
            list.legal = static_cast<std::uint8_t>(legal);
          },
          sow};
}

TEST(SowKernels, AKernelThatEndsAFullLapOnItsStartIsRefused) {
  const Kernel wrong = kernel_with_wrong_laps(true);
  EXPECT_EQ(sowing_fault({"", "0,0,0,0,0,2/0,1,0,0,0,0", 6, "1,0,0,0,0,0/0,0,0,0,0,0", 2}, wrong),
            "");
  for (const Sowing& sowing : kFullLaps) {
    if (sowing.captured > 0) {
      EXPECT_NE(sowing_fault(sowing, wrong), "");
    }
  }
}

TEST(SowKernels, AKernelThatSowsIntoTheStartIsRefused) {
  const UrimKernelCheck check(urim_rules("grand-slam=capture"), 2, {kernel_with_wrong_laps(false)});
  EXPECT_EQ(check.fault({3, 0, 5, 1}), "");
  EXPECT_NE(check.fault({4, 0, 5, 1}), "");
}

// Every rule set differs from these in some board of the exhaustive tests.
TEST(SowKernels, AKernelWithOneOtherOptionIsRefused) {
  struct Pair {
    const char* right;
    const char* wrong;
  };
  constexpr Pair kPairs[] = {
      {"pit-limit=3", "pit-limit=5"},
      {"pit-limit=5", "pit-limit=0"},
      {"pit-limit=3", "pit-limit=3 pit-limit-rule=forbid"},
      {"trigger=2,3", "trigger=2"},
      {"trigger=2,3", "trigger=1,2,3"},
      {"chain=2,3,4", "chain=2,3"},
      {"chain=2,3", "chain=none"},
      {"grand-slam=capture", "grand-slam=leave"},
      {"grand-slam=capture", "grand-slam=forbid"},
      {"grand-slam=leave", "grand-slam=forbid"},
      {"starvation=feed", "starvation=leave"},
  };
  for (const Pair& pair : kPairs) {
    for (const KernelId id : available_kernels()) {
      const MoveGenerator wrong(urim_rules(pair.wrong), equal_rows(3), id);
      EXPECT_NE(UrimKernelCheck(urim_rules(pair.right), 3, {kernel_of(wrong)}).first_fault(8), "")
          << pair.right << " and " << pair.wrong;
    }
  }
}

// A true kernel whose lists are spoilt afterwards.
Kernel spoilt_kernel(const MoveGenerator& generator,
                     const std::function<void(MoveList&, unsigned pit)>& spoil) {
  Kernel kernel = kernel_of(generator);
  const auto true_generate = kernel.generate;
  kernel.generate = [true_generate, spoil](const Position& position, Shape shape, MoveList& list) {
    true_generate(position, shape, list);
    spoil(list, 0);
  };
  return kernel;
}

TEST(SowKernels, AListWithOneWrongDetailIsRefused) {
  const RuleSet rules = urim_rules();
  const MoveGenerator generator(rules, equal_rows(2));
  const std::vector<int> board = {1, 1, 1, 1};
  const auto fault = [&](const std::function<void(MoveList&, unsigned)>& spoil) {
    return UrimKernelCheck(rules, 2, {spoilt_kernel(generator, spoil)}).fault(board);
  };
  EXPECT_EQ(fault([](MoveList&, unsigned) {}), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { list.legal = 0b10; }), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { list.legal = 0b111; }), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { ++list.result[0].lanes[1]; }), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { std::swap(list.result[0], list.result[1]); }), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { list.captured[0] = 1; }), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { list.result[0].lanes[4] = 1; }), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { list.result[0].lanes[15] = 1; }), "");
  EXPECT_NE(fault([](MoveList& list, unsigned) { list.grand_slam ^= 1; }), "");
}

TEST(SowKernels, ASingleSowingThatDiffersFromTheListIsRefused) {
  const RuleSet rules = urim_rules();
  const MoveGenerator generator(rules, equal_rows(2));
  Kernel kernel = kernel_of(generator);
  const auto true_sow = kernel.sow;
  kernel.sow = [true_sow](const Position& position, Shape shape, unsigned pit, MoveList& list) {
    true_sow(position, shape, pit, list);
    if (pit == 1) list.legal = 0;
  };
  EXPECT_NE(UrimKernelCheck(rules, 2, {kernel}).fault({1, 1, 1, 1}), "");
}

}  // namespace
}  // namespace retrosow::test
