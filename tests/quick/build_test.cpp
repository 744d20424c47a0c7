// Building folders of tables: right values, the same bytes however they are made, and no harm from being
// interrupted.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bitboard/notation.h"
#include "tables/build.h"
#include "tables/leftovers.h"
#include "tests/support/boards.h"
#include "tests/support/building.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

using Tables = std::map<std::string, Bytes>;  // name -> bytes

Tables tables_in(const fs::path& folder) {
  Tables tables;
  for (const fs::path& path : files_ending(folder, ".rsow")) {
    tables[path.filename().string()] = read_bytes(path);
  }
  return tables;
}

// The names of the tables that are not the same in both.
std::vector<std::string> differing(const Tables& a, const Tables& b) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second != bytes) names.push_back(name);
  }
  for (const auto& [name, bytes] : b) {
    if (!a.contains(name)) names.push_back(name);
  }
  return names;
}

const std::vector<std::string> kNone;

// What is wrong with a built folder: every level there, with these values, and the records right.
std::string folder_fault(const fs::path& folder, const RuleSet& rules, unsigned pits,
                         const LevelValues& expected, const std::vector<BuiltLevel>& built) {
  if (built.size() != expected.size()) return "another number of levels";
  for (unsigned seeds = 0; seeds < expected.size(); ++seeds) {
    const std::string level = "level " + std::to_string(seeds) + ": ";
    const TableReader reader(folder / table_file_name(level_header(rules, pits, seeds)));
    if (reader.read_all() != expected[seeds]) return level + "other values";
    const BuiltLevel& record = built[seeds];
    if (record.seeds != seeds || record.positions != expected[seeds].size())
      return level + "record";
    if (record.digest != digest_of(std::as_bytes(std::span(expected[seeds]))))
      return level + "digest";
    if (record.file_bytes != fs::file_size(reader.path())) return level + "file length";
  }
  if (files_ending(folder, ".rsow").size() != expected.size()) return "other files beside them";
  if (!files_ending(folder, ".partial").empty()) return "an unfinished file is left";
  return "";
}

// ---- Values ----

TEST(Build, LevelsHoldTheValuesOfThePlainSolverUnderEveryOption) {
  for (const RuleSet& rules : urim_rule_sets()) {
    const ScratchFolder folder;
    const auto built = build_levels(rules, 3, 6, options_for(folder.path()));
    ASSERT_EQ(folder_fault(folder.path(), rules, 3, solve_levels(rules, 3, 6), built), "")
        << canonical_text(rules);
    for (const BuiltLevel& level : built) EXPECT_FALSE(level.reused);
  }
}

TEST(Build, AnotherValueInOneLevelIsRefused) {
  const ScratchFolder folder;
  const auto built = build_levels(urim_rules(), 2, 5, options_for(folder.path()));
  LevelValues expected = solve_levels(urim_rules(), 2, 5);
  ASSERT_EQ(folder_fault(folder.path(), urim_rules(), 2, expected, built), "");
  ++expected[3][5];
  EXPECT_NE(folder_fault(folder.path(), urim_rules(), 2, expected, built), "");
}

TEST(Build, LevelsWithoutBoardsAreBuiltToo) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules("pit-limit=1");
  const auto built = build_levels(rules, 2, 6, options_for(folder.path()));
  EXPECT_EQ(folder_fault(folder.path(), rules, 2, solve_levels(rules, 2, 6), built), "");
  EXPECT_EQ(built[5].positions, 0U);
  EXPECT_EQ(built[5].digest.hex(), "99aa06d3014798d86001c324468d497f");  // of the empty string
}

TEST(Build, TheFilesAreTheSameForAnyNumberOfThreads) {
  for (const unsigned pits : {3U, 6U}) {
    const ScratchFolder one;
    build_levels(urim_rules("pit-limit=5"), pits, 7, options_for(one.path(), 1));
    for (const unsigned threads : {2U, 7U, 0U}) {
      const ScratchFolder folder;
      build_levels(urim_rules("pit-limit=5"), pits, 7, options_for(folder.path(), threads));
      EXPECT_EQ(differing(tables_in(folder.path()), tables_in(one.path())), kNone) << threads;
    }
  }
}

