// `check`: folders whole, damaged, cut, incomplete, of another version, from the outside.
#include <sys/stat.h>

#include "tests/cli/program.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

class CliCheck : public ::testing::Test {
 protected:
  CliCheck() {
    for (const char* options : {"--pits 3 --seeds 4", "4,x/4,4 --game rio-kadalis"}) {
      const Outcome r = run(words_of("build --out " + folder() + " " + options));
      EXPECT_EQ(r.exit_code, 0) << r;
    }
  }
  std::string folder() const { return root_ / "t"; }
  std::string manifest() const { return folder() + "/MANIFEST.json"; }
  fs::path table(std::size_t i) const { return tables_in(folder()).at(i); }
  Outcome check(const std::string& options = "--json") const {
    return run(words_of("check --tables " + folder() + " " + options));
  }
  // The records of files that are not whole, by name.
  static std::map<std::string, Json> faults(const Outcome& r) {
    std::map<std::string, Json> list;
    for (const Json& record : r.records()) {
      if (!record["ok"].get<bool>()) list[record["file"].get<std::string>()] = record;
    }
    return list;
  }

 private:
  TemporaryFolder root_;
};

TEST_F(CliCheck, AWholeFolderHasARecordForEveryFileAndExitCodeZero) {
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.err, "");
  const std::vector<Json> records = r.records();
  std::vector<fs::path> files = tables_in(folder());
  ASSERT_EQ(records.size(), files.size() + 1);
  EXPECT_EQ(records[0]["file"], "MANIFEST.json");
  EXPECT_EQ(records[0]["kind"], "manifest");
  EXPECT_EQ(records[0]["bytes"], fs::file_size(manifest()));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Json& record = records[i + 1];
    EXPECT_EQ(record["file"], files[i].filename().string());
    EXPECT_EQ(record["kind"], "values");
    EXPECT_EQ(record["bytes"], fs::file_size(files[i]));
    EXPECT_EQ(record["listed"], true);
    EXPECT_EQ(record["ok"], true);
    EXPECT_EQ(record["digest"].get<std::string>().size(), 32U);
  }
  const Json last = records.back();
  EXPECT_EQ(last["game"], "urim");
  EXPECT_EQ(last["rules"], kUrimRules);
  EXPECT_EQ(last["pits"], 3);
  EXPECT_EQ(last["seeds"], 4);
  EXPECT_EQ(last["positions"], 126);
  EXPECT_EQ(records[1]["rows"], (Json{1, 2}));
  EXPECT_EQ(records[1]["start"], "4,x/4,4");
}

TEST_F(CliCheck, TheDigestsAreThoseOfStats) {
  std::set<std::string> of_check, of_stats;
  for (const Json& record : check().records()) {
    if (record.contains("digest")) of_check.insert(record["digest"].get<std::string>());
  }
  for (const Json& record : run(words_of("stats --json --tables " + folder())).records()) {
    of_stats.insert(record["digest"].get<std::string>());
  }
  EXPECT_EQ(of_check, of_stats);
  EXPECT_GT(of_check.size(), 5U);
}

TEST_F(CliCheck, TextHasALinePerFileAndASum) {
  const Outcome whole = check("");
  EXPECT_EQ(whole.exit_code, 0);
  EXPECT_TRUE(whole.out.starts_with("file  ")) << whole;
  EXPECT_TRUE(whole.out.ends_with("\n8 tables: all whole\n")) << whole;
  EXPECT_EQ(whole.err, "");
  damage(table(6), 200);
  const Outcome damaged = check("");
  EXPECT_EQ(damaged.exit_code, 4);
  EXPECT_NE(damaged.out.find("  DAMAGED\n"), std::string::npos) << damaged;
  EXPECT_TRUE(damaged.out.ends_with("\n8 tables: 1 fault\n")) << damaged;
  EXPECT_NE(damaged.err.find(table(6).string()), std::string::npos) << damaged;
}

TEST_F(CliCheck, AByteTurnedOverAnywhereIsNamedAndTheOthersAreChecked) {
  for (const std::size_t which : {std::size_t{0}, std::size_t{7}}) {
    const fs::path path = table(which);
    const std::uint64_t size = fs::file_size(path);
    for (std::uint64_t offset = 0; offset < size; offset += 1 + size / 12) {
      damage(path, offset);
      const Outcome r = check();
      EXPECT_EQ(r.exit_code, 4) << offset << "\n" << r;
      const auto found = faults(r);
      ASSERT_EQ(found.size(), 1U) << offset << "\n" << r;
      const Json& record = found.at(path.filename().string());
      for (const char* key : {"error", "offset", "expected", "found"})
        EXPECT_TRUE(record.contains(key)) << record;
      EXPECT_EQ(r.records().size(), 9U);
      EXPECT_NE(r.err.find(path.string()), std::string::npos) << r;
      damage(path, offset);  // and back
    }
  }
  EXPECT_EQ(check().exit_code, 0);
}

