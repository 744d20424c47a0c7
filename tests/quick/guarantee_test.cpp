// Guarantees: the builder against brute force, and what they say about values.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bitboard/notation.h"
#include "bitboard/rank.h"
#include "tables/build.h"
#include "tables/guarantee.h"
#include "tables/verify.h"
#include "tests/reference/guarantee_reference.h"
#include "tests/support/boards.h"
#include "tests/support/building.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

using GuaranteeLevels = std::vector<std::vector<Guarantee>>;

GuaranteeLevels build_guarantees(const RuleSet& rules, unsigned pits, unsigned max_seeds, unsigned threads,
                                 std::uint64_t lower_budget = 0) {
  GuaranteeLevels levels;
  const HalfBoard half_board(rules, pits, max_seeds);
  const auto differences = [&](int (*difference)(Guarantee, unsigned)) {
    return [&levels, difference](unsigned seeds, LevelIndex first, std::span<Value> out) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<Value>(difference(levels[seeds][static_cast<std::size_t>(first) + i], seeds));
      }
    };
  };
  LowerLevels least(differences(least_difference), lower_budget);
  LowerLevels greatest(differences(greatest_difference), lower_budget);
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    GuaranteeLevel level(rules, half_board, seeds, least, greatest, threads);
    level.solve({}, {});
    levels.emplace_back(static_cast<std::size_t>(level.size()));
    level.copy_guarantees(0, levels.back());
    least.add_level(level.size());
    greatest.add_level(level.size());
  }
  return levels;
}

// The first board on which they differ, or an empty string.
std::string fault_of(const RuleSet& rules, unsigned pits, unsigned max_seeds, const GuaranteeLevels& levels) {
  const HalfRanks halves(pits, rules.pit_limit, max_seeds);
  std::vector<LevelRanks> ranks;
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) ranks.emplace_back(halves, seeds);
  std::string fault;
  std::size_t boards = 0;
  reference::for_each_guarantee(
      reference_rules(rules, pits), static_cast<int>(max_seeds),
      [&](const std::vector<int>& board, std::pair<int, int> sure) {
        const Position position = position_of(board, equal_rows(pits));
        const unsigned seeds = total_seeds(position);
        const Guarantee found = levels[seeds][static_cast<std::size_t>(ranks[seeds].rank(position))];
        ++boards;
        if (fault.empty() && (found.mover != sure.first || found.opponent != sure.second)) {
          fault = format_position(position, equal_rows(pits)) + ": " + std::to_string(found.mover) + "," +
                  std::to_string(found.opponent) + " instead of " + std::to_string(sure.first) + "," +
                  std::to_string(sure.second);
        }
      });
  std::size_t all = 0;
  for (const auto& level : levels) all += level.size();
  return fault.empty() && boards != all ? "other boards" : fault;
}

TEST(Guarantee, EqualsBruteForceUnderEveryOptionValue) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const auto& [pits, seeds] : {std::pair{1U, 10U}, std::pair{2U, 7U}, std::pair{3U, 4U}}) {
      EXPECT_EQ(fault_of(rules, pits, seeds, build_guarantees(rules, pits, seeds, 1)), "")
          << "2x" << pits << ' ' << canonical_text(rules);
    }
  }
}

TEST(Guarantee, EqualsBruteForceOnFullBoardsAndLargerOnes) {
  struct Case {
    const char* options;
    unsigned pits, seeds;
  };
  for (const Case& c : {Case{"pit-limit=4", 2, 16}, Case{"pit-limit=3 pit-limit-rule=forbid", 3, 9},
                        Case{"pit-limit=2 grand-slam=leave", 4, 7}, Case{"starvation=leave", 5, 5},
                        Case{"chain=2,3 grand-slam=leave pit-limit=0", 6, 5}}) {
    const RuleSet rules = urim_rules(c.options);
    EXPECT_EQ(fault_of(rules, c.pits, c.seeds, build_guarantees(rules, c.pits, c.seeds, 2)), "") << c.options;
  }
}

TEST(Guarantee, BruteForceFindsOneWrongSeed) {
  const RuleSet rules = urim_rules();
  GuaranteeLevels levels = build_guarantees(rules, 2, 5, 1);
  levels[5][17].mover = static_cast<std::uint8_t>(levels[5][17].mover + 1);
  EXPECT_NE(fault_of(rules, 2, 5, levels), "");
  levels[5][17].mover = static_cast<std::uint8_t>(levels[5][17].mover - 1);
  levels[4][3].opponent = static_cast<std::uint8_t>(levels[4][3].opponent + 1);
  EXPECT_NE(fault_of(rules, 2, 5, levels), "");
}

