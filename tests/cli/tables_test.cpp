// `build`, `probe`, `stats`: table folders from the outside, whole and damaged.
#include <csignal>

#include <chrono>
#include <thread>

#include "tables/table_file.h"
#include "tests/cli/program.h"
#include "tests/reference/solve_reference.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

class CliTables : public ::testing::Test {
 protected:
  std::string folder(const std::string& name) const { return root_ / name; }
  // Builds with the options and expects that it goes well.
  std::vector<Json> build(const std::string& name, const std::string& options) const {
    const Outcome r = run(words_of("build --json --out " + folder(name) + " " + options));
    EXPECT_EQ(r.exit_code, 0) << r;
    EXPECT_EQ(r.err, "");
    return r.records();
  }
  Outcome stats(const std::string& name, const std::string& options = "--json") const {
    return run(words_of("stats --tables " + folder(name) + " " + options));
  }
  Outcome probe(const std::string& name, const std::string& options) const {
    return run(words_of("probe --tables " + folder(name) + " " + options));
  }

 private:
  TemporaryFolder root_;
};

TEST_F(CliTables, BuildReportsEveryLevel) {
  const std::vector<Json> levels = build("t", "--pits 3 --seeds 4");
  ASSERT_EQ(levels.size(), 5U);
  const std::vector<int> positions = {1, 6, 21, 56, 126};
  for (std::size_t n = 0; n < levels.size(); ++n) {
    EXPECT_EQ(levels[n]["game"], "urim");
    EXPECT_EQ(levels[n]["rules"], kUrimRules);
    EXPECT_EQ(levels[n]["pits"], 3);
    EXPECT_EQ(levels[n]["seeds"], n);
    EXPECT_EQ(levels[n]["positions"], positions[n]);
    EXPECT_EQ(levels[n]["reused"], false);
    EXPECT_EQ(levels[n]["digest"].get<std::string>().size(), 32U);
    EXPECT_FALSE(levels[n].contains("start"));
  }
  std::vector<std::uint64_t> bytes;
  for (const fs::path& file : tables_in(folder("t"))) bytes.push_back(fs::file_size(file));
  ASSERT_EQ(bytes.size(), 5U);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_EQ(levels[n]["bytes"], bytes[n]);
}

TEST_F(CliTables, BuildAgainReusesFinishedLevelsUnlessForced) {
  const std::vector<Json> first = build("t", "--pits 3 --seeds 4");
  const std::vector<Json> more = build("t", "--pits 3 --seeds 6");
  ASSERT_EQ(more.size(), 7U);
  for (std::size_t n = 0; n < more.size(); ++n) EXPECT_EQ(more[n]["reused"], n <= 4) << n;
  const std::vector<Json> forced = build("t", "--pits 3 --seeds 6 --force");
  for (std::size_t n = 0; n < more.size(); ++n) {
    EXPECT_EQ(forced[n]["reused"], false);
    EXPECT_EQ(forced[n]["digest"], more[n]["digest"]);
    if (n <= 4) {
      EXPECT_EQ(first[n]["digest"], more[n]["digest"]);
    }
  }
  for (const Json& level : build("r", "--game rio-kadalis --pits 3"))
    EXPECT_EQ(level["reused"], false);
  for (const Json& level : build("r", "--game rio-kadalis --pits 3"))
    EXPECT_EQ(level["reused"], true);
}

TEST_F(CliTables, DistancesAreAddedToFinishedLevelsWithoutBuildingTheirValues) {
  const std::vector<Json> values = build("t", "--pits 3 --seeds 4");
  const std::vector<Json> both = build("t", "--pits 3 --seeds 5 --distance");
  ASSERT_EQ(both.size(), 6U);
  for (std::size_t n = 0; n < both.size(); ++n) {
    EXPECT_EQ(both[n]["reused"], n <= 4);
    if (n <= 4) {
      EXPECT_EQ(both[n]["digest"], values[n]["digest"]);
      EXPECT_FALSE(values[n].contains("distance"));
    }
    const Json& distance = both[n]["distance"];
    EXPECT_EQ(distance["reused"], false);
    EXPECT_EQ(distance["digest"].get<std::string>().size(), 32U);
    std::string name = tables_in(folder("t")).at(2 * n).filename().string();
    EXPECT_TRUE(name.ends_with("-distance.rsow")) << name;
    EXPECT_EQ(distance["bytes"], fs::file_size(folder("t") + "/" + name));
  }
  const std::vector<Json> again = build("t", "--pits 3 --seeds 5 --distance");
  for (std::size_t n = 0; n < again.size(); ++n) {
    EXPECT_EQ(again[n]["distance"]["reused"], true);
    EXPECT_EQ(again[n]["distance"]["digest"], both[n]["distance"]["digest"]);
  }
  const Outcome text = run(words_of("build --pits 3 --seeds 5 --distance --out " + folder("t")));
  EXPECT_NE(text.out.find("\n       distances  "), std::string::npos) << text;
}

