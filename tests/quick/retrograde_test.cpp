// The parallel builder against the plain level solver, whose values brute force confirms.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/moves.h"
#include "tables/link_bound.h"
#include "tables/retrograde.h"
#include "tests/support/environment.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

struct Build {
  LevelValues levels;
  std::uint64_t links = 0;
  std::vector<std::uint64_t> level_links;
  std::uint64_t decoded_blocks = 0;
};

Build retrograde(const RuleSet& rules, unsigned pits, unsigned max_seeds, unsigned threads,
                 std::uint64_t lower_budget = 0) {
  Build build;
  const HalfBoard half_board(rules, pits, max_seeds);
  LowerLevels lower(
      [&](unsigned seeds, LevelIndex first, std::span<Value> out) {
        std::copy_n(build.levels[seeds].begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
      },
      lower_budget);
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    RetrogradeLevel level(rules, half_board, seeds, lower, threads);
    level.solve({}, {});
    build.levels.emplace_back(level.size());
    level.copy_values(0, build.levels.back());
    build.links += level.stats().links;
    build.level_links.push_back(level.stats().links);
    lower.add_level(level.size());
  }
  build.decoded_blocks = lower.decoded_blocks();
  return build;
}

TEST(Retrograde, EqualsThePlainSolverUnderEveryOptionValue) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const unsigned pits : {1U, 2U, 3U}) {
      EXPECT_EQ(retrograde(rules, pits, 12, 1).levels, solve_levels(rules, pits, 12))
          << "2x" << pits << ' ' << canonical_text(rules);
    }
  }
}

TEST(Retrograde, EqualsThePlainSolverOn2x6WhereThePitLimitIsMet) {
  for (const char* options : {"pit-limit=5", "pit-limit=3", "pit-limit=5 pit-limit-rule=forbid",
                              "pit-limit=5 starvation=leave", "pit-limit=4 grand-slam=leave"}) {
    const RuleSet rules = urim_rules(options);
    const Build build = retrograde(rules, 6, 8, 2);
    EXPECT_EQ(build.levels, solve_levels(rules, 6, 8)) << options;
  }
}

TEST(Retrograde, EqualsThePlainSolverWhereManyMovesAreCoupled) {
  // 2x4 with up to 4 seeds a pit is almost full at 24 seeds, so that whole rows pass their seeds on.
  for (const char* options : {"pit-limit=4", "pit-limit=4 pit-limit-rule=forbid", "pit-limit=4 starvation=leave",
                              "pit-limit=4 grand-slam=forbid remainder=last-mover"}) {
    const RuleSet rules = urim_rules(options);
    EXPECT_EQ(retrograde(rules, 4, 26, 1).levels, solve_levels(rules, 4, 26)) << options;
  }
}

TEST(Retrograde, EqualsThePlainSolverWhereWordsAreWide) {
  // Words have 12 bits beyond 63 seeds, and beyond six pits.
  for (const char* options : {"pit-limit=0", "pit-limit=40"}) {
    const RuleSet rules = urim_rules(options);
    EXPECT_EQ(retrograde(rules, 1, kMaxLevelSeeds, 2).levels, solve_levels(rules, 1, kMaxLevelSeeds)) << options;
  }
  const RuleSet rules = urim_rules();
  EXPECT_EQ(retrograde(rules, 2, 66, 2).levels, solve_levels(rules, 2, 66));
  EXPECT_EQ(retrograde(rules, 7, 6, 2).levels, solve_levels(rules, 7, 6));
  EXPECT_EQ(retrograde(rules, 8, 5, 2).levels, solve_levels(rules, 8, 5));
}

TEST(Retrograde, ThreadsAndMemoryChangeNothing) {
  const RuleSet rules = urim_rules();
  const Build one = retrograde(rules, 6, 10, 1);
  EXPECT_EQ(retrograde(rules, 6, 10, 2).levels, one.levels);
  EXPECT_EQ(retrograde(rules, 6, 10, 7).levels, one.levels);
  const Build starved = retrograde(rules, 6, 10, 2, std::uint64_t{1} << 16);
  EXPECT_EQ(starved.levels, one.levels);
  EXPECT_GT(starved.decoded_blocks, one.decoded_blocks) << "the budget was never short";
}

TEST(Retrograde, EveryKernelGivesTheSameLevels) {
  const RuleSet rules = urim_rules("pit-limit=4 starvation=leave");
  const LevelValues expected = solve_levels(rules, 3, 14);
  for (const KernelId kernel : available_kernels()) {
    const EnvironmentVariable forced("RETROSOW_KERNEL", std::string(kernel_name(kernel)));
    const Build build = retrograde(rules, 3, 14, 2);
    EXPECT_GT(build.links, 0U);
    EXPECT_EQ(build.levels, expected) << kernel_name(kernel);
  }
}

TEST(Retrograde, LinksMovesThatTheTablesDoNotDescribe) {
  EXPECT_GT(retrograde(urim_rules("pit-limit=3"), 2, 10, 1).links, 0U);
}

TEST(Retrograde, LinksAreNeverMoreThanTheirBoundAndOftenNearIt) {
  struct Case {
    unsigned pits;
    const char* options;
    unsigned seeds;
  };
  // All levels up to the full board, but for 2x6. No links are coupled under `forbid`.
  for (const Case& c : {Case{1, "pit-limit=17", 34}, Case{2, "pit-limit=17", 68}, Case{3, "pit-limit=6", 36},
                        Case{3, "pit-limit=5 starvation=leave", 30}, Case{4, "pit-limit=3", 24},
                        Case{5, "pit-limit=2", 20}, Case{6, "pit-limit=3", 8}, Case{6, "pit-limit=0", 8},
                        Case{4, "pit-limit=3 pit-limit-rule=forbid", 24}}) {
    const RuleSet rules = urim_rules(c.options);
    const LinkBound bound(rules, c.pits, c.seeds);
    const LinkBound none_coupled(urim_rules(std::string(c.options) + " pit-limit-rule=forbid"), c.pits, c.seeds);
    const Build build = retrograde(rules, c.pits, c.seeds, 1);
    bool coupled = false;
    for (unsigned seeds = 0; seeds <= c.seeds; ++seeds) {
      const std::uint64_t links = build.level_links[seeds];
      EXPECT_LE(links, bound.links(seeds)) << c.pits << ' ' << c.options << ' ' << seeds;
      if (links >= 1000) {
        EXPECT_LE(bound.links(seeds), links * 5 / 2) << c.pits << ' ' << c.options << ' ' << seeds;
      }
      coupled = coupled || links > none_coupled.links(seeds);
    }
    EXPECT_EQ(coupled, rules.pit_limit != 0 && rules.pit_limit_rule == PitLimitRule::kSkip && c.pits > 1 && c.seeds > 8)
        << c.pits << ' ' << c.options;
  }
}

TEST(Retrograde, StopsWhenTold) {
  const RuleSet rules = urim_rules();
  const HalfBoard half_board(rules, 6, 2);
  const LevelValues levels = solve_levels(rules, 6, 1);
  LowerLevels lower(
      [&](unsigned seeds, LevelIndex first, std::span<Value> out) {
        std::copy_n(levels[seeds].begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
      },
      0);
  for (const auto& level : levels) lower.add_level(level.size());
  RetrogradeLevel level(rules, half_board, 2, lower, 2);
  RunControl control;
  control.stop = [] { return true; };
  try {
    level.solve({}, control);
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kInterrupted);
  }
}

}  // namespace
}  // namespace retrosow::test