TEST(Guarantee, ThreadsAndMemoryChangeNothing) {
  for (const char* options : {"", "chain=2,3 grand-slam=leave pit-limit=0"}) {
    const RuleSet rules = urim_rules(options);
    const GuaranteeLevels one = build_guarantees(rules, 6, 7, 1);
    EXPECT_EQ(build_guarantees(rules, 6, 7, 2), one) << options;
    EXPECT_EQ(build_guarantees(rules, 6, 7, 7, std::uint64_t{1} << 16), one) << options;
  }
}

TEST(Guarantee, TheValueLiesBetweenWhatEachSideIsSureOf) {
  // And whoever wins, or loses, whatever endless play is worth, does so under the even split.
  std::size_t forced = 0, open = 0;
  for (const RuleSet& rules : urim_rule_sets()) {
    const LevelValues values = solve_levels(rules, 3, 5);
    const GuaranteeLevels levels = build_guarantees(rules, 3, 5, 1);
    for (unsigned seeds = 0; seeds <= 5; ++seeds) {
      for (std::size_t i = 0; i < values[seeds].size(); ++i) {
        const int least = least_difference(levels[seeds][i], seeds), greatest = greatest_difference(levels[seeds][i], seeds);
        ASSERT_LE(least, values[seeds][i]) << canonical_text(rules);
        ASSERT_GE(greatest, values[seeds][i]) << canonical_text(rules);
        ++(least == greatest ? forced : open);
      }
    }
  }
  EXPECT_GT(forced, 1000U);
  EXPECT_GT(open, 1000U);
}

// ---- Files ----

BuildOptions with_guarantees(const ScratchFolder& folder, unsigned threads = 1) {
  BuildOptions options = options_for(folder.path(), threads);
  options.guarantees = true;
  return options;
}

std::map<std::string, Bytes> guarantee_files(const ScratchFolder& folder) {
  std::map<std::string, Bytes> files;
  for (const auto& path : files_ending(folder.path(), "-guarantee.rsow")) files[path.filename()] = read_bytes(path);
  return files;
}

TEST(GuaranteeFiles, HoldWhatTheSolverFindsForAnyNumberOfThreads) {
  const RuleSet rules = urim_rules("pit-limit=5");
  const GuaranteeLevels expected = build_guarantees(rules, 4, 9, 1);
  const ScratchFolder one;
  const auto built = build_levels(rules, 4, 9, with_guarantees(one));
  const TableFolder folder(one.path(), rules);
  for (unsigned seeds = 0; seeds <= 9; ++seeds) {
    const TableReader* file = folder.find(rules, equal_rows(4), seeds, TableKind::kGuarantees);
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file->read_all_guarantees(), expected[seeds]);
    EXPECT_EQ(built[seeds].guarantees->digest, digest_of(std::as_bytes(std::span(expected[seeds]))));
    EXPECT_FALSE(built[seeds].guarantees->reused);
  }
  for (const unsigned threads : {2U, 7U}) {
    const ScratchFolder other;
    build_levels(rules, 4, 9, with_guarantees(other, threads));
    EXPECT_EQ(guarantee_files(other), guarantee_files(one)) << threads;
  }
}

TEST(GuaranteeFiles, AreAddedToFinishedValuesAndNotBuiltAgain) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 3, 6, options_for(folder.path()));
  const auto added = build_levels(urim_rules(), 3, 6, with_guarantees(folder));
  const auto again = build_levels(urim_rules(), 3, 7, with_guarantees(folder));
  for (unsigned seeds = 0; seeds <= 6; ++seeds) {
    EXPECT_TRUE(added[seeds].reused && !added[seeds].guarantees->reused);
    EXPECT_TRUE(again[seeds].reused && again[seeds].guarantees->reused);
  }
  EXPECT_FALSE(again[7].guarantees->reused);
}

TEST(GuaranteeFiles, InterruptedAnywhereTheBuildGoesOnToTheSameTables) {
  const ScratchFolder whole;
  build_levels(urim_rules(), 3, 4, with_guarantees(whole));
  const ScratchFolder folder;
  unsigned interrupted = 0;
  for (unsigned n = 1;; n += 3) {
    unsigned asked = 0;
    BuildOptions options = with_guarantees(folder);
    options.control.stop = [&] { return ++asked >= n; };
    if (!error_from([&] { build_levels(urim_rules(), 3, 4, options); })) break;
    ++interrupted;
    EXPECT_TRUE(files_ending(folder.path(), ".partial").empty());
  }
  EXPECT_GT(interrupted, 5U);
  EXPECT_EQ(guarantee_files(folder), guarantee_files(whole));
}