TEST(Build, TheFilesAreTheSameForAnyMemoryThatIsEnough) {
  const ScratchFolder plenty, least;
  build_levels(urim_rules(), 6, 7, options_for(plenty.path()));
  BuildOptions options = options_for(least.path());
  options.memory_bytes = build_levels_memory(urim_rules(), 6, 7, 1);
  build_levels(urim_rules(), 6, 7, options);
  EXPECT_EQ(differing(tables_in(least.path()), tables_in(plenty.path())), kNone);
}

// ---- Resuming ----

TEST(Build, FinishedLevelsAreReusedAndMissingOnesBuilt) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  build_levels(rules, 3, 4, options_for(folder.path()));
  const auto before = tables_in(folder.path());
  const auto built = build_levels(rules, 3, 7, options_for(folder.path()));
  EXPECT_EQ(folder_fault(folder.path(), rules, 3, solve_levels(rules, 3, 7), built), "");
  for (const BuiltLevel& level : built) EXPECT_EQ(level.reused, level.seeds <= 4) << level.seeds;
  const auto after = tables_in(folder.path());
  for (const auto& [name, bytes] : before) EXPECT_EQ(after.at(name), bytes);
  // A hole in the middle is filled.
  fs::remove(folder / table_file_name(level_header(rules, 3, 2)));
  const auto again = build_levels(rules, 3, 7, options_for(folder.path()));
  for (const BuiltLevel& level : again) EXPECT_EQ(level.reused, level.seeds != 2) << level.seeds;
  EXPECT_EQ(differing(tables_in(folder.path()), after), kNone);
}

TEST(Build, ForceBuildsFinishedLevelsAgain) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 3, 5, options_for(folder.path()));
  const auto before = tables_in(folder.path());
  BuildOptions options = options_for(folder.path());
  options.force = true;
  for (const BuiltLevel& level : build_levels(urim_rules(), 3, 5, options))
    EXPECT_FALSE(level.reused);
  EXPECT_EQ(differing(tables_in(folder.path()), before), kNone);
}

TEST(Build, TablesOfSeveralRulesAndBoardsShareAFolder) {
  const ScratchFolder folder;
  build_levels(urim_rules(), 2, 4, options_for(folder.path()));
  build_levels(urim_rules("pit-limit=3"), 2, 4, options_for(folder.path()));
  build_levels(urim_rules(), 3, 4, options_for(folder.path()));
  for (const BuiltLevel& level : build_levels(urim_rules(), 2, 4, options_for(folder.path()))) {
    EXPECT_TRUE(level.reused);
  }
  EXPECT_EQ(tables_in(folder.path()).size(), 15U);
  // The same rules under another name find the tables that are there.
  const ScratchFolder other;
  build_levels(preset(Game::kAwari), 2, 4, options_for(other.path()));
  const RuleSet spelled_out = urim_rules("pit-limit=0 trigger=2,3 chain=2,3 starvation=leave");
  for (const BuiltLevel& level : build_levels(spelled_out, 2, 4, options_for(other.path()))) {
    EXPECT_TRUE(level.reused);
  }
}

// Counts how often a build asks whether to stop, and says yes the n-th time.
RunControl stopping_at(std::atomic<unsigned>& asked, unsigned n) {
  RunControl control;
  control.stop = [&asked, n] { return ++asked >= n; };
  return control;
}

TEST(Build, WhatAnInterruptedForcedBuildDidNotReachIsKeptOnceItIsChecked) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  constexpr unsigned kPits = 3, kSeeds = 6;
  build_levels(rules, kPits, kSeeds, options_for(folder.path()));
  const auto before = tables_in(folder.path());
  const auto path_of = [&](unsigned seeds) { return folder / table_file_name(level_header(rules, kPits, seeds)); };
  const fs::file_time_type long_ago{};
  for (unsigned seeds = 0; seeds <= kSeeds; ++seeds) fs::last_write_time(path_of(seeds), long_ago);
  BuildOptions options = options_for(folder.path());
  options.force = true;
  options.control.stop = [&] { return fs::last_write_time(path_of(3)) != long_ago; };
  const auto interruption = error_from([&] { build_levels(rules, kPits, kSeeds, options); });
  ASSERT_TRUE(interruption);
  EXPECT_EQ(interruption->error_class(), ErrorClass::kInterrupted);
  for (const BuiltLevel& level : build_levels(rules, kPits, kSeeds, options_for(folder.path()))) {
    EXPECT_TRUE(level.reused) << level.seeds;
    EXPECT_EQ(fs::last_write_time(path_of(level.seeds)) == long_ago, level.seeds > 3) << level.seeds;
  }
  EXPECT_EQ(differing(tables_in(folder.path()), before), kNone);
  // Old levels are not trusted.
  fs::resize_file(path_of(5), fs::file_size(path_of(5)) - 1);
  const auto damage = error_from([&] { build_levels(rules, kPits, kSeeds, options_for(folder.path())); });
  ASSERT_TRUE(damage);
  EXPECT_EQ(damage->error_class(), ErrorClass::kCorrupt);
  EXPECT_EQ(damage->path, path_of(5).string());
}

