// Folders of tables: what is in them, and that one process writes at a time.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tables/table_file.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_bytes.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

void write_levels(const fs::path& folder, const RuleSet& rules, unsigned pits, unsigned max_seeds) {
  const LevelValues levels = solve_levels(rules, pits, max_seeds);
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    write_table(folder, level_header(rules, pits, seeds), levels[seeds]);
  }
}

void write_round(const fs::path& folder, const RuleSet& rules, const std::string& root) {
  const auto [position, shape] = placed(root);
  write_round_files(folder, solve_round_of(rules, position, shape));
}

// What the listing is sorted by.
auto order_of(const TableReader& reader) {
  const TableHeader& header = reader.header();
  return std::make_tuple(std::string(game_name(header.rules.game)), canonical_text(header.rules),
                         header.shape.mover_pits, header.shape.opponent_pits, header.root,
                         header.seeds);
}

class TableFolderTest : public testing::Test {
 protected:
  TableFolderTest() {
    write_levels(folder_.path(), urim_rules(), 2, 5);
    write_levels(folder_.path(), urim_rules(), 3, 3);
    write_levels(folder_.path(), urim_rules("pit-limit=3"), 2, 4);
    write_levels(folder_.path(), preset(Game::kAwari), 2, 4);
    write_round(folder_.path(), rio_rules(EndlessSow::kForbid), "3,2/1,2");
    write_round(folder_.path(), rio_rules(EndlessSow::kForbid), "x,2,2/1,2,1");
    write_round(folder_.path(), rio_rules(EndlessSow::kDraw), "3,2/1,2");
  }
  const ScratchFolder folder_;
};

TEST_F(TableFolderTest, APipeOrAFolderUnderTheNameOfATableIsAFaultAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe.rsow").c_str(), 0600), 0);
  fs::create_directory(folder_.path() / "folder.rsow");
  const TableFolder tables(folder_.path());
  ASSERT_EQ(tables.faults().size(), 2U);
  for (const TableFolder::Fault& fault : tables.faults()) {
    EXPECT_EQ(fault.error.error_class(), ErrorClass::kIo);
    EXPECT_NE(std::string(fault.error.what()).find("is not a file"), std::string::npos) << fault.error.what();
  }
}

TEST_F(TableFolderTest, ListsAllFilesSorted) {
  const TableFolder tables(folder_.path());
  EXPECT_EQ(tables.files().size(), files_ending(folder_.path(), ".rsow").size());
  EXPECT_TRUE(tables.faults().empty());
  for (std::size_t i = 1; i < tables.files().size(); ++i) {
    EXPECT_LT(order_of(tables.files()[i - 1]), order_of(tables.files()[i]));
  }
}

TEST_F(TableFolderTest, FindsALevelOfItsRulesAndBoardAndNoOther) {
  const TableFolder tables(folder_.path());
  const auto found = [&](const RuleSet& rules, Shape shape, unsigned seeds) {
    const TableReader* reader = tables.find(rules, shape, seeds);
    if (reader == nullptr) return false;
    EXPECT_TRUE(same_rules(reader->header().rules, rules));
    EXPECT_EQ(reader->header().seeds, seeds);
    EXPECT_TRUE(reader->header().shape == shape || reader->header().shape == shape.swapped());
    return true;
  };
  EXPECT_TRUE(found(urim_rules(), equal_rows(2), 0));
  EXPECT_TRUE(found(urim_rules(), equal_rows(2), 5));
  EXPECT_FALSE(found(urim_rules(), equal_rows(2), 6));
  EXPECT_TRUE(found(urim_rules(), equal_rows(3), 3));
  EXPECT_FALSE(found(urim_rules(), equal_rows(3), 4));
  EXPECT_TRUE(found(urim_rules("pit-limit=3"), equal_rows(2), 4));
  EXPECT_FALSE(found(urim_rules("pit-limit=3"), equal_rows(2), 5));
  EXPECT_FALSE(found(urim_rules("pit-limit=5"), equal_rows(2), 1));
  EXPECT_TRUE(
      found(urim_rules("pit-limit=0 trigger=2,3 chain=2,3 starvation=leave"), equal_rows(2), 4));
  EXPECT_FALSE(found(preset(Game::kOware), equal_rows(2), 4));
  EXPECT_TRUE(found(rio_rules(EndlessSow::kForbid), equal_rows(2), 8));
  EXPECT_TRUE(found(rio_rules(EndlessSow::kForbid), rows(2, 3), 8));
  EXPECT_TRUE(found(rio_rules(EndlessSow::kForbid), rows(3, 2), 8));
  EXPECT_FALSE(found(rio_rules(EndlessSow::kDraw), rows(2, 3), 8));
}

