// Perft: golden counts in several columns, made by the reference.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/perft.h"
#include "tests/support/boards.h"
#include "tests/support/perft_cases.h"
#include "tests/support/reference_perft.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

RuleSet rules_of(const PerftCase& known) { return parse_canonical_text(known.game, known.options); }

std::string counts_text(const PerftCounts& counts) {
  return std::to_string(counts.nodes) + " nodes, " + std::to_string(counts.captures) +
         " captures of " + std::to_string(counts.captured) + " and " +
         std::to_string(counts.captured_opponent) + ", " + std::to_string(counts.ends) + " ends";
}

// The first length at which two counts differ, or an empty string.
std::string difference(const std::vector<PerftCounts>& expected,
                       const std::vector<PerftCounts>& found) {
  if (expected.size() != found.size()) return "another depth";
  for (std::size_t length = 0; length < expected.size(); ++length) {
    if (expected[length] == found[length]) continue;
    return "length " + std::to_string(length) + ": expected " + counts_text(expected[length]) +
           ", found " + counts_text(found[length]);
  }
  return "";
}

std::vector<PerftCounts> counts_of(const PerftCase& known, const RuleSet& rules, KernelId kernel,
                                   std::size_t depth) {
  const auto [position, shape] = placed(known.position);
  return perft(MoveGenerator(rules, shape, kernel), position, shape, static_cast<unsigned>(depth));
}

TEST(Perft, EveryKernelReproducesTheGoldenCounts) {
  for (const PerftCase& known : perft_cases()) {
    for (const KernelId kernel : available_kernels()) {
      // The slower kernels stop one ply earlier, to save time.
      std::vector<PerftCounts> golden = known.counts;
      if (kernel != available_kernels().back()) {
        golden.pop_back();
      }
      const auto found = counts_of(known, rules_of(known), kernel, golden.size() - 1);
      EXPECT_EQ(difference(golden, found), "")
          << known.position << " " << known.options << " " << kernel_name(kernel);
    }
  }
}

TEST(Perft, TheReferenceCountsTheSameAtSmallDepth) {
  for (const PerftCase& known : perft_cases()) {
    const auto [position, shape] = placed(known.position);
    const std::size_t depth = known.counts.size() - 4;
    const std::vector<PerftCounts> golden(known.counts.begin(), known.counts.end() - 3);
    EXPECT_EQ(difference(golden, reference_perft(rules_of(known), position, shape,
                                                 static_cast<unsigned>(depth))),
              "")
        << known.position << " " << known.options;
  }
}

TEST(Perft, TheGoldenCountsHaveEveryColumn) {
  PerftCounts all;
  for (const PerftCase& known : perft_cases()) {
    for (const PerftCounts& counts : known.counts) {
      all.captures += counts.captures;
      all.captured += counts.captured;
      all.captured_opponent += counts.captured_opponent;
      all.ends += counts.ends;
    }
  }
  EXPECT_GT(all.captures, 0U);
  EXPECT_GT(all.captured, 0U);
  EXPECT_GT(all.captured_opponent, 0U);
  EXPECT_GT(all.ends, 0U);
}

TEST(Perft, OtherRulesGiveOtherCounts) {
  const PerftCase& urim = perft_cases().front();
  const KernelId kernel = available_kernels().back();
  for (const char* options : {"chain=2,3", "trigger=2", "pit-limit=5", "grand-slam=leave"}) {
    // A late position, in which every option has come to bear.
    const PerftCase late{Game::kUrim, options, "0,1,0,2,0,17/1,0,2,0,3,0", {}};
    EXPECT_NE(difference(counts_of(late, urim_rules(), kernel, 7),
                         counts_of(late, urim_rules(options), kernel, 7)),
              "")
        << options;
  }
  std::vector<PerftCounts> wrong = urim.counts;
  ++wrong.back().captured;
  EXPECT_NE(difference(wrong, urim.counts), "");
  wrong = urim.counts;
  wrong.pop_back();
  EXPECT_NE(difference(wrong, urim.counts), "");
}

TEST(Perft, DepthZeroIsTheEmptySequence) {
  const auto [position, shape] = placed("0,0/1,0");
  const auto counts = perft(MoveGenerator(urim_rules(), shape), position, shape, 0);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0], (PerftCounts{1, 0, 0, 0, 1}));  // over already
}

TEST(Perft, AnEndlessSowEndsItsSequence) {
  const auto [position, shape] = placed("2,0,1,0,2,1/0,2,1,0,2,1");
  const auto draw = perft(MoveGenerator(rio_rules(EndlessSow::kDraw), shape), position, shape, 1);
  const auto forbid =
      perft(MoveGenerator(rio_rules(EndlessSow::kForbid), shape), position, shape, 1);
  EXPECT_EQ(draw[1].nodes, forbid[1].nodes + 1);
  EXPECT_EQ(draw[1].ends, 1U);
  EXPECT_EQ(forbid[1].ends, 0U);
}

TEST(Perft, StopsWhenTold) {
  const auto [position, shape] = placed("3,3,3,3,3,3/3,3,3,3,3,3");
  int asked = 0;
  try {
    perft(MoveGenerator(urim_rules(), shape), position, shape, 30, [&] { return ++asked == 3; });
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kInterrupted);
    EXPECT_EQ(asked, 3);
  }
}

}  // namespace
}  // namespace retrosow::test
