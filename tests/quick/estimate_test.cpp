// Estimates: exact where they say so, near what is built where they forecast, and an answer for sizes that nobody
// can build.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tables/estimate.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

TEST(Estimate, PositionsAreThoseThatAreKnown) {
  const BuildEstimate estimate = estimate_levels(urim_rules(), 6, 36, 1, false);
  ASSERT_EQ(estimate.levels.size(), 37U);
  EXPECT_EQ(estimate.levels[12].positions, 1'352'078U);
  EXPECT_EQ(estimate.levels[24].positions, 417'077'388U);
  EXPECT_EQ(estimate.levels[36].positions, 17'001'966'203U);
  EXPECT_EQ(estimate.positions, 68'630'615'834U);
}

TEST(Estimate, TheLeastMemoryIsTheOneThatTheBuilderAsksFor) {
  const BuildEstimate estimate = estimate_levels(urim_rules(), 6, 9, 2, false);
  EXPECT_EQ(estimate.least_memory_bytes, build_levels_memory(urim_rules(), 6, 9, 2));
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  options.threads = 2;
  options.memory_bytes = estimate.least_memory_bytes - 1;
  const auto refused = error_from([&] { build_levels(urim_rules(), 6, 9, options); });
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->error_class(), ErrorClass::kLimit);
  ++options.memory_bytes;
  EXPECT_EQ(build_levels(urim_rules(), 6, 9, options).size(), 10U);
}

TEST(Estimate, DistancesOf36SeedsOn2x6NeedNoMoreMemoryThanValuesAndSomeDiskForAWhile) {
  const RuleSet rules = urim_rules();
  const std::uint64_t values = build_levels_memory(rules, 6, 36, 2);
  EXPECT_EQ(build_levels_memory(rules, 6, 36, 2, true), values);
  EXPECT_LT(values, std::uint64_t{23} << 30);
  EXPECT_EQ(build_levels_memory(rules, 6, 12, 2, true), build_levels_comfortable_memory(rules, 6, 12, 2, true));
  EXPECT_EQ(estimate_levels(rules, 6, 17, 1, true).scratch_bytes, 0U);
  const BuildEstimate large = estimate_levels(rules, 6, 36, 1, true);
  EXPECT_GT(large.scratch_bytes, std::uint64_t{5} << 30);
  EXPECT_LT(large.scratch_bytes, large.file_bytes / 4);
  EXPECT_EQ(estimate_levels(rules, 6, 36, 1, false).scratch_bytes, 0U);
}

TEST(Estimate, TheSumsAreThoseOfTheLevels) {
  for (const bool distances : {false, true}) {
    const BuildEstimate estimate = estimate_levels(urim_rules("pit-limit=5"), 4, 14, 1, distances);
    std::uint64_t positions = 0, bytes = 0, memory = 0;
    double seconds = 0;
    for (const LevelEstimate& level : estimate.levels) {
      positions += level.positions;
      bytes += level.file_bytes;
      seconds += level.seconds;
      EXPECT_GE(level.memory_bytes, memory);
      memory = level.memory_bytes;
      EXPECT_GT(level.seconds, 0);
    }
    EXPECT_EQ(estimate.positions, positions);
    EXPECT_EQ(estimate.file_bytes, bytes);
    EXPECT_NEAR(estimate.seconds, seconds, 1e-9);
    EXPECT_EQ(estimate.least_memory_bytes, memory);
    EXPECT_GE(estimate.comfortable_memory_bytes, memory);
    EXPECT_EQ(estimate.threads, 1U);
    EXPECT_GT(estimate.trial_rate, 0);
  }
}

TEST(Estimate, FileSizesAreNearThoseOfABuild) {
  struct Case {
    unsigned pits, seeds;
    const char* rules;
  };
  for (const Case& c :
       {Case{6, 10, ""}, Case{4, 13, ""}, Case{6, 9, "pit-limit=0 chain=2,3 starvation=leave"}}) {
    const ScratchFolder folder;
    BuildOptions options;
    options.folder = folder.path();
    std::uint64_t bytes = 0;
    for (const BuiltLevel& level : build_levels(urim_rules(c.rules), c.pits, c.seeds, options)) {
      bytes += level.file_bytes;
    }
    const auto forecast = static_cast<double>(
        estimate_levels(urim_rules(c.rules), c.pits, c.seeds, 0, false).file_bytes);
    EXPECT_NEAR(forecast / static_cast<double>(bytes), 1, 0.2)
        << c.pits << " " << c.seeds << " " << c.rules;
  }
}

TEST(Estimate, DistancesTakeMoreDiskAndTime) {
  const BuildEstimate without = estimate_levels(urim_rules(), 5, 12, 1, false);
  const BuildEstimate with = estimate_levels(urim_rules(), 5, 12, 1, true);
  EXPECT_GT(with.file_bytes, without.file_bytes);
  EXPECT_GE(with.least_memory_bytes, without.least_memory_bytes);
  EXPECT_EQ(with.positions, without.positions);
}

TEST(Estimate, SizesBeyondEveryMachineAreAnsweredOrRefused) {
  EXPECT_GT(estimate_levels(urim_rules(), 7, 42, 0, true).positions, std::uint64_t{1} << 40);
  EXPECT_EQ(estimate_levels(urim_rules(), 5, 127, 0, true).levels.size(), 128U);
  EXPECT_EQ(estimate_levels(urim_rules("pit-limit=0"), 1, 127, 0, true).levels.size(), 128U);
  EXPECT_EQ(estimate_levels(urim_rules("pit-limit=1"), 2, 20, 0, true).levels[20].positions, 0U);
  struct Case {
    unsigned pits, seeds;
    const char* rules;
    const char* what;
  };
  for (const Case& c :
       {Case{6, 128, "", "127"}, Case{1, 4'000'000'000U, "", "127"},
        Case{8, 127, "pit-limit=0", "halves"}, Case{6, 127, "pit-limit=0", "halves"}}) {
    const auto error =
        error_from([&] { estimate_levels(urim_rules(c.rules), c.pits, c.seeds, 1, false); });
    ASSERT_TRUE(error.has_value()) << c.pits << " " << c.seeds;
    EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error->what()).find(c.what), std::string::npos) << error->what();
  }
}

TEST(Estimate, ARefusalNamesTheLargestSizeThatIsAnswered) {
  const RuleSet rules = urim_rules("pit-limit=0");
  const auto error = error_from([&] { estimate_levels(rules, 7, 127, 1, false); });
  ASSERT_TRUE(error.has_value());
  const std::string what = error->what();
  const std::size_t at = what.find("up to ");
  ASSERT_NE(at, std::string::npos) << what;
  const auto last = static_cast<unsigned>(std::stoul(what.substr(at + 6)));
  EXPECT_EQ(estimate_levels(rules, 7, last, 1, false).levels.size(), last + 1);
  EXPECT_TRUE(error_from([&] { estimate_levels(rules, 7, last + 1, 1, false); }).has_value());
}

}  // namespace
}  // namespace retrosow::test