TEST_F(TableFolderTest, AnswersForItsOwnRulesOnly) {
  for (const char* options : {"", "pit-limit=3"}) {
    const RuleSet rules = urim_rules(options);
    const TableFolder tables(folder_.path(), rules);
    const unsigned max_seeds = rules.pit_limit == 3 ? 4 : 5;
    const reference::UrimSolution expected(reference_rules(rules, 2), static_cast<int>(max_seeds));
    std::size_t boards = 0;
    for (int seeds = 0; seeds <= static_cast<int>(max_seeds); ++seeds) {
      expected.for_each(seeds, [&](const std::vector<int>& board, reference::Solved solved) {
        ASSERT_EQ(tables.value(position_of(board, equal_rows(2)), equal_rows(2)), solved.value);
        ++boards;
      });
    }
    EXPECT_EQ(boards, expected.size());
    EXPECT_EQ(tables.value(placed("2,2/2,1").position, equal_rows(2)), std::nullopt);
    EXPECT_EQ(tables.value(placed("1/1").position, equal_rows(1)), std::nullopt);
  }
  const TableFolder others(folder_.path(), urim_rules("chain=2"));
  EXPECT_EQ(others.value(placed("1,0/0,1").position, equal_rows(2)), std::nullopt);
}

TEST_F(TableFolderTest, AnswersForEveryRoundOfItsRules) {
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  const TableFolder tables(folder_.path(), rules);
  for (const char* root : {"3,2/1,2", "x,2,2/1,2,1"}) {
    const auto [position, shape] = placed(root);
    const Round round = solve_round_of(rules, position, shape);
    for (const RoundLevel& level : round.levels) {
      for (std::size_t i = 0; i < level.keys.size(); ++i) {
        const auto [there, side] = position_of_key(level.keys[i], shape);
        ASSERT_EQ(tables.value(there, side), level.values[i]);
      }
    }
  }
  EXPECT_EQ(tables.value(placed("30,0/0,0").position, equal_rows(2)), std::nullopt);
}

TEST_F(TableFolderTest, ADamagedFileIsKeptAsAFaultAndHindersNoOther) {
  const std::vector<fs::path> files = files_ending(folder_.path(), ".rsow");
  Bytes bytes = read_bytes(files[3]);
  bytes[30] ^= 1;
  write_bytes(files[3], bytes);
  bytes = read_bytes(files[5]);
  set_field(bytes, kVersionAt, std::uint32_t{9});
  seal_header(bytes);
  write_bytes(files[5], bytes);
  write_bytes(folder_ / "aaa.rsow", Bytes(3, 'x'));
  write_bytes(folder_ / "notes.txt", Bytes(3, 'x'));
  write_bytes(folder_ / "zzz.rsow.partial", Bytes(3, 'x'));
  fs::create_directory(folder_ / "folder.rsow");
  const TableFolder tables(folder_.path());
  EXPECT_EQ(tables.files().size(), files.size() - 2);
  ASSERT_EQ(tables.faults().size(), 4U);
  for (const TableFolder::Fault& fault : tables.faults()) {
    EXPECT_EQ(fault.error.path, fault.path.string());
    if (fault.path == files[3]) {
      EXPECT_EQ(fault.error.error_class(), ErrorClass::kCorrupt);
    } else if (fault.path == files[5]) {
      EXPECT_EQ(fault.error.error_class(), ErrorClass::kUnsupported);
    } else if (fault.path.filename() == "aaa.rsow") {
      EXPECT_EQ(fault.error.error_class(), ErrorClass::kCorrupt);
    } else {
      EXPECT_EQ(fault.path.filename(), "folder.rsow");
      EXPECT_EQ(fault.error.error_class(), ErrorClass::kIo);
    }
  }
}