TEST_F(CliTables, BuildTextIsATableWithASum) {
  const Outcome r = run(words_of("build --pits 2 --seeds 2 --out " + folder("t")));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_TRUE(
      r.out.starts_with(std::string("urim 2x2, ") + kUrimRules + "\nseeds  positions  bytes  "))
      << r;
  EXPECT_NE(r.out.find("\n    2         10  "), std::string::npos) << r;
  EXPECT_NE(r.out.find("\n  all         15  "), std::string::npos) << r;
  EXPECT_EQ(r.err, "");
}

TEST_F(CliTables, BuildOfARoundStartsFromAPosition) {
  const std::vector<Json> levels = build("t", "--game rio-kadalis 4,x,4/4,4,4");
  ASSERT_FALSE(levels.empty());
  for (const Json& level : levels) {
    EXPECT_EQ(level["start"], "4,x,4/4,4,4");
    EXPECT_EQ(level["pits"], 3);
    EXPECT_EQ(level["rules"], "endless-sow=forbid");
  }
  EXPECT_EQ(levels.back()["seeds"], 20);
}

TEST_F(CliTables, BuildRefusesWhatDoesNotGoTogether) {
  const std::string out = " --out " + folder("t");
  expect_error("build --game rio-kadalis --seeds 4" + out, 2,
               {"--seeds", "rio-kadalis", "position"});
  expect_error("build --seeds 4 start" + out, 2, {"'start'", "urim"});
  expect_error("build --seeds 4 --out ''", 2, {"--out"});
  expect_error("build --game rio-kadalis --pits 1 --guarantees" + out, 2, {"--guarantees", "rio-kadalis"});
  EXPECT_FALSE(fs::exists(folder("t")));
}

TEST_F(CliTables, GuaranteesSayWhatRestsOnTheEvenSplit) {
  const std::vector<Json> levels = build("t", "--game oware --seeds 6 --guarantees");
  EXPECT_EQ(levels.back()["guarantee"]["digest"], "67150fd8078e3b017aaa33329cd01625");
  EXPECT_EQ(build("t", "--game oware --seeds 6 --guarantees").back()["guarantee"]["reused"], true);
  const std::string there = " --game oware --tables " + folder("t"), board = "1,0,2,0,0,0/0,1,0,0,1,1";
  const Json open = run(words_of("probe --json " + board + there)).record();
  EXPECT_EQ(open["guarantee"], Json::parse(R"({"mover":2,"opponent":0,"forced":false,"outcome_forced":false})"));
  EXPECT_EQ(open["moves"][1]["guarantee"], Json::parse(R"({"mover":0,"opponent":6,"forced":true,"outcome_forced":true})"));
  const Outcome text = run(words_of("probe " + board + there));
  EXPECT_NE(text.out.find("sure     2 of 6 seeds, the opponent 0: the value rests on the even split of endless play\n"),
            std::string::npos) << text;
  const Outcome over = run(words_of("probe 0,0,0,0,0,0/0,1,0,0,0,0" + there));
  EXPECT_NE(over.out.find("sure     0 of 1 seeds, the opponent 1: the value is forced anyway\n"), std::string::npos) << over;
  const Json stats = run(words_of("stats --json" + there)).records().back();
  EXPECT_EQ(stats["forced"], Json::parse(R"({"values":10168,"wins":5468,"draws":98,"losses":5033})"));
  const Json proof = run(words_of("verify --json" + there)).record();
  EXPECT_EQ(proof["guarantees"], 7);
  EXPECT_EQ(proof["fault_count"], 0);
  const Outcome csv = run(words_of("export --quiet --level 1 --what guarantees" + there));
  EXPECT_TRUE(csv.out.starts_with("index,position,mover,opponent\n0,\"0,0,0,0,0,1/0,0,0,0,0,0\",0,1\n")) << csv;
  EXPECT_EQ(run(words_of("check --tables " + folder("t"))).exit_code, 0);

  // A level without them below is not there; one that contradicts its neighbours is damaged.
  const RuleSet oware = preset(Game::kOware);
  fs::remove(folder("t") + "/" + table_file_name(guarantee_header(oware, 6, 4)));
  expect_error("probe 0,0,0,0,1,1/1,1,1,0,0,1" + there, 3, {"no guarantees of level 4"});
  const TableHeader header = guarantee_header(oware, 6, 6);
  std::vector<Guarantee> pairs = TableReader(folder("t") + "/" + table_file_name(header)).read_all_guarantees();
  for (Guarantee& pair : pairs) pair = {3, 3};
  write_table(folder("t"), header, pairs);
  expect_error("probe 0,0,0,0,0,0/0,1,0,3,1,1" + there, 4, {"contradicts", "guarantees 3 and 3"});
  EXPECT_EQ(run(words_of("verify" + there)).exit_code, 3);  // level 4

  // A level below whose guarantees are damaged; those who do not ask for guarantees are not concerned.
  std::ofstream(folder("t") + "/" + table_file_name(guarantee_header(oware, 6, 4))) << "no table";
  expect_error("probe 0,0,0,0,1,1/1,1,1,0,0,1 --quiet" + there, 4, {"no guarantees of level 4", "faulty files"});
  build("t", "--game oware --seeds 6 --distance");
  EXPECT_EQ(run(words_of("line 0,0,0,0,1,1/1,1,1,0,0,1" + there)).exit_code, 0);
}

