// The distance builder against brute force, on every board.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "tables/distance.h"
#include "tables/member_ranks.h"
#include "tables/table_file.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

using LevelDistances = std::vector<std::vector<std::uint16_t>>;

// The positions of the most frequent |value| other than 0: what the smallest batches have to hold.
LevelIndex most_frequent(const std::vector<Value>& values) {
  std::map<int, LevelIndex> counts;
  for (const Value value : values) {
    if (value != 0) ++counts[std::abs(int{value})];
  }
  LevelIndex most = 1;
  for (const auto& [value, count] : counts) most = std::max(most, count);
  return most;
}

// How each level is held; as a whole by default.
using SpaceOf = std::function<DistanceSpace(const std::vector<Value>& values)>;

SpaceOf smallest_batches(const ScratchFolder& folder) {
  return [&folder](const std::vector<Value>& values) { return DistanceSpace{most_frequent(values), folder / "batches"}; };
}

LevelDistances distances_of(const RuleSet& rules, unsigned pits, const LevelValues& levels, unsigned threads,
                            const SpaceOf& space = {}, unsigned* most_batches = nullptr, const RunControl& control = {}) {
  const unsigned max_seeds = static_cast<unsigned>(levels.size()) - 1;
  const HalfBoard half_board(rules, pits, max_seeds);
  const auto copy = [&](unsigned seeds, LevelIndex first, std::span<Value> out) {
    std::copy_n(levels[seeds].begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
  };
  LowerLevels lower(copy, 0);
  LevelDistances distances;
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    DistanceLevel level(
        rules, half_board, seeds, lower, [&](LevelIndex first, std::span<Value> out) { copy(seeds, first, out); },
        threads, space ? space(levels[seeds]) : DistanceSpace{});
    level.solve({}, control);
    distances.emplace_back(level.size());
    level.copy_distances(0, distances.back());
    if (most_batches != nullptr) *most_batches = std::max(*most_batches, level.stats().batches);
    lower.add_level(level.size());
  }
  return distances;
}

std::string fault_of(const RuleSet& rules, unsigned pits, unsigned max_seeds, const LevelDistances& distances) {
  const reference::UrimSolution expected(reference_rules(rules, pits), static_cast<int>(max_seeds));
  const HalfRanks halves(pits, rules.pit_limit, max_seeds);
  std::string fault;
  for (unsigned seeds = 0; seeds <= max_seeds && fault.empty(); ++seeds) {
    const LevelRanks ranks(halves, seeds);
    expected.for_each(static_cast<int>(seeds), [&](const std::vector<int>& board, reference::Solved solved) {
      const unsigned found = distances[seeds][ranks.rank(position_of(board, equal_rows(pits)))];
      const unsigned wanted =
          solved.distance == reference::kNoDistance ? kNoDistance : static_cast<unsigned>(solved.distance);
      if (!fault.empty() || found == wanted) return;
      fault = text_of(board, equal_rows(pits)) + ": expected " + std::to_string(wanted) + ", found " +
              std::to_string(found);
    });
  }
  return fault;
}

TEST(Distances, EqualBruteForceUnderEveryOptionValue) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const unsigned pits : {1U, 2U, 3U}) {
      const LevelDistances distances = distances_of(rules, pits, solve_levels(rules, pits, 11), 1);
      ASSERT_EQ(fault_of(rules, pits, 11, distances), "") << "2x" << pits << ' ' << canonical_text(rules);
    }
  }
}

TEST(Distances, EqualBruteForceOn2x6WhereThePitLimitIsMet) {
  for (const char* options : {"pit-limit=3", "pit-limit=5 starvation=leave", "pit-limit=3 pit-limit-rule=forbid"}) {
    const RuleSet rules = urim_rules(options);
    ASSERT_EQ(fault_of(rules, 6, 6, distances_of(rules, 6, solve_levels(rules, 6, 6), 2)), "") << options;
  }
}

TEST(Distances, InBatchesEqualBruteForceUnderEveryOptionValue) {
  const ScratchFolder folder;
  unsigned batches = 0;
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const unsigned pits : {1U, 2U, 3U}) {
      const LevelDistances distances =
          distances_of(rules, pits, solve_levels(rules, pits, 10), 1, smallest_batches(folder), &batches);
      ASSERT_EQ(fault_of(rules, pits, 10, distances), "") << "2x" << pits << ' ' << canonical_text(rules);
    }
  }
  EXPECT_GE(batches, 4U);
}

TEST(Distances, InBatchesEqualBruteForceWhereThePitLimitIsMet) {
  const ScratchFolder folder;
  for (const char* options : {"pit-limit=3", "pit-limit=5 starvation=leave", "pit-limit=3 pit-limit-rule=forbid"}) {
    const RuleSet rules = urim_rules(options);
    const LevelValues levels = solve_levels(rules, 6, 6);
    ASSERT_EQ(fault_of(rules, 6, 6, distances_of(rules, 6, levels, 2, smallest_batches(folder))), "") << options;
  }
}

