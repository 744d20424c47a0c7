// `verify`: what is proved, what is only consistent, what is disproved, and what cannot be said.
#include "tables/table_file.h"
#include "tests/cli/program.h"
#include "tests/support/rule_sets.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

class CliVerify : public ::testing::Test {
 protected:
  std::string folder() const { return root_ / "t"; }
  fs::path root() const { return fs::path(folder()).parent_path(); }
  void build(const std::string& options) const {
    const Outcome r = run(words_of("build --out " + folder() + " " + options));
    ASSERT_EQ(r.exit_code, 0) << r;
  }
  Outcome verify(const std::string& options = "--json") const {
    return run(words_of("verify --tables " + folder() + " " + options));
  }
  // A level of Urim's default rules on 2x3 boards with other values (and the same distances), whole as a file.
  template <typename Change>
  void change_values(unsigned seeds, Change&& change) const {
    const TableHeader header = level_header(urim_rules(), 3, seeds);
    const fs::path path = folder() + "/" + table_file_name(header);
    std::vector<Value> values = TableReader(path).read_all();
    const std::vector<std::uint16_t> distances = read_distances(header, path);
    change(values);
    write_table(folder(), header, values);
    if (!distances.empty()) write_distances(path, distances);
  }
  template <typename Change>
  void change_distances(unsigned seeds, Change&& change) const {
    const TableHeader header = level_header(urim_rules(), 3, seeds);
    const fs::path path = folder() + "/" + table_file_name(header);
    std::vector<std::uint16_t> distances = read_distances(header, path);
    change(distances);
    write_distances(path, distances);
  }

 private:
  std::vector<std::uint16_t> read_distances(const TableHeader&, const fs::path& values) const {
    const fs::path path =
        folder() + "/" + table_file_name(distance_header(TableReader(values).header()));
    return fs::exists(path) ? TableReader(path).read_all_distances() : std::vector<std::uint16_t>{};
  }
  void write_distances(const fs::path& values, const std::vector<std::uint16_t>& distances) const {
    TableWriter writer(folder(), distance_header(TableReader(values).header()), distances.size());
    const std::span<const std::uint16_t> all(distances);
    writer.append(writer.pack(all), all);
    writer.finish();
  }
  TemporaryFolder root_;
};

TEST_F(CliVerify, WithDistancesValuesAreProved) {
  build("--pits 3 --seeds 6 --distance");
  const Outcome r = verify();
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.err, "");
  const Json record = r.record();
  EXPECT_EQ(record["game"], "urim");
  EXPECT_EQ(record["rules"], kUrimRules);
  EXPECT_EQ(record["pits"], 3);
  EXPECT_EQ(record["proved"], true);
  EXPECT_EQ(record["faults"], Json::array());
  EXPECT_EQ(record["fault_count"], 0);
  EXPECT_EQ(record["levels"], 7);
  EXPECT_EQ(record["distances"], 7);
  EXPECT_EQ(record["positions"], 924);
  const Outcome text = verify("");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(text.out.ends_with("\n924 positions: proved\n")) << text;
}

TEST_F(CliVerify, WithoutDistancesTheyAreConsistentAndNotProved) {
  build("--pits 3 --seeds 6");
  const Outcome r = verify();
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.record()["proved"], false);
  EXPECT_EQ(r.record()["fault_count"], 0);
  EXPECT_EQ(r.record()["distances"], 0);
  EXPECT_TRUE(verify("").out.ends_with(
      "\n924 positions: consistent; no proof: there are no distances (build --distance)\n"));
  build("--pits 3 --seeds 4 --distance");
  EXPECT_EQ(verify().record()["proved"], false);
  EXPECT_NE(verify("").out.find("only 5 of 7 levels have distances"), std::string::npos);
}

TEST_F(CliVerify, AWrongValueIsDisprovedThoughItsFileIsWhole) {
  for (const char* distance : {"", " --distance"}) {
    build(std::string("--pits 3 --seeds 6 --force") + distance);
    ASSERT_EQ(verify().exit_code, 0);
    change_values(
        5, [](std::vector<Value>& values) { values[100] = static_cast<Value>(values[100] + 2); });
    ASSERT_EQ(run(words_of("check --quiet --tables " + folder())).exit_code,
              4);  // not the listed one
    const Outcome r = verify();
    EXPECT_EQ(r.exit_code, 1) << r;
    const Json record = r.record();
    EXPECT_EQ(record["proved"], false);
    EXPECT_GE(record["fault_count"].get<int>(), 1);
    bool named = false;
    for (const Json& fault : record["faults"]) {
      EXPECT_FALSE(fault["what"].get<std::string>().empty());
      if (fault["seeds"] == 5 && fault["index"] == 100) named = true;
    }
    EXPECT_TRUE(named) << record;
    const Outcome text = verify("");
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_NE(text.out.find("level 5, index 100, "), std::string::npos) << text;
    EXPECT_NE(text.out.find(": DISPROVED: "), std::string::npos) << text;
  }
}