// Where a level is not there, a faulty file that may be it says what to expect; one of other rules does not.
TEST_F(CliTables, AFaultyFileOfOtherRulesIsNotTheLevelThatIsMissing) {
  build("t", "--pits 2 --seeds 3");
  build("t", "--pits 2 --seeds 5 --pit-limit 5");
  for (const auto& file : tables_in(folder("t"))) {
    if (file.filename().string().ends_with("-005.rsow")) fs::resize_file(file, 50);
  }
  const std::string there = " --quiet --tables " + folder("t");
  expect_error("probe 1,1/2,1" + there, 3, {"no table of level 5"});
  expect_error("probe 1,1/2,1 --pit-limit 5" + there, 4, {"no table of level 5", "faulty files"});
}

TEST_F(CliTables, BuildAcceptsThreads) {
  EXPECT_EQ(build("a", "--pits 2 --seeds 5 --threads 1").size(), 6U);
  const std::vector<Json> a = build("a", "--pits 2 --seeds 5"),
                          b = build("b", "--pits 2 --seeds 5 --threads 7");
  for (std::size_t n = 0; n < a.size(); ++n) EXPECT_EQ(a[n]["digest"], b[n]["digest"]);
}

TEST_F(CliTables, BuildBeyondALimitIsRefusedBeforeItStarts) {
  const std::string out = " --out " + folder("t");
  expect_error("build --seeds 128" + out, 6, {"127", "128"});
  for (const char* seeds : {"99999999999", "99999999999999999999999"}) {
    expect_error("build --seeds " + std::string(seeds) + out, 6, {"127", seeds});
  }
  expect_error("build --seeds 12 --memory 1MiB" + out, 6, {"memory", "1 MiB"});
  expect_error("build --game rio-kadalis --memory 1MiB" + out, 6, {"memory"});
  expect_error("build --game rio-kadalis --seeds-per-pit 20" + out, 6, {"127"});
  if (fs::exists(folder("t"))) {
    EXPECT_TRUE(tables_in(folder("t")).empty());
  }
}

TEST_F(CliTables, BuildWhereNoFolderCanBeIsAnIoError) {
  expect_error("build --pits 2 --seeds 2 --out /dev/null", 3, {"/dev/null"});
  expect_error("build --pits 2 --seeds 2 --out /dev/null/t", 3, {"/dev/null"});
}

TEST_F(CliTables, ProbeAgreesWithSolve) {
  build("t", "--pits 3 --seeds 9");
  build("t", "--pits 3 --seeds 9 --grand-slam leave");
  build("t", "--game awari --pits 3 --seeds 9");
  build("t", "--game rio-kadalis --pits 3");
  build("t", "--game rio-kadalis 4,x,4/4,4,4");
  const std::string input = "1,0,2/0,3,1\n2,1,1/2,1,1\n0,0,0/1,2,0\n0,3,3/0,0,0\n1,1,1/1,1,1\n";
  for (const char* options : {"", "--grand-slam leave", "--game awari"}) {
    const Outcome probed =
        run(words_of("probe - --json --tables " + folder("t") + " " + options), {.input = input});
    const Outcome solved =
        run(words_of(std::string("solve - --json ") + options), {.input = input});
    EXPECT_EQ(probed.exit_code, 0) << probed;
    ASSERT_EQ(probed.records().size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
      const Json a = probed.records()[i], b = solved.records()[i];
      for (const char* key : {"game", "rules", "position", "value", "outcome", "moves", "best"}) {
        EXPECT_EQ(a[key], b[key]) << key << "\n" << a << "\n" << b;
      }
    }
  }
  const Json round = probe("t", "4,4,4/4,4,4 --game rio-kadalis --json").record();
  EXPECT_EQ(round["value"], -4);
  EXPECT_EQ(round["best"], (Json{1, 3}));
  EXPECT_EQ(round["seeds"], 24);
  const Json closed = probe("t", "4,x,4/4,4,4 --game rio-kadalis --json").record();
  EXPECT_EQ(closed["position"], "4,x,4/4,4,4");
  EXPECT_EQ(closed["moves"][0]["pit"], 1);
  EXPECT_EQ(closed["moves"][1]["pit"], 3);
  // Which holes are closed makes no difference.
  EXPECT_EQ(probe("t", "x,4,4/4,4,4 --game rio-kadalis --json").record()["value"], closed["value"]);
}

