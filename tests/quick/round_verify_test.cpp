// The proof of rounds: right tables are proved, one wrong number or one position too many or too few is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tables/build.h"
#include "tables/verify.h"
#include "tests/support/boards.h"
#include "tests/support/building.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

class RoundVerify : public testing::Test {
 protected:
  void build(const std::string& root, EndlessSow endless = EndlessSow::kForbid, bool distances = true) {
    rules_ = rio_rules(endless);
    root_ = placed(root);
    BuildOptions options = options_for(folder_.path());
    options.distances = distances;
    options.force = true;
    build_round(rules_, root_.position, root_.shape, options);
  }
  Verification verify(unsigned threads = 2) const {
    VerifyOptions options;
    options.threads = threads;
    return verify_round(TableFolder(folder_.path()), rules_, root_.position, root_.shape, options);
  }
  fs::path path(unsigned seeds, bool distances = false) const {
    TableHeader header = round_header(rules_, root_.position, root_.shape, seeds);
    return folder_.path() / table_file_name(distances ? distance_header(header) : header);
  }

  struct Contents {
    TableHeader header;
    std::vector<Position> keys;
    std::vector<Value> values;
    std::vector<std::uint16_t> distances;
  };
  Contents read(unsigned seeds) const {
    const TableReader values(path(seeds));
    return {values.header(), values.read_keys(), values.read_all(), TableReader(path(seeds, true)).read_all_distances()};
  }
  // Both files, under checksums and digests that are right.
  void write(unsigned seeds, const Contents& contents) const {
    TableHeader header = round_header(rules_, root_.position, root_.shape, seeds);
    header.round_levels = contents.header.round_levels;
    header.endless_moves = contents.header.endless_moves;
    write_table(folder_.path(), header, contents.values, contents.keys);
    write_table(folder_.path(), distance_header(TableReader(path(seeds)).header()), contents.distances);
  }
  // The verification with a level changed; the files are as before afterwards.
  Verification with(unsigned seeds, const std::function<void(Contents&)>& change) const {
    const Contents right = read(seeds);
    Contents wrong = right;
    change(wrong);
    write(seeds, wrong);
    Verification verification = verify();
    write(seeds, right);
    return verification;
  }

  RuleSet rules_;
  Placed root_;
  const ScratchFolder folder_;
};

TEST_F(RoundVerify, BuiltRoundsAreProvedUnderBothEndlessRules) {
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const char* root : {"4,4/4,4", "4,4,4/4,4,4", "4,4,x/4,4,4", "x,4,4,4,4/4,4,x,x,x", "0,1,0,1,2/0,1,0,2,1",
                             "x,x/1,2", "x/x"}) {
      build(root, endless);
      for (const unsigned threads : {1U, 7U}) {
        const Verification verification = verify(threads);
        EXPECT_TRUE(verification.proved) << root;
        EXPECT_EQ(verification.fault_count, 0U);
        std::uint64_t positions = 0;
        for (const VerifiedLevel& level : verification.levels) {
          EXPECT_TRUE(level.distances);
          positions += level.positions;
        }
        EXPECT_GT(positions, 0U);
        EXPECT_TRUE(std::is_sorted(verification.levels.begin(), verification.levels.end(),
                                   [](const auto& a, const auto& b) { return a.seeds < b.seeds; }));
      }
    }
  }
}

TEST_F(RoundVerify, WithoutDistancesARoundIsConsistentAndNotProved) {
  build("4,4,4/4,4,4", EndlessSow::kForbid, false);
  const Verification verification = verify();
  EXPECT_FALSE(verification.proved);
  EXPECT_EQ(verification.fault_count, 0U);
  build("4,4,4/4,4,4");
  fs::remove(path(8, true));
  EXPECT_FALSE(verify().proved);
  EXPECT_EQ(verify().fault_count, 0U);
}