TEST_F(CliVerify, AWrongDistanceIsDisproved) {
  build("--pits 3 --seeds 6 --distance");
  change_distances(6, [](std::vector<std::uint16_t>& distances) {
    for (std::uint16_t& distance : distances) {
      if (distance == 0 || distance == kNoDistance) continue;
      ++distance;
      return;
    }
  });
  const Outcome r = verify();
  EXPECT_EQ(r.exit_code, 1) << r;
  EXPECT_EQ(r.record()["proved"], false);
}

TEST_F(CliVerify, DamagedFilesExitWithFourAndAreNamed) {
  build("--pits 3 --seeds 5");
  const fs::path path = tables_in(folder()).at(5);
  for (const std::uint64_t offset :
       {std::uint64_t{30}, fs::file_size(path) - 1}) {  // header, block
    damage(path, offset);
    const Outcome r = verify();
    EXPECT_EQ(r.exit_code, 4) << r;
    EXPECT_NE(r.err.find(path.string()), std::string::npos) << r;
    damage(path, offset);
  }
  EXPECT_EQ(verify().exit_code, 0);
}

TEST_F(CliVerify, WithoutALevelOfGuaranteesTheValuesAreToldAllTheSame) {
  build("--pits 3 --seeds 6 --distance --guarantees");
  const fs::path gone = folder() + "/" + table_file_name(guarantee_header(urim_rules(), 3, 4));
  ASSERT_TRUE(fs::remove(gone));
  const Outcome missing = verify();
  EXPECT_EQ(missing.exit_code, 3) << missing;
  EXPECT_EQ(missing.record()["proved"], false) << missing;
  change_values(5, [](std::vector<Value>& values) { values[100] = static_cast<Value>(values[100] + 2); });
  const Outcome wrong = verify();
  EXPECT_EQ(wrong.exit_code, 1) << wrong;
  EXPECT_FALSE(wrong.record()["faults"].empty()) << wrong;
}

TEST_F(CliVerify, AMissingLevelBelowIsAnIoError) {
  build("--pits 3 --seeds 5");
  fs::remove(tables_in(folder()).at(3));
  const Outcome r = verify();
  EXPECT_EQ(r.exit_code, 3) << r;
  EXPECT_EQ(r.out, "");
  for (const char* part : {"level 3", "urim", "2x3", kUrimRules, "is missing"})
    EXPECT_NE(r.err.find(part), std::string::npos) << r;
}

TEST_F(CliVerify, DistancesWithoutTheirValuesAreNotPassedOver) {
  build("--pits 3 --seeds 5 --distance");
  // The highest level, which none above it misses.
  ASSERT_TRUE(fs::remove(folder() + "/" + table_file_name(level_header(urim_rules(), 3, 5))));
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.exit_code, 3) << outcome;
  EXPECT_NE(outcome.err.find("level 5"), std::string::npos) << outcome;
  EXPECT_NE(outcome.err.find("is missing"), std::string::npos) << outcome;
}

TEST_F(CliVerify, GroupsArePickedByRulesAndPits) {
  build("--pits 2 --seeds 4");
  build("--pits 3 --seeds 3 --distance");
  build("--pits 3 --seeds 3 --grand-slam leave");
  build("--game awari --pits 2 --seeds 4");
  const auto count = [&](const std::string& options) {
    const Outcome r = verify("--json " + options);
    EXPECT_EQ(r.exit_code, 0) << r;
    return r.records().size();
  };
  EXPECT_EQ(count(""), 4U);
  EXPECT_EQ(count("--pits 3"), 2U);
  EXPECT_EQ(count("--game urim"), 2U);
  EXPECT_EQ(count("--grand-slam leave"), 1U);
  EXPECT_EQ(count("--game awari"), 1U);
  expect_error("verify --tables " + folder() + " --game oware", 3, {"no such tables", "awari 2x2"});
}