TEST(Build, InterruptedAnywhereItLeavesWholeLevelsAndGoesOnToTheSameTables) {
  const RuleSet rules = urim_rules("pit-limit=5");
  constexpr unsigned kPits = 3, kSeeds = 4;
  const ScratchFolder whole;
  BuildOptions options = options_for(whole.path());
  std::atomic<unsigned> asked = 0;
  options.control = stopping_at(asked, 1'000'000);
  const auto expected = build_levels(rules, kPits, kSeeds, options);
  const unsigned times = asked;
  ASSERT_GE(times, kSeeds + 1);

  unsigned interrupted = 0;
  for (unsigned n = 1; n <= times; ++n) {
    const ScratchFolder folder;
    options = options_for(folder.path());
    asked = 0;
    options.control = stopping_at(asked, n);
    const auto error = error_from([&] { build_levels(rules, kPits, kSeeds, options); });
    if (!error) continue;  // it asked less often this time
    ++interrupted;
    ASSERT_EQ(error->error_class(), ErrorClass::kInterrupted) << error->what();
    ASSERT_TRUE(files_ending(folder.path(), ".partial").empty()) << n;
    for (const fs::path& path : files_ending(folder.path(), ".rsow")) {
      ASSERT_NO_THROW(TableReader(path).check());
    }
    const auto built = build_levels(rules, kPits, kSeeds, options_for(folder.path()));
    ASSERT_EQ(differing(tables_in(folder.path()), tables_in(whole.path())), kNone) << n;
    for (unsigned seeds = 0; seeds <= kSeeds; ++seeds) {
      ASSERT_EQ(built[seeds].digest, expected[seeds].digest);
    }
  }
  EXPECT_GE(interrupted, kSeeds + 1);
}

TEST(Build, TellsOfEachLevelWhenItIsFinishedAndWhatWasThereIsNoWork) {
  constexpr unsigned kPits = 3, kSeeds = 5;
  const ScratchFolder folder;
  BuildOptions options = options_for(folder.path());
  std::vector<unsigned> told;
  options.on_level = [&](const BuiltLevel& level) {
    EXPECT_TRUE(fs::exists(folder.path() / table_file_name(level_header(urim_rules(), kPits, level.seeds))));
    told.push_back(level.seeds);
  };
  options.control.stop = [&] { return told.size() == 3; };
  ASSERT_TRUE(error_from([&] { build_levels(urim_rules(), kPits, kSeeds, options); }));
  EXPECT_EQ(told, (std::vector<unsigned>{0, 1, 2}));

  std::uint64_t below = 0;
  for (unsigned seeds = 0; seeds < 3; ++seeds) below += level_size(kPits, urim_rules().pit_limit, seeds);
  told.clear();
  options.control.stop = {};
  Progress last;
  options.control.progress = [&](const Progress& progress) { last = progress; };
  std::vector<unsigned> built;
  for (const BuiltLevel& level : build_levels(urim_rules(), kPits, kSeeds, options)) built.push_back(level.seeds);
  EXPECT_EQ(told, built);
  EXPECT_EQ(last.done, last.total);
  EXPECT_EQ(last.found, below);
}