TEST_F(CliTables, ProbeTakesCaptured) {
  build("t", "--pits 2 --seeds 4");
  const Json record = probe("t", "0,0/3,1 --captured 9,23 --json").record();
  EXPECT_EQ(record["final"], (Json{{"mover", 9}, {"opponent", 27}}));
  EXPECT_EQ(record["match_points"], (Json{{"mover", 0}, {"opponent", 2}}));
}

TEST_F(CliTables, ProbeTextNamesValueAndFile) {
  build("t", "--pits 2 --seeds 4");
  const Outcome r = probe("t", "1,1/1,1");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_NE(r.out.find("value    0 seeds for the player to move\noutcome  draw\nbest     1,2\n"),
            std::string::npos)
      << r;
  EXPECT_NE(r.out.find("from     " + folder("t") + "/"), std::string::npos) << r;
  const Outcome batch =
      run(words_of("probe - --tables " + folder("t")), {.input = "1,1/1,1\n0,0/3,1\n"});
  EXPECT_EQ(batch.out, "1,1/1,1  value 0  draw  best 1,2\n0,0/3,1  value -4  loss  best none\n");
}

TEST_F(CliTables, ProbeSaysWhichLevelIsMissingAndWhatIsThere) {
  build("t", "--pits 3 --seeds 4");
  build("t", "--game rio-kadalis --pits 2");
  const std::string tables = " --tables " + folder("t");
  expect_error("probe 1,1,1/1,1,1" + tables, 3,
               {"level 6", "urim 2x3", kUrimRules, folder("t"), "levels 0..4", "rio-kadalis 2x2"});
  expect_error("probe 1,1/1,1" + tables, 3, {"level 4", "urim 2x2"});
  expect_error("probe 1,0,0/1,1,1 --grand-slam forbid" + tables, 3,
               {"level 4", "grand-slam=forbid"});
  expect_error("probe 1,0,0/1,1,1 --game awari" + tables, 3, {"level 4", "awari 2x3"});
  expect_error("probe 4,4/x,4 --game rio-kadalis" + tables, 3,
               {"level 12", "with 2 and 1 open holes"});
  // The level is there, the position is not reachable.
  expect_error("probe 0,0/4,0 --game rio-kadalis" + tables, 3, {"0,0/4,0", "level 4"});
  expect_error("probe start --tables /nonexistent", 3, {"/nonexistent"});
  expect_error("probe start --tables /dev/null", 3, {"/dev/null"});
  fs::create_directory(folder("empty"));
  expect_error("probe start --tables " + folder("empty"), 3, {"level 36", "no tables"});
}

TEST_F(CliTables, PositionsOfLevelsThatCannotBeBuiltAreALimit) {
  build("t", "--pits 2 --seeds 3 --pit-limit 0");
  for (const char* verb : {"probe", "line"}) {
    expect_error(std::string(verb) + " --pit-limit 0 64,64/0,0 --tables " + folder("t"), 6,
                 {"128 seeds", "levels above 127 are not built"});
    expect_error(std::string(verb) + " --pit-limit 0 64,63/0,0 --tables " + folder("t"), 3,
                 {"no table of level 127"});
  }
}

TEST_F(CliTables, ProbeBatchGivesErrorRecordsForMissingLevels) {
  build("t", "--pits 3 --seeds 4");
  const Words words = {"probe", "-", "--json", "--tables", folder("t")};
  const Outcome r = run(words, {.input = "1,1,1/1,1,1\n1,1,1/1,0,0\n"});
  EXPECT_EQ(r.exit_code, 3);
  ASSERT_EQ(r.records().size(), 2U);
  EXPECT_EQ(r.records()[0]["line"], 1);
  EXPECT_EQ(r.records()[1]["position"], "1,1,1/1,0,0");
  EXPECT_EQ(run(words, {.input = "1,1,1/1,1,1\nx\n"}).exit_code, 2);
}