TEST(Distances, BatchesOfAnySizeByAnyThreadsAreTheSame) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  const LevelValues levels = solve_levels(rules, 6, 9);
  const LevelDistances whole = distances_of(rules, 6, levels, 1);
  std::vector<unsigned> batches;
  for (const LevelIndex factor : {1U, 2U, 100U}) {
    const auto space = [&](const std::vector<Value>& values) {
      return DistanceSpace{factor * most_frequent(values), folder / "batches"};
    };
    unsigned most = 0;
    ASSERT_EQ(distances_of(rules, 6, levels, factor == 1 ? 7 : 2, space, &most), whole) << factor;
    batches.push_back(most);
  }
  EXPECT_GT(batches[0], batches[1]);
  EXPECT_GT(batches[1], batches[2]);
  EXPECT_EQ(batches[2], 1U);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Distances, OfBatchesCanBeCopiedFromAnywhere) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  const LevelValues levels = solve_levels(rules, 5, 10);
  const std::vector<std::uint16_t> whole = distances_of(rules, 5, levels, 1).back();
  const HalfBoard half_board(rules, 5, 10);
  const auto copy = [&](unsigned seeds, LevelIndex first, std::span<Value> out) {
    std::copy_n(levels[seeds].begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
  };
  LowerLevels lower(copy, 0);
  for (const auto& level : levels) lower.add_level(level.size());
  DistanceLevel level(
      rules, half_board, 10, lower, [&](LevelIndex first, std::span<Value> out) { copy(10, first, out); }, 2,
      {most_frequent(levels.back()), folder / "batches"});
  level.solve({}, {});
  ASSERT_GT(whole.size(), 2 * DistanceLevel::kPieceSize);
  for (const std::size_t length : {std::size_t{1}, std::size_t{1000}, std::size_t{8192}, std::size_t{20000}}) {
    for (std::size_t first = length % 777; first < whole.size(); first += 5555) {
      std::vector<std::uint16_t> out(std::min(length, whole.size() - first));
      level.copy_distances(first, out);
      ASSERT_TRUE(std::equal(out.begin(), out.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)))
          << length << " from " << first;
    }
  }
}

TEST(Distances, MoreBoardsOfAValueThanABatchMayHoldAreALimit) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  const LevelValues levels = solve_levels(rules, 3, 6);
  const auto error = error_from([&] {
    distances_of(rules, 3, levels, 1, [&](const std::vector<Value>& values) {
      return DistanceSpace{values.size() < 400 ? values.size() : most_frequent(values) - 1, folder / "batches"};
    });
  });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
  EXPECT_NE(std::string(error->what()).find("more are needed"), std::string::npos) << error->what();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Distances, OfBatchesStopAtAFullDiskOrWithoutAFolder) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  const LevelValues levels = solve_levels(rules, 2, 4);
  const auto full = error_from([&] {
    distances_of(rules, 2, levels, 1, [&](const std::vector<Value>& values) {
      std::filesystem::create_symlink("/dev/full", folder / "batches.partial");  // of each level anew: it is gone at once
      return smallest_batches(folder)(values);
    });
  });
  ASSERT_TRUE(full.has_value());
  EXPECT_EQ(full->error_class(), ErrorClass::kLimit);
  EXPECT_NE(std::string(full->what()).find("No space left on device"), std::string::npos) << full->what();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  const auto nowhere = error_from([&] {
    distances_of(rules, 2, levels, 1, [&](const std::vector<Value>& values) {
      return DistanceSpace{values.size(), folder / "nowhere/batches"};
    });
  });
  ASSERT_TRUE(nowhere.has_value());
  EXPECT_EQ(nowhere->error_class(), ErrorClass::kIo);
}

TEST(Distances, NoFileOfBatchesIsThereAtAnyMoment) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  unsigned asked = 0, found = 0;
  RunControl control;
  control.stop = [&] {
    ++asked;
    if (!std::filesystem::is_empty(folder.path())) ++found;
    return asked == 400;
  };
  const auto error =
      error_from([&] { distances_of(rules, 4, solve_levels(rules, 4, 9), 1, smallest_batches(folder), nullptr, control); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kInterrupted);
  EXPECT_EQ(asked, 400U);
  EXPECT_EQ(found, 0U);
}