TEST(Build, OnlyNamesThatABuildGivesAreLeftovers) {
  for (const char* name :
       {"urim-2x6-2e2f1f19c3ee-012.rsow.partial", "urim-2x6-2e2f1f19c3ee-012-distance.rsow.partial",
        "urim-2x6-2e2f1f19c3ee-012-guarantee.rsow.partial",
        "rio-kadalis-5v6-394b44d5153d-from-ca3e3a558050-040.rsow.partial",
        "rio-kadalis-2x6-394b44d5153d-from-ca3e3a558050-048-distance.rsow.partial", "MANIFEST.json.partial"}) {
    EXPECT_TRUE(is_partial_name(name)) << name;
  }
  for (const char* name :
       {"", ".partial", "film.partial", "x.rsow.partial", "urim.rsow.partial", "level.csv.Ab3dEf.partial",
        "urim-2x6-2e2f1f19c3ee-012.rsow", "urim-2x6-2e2f1f19c3ee-012.partial",
        "urim-2x6-2e2f1f19c3ee-12.rsow.partial", "urim-2x6-2E2F1F19C3EE-012.rsow.partial",
        "urim-2x6-2e2f1f19c3ee-012-copy.rsow.partial", "my-urim-2x6-2e2f1f19c3ee-012.rsow.partial",
        "urim-2x6-2e2f1f19c3ee-012.rsow.partial.partial", "MANIFEST.json"}) {
    EXPECT_FALSE(is_partial_name(name)) << name;
  }
}

TEST(Build, AForeignFileOrFolderCalledPartialIsKeptAndDoesNotStopABuild) {
  const ScratchFolder folder;
  const std::string name = table_file_name(level_header(urim_rules(), 2, 9)) + ".partial";
  std::filesystem::create_directories(folder / name / "inside");
  std::filesystem::create_directory(folder / "folder.partial");
  write_bytes(folder / "film.mp4.partial", Bytes(3, 'x'));
  write_bytes(folder / "x.rsow.partial", Bytes(3, 'x'));
  build_levels(urim_rules(), 2, 3, options_for(folder.path()));
  EXPECT_TRUE(std::filesystem::exists(folder / name / "inside"));
  EXPECT_TRUE(std::filesystem::exists(folder / "folder.partial"));
  EXPECT_EQ(read_bytes(folder / "film.mp4.partial"), Bytes(3, 'x'));
  EXPECT_EQ(read_bytes(folder / "x.rsow.partial"), Bytes(3, 'x'));
}

TEST(Build, LeftoversOfAKilledBuildAreRemovedAndOtherFilesKept) {
  const ScratchFolder folder;
  // Of a level that is built now, and of one that is not.
  for (const unsigned seeds : {3U, 9U}) {
    const std::string name = table_file_name(level_header(urim_rules(), 2, seeds));
    write_bytes(folder / (name + ".partial"), Bytes(100, 0));
  }
  write_bytes(folder / "notes.txt", Bytes(3, 'x'));
  write_bytes(folder / "other.rsow", Bytes(3, 'x'));
  build_levels(urim_rules(), 2, 4, options_for(folder.path()));
  EXPECT_TRUE(files_ending(folder.path(), ".partial").empty());
  EXPECT_EQ(read_bytes(folder / "notes.txt"), Bytes(3, 'x'));
  EXPECT_EQ(read_bytes(folder / "other.rsow"), Bytes(3, 'x'));
}

TEST(Build, ADamagedFinishedLevelIsNamedAndNotBuiltUpon) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules();
  build_levels(rules, 3, 4, options_for(folder.path()));
  const auto right = tables_in(folder.path());
  const fs::path path = folder / table_file_name(level_header(rules, 3, 3));
  // In the header, and in the block, which only a full check reads.
  for (const bool in_block : {false, true}) {
    Bytes bytes = right.at(path.filename().string());
    bytes[in_block ? bytes.size() - 2 : 30] ^= 1;
    write_bytes(path, bytes);
    const auto error = error_from([&] { build_levels(rules, 3, 5, options_for(folder.path())); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
    EXPECT_EQ(error->path, path.string());
    EXPECT_EQ(read_bytes(path), bytes);  // left for its owner to look at
  }
  BuildOptions options = options_for(folder.path());
  options.force = true;
  build_levels(rules, 3, 4, options);
  EXPECT_EQ(differing(tables_in(folder.path()), right), kNone);
}

TEST(Build, ATableUnderTheNameOfAnotherIsNotTakenForIt) {
  const ScratchFolder folder, other;
  const RuleSet rules = urim_rules();
  build_levels(rules, 3, 4, options_for(folder.path()));
  build_levels(urim_rules("chain=2"), 3, 4, options_for(other.path()));
  const fs::path path = folder / table_file_name(level_header(rules, 3, 4));
  const Bytes right = read_bytes(path);
  for (const fs::path& wrong :
       {folder / table_file_name(level_header(rules, 3, 3)),
        other / table_file_name(level_header(urim_rules("chain=2"), 3, 4))}) {
    fs::remove(path);
    fs::copy_file(wrong, path);
    const auto error = error_from([&] {
      const auto built = build_levels(rules, 3, 5, options_for(folder.path()));
      // Building it anew would be right, too.
      EXPECT_EQ(folder_fault(folder.path(), rules, 3, solve_levels(rules, 3, 5), built), "");
    });
    if (error) {
      EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt) << error->what();
      EXPECT_EQ(error->path, path.string());
    }
    fs::remove(folder / table_file_name(level_header(rules, 3, 5)));
    write_bytes(path, right);
  }
}