TEST_F(CliTables, DamagedFileIsNamedAndExitsWithFour) {
  build("t", "--pits 3 --seeds 5");
  const std::string file = tables_in(folder("t")).at(4).string();
  const std::uint64_t size = fs::file_size(file);
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{30}, size / 2, size - 1}) {
    damage(file, offset);
    const Outcome probed = probe("t", "1,1,1/1,0,0 --json");
    EXPECT_EQ(probed.exit_code, 4) << offset << "\n" << probed;
    EXPECT_EQ(probed.out, "");
    EXPECT_NE(probed.err.find(file), std::string::npos) << probed;
    EXPECT_NE(probed.err.find("offset"), std::string::npos) << probed;

    const Outcome counted = stats("t");
    EXPECT_EQ(counted.exit_code, 4) << offset << "\n" << counted;
    EXPECT_NE(counted.err.find(file), std::string::npos) << counted;
    ASSERT_EQ(counted.records().size(), 5U);  // the others are listed
    for (const Json& level : counted.records()) EXPECT_NE(level["seeds"], 4);

    const Outcome built = run(words_of("build --pits 3 --seeds 5 --out " + folder("t")));
    EXPECT_EQ(built.exit_code, 4) << offset << "\n" << built;
    EXPECT_EQ(built.out, "");
    EXPECT_NE(built.err.find(file), std::string::npos) << built;
    damage(file, offset);  // and back
  }
  EXPECT_EQ(stats("t").exit_code, 0);
}

TEST_F(CliTables, DamagedLevelBelowIsFoundWhenItIsNeeded) {
  build("t", "--pits 3 --seeds 5");
  damage(tables_in(folder("t")).at(2), 20);
  // 0,0,1/1,0,0 + … captures down to level 2; level 4 itself is whole.
  const Outcome needs = probe("t", "0,0,1/1,0,2 --json");
  EXPECT_EQ(needs.exit_code, 4) << needs;
  EXPECT_NE(needs.err.find("-002.rsow"), std::string::npos) << needs;
  const Outcome needs_not = probe("t", "1,0,0/0,0,0 --json");
  EXPECT_EQ(needs_not.exit_code, 0) << needs_not;
  EXPECT_EQ(needs_not.record()["seeds"], 1);
}

TEST_F(CliTables, FileCutShortIsDamaged) {
  build("t", "--pits 3 --seeds 5");
  const fs::path file = tables_in(folder("t")).at(5);
  for (const std::uint64_t keep : {fs::file_size(file) - 1, std::uint64_t{100}, std::uint64_t{0}}) {
    fs::resize_file(file, keep);
    const Outcome r = stats("t");
    EXPECT_EQ(r.exit_code, 4) << keep << "\n" << r;
    EXPECT_NE(r.err.find(file.string()), std::string::npos) << r;
    EXPECT_EQ(r.records().size(), 5U);
  }
  // Built again by force, all is well.
  build("t", "--pits 3 --seeds 5 --force");
  EXPECT_EQ(stats("t").exit_code, 0);
}

TEST_F(CliTables, ForeignFilesInTheFolderAreLeftAlone) {
  build("t", "--pits 2 --seeds 3");
  std::ofstream(folder("t") + "/notes.txt") << "hello";
  std::ofstream(folder("t") + "/half.rsow.partial") << "hello";
  fs::create_directory(folder("t") + "/folder");
  EXPECT_EQ(stats("t").exit_code, 0);
  std::ofstream(folder("t") + "/other.rsow")
      << "this is no table at all, but text of some length, long enough for a header "
         "if it were one, and then some more so that it is longer";
  const Outcome r = stats("t");
  EXPECT_EQ(r.exit_code, 4) << r;
  EXPECT_NE(r.err.find("other.rsow"), std::string::npos) << r;
  EXPECT_EQ(r.records().size(), 4U);
}

TEST_F(CliTables, StatsRecordIsExact) {
  build("t", "--pits 2 --seeds 3");
  const std::vector<Json> levels = stats("t").records();
  ASSERT_EQ(levels.size(), 4U);
  Json third = levels[3];
  EXPECT_EQ(third["digest"].get<std::string>().size(), 32U);
  third.erase("digest");
  EXPECT_EQ(
      third.dump(),
      std::string("{\"game\":\"urim\",\"rules\":\"") + kUrimRules +
          "\",\"pits\":2,\"seeds\":3,\"scope\":\"all\",\"positions\":20,\"wins\":10,\"draws\":0,"
          "\"losses\":10,\"values\":{\"-3\":9,\"-1\":1,\"1\":1,\"3\":9}}");
}

