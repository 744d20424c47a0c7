// tests/quick/build_test.cpp, further: levels of many blocks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tables/build.h"
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

TEST(BuildFull, TheTablesOfAwariHoldThePublishedHistograms) {
  const ScratchFolder folder;
  BuildOptions options;
  options.folder = folder.path();
  build_levels(preset(Game::kAwari), 6, 11, options);
  const TableFolder tables(folder.path());
  const auto published = read_awari_histograms();
  for (unsigned seeds = 0; seeds <= 11; ++seeds) {
    const TableReader* level = tables.find(preset(Game::kAwari), equal_rows(6), seeds);
    ASSERT_NE(level, nullptr);
    EXPECT_EQ(counts_of(level->read_all()), published.at(seeds)) << seeds;
  }
}

}  // namespace
}  // namespace retrosow::test
