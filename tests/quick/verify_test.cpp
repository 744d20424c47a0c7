// The proof: it accepts what the builder makes, and finds every single change.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/moves.h"
#include "tables/build.h"
#include "tables/verify.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

void build(const ScratchFolder& folder, const RuleSet& rules, unsigned pits, unsigned seeds, bool distances = true) {
  BuildOptions options;
  options.folder = folder.path();
  options.threads = 1;
  options.distances = distances;
  build_levels(rules, pits, seeds, options);
}

Verification verify(const ScratchFolder& folder, const RuleSet& rules, unsigned pits, unsigned threads = 1) {
  VerifyOptions options;
  options.threads = threads;
  return verify_levels(TableFolder(folder.path()), rules, pits, options);
}

// Writes a level again, changed, with all digests and checksums right, the values digest in the distances included.
void rewrite(const ScratchFolder& folder, const RuleSet& rules, unsigned pits, unsigned seeds,
             const std::function<void(std::vector<Value>&, std::vector<std::uint16_t>&)>& change) {
  const TableHeader header = level_header(rules, pits, seeds);
  const TableReader old_values(folder / table_file_name(header));
  const TableReader old_distances(folder / table_file_name(distance_header(header)));
  std::vector<Value> values = old_values.read_all();
  std::vector<std::uint16_t> distances = old_distances.read_all_distances();
  change(values, distances);
  write_table(folder.path(), header, values);
  TableHeader with_digest = header;
  with_digest.digest = digest_of(std::as_bytes(std::span(values)));
  write_table(folder.path(), distance_header(with_digest), distances);
}

TEST(Verify, ProvesWhatTheBuilderMakesUnderEveryOptionValue) {
  for (const RuleSet& rules : urim_rule_sets()) {
    const ScratchFolder folder;
    build(folder, rules, 2, 8);
    const Verification verification = verify(folder, rules, 2);
    EXPECT_TRUE(verification.proved) << canonical_text(rules);
    EXPECT_EQ(verification.fault_count, 0U)
        << canonical_text(rules) << ": " << verification.faults.front().what;
    EXPECT_EQ(verification.levels.size(), 9U);
  }
}

TEST(Verify, ValuesWithoutDistancesAreConsistentAndNotProved) {
  const ScratchFolder folder;
  build(folder, urim_rules(), 3, 6, false);
  const Verification verification = verify(folder, urim_rules(), 3);
  EXPECT_FALSE(verification.proved);
  EXPECT_EQ(verification.fault_count, 0U);
}

TEST(Verify, OneLevelWithoutDistancesLeavesAllUnproved) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  build(folder, rules, 3, 6);
  std::filesystem::remove(folder / table_file_name(distance_header(level_header(rules, 3, 4))));
  const Verification verification = verify(folder, rules, 3);
  EXPECT_FALSE(verification.proved);
  EXPECT_EQ(verification.fault_count, 0U);
  EXPECT_FALSE(verification.levels[4].distances);
}

TEST(Verify, FindsEverySingleChangedValue) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  build(folder, rules, 2, 4);
  for (const unsigned seeds : {2U, 4U}) {
    const std::size_t size = TableReader(folder / table_file_name(level_header(rules, 2, seeds))).header().positions;
    for (std::size_t at = 0; at < size; ++at) {
      for (const int by : {1, -2}) {
        const auto change = [&](int step) {
          rewrite(folder, rules, 2, seeds, [&](std::vector<Value>& values, auto&) {
            values[at] = static_cast<Value>(values[at] + step);
          });
        };
        change(by);
        const Verification verification = verify(folder, rules, 2);
        EXPECT_FALSE(verification.proved) << "level " << seeds << " index " << at;
        const auto named = std::find_if(verification.faults.begin(), verification.faults.end(), [&](const auto& fault) {
          return fault.seeds == seeds && fault.index == at;
        });
        EXPECT_NE(named, verification.faults.end()) << "level " << seeds << " index " << at;
        change(-by);
      }
    }
  }
  EXPECT_TRUE(verify(folder, rules, 2).proved);
}

TEST(Verify, FindsEverySingleChangedDistance) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  build(folder, rules, 2, 3);
  const std::size_t size = TableReader(folder / table_file_name(level_header(rules, 2, 3))).header().positions;
  for (std::size_t at = 0; at < size; ++at) {
    for (const std::uint16_t wrong : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{40000}, kNoDistance}) {
      std::uint16_t right = 0;
      rewrite(folder, rules, 2, 3, [&](auto&, std::vector<std::uint16_t>& distances) {
        right = distances[at];
        distances[at] = wrong;
      });
      const Verification verification = verify(folder, rules, 2);
      EXPECT_EQ(verification.proved, wrong == right) << "index " << at << ", distance " << wrong << " for " << right;
      rewrite(folder, rules, 2, 3, [&](auto&, std::vector<std::uint16_t>& distances) { distances[at] = right; });
    }
  }
}