TEST_F(CliVerify, RoundsAreProvedWithDistances) {
  build("--pits 2 --game rio-kadalis");
  build("x,4,4/4,4,4 --game rio-kadalis --distance");
  const Outcome r = verify();
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.err, "");
  const std::vector<Json> records = r.records();
  ASSERT_EQ(records.size(), 2U);
  for (const Json& record : records) {
    const bool with_distances = record.contains("rows");
    EXPECT_EQ(record["proved"], with_distances) << record;
    EXPECT_EQ(record["distances"], with_distances ? record["levels"] : Json(0));
    EXPECT_EQ(record["start"], with_distances ? "4,4,x/4,4,4" : "4,4/4,4");
    EXPECT_EQ(record["fault_count"], 0);
  }
  EXPECT_NE(verify("").out.find("91 positions: proved"), std::string::npos);
  EXPECT_NE(verify("").out.find("25 positions: consistent; no proof"), std::string::npos);
  const Outcome small = verify("--memory 100");
  EXPECT_EQ(small.exit_code, 6) << small;
  EXPECT_NE(small.err.find("MiB"), std::string::npos) << small;
}

TEST_F(CliVerify, AWrongRoundIsDisproved) {
  build("x,4,4/4,4,4 --game rio-kadalis --distance");
  for (const fs::path& path : tables_in(folder())) {
    const TableReader reader(path);
    if (reader.header().kind != TableKind::kDistances || reader.header().seeds != 8) continue;
    std::vector<std::uint16_t> distances = reader.read_all_distances();
    ++distances[2];
    TableHeader header = reader.header();
    write_table(folder(), header, distances);
  }
  const Outcome r = verify();
  EXPECT_EQ(r.exit_code, 1) << r;
  EXPECT_EQ(r.record()["proved"], false);
  EXPECT_GE(r.record()["fault_count"], 1);
  EXPECT_EQ(r.record()["faults"][0]["seeds"], 8);
  EXPECT_EQ(r.record()["faults"][0]["index"], 2);
  const std::vector<fs::path> files = tables_in(folder());
  const auto path = std::find_if(files.begin(), files.end(), [](const fs::path& file) {
    return file.filename().string().ends_with("-012.rsow");
  });
  damage(*path, fs::file_size(*path) - 1);
  EXPECT_EQ(verify().exit_code, 4);
  fs::remove(*path);
  const Outcome missing = verify();
  EXPECT_EQ(missing.exit_code, 3) << missing;
  EXPECT_NE(missing.err.find("level 12"), std::string::npos) << missing;
}

TEST_F(CliVerify, AnotherTableOfALevelIsAFaultWhereverItStandsInTheFolder) {
  build("--pits 3 --seeds 5 --distance");
  const fs::path values = folder() + "/" + table_file_name(level_header(urim_rules(), 3, 5));
  for (const char* name : {"aaa.rsow", "zzz.rsow"}) {
    const fs::path kept = root() / "kept", stray = folder() + "/" + name;
    fs::copy_file(values, kept);
    const fs::path distances =
        folder() + "/" + table_file_name(distance_header(TableReader(values).header()));
    fs::copy_file(distances, root() / "distances");
    change_values(5, [](std::vector<Value>& all) { all[3] = static_cast<Value>(all[3] + 2); });
    fs::rename(values, stray);
    fs::rename(kept, values);
    fs::rename(root() / "distances", distances);
    const Outcome r = verify();
    EXPECT_EQ(r.exit_code, 4) << r;
    EXPECT_EQ(r.record()["fault_count"], 0);  // of the tables that are used
    for (const fs::path& path : {stray, values})
      EXPECT_NE(r.err.find(path.string()), std::string::npos) << r;
    const Outcome checked = run(words_of("check --json --tables " + folder()));
    EXPECT_EQ(checked.exit_code, 4);
    for (const Json& record : checked.records()) {
      EXPECT_EQ(record["ok"], record["file"] != name) << record;
    }
    fs::remove(stray);
    fs::copy_file(values, stray);
    EXPECT_EQ(verify().exit_code, 0);  // a true copy hurts nobody
    fs::remove(stray);
  }
}