TEST_F(RoundVerify, EveryWrongValueAndDistanceIsFound) {
  build("4,4/4,4");
  for (const unsigned seeds : {4U, 8U, 12U, 16U}) {
    const std::size_t size = read(seeds).keys.size();
    for (std::size_t at = 0; at < size; ++at) {
      for (const int wrong : {-4, -1, 0, 1, 4, 12}) {
        bool same = false;
        const Verification verification = with(seeds, [&](Contents& contents) {
          same = contents.values[at] == wrong;
          contents.values[at] = static_cast<Value>(wrong);
        });
        EXPECT_EQ(verification.proved, same) << seeds << ", " << at;
        EXPECT_EQ(verification.fault_count == 0, same);
      }
      for (const std::uint16_t wrong : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{7}, kNoDistance}) {
        bool same = false;
        const Verification verification = with(seeds, [&](Contents& contents) {
          same = contents.distances[at] == wrong;
          contents.distances[at] = wrong;
        });
        EXPECT_EQ(verification.proved, same) << seeds << ", " << at;
      }
    }
  }
}

TEST_F(RoundVerify, EveryMissingPositionIsFound) {
  build("x,4,4/4,4,4");
  for (const unsigned seeds : levels_of_round(TableReader(path(20)).header())) {
    const std::size_t size = read(seeds).keys.size();
    for (std::size_t at = 0; at < size && size > 1; ++at) {
      const Verification verification = with(seeds, [&](Contents& contents) {
        const auto place = static_cast<std::ptrdiff_t>(at);
        contents.keys.erase(contents.keys.begin() + place);
        contents.values.erase(contents.values.begin() + place);
        contents.distances.erase(contents.distances.begin() + place);
      });
      EXPECT_FALSE(verification.proved) << seeds << ", " << at;
      EXPECT_GT(verification.fault_count, 0U);
    }
  }
}

TEST_F(RoundVerify, APositionThatCannotBeReachedIsFound) {
  build("4,4/4,4");
  const Verification verification = with(4, [&](Contents& contents) {
    // The round is over there: value and distance are right.
    const Position extra = placed("0,0/4,0").position;
    const auto place = std::lower_bound(contents.keys.begin(), contents.keys.end(), extra) - contents.keys.begin();
    ASSERT_NE(contents.keys[static_cast<std::size_t>(place)], extra);
    contents.keys.insert(contents.keys.begin() + place, extra);
    contents.values.insert(contents.values.begin() + place, -4);
    contents.distances.insert(contents.distances.begin() + place, 0);
  });
  EXPECT_EQ(verification.fault_count, 1U);
  ASSERT_EQ(verification.faults.size(), 1U);
  EXPECT_NE(verification.faults[0].what.find("cannot be reached"), std::string::npos);
  EXPECT_EQ(verification.faults[0].position, placed("0,0/4,0").position);
}

TEST_F(RoundVerify, AWrongNumberOfEndlessMovesIsFound) {
  build("0,1,0,1,2/0,1,0,2,1");
  const unsigned seeds = 8;
  ASSERT_GT(read(seeds).header.endless_moves, 0U);
  EXPECT_FALSE(with(seeds, [](Contents& contents) { ++contents.header.endless_moves; }).proved);
}

TEST_F(RoundVerify, AMissingOrDamagedLevelIsNamed) {
  build("4,4/4,4");
  const Bytes right = read_bytes(path(8));
  fs::remove(path(8));
  auto error = error_from([&] { verify(); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kIo);
  EXPECT_NE(std::string(error->what()).find("level 8"), std::string::npos) << error->what();
  Bytes wrong = right;
  wrong.back() ^= 1;
  write_bytes(path(8), wrong);
  error = error_from([&] { verify(); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
  EXPECT_EQ(error->path, path(8).string());
  wrong.resize(100);
  write_bytes(path(8), wrong);
  error = error_from([&] { verify(); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
}

TEST_F(RoundVerify, RefusesToUseMoreMemoryThanAllowed) {
  build("4,4,4/4,4,4");
  VerifyOptions options;
  options.memory_bytes = 1000;
  const auto error = error_from(
      [&] { verify_round(TableFolder(folder_.path()), rules_, root_.position, root_.shape, options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
}

}  // namespace
}  // namespace retrosow::test