TEST(Distances, MoreMemoryIsForMoreMembersUntilTheLevelIsHeldAsAWhole) {
  for (const unsigned threads : {1U, 8U}) {
    for (const LevelIndex size : {LevelIndex{1}, LevelIndex{1} << 20, LevelIndex{40} << 20, LevelIndex{17'001'966'203}}) {
      const std::uint64_t least = DistanceLevel::memory_bytes(size, threads);
      const std::uint64_t whole = DistanceLevel::whole_memory_bytes(size, threads);
      ASSERT_LE(least, whole);
      EXPECT_EQ(DistanceLevel::members_within(whole, 0, size, threads), 0U);
      if (size <= LevelIndex{1} << 24) {
        EXPECT_EQ(least, whole);
        continue;
      }
      const LevelIndex members = DistanceLevel::members_within(least, 0, size, threads);
      EXPECT_GE(members, std::max(size / 4, LevelIndex{1} << 24));
      EXPECT_GT(DistanceLevel::members_within(least + 4096, 0, size, threads), members);
      EXPECT_GT(DistanceLevel::members_within(least, 4096, size, threads), members);
      EXPECT_GT(DistanceLevel::members_within(whole - 1, 0, size, threads), members);
    }
  }
  // 16 seeds on 2x7: 30.04 % have the value 2 or -2.
  constexpr LevelIndex kSize = 67'863'915;
  EXPECT_GT(DistanceLevel::members_within(DistanceLevel::memory_bytes(kSize, 2), 0, kSize, 2), kSize / 10'000 * 3004);
  // The largest level of 2x6 to 36 seeds, in less than its values take.
  EXPECT_LT(DistanceLevel::memory_bytes(17'001'966'203, 2), 17'001'966'203 * 10 / 8);
}

TEST(MemberRanks, NumberTheMembersOfEachBlockInOrder) {
  constexpr LevelIndex kSize = 200'007;
  RandomNumbers random(5);
  MemberRanks ranks(kSize);
  for (const unsigned of_hundred : {0U, 1U, 30U, 100U}) {
    std::vector<bool> member(kSize);
    for (std::size_t i = 0; i < kSize; ++i) member[i] = random.below(100) < of_hundred;
    ranks.clear();
    // The last block first: the order of blocks is anybody's.
    for (LevelIndex block = (kSize - 1) >> MemberRanks::kBlockShift;; --block) {
      const LevelIndex first = block << MemberRanks::kBlockShift;
      LevelIndex number = ranks.members();
      ASSERT_EQ(ranks.enter(first, [&](std::size_t i) { return bool{member[first + i]}; }), number);
      const LevelIndex last = std::min(kSize, first + (LevelIndex{1} << MemberRanks::kBlockShift));
      std::vector<std::pair<LevelIndex, LevelIndex>> expected, found;
      for (LevelIndex at = first; at < last; ++at) {
        ASSERT_EQ(ranks.has(at), member[at]);
        if (!member[at]) continue;
        ASSERT_EQ(ranks.number(at), number);
        expected.emplace_back(at, number++);
      }
      ranks.for_each(first, last, [&](LevelIndex index, LevelIndex at) { found.emplace_back(index, at); });
      ASSERT_EQ(found, expected);
      if (block == 0) break;
    }
    EXPECT_EQ(ranks.members(), static_cast<LevelIndex>(std::count(member.begin(), member.end(), true)));
  }
}

TEST(Distances, AWrongOneIsSeen) {
  const RuleSet rules = urim_rules();
  LevelDistances distances = distances_of(rules, 2, solve_levels(rules, 2, 6), 1);
  ASSERT_EQ(fault_of(rules, 2, 6, distances), "");
  ++distances[6][80];
  EXPECT_NE(fault_of(rules, 2, 6, distances), "");
}

TEST(Distances, ThreadsChangeNothing) {
  const RuleSet rules = urim_rules();
  const LevelValues levels = solve_levels(rules, 6, 9);
  const LevelDistances one = distances_of(rules, 6, levels, 1);
  EXPECT_EQ(distances_of(rules, 6, levels, 2), one);
  EXPECT_EQ(distances_of(rules, 6, levels, 7), one);
}

TEST(Distances, ValuesThatPlayNeverReachesAreRefused) {
  // A level that claims a win for both sides wherever nobody can force anything.
  const RuleSet rules = urim_rules();
  LevelValues levels = solve_levels(rules, 2, 4);
  const auto draw = std::find(levels[4].begin(), levels[4].end(), Value{0});
  ASSERT_NE(draw, levels[4].end());
  *draw = 3;
  const ScratchFolder folder;
  std::vector<std::string> messages;
  for (const SpaceOf& space : {SpaceOf{}, smallest_batches(folder)}) {
    const auto error = error_from([&] { distances_of(rules, 2, levels, 1, space); });
    ASSERT_TRUE(error.has_value()) << "took them";
    EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
    messages.push_back(error->what());
  }
  EXPECT_EQ(messages[0], messages[1]);
}

}  // namespace
}  // namespace retrosow::test