TEST_F(CliCheck, AFileCutShortOrEmptyIsNamedAndTheOthersAreChecked) {
  const fs::path path = table(5);
  for (const std::uint64_t keep : {fs::file_size(path) - 1, std::uint64_t{100}, std::uint64_t{0}}) {
    fs::resize_file(path, keep);
    const Outcome r = check();
    EXPECT_EQ(r.exit_code, 4) << keep << "\n" << r;
    const auto found = faults(r);
    ASSERT_EQ(found.size(), 1U) << r;
    EXPECT_EQ(found.at(path.filename().string())["bytes"], keep);
  }
}

TEST_F(CliCheck, AByteTurnedOverInTheManifestIsDamageOfTheManifest) {
  const std::uint64_t size = fs::file_size(manifest());
  const std::size_t digest = text_of_file(manifest()).find("\"digest\": \"") + 15;
  std::vector<std::uint64_t> offsets = {digest, size - 1};
  for (std::uint64_t offset = 0; offset < size; offset += size / 15) offsets.push_back(offset);
  for (const std::uint64_t offset : offsets) {
    damage(manifest(), offset);
    const Outcome r = check();
    EXPECT_EQ(r.exit_code, 4) << offset << "\n" << r;
    const auto found = faults(r);
    ASSERT_EQ(found.size(), 1U) << r;
    EXPECT_TRUE(found.contains("MANIFEST.json")) << r;
    EXPECT_NE(r.err.find(manifest()), std::string::npos) << r;
    damage(manifest(), offset);
  }
  for (const char* text : {"", "rubbish", "{}", "{\"files\":[]}\n"}) {
    std::ofstream(manifest()) << text;
    const Outcome r = check();
    EXPECT_EQ(r.exit_code, 4) << text << "\n" << r;
    EXPECT_EQ(faults(r).size(), 1U);
  }
}

TEST_F(CliCheck, AManifestThatIsNoReadableFileIsAnIoErrorAndNotAVerdict) {
  const auto expect_refused = [&](const std::string& what) {
    const Outcome checked = check();
    EXPECT_EQ(checked.exit_code, 3) << checked;
    EXPECT_EQ(faults(checked).size(), 1U) << checked;
    const Outcome built = run(words_of("build --pits 3 --seeds 4 --out " + folder()));
    EXPECT_EQ(built.exit_code, 3) << built;
    for (const Outcome& r : {checked, built}) {
      EXPECT_NE(r.err.find(manifest() + ": " + what), std::string::npos) << r;
      EXPECT_EQ(r.err.find("internal"), std::string::npos) << r;
    }
  };
  fs::remove(manifest());
  fs::create_directory(manifest());
  expect_refused("is a folder");
  fs::remove(manifest());
  ASSERT_EQ(::mkfifo(manifest().c_str(), 0600), 0);
  expect_refused("is not a regular file");
  fs::remove(manifest());
  fs::create_symlink("MANIFEST.json", manifest());  // leads to itself
  expect_refused("cannot be read: ");
}

TEST_F(CliCheck, AFileThatIsListedAndGoneIsMissing) {
  const std::string name = table(4).filename().string();
  fs::remove(table(4));
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 3) << r;
  const auto found = faults(r);
  ASSERT_EQ(found.size(), 1U) << r;
  EXPECT_FALSE(found.at(name).contains("bytes"));
  EXPECT_EQ(found.at(name)["listed"], true);
  EXPECT_NE(check("").out.find("  MISSING\n"), std::string::npos);
  // Damage weighs more.
  damage(table(0), 30);
  EXPECT_EQ(check().exit_code, 4);
  EXPECT_EQ(faults(check()).size(), 2U);
}

TEST_F(CliCheck, AFileInThePlaceOfAnotherIsNotTheListedOne) {
  const fs::path path = table(6);
  fs::remove(path);
  fs::copy_file(table(6), path);  // table(6) is the next one now
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 4) << r;
  const auto found = faults(r);
  ASSERT_EQ(found.size(), 1U) << r;
  EXPECT_NE(found.at(path.filename().string())["error"].get<std::string>().find("MANIFEST.json"),
            std::string::npos);
}

TEST_F(CliCheck, AFileThatIsGoneIsMissedAfterABuildOfSomethingElse) {
  const fs::path gone = table(5);
  fs::remove(gone);
  ASSERT_EQ(run(words_of("build --game awari --pits 2 --seeds 2 --out " + folder())).exit_code, 0);
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 3) << r;
  EXPECT_TRUE(faults(r).contains(gone.filename().string())) << r;
  ASSERT_EQ(run(words_of("build --pits 3 --seeds 4 --out " + folder())).exit_code, 0);
  EXPECT_EQ(check().exit_code, 0);
}