// ---- Distances beside values ----

class FolderWithDistances : public testing::Test {
 protected:
  FolderWithDistances() {
    for (const unsigned seeds : {4U, 5U}) {
      write_made_up_level(folder_, 3, seeds);
      paths_.push_back(write_made_up_distances(folder_, 3, seeds));
    }
    write_made_up_level(folder_, 2, 5);
  }
  // The folder with other bytes in place of the first distances: what became of that file.
  Error fault_with(const Bytes& bytes) const {
    const Bytes right = read_bytes(paths_[0]);
    write_bytes(paths_[0], bytes);
    const TableFolder tables(folder_.path(), urim_rules());
    write_bytes(paths_[0], right);
    if (tables.faults().size() != 1 || tables.files().size() != 4) {
      throw std::runtime_error("test: not one fault");
    }
    EXPECT_EQ(tables.faults()[0].path, paths_[0]);
    EXPECT_EQ(tables.faults()[0].error.path, paths_[0].string());
    // The others still serve.
    EXPECT_EQ(tables.distance(placed("1,0,0/0,0,3").position, equal_rows(3)), std::nullopt);
    EXPECT_NE(tables.distance(placed("1,0,0/0,0,4").position, equal_rows(3)), std::nullopt);
    EXPECT_NE(tables.value(placed("1,0,0/0,0,3").position, equal_rows(3)), std::nullopt);
    return tables.faults()[0].error;
  }
  const ScratchFolder folder_;
  std::vector<fs::path> paths_;
};

TEST_F(FolderWithDistances, AnswersFromTheDistancesOfTheLevelAndRows) {
  const TableFolder tables(folder_.path(), urim_rules());
  EXPECT_TRUE(tables.faults().empty());
  ASSERT_EQ(tables.files().size(), 5U);
  for (const unsigned seeds : {4U, 5U}) {
    const HalfRanks halves(3, 17, seeds);
    const LevelRanks ranks(halves, seeds);
    const std::vector<Value> values = made_up_values(3, 17, seeds);
    const std::vector<std::uint16_t> distances = made_up_distances(3, 17, seeds);
    for (LevelIndex i = 0; i < ranks.size(); ++i) {
      ASSERT_EQ(tables.value(ranks.unrank(i), equal_rows(3)), values[i]);
      ASSERT_EQ(tables.distance(ranks.unrank(i), equal_rows(3)), distances[i]);
    }
  }
  EXPECT_NE(tables.value(placed("1,0/0,4").position, equal_rows(2)), std::nullopt);
  EXPECT_EQ(tables.distance(placed("1,0/0,4").position, equal_rows(2)), std::nullopt);
  EXPECT_EQ(tables.value(placed("200,0,0/0,0,0").position, equal_rows(3)), std::nullopt);
  EXPECT_EQ(tables.find(urim_rules(), equal_rows(3), 5, TableKind::kDistances)->path(), paths_[1]);
  EXPECT_EQ(tables.find(urim_rules(), equal_rows(2), 5, TableKind::kDistances), nullptr);
}

