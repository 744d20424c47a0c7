// Builds that are killed, or run out of disk: what is left is whole, and the same command goes on.
#include <csignal>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/cli/program.h"
#include "tests/support/boards.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

// Every file of a folder with its bytes; the lock is left out.
std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  if (!fs::exists(folder)) return contents;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != ".lock")
      contents[entry.path().filename().string()] = text_of_file(entry.path());
  }
  return contents;
}

// What is wrong with the folder of an unfinished build: nothing but whole files may stand under final names.
std::string leftover_fault(const std::string& folder,
                           const std::map<std::string, std::string>& whole) {
  for (const auto& [name, bytes] : contents_of(folder)) {
    if (name.ends_with(".partial") || name == "MANIFEST.json") continue;
    const auto right = whole.find(name);
    if (right == whole.end()) return name + " is not of this build";
    if (right->second != bytes) return name + " is not whole";
  }
  if (tables_in(folder).empty()) return "";
  const Outcome r = run({"check", "--quiet", "--json", "--tables", folder});
  for (const Json& record : r.records()) {
    if (record.contains("listed") && record["listed"] == true && !record["ok"].get<bool>())
      return record.dump();
  }
  return r.exit_code == 0 ? "" : "check says " + std::to_string(r.exit_code) + ": " + r.err;
}

void expect_killed_builds_go_on(const Words& build, std::uint64_t seed) {
  TemporaryFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  const Outcome undisturbed = run(build + Words{"--out", folder / "whole"});
  auto takes_us = static_cast<unsigned>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count());
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed;
  const auto whole = contents_of(folder / "whole");
  ASSERT_GT(whole.size(), 5U);

  RandomNumbers random(seed);
  unsigned killed = 0, unfinished = 0;
  for (unsigned round = 0; round < 3 || (killed < 5 && round < 12); ++round) {
    const std::string out = folder / ("killed-" + std::to_string(round));
    for (unsigned kills = 0; kills < 5; ++kills) {
      Program program(build + Words{"--out", out});
      // Early and anywhere by turns: what is finished stays, so a build that goes on has less to do.
      const unsigned longest = std::max(takes_us / (kills % 2 == 0 ? 3 : 1), 4'000U);
      std::this_thread::sleep_for(std::chrono::microseconds(random.between(3'000, longest)));
      program.send(SIGKILL);
      if (program.finish().signal == SIGKILL) {
        ++killed;
      } else {
        takes_us = takes_us * 2 / 3;  // the undisturbed run had a slow moment
      }
      if (!fs::exists(out)) continue;
      for (const auto& [name, bytes] : contents_of(out)) {
        if (name.ends_with(".partial")) ++unfinished;
      }
      ASSERT_EQ(leftover_fault(out, whole), "") << round << " " << kills;
    }
    const Outcome finished = run(build + Words{"--out", out});
    ASSERT_EQ(finished.exit_code, 0) << finished;
    EXPECT_EQ(contents_of(out), whole);  // leftovers cleaned, the manifest the same
    std::vector<Json> levels = finished.records(), expected = undisturbed.records();
    ASSERT_EQ(levels.size(), expected.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      EXPECT_EQ(levels[i]["digest"], expected[i]["digest"]);
    }
  }
  EXPECT_GE(killed, 5U);
  ::testing::Test::RecordProperty("leftovers", static_cast<int>(unfinished));
}

TEST(CliFaults, KilledAtRandomMomentsALevelBuildGoesOnToTheSameFiles) {
  expect_killed_builds_go_on({"build", "--seeds", "10", "--distance", "--threads", "2", "--json"},
                             1);
}

TEST(CliFaults, KilledAtRandomMomentsABuildOfARoundGoesOnToTheSameFiles) {
  expect_killed_builds_go_on(
      {"build", "--game", "rio-kadalis", "4,4,4,x,x/4,4,4,4,4", "--distance", "--threads", "2", "--json"}, 2);
}

TEST(CliFaults, AFileThatIsNotWholeUnderAFinalNameIsFound) {  // the test's own check
  TemporaryFolder folder;
  ASSERT_EQ(run({"build", "--pits", "2", "--seeds", "3", "--out", folder / "t"}).exit_code, 0);
  const auto whole = contents_of(folder / "t");
  ASSERT_EQ(leftover_fault(folder / "t", whole), "");
  std::ofstream(folder / "t/left.rsow.partial") << "x";
  EXPECT_EQ(leftover_fault(folder / "t", whole), "");
  const fs::path path = tables_in(folder / "t").at(1);
  fs::resize_file(path, 100);
  EXPECT_NE(leftover_fault(folder / "t", whole), "");
  fs::remove(path);
  EXPECT_NE(leftover_fault(folder / "t", whole), "");  // listed, and gone
}

TEST(CliFaults, WhereFilesMayNotGrowABuildStopsWithALimitAndGoesOnLater) {
  TemporaryFolder folder;
  const Words build = {"build", "--seeds", "9", "--threads", "1", "--json", "--out", folder / "t"};
  const Outcome whole =
      run({"build", "--seeds", "9", "--threads", "1", "--json", "--out", folder / "whole"});
  ASSERT_EQ(whole.exit_code, 0);
  // Level 8 is the first that is larger.
  const Outcome full = run(build, {.file_limit = 15'000});
  EXPECT_EQ(full.exit_code, 6) << full;
  EXPECT_EQ(full.records().size(), 8U) << full;  // of the levels that were finished
  EXPECT_NE(full.err.find(folder / "t"), std::string::npos) << full;
  EXPECT_EQ(full.err.find('\n'), full.err.size() - 1) << full;
  EXPECT_EQ(leftover_fault(folder / "t", contents_of(folder / "whole")), "");
  EXPECT_EQ(tables_in(folder / "t").size(), 8U);
  for (const auto& [name, bytes] : contents_of(folder / "t"))
    EXPECT_FALSE(name.ends_with(".partial")) << name;
  const Outcome again = run(build);
  EXPECT_EQ(again.exit_code, 0) << again;
  EXPECT_EQ(contents_of(folder / "t"), contents_of(folder / "whole"));
}

TEST(CliFaults, OnAFullDiskABuildStopsWithALimitAndGoesOnLater) {
  TemporaryFolder folder;
  const Words words = words_of("build --pits 4 --seeds 8 --threads 1 --out");
  ASSERT_EQ(run(words + Words{folder / "whole"}).exit_code, 0);
  const auto whole = contents_of(folder / "whole");
  // /dev/full takes nothing: "No space left on device". Under the temporary name of level 5 and then of the manifest it is
  // what those files are written to.
  const auto fifth = std::find_if(whole.begin(), whole.end(), [](const auto& file) {
    return file.first.ends_with("-005.rsow");
  });
  ASSERT_NE(fifth, whole.end());
  for (const std::string& name : {fifth->first, std::string("MANIFEST.json")}) {
    const std::string out = folder / ("full-" + name);
    fs::create_directories(out);
    fs::create_symlink("/dev/full", fs::path(out) / (name + ".partial"));
    const Outcome full = run(words + Words{out});
    EXPECT_EQ(full.exit_code, 6) << full;
    EXPECT_NE(full.err.find("No space left on device"), std::string::npos) << full;
    EXPECT_FALSE(fs::exists(fs::path(out) / name));
    EXPECT_EQ(leftover_fault(out, whole), "");
    EXPECT_EQ(tables_in(out).size(), name == fifth->first ? 5U : 0U);
    EXPECT_EQ(run(words + Words{out}).exit_code, 0);
    EXPECT_EQ(contents_of(out), whole);
  }
}

}  // namespace
}  // namespace retrosow::test