TEST_F(CliTables, StatsOfARoundNameItsStart) {
  build("t", "--game rio-kadalis --pits 2");
  build("t", "--game rio-kadalis 4,x,4/4,4,4");
  const std::vector<Json> levels = stats("t", "--json --game rio-kadalis").records();
  bool equal_rows = false, different_rows = false;
  for (const Json& level : levels) {
    EXPECT_EQ(level["scope"], "reachable");
    if (level.contains("pits")) {
      equal_rows = true;
      EXPECT_EQ(level["start"], "4,4/4,4");
      EXPECT_EQ(level["pits"], 2);
      EXPECT_FALSE(level.contains("rows"));
    } else {
      different_rows = true;
      EXPECT_EQ(level["rows"], (Json{2, 3}));
      EXPECT_EQ(level["start"], "4,4,x/4,4,4");
    }
  }
  EXPECT_TRUE(equal_rows && different_rows);
}

TEST_F(CliTables, StatsArePickedByRulesAndPitsAndSorted) {
  build("t", "--pits 2 --seeds 2");
  build("t", "--pits 3 --seeds 1");
  build("t", "--pits 2 --seeds 1 --grand-slam leave");
  build("t", "--game awari --pits 2 --seeds 2");
  build("t", "--game rio-kadalis --pits 2");
  const auto count = [&](const std::string& options) {
    return stats("t", "--json " + options).records().size();
  };
  const std::vector<Json> all = stats("t").records();
  EXPECT_EQ(all.size(), 3 + 2 + 2 + 3 + 4U);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto key = [](const Json& r) {
      return std::make_tuple(r["game"].get<std::string>(), r["rules"].get<std::string>(),
                             r["pits"].get<int>(), r["seeds"].get<int>());
    };
    EXPECT_LT(key(all[i - 1]), key(all[i]));
  }
  EXPECT_EQ(count("--game urim"), 5U);
  EXPECT_EQ(count("--game urim --pits 3"), 2U);
  EXPECT_EQ(count("--pits 3"), 2U);
  EXPECT_EQ(count("--grand-slam leave"), 2U);
  EXPECT_EQ(count("--game awari"), 3U);
  EXPECT_EQ(count("--pit-limit 0 --chain 2,3 --starvation leave"),
            3U);  // awari's rules by another name
  EXPECT_EQ(count("--game rio-kadalis"), 4U);
  expect_error("stats --tables " + folder("t") + " --game oware", 3,
               {"no such tables", "awari 2x2"});
  expect_error("stats --tables " + folder("t") + " --pits 6", 3, {"no such tables"});
  expect_error("stats --tables /nonexistent", 3, {"/nonexistent"});
}

TEST_F(CliTables, StatsReportProgressOnlyWhereItIsWanted) {
  build("t", "--pits 3 --seeds 4 --distance");
  const Outcome r = stats("t", "--json --progress=always");
  EXPECT_NE(r.err.find("stats: level 4 of 4"), std::string::npos) << r;
  EXPECT_NE(r.err.find("420 / 420, 100.0 %"), std::string::npos) << r;  // values and distances
  EXPECT_EQ(r.out, stats("t").out);
  EXPECT_EQ(stats("t").err, "");
  EXPECT_EQ(stats("t", "--progress=always --quiet").err, "");
}

TEST_F(CliTables, StatsAsCsvHaveARowPerValue) {
  build("t", "--pits 2 --seeds 2");
  build("t", "--game rio-kadalis 4,x/4,4");
  const Outcome r = stats("t", "--csv");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_TRUE(
      r.out.starts_with("game,rules,pits,seeds,scope,start,positions,wins,draws,losses,value,count,"
                        "longest_distance\n"))
      << r;
  EXPECT_NE(r.out.find(std::string("urim,\"") + kUrimRules + "\",2,2,all,,10,1,6,3,-2,3,\n"),
            std::string::npos)
      << r;
  EXPECT_NE(r.out.find("\nrio-kadalis,endless-sow=forbid,1+2,"), std::string::npos) << r;
  EXPECT_NE(r.out.find(",reachable,\"4,x/4,4\","), std::string::npos) << r;
}