TEST_F(CliCheck, HolesInTheLevelsAndDistancesWithoutValuesAreRemarks) {
  ASSERT_EQ(run(words_of("build --distance --pits 3 --seeds 4 --out " + folder())).exit_code, 0);
  EXPECT_EQ(check().err, "");
  std::string name;
  for (const fs::path& path : tables_in(folder())) {
    if (path.filename().string().ends_with("-002.rsow")) name = path.filename().string();
  }
  fs::remove(folder() + "/" + name);
  const Outcome listed = check();  // missed already
  EXPECT_EQ(listed.exit_code, 3) << listed;
  EXPECT_EQ(listed.err.find("remark"), std::string::npos) << listed;
  fs::remove(manifest());
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_NE(r.err.find("no tables of the levels 2 of urim 2x3"), std::string::npos) << r;
  EXPECT_NE(r.err.find("whose values are not there (" + name + ")"), std::string::npos) << r;
  EXPECT_EQ(check("--quiet").err, "");
}

TEST_F(CliCheck, ALevelThatARoundHasAndTheFolderHasNotIsARemark) {
  const std::string other = folder() + "-round";
  ASSERT_EQ(run(words_of("build --game rio-kadalis --pits 2 --out " + other)).exit_code, 0);
  fs::remove(tables_in(other).at(1));
  fs::remove(other + "/MANIFEST.json");
  const Outcome r = run(words_of("check --json --tables " + other));
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_NE(r.err.find("no tables of the levels 8 of the round of rio-kadalis"), std::string::npos) << r;
}

TEST_F(CliCheck, WithoutAManifestTheFilesAreCheckedAndARemarkSaysSo) {
  fs::remove(manifest());
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.records().size(), 8U);
  EXPECT_FALSE(r.records().front().contains("listed"));
  EXPECT_NE(r.err.find("no MANIFEST.json"), std::string::npos) << r;
  EXPECT_EQ(check("--quiet").err, "");
  damage(table(2), 20);
  EXPECT_EQ(check().exit_code, 4);
}

TEST_F(CliCheck, FilesThatAreNotListedAndLeftoversAreMentioned) {
  fs::copy_file(table(3), folder() + "/copy.rsow");
  const std::string half = "urim-2x3-2e2f1f19c3ee-005.rsow.partial";
  std::ofstream(folder() + "/" + half) << "half";
  std::ofstream(folder() + "/film.partial") << "half";
  std::ofstream(folder() + "/notes.txt") << "hello";
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(faults(r).size(), 0U);
  std::size_t seen = 0;
  for (const Json& record : r.records()) {
    if (record["file"] == "copy.rsow") {
      EXPECT_EQ(record["listed"], false);
      ++seen;
    }
    if (record["file"] == half) {
      EXPECT_EQ(record["kind"], "leftover");
      EXPECT_EQ(record["bytes"], 4);
      ++seen;
    }
    EXPECT_NE(record["file"], "notes.txt");
    EXPECT_NE(record["file"], "film.partial");
  }
  EXPECT_EQ(seen, 2U);
  EXPECT_NE(r.err.find("copy.rsow is not listed"), std::string::npos) << r;
  EXPECT_NE(r.err.find(half), std::string::npos) << r;
}

TEST_F(CliCheck, FilesOfALaterVersionAloneExitWithFive) {
  const fs::path path = table(7);
  Bytes bytes = read_bytes(path);
  set_field<std::uint32_t>(bytes, kVersionAt, 2);
  seal_header(bytes);
  write_bytes(path, bytes);
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 5) << r;
  EXPECT_EQ(faults(r).size(), 1U);
  EXPECT_NE(check("").out.find("  unsupported\n"), std::string::npos);
  fs::remove(table(0));  // a missing file weighs more, damage the most
  EXPECT_EQ(check().exit_code, 3);
  damage(table(0), 30);
  EXPECT_EQ(check().exit_code, 4);
}

TEST_F(CliCheck, ForeignFilesCalledTablesAreDamaged) {
  std::ofstream(folder() + "/other.rsow") << std::string(500, 'x');
  const Outcome r = check();
  EXPECT_EQ(r.exit_code, 4) << r;
  EXPECT_TRUE(faults(r).contains("other.rsow"));
  EXPECT_EQ(faults(r).size(), 1U);
}

TEST_F(CliCheck, ThreadsChangeNothing) {
  damage(table(3), 250);
  const Outcome one = check("--json --threads 1"), seven = check("--json --threads 7");
  EXPECT_EQ(one.out, seven.out);
  EXPECT_EQ(one.err, seven.err);
}

TEST_F(CliCheck, ProgressIsReportedOnlyWhereItIsWanted) {
  EXPECT_NE(check("--progress=always").err.find("check: "), std::string::npos);
  EXPECT_EQ(check("--progress=always --quiet").err, "");
}

TEST(CliCheckErrors, AFolderThatIsNotThereOrHoldsNoTablesIsAnIoError) {
  TemporaryFolder folder;
  expect_error("check --tables /nonexistent", 3, {"/nonexistent"});
  expect_error("check --tables /dev/null", 3, {"/dev/null"});
  expect_error("check --tables " + folder.path().string(), 3, {"no tables"});
  expect_error("check", 2, {"`check` needs --tables"});
  expect_error("check --tables x --threads 0", 2, {"--threads"});
  expect_error("check --tables x --game urim", 2, {"--game"});
  expect_error("check start --tables x", 2, {"'start'"});
}

}  // namespace
}  // namespace retrosow::test