TEST_F(CliVerify, ALevelOfALaterVersionOrDamagedIsNotCalledMissing) {
  build("--pits 3 --seeds 5");
  const fs::path path = folder() + "/" + table_file_name(level_header(urim_rules(), 3, 3));
  const Bytes right = read_bytes(path);
  Bytes bytes = right;
  set_field(bytes, kVersionAt, std::uint32_t{9});
  seal_header(bytes);
  write_bytes(path, bytes);
  const Outcome later = verify();
  EXPECT_EQ(later.exit_code, 5) << later;
  EXPECT_EQ(later.err.find("missing"), std::string::npos) << later;
  write_bytes(path, Bytes(right.begin(), right.begin() + 100));
  const Outcome damaged = verify();
  EXPECT_EQ(damaged.exit_code, 4) << damaged;
  EXPECT_EQ(damaged.err.find("missing"), std::string::npos) << damaged;
}

TEST_F(CliVerify, ThreadsAndMemoryChangeNothing) {
  build("--pits 4 --seeds 8 --distance");
  const auto without_seconds = [](Json record) {
    record.erase("seconds");
    return record;
  };
  const Json plain = without_seconds(verify().record());
  EXPECT_EQ(without_seconds(verify("--json --threads 1 --memory 1MiB").record()), plain);
  EXPECT_EQ(without_seconds(verify("--json --threads 7").record()), plain);
}

TEST_F(CliVerify, BySearchSolvesASampleAgain) {
  build("--pits 3 --seeds 6");
  const Outcome r = verify("--by-search 200 --json");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.record()["by_search"], 200);
  EXPECT_EQ(r.record()["proved"], false);
  EXPECT_EQ(r.record()["fault_count"], 0);
  EXPECT_GT(r.record()["nodes"], 200);
  const Outcome text = verify("--by-search 20");
  EXPECT_NE(text.out.find("20 sampled positions solved again by search"), std::string::npos) << text;
  EXPECT_NE(text.out.find(": all the same\n"), std::string::npos) << text;

  const Outcome ended = verify("--by-search 1000000000 --limit-seconds 0.2 --json");
  EXPECT_EQ(ended.exit_code, 6) << ended;
  EXPECT_LT(ended.record()["by_search"], 1'000'000'000);
  EXPECT_EQ(ended.record()["fault_count"], 0);
  EXPECT_NE(ended.err.find("stopped by --limit-seconds"), std::string::npos) << ended;

  const Outcome nothing = run(words_of("verify --by-search 5 --pits 3 --tables /nonexistent"));
  EXPECT_EQ(nothing.exit_code, 3) << nothing;

  change_values(6, [](std::vector<Value>& all) {
    for (Value& value : all) value = static_cast<Value>(value == 0 ? 2 : -value);
  });
  const Outcome wrong = verify("--by-search 50 --json");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(wrong.record()["proved"], false);
  EXPECT_GT(wrong.record()["fault_count"], 5);
  EXPECT_EQ(wrong.record()["faults"][0]["seeds"], 6);
  EXPECT_NE(verify("--by-search 50").out.find("DISPROVED"), std::string::npos);

  // What was found before a damaged table is met is said, and weighs more.
  const std::filesystem::path damaged = std::filesystem::path(folder()) / table_file_name(level_header(urim_rules(), 3, 2));
  Bytes bytes = read_bytes(damaged);
  bytes.back() ^= 1;
  write_bytes(damaged, bytes);
  const Outcome both = verify("--by-search 500 --json");
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_GT(both.record()["fault_count"], 0);
  EXPECT_LT(both.record()["by_search"], 500);
  EXPECT_NE(both.err.find(damaged.filename().string()), std::string::npos) << both;
}

TEST_F(CliVerify, BySearchNeedsTablesOfValues) {
  build("--pits 2 --seeds 3 --distance");
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".rsow") && name.find("distance") == std::string::npos) std::filesystem::remove(entry.path());
  }
  const Outcome r = verify("--by-search 5");
  EXPECT_EQ(r.exit_code, 3) << r;
  EXPECT_NE(r.err.find("no tables of values"), std::string::npos) << r;
}

TEST_F(CliVerify, WrongWordsAreRefused) {
  build("--pits 2 --seeds 2");
  expect_error("verify", 2, {"`verify` needs --tables"});
  expect_error("verify --tables /nonexistent", 3, {"/nonexistent"});
  expect_error("verify --by-search 0 --tables " + folder(), 2, {"--by-search"});
  expect_error("verify --by-search x --tables " + folder(), 2, {"--by-search"});
  expect_error("verify --limit-seconds 5 --tables " + folder(), 2, {"--limit-seconds", "--by-search"});
  expect_error("verify --threads 0 --tables " + folder(), 2, {"--threads"});
  expect_error("verify --memory 1 --pits 9 --tables " + folder(), 2, {"--pits"});
}

}  // namespace
}  // namespace retrosow::test