TEST_F(CliTables, StatsAsTextAreATablePerRuleSet) {
  build("t", "--pits 2 --seeds 3");
  build("t", "--pits 2 --seeds 1 --grand-slam leave");
  const Outcome r = stats("t", "");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_NE(r.out.find(std::string("urim 2x2, ") + kUrimRules +
                       "\nall boards\nlevel  positions  wins  draws"),
            std::string::npos)
      << r;
  EXPECT_NE(r.out.find("\n    3         20    10      0      10           -3              +3  "),
            std::string::npos)
      << r;
  EXPECT_NE(r.out.find("\n\nurim 2x2, "), std::string::npos) << r;
}

TEST_F(CliTables, LongestRelaysAreThoseOfTheReference) {
  build("r", "--game rio-kadalis 4,4,x/4,4,4");
  const reference::RioRules rules;
  const reference::RioSolution solution(rules, {{4, 4}, {4, 4, 4}});
  std::map<int, int> longest;  // by stones
  for (int stones = 0; stones <= 20; ++stones) {
    solution.for_each(stones, [&](const reference::RioPosition& position, reference::Solved) {
      for (const reference::RioMove& move : reference::legal_moves(rules, position)) {
        longest[stones] = std::max(longest[stones], move.laps);
      }
    });
  }
  const Outcome r = run(words_of("stats --longest-relay --json --tables " + folder("r")));
  EXPECT_EQ(r.exit_code, 0) << r;
  std::map<int, int> found;
  for (const Json& level : r.records()) {
    EXPECT_FALSE(level.contains("endless"));
    if (!level.contains("longest_relay")) continue;
    const Json& relay = level["longest_relay"];
    found[level["seeds"]] = relay["laps"];
    const Json moves =
        run(words_of("moves --game rio-kadalis --json " + relay["position"].get<std::string>()))
            .record()["moves"];
    const auto move = std::find_if(moves.begin(), moves.end(), [&](const Json& candidate) {
      return candidate["pit"] == relay["pit"];
    });
    ASSERT_NE(move, moves.end());
    EXPECT_EQ((*move)["laps"], relay["laps"]);
  }
  EXPECT_EQ(found, longest);
  EXPECT_NE(run(words_of("stats --longest-relay --tables " + folder("r")))
                .out.find("longest move that ends, from  hole  laps\n"),
            std::string::npos);
  expect_error("stats --longest-relay --csv --tables " + folder("r"), 2, {"--longest-relay"});
}

// What `stats --moves` is to say of a level, counted move by move.
struct CountedMoves {
  int over = 0, legal = 0, captures = 0, captured = 0, captured_opponent = 0;

  template <typename Move>
  void add(const std::vector<Move>& moves) {
    if (moves.empty()) ++over;
    for (const Move& move : moves) {
      int to_opponent = 0;
      if constexpr (requires { move.captured_opponent; }) to_opponent = move.captured_opponent;
      ++legal;
      if (move.captured != 0 || to_opponent != 0) ++captures;
      captured += move.captured;
      captured_opponent += to_opponent;
    }
  }
  Json json() const {
    return {{"over", over},
            {"legal", legal},
            {"captures", captures},
            {"captured", captured},
            {"captured_opponent", captured_opponent}};
  }
};

TEST_F(CliTables, MovesOfAllBoardsAreThoseOfTheReference) {
  reference::UrimRules limited;
  limited.pit_limit = 4;
  limited.pit_limit_forbids = true;
  limited.grand_slam = reference::GrandSlam::kForbid;
  struct Case {
    reference::UrimRules rules;
    std::string options;
  };
  const std::vector<Case> cases = {
      {{}, ""},
      {reference::awari_rules(), "--game awari "},
      {limited, "--pit-limit 4 --pit-limit-rule forbid --grand-slam forbid "}};
  int number = 0;
  for (Case c : cases) {
    c.rules.pits = 3;
    const std::string name = "t" + std::to_string(number++);
    build(name, c.options + "--pits 3 --seeds 9");
    const Outcome one = stats(name, "--moves --threads 1 --json");
    EXPECT_EQ(one.out, stats(name, "--moves --threads 3 --json").out);
    const std::vector<Json> levels = one.records();
    ASSERT_EQ(levels.size(), 10U);
    for (int seeds = 0; seeds <= 9; ++seeds) {
      CountedMoves counted;
      reference::for_each_board(3, seeds, c.rules.pit_limit, [&](const std::vector<int>& board) {
        counted.add(reference::legal_moves(c.rules, board));
      });
      EXPECT_EQ(levels[static_cast<std::size_t>(seeds)]["moves"], counted.json()) << seeds;
    }
  }
  EXPECT_FALSE(stats("t0").records().back().contains("moves"));
  EXPECT_NE(stats("t0", "--moves").out.find("\nlevel  game over  legal moves  a position  "),
            std::string::npos);
  expect_error("stats --moves --csv --tables " + folder("t0"), 2, {"--moves"});
}