TEST_F(FolderWithDistances, DistancesOfOtherValuesAreAFault) {
  Bytes bytes = read_bytes(paths_[0]);
  const std::string right = TableReader(paths_[0]).header().values_digest.hex();
  bytes[kValuesDigestAt] ^= 1;
  seal_header(bytes);
  const Error error = fault_with(bytes);
  EXPECT_EQ(error.error_class(), ErrorClass::kCorrupt);
  EXPECT_EQ(error.expected, right);
  EXPECT_NE(error.found, right);
  EXPECT_NE(std::string(error.what()).find("other values"), std::string::npos) << error.what();
}

TEST_F(FolderWithDistances, DistancesOfAnotherVersionOrKindOrCutAreAFault) {
  const Bytes right = read_bytes(paths_[0]);
  Bytes bytes = right;
  set_field(bytes, kVersionAt, std::uint32_t{2});
  seal_header(bytes);
  EXPECT_EQ(fault_with(bytes).error_class(), ErrorClass::kUnsupported);
  bytes = right;
  bytes[kKindAt] = 2;
  seal_header(bytes);
  EXPECT_EQ(fault_with(bytes).error_class(), ErrorClass::kUnsupported);
  for (const std::size_t length : {std::size_t{3}, std::size_t{130}, right.size() - 1}) {
    EXPECT_EQ(fault_with({right.begin(), right.begin() + static_cast<std::ptrdiff_t>(length)}).error_class(),
              ErrorClass::kCorrupt);
  }
  bytes = right;
  bytes.push_back(0);
  EXPECT_EQ(fault_with(bytes).error_class(), ErrorClass::kCorrupt);
}

// ---- Several files of one level ----

class FolderWithCopies : public testing::Test {
 protected:
  FolderWithCopies()
      : values_(write_made_up_level(folder_, 3, 4)),
        distances_(write_made_up_distances(folder_, 3, 4)) {}
  // Other values of the same level, whole as a file.
  void write_other_values(const fs::path& path) const {
    const ScratchFolder elsewhere;
    std::vector<Value> values = made_up_values(3, 17, 4);
    values[7] = static_cast<Value>(values[7] + 2);
    const fs::path written = write_level(elsewhere, urim_rules(), 3, 4, values);
    fs::rename(written, path);
  }
  std::vector<fs::path> used() const {
    std::vector<fs::path> paths;
    const TableFolder tables(folder_.path());
    for (const TableReader& file : tables.files()) paths.push_back(file.path());
    return paths;
  }
  const ScratchFolder folder_;
  const fs::path values_, distances_;
};

TEST_F(FolderWithCopies, ACopyOfTheSameContentsIsPassedOver) {
  fs::copy_file(values_, folder_ / "aaa.rsow");
  fs::copy_file(values_, folder_ / "zzz.rsow");
  fs::copy_file(distances_, folder_ / "bbb.rsow");
  const TableFolder tables(folder_.path());
  EXPECT_TRUE(tables.faults().empty());
  EXPECT_EQ(used(), (std::vector<fs::path>{values_, distances_}));
  fs::remove(values_);  // the first by name in its place
  EXPECT_EQ(used(), (std::vector<fs::path>{folder_ / "aaa.rsow", distances_}));
}

TEST_F(FolderWithCopies, AnotherTableOfTheLevelIsAFaultAndTheOneUnderTheNameIsUsed) {
  for (const char* name : {"aaa.rsow", "zzz.rsow"}) {
    const fs::path stray = folder_ / name;
    write_other_values(stray);
    const TableFolder tables(folder_.path(), urim_rules());
    EXPECT_EQ(used(), (std::vector<fs::path>{values_, distances_}));
    ASSERT_EQ(tables.faults().size(), 1U);
    const TableFolder::Fault& fault = tables.faults()[0];
    EXPECT_EQ(fault.path, stray);
    EXPECT_EQ(fault.error.error_class(), ErrorClass::kCorrupt);
    for (const fs::path& path : {stray, values_})
      EXPECT_NE(std::string(fault.error.what()).find(path.string()), std::string::npos);
    ASSERT_TRUE(fault.header.has_value());
    EXPECT_EQ(fault.header->seeds, 4U);
    const Position position = placed("1,0,0/0,0,3").position;
    EXPECT_EQ(tables.find(urim_rules(), equal_rows(3), 4)->path(), values_);
    EXPECT_EQ(tables.value(position, equal_rows(3)),
              TableReader(values_).value(position, equal_rows(3)));
    EXPECT_NE(tables.distances_of(tables.files()[0]), nullptr);
    fs::remove(stray);
  }
}