TEST(Build, AFolderInWhichAnotherBuildsIsRefused) {
  const ScratchFolder folder;
  const FolderLock lock(folder.path());
  const auto error =
      error_from([&] { build_levels(urim_rules(), 2, 3, options_for(folder.path())); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kIo);
  EXPECT_TRUE(files_ending(folder.path(), ".rsow").empty());
}

// ---- Limits ----

TEST(Build, TooLittleMemoryIsRefusedBeforeAnythingIsBuilt) {
  const ScratchFolder folder;
  BuildOptions options = options_for(folder / "tables");
  options.memory_bytes = build_levels_memory(urim_rules(), 6, 12, 1) - 1;
  const auto error = error_from([&] { build_levels(urim_rules(), 6, 12, options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
  EXPECT_NE(std::string(error->what()).find("MiB"), std::string::npos) << error->what();
  EXPECT_FALSE(fs::exists(options.folder));
}

TEST(Build, MoreThan127SeedsAreRefused) {
  const ScratchFolder folder;
  for (const unsigned seeds : {128U, 1000U, 4'000'000'000U}) {
    const auto error = error_from(
        [&] { build_levels(urim_rules("pit-limit=0"), 1, seeds, options_for(folder.path())); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
    EXPECT_NE(std::string(error->what()).find(std::to_string(seeds)), std::string::npos)
        << error->what();
  }
  EXPECT_TRUE(files_ending(folder.path(), ".rsow").empty());
  // 127 are taken on.
  BuildOptions options = options_for(folder.path());
  options.control.stop = [] { return true; };
  const auto error = error_from([&] { build_levels(urim_rules("pit-limit=0"), 1, 127, options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kInterrupted);
}

TEST(Build, ALevelThatNoIndexCountsIsRefused) {
  const ScratchFolder folder;
  BuildOptions options = options_for(folder.path());
  options.memory_bytes = std::uint64_t{1} << 40;
  const auto error = error_from([&] { build_levels(urim_rules("pit-limit=0"), 8, 127, options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
}

TEST(Build, ProgressGoesUpToTheWhole) {
  const ScratchFolder folder;
  BuildOptions options = options_for(folder.path());
  std::vector<Progress> reports;
  options.control.progress = [&](const Progress& progress) { reports.push_back(progress); };
  build_levels(urim_rules(), 6, 6, options);
  ASSERT_FALSE(reports.empty());
  const std::uint64_t total = positions_of_levels(6, 17, 0, 6);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    EXPECT_EQ(reports[i].total, total);
    EXPECT_LE(reports[i].done, total);
    EXPECT_EQ(reports[i].last_level, 6U);
    EXPECT_FALSE(reports[i].phase.empty());
    if (i == 0) continue;
    EXPECT_GE(reports[i].done, reports[i - 1].done);
    EXPECT_GE(reports[i].level, reports[i - 1].level);
    EXPECT_GE(reports[i].elapsed_seconds, reports[i - 1].elapsed_seconds);
  }
}

// ---- Rounds ----

class BuildRound : public testing::Test {
 protected:
  std::vector<BuiltLevel> build(const BuildOptions& options) const {
    return build_round(rules_, root_.position, root_.shape, options);
  }
  BuildOptions with_distances() const {
    BuildOptions options = options_for(folder_.path());
    options.distances = true;
    return options;
  }
  // What is wrong with the folder of the round, and with the records of its levels.
  std::string fault(const std::vector<BuiltLevel>& built, bool reused, bool distances = false) const {
    if (built.size() != round_.levels.size()) return "another number of levels";
    for (std::size_t i = 0; i < built.size(); ++i) {
      const RoundLevel& level = round_.levels[i];
      const fs::path path = folder_.path() /
                            table_file_name(round_header(rules_, root_.position, root_.shape, level.seeds));
      const TableReader reader(path);
      if (reader.read_all() != level.values || reader.read_keys() != level.keys)
        return "other values";
      if (reader.header().endless_moves != level.endless_moves) return "endless moves";
      if (levels_of_round(reader.header()).size() != built.size()) return "levels";
      if (built[i].seeds != level.seeds || built[i].positions != level.keys.size()) return "record";
      if (built[i].digest != digest_of(std::as_bytes(std::span(level.values)))) return "digest";
      if (built[i].reused != reused) return "reused";
      if (built[i].distances.has_value() != distances) return "distances";
      if (!distances) continue;
      const TableReader plies(folder_.path() / table_file_name(distance_header(reader.header())));
      if (plies.read_all_distances() != level.distances) return "other distances";
      if (built[i].distances->digest != plies.header().digest) return "digest of the distances";
    }
    const std::size_t files = files_ending(folder_.path(), ".rsow").size();
    if (files != (distances ? 2 : 1) * round_.levels.size()) return "other files";
    return files_ending(folder_.path(), ".partial").empty() ? "" : "an unfinished file is left";
  }
  void remove_tables() const {
    for (const fs::path& path : files_ending(folder_.path(), ".rsow")) fs::remove(path);
  }

  const RuleSet rules_ = rio_rules(EndlessSow::kForbid);
  const Placed root_ = placed("x,4,4/4,4,4");
  const Round round_ = solve_round_of(rules_, root_.position, root_.shape);
  const ScratchFolder folder_;
};

TEST_F(BuildRound, MakesAFileForEachLevelAndReusesThem) {
  EXPECT_EQ(fault(build(options_for(folder_.path())), false), "");
  const auto before = tables_in(folder_.path());
  EXPECT_EQ(fault(build(options_for(folder_.path())), true), "");
  EXPECT_EQ(differing(tables_in(folder_.path()), before), kNone);
  BuildOptions options = options_for(folder_.path());
  options.force = true;
  EXPECT_EQ(fault(build(options), false), "");
  EXPECT_EQ(differing(tables_in(folder_.path()), before), kNone);
}

TEST_F(BuildRound, AddsDistancesToFinishedValues) {
  EXPECT_EQ(fault(build(with_distances()), false, true), "");
  const auto before = tables_in(folder_.path());
  EXPECT_EQ(fault(build(with_distances()), true, true), "");
  for (const fs::path& path : files_ending(folder_.path(), "-distance.rsow")) fs::remove(path);
  EXPECT_EQ(fault(build(with_distances()), true, true), "");
  EXPECT_EQ(differing(tables_in(folder_.path()), before), kNone);
  // Values that are gone are built again; the distances that go with them are not.
  const std::vector<fs::path> values = files_ending(folder_.path(), "-008.rsow");
  ASSERT_EQ(values.size(), 1U);
  fs::remove(values.front());
  for (const BuiltLevel& level : build(with_distances())) {
    EXPECT_EQ(level.reused, level.seeds != 8);
    EXPECT_TRUE(level.distances->reused);
  }
  EXPECT_EQ(differing(tables_in(folder_.path()), before), kNone);
}

TEST_F(BuildRound, MakesTheSameBytesWithAnyNumberOfThreads) {
  const Placed root = placed("4,4,4,4/4,4,4,4");
  const ScratchFolder one;
  BuildOptions options = options_for(one.path(), 1);
  options.distances = true;
  build_round(rules_, root.position, root.shape, options);
  for (const unsigned threads : {2U, 7U}) {
    const ScratchFolder folder;
    options.folder = folder.path();
    options.threads = threads;
    build_round(rules_, root.position, root.shape, options);
    EXPECT_EQ(differing(tables_in(folder.path()), tables_in(one.path())), kNone) << threads;
  }
}

TEST_F(BuildRound, InterruptedAnywhereItGoesOnToTheSameTables) {
  BuildOptions options = with_distances();
  std::atomic<unsigned> asked = 0;
  options.control = stopping_at(asked, 1'000'000);
  build(options);
  const unsigned times = asked;
  ASSERT_GE(times, 20U);
  const auto before = tables_in(folder_.path());
  remove_tables();
  unsigned kept = 0;
  for (unsigned n = 1; n <= times; ++n) {
    if (n % 7 == 0) remove_tables();
    const std::size_t there = files_ending(folder_.path(), ".rsow").size();
    asked = 0;
    options.control = stopping_at(asked, n);
    const auto error = error_from([&] { build(options); });
    if (error) {
      ASSERT_EQ(error->error_class(), ErrorClass::kInterrupted) << error->what();
    }
    ASSERT_TRUE(files_ending(folder_.path(), ".partial").empty());
    ASSERT_GE(files_ending(folder_.path(), ".rsow").size(), there);
    if (error && there > 0) ++kept;
  }
  EXPECT_GT(kept, 0U);
  build(with_distances());
  EXPECT_EQ(differing(tables_in(folder_.path()), before), kNone);
}

TEST_F(BuildRound, AMissingLevelIsBuiltAgainAndTheOthersAreKept) {
  build(with_distances());
  const auto before = tables_in(folder_.path());
  for (const fs::path& path : files_ending(folder_.path(), ".rsow")) {
    fs::remove(path);
    std::size_t built = 0;
    for (const BuiltLevel& level : build(with_distances())) built += !level.reused + !level.distances->reused;
    EXPECT_EQ(built, 1U) << path;
    ASSERT_EQ(differing(tables_in(folder_.path()), before), kNone) << path;
  }
}

TEST_F(BuildRound, ADamagedLevelIsNamed) {
  build(with_distances());
  for (const fs::path& path : files_ending(folder_.path(), ".rsow")) {
    const Bytes right = read_bytes(path);
    Bytes wrong = right;
    wrong.back() ^= 1;
    write_bytes(path, wrong);
    const auto error = error_from([&] { build(with_distances()); });
    ASSERT_TRUE(error.has_value()) << path;
    EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
    EXPECT_EQ(error->path, path.string());
    write_bytes(path, right);
  }
}

// A whole file under the right name, of positions that are not those of the round.
TEST_F(BuildRound, AFinishedFileOfOtherPositionsIsNamed) {
  build(options_for(folder_.path()));
  const std::vector<fs::path> files = files_ending(folder_.path(), ".rsow");
  fs::remove(files.back());  // else nothing is enumerated
  const RoundLevel& level = round_.levels[1];
  TableHeader header = TableReader(files[1]).header();
  const auto refused = [&](const RoundLevel& wrong, const TableHeader& with) {
    TableHeader fresh = round_header(rules_, root_.position, root_.shape, level.seeds);
    fresh.round_levels = with.round_levels;
    fresh.endless_moves = with.endless_moves;
    write_table(folder_.path(), fresh, wrong.values, wrong.keys);
    const auto error = error_from([&] { build(options_for(folder_.path())); });
    return error && error->error_class() == ErrorClass::kCorrupt && error->path == files[1].string();
  };
  RoundLevel wrong = level;
  wrong.keys.pop_back();
  wrong.values.pop_back();
  EXPECT_TRUE(refused(wrong, header));
  wrong = level;
  wrong.keys.back() = placed("x,0,0/0,0,4").position;
  ASSERT_GT(wrong.keys.back(), Position{});
  if (std::find(level.keys.begin(), level.keys.end(), wrong.keys.back()) == level.keys.end()) {
    std::sort(wrong.keys.begin(), wrong.keys.end());
    EXPECT_TRUE(refused(wrong, header));
  }
  ++header.endless_moves;
  EXPECT_TRUE(refused(level, header));
  --header.endless_moves;
  EXPECT_FALSE(refused(level, header));
}

TEST_F(BuildRound, ProgressGoesToTheEnd) {
  std::vector<Progress> reports;
  BuildOptions options = options_for(folder_.path());
  options.control.progress = [&](const Progress& progress) { reports.push_back(progress); };
  build(options);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().phase, "enumerate");
  EXPECT_EQ(reports.back().phase, "solve");
  EXPECT_EQ(reports.back().done, round_.positions);
  EXPECT_EQ(reports.back().total, round_.positions);
  EXPECT_EQ(reports.back().last_level, 20U);
}

TEST_F(BuildRound, TooLittleMemoryOrTooManyStonesAreRefused) {
  BuildOptions options = options_for(folder_.path());
  options.memory_bytes = 1000;
  auto error = error_from([&] { build(options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
  const Placed full = placed("64/64");
  error = error_from(
      [&] { build_round(rules_, full.position, full.shape, options_for(folder_.path())); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
  EXPECT_TRUE(files_ending(folder_.path(), ".rsow").empty());
}

}  // namespace
}  // namespace retrosow::test