TEST_F(CliTables, MovesOfARoundAreThoseOfTheReference) {
  for (const bool draw : {false, true}) {
    const std::string name = draw ? "d" : "f";
    build(name,
          "--game rio-kadalis 4,4,x/4,4,4 --endless-sow " + std::string(draw ? "draw" : "forbid"));
    reference::RioRules rules;
    if (draw) rules.endless_sow = reference::EndlessSow::kDraw;
    const reference::RioSolution solution(rules, {{4, 4}, {4, 4, 4}});
    for (const Json& level : stats(name, "--moves --json").records()) {
      CountedMoves counted;
      solution.for_each(level["seeds"],
                        [&](const reference::RioPosition& position, reference::Solved) {
                          counted.add(reference::legal_moves(rules, position));
                        });
      EXPECT_EQ(level["moves"], counted.json()) << level;
    }
  }
}

TEST_F(CliTables, LevelsWithoutABoardAreListedWithNothingInThem) {
  build("t", "--pits 1 --seeds 4 --pit-limit 1");
  const std::vector<Json> levels = stats("t").records();
  ASSERT_EQ(levels.size(), 5U);
  EXPECT_EQ(levels[3]["positions"], 0);
  EXPECT_EQ(levels[3]["values"], Json::object());
  EXPECT_EQ(levels[3]["digest"], "99aa06d3014798d86001c324468d497f");  // XXH3-128 of nothing
  EXPECT_EQ(stats("t", "--csv").exit_code, 0);
  EXPECT_EQ(stats("t", "").exit_code, 0);
}

// Waits until the folder holds so many table files. Fails: the test, after a minute.
void wait_for_tables(const std::string& folder, std::size_t count) {
  for (int tries = 0; tries < 6000; ++tries) {
    if (fs::exists(folder) && tables_in(folder).size() >= count) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL() << "no " << count << " tables came into " << folder;
}

TEST_F(CliTables, InterruptedBuildKeepsFinishedLevelsAndIsTakenUpAgain) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = signal == SIGINT ? "int" : "term";
    Program program({"build", "--seeds", "22", "--memory", "500GiB", "--out", folder(name)});
    wait_for_tables(folder(name), 8);
    program.send(signal);
    const Outcome r = program.finish();
    EXPECT_EQ(r.exit_code, 130) << r;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.err, "retrosow: interrupted\n");
    std::size_t others = 0;
    for (const auto& entry : fs::directory_iterator(folder(name))) {
      if (entry.path().extension() == ".partial") ++others;
    }
    EXPECT_EQ(others, 0U);

    const Outcome counted = stats(name);
    EXPECT_EQ(counted.exit_code, 0) << counted;
    const std::size_t finished = counted.records().size();
    EXPECT_GE(finished, 8U);
    EXPECT_LT(finished, 23U);
    const std::vector<Json> again = build(name, "--seeds 7");
    const std::vector<Json> fresh = build(name + "-fresh", "--seeds 7");
    ASSERT_EQ(again.size(), 8U);
    for (std::size_t n = 0; n < again.size(); ++n) {
      EXPECT_EQ(again[n]["reused"], true);
      EXPECT_EQ(again[n]["digest"], fresh[n]["digest"]);
    }
  }
}

TEST_F(CliTables, SecondBuildIntoAFolderAtOnceIsRefused) {
  Program first({"build", "--seeds", "22", "--memory", "500GiB", "--out", folder("t")});
  wait_for_tables(folder("t"), 3);
  expect_error("build --seeds 3 --out " + folder("t"), 3, {folder("t")});
  first.send(SIGTERM);
  EXPECT_EQ(first.finish().exit_code, 130);
  EXPECT_EQ(build("t", "--seeds 2").size(), 3U);
}

TEST_F(CliTables, KilledBuildIsTakenUpAgain) {
  Program program({"build", "--seeds", "22", "--memory", "500GiB", "--out", folder("t")});
  wait_for_tables(folder("t"), 8);
  program.send(SIGKILL);
  EXPECT_EQ(program.finish().signal, SIGKILL);
  EXPECT_EQ(stats("t").exit_code, 0);
  for (const Json& level : build("t", "--seeds 7")) EXPECT_EQ(level["reused"], true);
}

}  // namespace
}  // namespace retrosow::test