// Claims boards of value 0 as won (1) or lost (-1) such that the moves agree: every value-keeping move of a lost
// one is quiet and leads to a won one, and some value-keeping move of a won one leads to a lost one. So play
// goes round, and nobody can force what is claimed. Returns how many boards were changed.
std::size_t claim_circles(std::vector<Value>& values, unsigned pits, unsigned seeds) {
  const HalfRanks halves(pits, urim_rules().pit_limit, seeds);
  const LevelRanks ranks(halves, seeds);
  const Shape shape{static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)};
  const MoveGenerator generator(urim_rules(), shape);
  struct Board {
    std::vector<LevelIndex> children;  // by quiet moves to boards of value 0
    bool captures = false;             // or is over
    bool won = false, lost = false;    // still possible
  };
  std::vector<Board> boards(values.size());
  for (LevelIndex at = 0; at < values.size(); ++at) {
    MoveList list;
    generator.generate(ranks.unrank(at), shape, list);
    boards[at].captures = list.legal == 0;
    boards[at].won = boards[at].lost = values[at] == 0;
    for_each_move(list, [&](unsigned slot) {
      if (list.captured[slot] != 0) {
        boards[at].captures = true;  // perhaps not keeping the value; fewer claims, no wrong ones
      } else if (const LevelIndex child = ranks.rank(list.result[slot]); values[child] == 0) {
        boards[at].children.push_back(child);
      }
    });
  }
  const auto shrink = [&] {
    for (bool changed = true; changed;) {
      changed = false;
      for (Board& board : boards) {
        const auto is_won = [&](LevelIndex child) { return boards[child].won; };
        const auto is_lost = [&](LevelIndex child) { return boards[child].lost; };
        if (board.lost && (board.captures || board.children.empty() ||
                           !std::all_of(board.children.begin(), board.children.end(), is_won))) {
          board.lost = false;
          changed = true;
        }
        if (board.won && std::none_of(board.children.begin(), board.children.end(), is_lost)) {
          board.won = false;
          changed = true;
        }
      }
    }
  };
  shrink();
  // Where both are possible, one is claimed, and what follows from it.
  for (Board& board : boards) {
    if (!board.won || !board.lost) continue;
    board.lost = false;
    shrink();
  }
  std::size_t count = 0;
  for (LevelIndex at = 0; at < values.size(); ++at) {
    if (!boards[at].won && !boards[at].lost) continue;
    values[at] = boards[at].won ? 1 : -1;
    ++count;
  }
  return count;
}

TEST(Verify, AConsistentLevelThatNobodyCanForceIsDisprovedByItsDistancesAlone) {
  const RuleSet rules = urim_rules();
  unsigned consistent = 0;
  for (const unsigned pits : {1U, 2U, 3U}) {
    for (unsigned seeds = 1; seeds <= 7; ++seeds) {
      const ScratchFolder folder;
      build(folder, rules, pits, seeds);
      std::size_t changed = 0;
      rewrite(folder, rules, pits, seeds, [&](std::vector<Value>& values, std::vector<std::uint16_t>& distances) {
        changed = claim_circles(values, pits, seeds);
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (values[i] != 0 && distances[i] == kNoDistance) distances[i] = 3;
        }
      });
      if (changed == 0) continue;
      EXPECT_GT(verify(folder, rules, pits).fault_count, 0U) << seeds;
      std::filesystem::remove(folder / table_file_name(distance_header(level_header(rules, pits, seeds))));
      if (verify(folder, rules, pits).fault_count == 0U) ++consistent;
    }
  }
  EXPECT_GT(consistent, 0U) << "no claim was consistent";
}

TEST(Verify, ThreadsChangeNothing) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  build(folder, rules, 6, 6);
  rewrite(folder, rules, 6, 6, [](std::vector<Value>& values, auto&) {
    for (std::size_t i = 0; i < values.size(); i += 50) values[i] = 5;
  });
  const Verification one = verify(folder, rules, 6, 1);
  const Verification seven = verify(folder, rules, 6, 7);
  EXPECT_GT(one.fault_count, 100U);
  EXPECT_EQ(one.fault_count, seven.fault_count);
  ASSERT_EQ(one.faults.size(), seven.faults.size());
  for (std::size_t i = 0; i < one.faults.size(); ++i) {
    EXPECT_EQ(one.faults[i].index, seven.faults[i].index);
    EXPECT_EQ(one.faults[i].what, seven.faults[i].what);
  }
}

TEST(Verify, ReportsWhatItReadsBeforeItProvesAndStopsThereWhenToldTo) {
  const ScratchFolder folder;
  build(folder, urim_rules(), 3, 6);
  const TableFolder tables(folder.path());
  VerifyOptions options;
  std::uint64_t read = 0, proved = 0;
  options.control.progress = [&](const Progress& progress) {
    if (progress.phase == "check") {
      EXPECT_EQ(proved, 0U);
    }
    (progress.phase == "check" ? read : proved) = progress.done;
  };
  EXPECT_TRUE(verify_levels(tables, urim_rules(), 3, options).proved);
  EXPECT_EQ(read, 2 * 924U);
  EXPECT_EQ(proved, 924U);
  options.control.stop = [&] { return read == 2; };  // within the reading: level 0 has one board
  read = proved = 0;
  const auto error = error_from([&] { verify_levels(tables, urim_rules(), 3, options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kInterrupted);
  EXPECT_EQ(read, 2U);
  EXPECT_EQ(proved, 0U);
}

TEST(Verify, AMissingLevelIsNamed) {
  const RuleSet rules = urim_rules();
  const ScratchFolder folder;
  build(folder, rules, 2, 4);
  std::filesystem::remove(folder / table_file_name(level_header(rules, 2, 3)));
  try {
    verify(folder, rules, 2);
    ADD_FAILURE() << "went on without it";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kIo);
    EXPECT_NE(std::string(error.what()).find("level 3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace retrosow::test