TEST_F(FolderWithCopies, WithoutAFileUnderTheNameNoneOfSeveralTablesIsUsed) {
  fs::rename(values_, folder_ / "aaa.rsow");
  write_other_values(folder_ / "zzz.rsow");
  const TableFolder tables(folder_.path());
  EXPECT_EQ(used(), std::vector<fs::path>{distances_});
  ASSERT_EQ(tables.faults().size(), 2U);
  for (const TableFolder::Fault& fault : tables.faults()) {
    EXPECT_EQ(fault.error.error_class(), ErrorClass::kCorrupt);
    for (const char* name : {"aaa.rsow", "zzz.rsow"})
      EXPECT_NE(std::string(fault.error.what()).find(name), std::string::npos);
  }
}

TEST_F(FolderWithCopies, DistancesOfOtherValuesUnderAnotherNameLeaveTheRightOnesInUse) {
  Bytes bytes = read_bytes(distances_);
  bytes[kValuesDigestAt] ^= 1;
  seal_header(bytes);
  write_bytes(folder_ / "aaa.rsow", bytes);
  const TableFolder tables(folder_.path());
  EXPECT_EQ(used(), (std::vector<fs::path>{values_, distances_}));
  ASSERT_EQ(tables.faults().size(), 1U);
  EXPECT_EQ(tables.faults()[0].path, folder_ / "aaa.rsow");
}

TEST(TableFolderErrors, AFolderThatIsNotThereIsAnInputError) {
  const ScratchFolder folder;
  for (const fs::path& path : {folder / "nowhere", folder / "file"}) {
    if (path.filename() == "file") write_bytes(path, Bytes(3, 'x'));
    const auto error = error_from([&] { const TableFolder tables(path); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), ErrorClass::kIo);
    EXPECT_NE(std::string(error->what()).find(path.string()), std::string::npos) << error->what();
  }
  EXPECT_TRUE(TableFolder(folder.path()).files().empty());
}

// ---- The lock ----

TEST(FolderLock, RefusesASecondHolderUntilTheFirstIsGone) {
  const ScratchFolder folder;
  const fs::path path = folder / "tables";
  {
    const FolderLock lock(path);
    EXPECT_TRUE(fs::is_directory(path));
    const auto error = error_from([&] { const FolderLock second(path); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), ErrorClass::kIo);
    EXPECT_NE(std::string(error->what()).find("another process"), std::string::npos)
        << error->what();
    EXPECT_NE(std::string(error->what()).find(path.string()), std::string::npos) << error->what();
    // Another folder is another lock; reading needs none.
    EXPECT_FALSE(error_from([&] { const FolderLock other(folder / "others"); }).has_value());
    EXPECT_FALSE(error_from([&] { const TableFolder tables(path); }).has_value());
  }
  EXPECT_FALSE(error_from([&] { const FolderLock again(path); }).has_value());
}

TEST(FolderLock, AFolderThatCannotBeMadeIsAnInputError) {
  const ScratchFolder folder;
  write_bytes(folder / "file", Bytes(3, 'x'));
  for (const fs::path& path : {folder / "file", folder / "file" / "below"}) {
    const auto error = error_from([&] { const FolderLock lock(path); });
    ASSERT_TRUE(error.has_value()) << path;
    EXPECT_EQ(error->error_class(), ErrorClass::kIo);
  }
}

}  // namespace
}  // namespace retrosow::test
