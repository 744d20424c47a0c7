// tests/quick/build_test.cpp, further: levels of many blocks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tables/build.h"
#include "tables/verify.h"
#include "tests/support/boards.h"
#include "tests/support/cases.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

std::vector<std::string> digests(const RuleSet& rules, unsigned pits, unsigned seeds,
                                 unsigned threads, std::uint64_t memory_bytes = 0) {
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  options.threads = threads;
  options.memory_bytes = memory_bytes;
  std::vector<std::string> found;
  for (const BuiltLevel& level : build_levels(rules, pits, seeds, options)) {
    found.push_back(level.digest.hex());
  }
  return found;
}

TEST(BuildFull, TheDigestsAreThoseOfThePlainSolverForAnyThreadsAndMemory) {
  for (const char* options : {"", "pit-limit=3 pit-limit-rule=forbid remainder=last-mover",
                              "pit-limit=0 chain=2,3 starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    constexpr unsigned kSeeds = 10;
    std::vector<std::string> expected;
    for (const std::vector<Value>& level : solve_levels(rules, 6, kSeeds)) {
      expected.push_back(digest_of(std::as_bytes(std::span(level))).hex());
    }
    for (const unsigned threads : {1U, 2U, 7U}) {
      EXPECT_EQ(digests(rules, 6, kSeeds, threads), expected) << options << " " << threads;
    }
    EXPECT_EQ(digests(rules, 6, kSeeds, 2, build_levels_memory(rules, 6, kSeeds, 2)), expected)
        << options;
  }
}

// The digests of Urim 2x6, as the README shows them. Two other methods give the same values:
// the plain level solver, below, and brute force (tests/reference), in long/brute_force_long_test.cpp.
TEST(BuildFull, Urim2x6HasItsGoldenDigests) {
  const std::vector<std::string> golden = {
      "a6cd5e9392000f6ac44bdff4074eecdb", "c19ed8fe46c0d2384507ee3966945027", "60ea3b0a3e57086109c9d1830e024d69",
      "92ed2abc6b9bdbd2c69c99c04aa803f0", "d0b9b84de3105aec69f1f2644e27c2b1", "09b9af668f30f136ec26acca7d61366a",
      "8b92a7e87e46e13308a310256f41c607", "9001dac3e677bfdcc9f217d84552124f", "5ec9c3ff687c114e20be61e8436ef1a4",
      "455936614c5caa1935b6b7a307e57b10", "692b6c4e266416ca5bd82a9cefb6ed1a", "0cdb6b531ab9829c883daf1d6f5c5b82",
      "f91f5c253b75498341949589c027b1d3"};
  EXPECT_EQ(digests(urim_rules(), 6, 12, 2), golden);
  std::vector<std::string> plain;
  for (const std::vector<Value>& level : solve_levels(urim_rules(), 6, 12)) {
    plain.push_back(digest_of(std::as_bytes(std::span(level))).hex());
  }
  EXPECT_EQ(plain, golden);
}

TEST(BuildFull, PitLimit5IsMetAndRightUpTo14SeedsOn2x6) {
  struct Case {
    const char* options;
    unsigned seeds;
  };
  for (const Case& c : {Case{"pit-limit=5", 14}, Case{"pit-limit=5 pit-limit-rule=forbid", 12}}) {
    const RuleSet rules = urim_rules(c.options);
    std::vector<std::string> expected;
    for (const std::vector<Value>& level : solve_levels(rules, 6, c.seeds)) {
      expected.push_back(digest_of(std::as_bytes(std::span(level))).hex());
    }
    EXPECT_EQ(digests(rules, 6, c.seeds, 2), expected) << c.options;
  }
}

TEST(BuildFull, SevenPitsAndDistancesAreProvedWithLittleMemory) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  options.threads = 2;
  options.distances = true;
  options.memory_bytes = build_levels_memory(rules, 7, 9, 2, true);
  std::vector<std::string> found, expected;
  for (const BuiltLevel& level : build_levels(rules, 7, 9, options)) found.push_back(level.digest.hex());
  for (const std::vector<Value>& level : solve_levels(rules, 7, 9)) {
    expected.push_back(digest_of(std::as_bytes(std::span(level))).hex());
  }
  EXPECT_EQ(found, expected);
  VerifyOptions verify;
  verify.memory_bytes = std::uint64_t{1} << 20;
  const Verification verification = verify_levels(TableFolder(folder.path()), rules, 7, verify);
  EXPECT_TRUE(verification.proved);
}

// tests/long has 18 to 20, where a pit can be full.
TEST(BuildFull, Urim2x6IsProvedUpTo15Seeds) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  options.distances = true;
  const BuiltLevel last = build_levels(rules, 6, 15, options).back();
  EXPECT_LT(last.file_bytes, last.positions * 2 / 5) << "more than 0.40 bytes a position";
  const Verification verification = verify_levels(TableFolder(folder.path()), rules, 6, {});
  EXPECT_TRUE(verification.proved);
  EXPECT_EQ(verification.fault_count, 0U);
}

TEST(BuildFull, TheTablesOfAwariHoldThePublishedHistograms) {
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  build_levels(preset(Game::kAwari), 6, 13, options);
  const TableFolder tables(folder.path());
  const auto published = read_awari_histograms();
  for (unsigned seeds = 0; seeds <= 13; ++seeds) {
    const TableReader* level = tables.find(preset(Game::kAwari), equal_rows(6), seeds);
    ASSERT_NE(level, nullptr);
    EXPECT_EQ(counts_of(level->read_all()), published.at(seeds)) << seeds;
  }
}

}  // namespace
}  // namespace retrosow::test