TEST(GuaranteeFiles, MemoryIsAskedForUpFrontAndIsEnough) {
  const std::uint64_t needed = build_levels_memory(urim_rules(), 6, 7, 1, false, true);
  EXPECT_GT(needed, build_levels_memory(urim_rules(), 6, 7, 1));
  const ScratchFolder folder;
  BuildOptions options = with_guarantees(folder);
  options.memory_bytes = needed - 1;
  const auto error = error_from([&] { build_levels(urim_rules(), 6, 7, options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
  options.memory_bytes = needed;
  EXPECT_EQ(build_levels(urim_rules(), 6, 7, options).size(), 8U);
}

// ---- Proof ----

VerifiedGuarantees verified(const ScratchFolder& folder, const RuleSet& rules, unsigned pits, unsigned threads = 1) {
  VerifyOptions options;
  options.threads = threads;
  return verify_guarantees(TableFolder(folder.path()), rules, pits, options);
}

TEST(GuaranteeProof, AcceptsWhatTheBuilderMakesUnderEveryOptionValue) {
  for (const RuleSet& rules : urim_rule_sets()) {
    const ScratchFolder folder;
    build_levels(rules, 2, 6, with_guarantees(folder));
    const VerifiedGuarantees proof = verified(folder, rules, 2);
    EXPECT_EQ(proof.levels, 7U);
    EXPECT_EQ(proof.fault_count, 0U) << canonical_text(rules) << ": " << proof.faults.front().what;
  }
  const ScratchFolder larger;
  build_levels(urim_rules(), 6, 6, with_guarantees(larger));
  for (const unsigned threads : {1U, 2U}) EXPECT_EQ(verified(larger, urim_rules(), 6, threads).fault_count, 0U);
}

TEST(GuaranteeProof, FindsEverySingleChangedNumber) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  build_levels(rules, 2, 5, with_guarantees(folder));
  for (const unsigned seeds : {3U, 5U}) {
    const TableHeader header = guarantee_header(rules, 2, seeds);
    const std::vector<Guarantee> right = TableReader(folder / table_file_name(header)).read_all_guarantees();
    for (std::size_t i = 0; i < right.size(); ++i) {
      for (const int by : {-1, 1}) {
        for (const bool of_mover : {false, true}) {
          std::vector<Guarantee> wrong = right;
          std::uint8_t& number = of_mover ? wrong[i].mover : wrong[i].opponent;
          if ((by < 0 && number == 0) || (by > 0 && wrong[i].mover + unsigned{wrong[i].opponent} >= seeds)) continue;
          number = static_cast<std::uint8_t>(number + by);
          write_table(folder.path(), header, wrong);
          EXPECT_GT(verified(folder, rules, 2).fault_count, 0U) << seeds << ' ' << i << ' ' << by;
        }
      }
    }
    write_table(folder.path(), header, right);
  }
}

TEST(GuaranteeProof, ConsistentNumbersThatNothingLeadsToAreDisproved) {
  // 2/0 gives 2/0 to the opponent, and 1/1 comes to it: play goes round, and nobody is sure of anything. A seed for each
  // would satisfy all equations as well.
  const RuleSet rules = urim_rules("trigger=3");
  const ScratchFolder folder;
  build_levels(rules, 1, 2, with_guarantees(folder));
  const TableHeader header = guarantee_header(rules, 1, 2);
  const std::vector<Guarantee> right = {{0, 0}, {0, 0}, {0, 2}};  // 2/0, 1/1 and, over, 0/2
  ASSERT_EQ(TableReader(folder / table_file_name(header)).read_all_guarantees(), right);
  EXPECT_EQ(verified(folder, rules, 1).fault_count, 0U);
  const std::vector<Guarantee> wrong = {{1, 1}, {1, 1}, {0, 2}};
  write_table(folder.path(), header, wrong);
  const VerifiedGuarantees proof = verified(folder, rules, 1);
  ASSERT_EQ(proof.fault_count, 2U);
  for (const VerifyFault& fault : proof.faults) EXPECT_NE(fault.what.find("more than can be forced"), std::string::npos);
}

TEST(GuaranteeProof, ALevelThatIsMissingBelowIsNamed) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 2, 4, with_guarantees(folder));
  std::filesystem::remove(folder / table_file_name(guarantee_header(urim_rules(), 2, 2)));
  const auto error = error_from([&] { verified(folder, urim_rules(), 2); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kIo);
  EXPECT_NE(std::string(error->what()).find("level 2"), std::string::npos);
}

}  // namespace
}  // namespace retrosow::test
